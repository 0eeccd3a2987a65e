//! An ELF object file of a program, to be linked with the run-time library by a system linker.
//!
//! Functions keep their order and are local symbols `mini.NAME`; the start is global, as `mini_program_start`. Symbols of the run-time
//! library stay undefined.
//! Leaves: the tables of positions and call stacks, and symbols for a program's `pub` functions.

use mini_base::ids::IdVec;
use mini_base::source::SourceMap;
use mini_x64::code::{DataId, Program, Relocation, RelocationKind, Section, Target};
use object::write::{Object, SectionId, StandardSection, Symbol, SymbolId, SymbolSection};
use object::{Architecture, BinaryFormat, Endianness, RelocationFlags, SymbolFlags, SymbolKind, SymbolScope, elf};
use std::collections::BTreeMap;

/// The object file of a program: the bytes of the file.
pub fn object(program: &Program, _sources: &SourceMap) -> Vec<u8> {
    let mut file = Object::new(BinaryFormat::Elf, Architecture::X86_64, Endianness::Little);
    let text = file.section_id(StandardSection::Text);
    let constants = file.section_id(StandardSection::ReadOnlyData);
    let zeroed = file.section_id(StandardSection::UninitializedData);
    let functions = program.functions.iter_enumerated().map(|(id, function)| {
        let name = mini_x64::asm_text::mangle("mini.", &function.name);
        let (name, scope) = if program.start == Some(id) {
            ("mini_program_start".to_owned(), SymbolScope::Linkage)
        } else {
            (name, SymbolScope::Compilation)
        };
        let symbol = file.add_symbol(symbol(name, SymbolKind::Text, scope));
        let at = file.add_symbol_data(symbol, text, &function.bytes, 16);
        (symbol, at)
    });
    let functions: IdVec<_, _> = functions.collect();
    let data: IdVec<DataId, (SymbolId, SectionId, u64)> = program
        .data
        .iter()
        .map(|data| {
            let symbol = file.add_symbol(symbol(data.name.clone(), SymbolKind::Data, SymbolScope::Compilation));
            let align = u64::from(data.align.max(1));
            let (section, at) = match data.section {
                Section::ReadOnly => (constants, file.add_symbol_data(symbol, constants, &data.bytes, align)),
                Section::Zeroed => (zeroed, file.add_symbol_bss(symbol, zeroed, data.size, align)),
            };
            (symbol, section, at)
        })
        .collect();
    let mut undefined = BTreeMap::new();
    let mut relocate = |file: &mut Object<'_>, section: SectionId, base: u64, relocation: &Relocation| {
        let symbol = match relocation.target {
            Target::Function(id) => functions[id].0,
            Target::Data(id) => data[id].0,
            Target::Runtime(name) => *undefined
                .entry(name)
                .or_insert_with(|| file.add_symbol(symbol(name.to_owned(), SymbolKind::Unknown, SymbolScope::Unknown))),
        };
        let r_type = match relocation.kind {
            RelocationKind::Pc32 => elf::R_X86_64_PC32,
            RelocationKind::Abs64 => elf::R_X86_64_64,
        };
        let relocation = object::write::Relocation {
            offset: base + u64::from(relocation.offset),
            symbol,
            addend: relocation.addend.into(),
            flags: RelocationFlags::Elf { r_type },
        };
        file.add_relocation(section, relocation).expect("ELF has these relocations");
    };
    for (id, function) in program.functions.iter_enumerated() {
        function.relocations.iter().for_each(|r| relocate(&mut file, text, functions[id].1, r));
    }
    for (id, item) in program.data.iter_enumerated() {
        let (_, section, at) = data[id];
        item.relocations.iter().for_each(|r| relocate(&mut file, section, at, r));
    }
    // An empty section of this name says that the stack need not be executable.
    file.add_section(Vec::new(), b".note.GNU-stack".to_vec(), object::SectionKind::Other);
    file.write().expect("ELF has all that was added")
}

/// A symbol that is not placed yet.
fn symbol(name: String, kind: SymbolKind, scope: SymbolScope) -> Symbol {
    let section = SymbolSection::Undefined;
    Symbol { name: name.into_bytes(), value: 0, size: 0, kind, scope, weak: false, section, flags: SymbolFlags::None }
}
