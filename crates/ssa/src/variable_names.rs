//! Names for the variables that values become when a function leaves SSA.
//!
//! *In:* a function. *Out:* variables whose names no other one has. *Cost:* O(values), then O(1) a variable on average.
//! *Leaves:* the values themselves: the caller lets the variables take their places.

use mini_base::ids::{Id, IdVec};
use mini_ir::func::{Def, Func, Value, ValueName, Var};
use mini_ir::types::Type;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Names that are taken: a variable for each web, all of different names.
pub(crate) struct Names {
    taken: FxHashSet<Arc<str>>,
    /// For each name the last number that was tried.
    numbers: FxHashMap<Arc<str>, u32>,
    /// Variables of the source that a web has got already.
    claimed: IdVec<Var, bool>,
    /// The values that stood for variables before SSA was made; nothing uses them now.
    old: IdVec<Var, Option<Value>>,
    /// For cycles of copies: one variable a type.
    temporaries: FxHashMap<Type, Value>,
}

impl Names {
    pub(crate) fn new(func: &Func) -> Names {
        let taken = func.vars().map(|var| func.var_name(var).clone()).collect();
        let mut old = IdVec::filled(None, func.vars().len());
        for value in (0..func.value_count()).map(Value::new) {
            if let (Def::Variable, ValueName::Var(var, _)) = (func.def(value), func.value_name(value)) {
                old[var] = Some(value);
            }
        }
        Names {
            taken,
            numbers: FxHashMap::default(),
            claimed: IdVec::filled(false, func.vars().len()),
            old,
            temporaries: FxHashMap::default(),
        }
    }

    /// The variable of a web: the first web of `x` gets `x` itself, the others `x_2`, `x_3` and so on.
    pub(crate) fn variable(&mut self, func: &mut Func, members: &[Value]) -> Value {
        let ty = func.ty(members[0]);
        let named = members.iter().find_map(|&value| match func.value_name(value) {
            ValueName::Var(var, _) => Some(var),
            ValueName::Temp(_) => None,
        });
        let Some(var) = named else { return self.fresh(func, "t", ty) };
        if !self.claimed[var] && func.var_type(var) == ty {
            self.claimed[var] = true;
            return self.old[var].unwrap_or_else(|| func.variable_value(var, ty));
        }
        let name = func.var_name(var).clone();
        self.fresh(func, &name, ty)
    }

    pub(crate) fn temporary(&mut self, func: &mut Func, like: Value) -> Value {
        let ty = func.ty(like);
        if let Some(&temporary) = self.temporaries.get(&ty) {
            return temporary;
        }
        let temporary = self.fresh(func, "t", ty);
        self.temporaries.insert(ty, temporary);
        temporary
    }

    fn fresh(&mut self, func: &mut Func, name: &str, ty: Type) -> Value {
        let (stem, mark) = name.strip_suffix('?').map_or((name, ""), |stem| (stem, "?"));
        let mut unique: Arc<str> = name.into();
        while !self.taken.insert(unique.clone()) {
            let number = self.numbers.entry(name.into()).or_insert(1);
            *number += 1;
            unique = format!("{stem}_{number}{mark}").into();
        }
        func.new_variable(unique, ty)
    }
}
