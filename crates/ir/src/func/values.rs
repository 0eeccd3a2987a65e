//! Values, the variables that they are named after, and their uses.

use super::{Def, Edge, Func, Inst, OperandData, Use, Value, ValueData, ValueName, Var, VarData};
use crate::types::Type;
use mini_base::ids::Id;
use std::sync::Arc;

impl Func {
    /// One more than the largest value id: the length for side tables.
    pub fn value_count(&self) -> usize {
        self.values.len()
    }

    /// Its type.
    #[inline]
    pub fn ty(&self, value: Value) -> Type {
        self.values[value].ty
    }

    /// How it comes to be.
    #[inline]
    pub fn def(&self, value: Value) -> Def {
        self.values[value].def
    }

    /// Its name.
    pub fn value_name(&self, value: Value) -> ValueName {
        self.values[value].name
    }

    /// A new temporary (`%n`), to be given to an instruction by [`Func::set_results`].
    pub fn new_temp(&mut self, ty: Type) -> Value {
        let name = ValueName::Temp(self.next_temp);
        self.next_temp += 1;
        self.push_value(ty, name, Def::None)
    }

    /// A new value with a given name, to be given to an instruction by [`Func::set_results`].
    pub fn new_value(&mut self, ty: Type, name: ValueName) -> Value {
        if let ValueName::Temp(n) = name {
            self.next_temp = self.next_temp.max(n + 1);
        }
        self.push_value(ty, name, Def::None)
    }

    /// A new value that is named like another: the next version of its variable, or a temporary.
    pub fn new_value_like(&mut self, value: Value) -> Value {
        self.new_value_named_like(value, self.ty(value))
    }

    /// The same, of another type.
    pub fn new_value_named_like(&mut self, value: Value, ty: Type) -> Value {
        match self.value_name(value) {
            ValueName::Temp(_) => self.new_temp(ty),
            ValueName::Var(var, _) => self.new_version(var, ty),
        }
    }

    /// A new value named by the next version of a variable (`x.1`, `x.2`, …).
    pub fn new_version(&mut self, var: Var, ty: Type) -> Value {
        let name = self.next_version(var);
        self.push_value(ty, name, Def::None)
    }

    /// The name of the next version of a variable, for [`Func::add_block_param`]; it is taken from now on.
    pub fn next_version(&mut self, var: Var) -> ValueName {
        self.vars[var].versions += 1;
        ValueName::Var(var, self.vars[var].versions)
    }

    /// Makes a value the `n`th parameter of the function: a variable in TAC.
    pub fn set_func_param(&mut self, n: usize, value: Value) {
        self.undefine(self.params[n], Def::FuncParam(n as u32));
        if self.values[value].def != Def::Variable {
            self.values[value].def = Def::FuncParam(n as u32);
        }
        self.params[n] = value;
    }

    /// Adds a parameter of the function: a variable in TAC, a value of that variable's next version otherwise.
    pub fn add_func_param(&mut self, value: Value) {
        if self.values[value].def != Def::Variable {
            self.values[value].def = Def::FuncParam(self.params.len() as u32);
        }
        self.params.push(value);
    }

    /// Takes a definition from a value, if it still is the value's.
    pub(super) fn undefine(&mut self, value: Value, def: Def) {
        if self.values[value].def == def {
            self.values[value].def = Def::None;
        }
    }

    pub(super) fn push_value(&mut self, ty: Type, name: ValueName, def: Def) -> Value {
        self.values.push(ValueData { ty, name, def, first_use: None })
    }

    // ---- Variables ----

    /// A new variable; the caller sees to it that names are unique in the function and do not end in `.` and a number.
    pub fn new_var(&mut self, name: impl Into<Arc<str>>, ty: Type) -> Var {
        self.vars.push(VarData { name: name.into(), ty, versions: 0 })
    }

    /// A new variable and the value that stands for it in TAC.
    pub fn new_variable(&mut self, name: impl Into<Arc<str>>, ty: Type) -> Value {
        let var = self.new_var(name, ty);
        self.push_value(ty, ValueName::Var(var, 0), Def::Variable)
    }

