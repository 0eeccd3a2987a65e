//! The command line itself.

use super::{Folder, HELLO, shell};
use mini_driver::options::{
    Choice, Color, Destruction, Dominators, ErrorFormat, Frontier, Liveness, RegisterAllocation, SsaConstruction,
    SsaStyle,
};

#[test]
fn help_and_version_go_to_stdout() {
    let folder = Folder::new();
    for args in [&["--help"][..], &["help"], &["build", "--help"], &["help", "run"], &["--version"]] {
        let shown = folder.minic(args);
        assert_eq!(shown.status, Some(0), "{args:?}");
        assert!(!shown.stdout.is_empty() && shown.stderr.is_empty(), "{args:?}: {shown:?}");
    }
}

#[test]
fn what_is_wrong_with_the_command_line_has_status_2() {
    let folder = Folder::new();
    folder.file("h.mini", HELLO);
    for args in [
        &["--no-such-option"][..],
        &["no-such-command"],
        &["build"],
        &["build", "-O3", "h.mini"],
        &["build", "-j0", "h.mini"],
        &["build", "h.mini", "--emit", "elf"],
        &["emit", "nothing", "h.mini"],
        &["emit", "tac", "h.mini", "--fn", "nothing"],
        &["explain", "E9999"],
        &["check", "h.mini", "--error-format", "xml"],
        &["run", "missing.mini"],
        &["run", "."],
    ] {
        let refused = folder.minic(args);
        assert_eq!(refused.status, Some(2), "{args:?}: {refused:?}");
        assert!(!refused.stderr.is_empty() && refused.stdout.is_empty(), "{args:?}: {refused:?}");
    }
    assert_eq!(folder.names(), ["h.mini"]);
}

#[test]
fn unknown_names_list_near_matches() {
    let folder = Folder::new();
    folder.file("h.mini", "fn fibonacci() {} fn main() { fibonacci(); }");
    let stderr = |args: &[&str]| folder.minic(args).stderr;
    assert!(stderr(&["emit", "liveliness", "h.mini"]).contains("did you mean `liveness`?"));
    assert!(stderr(&["emit", "tac", "h.mini", "--fn", "fibonaci"]).contains("did you mean `fibonacci`?"));
    assert!(stderr(&["emit", "typed", "h.mini", "--fn", "fibonaci"]).contains("did you mean `fibonacci`?"));
    assert!(stderr(&["build", "h.mini", "--print-after", "alocate"]).contains("did you mean `allocate`?"));
    assert!(stderr(&["biuld", "h.mini"]).contains("did you mean `build`?"));
    assert!(stderr(&["explain", "E0010O"]).contains("E0010"));
    assert!(stderr(&["rnu", "h.mini"]).contains("did you mean `run`?"));
    assert!(stderr(&["help", "rn"]).contains("did you mean `run`?"));
    assert!(stderr(&["h.mini"]).contains("`minic run h.mini`"));
    assert!(stderr(&["build", "h.mini", "--regalloc", "spill"]).contains("did you mean `spill-everything`?"));
    assert!(stderr(&["build", "h.mini", "--reg-alloc", "spill"]).contains("did you mean `--regalloc`?"));
    assert!(stderr(&["build", "h.mini", "--count"]).contains("it belongs to `minic interp`"));
    assert!(stderr(&["build", "h.mini", "--nothing-like-it"]).contains("`minic help build` lists them"));
    assert!(stderr(&["build", "h.mini", "i.mini"]).contains("one argument too many"));
    assert!(stderr(&["emit", "h.mini", "tac"]).contains("`minic emit tac h.mini`"));
    assert!(
        stderr(&["emit", "tac", "h.mini", "--print-after", "all", "--only-fn", "man"]).contains("did you mean `main`?")
    );
    assert!(
        stderr(&["opt", "h.mini"]).contains("is Mini source") && stderr(&["opt", "h.mini"]).contains("minic emit tac")
    );
    folder.file("h.ir", "func main() {\na:\n  ret\n}\n");
    assert!(stderr(&["opt", "h.ir", "--passes", "ssa"]).contains("the pass that it runs is `pruned`"));
    assert!(stderr(&["opt", "h.ir", "--passes", "prunde"]).contains("did you mean `pruned`?"));
}

