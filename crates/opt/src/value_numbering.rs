//! Value numbering over the dominator tree: what was computed on every way here is not computed again.
//!
//! Two expressions with the same operation on the same values have the same value. The walk over the dominator tree keeps the expressions of the
//! blocks above in a scoped hash table: what is in the table was computed on every path from the entry. An expression that is found
//! there goes; its uses take the value that was found. The paper's map `VN` from names to value numbers is not needed:
//! replacing uses at once means that every operand *is* its value number when it is met.
//!
//! In each block, in this order:
//! 1. A phi (block parameter) is *meaningless* if all its arguments, but the phi itself, are one value: it is that value. It is *redundant*
//!    if an earlier phi of its block has the same arguments.
//! 2. Each instruction is first simplified (`simplify`), so that constants and identities take part.
//! 3. It is looked up under its operation and operands, in ascending order where they may be exchanged; new ones are entered.
//! 4. The block's children in the tree are walked, in reverse postorder, so that all predecessors of a join but those by
//!    retreating edges come before it; then its expressions are forgotten.
//!
//! *What may go.* Pure operations; and what may trap, divisions and checks: an equal one before it, on every path, did not trap on the same
//! operands, so this one does not either, and its result is the same. Nothing moves, so nothing traps earlier than it did.
//!
//! *In:* SSA. *Out:* SSA; unreachable blocks go. *Keeps:* blocks and edges, effects, the first of equal traps, order. *Breaks:* analyses of values.
//! *Cost:* O(instructions + arguments), expected, times `simplify`'s rules. *Source:* P. Briggs, K. Cooper, T. Simpson, Value Numbering, 1997,
//! section 4 (figure 4, DVNT). *Leaves:* equal values around a loop whose phis it can't know to be equal before the whole loop is walked
//! (partitioning finds them); expressions that were computed on some paths only; memory.
//!
//! Before:
//! ```text
//! ssa func f(x.1: int, y.1: int, c.1: bool) -> int {
//! entry1:
//!   %1 = add x.1, y.1
//!   check_bounds %1, x.1
//!   br c.1, then2, else3
//! then2:
//!   %2 = add y.1, x.1
//!   check_bounds %2, x.1
//!   %3 = neg %2
//!   jmp join4(%1, %3, %3)
//! else3:
//!   %4 = neg %1
//!   jmp join4(%1, %4, %4)
//! join4(a.1: int, b.1: int, d.1: int):
//!   %5 = neg %1
//!   %6 = sub b.1, d.1
//!   %7 = add a.1, %6
//!   ret %7
//! }
//! ```
//! After:
//! ```text
//! ssa func f(x.1: int, y.1: int, c.1: bool) -> int {
//! entry1:
//!   %1 = add x.1, y.1
//!   check_bounds %1, x.1
//!   br c.1, then2, else3
//! then2:
//!   %3 = neg %1
//!   jmp join4(%3)
//! else3:
//!   %4 = neg %1
//!   jmp join4(%4)
//! join4(b.1: int):
//!   %5 = neg %1
//!   %6 = const 0
//!   ret %1
//! }
//! ```

use crate::simplify::simplify;
use mini_analysis::dominator_tree::DominatorTree;
use mini_analysis::orders::reverse_postorder;
use mini_analysis::tree_walk::{Step, walk};
use mini_base::lists::Lists;
use mini_ir::cfg::Cfg;
use mini_ir::effects::effects;
use mini_ir::func::{Block, Func, Imm, Inst, Phase, Value};
use mini_ir::module::ModuleInfo;
use mini_ir::op::{Effects, Op};
use mini_ir::types::Type;
use mini_ssa::remove_unreachable;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Numbers the values of a function; tells how many changes there were.
pub fn run(func: &mut Func, info: &ModuleInfo) -> usize {
    assert_eq!(func.phase, Phase::Ssa, "values are numbered in SSA");
    let mut changes = remove_unreachable::run(func);
    let (cfg, tree) = (Cfg::new(func), DominatorTree::new(func));
    let below = reverse_postorder(func).into_iter().filter_map(|block| Some((tree.idom(block)?, block)));
    let children: Lists<Block, Block> = Lists::new(func.block_count(), below);
    let mut table = ScopedTable::default();
    for step in walk(tree.root(), |block| children.of(block)) {
        match step {
            Step::Enter(block) => {
                table.enter();
                changes += number_phis(func, &cfg, block) + number_instructions(func, info, &mut table, block);
            }
            Step::Leave(_) => table.leave(),
        }
    }
    changes
}

