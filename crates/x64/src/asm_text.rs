//! Assembly text: a whole program for GNU as, and listings for people.
//!
//! *In:* encoded functions and data. *Out:* text in Intel syntax. Both are made by decoding the bytes, so that text and machine code
//! can't differ; assembled, the text gives the same bytes again, which the tests hold to.
//! *Cost:* linear. *Leaves:* the tables that `link` adds (positions, call stacks): assembled text is for reading and comparing.
//!
//! Symbols: a function `f` is `mini.f`, data are `minidata.NAME`; bytes other than letters, digits and `_` are written `.xx`
//! in hexadecimal, so that different names stay different and none is a register or a directive.
//!
//! ```text
//! mini.sum_to:
//!         xor eax, eax
//! .Lsum_to.1:
//!         cmp rcx, rdi
//!         jl .Lsum_to.1
//! ```

use crate::code::{Code, CodeId, Data, DataId, Program, Relocation, RelocationKind, Section, Target};
use iced_x86::{
    Decoder, DecoderOptions, FlowControl, Formatter, Instruction, IntelFormatter, MemorySizeOptions, OpKind,
    SymbolResolver, SymbolResult,
};
use mini_base::source::Pos;
use std::collections::BTreeSet;
use std::fmt::Write;

/// Prints a program for GNU as. `place` says what to write behind a call for its position.
pub fn print_program(program: &Program, place: &dyn Fn(Pos) -> Option<String>) -> String {
    let mut out = String::from("    .intel_syntax noprefix\n    .text\n");
    for (id, code) in program.functions.iter_enumerated() {
        let name = mangle("mini.", &code.name);
        let _ = write!(out, "\n    .p2align 4\n    .globl {name}\n    .type {name}, @function\n{name}:\n");
        print_function(&mut out, program, id, place);
        let _ = writeln!(out, "    .size {name}, . - {name}");
    }
    for section in [Section::ReadOnly, Section::Zeroed] {
        let head = match section {
            Section::ReadOnly => "\n    .section .rodata,\"a\",@progbits\n",
            Section::Zeroed => "\n    .bss\n",
        };
        out.push_str(head);
        for (id, data) in program.data.iter_enumerated().filter(|(_, d)| d.section == section) {
            print_data(&mut out, program, id, data);
        }
    }
    out.push_str("\n    .section .note.GNU-stack,\"\",@progbits\n");
    out
}

/// A listing of one function: offsets, bytes, instructions, positions.
pub fn print_listing(program: &Program, function: CodeId, place: &dyn Fn(Pos) -> Option<String>) -> String {
    let code = &program.functions[function];
    let mut out = format!("{}: {} bytes, frame {}\n", code.name, code.bytes.len(), code.frame_size);
    for line in lines(program, function) {
        if line.labelled {
            let _ = writeln!(out, "{}:", line.label);
        }
        let bytes: Vec<String> = line.bytes.iter().map(|b| format!("{b:02x}")).collect();
        let start = format!("  {:4x}  {:<31} {}", line.offset, bytes.join(" "), line.text);
        finish_line(&mut out, &start, code, &line, place);
    }
    out
}

fn print_function(out: &mut String, program: &Program, function: CodeId, place: &dyn Fn(Pos) -> Option<String>) {
    let code = &program.functions[function];
    for line in lines(program, function) {
        if line.labelled {
            let _ = writeln!(out, "{}:", line.label);
        }
        finish_line(out, &format!("    {}", line.text), code, &line, place);
    }
}

/// Ends a line, with the position if it is a call that has one.
fn finish_line(out: &mut String, start: &str, code: &Code, line: &Line, place: &dyn Fn(Pos) -> Option<String>) {
    let end = line.offset + line.bytes.len() as u32;
    let site = code.call_sites.binary_search_by_key(&end, |s| s.return_offset).ok().map(|i| code.call_sites[i].pos);
    match site.filter(|_| line.is_call).and_then(place) {
        Some(place) => {
            let _ = writeln!(out, "{start:<56} # {place}");
        }
        None => {
            let _ = writeln!(out, "{start}");
        }
    }
}

