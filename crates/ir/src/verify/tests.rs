//! Each rule with functions that break it, and functions that come close.

use super::*;
use crate::func::{Def, Imm, ValueName};
use crate::op::Op;
use crate::text::parse_module;
use crate::types::Type;
use mini_base::ids::Id;
use mini_base::source::Pos;

fn module(text: &str) -> Module {
    match parse_module(text) {
        Ok(module) => module,
        Err(error) => panic!("{error}\n{text}"),
    }
}

fn accepts(text: &str) {
    if let Err(errors) = verify_module(&module(text)) {
        panic!("{}\n{text}", errors[0]);
    }
}

/// The only errors are of this rule; gives the first.
fn rejects(text: &str, rule: Rule) -> VerifyError {
    broken(&module(text), rule)
}

fn broken(module: &Module, rule: Rule) -> VerifyError {
    let errors = verify_module(module).expect_err("a broken rule");
    for error in &errors {
        assert_eq!(error.rule, rule, "{error}");
    }
    errors[0].clone()
}

/// The first function of a module, to be damaged.
fn damaged(text: &str, damage: impl FnOnce(&mut Func)) -> Module {
    let mut module = module(text);
    damage(&mut module.funcs[crate::module::FuncId::new(0)]);
    module
}

fn nth(func: &Func, n: usize) -> Inst {
    func.blocks().flat_map(|b| func.insts(b)).nth(n).expect("so many instructions")
}

const SMALL: &str =
    "ssa func f(a: int) -> int {\nentry1:\n  %1 = add a, a\n  jmp next2\nnext2:\n  %2 = add %1, a\n  ret %2\n}\n";

#[test]
fn blocks() {
    accepts(SMALL);
    broken(&damaged("func f() {\na:\n  ret\n}", |f| f.set_layout(vec![])), Rule::Blocks);
    broken(&damaged(SMALL, |f| f.set_layout([f.layout(), f.layout()].concat())), Rule::Blocks);
    let same_label = damaged("func f() {\na1:\n  ret\n}", |f| {
        let block = f.new_block_named("a1");
        let ret = f.create_inst(Op::Return, Imm::None, &[], Pos::NONE);
        f.append_inst(block, ret);
    });
    broken(&same_label, Rule::Blocks);
}

#[test]
fn terminator() {
    rejects("func f() {\na:\n}", Rule::Terminator);
    rejects("func f() {\na:\n  %1 = const 1\n}", Rule::Terminator);
    let error = rejects("func f() {\na:\n  jmp a\n  ret\n}", Rule::Terminator);
    assert_eq!(error.to_string(), "rule 2 in f, block a, `jmp a`: a terminator is the last instruction of its block");
}

#[test]
fn links() {
    broken(&damaged(SMALL, |f| f.forget_block(nth(f, 0))), Rule::Links);
    broken(&damaged(SMALL, |f| f.forget_previous_inst(nth(f, 1))), Rule::Links);
    broken(&damaged(SMALL, |f| f.forget_last(f.entry())), Rule::Links);
}

#[test]
fn edges() {
    rejects("func f(i: int) {\na:\n  switch i, 1: a, 1: a, else a\n}", Rule::Edges);
    accepts("func f(i: int) {\na:\n  switch i, else a\n}");
    broken(&damaged(SMALL, |f| f.set_edges(nth(f, 1), &[])), Rule::Edges);
    broken(&damaged(SMALL, |f| f.misplace_edge(f.edges(nth(f, 1)).next().expect("one edge"), nth(f, 0))), Rule::Edges);
    let away = damaged(SMALL, |f| {
        let entry = f.entry();
        f.set_layout(vec![entry]);
    });
    broken(&away, Rule::Edges);
}

