//! Compiles IR text to machine code, assembles its assembly text beside a small stand-in for the run-time library, and runs it.

#![allow(dead_code)] // each test file uses some of it

use mini_ir::module::Module;
use mini_regalloc::allocate::{Allocator, Options, allocate};
use mini_regalloc::registers::Supply;
use mini_x64::asm_text::print_program;
use mini_x64::code::Program;
use mini_x64::data::{StaticData, code_id};
use mini_x64::encode::encode;
use mini_x64::select::select;
use std::path::Path;
use std::process::{Command, Stdio};

/// The ways to allocate registers that tests go through.
pub fn allocators() -> [Options; 3] {
    let options = Options::default();
    [
        options,
        Options { supply: Supply::Few, ..options },
        Options { allocator: Allocator::SpillEverything, ..options },
    ]
}

/// Reads a module in conventional SSA.
pub fn parse(text: &str) -> Module {
    let module = mini_ir::text::parse_module(text).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
    if let Err(errors) = mini_ir::verify::verify_module(&module) {
        panic!("{:?}\n{text}", &errors[..errors.len().min(3)]);
    }
    module
}

/// Compiles a module.
pub fn compile(module: &Module, options: Options) -> Program {
    let data = StaticData::build(module);
    let functions = module.funcs.iter().map(|func| {
        let mut mir = select(func, &module.info, &data);
        allocate(&mut mir, options);
        encode(&mir)
    });
    Program { functions: functions.collect(), data: data.pieces.clone(), start: module.start.map(code_id) }
}

/// The assembly text of a program.
pub fn text(program: &Program) -> String {
    print_program(program, &|_| None)
}

/// Runs a command that must succeed.
pub fn must_run(command: &mut Command) {
    let output = command.output().unwrap_or_else(|e| panic!("{command:?}: {e} (binutils must be installed)"));
    assert!(output.status.success(), "{command:?}:\n{}", String::from_utf8_lossy(&output.stderr));
}

/// Assembles text to an object file.
pub fn assemble(folder: &Path, name: &str, text: &str) -> std::path::PathBuf {
    let (source, object) = (folder.join(format!("{name}.s")), folder.join(format!("{name}.o")));
    std::fs::write(&source, text).expect("the temporary folder takes files");
    must_run(Command::new("as").arg("-o").arg(&object).arg(&source));
    object
}

/// Runs a program; the exit status, or `None` if a signal ended it.
pub fn run(program: &Program) -> Option<i32> {
    let folder = tempfile::tempdir().expect("there is room for temporary files");
    let objects = [
        assemble(folder.path(), "program", &text(program)),
        assemble(folder.path(), "runtime", include_str!("runtime.s")),
    ];
    let executable = folder.path().join("program");
    must_run(Command::new("ld").arg("-o").arg(&executable).args(&objects));
    let status = Command::new("timeout").arg("10").arg(&executable).stdin(Stdio::null()).status();
    status.expect("the program starts").code()
}

/// What `main` of a module returns with each allocator, which must agree.
pub fn result(module_text: &str) -> i32 {
    let module = parse(module_text);
    let [first, rest @ ..] = allocators().map(|options| run(&compile(&module, options)));
    for other in rest {
        assert_eq!(first, other, "allocators disagree\n{module_text}");
    }
    first.unwrap_or_else(|| panic!("ended by a signal\n{module_text}"))
}
