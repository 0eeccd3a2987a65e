//! An ELF object file of a program, to be linked with the run-time library (`archive.rs`) by the system's C compiler.
//!
//! | section | what |
//! |---|---|
//! | `.text` | the functions as in an executable, local symbols `mini.NAME`; `main`, if the program has one, as a weak symbol |
//! | `.rodata` | constants, and the tables of positions and call stacks |
//! | `.data.rel.ro` | constants that hold addresses, and `mini_program`, which the run-time library reads |
//! | `.bss` | the globals |
//!
//! Functions that C may call have their plain names. Everything is position independent, so that it fits into any executable or
//! shared library; what C need not see is hidden.

use crate::addresses::Addresses;
use crate::tables::Tables;
use mini_base::ids::IdVec;
use mini_base::source::SourceMap;
use mini_prim::tables::ProgramInfo;
use mini_x64::code::{CodeId, DataId, Program, Relocation, RelocationKind, Section, SymbolId, Target};
use object::write::{Object, SectionId, StandardSection, Symbol, SymbolId as Elf, SymbolSection};
use object::{Architecture, BinaryFormat, Endianness, RelocationFlags, SymbolFlags, SymbolKind, SymbolScope, elf};
use std::collections::BTreeMap;

/// Behind the last function, so that a decoder may look a few bytes ahead.
const TAIL: [u8; 16] = [0xcc; 16];

/// Who sees the functions for C.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exports {
    /// Everybody, when they are in a shared library.
    Everybody,
    /// The executable that the file is linked into. Libraries that it uses may have functions of the same names, such as `free`, and go
    /// on using their own.
    Executable,
}

/// The object file of a program: the bytes of the file.
pub fn object(program: &Program, sources: &SourceMap) -> Vec<u8> {
    object_with(program, sources, Exports::Everybody)
}

/// The same, with a choice.
pub(crate) fn object_with(program: &Program, sources: &SourceMap, exports: Exports) -> Vec<u8> {
    let mut file = Object::new(BinaryFormat::Elf, Architecture::X86_64, Endianness::Little);
    let addresses = Addresses::new(program);
    let mut writer = Writer {
        text: file.section_id(StandardSection::Text),
        constants: file.section_id(StandardSection::ReadOnlyData),
        relocated: file.section_id(StandardSection::ReadOnlyDataWithRel),
        zeroed: file.section_id(StandardSection::UninitializedData),
        file: &mut file,
        program,
        functions: IdVec::new(),
        data: IdVec::new(),
        runtime: BTreeMap::new(),
        symbols: IdVec::new(),
    };
    writer.place(&addresses);
    writer.relocate_all();
    writer.exports(&addresses, exports);
    writer.info(&Tables::new(program, &addresses, sources), &addresses);
    // An empty section of this name says that the stack need not be executable.
    file.add_section(Vec::new(), b".note.GNU-stack".to_vec(), object::SectionKind::Other);
    file.write().expect("ELF has all that was added")
}

/// Where something was placed.
#[derive(Clone, Copy)]
struct Placed {
    symbol: Elf,
    section: SectionId,
    offset: u64,
}

struct Writer<'o, 'p> {
    file: &'o mut Object<'static>,
    program: &'p Program,
    text: SectionId,
    constants: SectionId,
    relocated: SectionId,
    zeroed: SectionId,
    functions: IdVec<CodeId, Placed>,
    data: IdVec<DataId, Placed>,
    /// The symbols of the run-time library that occur.
    runtime: BTreeMap<&'static str, Elf>,
    symbols: IdVec<SymbolId, Elf>,
}

impl Writer<'_, '_> {
    fn place(&mut self, addresses: &Addresses) {
        for (id, function) in self.program.functions.iter_enumerated() {
            let name = mini_x64::asm_text::mangle("mini.", &function.name);
            let symbol = self.file.add_symbol(local(name, SymbolKind::Text));
            let offset = self.file.add_symbol_data(symbol, self.text, &function.bytes, 16);
            assert_eq!(offset, addresses.functions[id], "the tables count on it");
            self.functions.push(Placed { symbol, section: self.text, offset });
        }
        self.file.append_section_data(self.text, &TAIL, 1);
        for data in &self.program.data {
            let symbol = self.file.add_symbol(local(data.name.clone(), SymbolKind::Data));
            let align = u64::from(data.align.max(1));
            let section = match data.section {
                Section::ReadOnly if data.relocations.is_empty() => self.constants,
                Section::ReadOnly => self.relocated,
                Section::Zeroed => self.zeroed,
            };
            let offset = match data.section {
                Section::ReadOnly => self.file.add_symbol_data(symbol, section, &data.bytes, align),
                Section::Zeroed => self.file.add_symbol_bss(symbol, section, data.size, align),
            };
            self.data.push(Placed { symbol, section, offset });
        }
        // Modules may declare the same function, each as it needs it.
        let mut known: BTreeMap<&str, Elf> = BTreeMap::new();
        for name in &self.program.symbols {
            let file = &mut *self.file;
            let symbol = *known.entry(name).or_insert_with(|| file.add_symbol(undefined(name, Visibility::Default)));
            self.symbols.push(symbol);
        }
    }

    fn relocate_all(&mut self) {
        let program = self.program;
        for (id, function) in program.functions.iter_enumerated() {
            function.relocations.iter().for_each(|r| self.relocate(self.functions[id], r));
        }
        for (id, item) in program.data.iter_enumerated() {
            item.relocations.iter().for_each(|r| self.relocate(self.data[id], r));
        }
    }

