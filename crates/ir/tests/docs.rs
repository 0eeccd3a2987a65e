//! The tables of docs/ir.md are those of the code. `BLESS=1 cargo test -p mini-ir --test docs` writes them anew.

use mini_ir::builtin::{Builtin, Effect};
use mini_ir::class::Class;
use mini_ir::op::{Effects, Op, OpInfo, Signature};
use mini_ir::types::Type;
use std::fmt::Write;

fn types(types: &[Type]) -> String {
    match types {
        [] => "—".into(),
        _ => types.iter().map(|ty| ty.name()).collect::<Vec<_>>().join(", "),
    }
}

fn signature(row: &OpInfo) -> String {
    match row.signature {
        Signature::Fixed(params, results) => format!("{} → {}", types(params), types(results)),
        Signature::IntOrBool2 => "T, T → T; T is int, bool".into(),
        Signature::Comparable => "T, T → bool; T is int, byte, bool, ref".into(),
        Signature::Ordered => "T, T → bool; T is int, byte, bool".into(),
        Signature::Same1 => "T → T".into(),
        Signature::Select => "bool, T, T → T".into(),
        Signature::Source => "— → T".into(),
        Signature::Immediate => "as written".into(),
        Signature::BoolOrRef => "T → —; T is bool, ref".into(),
    }
}

fn effects(effects: Effects) -> &'static str {
    match effects {
        Effects::Pure => "pure",
        Effects::Trap => "may trap",
        Effects::Load => "reads",
        Effects::Store => "writes",
        Effects::Alloc => "makes an object or slot",
        Effects::Call => "anything",
        Effects::Control => "ends the block",
    }
}

fn effect(effect: Effect) -> &'static str {
    match effect {
        Effect::Pure => "pure",
        Effect::Allocates => "makes an object",
        Effect::External => "external",
        Effect::Diverges => "does not return",
    }
}

fn operations() -> String {
    let mut out = String::from("| operation | types | effect | class | meaning |\n|---|---|---|---|---|\n");
    for row in Op::all() {
        let (class, text) = (row.op.class().name(), row.text.trim().replace('|', "\\|"));
        writeln!(out, "| `{}` | {} | {} | {class} | {text} |", row.name, signature(row), effects(row.effects))
            .expect("a string takes all text");
    }
    out
}

fn builtins() -> String {
    let mut out = String::from("| function | types | effect | meaning |\n|---|---|---|---|\n");
    for row in Builtin::all() {
        let (params, results) = (types(row.params), types(row.results));
        writeln!(out, "| `{}` | {params} → {results} | {} | {} |", row.name, effect(row.effect), row.text)
            .expect("a string takes all text");
    }
    out
}

fn classes() -> String {
    let mut out = String::from("| class | operations |\n|---|---|\n");
    for class in Class::ALL {
        let ops: Vec<String> = Op::all().filter(|r| r.op.class() == class).map(|r| format!("`{}`", r.name)).collect();
        let ops = match class {
            Class::EdgeMove => "each argument that a taken edge gives to a block parameter (each phi)".to_string(),
            Class::Spill => "loads and stores of spill slots; machine code only".to_string(),
            Class::Copy => format!("{}; a `parcopy` counts once a pair", ops.join(" ")),
            Class::Arithmetic | Class::Memory | Class::Call | Class::Branch | Class::Constant => ops.join(" "),
        };
        writeln!(out, "| {} | {ops} |", class.name()).expect("a string takes all text");
    }
    out
}

#[test]
fn the_tables_are_current() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/ir.md");
    let text = std::fs::read_to_string(path).expect("docs/ir.md is there");
    let mut want = text.clone();
    for (name, table) in [("operations", operations()), ("run-time functions", builtins()), ("classes", classes())] {
        let (start, end) = (format!("<!-- table: {name} -->\n"), "<!-- end -->");
        let from = want.find(&start).expect("the table's place is marked") + start.len();
        let to = from + want[from..].find(end).expect("the table's end is marked");
        want.replace_range(from..to, &table);
    }
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(path, &want).expect("docs/ir.md can be written");
    } else {
        assert!(text == want, "docs/ir.md is not current; run this test with BLESS=1");
    }
}

#[test]
fn the_examples_are_ir() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/ir.md");
    let text = std::fs::read_to_string(path).expect("docs/ir.md is there");
    let mut examples = 0;
    for part in text.split("```ir\n").skip(1) {
        let example = part.split("```").next().expect("split gives a part");
        let module = mini_ir::text::parse_module(example).unwrap_or_else(|e| panic!("{e}\n{example}"));
        mini_ir::verify::verify_module(&module).unwrap_or_else(|e| panic!("{}\n{example}", e[0]));
        examples += 1;
    }
    assert!(examples >= 3, "the document has examples");
}