    /// A new value that stands for an existing variable in TAC; a variable has at most one. Its type is the variable's,
    /// whatever values of that name there are.
    pub fn variable_value(&mut self, var: Var, ty: Type) -> Value {
        self.vars[var].ty = ty;
        self.push_value(ty, ValueName::Var(var, 0), Def::Variable)
    }

    /// The variables.
    pub fn vars(&self) -> impl ExactSizeIterator<Item = Var> + use<> {
        self.vars.ids()
    }

    /// A variable's name.
    pub fn var_name(&self, var: Var) -> &Arc<str> {
        &self.vars[var].name
    }

    /// A variable's type: that of the value that stands for it in TAC.
    pub fn var_type(&self, var: Var) -> Type {
        self.vars[var].ty
    }

    /// Tells that a version of a variable is taken (by the text parser).
    pub fn reserve_version(&mut self, var: Var, version: u32) {
        let versions = &mut self.vars[var].versions;
        *versions = (*versions).max(version);
    }

    // ---- Uses ----

    /// The uses of a value, in no particular order.
    pub fn uses(&self, value: Value) -> impl Iterator<Item = Use> + '_ {
        let mut next = self.values[value].first_use;
        std::iter::from_fn(move || {
            let this = next?;
            next = self.operands[this].next;
            Some(this)
        })
    }

    /// Whether a value has any use.
    pub fn has_uses(&self, value: Value) -> bool {
        self.values[value].first_use.is_some()
    }

    /// The only use of a value, if it has just one.
    pub fn single_use(&self, value: Value) -> Option<Use> {
        let first = self.values[value].first_use?;
        self.operands[first].next.is_none().then_some(first)
    }

    /// The instruction that a use belongs to.
    pub fn user(&self, operand: Use) -> Inst {
        self.operands[operand].user
    }

    /// Replaces one use.
    pub fn set_use(&mut self, operand: Use, value: Value) {
        self.unlink_use(operand);
        self.operands[operand].value = value;
        self.link_use(operand);
    }

    /// Replaces all uses of `old` by `new`. O(uses).
    pub fn replace_all_uses(&mut self, old: Value, new: Value) {
        if old == new {
            return;
        }
        while let Some(operand) = self.values[old].first_use {
            self.set_use(operand, new);
        }
    }

    /// The places of an instruction's operands in the pool, those of its edges' arguments behind them.
    pub(crate) fn operand_places(&self, inst: Inst) -> impl Iterator<Item = Use> + '_ {
        let data = &self.insts[inst];
        let (start, len) = data.edges;
        let edges = (start..start + len).map(|e| self.edges[Edge::new(e as usize)].args);
        std::iter::once(data.args)
            .chain(edges)
            .flat_map(|(start, len)| (start..start + len).map(|u| Use::new(u as usize)))
    }

    /// What an operand's place says: the value, the instruction, the use before it in the value's list.
    pub(crate) fn operand_link(&self, operand: Use) -> (Value, Inst, Option<Use>) {
        let data = &self.operands[operand];
        (data.value, data.user, data.prev)
    }

    /// One more than the largest operand's place: the length for side tables.
    pub(crate) fn operand_count(&self) -> usize {
        self.operands.len()
    }

    pub(super) fn push_operands(&mut self, user: Inst, values: &[Value]) -> (u32, u32) {
        let start = self.operands.len() as u32;
        for &value in values {
            let operand = self.operands.push(OperandData { value, user, prev: None, next: None });
            self.link_use(operand);
        }
        (start, values.len() as u32)
    }

    pub(super) fn link_use(&mut self, operand: Use) {
        let value = self.operands[operand].value;
        let old = self.values[value].first_use.replace(operand);
        self.operands[operand].prev = None;
        self.operands[operand].next = old;
        if let Some(old) = old {
            self.operands[old].prev = Some(operand);
        }
    }

    pub(super) fn unlink_use(&mut self, operand: Use) {
        let OperandData { value, prev, next, .. } = self.operands[operand];
        match prev {
            Some(prev) => self.operands[prev].next = next,
            None => self.values[value].first_use = next,
        }
        if let Some(next) = next {
            self.operands[next].prev = prev;
        }
    }
}
