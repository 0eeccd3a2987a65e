//! Sets of dense ids, one bit each.

use crate::ids::Id;
use std::marker::PhantomData;

/// A set of ids below a fixed capacity. Insertion and lookup are O(1), the set operations O(capacity / 64).
#[derive(Clone, PartialEq, Eq)]
pub struct BitSet<I> {
    words: Vec<u64>,
    id: PhantomData<fn(I)>,
}

impl<I: Id> BitSet<I> {
    /// An empty set for ids below `capacity`.
    pub fn new(capacity: usize) -> Self {
        BitSet { words: vec![0; capacity.div_ceil(64)], id: PhantomData }
    }

    /// Whether `id` is in the set.
    #[inline]
    pub fn contains(&self, id: I) -> bool {
        self.words[id.index() / 64] >> (id.index() % 64) & 1 != 0
    }

    /// Adds `id`; true if it was not there.
    #[inline]
    pub fn insert(&mut self, id: I) -> bool {
        let word = &mut self.words[id.index() / 64];
        let old = *word;
        *word |= 1 << (id.index() % 64);
        *word != old
    }

    /// Takes `id` out; true if it was there.
    #[inline]
    pub fn remove(&mut self, id: I) -> bool {
        let word = &mut self.words[id.index() / 64];
        let old = *word;
        *word &= !(1 << (id.index() % 64));
        *word != old
    }

    /// Adds all of `other`; true if that added anything.
    pub fn union_with(&mut self, other: &Self) -> bool {
        let mut changed = 0;
        for (mine, theirs) in self.words.iter_mut().zip(&other.words) {
            changed |= theirs & !*mine;
            *mine |= theirs;
        }
        changed != 0
    }

    /// Keeps what is also in `other`; true if that removed anything.
    pub fn intersect_with(&mut self, other: &Self) -> bool {
        let mut changed = 0;
        for (mine, theirs) in self.words.iter_mut().zip(&other.words) {
            changed |= *mine & !theirs;
            *mine &= theirs;
        }
        changed != 0
    }

    /// Takes all of `other` out.
    pub fn subtract(&mut self, other: &Self) {
        for (mine, theirs) in self.words.iter_mut().zip(&other.words) {
            *mine &= !theirs;
        }
    }

    /// Empties the set.
    pub fn clear(&mut self) {
        self.words.fill(0);
    }

    /// How many ids are in the set.
    pub fn count(&self) -> usize {
        self.words.iter().map(|w| w.count_ones() as usize).sum()
    }

    /// Whether no id is in the set.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&w| w == 0)
    }

    /// The ids in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = I> + '_ {
        self.words.iter().enumerate().flat_map(|(i, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                if rest == 0 {
                    return None;
                }
                let bit = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                Some(I::new(i * 64 + bit))
            })
        })
    }
}

impl<I: Id> std::fmt::Debug for BitSet<I> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    crate::define_id! { struct Thing, "t"; }

    #[test]
    fn iterates_in_ascending_order_over_word_boundaries() {
        let mut set = BitSet::<Thing>::new(200);
        for i in [130, 3, 64, 63, 199] {
            assert!(set.insert(Thing::new(i)));
        }
        assert!(!set.insert(Thing::new(64)));
        assert_eq!(set.iter().map(Id::index).collect::<Vec<_>>(), [3, 63, 64, 130, 199]);
        assert!(set.remove(Thing::new(63)));
        assert_eq!(set.count(), 4);
    }
}
