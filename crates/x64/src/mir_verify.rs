//! The rules of MIR, numbered.
//!
//! Blocks:
//!  1. *blocks* — there is a block; no block is laid out twice, and none laid out is empty; labels are unique.
//!  2. *endings* — a block ends in `jmp`, `jmp_table`, `ret` or `trap`, of which there is no other; `jcc`s stand right before the `jmp`.
//!  3. *successors* — the successors of a block are the blocks that its jumps name, each once, are laid out, and not the entry.
//!  4. *reachability* — every block laid out can be reached.
//!
//! Instructions:
//!  5. *operands* — they are as many and of the kinds, roles and classes that the operation takes, and no other instruction's.
//!  6. *memory* — at most one operand is memory, but in traps, where it is in the frame; that of `andpd` and `xorpd` is static data.
//!  7. *immediates* — they fit: 32 bits signed, but in a `mov` to a register and in parallel copies; shift counts are 0 to 63, rounding
//!     modes 0 to 15, the size class of an `alloc` exists.
//!  8. *modifiers* — a condition is there if and only if the operation reads the flags; sizes are ones that the operation has; no half of a slot is written.
//!  9. *flags* — what reads the flags stands behind what sets them, in the same block, with nothing between that spoils them.
//! 10. *fixed ranges* — before allocation, a physical register that is read was set before in the block and not changed since; at the
//!     entry, the parameters' are set.
//! 11. *reserved* — the stack pointer is never named, the scratch registers not before allocation.
//! 12. *fixed registers* — they are where they must be: rdx and rax for `cqo`, rax and rdx for `idiv`, rcx for counts, rax and rcx for
//!     `alloc`; arguments and results of calls, and what is returned, in the registers of the convention.
//! 13. *parallel copies* — pairs are of one class, and no destination is there twice.
//! 14. *bounds* — virtual registers, slots and the outgoing area are within the function's counts, whole, and it knows that it calls; scales
//!     are 1, 2, 4 or 8; targets and slots take no index.
//! 15. *leftovers* — after allocation there are no virtual registers and no parallel copies.
//! 16. *definitions* — a virtual register is set on every way to where it is read.
//! 17. *targets* — calls go to functions, traps to the run-time library, the descriptor of an `alloc` is data.
//! 18. *writes* — an instruction writes no register twice, and none early that it reads; a virtual register that is written early is a
//!     temporary: no other instruction reads it.
//! 19. *registers* — after allocation, a register that is read was set on every way there, and not spoilt since; at the entry, the parameters'
//!     are set.
//!
//! *In:* a function, and whether registers have been allocated. *Out:* the breaches. *Cost:* linear, and for each
//! virtual register the blocks that it is live into. *Leaves:* what slots hold; the checker of allocations knows.

mod shape; // rules 1 to 4
mod instructions; // rules 5 to 9, 11 to 15, 17, 18: one instruction each
mod flow; // rules 10, 16, 19: what was set before it is read

use crate::mir::Mir;

/// Before or after register allocation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// With virtual registers.
    Virtual,
    /// Without.
    Allocated,
}

mini_base::listed_enum! {
    /// A rule, by its number.
    #[repr(u8)]
    #[allow(missing_docs)] // The head of this file says what they mean.
    pub enum Rule {
        Blocks = 1, Endings, Successors, Reachability,
        Operands, Memory, Immediates, Modifiers, Flags, FixedRanges, Reserved, FixedRegisters, ParallelCopies, Bounds, Leftovers,
        Definitions, Targets, Writes, Registers,
    }
}

/// A breach of a rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MirError {
    /// Which.
    pub rule: Rule,
    /// Where: the block's label, and the instruction's index.
    pub place: String,
    /// What is wrong.
    pub message: String,
}

impl std::fmt::Display for MirError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "rule {}: {}: {}", self.rule as u8, self.place, self.message)
    }
}

/// Checks a function.
pub fn verify(mir: &Mir, stage: Stage) -> Result<(), Vec<MirError>> {
    let mut verifier = Verifier { mir, stage, errors: Vec::new(), place: String::new() };
    verifier.blocks();
    if verifier.errors.is_empty() {
        // The rest may rely on the shape of the blocks.
        verifier.own_operands();
        for (rank, &block) in mir.order.iter().enumerate() {
            verifier.insts(block);
            if stage == Stage::Virtual {
                verifier.fixed_ranges(block, rank);
            }
        }
    }
    if verifier.errors.is_empty() {
        match stage {
            Stage::Virtual => {
                verifier.temporaries();
                verifier.definitions();
            }
            Stage::Allocated => verifier.registers(),
        }
    }
    if verifier.errors.is_empty() { Ok(()) } else { Err(verifier.errors) }
}

struct Verifier<'m> {
    mir: &'m Mir,
    stage: Stage,
    errors: Vec<MirError>,
    place: String,
}

impl Verifier<'_> {
    fn require(&mut self, holds: bool, rule: Rule, message: impl FnOnce() -> String) {
        if !holds {
            self.errors.push(MirError { rule, place: self.place.clone(), message: message() });
        }
    }
}

#[cfg(test)]
mod tests;
