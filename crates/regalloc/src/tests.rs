//! Random functions through both allocators: judged, and executed before and after.

use crate::allocate::{Allocator, Options, Verify, allocate, plan};
use crate::allocation::{Allocation, Loc, Move};
use crate::checker::check;
use crate::execute::execute;
use crate::intervals::Effect;
use crate::linear_scan;
use crate::numbering::Numbering;
use crate::registers::{Pool, Supply};
use crate::rewrite::rewrite;
use crate::sample::{Shape, sample};
use crate::split::{Pieces, Why};
use mini_base::ids::Id;
use mini_base::testing::Random;
use mini_x64::mir::{Mir, Slot};
use mini_x64::mir_text::{parse_mir, print_mir};
use mini_x64::mir_verify::{Stage, verify};
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
        if let Err(errors) = verify(&mir, Stage::Virtual) {
            panic!("seed {seed}: {}", errors[0]);
        }
        let before = execute(&mir, 200);
        events += before.trace.len();
        for options in options() {
            let mut after = mir.clone();
            allocate(&mut after, options);
            if let Err(errors) = verify(&after, Stage::Allocated) {
                panic!("seed {seed}, {options:?}: {}", errors[0]);
            }
            assert_eq!(execute(&after, 200), before, "seed {seed}, {options:?}");
        }
    }
    assert!(events > 1000, "the samples do something");
}

