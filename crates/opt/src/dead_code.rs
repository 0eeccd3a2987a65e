//! Dead-code elimination: what nothing needed uses goes, instructions and block parameters.
//!
//! Everything is taken for dead until it is known to be needed. *Roots* are the instructions that do something besides computing
//! results: what may trap, writes, calls, and the terminators. Needed are the roots, and what defines a value that something needed
//! uses. For a block parameter (phi) that is the argument for it on each edge into its block. So values that only feed each other around a
//! loop are never reached and go, where counting uses would keep them.
//!
//! *In:* SSA. *Out:* SSA; unreachable blocks go. *Keeps:* blocks and edges, so loops that may not end; traps (but divisions by a constant other than zero), effects,
//! order. *Breaks:* analyses of values. *Cost:* O(instructions + arguments).
//! *Source:* R. Cytron et al., Efficiently Computing Static Single Assignment Form and the Control Dependence Graph, 1991, section 7.1
//! (figure 14), without its control dependence: all branches are live. *Leaves:* branches that decide nothing; stores
//! that nothing reads.
//!
//! Before:
//! ```text
//! ssa func f(n.1: int, m.1: int) -> int {
//! entry1:
//!   %1 = const 0
//!   %2 = const 1
//!   jmp head2(%1, %1)
//! head2(i.1: int, unused.1: int):
//!   unused.2 = add unused.1, i.1
//!   %3 = div n.1, i.1
//!   %4 = add i.1, %2
//!   %5 = lt %4, m.1
//!   br %5, head2(%4, unused.2), exit3
//! exit3:
//!   %6 = div m.1, %2
//!   %7 = neg %6
//!   ret n.1
//! }
//! ```
//! After (the division in the loop may trap):
//! ```text
//! ssa func f(n.1: int, m.1: int) -> int {
//! entry1:
//!   %1 = const 0
//!   %2 = const 1
//!   jmp head2(%1)
//! head2(i.1: int):
//!   %3 = div n.1, i.1
//!   %4 = add i.1, %2
//!   %5 = lt %4, m.1
//!   br %5, head2(%4), exit3
//! exit3:
//!   ret n.1
//! }
//! ```

use mini_base::bitset::BitSet;
use mini_ir::cfg::Cfg;
use mini_ir::effects::can_be_dropped;
use mini_ir::func::{Block, Def, Func, Inst, Phase, Value};
use mini_ssa::remove_unreachable;

/// Removes what is not needed; tells how many blocks, instructions and parameters that were.
pub fn run(func: &mut Func) -> usize {
    assert_eq!(func.phase, Phase::Ssa, "dead code is found in SSA");
    let removed = remove_unreachable::run(func);
    let cfg = Cfg::new(func);
    let live = Marking::of(func, &cfg);
    removed + func.layout().to_vec().into_iter().map(|block| sweep(func, &cfg, &live, block)).sum::<usize>()
}

/// What is needed, as far as it was found.
struct Marking {
    insts: BitSet<Inst>,
    values: BitSet<Value>,
    worklist: Vec<Value>,
}

impl Marking {
    fn of(func: &Func, cfg: &Cfg) -> Marking {
        let mut live = Marking {
            insts: BitSet::new(func.inst_count()),
            values: BitSet::new(func.value_count()),
            worklist: Vec::new(),
        };
        for inst in func.blocks().flat_map(|block| func.insts(block)).filter(|&inst| !can_be_dropped(func, inst)) {
            live.mark_inst(func, inst);
        }
        while let Some(value) = live.worklist.pop() {
            match func.def(value) {
                Def::Result(inst, _) => live.mark_inst(func, inst),
                Def::BlockParam(block, n) => {
                    cfg.incoming(block).iter().for_each(|&edge| live.mark_value(func.edge_arg(edge, n as usize)));
                }
                Def::FuncParam(_) => {}
                Def::None | Def::Variable => unreachable!("a value in use has a definition in SSA; rules 11 and 12"),
            }
        }
        live
    }

    /// Its operands are needed; the arguments of its edges only if the parameters are.
    fn mark_inst(&mut self, func: &Func, inst: Inst) {
        if self.insts.insert(inst) {
            func.args(inst).for_each(|arg| self.mark_value(arg));
        }
    }

    fn mark_value(&mut self, value: Value) {
        if self.values.insert(value) {
            self.worklist.push(value);
        }
    }
}

/// Removes from a block, and from the edges into it, what is not marked.
fn sweep(func: &mut Func, cfg: &Cfg, live: &Marking, block: Block) -> usize {
    let params: Vec<bool> = func.block_params(block).iter().map(|&param| live.values.contains(param)).collect();
    let mut removed = params.iter().filter(|&&live| !live).count();
    if removed > 0 {
        func.retain_block_params(block, |n| params[n]);
        cfg.incoming(block).iter().for_each(|&edge| func.retain_edge_args(edge, |n| params[n]));
    }
    let mut next = func.last_inst(block);
    while let Some(inst) = next {
        next = func.prev_inst(inst);
        if !live.insts.contains(inst) {
            func.remove_inst(inst);
            removed += 1;
        }
    }
    removed
}
