//! Structs that are used like arrays: stores by `index_set`, loops by `len` and `index` or by `next`.
//!
//! *Keeps:* the parts of `x[i] op= e` are evaluated once, in order: `x`, `i`, `index(i)`, `e`, `index_set(i, …)`.

use crate::advice::Operand;
use crate::body::{BodyChecker, Role};
use crate::infer::{Because, Expect};
use crate::typed::{EachKind, ExprId, ExprKind, FnRef, LocalId, Stmt};
use crate::types::Ty;
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
        let set = self.index_method(ty, "index_set", 2);
        let get = self.index_method(ty, "index", 1);
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
                .with_help(
                    self.library_index(base)
                        .unwrap_or_else(|| "`index_set(self, i: int, value: T)` is called for `x[i] = value`".into()),
                );
            self.cx.report(d);
            return;
        };
        let declared = self.cx.functions[set].name.span;
        let because = || Because::new(declared, "by this method");
        let (set, params, _) = self.method_types(set, ty, span);
        let unit = self.cx.types.unit;
        let index = self.check(index, params[0], because());
        let (Some((op, op_span)), Some(get)) = (op, get) else {
            let value = self.check(value, params[1], because());
            let call = self.push_call(set, vec![base, index, value], unit, span);
            out.push(Stmt::Expr(call));
            return;
        };
        let (get, _, element) = self.method_types(get, ty, span);
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

    fn push_call(&mut self, function: FnRef, args: Vec<ExprId>, ty: Ty, span: Span) -> ExprId {
        self.push(ExprKind::Call(function, args.into()), ty, span)
    }

    /// Keeps a value in a variable that no name reaches.
    fn hidden(&mut self, value: ExprId) -> ((LocalId, Ty), Stmt) {
        let ty = self.ty(value);
        let local = self.declare_hidden("_".into(), Span::NONE, ty, Role::Variable);
        ((local, ty), Stmt::Let(local, Some(value)))
    }

    /// How a `for` runs over a value of a type with methods.
    pub fn user_each(&mut self, over: Ty, span: Span) -> Option<(EachKind, Ty)> {
        let int = self.cx.types.int;
        if let (Some(len), Some(index)) = (self.index_method(over, "len", 0), self.index_method(over, "index", 1))
            && self.cx.functions[len].result == int
            && self.cx.functions[index].params == [int]
        {
            let (len, _, _) = self.method_types(len, over, span);
            let (index, _, element) = self.method_types(index, over, span);
            return Some((EachKind::Indexed { len, index }, element));
        }
        let next = self.index_method(over, "next", 0)?;
        self.optional_inner(self.cx.functions[next].result)?;
        let (next, _, result) = self.method_types(next, over, span);
        let element = self.optional_inner(result)?;
        Some((EachKind::Iterator { next }, element))
    }
}
