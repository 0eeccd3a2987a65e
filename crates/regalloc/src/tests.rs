//! Random functions through both allocators: judged, and executed before and after.

use crate::allocate::{Allocator, Options, Verify, allocate, plan};
use crate::allocation::{Allocation, Loc};
use crate::checker::check;
use crate::execute::execute;
use crate::intervals::Effect;
use crate::layout::Layout;
use crate::linear_scan;
use crate::registers::{Pool, Supply};
use crate::rewrite::rewrite;
use crate::sample::{Random, Shape, sample};
use crate::split::{Pieces, Why};
use mini_base::ids::Id;
use mini_x64::mir::{Mir, Reg, Slot};
use mini_x64::regs::PReg;

const SHAPES: [Shape; 5] = [
    Shape { blocks: 1, general: 4, vector: 2, insts: 10 },
    Shape { blocks: 6, general: 8, vector: 4, insts: 6 },
    Shape { blocks: 12, general: 20, vector: 18, insts: 6 },
    Shape { blocks: 30, general: 12, vector: 3, insts: 4 },
    Shape { blocks: 8, general: 40, vector: 30, insts: 12 },
];

fn samples(count: u64) -> impl Iterator<Item = (u64, Mir)> {
    (1..=count).map(|seed| (seed, sample(seed, SHAPES[seed as usize % SHAPES.len()])))
}

fn options() -> Vec<Options> {
    let mut all = Vec::new();
    for allocator in [Allocator::SpillEverything, Allocator::LinearScan] {
        for supply in [Supply::All, Supply::Few] {
            all.push(Options { allocator, verify: Verify::Yes, supply });
        }
    }
    all
}

#[test]
fn allocation_keeps_what_functions_compute() {
    let mut events = 0;
    for (seed, mir) in samples(300) {
        let before = execute(&mir, 200);
        events += before.trace.len();
        for options in options() {
            let mut after = mir.clone();
            allocate(&mut after, options);
            for block in after.blocks.iter() {
                for inst in &block.insts {
                    after.for_each_reg(inst, |reg, _| assert!(matches!(reg, Reg::P(_)), "no virtual register is left"));
                }
            }
            assert_eq!(execute(&after, 200), before, "seed {seed}, {options:?}");
        }
    }
    assert!(events > 1000, "the samples do something");
}

#[test]
#[ignore = "takes a while: many samples"]
fn many_samples() {
    let mut random = Random(4711);
    for seed in 1000..5000 {
        let shape = Shape {
            blocks: 1 + random.below(40),
            general: 1 + random.below(40),
            vector: 1 + random.below(30),
            insts: 1 + random.below(12),
        };
        let mir = sample(seed, shape);
        let before = execute(&mir, 100);
        for options in options() {
            let mut after = mir.clone();
            allocate(&mut after, options);
            assert_eq!(execute(&after, 100), before, "seed {seed}, {shape:?}, {options:?}");
        }
    }
}

/// The samples are worth something only if they bring about what is rare.
#[test]
fn samples_reach_the_rare_cases() {
    let (mut within, mut edges, mut critical, mut reloads) = (0, 0, 0, 0);
    for (_, mir) in samples(60) {
        let layout = Layout::new(&mir);
        for supply in [Supply::All, Supply::Few] {
            let outcome = linear_scan::run(&mir, &layout, &Pool::new(supply));
            let pieces = Pieces::again(outcome.pieces.clone(), &outcome.intervals, &layout);
            for piece in pieces.all.ids() {
                let data = pieces.all[piece];
                let sets = pieces.uses_at(piece, data.from).any(|u| u.effect == Effect::Sets);
                within += usize::from(data.from % 2 == 1 && !sets);
                reloads += usize::from(data.why == Why::Reload);
            }
            edges += outcome.allocation.edges.len();
            critical += rewrite(&mut mir.clone(), &layout, &outcome.allocation).blocks;
        }
    }
    println!(
        "{within} pieces start within an instruction, {edges} moves on edges, {critical} blocks for critical edges, {reloads} reloads"
    );
    assert!(within > 10 && edges > 100 && critical > 100 && reloads > 100);
}

/// One random change of an allocation; false if there was nothing to change.
fn corrupt(allocation: &mut Allocation, random: &mut Random) -> bool {
    let any = |random: &mut Random, slots: u32| {
        if slots > 0 && random.once_in(3) {
            Loc::Slot(Slot::new(random.below(slots as usize)))
        } else {
            Loc::Reg(PReg(random.below(32) as u8))
        }
    };
    let before = allocation.clone();
    let slots = allocation.slots;
    match random.below(6) {
        0..2 => {
            let Some(i) = pick(allocation.operands.len(), random) else {
                return false;
            };
            allocation.operands[i] = any(random, slots);
        }
        2 => {
            let (Some(i), Some(j)) = (pick(allocation.operands.len(), random), pick(allocation.operands.len(), random))
            else {
                return false;
            };
            allocation.operands.swap(i, j);
        }
        3 => {
            let Some(i) = pick(allocation.moves.len(), random) else {
                return false;
            };
            allocation.moves.remove(i);
        }
        4 => {
            let Some(i) = pick(allocation.moves.len(), random) else {
                return false;
            };
            let loc = any(random, slots);
            let m = &mut allocation.moves[i].1;
            if random.once_in(2) {
                m.to = loc
            } else {
                m.from = loc
            }
            allocation.sort();
        }
        _ => {
            let Some(i) = pick(allocation.edges.len(), random) else {
                return false;
            };
            if random.once_in(2) {
                allocation.edges.remove(i);
            } else {
                let loc = any(random, slots);
                allocation.edges[i].2.from = loc;
                allocation.sort();
            }
        }
    }
    before != *allocation
}

fn pick(len: usize, random: &mut Random) -> Option<usize> {
    (len > 0).then(|| random.below(len))
}

/// What the checker lets pass must compute the same; so some corruptions are harmless, and the rest is noticed.
#[test]
fn corrupted_allocations_are_noticed_or_harmless() {
    let mut random = Random(77);
    let (mut tried, mut noticed) = (0, 0);
    for (seed, mir) in samples(60) {
        let before = execute(&mir, 200);
        let layout = Layout::new(&mir);
        for options in options() {
            let good = plan(&mir, options);
            for _ in 0..12 {
                let mut bad = good.clone();
                if !corrupt(&mut bad, &mut random) {
                    continue;
                }
                tried += 1;
                match check(&mir, &layout, &bad) {
                    Err(_) => noticed += 1,
                    Ok(()) => {
                        let mut after = mir.clone();
                        rewrite(&mut after, &layout, &bad);
                        assert_eq!(
                            execute(&after, 200),
                            before,
                            "seed {seed}: the checker let a wrong allocation pass"
                        );
                    }
                }
            }
        }
    }
    println!("{noticed} of {tried} corruptions noticed");
    assert!(tried > 2000);
    assert!(noticed * 100 >= tried * 90, "{noticed} of {tried}");
}
