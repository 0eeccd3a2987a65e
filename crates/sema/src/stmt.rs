//! Statements, blocks and function bodies.
//!
//! *Keeps:* a block's type is never iff control can't reach its end; an expression that stands as a statement ends the life
//! of its inference variables. *Cost:* linear. *Example:* `{ let a = 1; a + 1 }` has type int and leaves no name behind.

use crate::advice::Operand;
use crate::body::{BodyChecker, Frame, Owner, Role};
use crate::builtins::Kind;
use crate::check::Checker;
use crate::flow::Reach;
use crate::infer::{Because, Expect};
use crate::items::Item;
use crate::path::{Named, Split};
use crate::scan::scan_function;
use crate::typed::{ExprId, ExprKind, FnId, LocalId, Place, PlaceKind, Stmt};
use crate::types::Ty;
use mini_base::source::{Pos, Span};
use mini_diag::codes_checker as codes;
use mini_syntax::ast::{self, PostfixKind, Semicolon, StatementKind};
use rustc_hash::FxHashMap;

/// Why the body of a function can't have a value.
pub(crate) const NO_RESULT: &str = "no result type is written here";

/// What an assignment stores to.
enum Target<'e> {
    /// A place, with the reason for its type.
    Place(Place, Option<Because>),
    /// `x[i]` on a struct or enum: `x`, and the index.
    User(ExprId, &'e ast::Expr),
    /// A part of something that never comes, but is evaluated.
    Dead(ExprId),
}

impl<'a> Checker<'a> {
    /// Checks the bodies of all functions.
    pub fn check_functions(&mut self) {
        for id in self.functions.ids() {
            self.check_function(id);
        }
    }

    fn check_function(&mut self, id: FnId) {
        let syntax = self.functions[id].syntax;
        self.current = self.functions[id].module;
        let (params, result) = (self.functions[id].params.clone(), self.functions[id].result);
        let (receiver, self_name) = (self.functions[id].receiver, self.names.find("self"));
        let scan = scan_function(syntax, &self.variants, self_name);
        let mark = self.diags.mark();
        let generics = self.functions[id].generics.clone();
        let outside = self.enter_generics(&generics);
        let mut checker = BodyChecker::new(self, Owner::Function(id), scan);
        let written = syntax.signature.result.as_ref().map(|r| r.span);
        checker.frames.push(Frame {
            result: Some(result),
            result_span: written.unwrap_or(syntax.signature.span),
            loops: 0,
            captures: Default::default(),
        });
        let mut locals = Vec::with_capacity(params.len() + 1);
        if let (Some(ty), Some(span)) = (receiver, syntax.signature.receiver)
            && let Some(name) = self_name
        {
            locals.push(checker.declare(ast::Ident { name, span }, ty, Role::Receiver));
        }
        locals.extend(checker.declare_params(&syntax.signature.params, &params));
        let because = match written {
            Some(span) => Because::new(span, "the result type is written here"),
            None => Because::new(syntax.signature.span, NO_RESULT),
        };
        let root = checker.block_because(&syntax.body, Expect::Type(result), because);
        let body = checker.finish(root);
        self.param_scope = outside;
        if syntax.end == ast::BodyEnd::Missing {
            // What is wrong in it follows from the missing brace, as far as anybody can tell.
            self.diags.forget_since(mark);
        }
        self.functions[id].locals = locals;
        self.functions[id].body = Some(body);
    }
}

