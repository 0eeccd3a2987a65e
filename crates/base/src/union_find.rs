//! Disjoint sets of dense ids.
//!
//! *Cost:* O(α) an operation, amortised; α is the inverse of Ackermann's function.
//! *Source:* R. Tarjan, J. van Leeuwen, Worst-case analysis of set union algorithms, 1984: union by size, path halving.

use crate::ids::{Id, IdVec};

/// The sets; every id is in one.
#[derive(Clone)]
pub struct UnionFind<I: Id> {
    parent: IdVec<I, I>,
    /// Of the leaders: how many members.
    size: IdVec<I, u32>,
}

impl<I: Id> UnionFind<I> {
    /// Sets of one for so many ids.
    pub fn new(len: usize) -> UnionFind<I> {
        UnionFind { parent: (0..len).map(I::new).collect(), size: IdVec::filled(1, len) }
    }

    /// Adds the next id, in a set of its own.
    pub fn push(&mut self) -> I {
        self.size.push(1);
        self.parent.push(self.parent.next_id())
    }

    /// The leader of the set that an id is in.
    pub fn find(&mut self, mut id: I) -> I {
        while self.parent[id] != id {
            let above = self.parent[self.parent[id]];
            self.parent[id] = above;
            id = above;
        }
        id
    }

    /// Makes one set of two, and gives its leader.
    pub fn union(&mut self, a: I, b: I) -> I {
        let (a, b) = (self.find(a), self.find(b));
        if a == b {
            return a;
        }
        let (small, large) = if self.size[a] < self.size[b] { (a, b) } else { (b, a) };
        self.parent[small] = large;
        self.size[large] += self.size[small];
        large
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    crate::define_id! { struct Key, "k"; }

    #[test]
    fn agrees_with_relabelling() {
        let mut random = Random(1);
        for _ in 0..50 {
            let n = 1 + random.below(30);
            let mut sets = UnionFind::<Key>::new(n - 1);
            assert_eq!(sets.push(), Key::new(n - 1));
            let mut label: Vec<usize> = (0..n).collect();
            for _ in 0..n {
                let (a, b) = (random.below(n), random.below(n));
                sets.union(Key::new(a), Key::new(b));
                let (from, to) = (label[a], label[b]);
                label.iter_mut().filter(|l| **l == from).for_each(|l| *l = to);
            }
            for a in 0..n {
                for b in 0..n {
                    assert_eq!(sets.find(Key::new(a)) == sets.find(Key::new(b)), label[a] == label[b]);
                }
            }
        }
    }
}
