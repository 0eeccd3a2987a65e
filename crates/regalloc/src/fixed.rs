//! Where physical registers are taken: by operands that name them, and by calls.
//!
//! *In:* a function. *Out:* for each register its ranges, ascending and disjoint, and for each set of registers that instructions change on
//! the side, where. *Cost:* linear in the operands.
//!
//! A physical register's range reaches from what sets it to the last that reads it in the same block; from the block's
//! start, if nothing sets it there (the parameters in the entry block).

use crate::numbering::{Numbering, Position};
use mini_x64::mir::{Mir, Reg, Role};
use mini_x64::regs::{PReg, PRegSet};

/// Positions `from..to`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Range {
    /// The first position.
    pub from: Position,
    /// Behind the last position.
    pub to: Position,
}

/// The fixed ranges of a function.
#[derive(Debug)]
pub struct Fixed {
    /// For each register, where operands take it.
    pub ranges: [Vec<Range>; 32],
    /// Sets of registers, and the positions (of writing) at which some instruction changes them all.
    pub clobbers: Vec<(PRegSet, Vec<Position>)>,
}

impl Fixed {
    /// Collects them.
    pub fn new(mir: &Mir, numbering: &Numbering) -> Fixed {
        let mut fixed = Fixed { ranges: [const { Vec::new() }; 32], clobbers: Vec::new() };
        for &block in &numbering.order {
            let start = numbering.start(block);
            let mut touched = PRegSet::EMPTY;
            // Where the register's last range in this block starts in `ranges`; everything before is of other blocks.
            let first: [usize; 32] = std::array::from_fn(|reg| fixed.ranges[reg].len());
            for (i, inst) in mir.blocks[block].insts.iter().enumerate() {
                let index = numbering.first[block] + i as u32;
                let read = numbering.read(index);
                let clobbers = inst.op.clobbers();
                if !clobbers.is_empty() {
                    match fixed.clobbers.iter_mut().find(|(set, _)| *set == clobbers) {
                        Some((_, positions)) => positions.push(read + 1),
                        None => fixed.clobbers.push((clobbers, vec![read + 1])),
                    }
                }
                // Uses come before definitions, whatever their order among the operands.
                for pass in [Role::Use, Role::Def] {
                    mir.for_each_reg(inst, |reg, role| {
                        let Reg::P(reg) = reg else { return };
                        let ranges = &mut fixed.ranges[reg.0 as usize];
                        touched = touched.with(reg);
                        match (pass, role) {
                            (Role::Use, Role::Use | Role::Mod) => {
                                let to = if role == Role::Use { read + 1 } else { read + 2 };
                                if ranges.len() == first[reg.0 as usize] {
                                    ranges.push(Range { from: start, to });
                                } else if let Some(last) = ranges.last_mut() {
                                    last.to = last.to.max(to);
                                }
                            }
                            (Role::Def, Role::Def) => ranges.push(Range { from: read + 1, to: read + 2 }),
                            (Role::Def, Role::Early) => ranges.push(Range { from: read, to: read + 2 }),
                            (Role::Use, Role::Def | Role::Early) | (Role::Def, Role::Use | Role::Mod) => {}
                            (Role::Mod | Role::Early, _) => unreachable!("there are two passes"),
                        }
                    });
                }
            }
        }
        fixed
    }

    /// Whether a register is taken by operands somewhere in `from..to`.
    pub fn is_taken(&self, reg: PReg, from: Position, to: Position) -> bool {
        let ranges = &self.ranges[reg.0 as usize];
        let next = ranges.partition_point(|range| range.to <= from);
        ranges.get(next).is_some_and(|range| range.from < to)
    }
}
