//! Where values are defined and where they are used before any definition, block by block: what per-variable liveness and
//! the placement of phis start from.
//!
//! A use is *upward exposed* when no definition stands before it in its block, so that the value comes from a
//! predecessor. Operands are read before results are written, and an edge's arguments are read by the terminator that the
//! edge belongs to.
//!
//! *In:* a function of any phase. *Out:* for each value the blocks that define it and those with an upward-exposed use,
//! each block once, in layout order. *Keeps:* everything. *Cost:* O(instructions + operands + values).
//! *Source:* A. Aho et al., Compilers, 2nd edition 2006, section 9.2.5 (`def` and `use` sets of blocks).
//! *Leaves:* function parameters of SSA are defined by the entry block; those of TAC are defined before it, so
//! that a loop back to the entry sees what the last round assigned.
//!
//! ```text
//! func loop(c: bool) -> int {
//! entry1:
//!   %1 = const 0
//!   i = copy %1
//!   jmp head2
//! head2:
//!   br c, body3, exit4
//! body3:
//!   %2 = add i, i
//!   i = copy %2
//!   jmp head2
//! exit4:
//!   ret i
//! }
//! ```
//! gives
//! ```text
//! c:  defs -             exposed head2
//! i:  defs entry1 body3  exposed body3 exit4
//! %1: defs entry1        exposed -
//! %2: defs body3         exposed -
//! ```

use mini_base::ids::{Id, IdVec};
use mini_base::lists::Lists;
use mini_ir::func::{Block, Def, Func, Value};

/// Definitions and upward-exposed uses of the chosen values.
#[derive(Clone, Debug)]
pub struct Occurrences {
    defs: Lists<Value, Block>,
    exposed: Lists<Value, Block>,
}

impl Occurrences {
    /// Collects the occurrences of all values.
    pub fn of_all(func: &Func) -> Occurrences {
        Occurrences::collect(func, |_| true)
    }

    /// Collects the occurrences of named variables only (TAC).
    pub fn of_variables(func: &Func) -> Occurrences {
        Occurrences::collect(func, |value| func.def(value) == Def::Variable)
    }

    fn collect(func: &Func, wanted: impl Fn(Value) -> bool) -> Occurrences {
        let mut defs = Pairs::new(func.value_count());
        let mut exposed = Pairs::new(func.value_count());
        for (position, block) in func.blocks().enumerate() {
            if position == 0 {
                for &param in func.params.iter().filter(|&&p| wanted(p) && func.def(p) != Def::Variable) {
                    defs.add(param, block);
                }
            }
            for &param in func.block_params(block).iter().filter(|&&p| wanted(p)) {
                defs.add(param, block);
            }
            for inst in func.insts(block) {
                for value in func.args(inst).filter(|&v| wanted(v)) {
                    if !defs.ends_with(value, block) {
                        exposed.add(value, block);
                    }
                }
                for edge in func.edges(inst) {
                    for value in func.edge_args(edge).filter(|&v| wanted(v)) {
                        if !defs.ends_with(value, block) {
                            exposed.add(value, block);
                        }
                    }
                }
                for &value in func.results(inst).iter().filter(|&&v| wanted(v)) {
                    defs.add(value, block);
                }
            }
        }
        Occurrences { defs: defs.into_lists(), exposed: exposed.into_lists() }
    }

    /// The blocks that define the value.
    pub fn defs(&self, value: Value) -> &[Block] {
        of(&self.defs, value)
    }

    /// The blocks with an upward-exposed use of the value.
    pub fn exposed(&self, value: Value) -> &[Block] {
        of(&self.exposed, value)
    }
}

/// Pairs of value and block while they are collected; pairs of one block come without others between.
struct Pairs {
    pairs: Vec<(Value, Block)>,
    newest: IdVec<Value, Option<Block>>,
}

impl Pairs {
    fn new(values: usize) -> Pairs {
        Pairs { pairs: Vec::new(), newest: IdVec::filled(None, values) }
    }

    fn ends_with(&self, value: Value, block: Block) -> bool {
        self.newest[value] == Some(block)
    }

    fn add(&mut self, value: Value, block: Block) {
        if !self.ends_with(value, block) {
            self.newest[value] = Some(block);
            self.pairs.push((value, block));
        }
    }

    fn into_lists(self) -> Lists<Value, Block> {
        Lists::new(self.newest.len(), self.pairs.into_iter())
    }
}

/// Values made after the collection have no occurrences.
fn of(lists: &Lists<Value, Block>, value: Value) -> &[Block] {
    if value.index() < lists.key_count() { lists.of(value) } else { &[] }
}
