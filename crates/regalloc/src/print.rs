//! Live intervals and what became of them, as a table for people (`minic emit intervals`).
//!
//! One line a piece: the virtual register with its name, the ranges, where it lives, why it starts there, its uses. Positions are 2i where
//! instruction i reads and 2i + 1 where it writes; a list of the blocks says where each starts. A use is
//! marked by what it wants: `!` a register, nothing: a register rather, `~` either; `o` is the end of a loop.
//!
//! ```text
//! register  ranges            home   why             uses
//! v1 s.2    [1, 9)            rdi    start           1! 4 8~
//!           [9, 20)           slot0  rdi taken       12
//! ```

use crate::allocate::Options;
use crate::allocation::{Loc, Side};
use crate::intervals::Want;
use crate::linear_scan::{self, Outcome};
use crate::numbering::Numbering;
use crate::registers::Pool;
use crate::split::{Home, Pieces};
use mini_x64::mir::Mir;
use std::fmt::Write;

/// Allocates by linear scan and prints the pieces of all intervals. The function stays as it is.
pub fn intervals(mir: &Mir, options: Options) -> String {
    let numbering = Numbering::new(mir);
    let outcome = linear_scan::run(mir, &numbering, &Pool::new(options.supply));
    table(mir, &numbering, &outcome)
}

/// Prints the pieces of all intervals.
pub fn table(mir: &Mir, numbering: &Numbering, outcome: &Outcome) -> String {
    let pieces = Pieces::again(outcome.pieces.clone(), &outcome.intervals, numbering);
    let mut rows = vec![["register", "ranges", "home", "why", "uses"].map(String::from)];
    for (index, list) in pieces.by_vreg(mir.vregs.len()).iter().enumerate() {
        for (i, &piece) in list.iter().enumerate() {
            let data = pieces.all[piece];
            let name = match (i, &mir.vregs[data.vreg].name) {
                (0, Some(name)) => format!("v{index} {name}"),
                (0, None) => format!("v{index}"),
                _ => String::new(),
            };
            let ranges: Vec<String> = pieces.ranges(piece).map(|r| format!("[{}, {})", r.from, r.to)).collect();
            let home = match data.home {
                Home::Reg(reg) => reg.to_string(),
                Home::Memory => match outcome.slots.get(data.vreg) {
                    Some(Some(slot)) => slot.to_string(),
                    Some(None) | None => "memory".to_string(),
                },
                Home::Open => "?".to_string(),
            };
            let uses = pieces.uses(piece).iter().map(|u| {
                let mark = match u.want {
                    Want::Register => "!",
                    Want::Rather => "",
                    Want::Either => "~",
                    Want::LoopEnd => "o",
                };
                format!("{}{mark}", u.at)
            });
            let uses: Vec<String> = uses.collect();
            rows.push([name, ranges.join(" "), home, data.why.to_string(), uses.join(" ")]);
        }
    }
    let mut widths = [0; 4];
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            // Very long cells push only their own row out of line.
            *width = (*width).max(cell.chars().count().min(40));
        }
    }
    let mut text = format!("fn {}\n", mir.name);
    for &block in &numbering.order {
        let data = &mir.blocks[block];
        let (start, stop) = (numbering.start(block), numbering.stop(block));
        writeln!(text, "{}: [{start}, {stop}), in {} loops", data.label, data.loop_depth).expect("a string takes all");
    }
    for row in &rows {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(widths) {
            write!(line, "{cell:width$}  ").expect("a string takes all");
        }
        line.push_str(&row[4]);
        text.push_str(line.trim_end());
        text.push('\n');
    }
    moves(mir, outcome, &mut text);
    text
}

/// The moves between pieces.
fn moves(mir: &Mir, outcome: &Outcome, text: &mut String) {
    let place = |loc: Loc| loc.to_string();
    for (point, m) in &outcome.allocation.moves {
        let side = match point.side {
            Side::Before => "before",
            Side::After => "behind",
        };
        writeln!(text, "{side} {}: {} <- {}  {}", 2 * point.inst, place(m.to), place(m.from), m.vreg)
            .expect("a string takes all");
    }
    for (from, to, m) in &outcome.allocation.edges {
        let (from, to) = (&mir.blocks[*from].label, &mir.blocks[*to].label);
        writeln!(text, "{from} -> {to}: {} <- {}  {}", place(m.to), place(m.from), m.vreg).expect("a string takes all");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{Build, fixed, read, write};
    use mini_base::ids::Id;
    use mini_x64::code::{CodeId, Target};
    use mini_x64::mir::{Operand, Role};
    use mini_x64::op::MOp;
    use mini_x64::regs::{PReg, RegClass};

    /// A parameter that lives across a call and is used so often behind it.
    fn across_a_call(uses: usize) -> String {
        let mut build = Build::new(1, 1);
        let v = build.vreg(RegClass::General);
        build.op(MOp::ParallelCopy, &[write(v), fixed(PReg::RDI, Role::Use)]);
        build.op(MOp::Call, &[Operand::Target(Target::Function(CodeId::new(0))), fixed(PReg::RAX, Role::Def)]);
        for _ in 0..uses {
            build.op(MOp::Add, &[fixed(PReg::RAX, Role::Mod), read(v)]);
        }
        build.op(MOp::Ret, &[fixed(PReg::RAX, Role::Use)]);
        intervals(&build.mir, Options::default())
    }

    /// The example of `linear_scan`.
    #[test]
    fn a_value_that_is_used_once_behind_a_call_is_spilled() {
        let expected = "fn sample\n\
                        b0: [0, 8), in 0 loops\n\
                        register  ranges  home   why    uses\n\
                        v0        [1, 5)  slot0  start  1~ 4\n";
        assert_eq!(across_a_call(1), expected);
    }

    #[test]
    fn a_value_that_is_used_often_behind_a_call_gets_a_register_that_the_call_keeps() {
        let expected = "fn sample\n\
                        b0: [0, 12), in 0 loops\n\
                        register  ranges  home  why    uses\n\
                        v0        [1, 9)  rbx   start  1~ 4 6 8\n";
        assert_eq!(across_a_call(3), expected);
    }
}
