//! Phis of a construction on the fly, and the removal of trivial ones (Braun et al.).
//!
//! A phi φ is *trivial* if its operands are φ itself and one other value. That value takes φ's place; then phis that had φ as
//! an operand may be trivial too. So as not to touch every use each time, a replaced phi keeps a pointer to its
//! successor, which `resolve` follows; instructions get what it finds once, at the end.
//!
//! *In:* phis with operands, while a function is constructed. *Out:* the others, as block parameters. *Keeps:* all values that are not phis.
//! *Cost:* an examination reads operands until it meets a second value. A phi is examined again when an operand was replaced: about
//! linear on control flow of programs, quadratic in the operands at worst.
//! *Source:* M. Braun et al., Simple and Efficient Construction of Static Single Assignment Form, 2013, section 2.2, algorithm 3
//! (`tryRemoveTrivialPhi`), with a worklist in place of its recursion.
//! *Leaves:* phis that only together are superfluous: `redundant_phis`.
//!
//! Before: reading `x` in the loop makes `x.2 = phi [entry1: x.1], [head2: x.2]` in `head2`.
//! ```text
//! func f(x: int, c: bool) -> int {
//! entry1:
//!   jmp head2
//! head2:
//!   rt out_int(x)
//!   br c, head2, exit3
//! exit3:
//!   ret x
//! }
//! ```
//! After: `x.1` has taken its place.
//! ```text
//! ssa func f(x.1: int, c.1: bool) -> int {
//! entry1:
//!   jmp head2
//! head2:
//!   rt out_int(x.1)
//!   br c.1, head2, exit3
//! exit3:
//!   ret x.1
//! }
//! ```

use mini_base::ids::{Id, IdVec};
use mini_ir::cfg::Cfg;
use mini_ir::func::{Block, Func, Value};

mini_base::define_id! {
    /// A phi.
    pub struct Phi, "phi";
}

#[derive(Clone, Debug)]
struct PhiData {
    block: Block,
    variable: Value,
    value: Value,
    /// One for each incoming edge. They may have been replaced since.
    operands: Vec<Value>,
    /// Phis that had it as an operand, or something whose place it took. Some may have been replaced.
    users: Vec<Phi>,
    /// What took its place.
    replaced_by: Option<Value>,
    /// Is in the worklist.
    pending: bool,
}

/// All phis that were made.
#[derive(Clone, Debug, Default)]
pub struct Phis {
    phis: IdVec<Phi, PhiData>,
    /// Which values are phis.
    of_value: IdVec<Value, Option<Phi>>,
}

impl Phis {
    /// No phis yet.
    pub fn new() -> Phis {
        Phis { phis: IdVec::new(), of_value: IdVec::new() }
    }

    /// Makes a phi without operands; its value is a new version of the variable.
    pub fn add(&mut self, func: &mut Func, block: Block, variable: Value) -> Phi {
        let value = func.new_value_like(variable);
        let (operands, users) = (Vec::new(), Vec::new());
        let phi =
            self.phis.push(PhiData { block, variable, value, operands, users, replaced_by: None, pending: false });
        self.of_value.grow(value.index() + 1, None);
        self.of_value[value] = Some(phi);
        phi
    }

    /// Gives a phi its next operand.
    pub fn append_operand(&mut self, phi: Phi, value: Value) {
        let value = self.resolve(value);
        self.phis[phi].operands.push(value);
        if let Some(used) = self.phi_of(value) {
            self.phis[used].users.push(phi);
        }
    }

    /// Where a phi stands.
    pub fn block(&self, phi: Phi) -> Block {
        self.phis[phi].block
    }

    /// Which variable's values it joins.
    pub fn variable(&self, phi: Phi) -> Value {
        self.phis[phi].variable
    }

    /// Its value.
    pub fn value(&self, phi: Phi) -> Value {
        self.phis[phi].value
    }

    /// The phi that a value is, if it is one.
    pub fn phi_of(&self, value: Value) -> Option<Phi> {
        self.of_value.get(value).copied().flatten()
    }

    /// The phis that were not replaced.
    pub fn remaining(&self) -> Vec<Phi> {
        self.phis.ids().filter(|&phi| self.phis[phi].replaced_by.is_none()).collect()
    }

    /// How many were made, replaced ones too.
    pub fn count(&self) -> usize {
        self.phis.len()
    }

    /// How many operands a phi has.
    pub fn operand_count(&self, phi: Phi) -> usize {
        self.phis[phi].operands.len()
    }

    /// The `n`th operand of a phi.
    pub fn operand(&mut self, phi: Phi, n: usize) -> Value {
        let value = self.resolve(self.phis[phi].operands[n]);
        self.phis[phi].operands[n] = value;
        value
    }

    /// What stands for a value now: itself, unless it is a replaced phi. Halves the way for the next time.
    pub fn resolve(&mut self, mut value: Value) -> Value {
        while let Some(phi) = self.phi_of(value)
            && let Some(next) = self.phis[phi].replaced_by
        {
            if let Some(beyond) = self.phi_of(next).and_then(|phi| self.phis[phi].replaced_by) {
                self.phis[phi].replaced_by = Some(beyond);
            }
            value = next;
        }
        value
    }

    /// Removes the trivial ones among some phis, and what becomes trivial by that. The last phi is examined first.
    pub fn try_remove_trivial(&mut self, worklist: &mut Vec<Phi>) {
        for &phi in &*worklist {
            self.phis[phi].pending = true;
        }
        while let Some(phi) = worklist.pop() {
            self.phis[phi].pending = false;
            if self.phis[phi].replaced_by.is_some() {
                continue;
            }
            if let Some(same) = self.only_operand(phi) {
                for user in self.replace(phi, same) {
                    if !std::mem::replace(&mut self.phis[user].pending, true) {
                        worklist.push(user);
                    }
                }
            }
        }
    }

    /// The only operand other than the phi itself, if there is just one.
    fn only_operand(&mut self, phi: Phi) -> Option<Value> {
        let mut same = None;
        for n in 0..self.operand_count(phi) {
            let operand = self.operand(phi, n);
            if operand == self.value(phi) || Some(operand) == same {
                continue;
            }
            if same.is_some() {
                return None;
            }
            same = Some(operand);
        }
        // An unreachable block would have a phi of nothing but itself.
        Some(same.expect("every block is reachable"))
    }

    /// Puts a value in the place of a phi; gives the remaining phis that used it.
    pub fn replace(&mut self, phi: Phi, by: Value) -> Vec<Phi> {
        self.phis[phi].replaced_by = Some(by);
        self.phis[phi].operands = Vec::new(); // room: most phis are temporary
        let mut users = std::mem::take(&mut self.phis[phi].users);
        users.retain(|&user| self.phis[user].replaced_by.is_none()); // (nor itself, in a loop)
        if let Some(used) = self.phi_of(by) {
            self.phis[used].users.extend_from_slice(&users);
        }
        users
    }

    /// Makes the remaining phis parameters of their blocks, in the order of their variables, and puts what replaced the
    /// others in their place in all instructions.
    pub fn become_block_params(mut self, func: &mut Func, cfg: &Cfg) {
        let mut remaining = self.remaining();
        remaining.sort_by_key(|&phi| (self.block(phi), self.variable(phi)));
        for &phi in &remaining {
            let block = self.block(phi);
            func.add_block_param_value(block, self.value(phi));
            for (n, &edge) in cfg.incoming(block).iter().enumerate() {
                func.push_edge_arg(edge, self.operand(phi, n));
            }
        }
        for phi in self.phis.ids() {
            let value = self.value(phi);
            func.replace_all_uses(value, self.resolve(value));
        }
    }
}
