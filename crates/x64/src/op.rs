//! The machine operations: one row each with mnemonic, effect on the flags, and which operands may be memory.
//!
//! What may stand at each operand's position is in `forms.rs`; which registers an operation changes besides its operands,
//! [`MOp::clobbers`] says.

use crate::regs::{CALLER_SAVED, PReg, PRegSet};

/// Operand size of general instructions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Size {
    /// 8 bits.
    B1,
    /// 32 bits; a write clears the upper half.
    B4,
    /// 64 bits.
    B8,
}

/// Condition codes.
#[allow(missing_docs)] // the manual's names
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Cond {
    /// Not conditional.
    Always,
    E,
    Ne,
    L,
    Le,
    G,
    Ge,
    B,
    Be,
    A,
    Ae,
    P,
    Np,
    S,
    Ns,
    O,
    No,
}

impl Cond {
    /// The condition that holds when this one does not.
    pub fn inverse(self) -> Cond {
        match self {
            Cond::E => Cond::Ne,
            Cond::Ne => Cond::E,
            Cond::L => Cond::Ge,
            Cond::Le => Cond::G,
            Cond::G => Cond::Le,
            Cond::Ge => Cond::L,
            Cond::B => Cond::Ae,
            Cond::Be => Cond::A,
            Cond::A => Cond::Be,
            Cond::Ae => Cond::B,
            Cond::P => Cond::Np,
            Cond::Np => Cond::P,
            Cond::S => Cond::Ns,
            Cond::Ns => Cond::S,
            Cond::O => Cond::No,
            Cond::No => Cond::O,
            Cond::Always => unreachable!("nothing is never"),
        }
    }

    /// Its name behind a mnemonic; empty for [`Cond::Always`].
    pub fn name(self) -> &'static str {
        match self {
            Cond::Always => "",
            Cond::E => "e",
            Cond::Ne => "ne",
            Cond::L => "l",
            Cond::Le => "le",
            Cond::G => "g",
            Cond::Ge => "ge",
            Cond::B => "b",
            Cond::Be => "be",
            Cond::A => "a",
            Cond::Ae => "ae",
            Cond::P => "p",
            Cond::Np => "np",
            Cond::S => "s",
            Cond::Ns => "ns",
            Cond::O => "o",
            Cond::No => "no",
        }
    }

    /// All conditions.
    pub const ALL: [Cond; 17] = [
        Cond::Always,
        Cond::E,
        Cond::Ne,
        Cond::L,
        Cond::Le,
        Cond::G,
        Cond::Ge,
        Cond::B,
        Cond::Be,
        Cond::A,
        Cond::Ae,
        Cond::P,
        Cond::Np,
        Cond::S,
        Cond::Ns,
        Cond::O,
        Cond::No,
    ];
}

/// What an operation does to the flags.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Flags {
    /// Leaves them alone.
    Keeps,
    /// Sets them to something defined.
    Sets,
    /// Leaves garbage.
    Clobbers,
    /// Reads them.
    Reads,
}