#[test]
fn what_is_planned_is_refused_as_such() {
    let folder = Folder::new();
    folder.file("h.mini", HELLO);
    for args in [
        &["fmt", "h.mini"][..],
        &["trace", "dominators", "h.mini"],
        &["build", "--remarks", "h.mini"],
        &["build", "--bisect", "3", "h.mini"],
        &["build", "--fuel=gvn=3", "h.mini"],
    ] {
        let refused = folder.minic(args);
        assert_eq!(refused.status, Some(2), "{args:?}");
        assert!(refused.stderr.contains("not available yet"), "{args:?}: {}", refused.stderr);
    }
}

#[test]
fn every_code_in_the_table_can_be_explained() {
    let folder = Folder::new();
    for row in mini_diag::codes::all() {
        let shown = folder.minic(["explain", row.code]);
        assert_eq!(shown.status, Some(0), "{}", row.code);
        assert!(shown.stdout.starts_with(row.code) && shown.stdout.contains(row.title), "{}", row.code);
    }
    assert_eq!(folder.minic(["explain", "e0010"]).status, Some(0), "codes in lower case are understood");
    let list = folder.minic(["explain"]).stdout;
    assert_eq!(list.lines().count(), mini_diag::codes::all().count());
    assert!(list.lines().is_sorted() && list.contains("E0601  textual IR"), "{list}");
    let two = folder.minic(["explain", "E0001", "W0001"]).stdout;
    assert!(two.starts_with("E0001: ") && two.contains("\nW0001: "), "{two}");
}

#[test]
fn lists_and_scripts_are_there() {
    let folder = Folder::new();
    let passes = folder.minic(["passes"]).stdout;
    assert!(passes.contains("cssa") && passes.contains("--regalloc"), "{passes}");
    for name in ["bash", "zsh", "fish"] {
        let script = folder.minic(["completions", name]);
        assert!(script.status == Some(0) && script.stdout.contains("minic"), "{name}");
    }
}

#[test]
fn a_full_disk_is_an_error_and_a_closed_pipe_is_none() {
    let folder = Folder::new();
    folder.file("h.mini", HELLO);
    for args in [&["emit", "tac", "h.mini"][..], &["--help"], &["passes"], &["explain", "E0001"]] {
        let full = shell(&folder, "\"$0\" \"$@\" > /dev/full", args);
        assert_eq!(full.status, Some(2), "{args:?}: {full:?}");
        assert!(full.stderr.contains("No space left on device"), "{args:?}: {}", full.stderr);
    }
    let closed = shell(&folder, "\"$0\" \"$@\" | true", ["emit", "asm", "h.mini"]);
    assert!(closed.status == Some(0) && closed.stderr.is_empty(), "{closed:?}");
}

#[test]
fn help_and_completions_list_the_values_of_every_choice() {
    let folder = Folder::new();
    let help = folder.minic(["help", "emit"]).stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    let bash = folder.minic(["completions", "bash"]).stdout;
    let choices = [
        names::<SsaConstruction>(),
        names::<Destruction>(),
        names::<RegisterAllocation>(),
        names::<Dominators>(),
        names::<Frontier>(),
        names::<SsaStyle>(),
        names::<ErrorFormat>(),
        names::<Color>(),
    ];
    for (option, values) in choices {
        let listed = format!("[default: {}] [possible values: {}]", values[0], values.join(", "));
        assert!(help.contains(&listed), "{option}: {listed}: {help}");
        assert!(bash.contains(&values.join(" ")), "{option}");
    }
    assert!(bash.contains(&mini_driver::emit::names().join(" ")), "the stages too");
    assert!(help.contains("tokens, ast, typed"), "{help}");
    assert!(help.contains("[possible values: lower, ssa, opt, cssa, select, allocate, all]"), "{help}");
    let opt = folder.minic(["help", "opt"]).stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(opt.matches("remove_unreachable, minimal,").count() == 2 && !opt.contains("-j <N>"), "{opt}");
}

/// An option and its values.
fn names<C: Choice>() -> (&'static str, Vec<&'static str>) {
    (C::OPTION, C::AVAILABLE.iter().map(|&(name, _)| name).collect())
}

