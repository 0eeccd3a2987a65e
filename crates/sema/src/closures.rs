//! Closures.
//!
//! *Keeps:* making a closure reads the variables that it mentions, so late ones must be assigned before (but the variable
//! that the closure itself is being assigned to); assignments inside don't count outside; variables that a closure mentions
//! are never narrowed. *Cost:* linear.

use crate::body::{BodyChecker, Frame, Owner};
use crate::infer::{Because, Expect};
use crate::stmt::NO_RESULT;
use crate::typed::{Closure, ExprId, ExprKind};
use crate::types::{Ty, TyKind};
use mini_base::source::Span;
use mini_syntax::ast;

impl BodyChecker<'_, '_> {
    /// `fn(x: int) -> int { … }`
    pub fn closure(
        &mut self,
        params: &[ast::Param],
        result: Option<&ast::TypeExpr>,
        body: &ast::Block,
        span: Span,
    ) -> ExprId {
        let types: Vec<Ty> = params.iter().map(|p| self.cx.resolve_type(&p.ty)).collect();
        let result_ty = result.map_or(self.cx.types.unit, |r| self.cx.resolve_type(r));
        let outside = self.flow.clone();
        let scope = self.open_scope();
        self.frames.push(Frame {
            result: Some(result_ty),
            result_span: result.map_or(Span::new(span.start, body.span.start), |r| r.span),
            loops: self.loops.len(),
            captures: Default::default(),
        });
        let locals = self.declare_params(params, &types);
        let because = match result {
            Some(written) => Because::new(written.span, "the result type is written here"),
            None => Because::new(Span::new(span.start, body.span.start), NO_RESULT),
        };
        let mark = self.vars.len();
        let body = self.block_because(body, Expect::Type(result_ty), because);
        self.settle(mark);
        let frame = self.frames.pop().expect("the frame that was pushed above");
        self.close_scope(scope);
        self.flow = outside;
        let closure = Closure {
            name: format!("closure in {}", self.owner_name()).into(),
            params: locals,
            result: result_ty,
            captures: frame.captures.into_iter().collect(),
            body,
        };
        let ty = self.cx.types.intern(TyKind::Function(types.into(), result_ty));
        self.push(ExprKind::Closure(Box::new(closure)), ty, span)
    }

    /// The name that call stacks show for what is around a closure.
    fn owner_name(&self) -> String {
        match self.owner {
            Owner::Function(id) => self.cx.function_text(id),
            Owner::Global(id) => self.cx.text(self.cx.globals[id].syntax.name.name).into(),
            Owner::Const => String::new(), // closures are refused in constants
        }
    }
}
