//! Compiles IR text to machine code, assembles its assembly text beside a small stand-in for the run-time library, and runs it.

#![allow(dead_code)] // each test file uses some of it

use mini_ir::module::Module;
use mini_regalloc::allocate::{Allocator, Options, allocate};
use mini_regalloc::registers::Supply;
use mini_x64::asm_text::{mangle, print_program};
use mini_x64::code::{Program, Relocation, RelocationKind, Section, Target};
use mini_x64::data::{StaticData, code_id};
use mini_x64::encode::encode;
use mini_x64::mir::Mir;
use mini_x64::mir_text::{parse_mir, print_mir};
use mini_x64::mir_verify::{Stage, verify};
use mini_x64::select::select;
use object::read::elf::ElfFile64;
use object::{Endianness, Object, ObjectSection, ObjectSymbol, RelocationTarget};
use std::path::Path;
use std::process::{Command, Stdio};

/// The ways to allocate registers that tests go through.
pub fn allocators() -> [Options; 3] {
    let options = Options::default();
    [options, Options { supply: Supply::Few, ..options }, Options { allocator: Allocator::SpillEverything, ..options }]
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
        check(&mir, Stage::Virtual);
        allocate(&mut mir, options);
        check(&mir, Stage::Allocated);
        encode(&mir)
    });
    Program {
        functions: functions.collect(),
        data: data.pieces.clone(),
        start: module.start.map(code_id),
        ..Program::default()
    }
}

/// The verifier has nothing to say, and the text is read back.
fn check(mir: &Mir, stage: Stage) {
    let text = print_mir(mir);
    if let Err(errors) = verify(mir, stage) {
        panic!("{}\n{text}", errors[0]);
    }
    let again = parse_mir(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    assert_eq!(print_mir(&again), text);
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

/// Runs a program; the exit status, or `None` if a signal ended it. What the assembler makes of its text must be what we encoded.
pub fn run(program: &Program) -> Option<i32> {
    let folder = tempfile::tempdir().expect("there is room for temporary files");
    let objects = [
        assemble(folder.path(), "program", &text(program)),
        assemble(folder.path(), "runtime", include_str!("runtime.s")),
    ];
    let different = differences(&objects[0], program);
    assert!(different.is_empty(), "{:#?}", &different[..different.len().min(20)]);
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

/// Compares an object file that the assembler made from a program's text with the program: bytes and relocations of every
/// function, data and their relocations.
pub fn differences(object: &Path, program: &Program) -> Vec<String> {
    let bytes = std::fs::read(object).expect("the assembler wrote it");
    let file = ElfFile64::<Endianness>::parse(&*bytes).expect("the assembler writes ELF");
    let mut out = Vec::new();
    for code in &program.functions {
        let name = mangle("mini.", &code.name);
        let piece = piece(&file, &name, code.bytes.len());
        if piece.bytes != code.bytes {
            let at = piece.bytes.iter().zip(&code.bytes).position(|(a, b)| a != b).unwrap_or(0);
            let near = |b: &[u8]| format!("{:02x?}", &b[at.saturating_sub(8)..(at + 8).min(b.len())]);
            out.push(format!("{name}+{at:#x}: as {} ours {}", near(&piece.bytes), near(&code.bytes)));
        }
        if piece.relocations != relocations(program, &code.relocations) {
            out.push(format!("{name}: relocations {:?}", piece.relocations));
        }
    }
    for data in &program.data {
        let name = mangle("minidata.", &data.name);
        let piece = piece(&file, &name, data.size as usize);
        let same = data.section == Section::Zeroed || piece.bytes == data.bytes;
        if !same || piece.relocations != relocations(program, &data.relocations) {
            out.push(name);
        }
    }
    out
}

/// Offset, size in bits, symbol, addend.
type Relocated = (u64, u8, String, i64);

struct Piece {
    bytes: Vec<u8>,
    relocations: Vec<Relocated>,
}

/// What lies at a symbol.
fn piece(file: &ElfFile64<'_, Endianness>, name: &str, size: usize) -> Piece {
    let symbol = file.symbols().find(|s| s.name() == Ok(name)).unwrap_or_else(|| panic!("no symbol {name}"));
    let section = symbol.section_index().and_then(|i| file.section_by_index(i).ok()).expect("defined in a section");
    let range = symbol.address()..symbol.address() + size as u64;
    let data = section.data().expect("readable");
    let bytes = data.get(range.start as usize..range.end as usize).unwrap_or_default().to_vec();
    let mut relocations = Vec::new();
    for (offset, relocation) in section.relocations().filter(|(offset, _)| range.contains(offset)) {
        let RelocationTarget::Symbol(target) = relocation.target() else { panic!("a relocation without a symbol") };
        let target = file.symbol_by_index(target).and_then(|s| s.name()).expect("a named symbol").to_string();
        relocations.push((offset - range.start, relocation.size(), target, relocation.addend()));
    }
    Piece { bytes, relocations }
}

fn relocations(program: &Program, ours: &[Relocation]) -> Vec<Relocated> {
    ours.iter()
        .map(|r| {
            let name = match r.target {
                Target::Function(id) => mangle("mini.", &program.functions[id].name),
                Target::Data(id) => mangle("minidata.", &program.data[id].name),
                Target::Runtime(name) => name.to_string(),
                Target::Symbol(id) => program.symbols[id].clone(),
            };
            let bits = match r.kind {
                RelocationKind::Pc32 => 32,
                RelocationKind::Abs64 => 64,
            };
            (u64::from(r.offset), bits, name, i64::from(r.addend))
        })
        .collect()
}