    fn relocate(&mut self, place: Placed, relocation: &Relocation) {
        let symbol = match relocation.target {
            Target::Function(id) => self.functions[id].symbol,
            Target::Data(id) => self.data[id].symbol,
            Target::Runtime(name) => self.runtime_symbol(name),
            Target::Symbol(id) => self.symbols[id],
        };
        let r_type = match (relocation.kind, relocation.target) {
            // By way of a table if the function turns out to be in a shared library.
            (RelocationKind::Pc32, Target::Symbol(_)) => elf::R_X86_64_PLT32,
            (RelocationKind::Pc32, _) => elf::R_X86_64_PC32,
            (RelocationKind::Abs64, _) => elf::R_X86_64_64,
        };
        let offset = place.offset + u64::from(relocation.offset);
        self.add_relocation(place.section, offset, r_type, symbol, relocation.addend.into());
    }

    fn add_relocation(
        &mut self,
        section: SectionId,
        offset: u64,
        r_type: elf::RelocationType,
        symbol: Elf,
        addend: i64,
    ) {
        let relocation = object::write::Relocation { offset, symbol, addend, flags: RelocationFlags::Elf { r_type } };
        self.file.add_relocation(section, relocation).expect("ELF has these relocations");
    }

    fn runtime_symbol(&mut self, name: &'static str) -> Elf {
        let file = &mut *self.file;
        *self.runtime.entry(name).or_insert_with(|| file.add_symbol(undefined(name, Visibility::Hidden)))
    }

    /// Symbols for C. `main` is weak: a C program's own comes first.
    fn exports(&mut self, addresses: &Addresses, exports: Exports) {
        let scope = match exports {
            Exports::Everybody => SymbolScope::Dynamic,
            Exports::Executable => SymbolScope::Linkage,
        };
        if let Some(library) = &self.program.library {
            for (name, id) in &library.exports {
                let size = self.program.functions[*id].bytes.len() as u64;
                self.file.add_symbol(Symbol {
                    value: addresses.functions[*id],
                    size,
                    scope,
                    section: SymbolSection::Section(self.text),
                    ..local(name.clone(), SymbolKind::Text)
                });
            }
        }
        if self.program.start.is_some() {
            // jmp mini_main
            let target = self.runtime_symbol("mini_main");
            let offset = self.file.append_section_data(self.text, &[0xe9, 0, 0, 0, 0], 16);
            self.add_relocation(self.text, offset + 1, elf::R_X86_64_PC32, target, -4);
            self.file.add_symbol(Symbol {
                value: offset,
                size: 5,
                scope: SymbolScope::Dynamic,
                weak: true,
                section: SymbolSection::Section(self.text),
                ..local("main".into(), SymbolKind::Text)
            });
        }
    }

    /// `mini_program`: what the run-time library reads. The tables' addresses are offsets in them at first.
    fn info(&mut self, tables: &Tables, addresses: &Addresses) {
        let mut bytes = Vec::new();
        let mut info = ProgramInfo::default();
        tables.place(&mut bytes, 0, &mut info);
        let table = self.file.add_symbol(local("tables".into(), SymbolKind::Data));
        self.file.add_symbol_data(table, self.constants, &bytes, 8);
        let text = self.file.section_symbol(self.text);
        let globals = self.file.section_symbol(self.zeroed);
        let program = self.program;
        let function = |id: CodeId| (text, addresses.functions[id]);
        let init = program.library.as_ref().map(|library| function(library.init));
        let start = program.start.map(function);
        let code_end = addresses.code_size;
        let size = addresses.zeroed_size;
        // By the fields' order.
        let mut relocations = vec![init, start, Some((text, 0)), Some((text, code_end))];
        let in_tables = |at: u64| Some((table, at));
        relocations.extend([in_tables(info.functions), None, in_tables(info.groups), None, None]);
        relocations.extend([in_tables(info.stream), None, in_tables(info.files), None, in_tables(info.pool), None]);
        relocations.extend([Some((globals, 0)), Some((globals, size))]);
        let words = info.words();
        assert_eq!(words.len(), relocations.len(), "one for each field");
        let contents: Vec<u8> = words
            .iter()
            .zip(&relocations)
            .flat_map(|(word, relocation)| if relocation.is_some() { 0u64 } else { *word }.to_le_bytes())
            .collect();
        let symbol = Symbol { scope: SymbolScope::Linkage, ..local("mini_program".into(), SymbolKind::Data) };
        let symbol = self.file.add_symbol(symbol);
        let offset = self.file.add_symbol_data(symbol, self.relocated, &contents, 8);
        for (n, relocation) in relocations.iter().enumerate() {
            if let Some((symbol, addend)) = *relocation {
                let at = offset + 8 * n as u64;
                self.add_relocation(self.relocated, at, elf::R_X86_64_64, symbol, addend as i64);
            }
        }
    }
}

/// A symbol that is not placed yet and that only this file sees.
fn local(name: String, kind: SymbolKind) -> Symbol {
    let (section, scope) = (SymbolSection::Undefined, SymbolScope::Compilation);
    Symbol { name: name.into_bytes(), value: 0, size: 0, kind, scope, weak: false, section, flags: SymbolFlags::None }
}

/// Where an undefined symbol may be found.
#[derive(Clone, Copy)]
enum Visibility {
    /// Anywhere.
    Default,
    /// In the same executable or shared library.
    Hidden,
}

fn undefined(name: &str, visibility: Visibility) -> Symbol {
    let flags = match visibility {
        Visibility::Default => SymbolFlags::None,
        Visibility::Hidden => SymbolFlags::Elf {
            st_info: elf::SymbolInfo::new(elf::STB_GLOBAL, elf::STT_NOTYPE),
            st_other: elf::SymbolOther::default().with_visibility(elf::STV_HIDDEN),
        },
    };
    Symbol { scope: SymbolScope::Unknown, flags, ..local(name.into(), SymbolKind::Unknown) }
}