impl BodyChecker<'_, '_> {
    /// Declares the parameters of a function or closure.
    pub fn declare_params(&mut self, params: &[ast::Param], types: &[Ty]) -> Vec<LocalId> {
        let mut seen: FxHashMap<_, Span> = FxHashMap::default();
        let mut locals = Vec::with_capacity(params.len());
        for (param, &ty) in params.iter().zip(types) {
            let Some(name) = param.name else {
                locals.push(self.declare_hidden("_".into(), param.span, ty, Role::Parameter));
                continue;
            };
            if let Some(&first) = seen.get(&name.name) {
                let text = self.cx.text(name.name);
                let d = self
                    .cx
                    .error(
                        codes::E0204_DUPLICATE_MEMBER,
                        name.span,
                        format!("the parameter `{text}` is declared twice"),
                    )
                    .with_secondary(first, "declared first here");
                self.cx.report(d);
            }
            seen.insert(name.name, name.span);
            locals.push(self.declare(name, ty, Role::Parameter));
        }
        locals
    }

    /// A block in a scope of its own.
    pub fn block(&mut self, block: &ast::Block, expect: Expect) -> ExprId {
        self.block_because(block, expect, None)
    }

    /// A block in a scope of its own, with the reason why its type is expected.
    pub fn block_because(&mut self, block: &ast::Block, expect: Expect, because: Option<Because>) -> ExprId {
        let scope = self.open_scope();
        let mut statements = Vec::with_capacity(block.statements.len());
        let unit = self.cx.types.unit;
        // With a result wanted, a final `if` whose branches give nothing is a statement like any other.
        let wants = matches!(expect, Expect::Type(ty) if ty != unit && !self.is_error(ty));
        let lacks_value = wants && block.value.is_none();
        for (index, statement) in block.statements.iter().enumerate() {
            if lacks_value && index + 1 == block.statements.len() {
                self.drops_the_value = Some(statement.span);
            }
            self.statement(statement, &mut statements);
        }
        let mut value = None;
        // Whatever was to stand at the end may have been the value.
        let mut missing_is_known =
            matches!(block.statements.last(), Some(last) if matches!(last.kind, StatementKind::Error));
        if let Some(last) = &block.value {
            self.warn_unreachable(last.span);
            if wants && !self.yields(last) {
                missing_is_known = self.lacks_else(last);
                let id = match missing_is_known {
                    true => self.infer(last, expect), // which asks for the `else`
                    false => self.check(last, unit, None),
                };
                statements.push(Stmt::Expr(id));
            } else {
                value = Some(match expect {
                    Expect::Type(ty) if ty == unit => self.unit_value(last, because.clone()),
                    Expect::Type(ty) => self.check(last, ty, because.clone()),
                    Expect::Nothing | Expect::Hint(_) => self.infer(last, expect),
                });
            }
        }
        self.close_scope(scope);
        let ty = if !self.flow.reachable() {
            self.cx.types.never
        } else if let Some(value) = value {
            self.ty(value)
        } else if let (true, Expect::Type(wanted)) = (wants, expect) {
            if !missing_is_known {
                self.report_missing_value(block, wanted, because, statements.last());
            }
            self.cx.types.error
        } else {
            unit
        };
        self.push(ExprKind::Block(statements.into(), value), ty, block.span)
    }

    /// The final expression of a block that has no value.
    fn unit_value(&mut self, last: &ast::Expr, because: Option<Because>) -> ExprId {
        let unit = self.cx.types.unit;
        let id = self.infer(last, Expect::Type(unit));
        if let Some(id) = self.try_coerce(id, unit) {
            return id;
        }
        let blamed = self.blame(id);
        let (span, found) = (self.body.exprs[blamed].span, self.ty(id));
        let result = self.frames.last().and_then(|frame| frame.result);
        let help = if because.as_ref().is_some_and(|because| because.text == NO_RESULT) {
            let text = self.describe_result(found);
            format!("end it with `;` to drop the value, or give the function a result: `-> {text}`")
        } else if result.is_some_and(|result| result != unit && !self.is_error(result)) {
            let written = self.written(blamed);
            let branch = if because.is_some() { "; an `if` has a value only with an `else`" } else { "" };
            format!("to leave the function with it, write `return {written};`, to drop it, end it with `;`{branch}")
        } else {
            "end it with `;` to drop the value".into()
        };
        self.report_mismatch(span, unit, found, because, Some(help));
        self.push_error(span)
    }

