//! Long programs take no stack and no quadratic time: each of these would take minutes or crash otherwise.

use crate::support::{check, errors};

fn fine(text: &str) {
    let (found, program) = check(text);
    assert!(program.is_some(), "{:?}", found.iter().take(3).collect::<Vec<_>>());
}

#[test]
fn long_chains_of_constants_and_globals() {
    let n = 20_000;
    let chain = |word: &str| {
        let lines: Vec<String> = (0..n).map(|i| format!("{word} x{i} = x{} + 1;\n", i + 1)).collect();
        format!("{}{word} x{n} = 1;\nfn main() {{ print(x0); }}", lines.concat())
    };
    fine(&chain("const"));
    fine(&chain("let"));
}

#[test]
fn long_chains_of_operators_branches_and_calls() {
    let n = 20_000;
    fine(&format!("fn main() {{ print(1{}); }}", " + 1".repeat(n)));
    fine(&format!("fn main() {{ let x = parse_int(\"1\"); print(x != null{}); }}", " && x != null".repeat(n)));
    fine(&format!("fn main() {{ let s = \"a\"; print(s{}); }}", ".trim()".repeat(n)));
    let arms: Vec<String> = (0..n).map(|i| format!("if x == {i} {{ print({i}); }}")).collect();
    fine(&format!("fn main() {{ let x = args().len(); {} }}", arms.join(" else ")));
}

#[test]
fn many_facts_and_many_branches() {
    let n = 5_000;
    let parts: Vec<String> = (0..n)
        .map(|i| {
            format!(
                "let a{i} = parse_int(\"1\"); let b{i}: int; if a{i} == null {{ break; }}
                 if a{i} > 1 {{ b{i} = 1; }} else {{ b{i} = a{i}; }} print(b{i});\n"
            )
        })
        .collect();
    fine(&format!("fn main() {{ while true {{ {} }} }}", parts.concat()));
}

#[test]
fn many_errors() {
    let lines: Vec<String> = (0..3_000).map(|i| format!("print(unknown{i}); //~ E0201\n")).collect();
    errors(&format!("fn main() {{\n{}}}", lines.concat()));
}

#[test]
fn towers_of_types_end_in_an_error() {
    let tower = |n: usize| {
        let lines: Vec<String> = (0..n).map(|i| format!("let a{} = [a{i}];\n", i + 1)).collect();
        format!("fn main() {{ let a0 = [1];\n{}print(a{n}, [[], a{n}].len()); }}", lines.concat())
    };
    fine(&tower(900)); // the tower's ground floor is `[int]`, of depth 2
    let (found, _) = check(&tower(20_000));
    let errors: Vec<_> =
        found.iter().filter(|(_, d)| d.code.starts_with('E')).map(|(line, d)| (*line, d.code)).collect();
    assert_eq!(errors, [(1000, "E0321")]);
}

#[test]
fn wide_payloads_end_the_search_and_not_the_stack() {
    let work = || {
        let program = |width: usize, rest: &str| {
            let list = |part: &str| vec![part; width].join(", ");
            let (types, ones, twos) = (list("int"), list("1"), list("2"));
            format!(
                "enum E {{ V({types}) }}
                 fn main() {{ match E::V({ones}) {{ V({ones}) => print(1), V({twos}) => print(2), {rest} }} }}"
            )
        };
        fine(&program(20_000, "_ => print(3)"));
        let (found, _) = check(&program(20_000, ""));
        assert_eq!(found.iter().map(|(_, d)| d.code).collect::<Vec<_>>(), ["E0320"]);
        // What can be looked at in the time still is.
        let (found, _) =
            check(&program(500, "V(..) => print(3)").replace("V(..)", &format!("V({})", vec!["1"; 500].join(", "))));
        assert_eq!(found.iter().map(|(_, d)| d.code).collect::<Vec<_>>(), ["E0320", "W0006"]);
    };
    let thread =
        std::thread::Builder::new().stack_size(mini_syntax::parser::STACK_BYTES).spawn(work).expect("a thread");
    thread.join().expect("the checker does not panic");
}

#[test]
fn many_values_whose_type_comes_last() {
    let many = "Opt::None, ".repeat(40_000);
    let program =
        format!("enum Opt<T> {{ None, Some(T) }}\nfn main() {{ let a = [{many}Opt::Some(1)]; print(a.len()); }}");
    assert!(check(&program).0.is_empty());
}

#[test]
fn types_with_many_parts_in_common() {
    let calls = "dup(".repeat(100);
    let program = format!(
        "struct P<A, B> {{ a: A, b: B }}\nfn dup<T>(x: T) -> P<T, T> {{ P {{ a: x, b: x }} }}\nfn main() {{ let a = {calls}1{}; let b = {calls}null{}; }}",
        ")".repeat(100),
        ")".repeat(100)
    );
    assert!(!check(&program).0.is_empty());
}