macro_rules! machine_ops {
    ($($(#[$doc:meta])* $variant:ident = $name:literal, $flags:ident, $memory:expr;)*) => {
        /// A machine operation.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
        #[repr(u8)]
        pub enum MOp { $($(#[$doc])* $variant,)* }

        static ROWS: &[MOpInfo] = &[$(MOpInfo { op: MOp::$variant, name: $name, flags: Flags::$flags, memory: $memory },)*];
    };
}

/// The facts of an operation.
#[derive(Debug)]
pub struct MOpInfo {
    /// Which.
    pub op: MOp,
    /// Mnemonic in MIR text (the machine's, where there is one; the condition is written behind it: `jcc.l`).
    pub name: &'static str,
    /// Flags.
    pub flags: Flags,
    /// Bit n set: operand n may be memory instead of a register (if no other operand is memory); the allocator may put a
    /// spill slot there. Everything else needs a register.
    pub memory: u8,
}

machine_ops! {
    /// `mov d, s`: register, memory or immediate (any 64-bit value to a register, sign-extended 32 bits to memory). Stores of size B1 store the low byte.
    Mov = "mov", Keeps, 0b11;
    /// `movzx d, s`: the low byte of s, zero-extended to 64 bits.
    Movzx = "movzx", Keeps, 0b10;
    /// `lea d, [m]`
    Lea = "lea", Keeps, 0;
    /// `add d, s`
    Add = "add", Sets, 0b11;
    /// `sub d, s`
    Sub = "sub", Sets, 0b11;
    /// `and d, s`
    And = "and", Sets, 0b11;
    /// `or d, s`
    Or = "or", Sets, 0b11;
    /// `xor d, s`
    Xor = "xor", Sets, 0b11;
    /// `imul d, s`: two operands, d a register.
    Imul = "imul", Clobbers, 0b10;
    /// `imul3 d, s, imm`
    Imul3 = "imul3", Clobbers, 0b10;
    /// `neg d`
    Neg = "neg", Sets, 0b1;
    /// `not d`
    Not = "not", Keeps, 0b1;
    /// `shl d, imm` or `shl d, rcx` (the count is in cl)
    Shl = "shl", Clobbers, 0b1;
    /// `sar d, …`
    Sar = "sar", Clobbers, 0b1;
    /// `shr d, …`
    Shr = "shr", Clobbers, 0b1;
    /// `cqo`: def rdx, use rax.
    Cqo = "cqo", Keeps, 0;
    /// `idiv s`: mod rax, mod rdx, use s.
    Idiv = "idiv", Clobbers, 0b100;
    /// `cmp a, b`
    Cmp = "cmp", Sets, 0b11;
    /// `test a, b`
    Test = "test", Sets, 0b1;
    /// `setcc d`: the whole 64-bit register becomes 0 or 1 (encoded as setcc and movzx).
    Set = "set", Reads, 0;
    /// `cmovcc d, s`: d is Mod.
    Cmov = "cmov", Reads, 0b10;

    /// `movsd d, s`: xmm to xmm (encoded as movaps), load, or store.
    Movsd = "movsd", Keeps, 0b11;
    /// `movq d, s` between a general and an xmm register.
    Movq = "movq", Keeps, 0;
    /// Zero: `xorps d, d`; d is Def.
    Fzero = "fzero", Keeps, 0;
    /// `addsd d, s`
    Addsd = "addsd", Keeps, 0b10;
    /// `subsd d, s`
    Subsd = "subsd", Keeps, 0b10;
    /// `mulsd d, s`
    Mulsd = "mulsd", Keeps, 0b10;
    /// `divsd d, s`
    Divsd = "divsd", Keeps, 0b10;
    /// `minsd d, s`: d < s ? d : s
    Minsd = "minsd", Keeps, 0b10;
    /// `maxsd d, s`: d > s ? d : s
    Maxsd = "maxsd", Keeps, 0b10;
    /// `sqrtsd d, s`
    Sqrtsd = "sqrtsd", Keeps, 0b10;
    /// `roundsd d, s, imm`
    Roundsd = "roundsd", Keeps, 0b10;
    /// `andpd d, [m]` or register; memory must be a 16-byte constant, never a slot.
    Andpd = "andpd", Keeps, 0;
    /// `xorpd d, [m]`, likewise.
    Xorpd = "xorpd", Keeps, 0;
    /// `ucomisd a, b`
    Ucomisd = "ucomisd", Sets, 0b10;
    /// `cvtsi2sd d, s`: the upper half of d stays, so d is read too (selection zeroes it before).
    Cvtsi2sd = "cvtsi2sd", Keeps, 0b10;
    /// `cvttsd2si d, s`
    Cvttsd2si = "cvttsd2si", Keeps, 0b10;

    /// `jmp b`
    Jmp = "jmp", Keeps, 0;
    /// `jcc b`
    Jcc = "jcc", Reads, 0;
    /// `jmp_table index, temporary, targets…`: index use, temporary early def; an indirect jump through a table of the blocks.
    JumpTable = "jmp_table", Clobbers, 0;
    /// `call f`: target, then uses of the argument registers, then defs of the result registers. Changes all caller-saved registers.
    Call = "call", Clobbers, 0;
    /// `call_reg r`: register or memory, then as `call`.
    CallReg = "call_reg", Clobbers, 0;
    /// `keep v`: nothing, but v is needed up to here, so that the collector finds what it refers to.
    Keep = "keep", Keeps, 0b1;
    /// `ret`, with uses of the result registers.
    Ret = "ret", Keeps, 0;

    /// `parcopy d1, s1, d2, s2, …`: all sources are read before any destination is written. Registers, and immediates as sources. Any
    /// of the virtual ones may be in memory.
    ParallelCopy = "parcopy", Keeps, 0;
    /// `trapif.cc runtime_function, uses…`: if the condition holds, calls the (diverging) run-time function with the uses as int
    /// arguments, from a cold block. Uses may be registers, slots, immediates.
    TrapIf = "trapif", Reads, 0b1111_1110;
    /// `trap runtime_function, uses…`: always; ends the block.
    Trap = "trap", Keeps, 0b1111_1110;
    /// `alloc rax, rcx, descriptor, class`: a new object of a fixed-size class, inline fast path: def rax, early def rcx (temporary); the slow
    /// path, in a cold block, keeps all other registers.
    Alloc = "alloc", Clobbers, 0;
}

impl MOp {
    /// All operations in table order.
    pub fn all() -> impl Iterator<Item = &'static MOpInfo> {
        ROWS.iter()
    }

    /// The row.
    #[inline]
    pub fn info(self) -> &'static MOpInfo {
        &ROWS[self as usize]
    }

    /// The operation of that mnemonic.
    pub fn by_name(name: &str) -> Option<MOp> {
        ROWS.iter().find(|row| row.name == name).map(|row| row.op)
    }

    /// Registers that it changes besides its operands.
    pub fn clobbers(self) -> PRegSet {
        match self {
            MOp::Call | MOp::CallReg => CALLER_SAVED,
            _ => PRegSet::EMPTY,
        }
    }

    /// Whether it ends a block (a conditional jump may stand before the last one).
    pub fn is_terminator(self) -> bool {
        matches!(self, MOp::Jmp | MOp::JumpTable | MOp::Ret | MOp::Trap)
    }
}

/// The registers that an allocator may never give out.
pub const RESERVED: PRegSet = PRegSet::of(&[PReg::RSP, crate::regs::SCRATCH, crate::regs::FLOAT_SCRATCH]);