#[test]
fn immediate() {
    broken(&damaged(SMALL, |f| f.set_op(nth(f, 0), Op::Add, Imm::Int(1))), Rule::Immediate);
    let constant = "func f() {\na:\n  %1 = const 1\n  ret\n}";
    broken(&damaged(constant, |f| f.set_op(nth(f, 0), Op::Const, Imm::None)), Rule::Immediate);
    broken(&damaged(constant, |f| f.set_op(nth(f, 0), Op::Const, Imm::Str(Id::new(5)))), Rule::Immediate);
    broken(&damaged(constant, |f| f.set_op(nth(f, 0), Op::FuncRef, Imm::Func(Id::new(5)))), Rule::Immediate);
    broken(&damaged(constant, |f| f.set_op(nth(f, 0), Op::LoadGlobal, Imm::Global(Id::new(5)))), Rule::Immediate);
    broken(
        &damaged("func f() {\na:\n  p = slot int\n  ret\n}", |f| f.set_op(nth(f, 0), Op::Slot, Imm::None)),
        Rule::Immediate,
    );
    broken(&damaged(constant, |f| f.set_op(nth(f, 0), Op::Load, Imm::None)), Rule::Immediate);
    rejects("struct S {}\nfunc f(i: int) {\na:\n  %1 = new_array S, i\n  ret\n}", Rule::Immediate);
    rejects("func f(i: int) {\na:\n  %1 = new [int]\n  ret\n}", Rule::Immediate);
    rejects("func f(r: ref) {\na:\n  %1 = load_field [int].0, r\n  ret\n}", Rule::Immediate);
}

#[test]
fn operands() {
    let cases = [
        "func f(i: int, c: bool) {\na:\n  %1 = add i, c\n  ret\n}",
        "func f(i: int) {\na:\n  %1 = add i\n  ret\n}",
        "func f(x: float) {\na:\n  %1 = eq x, x\n  ret\n}",
        "func f(x: byte) {\na:\n  %1 = and x, x\n  ret\n}",
        "func f(r: ref) {\na:\n  %1 = lt r, r\n  ret\n}",
        "func f(i: int) {\na:\n  br i, a, a\n}",
        "func f(c: bool) {\na:\n  switch c, else a\n}",
        "func f(i: int) {\na:\n  ret i\n}",
        "func f() -> int {\na:\n  ret\n}",
        "func f(i: int) {\na:\n  call f()\n  ret\n}",
        "func f(i: int) {\na:\n  rt out_float(i)\n  ret\n}",
        "func f(i: int) {\na:\n  call_ref i()\n  ret\n}",
        "func f(i: int) {\na:\n  check_some i\n  ret\n}",
        "func f(i: int, c: bool) {\na:\n  %1 = select i, c, c\n  ret\n}",
        "struct S { x: int }\nfunc f(r: ref, c: bool) {\na:\n  store_field S.x, r, c\n  ret\n}",
        "global g: int\nfunc f(c: bool) {\na:\n  store_global g, c\n  ret\n}",
        "extern g(int)\nfunc f(c: bool) {\na:\n  call_extern g(c)\n  ret\n}",
        "extern g(int)\nfunc f() {\na:\n  call_extern g()\n  ret\n}",
        "func f(i: int) {\na:\n  store i, i\n  ret\n}",
        "func f(p: addr) {\na:\n  store p\n  ret\n}",
        "func f(i: int) {\na:\n  %1 = load int, i\n  ret\n}",
        "func f(p: addr) {\na:\n  %1 = load int\n  ret\n}",
        "func f(p: addr) {\na:\n  %1 = slot int, p\n  ret\n}",
        "func f(p: addr) {\na:\n  %1 = eq p, p\n  ret\n}",
        "func f(p: addr) {\na:\n  check_some p\n  ret\n}",
        "func f(p: addr, r: ref) {\na:\n  %1 = len p\n  ret\n}",
    ];
    for text in cases {
        rejects(text, Rule::Operands);
    }
}

#[test]
fn results() {
    rejects("func f(i: int) {\na:\n  add i, i\n  ret\n}", Rule::Results);
    rejects("func f(i: int, c: bool) {\na:\n  c = add i, i\n  ret\n}", Rule::Results);
    rejects("func f(r: ref) {\na:\n  %1 = rt read_file(r)\n  rt find(r, r)\n  ret\n}", Rule::Results);
    rejects("func f(i: int) {\na:\n  i = check_step i\n  ret\n}", Rule::Results);
    rejects("extern g()\nfunc f(i: int) {\na:\n  i = call_extern g()\n  ret\n}", Rule::Results);
    rejects("func f(i: int) {\na:\n  i, i = parcopy i, i\n  ret\n}", Rule::Results);
    rejects("func f(i: int) {\na:\n  i = slot int\n  ret\n}", Rule::Results);
    rejects("func f(p: addr, x: float) {\na:\n  x = load int, p\n  ret\n}", Rule::Results);
    rejects("func f(p: addr, x: float) {\na:\n  x = store p, x\n  ret\n}", Rule::Results);
}