#[test]
fn help_says_what_files_are_and_whose_options() {
    let folder = Folder::new();
    let help = |command: &str| folder.minic(["help", command]).stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    for command in ["run", "build", "check", "emit", "interp"] {
        let help = help(command);
        assert!(
            help.contains("`.mini`") && help.contains("`.ir`") && help.contains("standard input"),
            "{command}: {help}"
        );
    }
    for command in ["run", "interp"] {
        assert!(help(command).contains("goes to the program, options too"), "{command}");
    }
    assert!(!help("check").contains("--regalloc") && !help("interp").contains("--regalloc"));
    let all = folder.minic(["help"]).stdout;
    assert!(all.contains("MINI_HEAP_LIMIT") && all.contains("MINI_GC_STRESS"), "{all}");
}

#[test]
fn options_without_effect_are_refused() {
    let folder = Folder::new();
    folder.file("h.mini", HELLO);
    folder.file("s.ir", "ssa func main() {\na:\n  ret\n}\n");
    for args in [
        &["build", "h.mini", "--only-fn", "main"][..],
        &["build", "h.mini", "--print-after", "lex"],
        &["build", "h.mini", "--print-after", "encode"],
        &["build", "h.mini", "--print-after", "pruned"],
        &["build", "h.mini", "--ssa-style", "phi"],
        &["check", "h.mini", "--regalloc", "spill-everything"],
        &["emit", "tac", "h.mini", "--print-after", "ssa"],
        &["emit", "tokens", "h.mini", "--print-after", "all"],
        &["emit", "tac", "h.mini", "--regalloc", "spill-everything"],
        &["emit", "postdom", "h.mini", "--dominators", "chk"],
        &["emit", "dom", "h.mini", "--frontier", "dj"],
        &["emit", "placement", "h.mini", "--liveness", "iterative"],
        &["emit", "orders", "h.mini", "--dominators", "chk"],
        &["emit", "placement", "s.ir"],
        &["emit", "webs", "h.mini", "--destruct", "naive"],
        &["interp", "--print-after", "ssa", "h.mini"],
        &["opt", "s.ir", "--print-after", "pruned"],
        &["opt", "s.ir", "--print-after", "select"],
        &["run", "--print-after", "ssa", "s.ir"],
    ] {
        let refused = folder.minic(args);
        assert_eq!((refused.status, refused.stdout.as_str()), (Some(2), ""), "{args:?}: {refused:?}");
        assert!(refused.stderr.starts_with("minic: ") && refused.stderr.lines().count() == 1, "{args:?}: {refused:?}");
    }
    assert_eq!(folder.names(), ["h.mini", "s.ir"]);
}

#[test]
fn what_happens_between_steps_is_printed() {
    let folder = Folder::new();
    folder.file("h.mini", "fn f() -> int { 1 } fn main() { print(f()); }");
    let shown = folder.minic(["build", "h.mini", "-o", "h", "--print-after", "all", "--only-fn", "f"]);
    for step in ["lower", "ssa", "cssa", "select", "allocate"] {
        assert_eq!(shown.stderr.matches(&format!("// after {step}\n")).count(), 1, "{step}: {}", shown.stderr);
    }
    folder.file("t.ir", "func main() {\na:\n  ret\nb:\n  jmp b\n}\n");
    let args = [
        "opt",
        "t.ir",
        "--passes",
        "remove_unreachable,pruned",
        "--print-after",
        "remove_unreachable",
        "--time-passes",
    ];
    let shown = folder.minic(args);
    assert_eq!(shown.status, Some(0), "{shown:?}");
    assert!(shown.stderr.starts_with("// after remove_unreachable\nfunc main() {\na:\n  ret\n}\n"), "{}", shown.stderr);
    assert!(shown.stderr.contains(" ms  pruned\n"), "{}", shown.stderr);
    assert!(shown.stdout.starts_with("ssa func main()"), "{}", shown.stdout);
}

#[test]
fn dominators_are_the_same_whoever_finds_them() {
    let folder = Folder::new();
    folder.file("h.mini", "fn main() { for i in 0..3 { if i == 1 { continue; } print(i); } }");
    let tree = |name: &str| folder.minic(["emit", "dom", "h.mini", "--dominators", name]);
    let semi = tree("semi-nca");
    assert!(semi.status == Some(0) && semi.stdout.contains("idom"), "{semi:?}");
    for (name, _) in Dominators::AVAILABLE {
        let other = tree(name);
        assert_eq!((&other.stdout, &other.stderr), (&semi.stdout, &semi.stderr), "{name}");
    }
}