/// A line of a function: an instruction or an entry of a jump table.
struct Line {
    offset: u32,
    /// The label here, and whether anything goes to it.
    label: String,
    labelled: bool,
    bytes: Vec<u8>,
    text: String,
    is_call: bool,
}

/// The lines of a function.
fn lines(program: &Program, function: CodeId) -> Vec<Line> {
    let code = &program.functions[function];
    let decoded = Decoded::new(code);
    let stem = mangle(".L", &code.name);
    let symbols = Symbols {
        stem: stem.clone(),
        relocations: code.relocations.iter().map(|r| symbol(program, r, relative_addend(code, &decoded, r))).collect(),
    };
    let mut formatter = IntelFormatter::with_options(Some(Box::new(symbols)), None);
    let options = formatter.options_mut();
    options.set_space_after_operand_separator(true);
    options.set_memory_size_options(MemorySizeOptions::Always);
    options.set_rip_relative_addresses(true);
    options.set_hex_prefix("0x");
    options.set_hex_suffix("");
    options.set_uppercase_hex(false);
    options.set_show_branch_size(false);
    options.set_signed_immediate_operands(true);
    options.set_branch_leading_zeros(false);
    let mut lines = Vec::with_capacity(decoded.insts.len());
    let mut relocations = code.relocations.iter().enumerate().peekable();
    for inst in &decoded.insts {
        let (start, end) = (inst.ip() as usize, inst.next_ip() as usize);
        let mut shown = *inst;
        while let Some((n, _)) = relocations.next_if(|(_, r)| (r.offset as usize) < end) {
            let address = FAKE + n as u64;
            if inst.op0_kind() == OpKind::NearBranch64 {
                shown.set_near_branch64(address);
            } else {
                shown.set_memory_displacement64(address);
            }
        }
        let mut text = String::new();
        formatter.format(&shown, &mut text);
        lines.push(Line {
            offset: start as u32,
            label: label(&stem, start as u64),
            labelled: decoded.targets.contains(&(start as u64)),
            bytes: code.bytes[start..end].to_vec(),
            text,
            is_call: matches!(inst.flow_control(), FlowControl::Call | FlowControl::IndirectCall),
        });
    }
    for &(table, offset, target) in &decoded.entries {
        lines.push(Line {
            offset,
            label: label(&stem, u64::from(offset)),
            labelled: table == offset,
            bytes: code.bytes[offset as usize..offset as usize + 4].to_vec(),
            text: format!(".long {} - {}", label(&stem, target), label(&stem, u64::from(table))),
            is_call: false,
        });
    }
    lines
}

/// Addresses from here on stand for relocations, by number.
const FAKE: u64 = 1 << 40;

/// A function's bytes taken apart.
struct Decoded {
    insts: Vec<Instruction>,
    /// Entries of jump tables: the table's offset, the entry's, the target.
    entries: Vec<(u32, u32, u64)>,
    /// Where branches and tables lead.
    targets: BTreeSet<u64>,
}

impl Decoded {
    fn new(code: &Code) -> Decoded {
        let mut decoded = Decoded { insts: Vec::new(), entries: Vec::new(), targets: BTreeSet::new() };
        let mut decoder = Decoder::with_ip(64, &code.bytes, 0, DecoderOptions::NONE);
        let mut tables: Vec<u64> = Vec::new();
        let mut relocations = code.relocations.iter().peekable();
        while decoder.can_decode() && tables.iter().all(|&t| decoder.ip() < t) {
            let inst = decoder.decode();
            let relocated = relocations.next_if(|r| u64::from(r.offset) < inst.next_ip()).is_some();
            if inst.is_ip_rel_memory_operand() && !relocated {
                tables.push(inst.memory_displacement64());
            }
            if matches!(inst.flow_control(), FlowControl::ConditionalBranch | FlowControl::UnconditionalBranch) {
                decoded.targets.insert(inst.near_branch_target());
            }
            decoded.insts.push(inst);
        }
        tables.sort_unstable();
        for (n, &table) in tables.iter().enumerate() {
            let end = tables.get(n + 1).copied().unwrap_or(code.bytes.len() as u64);
            for offset in (table..end).step_by(4) {
                let bytes = &code.bytes[offset as usize..offset as usize + 4];
                let distance = i32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
                let target = table.wrapping_add_signed(i64::from(distance));
                decoded.targets.insert(target);
                decoded.entries.push((table as u32, offset as u32, target));
            }
        }
        decoded
    }
}