    /// A type as it would be written behind `->`.
    pub fn describe_result(&mut self, ty: Ty) -> String {
        let ty = self.resolve(ty);
        if self.cx.types.has_variables(ty) { "…".into() } else { self.cx.type_text(ty) }
    }

    fn report_missing_value(&mut self, block: &ast::Block, wanted: Ty, because: Option<Because>, last: Option<&Stmt>) {
        let text = self.describe(wanted);
        let mut d = self
            .cx
            .error(
                codes::E0313_MISSING_VALUE,
                block.close,
                format!("expected {text}, but this block can end without a value"),
            )
            .with_label("the end can be reached here");
        if let Some(because) = because {
            d = d.with_secondary(because.span, because.text);
        }
        if let Some(ast::Statement { kind: StatementKind::Expr { semicolon: Semicolon::Yes, .. }, span }) =
            block.statements.last()
            && block.value.is_none()
        {
            d = d.with_secondary(*span, "the `;` drops this value");
            let dropped = match last {
                Some(Stmt::Expr(id)) => self.ty(*id),
                _ => self.cx.types.unit, // not the statement's value
            };
            if dropped != self.cx.types.unit && self.join(wanted, dropped).is_some() {
                let semicolon = Span::new(Pos(span.end.0 - 1), span.end);
                d = d.with_help("without the `;` it is the value of the block").with_fix(semicolon, "");
            }
        }
        self.cx.report(d);
    }

    /// Warns, once in each stretch, that control does not get here.
    pub fn warn_unreachable(&mut self, span: Span) {
        if self.flow.reach == Reach::No {
            self.flow.reach = Reach::Warned;
            let d = self.cx.warning(codes::W0005_UNREACHABLE_CODE, span, "this code can't be reached");
            self.cx.report(d);
        }
    }

    fn statement(&mut self, statement: &ast::Statement, out: &mut Vec<Stmt>) {
        if matches!(statement.kind, StatementKind::Error) {
            return;
        }
        self.warn_unreachable(statement.span);
        let mark = self.vars.len();
        match &statement.kind {
            StatementKind::Let { name, ty, value } => self.let_statement(*name, ty.as_ref(), value.as_ref(), out),
            StatementKind::Assign { place, op, value } => {
                self.assignment(place, *op, value, statement.span, out);
            }
            StatementKind::Expr { expr, semicolon } => {
                let id = match semicolon {
                    Semicolon::No => {
                        let unit = self.cx.types.unit;
                        self.check(expr, unit, None)
                    }
                    Semicolon::Yes => {
                        let id = self.infer(expr, Expect::Nothing);
                        if !self.is_wrong(id) && self.drops_the_value != Some(statement.span) {
                            self.warn_pure_statement(expr);
                        }
                        id
                    }
                };
                out.push(Stmt::Expr(id));
            }
            StatementKind::While { label, condition, body } => {
                let id = self.while_loop(*label, condition, body, statement.span);
                out.push(Stmt::Expr(id));
            }
            StatementKind::For { label, variable, head, body } => {
                let id = self.for_loop(*label, *variable, head, body, statement.span);
                out.push(Stmt::Expr(id));
            }
            StatementKind::Error => {}
        }
        self.settle(mark);
    }