#[test]
fn frontiers_are_the_same_whoever_finds_them() {
    let folder = Folder::new();
    folder.file("six.ir", SIX);
    let expected = "dominance frontiers of six\nblock  frontier\nb0\nb1     b1\nb2     b4\nb3     b4\nb4     b1\nb5\n";
    for (frontier, _) in Frontier::AVAILABLE {
        for (dominators, _) in Dominators::AVAILABLE {
            let args = ["emit", "frontier", "six.ir", "--frontier", frontier, "--dominators", dominators];
            assert_eq!(folder.minic(args).stdout, expected, "{frontier} {dominators}");
        }
    }
}

#[test]
fn liveness_is_the_same_whoever_finds_it() {
    let folder = Folder::new();
    folder.file("f.ir", VARIABLES);
    let expected = "liveness of f\nblock   live-in  live-out\nentry1  n        n s\nhead2   n s      n s\nbody3   n s      n s\nexit4   s\n";
    assert_eq!(folder.minic(["emit", "liveness", "f.ir"]).stdout, expected);
    for (liveness, _) in Liveness::AVAILABLE {
        assert_eq!(folder.minic(["emit", "liveness", "f.ir", "--liveness", liveness]).stdout, expected, "{liveness}");
    }
}

#[test]
fn the_placement_of_phis_is_the_same_whoever_finds_it() {
    let folder = Folder::new();
    folder.file("f.ir", VARIABLES);
    let expected = "\
placement of phis in f
n
  A(V)         -
  live-in      entry1 head2 body3
  DF⁺(A(V))    -
  minimal      -
  semi-pruned  -
  pruned       -
s
  A(V)         entry1 body3
  live-in      head2 body3 exit4
  DF⁺(A(V))    head2
  minimal      head2
  semi-pruned  head2
  pruned       head2
t
  A(V)         body3
  live-in      -
  DF⁺(A(V))    head2
  minimal      head2
  semi-pruned  -
  pruned       -
";
    assert_eq!(folder.minic(["emit", "placement", "f.ir"]).stdout, expected);
    for (frontier, _) in Frontier::AVAILABLE {
        for (dominators, _) in Dominators::AVAILABLE {
            let args = ["emit", "placement", "f.ir", "--frontier", frontier, "--dominators", dominators];
            assert_eq!(folder.minic(args).stdout, expected, "{frontier} {dominators}");
        }
    }
}

#[test]
fn orders_and_webs_are_printed() {
    let folder = Folder::new();
    folder.file("f.ir", VARIABLES);
    let orders = "\
orders of f
preorder:          entry1 head2 exit4 body3
postorder:         exit4 body3 head2 entry1
reverse postorder: entry1 head2 body3 exit4
";
    assert_eq!(folder.minic(["emit", "orders", "f.ir"]).stdout, orders);
    folder.file(
        "c.ir",
        "cssa func f(a: int) -> int {\nentry1:\n  jmp join2(a)\njoin2(b: int):\n  c = neg b\n  ret c\n}\n",
    );
    assert_eq!(folder.minic(["emit", "webs", "c.ir"]).stdout, "phi webs of f\n{a b}\nalone: c\n");
    let webs = folder.minic(["emit", "webs", "f.ir"]).stdout;
    assert!(webs.starts_with("phi webs of f\n{") && webs.contains("s.2"), "{webs}");
}

#[test]
fn post_dominators_are_printed_and_endless_loops_are_no_trouble() {
    let folder = Folder::new();
    folder.file("six.ir", SIX);
    let shown = folder.minic(["emit", "postdom", "six.ir"]);
    let expected = "\
post-dominators of six
block   ipdom   level  children
(exit)  -       0      b5
b5      (exit)  1      b4
b4      b5      2      b1 b2 b3
b1      b4      3      b0
b0      b1      4
b2      b4      3
b3      b4      3
";
    assert_eq!((shown.status, shown.stdout.as_str()), (Some(0), expected));
    folder.file("e.ir", "func main() {\na:\n  jmp b\nb:\n  jmp b\n}\n");
    let shown = folder.minic(["emit", "postdom", "e.ir"]);
    assert!(shown.status == Some(0) && shown.stdout.ends_with("endless: b\n"), "{shown:?}");
}