/// Functions of all shapes; `MINI_SAMPLES=4000` makes a long run of it.
#[test]
fn samples_of_all_shapes() {
    let mut random = Random(4711);
    let count: u64 = std::env::var("MINI_SAMPLES").ok().and_then(|n| n.parse().ok()).unwrap_or(200);
    for seed in 1000..1000 + count {
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
        let numbering = Numbering::new(&mir);
        for supply in [Supply::All, Supply::Few] {
            let outcome = linear_scan::run(&mir, &numbering, &Pool::new(supply));
            let pieces = Pieces::again(outcome.pieces.clone(), &outcome.intervals, &numbering);
            for piece in pieces.all.ids() {
                let data = pieces.all[piece];
                let sets = pieces.uses_at(piece, data.from).any(|u| u.effect == Effect::Sets);
                within += usize::from(data.from % 2 == 1 && !sets);
                reloads += usize::from(data.why == Why::Reload);
            }
            edges += outcome.allocation.edges.len();
            critical += rewrite(&mut mir.clone(), &numbering, &outcome.allocation).blocks;
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
    match random.below(9) {
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
        // A move comes at another point, alone or once more.
        5 | 6 => {
            let (Some(i), Some(j)) = (pick(allocation.moves.len(), random), pick(allocation.moves.len(), random))
            else {
                return false;
            };
            let moved = (allocation.moves[j].0, allocation.moves[i].1);
            if random.once_in(2) {
                allocation.moves[i] = moved;
            } else {
                allocation.moves.push(moved);
            }
            allocation.sort();
        }
        // An edge's move is another edge's.
        7 => {
            let (Some(i), Some(j)) = (pick(allocation.edges.len(), random), pick(allocation.edges.len(), random))
            else {
                return false;
            };
            (allocation.edges[i].0, allocation.edges[i].1) = (allocation.edges[j].0, allocation.edges[j].1);
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
    let effort: usize = std::env::var("MINI_MUTANTS").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    let mut random = Random(77);
    let (mut tried, mut noticed) = (0, 0);
    for (seed, mir) in samples(60) {
        let before = execute(&mir, 200);
        let numbering = Numbering::new(&mir);
        for options in options() {
            let good = plan(&mir, options);
            for _ in 0..12 * effort {
                let mut bad = good.clone();
                if !corrupt(&mut bad, &mut random) {
                    continue;
                }
                tried += 1;
                match check(&mir, &numbering, &bad) {
                    Err(_) => noticed += 1,
                    Ok(()) => {
                        let mut after = mir.clone();
                        rewrite(&mut after, &numbering, &bad);
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
    assert!(noticed * 100 >= tried * 85, "{noticed} of {tried}");
}

/// The allocation that puts registers where a list says: v0, v1 and so on, everywhere.
fn by_hand(mir: &Mir, homes: &[Loc]) -> Allocation {
    let mut allocation = Allocation { slots: 9, ..Allocation::default() };
    allocation.fill(mir, &Numbering::new(mir), |_, vreg, _| homes[vreg.index()]);
    allocation
}

/// The instructions of a function with one block, rewritten by hand.
fn rewritten(body: &str, homes: &[Loc]) -> String {
    rewritten_in(&vec!["general"; homes.len()], body, homes)
}

/// The same with the classes of the registers.
fn rewritten_in(classes: &[&str], body: &str, homes: &[Loc]) -> String {
    let vregs: String = classes.iter().enumerate().map(|(i, class)| format!("  v{i}: {class}\n")).collect();
    let text = format!("mir \"f\" {{\n{vregs}b1:\n  {body}\n  ret\n}}\n");
    let mut mir = parse_mir(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let allocation = by_hand(&mir, homes);
    let numbering = Numbering::new(&mir);
    rewrite(&mut mir, &numbering, &allocation);
    let text = print_mir(&mir);
    let start = text.find("b1:").expect("the block") + 3;
    let end = text.find("ret").expect("the end");
    text[start..end].split('\n').map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("; ")
}

fn slot(n: usize) -> Loc {
    Loc::Slot(Slot::new(n))
}

#[test]
fn spilled_operands_become_memory_where_the_instruction_can_do_that() {
    let (rax, rcx) = (Loc::Reg(PReg::RAX), Loc::Reg(PReg::RCX));
    assert_eq!(rewritten("mov v0, v1", &[slot(0), rax]), "mov [slot0], rax");
    assert_eq!(rewritten("mov v0, v1", &[rax, slot(3)]), "mov rax, [slot3]");
    assert_eq!(rewritten("imul v0, v1", &[rax, slot(1)]), "imul rax, [slot1]");
    assert_eq!(rewritten("cmp v0, v1", &[rcx, slot(1)]), "cmp rcx, [slot1]");
    assert_eq!(rewritten("neg v0", &[slot(2)]), "neg [slot2]");
}

#[test]
fn two_spilled_operands_go_through_the_scratch_register() {
    assert_eq!(rewritten("add v0, v1", &[slot(0), slot(1)]), "mov r11, [slot1]; add [slot0], r11");
    assert_eq!(rewritten("mov v0, 81985529216486895", &[slot(0)]), "mov r11, 81985529216486895; mov [slot0], r11");
}

#[test]
fn moves_to_the_same_place_vanish_but_not_those_that_clear() {
    let rcx = Loc::Reg(PReg::RCX);
    assert_eq!(rewritten("mov v0, v1", &[rcx, rcx]), "");
    assert_eq!(rewritten("mov.32 v0, v1", &[rcx, rcx]), "mov.32 rcx, rcx");
}

#[test]
fn parallel_copies_become_moves_in_sequence() {
    let (rax, rcx) = (Loc::Reg(PReg::RAX), Loc::Reg(PReg::RCX));
    assert_eq!(rewritten("parcopy v0 <- v1, v1 <- v0", &[rax, rcx]), "mov r11, rax; mov rax, rcx; mov rcx, r11");
    // Two slots change places: the cycle waits in the other class's scratch register.
    assert_eq!(
        rewritten("parcopy v0 <- v1, v1 <- v0", &[slot(0), slot(1)]),
        "movsd xmm15, [slot0]; mov r11, [slot1]; mov [slot0], r11; movsd [slot1], xmm15"
    );
    // A value that goes to a register and to a slot is not read back from the slot.
    assert_eq!(
        rewritten("parcopy v0 <- v2, v1 <- v2, v3 <- 7", &[slot(0), rcx, rax, slot(1)]),
        "mov [slot0], rax; mov rcx, rax; mov [slot1], 7"
    );
}

#[test]
fn parallel_copies_of_both_classes_are_one() {
    // The float in slot0 is read for the last time, and the int moves in; and the other way round in slot1.
    let classes = ["vector", "general", "vector", "general"];
    let float = Loc::Reg(PReg::XMM0);
    assert_eq!(
        rewritten_in(&classes, "parcopy v1 <- v3, v0 <- v2", &[float, slot(0), slot(0), slot(1)]),
        "movsd xmm0, [slot0]; mov r11, [slot1]; mov [slot0], r11"
    );
    assert_eq!(
        rewritten_in(&classes, "parcopy v1 <- v3, v0 <- v2", &[slot(1), slot(0), slot(0), slot(1)]),
        "movsd xmm15, [slot0]; mov r11, [slot1]; mov [slot0], r11; movsd [slot1], xmm15"
    );
}

#[test]
fn a_critical_edge_gets_a_block_of_its_own() {
    let text = "mir \"f\" {\n  v0: general\nb1:\n  parcopy v0 <- rdi\n  cmp v0, 1\n  jcc.l b3\n  jmp b2\nb2:\n  jmp b3\nb3:\n  \
                parcopy rax <- v0\n  ret rax\n}\n";
    let mut mir = parse_mir(text).expect("the text is right");
    let (first, last) = (mir.order[0], mir.order[2]);
    let rcx = Loc::Reg(PReg::RCX);
    let mut allocation = by_hand(&mir, &[rcx]);
    *allocation.operands.last_mut().expect("v0 is read") = slot(0);
    let m = Move { to: slot(0), from: rcx, vreg: mini_x64::mir::VReg::new(0) };
    allocation.edges.push((first, last, m));
    let numbering = Numbering::new(&mir);
    let errors = check(&mir, &numbering, &allocation).expect_err("the other edge has no move");
    assert_eq!(errors[0].to_string(), "b3: instruction 0: v0 at slot0: the place holds nothing known");
    allocation.edges.push((mir.order[1], last, m));
    check(&mir, &numbering, &allocation).expect("both edges bring the value");
    let written = rewrite(&mut mir, &numbering, &allocation);
    assert_eq!((written.blocks, written.stores), (1, 2));
    let text = print_mir(&mir);
    assert!(text.contains("jcc.l b1_b3\n"), "{text}");
    assert!(text.contains("b1_b3:\n  mov [slot0], rcx\n  jmp b3\n"), "{text}");
}