#[test]
fn uses() {
    broken(&damaged(SMALL, |f| f.forget_uses(f.params[0])), Rule::Uses);
    broken(&damaged(SMALL, |f| f.forget_use(f.places(nth(f, 2))[0])), Rule::Uses);
    // The count is right, but not the value; not the instruction; not the use before.
    let swapped = damaged(SMALL, |f| {
        let places = f.places(nth(f, 2));
        let (first, second) = (f.named(places[0]), f.named(places[1]));
        f.misname_use(places[0], second);
        f.misname_use(places[1], first);
    });
    broken(&swapped, Rule::Uses);
    broken(&damaged(SMALL, |f| f.misplace_use(f.places(nth(f, 2))[0], nth(f, 0))), Rule::Uses);
    broken(&damaged(SMALL, |f| f.forget_previous_use(f.places(nth(f, 0))[0])), Rule::Uses);
    let shared = damaged("ssa func f(a: int, b: int) {\nc:\n  %1 = add a, b\n  %2 = sub a, b\n  ret\n}", |f| {
        f.share_args(nth(f, 1), nth(f, 0));
    });
    broken(&shared, Rule::Uses);
    // Instructions that are in no block may use what they like.
    let detached = damaged(SMALL, |f| {
        let a = f.params[0];
        f.create_inst(Op::Add, Imm::None, &[a, a], Pos::NONE);
    });
    assert_eq!(verify_module(&detached), Ok(()));
}

#[test]
fn signature() {
    broken(&damaged("func f() {\na:\n  unreachable\n}", |f| f.results = vec![Type::Int]), Rule::Signature);
    let mut headless = module(SMALL);
    headless.info.signatures.push(crate::module::Signature { name: "g".into(), params: vec![], results: vec![] });
    broken(&headless, Rule::Signature);
    rejects("func f() -> int, int, int {\na:\n  unreachable\n}", Rule::Signature);
}

#[test]
fn names() {
    let twice = damaged(SMALL, |f| {
        let value = f.new_value(Type::Int, ValueName::Temp(1));
        let copy = f.create_inst(Op::Const, Imm::Int(3), &[], Pos::NONE);
        f.set_results(copy, &[value]);
        let entry = f.entry();
        f.prepend_inst(entry, copy);
    });
    broken(&twice, Rule::Names);
    let variables = damaged("func f(a: int, b: int) {\nc:\n  a = copy b\n  ret\n}", |f| {
        let var = f.vars().next().expect("two variables");
        f.set_var_name(var, "b");
    });
    broken(&variables, Rule::Names);
}

#[test]
fn definition() {
    rejects("ssa func f(a: int) {\nb:\n  %1 = const 1\n  %1 = const 2\n  ret\n}", Rule::Definition);
    rejects("func f(a: int) {\nb:\n  %1 = const 1\n  %1 = const 2\n  ret\n}", Rule::Definition);
    accepts("func f(a: int) {\nb:\n  a = const 1\n  a = const 2\n  ret\n}");
    rejects("ssa func f() -> int {\n  var x: int\nb:\n  ret x\n}", Rule::Definition);
    accepts("func f() -> int {\n  var x: int\nb:\n  ret x\n}");
    rejects("ssa func f(a: int) {\nb:\n  a = const 1\n  ret\n}", Rule::Definition);
    rejects("ssa func f(a: int, a: int) {\nb:\n  ret\n}", Rule::Definition);
    rejects("ssa func f(a: int) {\nb:\n  jmp c(a, a)\nc(x: int, x: int):\n  ret\n}", Rule::Definition);
}