#[test]
fn sets_of_dominators_are_refused_for_large_functions() {
    let folder = Folder::new();
    let chain: String = (0..20_001).map(|i| format!("b{i}:\n  jmp b{}\n", i + 1)).collect();
    folder.file("long.ir", format!("func main() {{\n{chain}b20001:\n  ret\n}}\n"));
    let refused = folder.minic(["emit", "dom", "long.ir", "--dominators", "iterative"]);
    assert_eq!((refused.status, refused.stdout.as_str()), (Some(2), ""), "{refused:?}");
    assert!(refused.stderr.contains("`main` has 20002, more than 20000; `--dominators chk`"), "{refused:?}");
    assert_eq!(folder.minic(["emit", "dom", "long.ir", "--dominators", "chk"]).status, Some(0));
}

#[test]
fn flat_lists_are_read_run_and_their_leaders_shown() {
    let folder = Folder::new();
    let flat = "\
flat func main() {
  i = const 0
head:
  rt out_int(i)
  %1 = const 1
  i = add i, %1
  %2 = const 3
  %3 = lt i, %2
  br %3, head
  ret
}
";
    folder.file("f.ir", flat);
    let shown = folder.minic(["emit", "leaders", "f.ir"]);
    let expected = "\
leaders of main
  1 * b1:    i = const 0    rule 1
  2 * head:  rt out_int(i)  rule 2 by 7
  3          %1 = const 1
  4          i = add i, %1
  5          %2 = const 3
  6          %3 = lt i, %2
  7          br %3, head
  8 * b8:    ret            rule 3 by 7
blocks of main
b1    1
head  2–7
b8    8
";
    assert_eq!((shown.status, shown.stdout.as_str()), (Some(0), expected), "{}", shown.stderr);
    for command in ["interp", "run"] {
        assert_eq!(folder.minic([command, "f.ir"]).stdout, "012", "{command}");
    }
    let loops = folder.minic(["emit", "loops", "f.ir"]);
    assert!(loops.stdout.contains("head    1      -       head     head"), "{loops:?}");
    folder.file("h.mini", "fn main() { for i in 0..3 { print(i); } }");
    assert!(folder.minic(["emit", "leaders", "h.mini"]).stdout.contains("rule 2 by"));
    folder.file("s.ir", "ssa func main() {\na:\n  ret\n}\n");
    let refused = folder.minic(["emit", "leaders", "s.ir"]);
    assert!(refused.status == Some(2) && refused.stderr.contains("leaders are found in TAC"), "{refused:?}");
}

/// The six blocks of the literature.
const VARIABLES: &str = "\
func f(n: int) -> int {
entry1:
  s = const 0
  jmp head2
head2:
  %1 = lt s, n
  br %1, body3, exit4
body3:
  t = const 1
  s = add s, t
  jmp head2
exit4:
  ret s
}
";

const SIX: &str = "\
func six(c: bool) {
b0:
  jmp b1
b1:
  br c, b2, b3
b2:
  jmp b4
b3:
  jmp b4
b4:
  br c, b1, b5
b5:
  ret
}
";

#[test]
fn a_function_name_means_all_its_instances_and_needs_no_caller() {
    let folder = Folder::new();
    let text = "fn id<T>(x: T) -> T { let f = fn() -> T { x }; f() }
fn spare(n: int) -> int { n + 1 }
fn main() { print(id(1), id(\"s\")); }";
    folder.file("h.mini", text);
    let emit = |stage: &str, name: &str| folder.minic(["emit", stage, "h.mini", "--fn", name]);
    for stage in ["tac", "cfg", "ssa", "mir", "alloc", "asm"] {
        let printed = emit(stage, "id");
        assert_eq!(printed.status, Some(0), "{stage}: {printed:?}");
        for instance in ["id<int>", "id<string>"] {
            assert!(printed.stdout.contains(instance), "{stage}: {printed:?}");
        }
        assert!(!printed.stdout.contains("main"), "{stage}: {printed:?}");
    }
    let one = emit("tac", "id<int>").stdout;
    assert!(one.contains("func \"id<int>\"") && !one.contains("func \"id<string>\""), "{one}");
    assert!(emit("tac", "closure in id<string>").stdout.contains("func \"closure in id<string>\""));
    // What nothing refers to can be printed, but is not part of what runs.
    assert!(emit("tac", "spare").stdout.starts_with("func spare(n: int) -> int {"));
    let counted = folder.minic(["build", "h.mini", "--emit", "asm", "-o", "-"]);
    assert!(counted.status == Some(0) && !counted.stdout.contains("spare"), "{counted:?}");
}