/// The addend as an assembler counts it: from the end of the instruction.
fn relative_addend(code: &Code, decoded: &Decoded, relocation: &Relocation) -> i32 {
    let after = decoded.insts.partition_point(|i| i.next_ip() <= u64::from(relocation.offset));
    let end = decoded.insts.get(after).map_or(code.bytes.len() as u64, |i| i.next_ip());
    relocation.addend + (end - u64::from(relocation.offset)) as i32
}

/// Gives the formatter names for addresses.
struct Symbols {
    stem: String,
    relocations: Vec<String>,
}

impl SymbolResolver for Symbols {
    fn symbol(&mut self, inst: &Instruction, _: u32, n: Option<u32>, address: u64, _: u32) -> Option<SymbolResult<'_>> {
        let is_address = match inst.op_kind(n?) {
            OpKind::NearBranch64 => true,
            OpKind::Memory => inst.is_ip_rel_memory_operand(),
            _ => false, // an immediate
        };
        if !is_address {
            return None;
        }
        match address.checked_sub(FAKE) {
            Some(n) => self.relocations.get(n as usize).map(|name| SymbolResult::with_str(address, name)),
            None => Some(SymbolResult::with_string(address, label(&self.stem, address))),
        }
    }
}

fn label(stem: &str, offset: u64) -> String {
    format!("{stem}.{offset}")
}

fn symbol(program: &Program, relocation: &Relocation, addend: i32) -> String {
    let mut name = target_name(program, relocation.target);
    if addend != 0 {
        let _ = write!(name, "{addend:+}");
    }
    name
}

fn target_name(program: &Program, target: Target) -> String {
    match target {
        Target::Function(id) => mangle("mini.", &program.functions[id].name),
        Target::Data(id) => data_name(program, id),
        Target::Runtime(name) => name.to_string(),
        Target::Symbol(id) => program.symbols[id].clone(),
    }
}

fn data_name(program: &Program, id: DataId) -> String {
    mangle("minidata.", &program.data[id].name)
}

/// A symbol that GNU as takes without quotes.
pub fn mangle(prefix: &str, name: &str) -> String {
    let mut out = String::with_capacity(prefix.len() + name.len());
    out.push_str(prefix);
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || byte == b'_' {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, ".{byte:02x}");
        }
    }
    out
}

fn print_data(out: &mut String, program: &Program, id: DataId, data: &Data) {
    let name = data_name(program, id);
    let _ = write!(out, "    .balign {}\n    .globl {name}\n{name}:\n", data.align);
    if data.section == Section::Zeroed {
        let _ = writeln!(out, "    .zero {}", data.size);
        return;
    }
    let mut at = 0;
    for relocation in &data.relocations {
        assert_eq!(relocation.kind, RelocationKind::Abs64, "data holds whole addresses");
        print_bytes(out, &data.bytes[at..relocation.offset as usize]);
        let _ = writeln!(out, "    .quad {}", symbol(program, relocation, relocation.addend));
        at = relocation.offset as usize + 8;
    }
    print_bytes(out, &data.bytes[at..]);
}

fn print_bytes(out: &mut String, bytes: &[u8]) {
    for line in bytes.chunks(16) {
        let bytes: Vec<String> = line.iter().map(|b| format!("0x{b:02x}")).collect();
        let _ = writeln!(out, "    .byte {}", bytes.join(", "));
    }
}
