//! Damage for the tests of the verifier: what the other methods of [`Func`] never do.

use super::{Block, Def, Edge, Func, Inst, Use, Value, ValueName, Var};
use crate::types::Type;
use mini_base::ids::Id;
use std::sync::Arc;

impl Func {
    /// A value loses its list of uses.
    pub fn forget_uses(&mut self, value: Value) {
        self.values[value].first_use = None;
    }

    /// A value's list of uses loses one; the operand stays.
    pub fn forget_use(&mut self, operand: Use) {
        self.unlink_use(operand);
    }

    /// An operand names another value, but stays in the list of the old one.
    pub fn misname_use(&mut self, operand: Use, value: Value) {
        self.operands[operand].value = value;
    }

    /// A use believes to belong to another instruction.
    pub fn misplace_use(&mut self, operand: Use, user: Inst) {
        self.operands[operand].user = user;
    }

    /// A use does not know the one before it.
    pub fn forget_previous_use(&mut self, operand: Use) {
        self.operands[operand].prev = None;
    }

    /// An instruction does not know its block.
    pub fn forget_block(&mut self, inst: Inst) {
        self.insts[inst].block = None;
    }

    /// An instruction does not know the one before it.
    pub fn forget_previous_inst(&mut self, inst: Inst) {
        self.insts[inst].prev = None;
    }

    /// A block does not know where its instructions end.
    pub fn forget_last(&mut self, block: Block) {
        self.blocks[block].last = self.blocks[block].first;
    }

    /// A value is told another definition.
    pub fn set_def(&mut self, value: Value, def: Def) {
        self.values[value].def = def;
    }

    /// A value gets another type.
    pub fn set_type(&mut self, value: Value, ty: Type) {
        self.values[value].ty = ty;
    }

    /// A value gets another name.
    pub fn set_value_name(&mut self, value: Value, name: ValueName) {
        self.values[value].name = name;
    }

    /// A variable gets another name.
    pub fn set_var_name(&mut self, var: Var, name: impl Into<Arc<str>>) {
        self.vars[var].name = name.into();
    }

    /// An edge believes to belong to another instruction.
    pub fn misplace_edge(&mut self, edge: Edge, inst: Inst) {
        self.edges[edge].from = inst;
    }

    /// An instruction has the results of another one.
    pub fn share_results(&mut self, inst: Inst, other: Inst) {
        self.insts[inst].results = self.insts[other].results;
    }

    /// An instruction has the operands of another one.
    pub fn share_args(&mut self, inst: Inst, other: Inst) {
        self.insts[inst].args = self.insts[other].args;
    }

    /// A block loses a parameter; the ones behind it move up.
    pub fn remove_block_param(&mut self, block: Block, n: usize) {
        let param = self.blocks[block].params.remove(n);
        self.undefine(param, Def::BlockParam(block, n as u32));
        for (place, &param) in self.blocks[block].params.iter().enumerate().skip(n) {
            self.values[param].def = Def::BlockParam(block, place as u32);
        }
    }

    /// The places of an instruction's operands, those of its edges' arguments behind them.
    pub fn places(&self, inst: Inst) -> Vec<Use> {
        self.operand_places(inst).collect()
    }

    /// The value that an operand names.
    pub fn named(&self, operand: Use) -> Value {
        self.operands[operand].value
    }

    /// All values, also those that are gone.
    pub fn all_values(&self) -> impl Iterator<Item = Value> + use<> {
        (0..self.values.len()).map(Value::new)
    }
}
