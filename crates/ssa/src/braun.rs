//! SSA construction after Braun et al.: on the fly, without dominators, frontiers or liveness.
//!
//! *Local numbering.* While a block is filled, in program order, `writeVariable` notes which value a variable has at its end so far,
//! and `readVariable` looks that up.
//! *Global numbering.* Where the block has no value yet, `readVariableRecursive` asks its predecessors. With one, their answer is the
//! answer. With several, a phi is made and noted first, which ends the search in cycles, and gets the predecessors' answers as
//! operands. A phi whose operands are all one value (or the phi itself) is *trivial*: `trivial_phis` puts that value in its place.
//! *Incomplete phis.* A block is *filled* when its instructions are done. It is *sealed*, in the paper, when no predecessor can
//! be added any more; the graph is complete here from the start, and what is left of sealing is that all predecessors are
//! filled. Blocks come in reverse postorder; so loop headers are read before they are sealed. A read there makes a phi
//! without operands, which come when the block is sealed.
//! *Irreducible control flow* can leave phis that refer to each other and to one value from outside; `redundant_phis` removes them.
//!
//! The result is minimal and pruned: the function that `pruned` makes, up to the numbers in names.
//!
//! *In:* TAC. *Out:* SSA. *Keeps, Breaks:* as `cytron` says. Versions of removed phis leave gaps in the numbers of names.
//! *Cost:* O(instructions + operands of all phis that were made + blocks that reads pass on their way up) look-ups and about
//! linear examinations of phis (see `trivial_phis`). In a row of n blocks, k variables assigned first and read last cost n·k.
//! A read makes a phi at each join on its way up, at the worst in every block for every variable; that they are soon removed again is
//! the price for doing without liveness.
//! *Source:* M. Braun et al., Simple and Efficient Construction of Static Single Assignment Form, 2013, sections 2 and 3.2.
//! Their recursion follows the graph, as deep as the graph is; here phis that still lack operands wait in a worklist, and are
//! examined when all of them have theirs.
//! *Leaves:* copies, for copy propagation. The refinements of section 3.3 (fewer temporary phis by markers).
//!
//! Before:
//! ```text
//! func f(c: bool, n: int) -> int {
//! entry1:
//!   %1 = const 1
//!   x = copy %1
//!   jmp head2
//! head2:
//!   %2 = lt n, x
//!   br %2, body3, exit4
//! body3:
//!   n = add n, x
//!   br c, head2, exit4
//! exit4:
//!   ret n
//! }
//! ```
//! After: a phi of `x` was made in `head2`; sealed, it was φ(x.1, itself). Its name x.2 is gone with it.
//! ```text
//! ssa func f(c.1: bool, n.1: int) -> int {
//! entry1:
//!   %1 = const 1
//!   x.1 = copy %1
//!   jmp head2(n.1)
//! head2(n.2: int):
//!   %2 = lt n.2, x.1
//!   br %2, body3, exit4(n.2)
//! body3:
//!   n.3 = add n.2, x.1
//!   br c.1, head2(n.3), exit4(n.3)
//! exit4(n.4: int):
//!   ret n.4
//! }
//! ```

use crate::rename_block::{Versions, rename_instructions, rename_params};
use crate::trivial_phis::{Phi, Phis};
use crate::undefs::Undefs;
use crate::{new_entry, redundant_phis, remove_unreachable};
use mini_analysis::orders::reverse_postorder;
use mini_base::ids::IdVec;
use mini_ir::cfg::Cfg;
use mini_ir::func::{Block, Func, Phase, Value};
use rustc_hash::FxHashMap;

/// Brings a function from TAC into pruned SSA.
pub fn run(func: &mut Func) {
    construct(func);
}

/// The same; tells how many phis only `redundant_phis` could remove.
pub(crate) fn construct(func: &mut Func) -> usize {
    assert_eq!(func.phase, Phase::Tac, "SSA is constructed from TAC");
    remove_unreachable::run(func);
    new_entry::run(func);
    let mut braun = Braun::new(func);
    rename_params(func, &mut braun);
    for block in reverse_postorder(func) {
        rename_instructions(func, block, &mut braun); // fills the block
        for edge in func.successors(block) {
            let target = func.edge_target(edge);
            braun.unfilled[target] -= 1;
            if braun.unfilled[target] == 0 {
                braun.seal(func, target);
            }
        }
    }
    let redundant = redundant_phis::remove(&mut braun.phis);
    braun.phis.become_block_params(func, &braun.cfg);
    braun.undefs.insert(func);
    func.phase = Phase::Ssa;
    redundant
}

