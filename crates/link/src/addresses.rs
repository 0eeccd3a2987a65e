//! The program's functions and data at their addresses, relocations filled in.
//!
//! Three parts: code (functions in order, 16-byte aligned), constants, zeroed data. Offsets within the parts are
//! known first ([`Addresses::new`]); contents are made once the parts' addresses are ([`Addresses::code`], [`Addresses::constants`]).

use mini_base::ids::{Id, IdVec};
use mini_x64::code::{CodeId, DataId, Program, Relocation, RelocationKind, Section, Target};

/// Between functions: `int3`.
const PADDING: u8 = 0xcc;
/// Behind the last function, so that a decoder may look a few bytes ahead.
const TAIL: u64 = 16;
const FUNCTION_ALIGN: u64 = 16;

/// Offsets of everything in its part.
#[derive(Debug)]
pub struct Addresses {
    /// Functions in the code.
    pub functions: IdVec<CodeId, u64>,
    /// Data in the constants or the zeroed data, as its section says.
    pub data: IdVec<DataId, u64>,
    /// Bytes of code.
    pub code_size: u64,
    /// Bytes of constants.
    pub constants_size: u64,
    /// Bytes of zeroed data.
    pub zeroed_size: u64,
}

/// Where the parts begin.
#[derive(Clone, Copy, Debug)]
pub struct Bases {
    /// The code.
    pub code: u64,
    /// The constants.
    pub constants: u64,
    /// The zeroed data.
    pub zeroed: u64,
}

impl Addresses {
    /// Places everything. O(functions + data).
    pub fn new(program: &Program) -> Addresses {
        let mut code_size = 0u64;
        let functions = program
            .functions
            .iter()
            .map(|function| {
                let at = code_size.next_multiple_of(FUNCTION_ALIGN);
                code_size = at + function.bytes.len() as u64;
                at
            })
            .collect();
        let (mut constants_size, mut zeroed_size) = (0u64, 0u64);
        let data = program
            .data
            .iter()
            .map(|data| {
                let size = match data.section {
                    Section::ReadOnly => &mut constants_size,
                    Section::Zeroed => &mut zeroed_size,
                };
                let at = size.next_multiple_of(u64::from(data.align.max(1)));
                *size = at + data.size;
                at
            })
            .collect();
        Addresses { functions, data, code_size: code_size + TAIL, constants_size, zeroed_size }
    }

    /// The code with its relocations filled in.
    pub fn code(&self, program: &Program, bases: Bases) -> Vec<u8> {
        let mut bytes = vec![PADDING; self.code_size as usize];
        for (id, function) in program.functions.iter_enumerated() {
            let at = self.functions[id];
            let place = &mut bytes[at as usize..][..function.bytes.len()];
            place.copy_from_slice(&function.bytes);
            self.relocate(place, bases.code + at, &function.relocations, program, bases);
        }
        bytes
    }

    /// The constants with their relocations filled in.
    pub fn constants(&self, program: &Program, bases: Bases) -> Vec<u8> {
        let mut bytes = vec![0; self.constants_size as usize];
        for (id, data) in program.data.iter_enumerated() {
            match data.section {
                Section::ReadOnly => {
                    let at = self.data[id];
                    let place = &mut bytes[at as usize..][..data.bytes.len()];
                    place.copy_from_slice(&data.bytes);
                    self.relocate(place, bases.constants + at, &data.relocations, program, bases);
                }
                Section::Zeroed => assert!(data.relocations.is_empty(), "zeroed data `{}` has relocations", data.name),
            }
        }
        bytes
    }

    /// Where a target is. The compiler asks only for symbols that the run-time library has.
    fn address(&self, target: Target, program: &Program, bases: Bases) -> u64 {
        match target {
            Target::Function(id) => bases.code + self.functions[id],
            Target::Data(id) => match program.data[id].section {
                Section::ReadOnly => bases.constants + self.data[id],
                Section::Zeroed => bases.zeroed + self.data[id],
            },
            Target::Runtime(name) => crate::image::runtime_symbol(name)
                .unwrap_or_else(|| panic!("link: the run-time library has no symbol `{name}`")),
            Target::Symbol(id) => panic!("link: the C function `{}` has no address", program.symbols[id]),
        }
    }

    fn relocate(&self, bytes: &mut [u8], address: u64, relocations: &[Relocation], program: &Program, bases: Bases) {
        for relocation in relocations {
            let at = relocation.offset as usize;
            let value = self.address(relocation.target, program, bases).wrapping_add_signed(relocation.addend.into());
            match relocation.kind {
                RelocationKind::Pc32 => {
                    let distance = value.wrapping_sub(address + at as u64) as i64;
                    let distance = i32::try_from(distance).expect("all addresses are below 2^31");
                    bytes[at..at + 4].copy_from_slice(&distance.to_le_bytes());
                }
                RelocationKind::Abs64 => bytes[at..at + 8].copy_from_slice(&value.to_le_bytes()),
            }
        }
    }

    /// The functions that have code, by ascending offset.
    pub fn in_order(&self) -> impl Iterator<Item = (CodeId, u64)> {
        self.functions.as_slice().iter().enumerate().map(|(i, &at)| (CodeId::new(i), at))
    }
}