#[test]
fn a_value_without_definition_is_not_used() {
    let never = damaged(SMALL, |f| {
        let value = f.new_temp(Type::Int);
        f.set_arg(nth(f, 0), 0, value);
    });
    assert!(broken(&never, Rule::Definition).message.contains("has no definition"));
    let loose = "ssa func f(a: int) -> int {\nb:\n  jmp c(a)\nc(x: int):\n  ret x\nlost:\n  jmp d\nd:\n  ret x\n}";
    let removed = damaged(&loose.replace("ret x\nlost", "ret a\nlost"), |f| {
        let edge = f.successors(f.entry()).next().expect("one edge");
        let target = f.edge_target(edge);
        let param = f.block_params(target)[0];
        f.clear_edge_args(edge);
        f.clear_block_params(target);
        assert_eq!(f.def(param), Def::None);
    });
    // Not even where control can't get.
    assert!(broken(&removed, Rule::Definition).place.contains("block d"));
    let result = damaged(SMALL, |f| {
        let old = f.result(nth(f, 0));
        let new = f.new_temp(Type::Int);
        f.set_result(nth(f, 0), 0, new);
        assert_eq!((f.def(old), f.def(new)), (Def::None, Def::Result(nth(f, 0), 0)));
    });
    broken(&result, Rule::Definition);
    // An instruction in no block defines nothing, wherever the use is.
    let detached = "ssa func f() {\na:\n  ret\nlost:\n  %1 = const 1\n  %2 = copy %1\n  ret\n}";
    broken(&damaged(detached, |f| f.detach_inst(nth(f, 1))), Rule::Definition);
    broken(&damaged(SMALL, |f| f.share_results(nth(f, 2), nth(f, 0))), Rule::Definition);
    broken(&damaged(SMALL, |f| f.set_def(f.params[0], Def::FuncParam(1))), Rule::Definition);
}

#[test]
fn variables() {
    let variable = damaged(SMALL, |f| {
        let variable = f.new_variable("v", Type::Int);
        f.set_arg(nth(f, 0), 0, variable);
    });
    broken(&variable, Rule::Variables);
    // Read back, these would be variables, or none any more.
    let named = damaged("func f() {\nb:\n  %1 = const 1\n  ret\n}", |f| {
        let var = f.new_var("v", Type::Int);
        f.set_value_name(f.result(nth(f, 0)), ValueName::Var(var, 0));
    });
    broken(&named, Rule::Variables);
    let version = damaged("func f(x: int) {\nb:\n  x = copy x\n  ret\n}", |f| {
        let var = f.vars().next().expect("one variable");
        f.set_value_name(f.params[0], ValueName::Var(var, 3));
    });
    broken(&version, Rule::Variables);
    let tac = damaged("func f() {\nb:\n  ret\n}", |f| {
        let value = f.new_temp(Type::Int);
        f.add_func_param(value);
    });
    assert_eq!(verify(&tac.funcs[Id::new(0)], &tac.info).expect_err("a broken rule")[0].rule, Rule::Variables);
}

#[test]
fn dominance() {
    rejects("ssa func f() -> int {\na:\n  %2 = add %1, %1\n  %1 = const 1\n  ret %2\n}", Rule::Dominance);
    let branches = |last: &str| {
        format!(
            "ssa func f(c: bool) -> int {{\na:\n  %1 = const 1\n  br c, b, d\nb:\n  %2 = const 2\n  jmp d\nd:\n  ret {last}\n}}"
        )
    };
    accepts(&branches("%1"));
    let error = rejects(&branches("%2"), Rule::Dominance);
    assert_eq!(error.place, "block d, `ret %2`");
    // Arguments are used at the end of the block that the edge leaves.
    accepts(
        "ssa func f() -> int {\na:\n  %1 = const 1\n  jmp b(%1)\nb(x: int):\n  %2 = add x, x\n  jmp c(%2)\nc(y: int):\n  ret y\n}",
    );
    rejects("ssa func f() -> int {\na:\n  %1 = copy x\n  jmp b(%1)\nb(x: int):\n  ret x\n}", Rule::Dominance);
    // A loop whose body comes first in the layout, and code that can't be reached.
    accepts("ssa func f() -> int {\na:\n  jmp c\nb:\n  ret %1\nc:\n  %1 = const 1\n  jmp b\n}");
    accepts("ssa func f() -> int {\na:\n  %1 = const 1\n  ret %1\nb:\n  %2 = add %3, %1\n  %3 = copy %2\n  ret %1\n}");
}

