//! Which functions a program needs at which types.

use crate::support::{check, diagnostic, errors};
use mini_sema::print::instance_name;

/// The instances of a program in order, those that `main` and the initialisers refer to and the others.
fn instances(text: &str) -> (Vec<String>, Vec<String>) {
    let (found, program) = check(text);
    let program = program.unwrap_or_else(|| panic!("{found:?}"));
    let mut names: Vec<String> = program.instances.iter().map(|i| instance_name(&program, &i.function)).collect();
    let others = names.split_off(program.reachable);
    (names, others)
}

#[test]
fn what_bodies_refer_to_is_found_once_for_each_list_of_type_arguments() {
    let (found, others) = instances(
        "struct Box<T> { x: T }
impl<T> Box<T> {
    fn of(x: T) -> Box<T> { Box { x } }
    fn map<U>(self, f: fn(T) -> U) -> Box<U> { Box::of(f(self.x)) }
    fn unused(self) -> T { self.x }
}
fn id<T>(x: T) -> T { x }
fn length(s: string) -> int { s.len() }
fn main() {
    let f = id::<[int]>;
    print(f([1]), id(1), id(2), Box::of(\"x\").map(length).x);
}",
    );
    let want = ["main", "id<[int]>", "id<int>", "Box::map<string, int>", "Box::of<string>", "length", "Box::of<int>"];
    let mut sorted = found.clone();
    sorted.sort();
    let mut wanted = want.map(String::from).to_vec();
    wanted.sort();
    assert_eq!(sorted, wanted);
    assert_eq!(found[0], "main");
    assert!(others.is_empty(), "{others:?}");
}

#[test]
fn texts_need_the_method_show_of_what_is_inside() {
    let (found, _) = instances(
        "struct P<T> { x: T }
impl<T: Show> P<T> { fn show(self) -> string { string(self.x) } }
enum E { A, B }
impl E { fn show(self) -> string { \"E\" } }
fn main() {
    let a: [P<[E?]>?] = [];
    print(a);
}",
    );
    assert_eq!(found, ["main", "P::show<[E?]>", "E::show"]);
}

#[test]
fn loops_closures_and_dead_code_refer_to_functions_too() {
    let (found, _) = instances(
        "struct L<T> { x: T }
impl<T> L<T> { fn len(self) -> int { 1 } fn index(self, _i: int) -> T { self.x } }
struct I<T> { x: T }
impl<T> I<T> { fn next(self) -> T? { null } }
fn dead<T>(_x: T) {}
fn inside<T>(_x: T) {}
fn main() {
    for x in (L { x: 1 }) { print(x); }
    for x in (I { x: 'b' }) { let f = fn() { inside(x); }; f(); }
    if false { dead(\"s\"); }
}",
    );
    for wanted in ["L::len<int>", "L::index<int>", "I::next<byte>", "inside<byte>", "dead<string>"] {
        assert!(found.iter().any(|name| name == wanted), "{wanted} in {found:?}");
    }
}

#[test]
fn what_main_does_not_refer_to_comes_last_and_initialisers_count() {
    let (found, others) = instances(
        "fn id<T>(x: T) -> T { x }
fn _spare() { print(id(1.5), _also()); }
fn _also() -> int { id(1) }
fn _generic<T>(x: T) -> T { id(x) }
let g = id(true);
fn main() { print(g, id(1)); }",
    );
    assert_eq!(found.len(), 3, "{found:?}");
    assert!(found.contains(&"id<bool>".to_string()) && found.contains(&"id<int>".to_string()), "{found:?}");
    assert_eq!(others, ["_spare", "id<float>", "_also"]);
}

#[test]
fn an_endless_function_that_nothing_reaches_is_left_out() {
    let (found, others) = instances(
        "fn grow<T>(x: T) { grow([x]); }
fn _spare() { grow(1); }
fn main() {}",
    );
    assert_eq!(found, ["main"]);
    assert!(others.is_empty(), "{others:?}");
}

#[test]
fn types_may_nest_64_deep() {
    let program = |depth: usize| {
        let calls: String = (0..depth).map(|n| format!("fn f{n}<T>(x: T) {{ f{}([x]); }}\n", n + 1)).collect();
        format!("{calls}fn f{depth}<T>(_x: T) {{}}\nfn main() {{ f0(1); }}")
    };
    let (found, _) = instances(&program(63)); // the last one's argument is 63 arrays around an int
    assert_eq!(found.len(), 65);
    let d = diagnostic(&program(64), "E0323");
    assert!(d.message.contains("`f64` is needed with types that nest deeper than 64"), "{}", d.message);
}

#[test]
fn an_endless_chain_is_shown_where_it_closes_and_where_it_begins() {
    let text = "fn a() { b(1); }\nfn b<T>(x: T) { c([x]); }\nfn c<T>(x: T) { b(x); }\nfn main() { a(); }";
    let d = diagnostic(text, "E0323");
    assert_eq!(d.labels[0].text, "begins here with `b<int>`");
    // The call in `c` closes the round; it begins in `a`.
    let first = d.labels[0].span;
    assert_eq!(
        d.span.start.0 - first.start.0,
        (text.find("b(x)").unwrap_or(0) - text.find("b(1)").unwrap_or(0)) as u32
    );
    let help = d.help.expect("it shows the chain");
    assert!(help.starts_with("`a` → `b<int>` → `c<[int]>` → `b<[int]>` → …"), "{help}");
}

#[test]
fn an_optional_of_an_optional_names_the_parameter_and_where_it_is_written() {
    let d = diagnostic(
        "fn first<T>(a: [T]) -> T? { if a.len() > 0 { a[0] } else { null } }
fn main() { let o: int? = 1; print(first([o]) == null); }",
        "E0308",
    );
    assert!(d.message.starts_with("`first` can't be used with `T` = `int?`"), "{}", d.message);
    assert_eq!(d.labels[0].text, "the result has the type `T?`");
}

#[test]
fn a_hundred_thousand_instances_are_too_many() {
    let params: Vec<String> = (0..20).map(|n| format!("T{n}")).collect();
    let mut text = format!("fn f<{}>(", params.join(", "));
    text += &(0..20).map(|n| format!("a{n}: T{n}")).collect::<Vec<_>>().join(", ");
    text += ") {\n";
    for changed in 0..20 {
        let args: Vec<String> = (0..20).map(|n| if n == changed { "1".into() } else { format!("a{n}") }).collect();
        text += &format!("f({});\n", args.join(", "));
    }
    text += &format!("}}\nfn main() {{ f({}); }}", vec!["true"; 20].join(", "));
    let d = diagnostic(&text, "E0323");
    assert!(d.message.starts_with("the program needs more than 100000 instances"), "{}", d.message);
}

#[test]
fn errors_of_instances_are_reported_beside_others() {
    errors(
        "struct Box<T> { x: T? }
fn first<T>(a: [T]) -> T? { if a.len() > 0 { a[0] } else { null } }
fn grow<T>(x: T) { grow([x]); } //~ E0323
fn main() {
    let o: int? = 1;
    let n: int = \"1\"; //~ E0301
    print(first([o]) == null, n); //~ E0308
    let b: Box<missing> = Box { x: 1 }; //~ E0202
    print(first([b.x]) == null);
    grow(n);
}",
    );
}