/// Replaces the meaningless and the redundant phis of a block.
fn number_phis(func: &mut Func, cfg: &Cfg, block: Block) -> usize {
    let phis = func.block_params(block).to_vec();
    let mut keep = vec![true; phis.len()];
    let mut redundant: FxHashMap<Vec<Value>, Value> = FxHashMap::default();
    for (n, &phi) in phis.iter().enumerate() {
        // Read anew for each phi: those before it may have been replaced.
        let args: Vec<Value> = cfg.incoming(block).iter().map(|&edge| func.edge_arg(edge, n)).collect();
        let mut others = args.iter().copied().filter(|&arg| arg != phi);
        let first = others.next().expect("a block that control can reach is reached from outside first");
        let same = match others.all(|arg| arg == first) {
            // It dominates this block: all edges into it but the phi's own bring it.
            true => first,
            false => *redundant.entry(args).or_insert(phi),
        };
        keep[n] = same == phi;
        func.replace_all_uses(phi, same);
    }
    let removed = keep.iter().filter(|&&kept| !kept).count();
    if removed > 0 {
        func.retain_block_params(block, |n| keep[n]);
        cfg.incoming(block).iter().for_each(|&edge| func.retain_edge_args(edge, |n| keep[n]));
    }
    removed
}

fn number_instructions(func: &mut Func, info: &ModuleInfo, table: &mut ScopedTable, block: Block) -> usize {
    let mut changes = 0;
    let mut next = func.first_inst(block);
    while let Some(inst) = next {
        next = func.next_inst(inst);
        changes += simplify(func, info, inst);
        if func.inst_block(inst).is_none() || !matches!(effects(func, inst), Effects::Pure | Effects::Trap) {
            continue;
        }
        if let Some(equal) = table.find_or_add(Expression::of(func, inst), inst) {
            for n in 0..func.results(inst).len() {
                func.replace_all_uses(func.results(inst)[n], func.results(equal)[n]);
            }
            func.remove_inst(inst);
            changes += 1;
        }
    }
    changes
}

/// What an instruction computes. The type tells `undef int` from `undef float`.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Expression {
    op: Op,
    imm: Imm,
    ty: Option<Type>,
    args: SmallVec<[Value; 3]>,
}

impl Expression {
    fn of(func: &Func, inst: Inst) -> Expression {
        let (op, imm) = (func.op(inst), func.imm(inst));
        let ty = func.results(inst).first().map(|&result| func.ty(result));
        let mut args: SmallVec<[Value; 3]> = func.args(inst).collect();
        if op.commutes() {
            args.sort_unstable();
        }
        Expression { op, imm, ty, args }
    }
}

/// The expressions of the blocks from the root down to here.
#[derive(Default)]
struct ScopedTable {
    found: FxHashMap<Expression, Inst>,
    /// The keys, in the order in which they came. None hides another, since what is found is not added.
    added: Vec<Expression>,
    /// How many that were when each block from the root to here was entered.
    entered: Vec<usize>,
}

impl ScopedTable {
    fn find_or_add(&mut self, expression: Expression, inst: Inst) -> Option<Inst> {
        if let Some(&equal) = self.found.get(&expression) {
            return Some(equal);
        }
        self.added.push(expression.clone());
        self.found.insert(expression, inst);
        None
    }

    fn enter(&mut self) {
        self.entered.push(self.added.len());
    }

    /// Forgets what was added in the block that was entered last.
    fn leave(&mut self) {
        let before = self.entered.pop().expect("a block is entered before it is left");
        for expression in self.added.drain(before..) {
            self.found.remove(&expression);
        }
    }
}
