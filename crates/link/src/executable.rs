//! A static ELF executable.
//!
//! The file: ELF header and program headers; the image's segments; the program's code; its constants, with the run-time
//! library's tables behind them; symbols and section headers, for debuggers. Code is never writable, data never executable.
//! Source: System V Application Binary Interface, chapters 4 and 5, and its AMD64 supplement.
//! Cost: one copy of everything.
//! Leaves: debug information.

use crate::addresses::{Addresses, Bases};
use crate::image;
use crate::tables::Tables;
use mini_base::source::SourceMap;
use mini_prim::tables::ProgramInfo;
use mini_x64::code::Program;

const PAGE: u64 = 4096;
const FILE_HEADER: usize = 64;
const PROGRAM_HEADER: usize = 56;

const LOAD: u32 = 1;
const GNU_STACK: u32 = 0x6474_e551;

/// `PF_…`: what a segment's memory may be used for.
const READ: u32 = 4;
const READ_EXECUTE: u32 = 5;
const READ_WRITE: u32 = 6;

/// A program header that maps memory.
struct Load {
    flags: u32,
    offset: u64,
    address: u64,
    file_size: u64,
    memory_size: u64,
}

/// The executable of a program: the bytes of the file. The program must have a start.
pub fn executable(program: &Program, sources: &SourceMap) -> Vec<u8> {
    let addresses = Addresses::new(program);
    let tables = Tables::new(program, &addresses, sources);
    let image = image::segments();
    let loads = image.len() + 3;
    let mut file = vec![0; FILE_HEADER + (loads + 1) * PROGRAM_HEADER];
    let mut headers = Vec::with_capacity(loads);
    let mut info_offset = None;
    let info_address = image::runtime_symbol("mini_program").expect("the image exports it");
    for segment in image {
        let contents = segment.contents();
        let offset = pad_for(&mut file, segment.address);
        if (segment.address..segment.address + contents.len() as u64).contains(&info_address) {
            info_offset = Some((offset + info_address - segment.address) as usize);
        }
        headers.push(Load {
            flags: segment.flags,
            offset,
            address: segment.address,
            file_size: contents.len() as u64,
            memory_size: segment.memory_size,
        });
        file.extend_from_slice(contents);
    }
    let image_end = image.last().map_or(0, |s| s.address + s.memory_size);

    // Addresses first, for the code refers to the constants and the other way round.
    align(&mut file, 16);
    let code_offset = file.len() as u64;
    let code_address = next_page(image_end) + code_offset % PAGE;
    let constants_offset = (code_offset + addresses.code_size).next_multiple_of(64);
    let constants_address = next_page(code_address + addresses.code_size) + constants_offset % PAGE;
    let mut constants_bases = Bases { code: code_address, constants: constants_address, zeroed: 0 };
    let mut info = ProgramInfo::default();
    // The tables' place in the constants' part does not depend on the contents.
    let mut behind = vec![0; addresses.constants_size as usize];
    tables.place(&mut behind, constants_address, &mut info);
    constants_bases.zeroed = next_page(constants_address + behind.len() as u64);
    let bases = constants_bases;

    file.extend_from_slice(&addresses.code(program, bases));
    file.resize(constants_offset as usize, 0);
    let constants = addresses.constants(program, bases);
    behind[..constants.len()].copy_from_slice(&constants);
    file.extend_from_slice(&behind);
    let sizes = [addresses.code_size, behind.len() as u64];
    for (flags, offset, address, size) in
        [(READ_EXECUTE, code_offset, code_address, sizes[0]), (READ, constants_offset, constants_address, sizes[1])]
    {
        headers.push(Load { flags, offset, address, file_size: size, memory_size: size });
    }
    if addresses.zeroed_size > 0 {
        let offset = constants_offset / PAGE * PAGE;
        headers.push(Load {
            flags: READ_WRITE,
            offset,
            address: bases.zeroed,
            file_size: 0,
            memory_size: addresses.zeroed_size,
        });
    }
    let end = bases.zeroed + addresses.zeroed_size;
    assert!(end < 1 << 31, "link: the program is larger than 2 GiB");

    let start = program.start.expect("an executable has a start");
    info.start = code_address + addresses.functions[start];
    info.code_start = code_address;
    info.code_end = code_address + addresses.code_size;
    info.globals_start = bases.zeroed;
    info.globals_end = end;
    let info_offset = info_offset.expect("the structure is in the image's data");
    for (i, word) in info.words().iter().enumerate() {
        file[info_offset + i * 8..][..8].copy_from_slice(&word.to_le_bytes());
    }
    let sections = Sections::write(&mut file, program, &addresses, bases, &headers);
    write_headers(&mut file, &headers, &sections);
    file
}

fn next_page(address: u64) -> u64 {
    address.next_multiple_of(PAGE)
}

/// Fills the file up to a multiple of `align`; the offset.
fn align(file: &mut Vec<u8>, align: u64) -> u64 {
    let offset = (file.len() as u64).next_multiple_of(align);
    file.resize(offset as usize, 0);
    offset
}

/// Fills the file up to an offset that is congruent to `address` modulo the page size, as mapping wants it; the offset.
fn pad_for(file: &mut Vec<u8>, address: u64) -> u64 {
    let now = file.len() as u64;
    let offset = now + (address % PAGE + PAGE - now % PAGE) % PAGE;
    file.resize(offset as usize, 0);
    offset
}