    fn let_statement(
        &mut self,
        name: Option<ast::Ident>,
        written: Option<&ast::TypeExpr>,
        value: Option<&ast::Expr>,
        out: &mut Vec<Stmt>,
    ) {
        let mark = self.vars.len();
        let ty = written.map(|written| self.cx.resolve_type(written));
        let value = value.map(|value| match (ty, written) {
            (Some(ty), Some(written)) => self.check(value, ty, Because::new(written.span, "the type is written here")),
            _ => self.value(value, Expect::Nothing),
        });
        self.settle(mark);
        let ty = match (ty, value) {
            (Some(ty), _) => ty,
            (None, Some(value)) => self.resolve(self.body.exprs[value].ty),
            (None, None) => self.cx.types.error, // the parser has reported it
        };
        // A variable can't be of type never; nobody gets to use it.
        let ty = if ty == self.cx.types.never { self.cx.types.error } else { ty };
        match (name, value) {
            (Some(name), Some(value)) => {
                let local = self.declare(name, ty, Role::Variable);
                out.push(Stmt::Let(local, Some(value)));
            }
            (Some(name), None) => {
                let role = if ty == self.cx.types.error { Role::Variable } else { Role::Late };
                let local = self.declare(name, ty, role);
                out.push(Stmt::Let(local, None));
            }
            (None, Some(value)) => out.push(Stmt::Expr(value)),
            (None, None) => {}
        }
    }

    fn assignment(
        &mut self,
        place: &ast::Expr,
        op: Option<(ast::BinaryOp, Span)>,
        value: &ast::Expr,
        span: Span,
        out: &mut Vec<Stmt>,
    ) {
        let (place, because) = match self.target(place) {
            Some(Target::Place(place, because)) => (place, because),
            Some(Target::User(base, index)) => {
                self.user_assignment(base, index, op, value, place.span, out);
                return;
            }
            Some(Target::Dead(base)) => {
                self.ignored(value);
                out.push(Stmt::Expr(base));
                return;
            }
            None => {
                self.ignored(value);
                return;
            }
        };
        if let Some((op, op_span)) = op {
            self.update(place, op, op_span, value, span, out);
            return;
        }
        let raw = match (&place.kind, &value.kind) {
            // A closure may mention the variable that it is assigned to.
            (PlaceKind::Local(local), ast::ExprKind::Closure { .. }) => {
                let outer = self.being_assigned.replace(*local);
                let raw = self.infer(value, Expect::Type(place.ty));
                self.being_assigned = outer;
                raw
            }
            _ => self.infer(value, Expect::Type(place.ty)),
        };
        let raw_ty = self.ty(raw);
        let value = self.coerce(raw, place.ty, because);
        if let PlaceKind::Local(local) = place.kind {
            self.note_assignment(local, raw_ty);
        }
        out.push(Stmt::Assign(place, value));
    }

    /// A variable got a value of the given type.
    fn note_assignment(&mut self, local: LocalId, value: Ty) {
        if self.infos[local].role == Role::Late {
            self.flow.assign(local);
        }
        if self.optional_inner(self.body.locals[local].ty).is_none() || self.infos[local].captured {
            return;
        }
        if self.optional_inner(value).is_some() { self.flow.widen(local) } else { self.flow.narrow(local) }
    }

    fn update(
        &mut self,
        place: Place,
        op: ast::BinaryOp,
        op_span: Span,
        value: &ast::Expr,
        span: Span,
        out: &mut Vec<Stmt>,
    ) {
        if let PlaceKind::Local(local) = place.kind {
            self.require_assigned(local, place.span);
            if self.narrowed_type(local).is_some() {
                // Loaded as `T`, operated, stored as `T?`.
                let left = self.read_local(local, place.span);
                let left_ty = self.ty(left);
                let right = self.value(value, Expect::Hint(left_ty));
                let operand = Operand { ty: left_ty, span: place.span, id: Some(left) };
                let result = self.operate_in_place(op, op_span, operand, right);
                let span = place.span.to(self.span(right));
                let result = self.push(ExprKind::Chain(left, Box::new([(op, right)])), result, span);
                let stored = self.coerce(result, place.ty, None);
                out.push(Stmt::Assign(place, stored));
                return;
            }
        }
        let right = self.value(value, Expect::Hint(place.ty));
        self.operate(op, op_span, Operand { ty: place.ty, span: place.span, id: None }, right);
        if let PlaceKind::Local(local) = place.kind {
            self.note_assignment(local, place.ty);
        }
        out.push(Stmt::Update(place, op, right, span));
    }

