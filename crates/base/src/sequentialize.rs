//! Parallel copies as sequences of moves, as few as possible.
//!
//! In a parallel copy all sources are read before any destination is written. Each destination has one source, so the
//! copy is a graph in which every location has at most one edge in: trees that hang off at most one cycle each.
//! A destination that no one has still to read is *ready* and can be written. Once a value has been copied somewhere, who
//! still wants it can take it from there (`loc`); so its first home, if it is to be overwritten, becomes ready with the
//! first copy that is made of it. In this way a cycle with a way out unwinds by itself. When nothing is ready and
//! something is left, only simple cycles are left: save one value in a temporary, or exchange along the cycle.
//!
//! *In:* the copies, each destination once; a source of `a`'s value is any location. *Out:* steps, to be executed in
//! order. *Cost:* linear (expected, by hashing). One move for each copy but those to itself, one more for each cycle that
//! nothing else copies from; a cycle of `k` locations takes `k + 1` moves or `k - 1` exchanges. No sequence is shorter.
//! *Source:* B. Boissinot et al., Revisiting Out-of-SSA Translation for Correctness, Code Quality, and Efficiency, 2009,
//! algorithm 1 (`ready`, `to_do`, `pred`, `loc`); L. Rideau, B. Serpette, X. Leroy, Tilting at windmills with Coq, 2008.
//! *Leaves:* constants are no locations; whoever copies them does so behind the steps, when all has been read. Moves between
//! two places in memory need a register of their own; see the caller.
//!
//! ```text
//! parcopy (b, c, a, d) ← (a, b, c, c)      d = c; c = b; b = a; a = d       no temporary: d has the value of c
//! parcopy (a, b) ← (b, a)                  t = a; a = b; b = t              or exchange a, b
//! ```

use rustc_hash::FxHashMap;
use std::hash::Hash;

/// One step of the sequence.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Step<L> {
    /// `dst = src`
    Copy {
        /// Where the value goes.
        dst: L,
        /// Where it is.
        src: L,
    },
    /// The values of both change places.
    Exchange {
        /// One location; it has its final value then.
        a: L,
        /// The other one.
        b: L,
    },
}

const NONE: u32 = u32::MAX;

/// Orders the copies `(destination, source)`. `temp` is asked once for each cycle that must be broken, with a location on
/// it (so that it can look at its class): `Some` is a location outside the parallel copy, whose value may be lost and
/// which is free again when the next cycle is asked for; `None` has the cycle done by exchanges.
///
/// Panics if a destination occurs twice, since that would lose a value silently.
pub fn sequentialize<L: Copy + Eq + Hash>(copies: &[(L, L)], mut temp: impl FnMut(L) -> Option<L>) -> Vec<Step<L>> {
    // Locations are known by small numbers from here on, in order of appearance.
    let mut locations = Locations { index: FxHashMap::default(), all: Vec::with_capacity(2 * copies.len()) };
    let mut pred: Vec<u32> = Vec::new();
    let mut to_do: Vec<u32> = Vec::new();
    for &(dst, src) in copies {
        let (b, a) = (locations.number(dst), locations.number(src));
        pred.resize(locations.all.len(), NONE);
        assert_eq!(pred[b as usize], NONE, "a destination of a parallel copy occurs once");
        pred[b as usize] = a;
        to_do.push(b);
    }
    let Locations { all, .. } = locations;

    // `loc[a]`: where the value that was in `a` at the start can be read; NONE as long as nobody wants it.
    let mut loc = vec![NONE; all.len()];
    for &b in &to_do {
        let a = pred[b as usize];
        loc[a as usize] = a;
    }
    let mut done = vec![false; all.len()];
    // Copies to itself are done. They still are readers: such a location is never ready, and never on a cycle with others.
    for &b in &to_do {
        done[b as usize] = pred[b as usize] == b;
    }
    let mut ready: Vec<u32> = to_do.iter().copied().filter(|&b| loc[b as usize] == NONE).collect();
    // Taken from the ends; this way the steps come in the order of the copies where there is a choice.
    ready.reverse();
    to_do.reverse();

    let mut steps = Vec::with_capacity(copies.len() + 1);
    while let Some(first) = to_do.last().copied() {
        while let Some(b) = ready.pop() {
            let a = pred[b as usize];
            let c = loc[a as usize];
            let src = all[c as usize];
            steps.push(Step::Copy { dst: all[b as usize], src });
            done[b as usize] = true;
            loc[a as usize] = b;
            // The value of `a` has just become safe in `b`: `a` can be overwritten, if it is to be. (It is done before only when
            // it is copied to itself.)
            if a == c && pred[a as usize] != NONE && !done[a as usize] {
                ready.push(a);
            }
        }
        to_do.pop();
        if done[first as usize] {
            continue;
        }
        // `first` is on a cycle that nothing hangs off any more: each location on it is read by the next only.
        match temp(all[first as usize]) {
            Some(temp) => {
                steps.push(Step::Copy { dst: temp, src: all[first as usize] });
                let mut b = first;
                while pred[b as usize] != first {
                    let a = pred[b as usize];
                    steps.push(Step::Copy { dst: all[b as usize], src: all[a as usize] });
                    done[b as usize] = true;
                    b = a;
                }
                steps.push(Step::Copy { dst: all[b as usize], src: temp });
                done[b as usize] = true;
            }
            None => {
                // The value that was in `first` travels down the cycle to where it belongs.
                let mut b = first;
                done[b as usize] = true;
                while pred[b as usize] != first {
                    let a = pred[b as usize];
                    steps.push(Step::Exchange { a: all[b as usize], b: all[a as usize] });
                    done[a as usize] = true;
                    b = a;
                }
            }
        }
    }
    steps
}

