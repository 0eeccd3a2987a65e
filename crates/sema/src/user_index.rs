//! Structs that are used like arrays: stores by `index_set`, loops by `len` and `index` or by `next`.
//!
//! *Keeps:* the parts of `x[i] op= e` are evaluated once, in order: `x`, `i`, `index(i)`, `e`, `index_set(i, …)`.

use crate::advice::Operand;
use crate::body::{BodyChecker, Role};
use crate::infer::{Because, Expect};
use crate::typed::{EachKind, ExprId, ExprKind, FnId, FnRef, LocalId, Stmt};
use crate::types::{Ty, TyKind};
use mini_base::source::Span;
use mini_diag::codes_checker as codes;
use mini_syntax::ast;

impl BodyChecker<'_, '_> {
    /// `x[i] = e` and `x[i] op= e` on a type with `index_set`.
    pub fn user_assignment(
        &mut self,
        base: ExprId,
        index: &ast::Expr,
        op: Option<(ast::BinaryOp, Span)>,
        value: &ast::Expr,
        span: Span,
        out: &mut Vec<Stmt>,
    ) {
        let ty = self.ty(base);
        let kind = self.kind(ty);
        let set = self.cx.method_named(&kind, "index_set").filter(|&id| self.cx.functions[id].params.len() == 2);
        let get = self.cx.method_named(&kind, "index").filter(|&id| self.cx.functions[id].params.len() == 1);
        let (Some(set), true) = (set, op.is_none() || get.is_some()) else {
            self.ignored(index);
            self.ignored(value);
            let text = self.describe(ty);
            let method = if set.is_none() { "index_set" } else { "index" };
            let d = self
                .cx
                .error(
                    codes::E0305_NOT_INDEXABLE,
                    self.span(base),
                    format!("elements of a value of type {text} can't be assigned: it has no method `{method}`"),
                )
                .with_help("`index_set(self, i: int, value: T)` is called for `x[i] = value`");
            self.cx.report(d);
            return;
        };
        let params = self.cx.functions[set].params.clone();
        let declared = self.cx.functions[set].name.span;
        let because = || Because::new(declared, "by this method");
        self.use_function(set);
        let unit = self.cx.types.unit;
        let index = self.check(index, params[0], because());
        let (Some((op, op_span)), Some(get)) = (op, get) else {
            let value = self.check(value, params[1], because());
            let call = self.push_call(set, vec![base, index, value], unit, span);
            out.push(Stmt::Expr(call));
            return;
        };
        self.use_function(get);
        let element = self.cx.functions[get].result;
        let (base, base_stmt) = self.hidden(base);
        let (index, index_stmt) = self.hidden(index);
        out.extend([base_stmt, index_stmt]);
        let read = |this: &mut Self, (local, ty): (LocalId, Ty)| this.push(ExprKind::Local(local), ty, span);
        let args = vec![read(self, base), read(self, index)];
        let old = self.push_call(get, args, element, span);
        let right = self.value(value, Expect::Hint(element));
        let left = Operand { ty: element, span, id: None };
        let result = self.operate_in_place(op, op_span, left, right);
        let new = self.push(ExprKind::Chain(old, Box::new([(op, right)])), result, span);
        let new = self.coerce(new, params[1], because());
        let args = vec![read(self, base), read(self, index), new];
        let call = self.push_call(set, args, unit, span);
        out.push(Stmt::Expr(call));
    }

    fn push_call(&mut self, function: FnId, args: Vec<ExprId>, ty: Ty, span: Span) -> ExprId {
        self.push(ExprKind::Call(FnRef { function, type_args: Box::default() }, args.into()), ty, span)
    }

    /// Keeps a value in a variable that no name reaches.
    fn hidden(&mut self, value: ExprId) -> ((LocalId, Ty), Stmt) {
        let ty = self.ty(value);
        let local = self.declare_hidden("_".into(), Span::NONE, ty, Role::Variable);
        ((local, ty), Stmt::Let(local, Some(value)))
    }

    /// How a `for` runs over a value of a type with methods.
    pub fn user_each(&mut self, kind: &TyKind) -> Option<(EachKind, Ty)> {
        let method = |this: &Self, name: &str| this.cx.method_named(kind, name);
        let int = self.cx.types.int;
        let reference = |function| FnRef { function, type_args: Box::default() };
        if let (Some(len), Some(index)) = (method(self, "len"), method(self, "index")) {
            let (len_info, index_info) = (&self.cx.functions[len], &self.cx.functions[index]);
            if len_info.params.is_empty() && len_info.result == int && index_info.params == [int] {
                let element = index_info.result;
                self.use_function(len);
                self.use_function(index);
                return Some((EachKind::Indexed { len: reference(len), index: reference(index) }, element));
            }
        }
        let next = method(self, "next")?;
        let info = &self.cx.functions[next];
        let element = self.optional_inner(info.result).filter(|_| info.params.is_empty())?;
        self.use_function(next);
        Some((EachKind::Iterator { next: reference(next) }, element))
    }
}
