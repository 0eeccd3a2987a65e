//! Slots for spilled registers: two registers share one if they are never alive at the same time.
//!
//! *In:* for each spilled register the stretch of positions from its first to its last. *Out:* a slot for each. *Cost:* n log n.
//! *Source:* colouring of interval graphs from left to right (Poletto, Sarkar 1999 do so for registers). *Leaves:* holes; all slots are 8 bytes, for either class.
//!
//! A stretch from the first to the last position covers all loops that a register is live around, so sharing is safe on
//! edges as well. The least number of slots that stretches allow is reached.

use crate::numbering::Position;
use mini_base::ids::Id;
use mini_x64::mir::{Slot, VReg};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Slots for `spilled` registers with their stretches `from..to`, numbered from `first`; and how many slots there are then.
pub fn assign(spilled: &[(VReg, Position, Position)], first: u32) -> (Vec<(VReg, Slot)>, u32) {
    let mut order = spilled.to_vec();
    order.sort_unstable_by_key(|&(vreg, from, _)| (from, vreg));
    let mut busy: BinaryHeap<Reverse<(Position, Slot)>> = BinaryHeap::new();
    let mut free: BinaryHeap<Reverse<Slot>> = BinaryHeap::new();
    let mut count = first;
    let mut result = Vec::with_capacity(order.len());
    for (vreg, from, to) in order {
        while let Some(&Reverse((end, slot))) = busy.peek()
            && end <= from
        {
            busy.pop();
            free.push(Reverse(slot));
        }
        let slot = match free.pop() {
            Some(Reverse(slot)) => slot,
            None => {
                count += 1;
                Slot::new(count as usize - 1)
            }
        };
        busy.push(Reverse((to, slot)));
        result.push((vreg, slot));
    }
    result.sort_unstable();
    (result, count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_that_do_not_overlap_share_a_slot() {
        let stretch = |n, from, to| (VReg::new(n), from, to);
        let (slots, count) = assign(&[stretch(0, 0, 10), stretch(1, 5, 8), stretch(2, 8, 20), stretch(3, 10, 12)], 2);
        let numbers: Vec<usize> = slots.iter().map(|(_, slot)| slot.index()).collect();
        assert_eq!(numbers, [2, 3, 3, 2]);
        assert_eq!(count, 4);
    }
}
