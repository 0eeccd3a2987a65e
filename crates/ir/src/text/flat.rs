//! Flat functions: lists of instructions with labels anywhere, read into blocks by the leaders, and printed.
//!
//! *In:* what the parser read between the braces of a `flat func`. *Out:* the blocks, as if they had been written; the first of the labels
//! before a leader is the block's, and a leader without one is called `b` and its number in the list. Where control runs into the
//! next block, a `jmp` is added. The other way, a TAC function as flat text or as a numbered list. *Cost:* linear.

use super::parse::{BlockText, EdgeText, FuncText, ImmText, InstText, LabelText, Sym, TextError};
use super::print::{Printer, push_name};
use crate::func::{Func, Imm};
use crate::leaders::{FlatInst, Flow, Then, Written, flatten, flow_of, leaders};
use crate::module::ModuleInfo;
use crate::op::Op;
use rustc_hash::FxHashSet;

/// Makes the blocks of a flat function.
pub(super) fn make_blocks(text: &str, func: &mut FuncText<'_>) -> Result<(), TextError> {
    let Some(labels) = func.flat.take() else { return Ok(()) };
    let count = func.insts.len();
    if let Some(&(label, _)) = labels.iter().find(|&&(_, at)| at == count) {
        let LabelText { offset, name, .. } = &func.labels[label as usize];
        return Err(TextError::at(text, *offset as usize, format!("no instruction follows the label `{name}`")));
    }
    let Some(last) = func.insts.last() else { return Ok(()) };
    let flow = flow_of_text(func, &labels);
    if flow[count - 1].then == Then::Follows {
        let message = "control runs off the end of the function behind this instruction".to_string();
        return Err(TextError::at(text, last.offset as usize, message));
    }
    let leaders = leaders(&flow);
    let names = block_names(func, &labels, leaders.iter().map(|leader| leader.at));
    let blocks: Vec<(usize, Sym)> = leaders.iter().map(|leader| leader.at).zip(names.iter().copied()).collect();
    rename_targets(func, &labels, &blocks);
    let insts = std::mem::take(&mut func.insts);
    let mut flow = flow.into_iter();
    let mut ends = leaders.iter().skip(1).map(|leader| leader.at).chain([count]);
    let mut end = 0;
    let mut block = 0;
    for (at, inst) in insts.into_iter().enumerate() {
        if at == end {
            let start = func.insts.len();
            func.blocks.push(BlockText {
                label: names[block],
                params: Vec::new(),
                phis: Vec::new(),
                insts: start..start,
            });
            end = ends.next().expect("an end for each leader");
            block += 1;
        }
        let runs_on = flow.next().is_some_and(|flow| flow.then == Then::Follows);
        push_inst(func, inst, (runs_on && at + 1 == end).then(|| names[block]));
        func.blocks.last_mut().expect("the first instruction begins a block").insts.end = func.insts.len();
    }
    Ok(())
}

/// Where control goes, with labels as places.
fn flow_of_text(func: &FuncText<'_>, labels: &[(Sym, usize)]) -> Vec<Flow> {
    let mut place = vec![0; func.labels.len()];
    for &(label, at) in labels {
        place[label as usize] = at;
    }
    let flow = |inst: &InstText<'_>| {
        let targets: Vec<usize> = inst.edges.clone().map(|edge| place[func.edges[edge].target as usize]).collect();
        let falls = !inst.op.is_terminator() || (inst.op == Op::Branch && targets.len() == 1);
        Flow { targets, then: if falls { Then::Follows } else { Then::Never } }
    };
    func.insts.iter().map(flow).collect()
}