    /// What is on the left of an assignment; `None` if it was reported.
    fn target<'e>(&mut self, place: &'e ast::Expr) -> Option<Target<'e>> {
        match &place.kind {
            ast::ExprKind::Path(path) => {
                let (place, because) = self.path_place(path, place.span)?;
                Some(Target::Place(place, because))
            }
            ast::ExprKind::Postfix { base, operations } => {
                let (last, before) = operations.split_last()?;
                match &last.kind {
                    PostfixKind::Index(index) => {
                        let base = self.postfix(base, before, Expect::Nothing);
                        if self.is_never(self.ty(base)) {
                            self.ignored(index);
                            return Some(Target::Dead(base));
                        }
                        let kind = self.kind(self.body.exprs[base].ty);
                        if self.cx.nominal_of(&kind).is_some() {
                            return Some(Target::User(base, index));
                        }
                        let place = self.index_place(base, index, place.span)?;
                        Some(Target::Place(place, None))
                    }
                    PostfixKind::Field(name) => {
                        let base = self.postfix(base, before, Expect::Nothing);
                        if self.is_never(self.ty(base)) {
                            return Some(Target::Dead(base));
                        }
                        let (index, ty, declared) = self.field(base, *name)?;
                        let because = Because::new(declared, "the field is declared here");
                        Some(Target::Place(
                            Place { kind: PlaceKind::Field(base, index), ty, span: place.span },
                            because,
                        ))
                    }
                    PostfixKind::Call(_)
                    | PostfixKind::Method { .. }
                    | PostfixKind::Slice { .. }
                    | PostfixKind::Unwrap => {
                        self.infer(place, Expect::Nothing);
                        self.not_assignable(place.span, "this value");
                        None
                    }
                }
            }
            ast::ExprKind::Error => None,
            _ => {
                self.infer(place, Expect::Nothing);
                self.not_assignable(place.span, "this value");
                None
            }
        }
    }

    fn not_assignable(&mut self, span: Span, what: &str) {
        let d = self
            .cx
            .error(codes::E0316_NOT_ASSIGNABLE, span, format!("{what} can't be assigned"))
            .with_help("variables, globals, elements of arrays and fields of structs can");
        self.cx.report(d);
    }

    fn path_place(&mut self, path: &ast::Path, span: Span) -> Option<(Place, Option<Because>)> {
        let (item, declared, name) = match self.split(path)? {
            Named::Local(local, _) => return self.local_place(local, span),
            Named::Other(Split::Item(item, declared, segment)) => (item, declared, segment.ident),
            Named::Other(Split::Member(of, owner, _)) => {
                self.cx.refuse_member(of, owner.ident);
                return None;
            }
            Named::Other(Split::Unknown(segment)) => {
                let name = segment.ident;
                let text = self.cx.text(name.name);
                if text == "self" {
                    self.report_self(span);
                } else if self.cx.builtin_function(name.name).is_some() {
                    self.not_assignable(span, &format!("the built-in function `{text}`"));
                } else {
                    self.report_unknown(name, "variable");
                }
                return None;
            }
        };
        let text = self.cx.text(name.name);
        match item {
            Item::Global(id) => {
                if self.cx.is_early_read(self.owner, id) {
                    self.report_early(id, span);
                }
                let ty = self.cx.globals[id].ty.unwrap_or(self.cx.types.error);
                let because = Because::new(declared, "the global is declared here");
                Some((Place { kind: PlaceKind::Global(id), ty, span }, because))
            }
            Item::Error => None,
            Item::Const(_)
            | Item::Function(_)
            | Item::Extern(_)
            | Item::Struct(_)
            | Item::Enum(_)
            | Item::Module(_) => {
                let mut d = self
                    .cx
                    .error(
                        codes::E0316_NOT_ASSIGNABLE,
                        span,
                        format!("`{text}` is {} and can't be assigned", item.noun()),
                    )
                    .with_secondary(declared, "declared here");
                if matches!(item, Item::Const(_)) {
                    d = d.with_help("declare it with `let` to make it a global variable");
                }
                self.cx.report(d);
                None
            }
        }
    }

    fn local_place(&mut self, local: LocalId, span: Span) -> Option<(Place, Option<Because>)> {
        if self.infos[local].role == Role::Receiver {
            self.not_assignable(span, "`self`");
            return None;
        }
        self.mention(local);
        if self.infos[local].depth < self.frames.len() {
            self.require_assigned(local, span); // the closure around reads it when it is made
        }
        let ty = self.body.locals[local].ty;
        let because = Because::new(self.body.locals[local].span, "the variable is declared here");
        Some((Place { kind: PlaceKind::Local(local), ty, span }, because))
    }

    fn index_place(&mut self, base: ExprId, index: &ast::Expr, span: Span) -> Option<Place> {
        let int = self.cx.types.int;
        match self.kind(self.body.exprs[base].ty) {
            crate::types::TyKind::Array(element) => {
                let index = self.check(index, int, None);
                Some(Place { kind: PlaceKind::Index(base, index), ty: element, span })
            }
            crate::types::TyKind::String => {
                self.check(index, int, None);
                let d = self
                    .cx
                    .error(
                        codes::E0316_NOT_ASSIGNABLE,
                        span,
                        "the bytes of a string can't be assigned: strings are immutable",
                    )
                    .with_help(
                        "build a new string, or work on its bytes: `let b = s.to_bytes();` and `string_from_bytes(b)`",
                    );
                self.cx.report(d);
                None
            }
            _ => {
                let mark = self.vars.len();
                self.infer(index, Expect::Nothing);
                self.silence_since(mark);
                self.report_not_indexable(base, "indexed");
                None
            }
        }
    }
}

