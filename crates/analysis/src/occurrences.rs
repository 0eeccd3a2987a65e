//! Where values are defined and where they are used before any definition, block by block: what per-variable liveness and
//! the placement of phis start from.
//!
//! A use is *upward exposed* when no definition stands before it in its block, so that the value comes from a
//! predecessor. Operands are read before results are written, and an edge's arguments are read by the terminator that the
//! edge belongs to. Function parameters of SSA are defined by the entry block; those of TAC are defined before it, so that a loop
//! back to the entry sees what the last round assigned.
//!
//! *In:* a function of any phase. *Out:* for each value the blocks that define it and those with an upward-exposed use,
//! each block once, in layout order. *Keeps:* everything. *Cost:* O(instructions + operands + values).
//! *Source:* A. Aho et al., Compilers, 2nd edition 2006, section 9.2.5 (`def` and `use` sets of blocks).
//! *Leaves:* where in a block an occurrence stands.
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

/// Definitions and upward-exposed uses of the chosen values, or of whatever else is defined and used.
#[derive(Clone, Debug)]
pub struct Occurrences<K = Value> {
    defs: Lists<K, Block>,
    exposed: Lists<K, Block>,
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
        let mut found = Collector::new(func.value_count());
        for (position, block) in func.blocks().enumerate() {
            if position == 0 {
                for &param in func.params.iter().filter(|&&p| wanted(p) && func.def(p) != Def::Variable) {
                    found.define(param, block);
                }
            }
            for &param in func.block_params(block).iter().filter(|&&p| wanted(p)) {
                found.define(param, block);
            }
            for inst in func.insts(block) {
                for value in func.args(inst).filter(|&v| wanted(v)) {
                    found.read(value, block);
                }
                for edge in func.edges(inst) {
                    for value in func.edge_args(edge).filter(|&v| wanted(v)) {
                        found.read(value, block);
                    }
                }
                for &value in func.results(inst).iter().filter(|&&v| wanted(v)) {
                    found.define(value, block);
                }
            }
        }
        found.finish()
    }
}

impl<K: Id> Occurrences<K> {
    /// The blocks that define the value.
    pub fn defs(&self, value: K) -> &[Block] {
        of(&self.defs, value)
    }

    /// The blocks with an upward-exposed use of the value.
    pub fn exposed(&self, value: K) -> &[Block] {
        of(&self.exposed, value)
    }
}

/// Takes definitions and uses in the order of the program, block after block.
#[derive(Clone, Debug)]
pub struct Collector<K: Id> {
    defs: Pairs<K>,
    exposed: Pairs<K>,
}

impl<K: Id> Collector<K> {
    /// For so many values.
    pub fn new(values: usize) -> Collector<K> {
        Collector { defs: Pairs::new(values), exposed: Pairs::new(values) }
    }

    /// The value is defined here.
    pub fn define(&mut self, value: K, block: Block) {
        self.defs.add(value, block);
    }

    /// The value is read here.
    pub fn read(&mut self, value: K, block: Block) {
        if !self.defs.ends_with(value, block) {
            self.exposed.add(value, block);
        }
    }

    /// There are no more.
    pub fn finish(self) -> Occurrences<K> {
        Occurrences { defs: self.defs.into_lists(), exposed: self.exposed.into_lists() }
    }
}

/// Pairs of value and block while they are collected; pairs of one block come without others between.
#[derive(Clone, Debug)]
struct Pairs<K: Id> {
    pairs: Vec<(K, Block)>,
    newest: IdVec<K, Option<Block>>,
}

impl<K: Id> Pairs<K> {
    fn new(values: usize) -> Pairs<K> {
        Pairs { pairs: Vec::new(), newest: IdVec::filled(None, values) }
    }

    fn ends_with(&self, value: K, block: Block) -> bool {
        self.newest[value] == Some(block)
    }

    fn add(&mut self, value: K, block: Block) {
        if !self.ends_with(value, block) {
            self.newest[value] = Some(block);
            self.pairs.push((value, block));
        }
    }

    fn into_lists(self) -> Lists<K, Block> {
        Lists::new(self.newest.len(), self.pairs.into_iter())
    }
}

/// Values made after the collection have no occurrences.
fn of<K: Id>(lists: &Lists<K, Block>, value: K) -> &[Block] {
    if value.index() < lists.key_count() { lists.of(value) } else { &[] }
}