#[test]
fn dominators_agree_with_removing_blocks() {
    // The definition: a dominates b if b can't be reached without a.
    let mut seed = 3u64;
    let mut below = |n: usize| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((seed >> 33) as usize) % n
    };
    for _ in 0..300 {
        let blocks = 2 + below(9);
        let mut text = String::from("func f(c: bool) {\n");
        for b in 0..blocks {
            text += &format!("b{b}x:\n  br c, b{}x, b{}x\n", below(blocks), below(blocks));
        }
        let module = module(&(text + "}"));
        let func = &module.funcs[Id::new(0)];
        let tree = dominance::Dominance::new(func);
        let reach = |without: Option<Block>| {
            let mut seen = vec![false; func.block_count()];
            let mut work = vec![func.entry()];
            while let Some(block) = work.pop() {
                if Some(block) != without && !std::mem::replace(&mut seen[block.index()], true) {
                    work.extend(func.successors(block).map(|e| func.edge_target(e)));
                }
            }
            seen
        };
        let all = reach(None);
        for a in func.blocks() {
            let without = reach(Some(a));
            for b in func.blocks() {
                let want = all[a.index()] && all[b.index()] && !without[b.index()];
                assert_eq!(tree.dominates(a, b), want, "{a} {b}");
            }
        }
    }
}

#[test]
fn block_parameters() {
    rejects("func f(a: int) {\nb:\n  jmp c(a)\nc(x: int):\n  ret\n}", Rule::BlockParameters);
    rejects("ssa func f(a: int) {\nb:\n  jmp c\nc(x: int):\n  ret\n}", Rule::BlockParameters);
    rejects("ssa func f(a: int) {\nb:\n  jmp c(a, a)\nc(x: int):\n  ret\n}", Rule::BlockParameters);
    rejects("ssa func f(a: int) {\nb:\n  jmp c(a)\nc(x: bool):\n  ret\n}", Rule::BlockParameters);
}

#[test]
fn entry() {
    rejects("ssa func f() {\nb:\n  jmp b\n}", Rule::Entry);
    rejects("ssa func f() {\nb(x: int):\n  ret\n}", Rule::Entry);
    accepts("func f() {\nb:\n  jmp b\n}");
}

#[test]
fn parallel_copies() {
    rejects("ssa func f(a: int) {\nb:\n  %1 = parcopy a\n  ret\n}", Rule::ParallelCopies);
    accepts("cssa func f(a: int) {\nb:\n  %1 = parcopy a\n  ret\n}");
    rejects("func f(a: int) {\nb:\n  a = parcopy a\n  ret\n}", Rule::ParallelCopies);
}

#[test]
fn webs() {
    // The lost copy: x is needed behind the loop although its web has moved on to y.
    let lost = |phase: &str, copies: &str, arg: &str| {
        format!(
            "{phase} func f(c: bool, n: int) -> int {{\na:\n  jmp b(n)\nb(x: int):\n  %1 = const 1\n  y = add x, %1\n{copies}  br c, d, e\nd:\n  jmp b({arg})\ne:\n  ret x\n}}"
        )
    };
    accepts(&lost("ssa", "", "y"));
    let error = rejects(&lost("cssa", "", "y"), Rule::Webs);
    assert!(error.message.contains("live at the same time"), "{error}");
    accepts(
        "cssa func f(c: bool, n: int) -> int {\na:\n  p = parcopy n\n  jmp b(p)\nb(q: int):\n  x = parcopy q\n  %1 = const 1\n  y = add x, %1\n  br c, d, e\nd:\n  r = parcopy y\n  jmp b(r)\ne:\n  ret x\n}",
    );
    // The swap.
    rejects(
        "cssa func f(c: bool, n: int, m: int) -> int {\na:\n  jmp b(n, m)\nb(x: int, y: int):\n  br c, d, e\nd:\n  jmp b(y, x)\ne:\n  ret x\n}",
        Rule::Webs,
    );
    // A definition that nobody uses overwrites a live one all the same.
    rejects(
        "cssa func f(c: bool, n: int) -> int {\na:\n  %1 = const 1\n  br c, b, d\nb:\n  jmp e(n)\nd:\n  jmp e(%1)\ne(x: int):\n  ret x\n}",
        Rule::Webs,
    );
    accepts(
        "cssa func f(c: bool, n: int) -> int {\na:\n  br c, b, d\nb:\n  jmp e(n)\nd:\n  %1 = const 1\n  jmp e(%1)\ne(x: int):\n  ret x\n}",
    );
}

