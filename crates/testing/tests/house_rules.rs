//! The habits of CONTRIBUTING.md that a program can check.

use mini_testing::case::{files, root};
use std::fs;
use std::path::{Path, PathBuf};

/// A crate uses only crates that stand before it.
const LAYERS: &[&str] = &[
    "prim", "base", "diag", "syntax", "sema", "ir", "analysis", "interp", "lower", "ssa", "opt", "pass", "x64",
    "regalloc", "link", "driver", "minic", "testing",
];

fn sources() -> Vec<PathBuf> {
    let mut found = files(&root().join("crates"), "rs");
    found.extend(files(&root().join("runtime"), "rs"));
    assert!(found.len() > 100, "the sources are where they were");
    found
}

fn shown(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}

#[test]
fn every_file_has_a_head_and_is_one_sitting_long() {
    let mut faults = Vec::new();
    for path in sources() {
        let text = fs::read_to_string(&path).expect("a source file is UTF-8");
        if !text.starts_with("//!") {
            faults.push(format!("{} has no head comment", shown(&path)));
        }
        let lines = text.lines().count();
        if lines > 800 {
            faults.push(format!("{} has {lines} lines", shown(&path)));
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn a_table_of_contents_has_no_code() {
    for path in sources().iter().filter(|p| p.ends_with("src/lib.rs") && !p.starts_with(root().join("runtime"))) {
        let text = fs::read_to_string(path).expect("a source file is UTF-8");
        for line in text.lines() {
            let allowed = ["//", "mod ", "pub mod ", "pub(crate) mod ", "pub use ", "#", "extern crate "];
            assert!(line.is_empty() || allowed.iter().any(|start| line.starts_with(start)), "{}: {line}", shown(path));
        }
    }
}

#[test]
fn crates_use_only_crates_below_them() {
    for (rank, name) in LAYERS.iter().enumerate() {
        let manifest = root().join("crates").join(name).join("Cargo.toml");
        let text = fs::read_to_string(&manifest).expect("every layer is a crate");
        let used = text.split("[dev-dependencies]").next().unwrap_or_default();
        for line in used.lines().filter_map(|line| line.strip_prefix("mini-")) {
            let other = line.split(['.', ' ', '=']).next().unwrap_or_default();
            let below = LAYERS[..rank].contains(&other);
            assert!(below, "{name} uses {other}");
        }
    }
    let crates =
        fs::read_dir(root().join("crates")).expect("there").flatten().filter(|e| e.path().join("Cargo.toml").exists());
    assert_eq!(crates.count(), LAYERS.len(), "every crate has its layer");
}

#[test]
fn documents_name_files_that_exist() {
    let mut checked = 0;
    let mut documents: Vec<PathBuf> =
        ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"].map(|n| root().join(n)).into();
    documents.extend(files(&root().join("docs"), "md"));
    for document in documents {
        let text = fs::read_to_string(&document).expect("there");
        // What a document says is planned is not there yet.
        let text = text.split("## 7. For courses").next().expect("a first part");
        for quoted in text.split('`').skip(1).step_by(2) {
            let path = quoted.trim_end_matches('/');
            let is_path = path.contains('/') && path.chars().all(|c| c.is_ascii_alphanumeric() || "/_-.".contains(c));
            let of_the_project =
                ["crates/", "tests/", "docs/", "examples/", "runtime/"].iter().any(|f| path.starts_with(f));
            let in_a_crate = path.contains("/src/");
            if is_path && (of_the_project || in_a_crate) {
                let places = [root().join(path), root().join("crates").join(path)];
                assert!(
                    places.iter().any(|place| place.exists()),
                    "{} names {path}, which is not there",
                    shown(&document)
                );
                checked += 1;
            }
        }
    }
    assert!(checked > 20, "paths are recognised");
}
