//! The registers that an allocator may give out, in the order in which it prefers them.

use mini_x64::op::RESERVED;
use mini_x64::regs::{GENERAL_ORDER, PReg, PRegSet, RegClass};

/// How many registers there are to be had.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Supply {
    /// All.
    #[default]
    All,
    /// A handful of either class, so that small tests spill. Instructions that name others still may.
    Few,
}

/// The registers to be had, by class.
#[derive(Debug)]
pub struct Pool {
    general: Vec<PReg>,
    vector: Vec<PReg>,
}

impl Pool {
    /// The registers of that supply.
    pub fn new(supply: Supply) -> Pool {
        match supply {
            Supply::All => Pool {
                general: GENERAL_ORDER.to_vec(),
                vector: (0..16).map(PReg::xmm).filter(|&reg| !RESERVED.contains(reg)).collect(),
            },
            // Enough for any instruction while all argument registers are taken: rax, rbx and r12 remain.
            Supply::Few => Pool {
                general: vec![PReg::RAX, PReg::RCX, PReg::RSI, PReg::R10, PReg::RBX, PReg::R12],
                vector: vec![PReg::xmm(0), PReg::xmm(1), PReg::xmm(8), PReg::xmm(9)],
            },
        }
    }

    /// The registers of a class, the preferred ones first.
    pub fn order(&self, class: RegClass) -> &[PReg] {
        match class {
            RegClass::General => &self.general,
            RegClass::Vector => &self.vector,
        }
    }

    /// All of them.
    pub fn all(&self) -> PRegSet {
        let mut set = PRegSet::EMPTY;
        for &reg in self.general.iter().chain(&self.vector) {
            set = set.with(reg);
        }
        set
    }
}
