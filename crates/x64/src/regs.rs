//! The registers of x86-64, and which of them a call keeps.

use std::fmt;

/// A physical register: 0–15 the general ones in encoding order (rax rcx rdx rbx rsp rbp rsi rdi r8 … r15), 16–31 xmm0 … xmm15.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PReg(pub u8);

/// The two register classes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum RegClass {
    /// 64-bit general registers: int, bool, byte, ref.
    General,
    /// xmm registers: float.
    Vector,
}

#[allow(missing_docs)]
impl PReg {
    pub const RAX: PReg = PReg(0);
    pub const RCX: PReg = PReg(1);
    pub const RDX: PReg = PReg(2);
    pub const RBX: PReg = PReg(3);
    pub const RSP: PReg = PReg(4);
    pub const RBP: PReg = PReg(5);
    pub const RSI: PReg = PReg(6);
    pub const RDI: PReg = PReg(7);
    pub const R8: PReg = PReg(8);
    pub const R9: PReg = PReg(9);
    pub const R10: PReg = PReg(10);
    pub const R11: PReg = PReg(11);
    pub const R12: PReg = PReg(12);
    pub const R13: PReg = PReg(13);
    pub const R14: PReg = PReg(14);
    pub const R15: PReg = PReg(15);
    pub const XMM0: PReg = PReg(16);
    pub const XMM15: PReg = PReg(31);
}

impl PReg {
    /// `xmmN`
    pub const fn xmm(n: u8) -> PReg {
        PReg(16 + n)
    }

    /// Its class.
    pub const fn class(self) -> RegClass {
        if self.0 < 16 { RegClass::General } else { RegClass::Vector }
    }

    /// Its number in instruction encodings, 0 to 15.
    pub const fn encoding(self) -> u8 {
        self.0 & 15
    }

    /// Its 64-bit or xmm name.
    pub fn name(self) -> &'static str {
        const NAMES: [&str; 32] = [
            "rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "r14",
            "r15", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11",
            "xmm12", "xmm13", "xmm14", "xmm15",
        ];
        NAMES[self.0 as usize]
    }

    /// The register of that name.
    pub fn by_name(name: &str) -> Option<PReg> {
        (0..32).map(PReg).find(|r| r.name() == name)
    }
}

impl fmt::Debug for PReg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for PReg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A set of physical registers.
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct PRegSet(pub u32);

impl PRegSet {
    /// No register.
    pub const EMPTY: PRegSet = PRegSet(0);

    /// The set of these registers.
    pub const fn of(regs: &[PReg]) -> PRegSet {
        let mut bits = 0;
        let mut i = 0;
        while i < regs.len() {
            bits |= 1 << regs[i].0;
            i += 1;
        }
        PRegSet(bits)
    }

    /// Whether a register is in the set.
    pub const fn contains(self, reg: PReg) -> bool {
        self.0 >> reg.0 & 1 != 0
    }

    /// With one more.
    pub const fn with(self, reg: PReg) -> PRegSet {
        PRegSet(self.0 | 1 << reg.0)
    }

    /// Without one.
    pub const fn without(self, reg: PReg) -> PRegSet {
        PRegSet(self.0 & !(1 << reg.0))
    }

    /// In either.
    pub const fn union(self, other: PRegSet) -> PRegSet {
        PRegSet(self.0 | other.0)
    }

    /// In both.
    pub const fn intersection(self, other: PRegSet) -> PRegSet {
        PRegSet(self.0 & other.0)
    }

    /// Whether it has none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The registers in ascending order.
    pub fn iter(self) -> impl Iterator<Item = PReg> {
        (0..32).map(PReg).filter(move |&r| self.contains(r))
    }
}

impl fmt::Debug for PRegSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// Integer and reference arguments, in order (System V).
pub const INT_ARGS: [PReg; 6] = [PReg::RDI, PReg::RSI, PReg::RDX, PReg::RCX, PReg::R8, PReg::R9];
/// Float arguments: xmm0 to xmm7.
pub const FLOAT_ARGS: u8 = 8;
/// The function value of an indirect call.
pub const ENV: PReg = PReg::R10;
/// Never allocated: for memory-to-memory moves and cycles of parallel copies.
pub const SCRATCH: PReg = PReg::R11;
/// Never allocated, the same for floats.
pub const FLOAT_SCRATCH: PReg = PReg::XMM15;
/// What a callee keeps.
pub const CALLEE_SAVED: PRegSet = PRegSet::of(&[PReg::RBX, PReg::RBP, PReg::R12, PReg::R13, PReg::R14, PReg::R15]);
/// What a call may change.
pub const CALLER_SAVED: PRegSet = PRegSet(!CALLEE_SAVED.0 & !(1 << PReg::RSP.0));

/// Order in which an allocator that has no better reason takes registers: caller-saved first.
pub const GENERAL_ORDER: [PReg; 14] = [
    PReg::RAX,
    PReg::RCX,
    PReg::RDX,
    PReg::RSI,
    PReg::RDI,
    PReg::R8,
    PReg::R9,
    PReg::R10,
    PReg::RBX,
    PReg::R12,
    PReg::R13,
    PReg::R14,
    PReg::R15,
    PReg::RBP,
];