/// The label of each block: the first of those at its leader, or a new one.
fn block_names(func: &mut FuncText<'_>, labels: &[(Sym, usize)], leaders: impl Iterator<Item = usize>) -> Vec<Sym> {
    let taken: FxHashSet<String> = func.labels.iter().map(|label| label.name.clone()).collect();
    let mut labels = labels.iter().peekable();
    let mut names = Vec::new();
    for at in leaders {
        while labels.next_if(|label| label.1 < at).is_some() {}
        names.push(match labels.peek() {
            Some(&&(label, place)) if place == at => label,
            _ => {
                let mut name = format!("b{}", at + 1);
                while taken.contains(&name) {
                    name.push('_');
                }
                let offset = func.insts[at].offset;
                func.labels.push(LabelText { offset, name, defined: true });
                func.labels.len() as Sym - 1
            }
        });
    }
    names
}

/// Lets every edge name its block by the label that the block has got.
fn rename_targets(func: &mut FuncText<'_>, labels: &[(Sym, usize)], blocks: &[(usize, Sym)]) {
    let mut block_of: Vec<Option<Sym>> = vec![None; func.labels.len()];
    for &(label, at) in labels {
        let found = blocks.binary_search_by_key(&at, |block| block.0);
        block_of[label as usize] = found.ok().map(|n| blocks[n].1);
    }
    for edge in &mut func.edges {
        edge.target = block_of[edge.target as usize].expect("what an edge leads to is a leader");
    }
}

/// Adds an instruction; if control runs on into a block, with the edge that says so: as its last one, or of a jump.
fn push_inst<'a>(func: &mut FuncText<'a>, mut inst: InstText<'a>, into: Option<Sym>) {
    let Some(target) = into else { return func.insts.push(inst) };
    let first = func.edges.len();
    let none = func.pool.len()..func.pool.len();
    if inst.op == Op::Branch {
        let taken = func.edges[inst.edges.start].clone();
        func.edges.extend([taken, EdgeText { target, args: none }]);
        inst.edges = first..first + 2;
        return func.insts.push(inst);
    }
    let offset = inst.offset;
    func.insts.push(inst);
    func.edges.push(EdgeText { target, args: none.clone() });
    func.insts.push(InstText {
        offset,
        op: Op::Jump,
        imm: ImmText::Done(Imm::None),
        results: none.clone(),
        args: none,
        edges: first..first + 1,
        result_types: Vec::new(),
    });
}

/// The text of a TAC function as a flat list. It reads back as the same function.
pub fn print_flat(func: &Func, info: &ModuleInfo) -> String {
    let mut printer = Printer::new(func, info);
    printer.head("flat ");
    for line in flatten(func) {
        if let Some(block) = line.label {
            printer.label(block);
            printer.out.push_str(":\n");
        }
        printer.out.push_str("  ");
        printer.flat_inst(line);
        printer.out.push('\n');
    }
    printer.out.push_str("}\n");
    printer.out
}

/// The numbered list of a TAC function, its leaders marked with the rules that make them so, and the blocks that they begin.
pub fn print_leaders(func: &Func, info: &ModuleInfo) -> String {
    let list = flatten(func);
    let leaders = leaders(&flow_of(func, &list));
    let inst_text = |line: &FlatInst| {
        let mut printer = Printer::new(func, info);
        printer.flat_inst(*line);
        printer.out
    };
    let label_text = |line: &FlatInst| {
        let mut out = String::new();
        line.label.iter().for_each(|&block| push_name(&mut out, &func.label(block)));
        out
    };
    let texts: Vec<(String, String)> = list.iter().map(|line| (label_text(line), inst_text(line))).collect();
    let widest = |texts: &mut dyn Iterator<Item = &String>| texts.map(|t| t.chars().count()).max().unwrap_or(0);
    let labels = widest(&mut texts.iter().map(|t| &t.0));
    let insts = widest(&mut texts.iter().map(|t| &t.1)).min(40);
    let mut out = format!("leaders of {}\n", func.name);
    let mut next = leaders.iter().peekable();
    for (at, (label, inst)) in texts.iter().enumerate() {
        let number = at + 1;
        let line = match next.next_if(|leader| leader.at == at) {
            None => format!("{number:>3}   {:labels$}   {inst}", ""),
            Some(leader) => {
                let rules = [
                    (at == 0).then(|| "rule 1".to_string()),
                    leader.target_of.map(|jump| format!("rule 2 by {}", jump + 1)),
                    leader.behind.map(|jump| format!("rule 3 by {}", jump + 1)),
                ];
                let rules = rules.into_iter().flatten().collect::<Vec<_>>().join(", ");
                format!("{number:>3} * {:width$}  {inst:insts$}  {rules}", format!("{label}:"), width = labels + 1)
            }
        };
        out += line.trim_end();
        out.push('\n');
    }
    out += &format!("blocks of {}\n", func.name);
    let ends = leaders.iter().skip(1).map(|leader| leader.at).chain([list.len()]);
    for (leader, end) in leaders.iter().zip(ends) {
        let (label, first) = (&texts[leader.at].0, leader.at + 1);
        let range = if first == end { first.to_string() } else { format!("{first}–{end}") };
        out += &format!("{label:labels$}  {range}\n");
    }
    out
}