struct Locations<L> {
    index: FxHashMap<L, u32>,
    all: Vec<L>,
}

impl<L: Copy + Eq + Hash> Locations<L> {
    fn number(&mut self, location: L) -> u32 {
        *self.index.entry(location).or_insert_with(|| {
            self.all.push(location);
            self.all.len() as u32 - 1
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    const TEMP: usize = 99;

    /// Executes the steps on locations that hold their own numbers; what each of the copies should have brought is compared,
    /// and that nothing but destinations and the temporary has changed.
    fn check(copies: &[(usize, usize)], steps: &[Step<usize>]) {
        let mut state: FxHashMap<usize, usize> = FxHashMap::default();
        let get = |state: &FxHashMap<usize, usize>, l: usize| state.get(&l).copied().unwrap_or(l);
        for &step in steps {
            match step {
                Step::Copy { dst, src } => {
                    let value = get(&state, src);
                    state.insert(dst, value);
                }
                Step::Exchange { a, b } => {
                    let (x, y) = (get(&state, a), get(&state, b));
                    state.extend([(a, y), (b, x)]);
                }
            }
        }
        let wanted: FxHashMap<usize, usize> = copies.iter().copied().collect();
        for (&location, &value) in &state {
            if location != TEMP {
                assert_eq!(
                    value,
                    wanted.get(&location).copied().unwrap_or(location),
                    "{location} in {copies:?}: {steps:?}"
                );
            }
        }
        for (&location, &value) in &wanted {
            assert_eq!(get(&state, location), value, "{location} in {copies:?}: {steps:?}");
        }
    }

    /// Moves that the copies cost at least, counted in another way: copies but self copies, and cycles that no
    /// other copy reads from, with their total length.
    fn least(copies: &[(usize, usize)]) -> (usize, usize, usize) {
        let pred: FxHashMap<usize, usize> = copies.iter().copied().filter(|(d, s)| d != s).collect();
        let (mut closed, mut on_closed) = (0, 0);
        for &start in pred.keys() {
            let mut cycle = vec![start];
            while let Some(&next) = pred.get(cycle.last().expect("not empty")) {
                if next == start || cycle.len() > pred.len() {
                    break;
                }
                cycle.push(next);
            }
            let returns = pred.get(cycle.last().expect("not empty")) == Some(&start);
            let first = cycle.iter().min() == Some(&start);
            let alone = pred.iter().all(|(d, s)| cycle.contains(d) || !cycle.contains(s));
            if returns && first && alone {
                closed += 1;
                on_closed += cycle.len();
            }
        }
        (pred.len(), closed, on_closed)
    }

    fn check_both_ways(copies: &[(usize, usize)]) {
        let (moves, closed, on_closed) = least(copies);
        let steps = sequentialize(copies, |_| Some(TEMP));
        check(copies, &steps);
        assert_eq!(steps.len(), moves + closed, "{copies:?}: {steps:?}");
        let steps = sequentialize(copies, |_| None);
        check(copies, &steps);
        assert_eq!(steps.len(), moves - closed, "{copies:?}: {steps:?}");
        let exchanges = steps.iter().filter(|s| matches!(s, Step::Exchange { .. })).count();
        assert_eq!(exchanges, on_closed - closed, "{copies:?}: {steps:?}");
    }

    #[test]
    fn every_parallel_copy_of_up_to_five_locations() {
        for n in 0..=5usize {
            // For each location a source, or none.
            for mut code in 0..(n + 1).pow(n as u32) {
                let mut copies = Vec::new();
                for dst in 0..n {
                    if code % (n + 1) < n {
                        copies.push((dst, code % (n + 1)));
                    }
                    code /= n + 1;
                }
                check_both_ways(&copies);
            }
        }
    }

    #[test]
    fn random_larger_ones() {
        let mut random = Random(5);
        for _ in 0..2000 {
            let n = 1 + random.below(40);
            let permutation = random.below(2) == 0;
            let mut sources: Vec<usize> = (0..n).collect();
            for i in 0..n {
                let j = random.below(n);
                if permutation { sources.swap(i, j) } else { sources[i] = j }
            }
            let mut copies: Vec<(usize, usize)> =
                sources.into_iter().enumerate().filter(|_| random.below(8) > 0).collect();
            for i in 0..copies.len() {
                copies.swap(i, random.below(i + 1));
            }
            check_both_ways(&copies);
        }
    }

    #[test]
    fn the_examples_of_the_head_comment() {
        let copy = |dst, src| Step::Copy { dst, src };
        let some = |_| Some('t');
        let steps = sequentialize(&[('b', 'a'), ('c', 'b'), ('a', 'c'), ('d', 'c')], some);
        assert_eq!(steps, [copy('d', 'c'), copy('c', 'b'), copy('b', 'a'), copy('a', 'd')]);
        let swap = [('a', 'b'), ('b', 'a')];
        assert_eq!(sequentialize(&swap, some), [copy('t', 'a'), copy('a', 'b'), copy('b', 't')]);
        assert_eq!(sequentialize(&swap, |_| None), [Step::Exchange { a: 'a', b: 'b' }]);
    }

    #[test]
    fn a_cycle_of_a_million_is_linear() {
        let n = 1_000_000u32;
        let copies: Vec<(u32, u32)> = (0..n).map(|i| (i, (i + 1) % n)).collect();
        assert_eq!(sequentialize(&copies, |_| Some(n)).len(), n as usize + 1);
    }

    #[test]
    #[should_panic(expected = "a destination of a parallel copy occurs once")]
    fn two_sources_for_one_destination_are_refused() {
        sequentialize(&[(0, 1), (0, 2)], |_| None);
    }
}