#[test]
fn tables() {
    let module = module(
        "struct S { x: int }\nstruct T { x: int }\nglobal g: int\nglobal h: int\nextern p(int)\nextern q(int)\nfunc f() {\na:\n  ret\n}\nfunc main() {\na:\n  ret\n}\n",
    );
    assert_eq!(verify_module(&module), Ok(()));
    let with = |damage: fn(&mut Module)| {
        let mut module = module.clone();
        damage(&mut module);
        broken(&module, Rule::Tables).message
    };
    let mut functions = module.clone();
    functions.funcs[Id::new(1)].name = "f".into();
    functions.info.signatures[Id::new(1)].name = "f".into();
    assert_eq!(broken(&functions, Rule::Tables).message, "two functions are called `f`");
    assert_eq!(with(|m| m.info.globals[Id::new(1)].name = "g".into()), "two globals are called `g`");
    assert_eq!(with(|m| m.info.externs[Id::new(1)].name = "p".into()), "two C functions are called `p`");
    let twice = with(|m| m.info.layouts[Id::new(1)] = m.info.layouts[Id::new(0)].clone());
    assert_eq!(twice, "two structs are called `S`");
    let array = crate::types::Layout::Array { element: Type::Int, optional: false };
    let mut layouts = module.clone();
    layouts.info.layouts.push(array.clone());
    layouts.info.layouts.push(array);
    assert_eq!(broken(&layouts, Rule::Tables).message, "layout3 is there twice");
    assert!(
        with(|m| m.info.externs[Id::new(0)].results = vec![Type::Ref]).contains("has more than one result, or a ref")
    );
    assert!(with(|m| m.start = Some(Id::new(2))).contains("does not exist"));
}

/// Each rule has a function or module that breaks it and no other: without the rule, nothing is wrong with that. A new rule does not
/// compile here.
#[test]
fn each_rule_is_needed() {
    for (number, &rule) in (1..).zip(Rule::ALL) {
        assert_eq!(rule as u8, number);
        let head = include_str!("../verify.rs");
        assert!(head.contains(&format!("\n//! {number:>2}. *")), "rule {number} is not at the head of the file");
        broken(&breaking(rule), rule);
    }
    let after = format!("\n//! {:>2}. *", Rule::ALL.len() + 1);
    assert!(!include_str!("../verify.rs").contains(&after), "a rule is missing from the list");
}

fn breaking(rule: Rule) -> Module {
    match rule {
        Rule::Blocks => damaged(SMALL, |f| f.set_layout([f.layout(), f.layout()].concat())),
        Rule::Terminator => module("func f() {\na:\n}"),
        Rule::Links => damaged(SMALL, |f| f.forget_block(nth(f, 0))),
        Rule::Edges => module("func f(i: int) {\na:\n  switch i, 1: a, 1: a, else a\n}"),
        Rule::Immediate => damaged(SMALL, |f| f.set_op(nth(f, 0), Op::Add, Imm::Int(1))),
        Rule::Operands => module("func f(i: int, c: bool) {\na:\n  i = add i, c\n  ret\n}"),
        Rule::Results => module("func f(i: int, c: bool) {\na:\n  c = add i, i\n  ret\n}"),
        Rule::Uses => damaged(SMALL, |f| f.forget_uses(f.params[0])),
        Rule::Signature => damaged("func f() {\na:\n  unreachable\n}", |f| f.results = vec![Type::Int]),
        Rule::Names => damaged("ssa func f(x: int, y: int) {\na:\n  ret\n}", |f| {
            f.set_value_name(f.params[0], f.value_name(f.params[1]));
        }),
        Rule::Definition => module("ssa func f() {\nb:\n  %1 = const 1\n  %1 = const 2\n  ret\n}"),
        Rule::Variables => damaged(SMALL, |f| {
            let variable = f.new_variable("v", Type::Int);
            f.set_arg(nth(f, 0), 0, variable);
        }),
        Rule::Dominance => module("ssa func f() {\na:\n  %2 = neg %1\n  %1 = const 1\n  ret\n}"),
        Rule::BlockParameters => module("ssa func f() {\nb:\n  jmp c\nc(x: int):\n  ret\n}"),
        Rule::Entry => module("ssa func f() {\nb:\n  jmp b\n}"),
        Rule::ParallelCopies => module("ssa func f(a: int) {\nb:\n  %1 = parcopy a\n  ret\n}"),
        Rule::Webs => module("cssa func f(n: int) -> int {\na:\n  jmp b(n)\nb(x: int):\n  %1 = add n, x\n  ret %1\n}"),
        Rule::Tables => {
            let mut module = module("global g: int\nglobal h: int\n");
            module.info.globals[Id::new(1)].name = "g".into();
            module
        }
        Rule::Slots => module("ssa func f() {\na:\n  jmp b\nb:\n  %1 = slot int\n  ret\n}"),
        Rule::Addresses => module("func f() -> addr {\na:\n  unreachable\n}"),
    }
}

