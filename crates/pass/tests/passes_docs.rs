//! docs/passes.md has what the table of passes and the head comments of their files say.
//! `BLESS=1 cargo test -p mini-pass --test passes_docs` writes it anew.

use mini_ir::func::Phase;
use mini_ir::testing::fenced;
use mini_pass::info::PassInfo;
use mini_pass::registry::{PASSES, phase_name};
use std::fmt::Write;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn names(phases: &[Phase]) -> String {
    phases.iter().map(|&phase| phase_name(phase)).collect::<Vec<_>>().join(", ")
}

fn table() -> String {
    let mut out = String::from("| pass | for | in → out | what it does |\n|---|---|---|---|\n");
    for pass in PASSES {
        let output = pass.output.map_or("the same", phase_name);
        let (role, input) = (pass.role.name(), names(pass.input));
        writeln!(out, "| [`{0}`](#{0}) | {role} | {input} → {output} | {1} |", pass.name, pass.summary)
            .expect("a string takes all text");
    }
    out
}

fn section(pass: &PassInfo) -> String {
    let text = std::fs::read_to_string(root().join(pass.file)).expect("a pass names its file");
    let mut out = format!("\n## {}\n\n", pass.name);
    let first = pass.summary.chars().next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
    let summary: String = first + pass.summary.get(1..).unwrap_or_default();
    let output = pass.output.map_or("the same", phase_name);
    writeln!(out, "{summary}. *In:* {}. *Out:* {output}. *Keeps:* {}.", names(pass.input), pass.keeps)
        .expect("a string takes all text");
    writeln!(out, "*Source:* {}. *File:* [{1}](../{1})", pass.source, pass.file).expect("a string takes all text");
    let examples = fenced(&text);
    let pairs = examples.len() / 2;
    assert!(pairs > 0 && examples.len() == 2 * pairs, "{} shows functions before and after", pass.file);
    for (title, example) in ["Before", "After"].iter().cycle().zip(examples) {
        writeln!(out, "\n{title}:\n\n```\n{example}```").expect("a string takes all text");
    }
    out
}

#[test]
fn the_document_is_current() {
    let path = root().join("docs/passes.md");
    let text = std::fs::read_to_string(&path).expect("docs/passes.md is there");
    let (start, end) = ("<!-- passes -->\n", "<!-- end -->");
    let from = text.find(start).expect("docs/passes.md has a place for the passes") + start.len();
    let to = from + text[from..].find(end).expect("the place has an end");
    let mut want = text.clone();
    let sections: String = PASSES.iter().map(section).collect();
    want.replace_range(from..to, &format!("{}{sections}\n", table()));
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &want).expect("docs/passes.md can be written");
    } else {
        assert!(text == want, "docs/passes.md is not current; run this test with BLESS=1");
    }
}
