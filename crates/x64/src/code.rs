//! What encoding leaves: the machine code of a function, its relocations and its call sites; and the data beside the code.
//!
//! This is the interface between the encoder and `link`, which knows nothing of instructions.

use mini_base::ids::IdVec;
use mini_base::source::Pos;

mini_base::define_id! {
    /// A function of the compiled module; the same number as its `mini_ir` `FuncId`.
    pub struct CodeId, "fn";
    /// A piece of static data.
    pub struct DataId, "data";
    /// A C function; the same number as its `mini_ir` `ExternId`.
    pub struct SymbolId, "c";
}

/// The machine code of one function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Code {
    /// The name in call stacks and, with a prefix, in the symbol table.
    pub name: String,
    /// Whether call stacks leave this function out (the compiler made it).
    pub hidden: bool,
    /// Instruction bytes; the function's entry is at offset 0, cold blocks at the end.
    pub bytes: Vec<u8>,
    /// Places in `bytes` to be filled in when addresses are known, by ascending offset.
    pub relocations: Vec<Relocation>,
    /// Return addresses (and trapping places) with their source positions, by ascending offset.
    pub call_sites: Vec<CallSite>,
    /// Bytes between the stack pointer in the body (after the prologue) and the return address.
    pub frame_size: u32,
}

/// A place that holds an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relocation {
    /// Offset of the place.
    pub offset: u32,
    /// How the address is written there.
    pub kind: RelocationKind,
    /// What it is the address of.
    pub target: Target,
    /// Added to the address. For `Pc32` it counts from the place itself, as in ELF (a `call` has -4).
    pub addend: i32,
}

/// How an address is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RelocationKind {
    /// 32 bits: target + addend - place (`R_X86_64_PC32`).
    Pc32,
    /// 64 bits: target + addend (`R_X86_64_64`).
    Abs64,
}

/// What an address belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// A function of the module.
    Function(CodeId),
    /// Static data.
    Data(DataId),
    /// A symbol of the run-time library, by its name there (`mini_alloc`).
    Runtime(&'static str),
    /// A C function.
    Symbol(SymbolId),
}

/// The position of a call or a trap, found by its return address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallSite {
    /// The offset behind the call instruction.
    pub return_offset: u32,
    /// The source position that a run-time error there reports.
    pub pos: Pos,
}

/// A piece of static data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Data {
    /// For the symbol table and the assembly text; unique.
    pub name: String,
    /// Where it lives.
    pub section: Section,
    /// Power of two.
    pub align: u32,
    /// Contents; for [`Section::Zeroed`] only the length counts, and the vector is empty.
    pub bytes: Vec<u8>,
    /// Size in bytes (`bytes.len()` unless zeroed).
    pub size: u64,
    /// Places in `bytes` to be filled in; all `Abs64`.
    pub relocations: Vec<Relocation>,
}

/// Where data lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    /// Constants: string literals, type descriptors, function values.
    ReadOnly,
    /// The globals: zero at the start, scanned by the collector for references (conservatively, aligned words).
    Zeroed,
}

/// Everything that goes into an executable or object file.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The functions, by `CodeId`.
    pub functions: IdVec<CodeId, Code>,
    /// The data, by `DataId`.
    pub data: IdVec<DataId, Data>,
    /// The function that the run-time library calls: initialises the globals, calls `main`, returns the exit status as int.
    pub start: Option<CodeId>,
    /// The C functions that are called, by their symbols.
    pub symbols: IdVec<SymbolId, String>,
    /// What C may call.
    pub library: Option<Library>,
}

/// The functions that an object file offers to C.
#[derive(Clone, Debug)]
pub struct Library {
    /// Initialises the globals.
    pub init: CodeId,
    /// Functions under their symbols.
    pub exports: Vec<(String, CodeId)>,
}
