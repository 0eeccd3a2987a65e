//! Which registers would save a move: those on the other side of copies.
//!
//! *In:* a function in MIR. *Out:* for each virtual register a few others, from the most executed copies first. *Cost:* linear.
//! *Source:* Wimmer, Mössenböck 2005, section 3 (register hints).

use mini_base::ids::IdVec;
use mini_x64::mir::{Mir, Operand, Reg, VReg};
use mini_x64::op::MOp;
use smallvec::SmallVec;

/// So many are kept.
const MOST: usize = 6;

/// The hints of a function.
#[derive(Debug)]
pub struct Hints {
    of: IdVec<VReg, SmallVec<[(u32, Reg); 2]>>,
}

impl Hints {
    /// Collects them.
    pub fn new(mir: &Mir) -> Hints {
        let mut hints = Hints { of: IdVec::filled(SmallVec::new(), mir.vregs.len()) };
        for &block in &mir.order {
            let depth = mir.blocks[block].loop_depth;
            for inst in &mir.blocks[block].insts {
                match inst.op {
                    MOp::Mov | MOp::Movsd | MOp::ParallelCopy => {}
                    _ => continue,
                }
                for pair in mir.operands(inst).chunks(2) {
                    if let [Operand::Reg(a, _), Operand::Reg(b, _)] = *pair {
                        hints.add(a, b, depth);
                        hints.add(b, a, depth);
                    }
                }
            }
        }
        hints
    }

    fn add(&mut self, reg: Reg, other: Reg, depth: u32) {
        let Reg::V(vreg) = reg else { return };
        let list = &mut self.of[vreg];
        let place = list.partition_point(|&(d, _)| d >= depth);
        if place < MOST {
            list.truncate(MOST - 1);
            list.insert(place, (depth, other));
        }
    }

    /// The other sides of a register's copies.
    pub fn of(&self, vreg: VReg) -> impl Iterator<Item = Reg> + '_ {
        self.of[vreg].iter().map(|&(_, reg)| reg)
    }
}