fn write_headers(file: &mut [u8], loads: &[Load], sections: &Sections) {
    let mut header = Fields::default();
    header.bytes(&[0x7f, b'E', b'L', b'F', 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    header.half(2).half(62).word(1); // ET_EXEC, x86-64, version
    header.long(image::entry()).long(FILE_HEADER as u64).long(sections.offset);
    header.word(0).half(FILE_HEADER as u16).half(PROGRAM_HEADER as u16).half(loads.len() as u16 + 1);
    header.half(64).half(sections.count).half(sections.count - 1);
    for load in loads {
        header.word(LOAD).word(load.flags).long(load.offset).long(load.address).long(load.address);
        header.long(load.file_size).long(load.memory_size).long(PAGE);
    }
    header.word(GNU_STACK).word(READ_WRITE).long(0).long(0).long(0).long(0).long(0).long(16);
    file[..header.0.len()].copy_from_slice(&header.0);
}

/// Little-endian fields one behind the other.
#[derive(Default)]
struct Fields(Vec<u8>);

impl Fields {
    fn bytes(&mut self, bytes: &[u8]) -> &mut Fields {
        self.0.extend_from_slice(bytes);
        self
    }

    fn half(&mut self, value: u16) -> &mut Fields {
        self.bytes(&value.to_le_bytes())
    }

    fn word(&mut self, value: u32) -> &mut Fields {
        self.bytes(&value.to_le_bytes())
    }

    fn long(&mut self, value: u64) -> &mut Fields {
        self.bytes(&value.to_le_bytes())
    }
}

/// The section headers: where they are, and how many. The last section holds the sections' names.
struct Sections {
    offset: u64,
    count: u16,
}

/// Names of the sections that the loads are, in their order.
const SECTION_NAMES: [&str; 6] = [".runtime.rodata", ".runtime.text", ".runtime.data", ".text", ".rodata", ".bss"];

impl Sections {
    fn write(file: &mut Vec<u8>, program: &Program, addresses: &Addresses, bases: Bases, loads: &[Load]) -> Sections {
        let mut names = vec![0];
        let mut strings = vec![0];
        let add = |strings: &mut Vec<u8>, text: &[&str]| {
            let at = strings.len() as u32;
            text.iter().for_each(|t| strings.extend_from_slice(t.as_bytes()));
            strings.push(0);
            at
        };
        // Symbols: all local, so that their number is also the index of the first that isn't.
        let mut symbols = Fields(vec![0; 24]);
        let mut symbol = |name: u32, kind: u8, section: u16, address: u64, size: u64| {
            symbols.word(name).bytes(&[kind, 0]).half(section).long(address).long(size);
        };
        const OBJECT: u8 = 1;
        const FUNCTION: u8 = 2;
        let section_of = |address: u64| {
            let at = loads.iter().position(|l| (l.address..l.address + l.memory_size).contains(&address));
            at.map_or(0xfff1, |i| i as u16 + 1)
        };
        for &(name, address, size) in image::symbols() {
            let section = section_of(address);
            let kind = if loads.get(section as usize - 1).is_some_and(|l| l.flags == READ_EXECUTE) {
                FUNCTION
            } else {
                OBJECT
            };
            symbol(add(&mut strings, &[name]), kind, section, address, size);
        }
        let code_section = image::segments().len() as u16 + 1;
        for (id, at) in addresses.in_order() {
            let function = &program.functions[id];
            let name = add(&mut strings, &["mini.", &function.name]);
            symbol(name, FUNCTION, code_section, bases.code + at, function.bytes.len() as u64);
        }
        let symbols = symbols.0;
        let mut headers = Fields(vec![0; 64]);
        for (load, name) in loads.iter().zip(SECTION_NAMES) {
            let name = add(&mut names, &[name]);
            let kind = if load.file_size == 0 { 8 } else { 1 }; // NOBITS, PROGBITS
            let flags = 2 | u64::from(load.flags & 2 != 0) | u64::from(load.flags & 1) << 2; // ALLOC, WRITE, EXECINSTR
            let size = if load.file_size == 0 { load.memory_size } else { load.file_size };
            headers.word(name).word(kind).long(flags).long(load.address).long(load.offset).long(size);
            headers.word(0).word(0).long(16).long(0);
        }
        let symtab = loads.len() as u32 + 1;
        let labels = [".symtab", ".strtab", ".shstrtab"].map(|n| add(&mut names, &[n]));
        let parts: [(u32, &[u8], u32, u32, u64); 3] =
            [(2, &symbols, symtab + 1, symbols.len() as u32 / 24, 24), (3, &strings, 0, 0, 0), (3, &names, 0, 0, 0)];
        for (label, (kind, contents, link, info, entry)) in labels.into_iter().zip(parts) {
            let offset = align(file, 8);
            file.extend_from_slice(contents);
            headers.word(label).word(kind).long(0).long(0).long(offset).long(contents.len() as u64);
            headers.word(link).word(info).long(8).long(entry);
        }
        let offset = align(file, 8);
        file.extend_from_slice(&headers.0);
        Sections { offset, count: symtab as u16 + 3 }
    }
}