impl BodyChecker<'_, '_> {
    /// Whether a final expression is there for its value: anything but an `if`, `match` or block whose branches have none.
    fn yields(&self, expr: &ast::Expr) -> bool {
        match &expr.kind {
            ast::ExprKind::If { arms, otherwise } => otherwise
                .as_ref()
                .is_some_and(|last| self.block_yields(last) || arms.iter().any(|(_, block)| self.block_yields(block))),
            ast::ExprKind::Match { value: _, arms } => arms.is_empty() || arms.iter().any(|arm| self.yields(&arm.body)),
            ast::ExprKind::Block(block) => self.block_yields(block),
            ast::ExprKind::Return(_) | ast::ExprKind::Break(_) | ast::ExprKind::Continue(_) => false,
            ast::ExprKind::Postfix { base, operations } => {
                !(operations.len() == 1
                    && matches!(operations[0].kind, PostfixKind::Call(_))
                    && self.never_returns(base))
            }
            _ => true, // every other expression is its own value
        }
    }

    pub fn block_yields(&self, block: &ast::Block) -> bool {
        block.value.as_ref().is_some_and(|value| self.yields(value))
    }

    /// Whether the expression names a built-in function that never returns.
    fn never_returns(&self, callee: &ast::Expr) -> bool {
        let ast::ExprKind::Path(path) = &callee.kind else { return false };
        let [segment] = path.segments.as_slice() else { return false };
        let name = segment.ident.name;
        let built_in = self.cx.builtin_function(name).is_some_and(|row| row.result == Kind::Never);
        built_in && !self.visible.contains_key(&name) && self.cx.lookup(name).is_none()
    }

    /// Whether it is an `if` without `else` that has a value in a branch: then what is missing is the `else`.
    fn lacks_else(&self, expr: &ast::Expr) -> bool {
        match &expr.kind {
            ast::ExprKind::If { arms, otherwise: None } => arms.iter().any(|(_, block)| self.block_yields(block)),
            _ => false, // the rule is about `if` alone
        }
    }
}
