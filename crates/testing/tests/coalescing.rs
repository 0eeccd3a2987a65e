//! No more copies remain of all programs in tests/ and examples/ than a published aggressive coalescer leaves.

use mini_driver::options::Options;
use mini_driver::pipeline::{self, Extent, Form};
use mini_driver::session::Session;
use mini_ir::func::Func;
use mini_ir::op::Op;
use mini_ssa::{chaitin, coalesce, cssa_copies};
use std::path::{Path, PathBuf};

fn programs(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("the folder is there") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "mini") {
                found.push(path);
            }
        }
    }
}

fn copies(func: &Func) -> usize {
    let insts = func.blocks().flat_map(|b| func.insts(b));
    insts.filter(|&i| matches!(func.op(i), Op::Copy | Op::ParallelCopy)).map(|i| func.results(i).len()).sum()
}

#[derive(Clone, Copy, Default, Debug)]
struct Counts {
    functions: usize,
    placed: usize,
    left: usize,
    chaitins: usize,
    worse: usize,
}

fn count(form: Form, paths: &[PathBuf]) -> Counts {
    let mut counts = Counts::default();
    for path in paths {
        let mut session = Session::new(Options::default());
        // Those that are there to be refused are left out.
        let Ok(module) = pipeline::module_in(&mut session, path, form, Extent::All) else { continue };
        for func in module.funcs.iter() {
            let mut cssa = func.clone();
            cssa_copies::run(&mut cssa);
            let mut coalesced = cssa.clone();
            coalesce::run(&mut coalesced);
            let (left, theirs) = (copies(&coalesced), chaitin::remaining_copies(&cssa));
            counts.functions += 1;
            counts.placed += copies(&cssa);
            counts.left += left;
            counts.chaitins += theirs;
            counts.worse += usize::from(left > theirs);
        }
    }
    counts
}

#[test]
fn no_more_copies_remain_than_a_published_coalescer_leaves() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut paths = Vec::new();
    programs(&root.join("examples"), &mut paths);
    programs(&root.join("tests"), &mut paths);
    paths.sort();
    for (name, form) in [("SSA", Form::Ssa), ("optimised SSA", Form::Optimised)] {
        let counts = count(form, &paths);
        println!("{name}: {counts:?}");
        assert!(counts.functions > 1000 && counts.left > 100, "{counts:?}");
        assert!(counts.left <= counts.chaitins, "{name}: {counts:?}");
    }
}
