//! Classes of operations, by which executed operations are counted (docs/ir.md defines them).

use crate::op::Op;

/// A class of operations.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Class {
    /// Computes on values; comparisons, conversions, `select`, `len` and checks too.
    Arithmetic,
    /// Reads, writes or makes objects; reads and writes globals and stack slots.
    Memory,
    /// Calls functions, function values and the run-time library.
    Call,
    /// Ends a block.
    Branch,
    /// `copy`, and each pair of a `parcopy`.
    Copy,
    /// An argument that an edge gives to a block parameter.
    EdgeMove,
    /// `const`, `undef`, `func_ref`, `env`, and the address of a `slot`.
    Constant,
    /// A load or store of a spill slot (machine code only).
    Spill,
}

impl Class {
    /// All classes in the order in which they are shown.
    pub const ALL: [Class; 8] = [
        Class::Arithmetic,
        Class::Memory,
        Class::Call,
        Class::Branch,
        Class::Copy,
        Class::EdgeMove,
        Class::Constant,
        Class::Spill,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Class::Arithmetic => "arithmetic",
            Class::Memory => "memory",
            Class::Call => "call",
            Class::Branch => "branch",
            Class::Copy => "copy",
            Class::EdgeMove => "edge move",
            Class::Constant => "constant",
            Class::Spill => "spill",
        }
    }
}

impl Op {
    /// The class as which an execution of it counts.
    pub fn class(self) -> Class {
        self.info().class
    }
}