#[test]
fn slots() {
    let once = |second: &str, slot: &str| {
        format!("func f(c: bool) {{\na1:\n  p = slot int\n  jmp b2\nb2:\n{slot}  br c, {second}, d3\nd3:\n  ret\n}}")
    };
    accepts(&once("b2", ""));
    rejects(&once("b2", "  q = slot ref\n"), Rule::Slots);
    // In a loop, one slot would be several.
    rejects(&once("a1", ""), Rule::Slots);
    for phase in ["ssa", "cssa"] {
        accepts(&format!("{phase} func f() {{\na1:\n  p.1 = slot int\n  p.2 = slot addr\n  store p.2, p.1\n  ret\n}}"));
        rejects(&format!("{phase} func f() {{\na1:\n  jmp b2\nb2:\n  p.1 = slot int\n  ret\n}}"), Rule::Slots);
    }
}

#[test]
fn addresses() {
    accepts("func f(p: addr, c: bool) {\na1:\n  q = slot float\n  r = select c, p, q\n  call f(r, c)\n  ret\n}");
    rejects("func f(p: addr) -> addr {\na1:\n  ret p\n}", Rule::Addresses);
    rejects("func f(r: ref, p: addr) {\na1:\n  q = call_ref r(p) -> addr\n  ret\n}", Rule::Addresses);
    accepts("func f(r: ref, p: addr) {\na1:\n  call_ref r(p)\n  ret\n}");
    for table in ["struct S { x: int, p: addr }", "global g: addr", "extern c(int, addr)", "extern c() -> addr"] {
        let error = rejects(&format!("{table}\nfunc f() {{\na1:\n  ret\n}}"), Rule::Addresses);
        assert_eq!(&*error.func, "the module");
    }
    rejects("func f(i: int) {\na1:\n  %1 = new_array [addr], i\n  ret\n}", Rule::Addresses);
}

#[test]
fn a_long_ladder_takes_no_time() {
    let mut text = String::from("ssa func f(c: bool, p: int) -> int {\nentry1:\n  jmp b0x\n");
    let blocks = 60_000;
    for n in 0..blocks {
        // A ladder whose every rung also leads to the exit.
        text += &format!("b{n}x:\n  %{n} = add p, p\n  br c, b{}x, exit\n", n + 1);
    }
    text += &format!("b{blocks}x:\n  jmp exit\nexit:\n  ret p\n}}\n");
    let module = module(&text);
    let before = std::time::Instant::now();
    assert_eq!(verify_module(&module), Ok(()));
    assert!(before.elapsed().as_secs() < 10, "{:?}", before.elapsed());
}

#[test]
fn errors_stop_at_the_limit() {
    let lines = "  %1 = const 1\n".repeat(100);
    let errors = verify_module(&module(&format!("ssa func f() {{\nb:\n{lines}  ret\n}}"))).expect_err("many");
    assert_eq!(errors.len(), MAX_ERRORS);
}

mod webs; // rule 17 against its definition