struct Braun {
    cfg: Cfg,
    /// `currentDef`: what a variable is at the end of a block, so far. The value may be a phi that has been replaced.
    current_def: FxHashMap<(Value, Block), Value>,
    /// How many edges lead into a block from blocks that are not filled; it is sealed when there are none.
    unfilled: IdVec<Block, u32>,
    /// `incompletePhis` of the blocks that are not sealed.
    incomplete_phis: IdVec<Block, Vec<Phi>>,
    /// Phis that wait for their operands.
    waiting: Vec<Phi>,
    phis: Phis,
    undefs: Undefs<Value>,
}

impl Braun {
    fn new(func: &Func) -> Braun {
        let cfg = Cfg::new(func);
        let mut unfilled = IdVec::filled(0, func.block_count());
        for block in func.blocks() {
            unfilled[block] = cfg.incoming(block).len() as u32;
        }
        Braun {
            cfg,
            current_def: FxHashMap::default(),
            unfilled,
            incomplete_phis: IdVec::filled(Vec::new(), func.block_count()),
            waiting: Vec::new(),
            phis: Phis::new(),
            undefs: Undefs::new(func.value_count()),
        }
    }

    /// `sealBlock`. All predecessors are filled: incomplete phis get their operands.
    fn seal(&mut self, func: &mut Func, block: Block) {
        self.waiting = std::mem::take(&mut self.incomplete_phis[block]);
        self.add_phi_operands(func);
    }

    /// `writeVariable`.
    fn write_variable(&mut self, variable: Value, block: Block, value: Value) {
        self.current_def.insert((variable, block), value);
    }

    /// `readVariableRecursive`, but for the operands of the phis that it makes: they wait, so that nothing recurs. What a variable is
    /// at the end of a block, which is filled or being filled: goes up to where that is known, or to a join, where it becomes a phi.
    fn find_variable(&mut self, func: &mut Func, variable: Value, block: Block) -> Value {
        if let Some(&value) = self.current_def.get(&(variable, block)) {
            return value;
        }
        let mut way = vec![block];
        let value = loop {
            let at = way[way.len() - 1];
            if self.unfilled[at] > 0 {
                let phi = self.phis.add(func, at, variable);
                self.incomplete_phis[at].push(phi);
                break self.phis.value(phi);
            }
            let above = match *self.cfg.incoming(at) {
                [] => break self.undefs.of_variable(func, variable),
                [edge] => func.edge_source(edge),
                _ => {
                    let phi = self.phis.add(func, at, variable);
                    self.waiting.push(phi);
                    break self.phis.value(phi);
                }
            };
            if let Some(&value) = self.current_def.get(&(variable, above)) {
                break value;
            }
            way.push(above);
        };
        for at in way {
            self.write_variable(variable, at, value);
        }
        value
    }

    /// `addPhiOperands` and `tryRemoveTrivialPhi`. Gives the waiting phis their operands, in the order of the incoming edges; new
    /// phis may come to wait meanwhile. Then removes those that are trivial.
    fn add_phi_operands(&mut self, func: &mut Func) {
        let mut next = 0;
        while let Some(&phi) = self.waiting.get(next) {
            next += 1;
            let (block, variable) = (self.phis.block(phi), self.phis.variable(phi));
            for n in 0..self.cfg.incoming(block).len() {
                let predecessor = func.edge_source(self.cfg.incoming(block)[n]);
                let value = self.find_variable(func, variable, predecessor);
                self.phis.append_operand(phi, value);
            }
        }
        self.phis.try_remove_trivial(&mut self.waiting);
    }
}

/// Local numbering.
impl Versions for Braun {
    /// `readVariable`.
    fn read(&mut self, func: &mut Func, variable: Value, block: Block) -> Value {
        let value = self.find_variable(func, variable, block);
        self.add_phi_operands(func);
        self.phis.resolve(value)
    }

    fn assign(&mut self, _: &Func, variable: Value, value: Value, block: Block) {
        self.write_variable(variable, block, value);
    }
}
