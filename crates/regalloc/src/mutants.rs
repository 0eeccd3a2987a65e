//! Random single changes of machine code: what the verifier accepts goes through both allocators and the encoder, computes the same
//! before and after, and its text reads back.
//!
//! `MINI_MUTANTS=100 cargo test -p mini-regalloc mutants -- --nocapture` makes so many times as many and shows the shares.

use crate::allocate::{Allocator, Options, Verify, allocate};
use crate::execute::{Seen, execute};
use crate::registers::Supply;
use crate::sample::{Shape, sample};
use mini_base::testing::Random;
use mini_x64::encode::encode;
use mini_x64::mir::Mir;
use mini_x64::mir_mutate::{Kind, mutate};
use mini_x64::mir_text::{parse_mir, print_mir};
use mini_x64::mir_verify::{Stage, verify};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

const BRANCHES: usize = 60;

/// How many mutants of each kind were refused, do something else, do the same.
#[derive(Default)]
struct Shares(BTreeMap<Kind, [usize; 3]>);

impl Shares {
    fn show(&self, what: &str) -> [usize; 3] {
        let total = self.0.values().fold([0; 3], |sum, row| [0, 1, 2].map(|n| sum[n] + row[n]));
        let line = |name: &str, row: [usize; 3]| {
            let all = row.iter().sum::<usize>().max(1);
            let [refused, differs, same] = row.map(|n| format!("{:5.1}%", 100.0 * n as f64 / all as f64));
            println!("{name:26} {all:6} mutants: refused {refused}, differs {differs}, same {same}");
        };
        line(what, total);
        self.0.iter().for_each(|(kind, &row)| line(&format!("  {kind:?}"), row));
        total
    }
}

fn effort() -> u64 {
    std::env::var("MINI_MUTANTS").ok().and_then(|n| n.parse().ok()).unwrap_or(1)
}

fn small_samples() -> impl Iterator<Item = Mir> {
    let mut random = Random(9);
    (0..40).map(move |seed| {
        let shape = Shape {
            blocks: 1 + random.below(8),
            general: 1 + random.below(20),
            vector: random.below(18) + 1,
            insts: 1 + random.below(6),
        };
        sample(3000 + seed, shape)
    })
}

/// Two runs are the same as far as both went.
fn same(a: &Seen, b: &Seen) -> bool {
    let stopped = a.stopped || b.stopped;
    let common = if stopped { a.trace.len().min(b.trace.len()) } else { usize::MAX };
    a.trace.iter().take(common).eq(b.trace.iter().take(common)) && (stopped || a.branches == b.branches)
}

/// What must hold of code that the verifier accepts, before or after allocation.
fn reads_back(mir: &Mir) {
    let text = print_mir(mir);
    let again = parse_mir(&text).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(print_mir(&again), text, "the text reads back as something else");
}

fn allocates(mir: &Mir, seen: &Seen) {
    for allocator in [Allocator::SpillEverything, Allocator::LinearScan] {
        for supply in [Supply::All, Supply::Few] {
            let mut after = mir.clone();
            allocate(&mut after, Options { allocator, verify: Verify::Yes, supply });
            if let Err(errors) = verify(&after, Stage::Allocated) {
                panic!("{allocator:?}: {}\n{}", errors[0], print_mir(&after));
            }
            let then = execute(&after, BRANCHES);
            assert!(same(&then, seen), "{allocator:?}: it computes something else");
            reads_back(&after);
            encode(&after);
        }
    }
}

/// Judges mutants of a function; `onward` takes those that are accepted to the end of the compiler.
fn judge(mir: &Mir, stage: Stage, random: &mut Random, shares: &mut Shares, onward: impl Fn(&Mir, &Seen)) {
    let before = execute(mir, BRANCHES);
    for _ in 0..20 * effort() {
        let kind = Kind::ALL[random.below(Kind::ALL.len())];
        let mut mutant = mir.clone();
        if !mutate(&mut mutant, kind, random) {
            continue;
        }
        let verdict = catch_unwind(AssertUnwindSafe(|| {
            if verify(&mutant, stage).is_err() {
                return 0;
            }
            reads_back(&mutant);
            let after = execute(&mutant, BRANCHES);
            onward(&mutant, &after);
            if same(&before, &after) { 2 } else { 1 }
        }));
        match verdict {
            Ok(verdict) => shares.0.entry(kind).or_default()[verdict] += 1,
            Err(_) => panic!("{kind:?} of this (see above) made this:\n{}\n{}", print_mir(mir), print_mir(&mutant)),
        }
    }
}

#[test]
fn mutants_with_virtual_registers() {
    let (mut random, mut shares) = (Random(31), Shares::default());
    for mir in small_samples() {
        assert_eq!(verify(&mir, Stage::Virtual), Ok(()));
        judge(&mir, Stage::Virtual, &mut random, &mut shares, allocates);
    }
    let [refused, differs, same] = shares.show("with virtual registers");
    assert!(refused > same && differs > 0);
}

#[test]
fn mutants_with_registers() {
    let (mut random, mut shares) = (Random(32), Shares::default());
    for mir in small_samples() {
        for allocator in [Allocator::SpillEverything, Allocator::LinearScan] {
            let mut mir = mir.clone();
            allocate(&mut mir, Options { allocator, ..Options::default() });
            judge(&mir, Stage::Allocated, &mut random, &mut shares, |mutant, _| drop(encode(mutant)));
        }
    }
    let [refused, differs, same] = shares.show("with registers");
    assert!(refused > same && differs > 0);
}