impl Printer<'_> {
    fn flat_inst(&mut self, line: FlatInst) {
        match line.written {
            Written::Whole => self.inst(line.inst),
            Written::WithoutElse => {
                self.out.push_str(Op::Branch.name());
                self.operands(line.inst, " ");
                for edge in self.func.edges(line.inst).take(1) {
                    self.out.push_str(", ");
                    self.edge(edge);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::func::Block;
    use crate::text::{SsaStyle, parse_module, print_module};
    use crate::verify::verify_module;
    use mini_base::testing::Random;

    #[test]
    fn the_example_of_the_head_comment_is_true() {
        let head: Vec<&str> =
            include_str!("../leaders.rs").lines().map_while(|line| line.strip_prefix("//!")).collect();
        let fenced: Vec<String> = (head.split(|line| line.trim_start().starts_with("```")).skip(1).step_by(2))
            .map(|lines| lines.iter().map(|line| format!("{}\n", line.strip_prefix(' ').unwrap_or(line))).collect())
            .collect();
        let module = parse_module(&fenced[0]).expect("the example reads");
        verify_module(&module).expect("the example is valid");
        let func = module.funcs.iter().next().expect("a function");
        assert_eq!(print_leaders(func, &module.info), fenced[1]);
    }

    #[test]
    fn falling_into_labels_and_code_behind_a_jump() {
        let flat = "\
flat func main(c: bool, n: int) {
  switch n, 1: one, else other
one: also_one: unused:
  x = copy n
b4: ; begins no block, and keeps the name from the one that begins behind the jump
  br c, also_one
  unreachable
other:
  br c, other, one
b6:
  ret
}
";
        let module = parse_module(flat).expect("it reads");
        verify_module(&module).expect("it is valid");
        let blocks = "\
func main(c: bool, n: int) {
b1:
  switch n, 1: one, else other
one:
  x = copy n
  br c, one, b4_
b4_:
  unreachable
other:
  br c, other, one
b6:
  ret
}
";
        assert_eq!(print_module(&module, SsaStyle::Params), blocks);
    }

    #[test]
    fn what_is_no_flat_function_is_refused() {
        let cases = [
            ("  x = const 1\n", "2:3: control runs off the end"),
            ("  jmp a\nb:\n  ret\n", "2:7: there is no block `a`"),
            ("  jmp a\na:\n", "no instruction follows the label `a`"),
            ("a:\n", "no instruction follows the label `a`"),
            ("a:\n  ret\na:\n  ret\n", "4:1: there is a block `a` already"),
            ("a:\n  br c, a\n", "3:3: control runs off the end"),
            ("  x = phi [a: x]\n  ret\n", "expected an operation, found `phi`"),
            ("a(x: int):\n  ret\n", "expected `:`, found `(`"),
        ];
        for (body, wanted) in cases {
            let error = parse_module(&format!("flat func f(c: bool) {{\n{body}}}\n")).expect_err(body).to_string();
            assert!(error.contains(wanted), "{body}: {error}");
        }
        let error = parse_module("func f(c: bool) {\na:\n  br c, a\n}\n").expect_err("not flat");
        assert!(error.to_string().contains("expected `,`"), "{error}");
    }

    /// A line of a random flat function; label `l3` stands before line 3.
    #[derive(Clone, Copy)]
    enum Line {
        Const,
        Jump(usize),
        Fork(usize, Option<usize>),
        Return,
    }

    /// The lines that compute something in the order in which they run, up to a bound, and whether the run ended by itself.
    fn run_list(list: &[Line], mut choices: Random) -> (Vec<i64>, bool) {
        let (mut at, mut seen) = (0, Vec::new());
        for _ in 0..300 {
            at = match list[at] {
                Line::Const => {
                    seen.push(at as i64);
                    at + 1
                }
                Line::Jump(to) => to,
                Line::Fork(to, other) => {
                    if choices.once_in(2) {
                        to
                    } else {
                        other.unwrap_or(at + 1)
                    }
                }
                Line::Return => return (seen, true),
            };
        }
        (seen, false)
    }

    /// The same for the blocks.
    fn run_func(func: &Func, mut choices: Random) -> (Vec<i64>, bool) {
        let (mut block, mut seen) = (func.entry(), Vec::new());
        for _ in 0..300 {
            seen.extend(func.insts(block).filter_map(|inst| match func.imm(inst) {
                Imm::Int(n) => Some(n),
                _ => None,
            }));
            let edges: Vec<Block> = func.successors(block).map(|edge| func.edge_target(edge)).collect();
            block = match edges[..] {
                [] => return (seen, true),
                [only] => only,
                [first, second, ..] => {
                    if choices.once_in(2) {
                        first
                    } else {
                        second
                    }
                }
            };
        }
        (seen, false)
    }

    #[test]
    fn blocks_run_like_the_list() {
        let mut random = Random(11);
        let (mut ended, mut fell) = (0, 0);
        for round in 0..400 {
            let count = 1 + random.below(14);
            let mut list: Vec<Line> = (0..count)
                .map(|_| match random.below(8) {
                    0 => Line::Jump(random.below(count)),
                    1 => Line::Fork(random.below(count), Some(random.below(count))),
                    2 => Line::Fork(random.below(count), None),
                    3 => Line::Return,
                    _ => Line::Const,
                })
                .collect();
            list[count - 1] = Line::Return;
            let line = |(n, line): (usize, &Line)| match *line {
                Line::Const => format!("l{n}:\n  %{n} = const {n}\n"),
                Line::Jump(to) => format!("l{n}:\n  jmp l{to}\n"),
                Line::Fork(to, Some(other)) => format!("l{n}:\n  br c, l{to}, l{other}\n"),
                Line::Fork(to, None) => format!("l{n}:\n  br c, l{to}\n"),
                Line::Return => format!("l{n}:\n  ret\n"),
            };
            let text: String = list.iter().enumerate().map(line).collect();
            let module = parse_module(&format!("flat func main(c: bool) {{\n{text}}}\n")).expect("it reads");
            let func = module.funcs.iter().next().expect("a function");
            for seed in 0..8 {
                let choices = Random(round * 8 + seed);
                let (ours, theirs) = (run_func(func, choices.clone()), run_list(&list, choices));
                if ours.1 && theirs.1 {
                    assert_eq!(ours.0, theirs.0, "{text}");
                    ended += 1;
                }
                let both = ours.0.len().min(theirs.0.len());
                assert_eq!(ours.0[..both], theirs.0[..both], "{text}");
            }
            fell += func.blocks().filter(|&b| func.terminator(b).is_some_and(|t| func.op(t) == Op::Jump)).count();
            // And back: the list that is made of the blocks has them as its own.
            let flat = print_flat(func, &module.info);
            let again = parse_module(&flat).expect("it reads");
            assert_eq!(print_module(&again, SsaStyle::Params), print_module(&module, SsaStyle::Params), "{flat}");
        }
        assert!(ended > 500 && fell > 200, "the lists must be worth testing: {ended} {fell}");
    }
}
