//! Looks a body through before it is checked: what happens to its variables, and which items it names.
//!
//! *In:* the syntax tree of a body. *Out:* [`Scan`]: for each variable (by the position of its declaration) whether
//! closures mention it and whether it is assigned; for each loop which variables are assigned in it; the names that are
//! not variables of the body. *Keeps:* the same scopes as the check itself. A bare name in a pattern may turn out a variant:
//! then what is said of the name counts for the variable outside too, which only narrows less.
//! *Cost:* linear; recursion follows the nesting of the source. *Example:* in `while c { x = null; }`, the loop's list is `x`,
//! so the check forgets at the loop's head that `x` was tested.

use mini_base::names::Name;
use mini_base::source::Pos;
use mini_syntax::ast::{self, ExprKind, PatternKind, PostfixKind, StatementKind};
use rustc_hash::{FxHashMap, FxHashSet};

/// What a body does to one variable.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub(crate) struct Usage {
    /// A closure inside the variable's function mentions it.
    pub captured: bool,
    /// It is assigned somewhere (its initialiser does not count).
    pub reassigned: bool,
}

/// A name that is no variable of the body, with the name behind it in a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Free {
    /// The name.
    pub name: Name,
    /// `b` in `a::b`.
    pub member: Option<Name>,
}

impl Free {
    fn of(path: &ast::Path) -> Free {
        let member = path.segments.get(1).map(|segment| segment.ident.name);
        Free { name: path.segments[0].ident.name, member }
    }
}

/// What a scan found.
#[derive(Default, Debug)]
pub(crate) struct Scan {
    usages: FxHashMap<Pos, Usage>,
    assignments: Vec<Pos>,
    loops: FxHashMap<Pos, (usize, usize)>,
    /// The names that are no variables of the body, in textual order.
    pub free: Vec<Free>,
}

impl Scan {
    /// What happens to the variable declared at a position.
    pub fn usage(&self, declared: Pos) -> Usage {
        self.usages.get(&declared).copied().unwrap_or_default()
    }

    /// The declarations of the variables that are assigned in the loop whose body begins at a position.
    pub fn assigned_in(&self, body: &ast::Block) -> &[Pos] {
        self.loops.get(&body.span.start).map_or(&[], |&(from, to)| &self.assignments[from..to])
    }
}

/// Scans a function's body.
pub(crate) fn scan_function(function: &ast::Function, variants: &FxHashSet<Name>, self_name: Option<Name>) -> Scan {
    let mut scanner = Scanner::new(variants);
    if let (Some(span), Some(name)) = (function.signature.receiver, self_name) {
        scanner.declare(ast::Ident { name, span }, None);
    }
    scanner.params(&function.signature.params);
    scanner.block(&function.body);
    scanner.scan
}

/// Scans an initialiser.
pub(crate) fn scan_expr(expr: &ast::Expr, variants: &FxHashSet<Name>) -> Scan {
    let mut scanner = Scanner::new(variants);
    scanner.expr(expr);
    scanner.scan
}

struct Entry {
    declared: Pos,
    depth: usize,
    /// For a name in a pattern that may be a variant: what the name means then.
    under: Option<Option<usize>>,
}

struct Scanner<'v> {
    scan: Scan,
    variants: &'v FxHashSet<Name>,
    entries: Vec<Entry>,
    visible: FxHashMap<Name, usize>,
    undo: Vec<(Name, Option<usize>)>,
    depth: usize,
}

impl<'v> Scanner<'v> {
    fn new(variants: &'v FxHashSet<Name>) -> Self {
        Scanner {
            scan: Scan::default(),
            variants,
            entries: Vec::new(),
            visible: FxHashMap::default(),
            undo: Vec::new(),
            depth: 0,
        }
    }

    fn declare(&mut self, name: ast::Ident, under: Option<Option<usize>>) {
        let entry = self.entries.len();
        self.entries.push(Entry { declared: name.span.start, depth: self.depth, under });
        let old = self.visible.insert(name.name, entry);
        self.undo.push((name.name, old));
    }

    fn close(&mut self, mark: usize) {
        for (name, old) in self.undo.drain(mark..).rev() {
            match old {
                Some(entry) => self.visible.insert(name, entry),
                None => self.visible.remove(&name),
            };
        }
    }

    fn name(&mut self, name: ast::Ident, access: Access) {
        let mut next = self.visible.get(&name.name).copied();
        loop {
            let Some(entry) = next else {
                self.scan.free.push(Free { name: name.name, member: None });
                return;
            };
            let entry = &self.entries[entry];
            let usage = self.scan.usages.entry(entry.declared).or_default();
            usage.captured |= entry.depth < self.depth;
            if access == Access::Write {
                usage.reassigned = true;
                self.scan.assignments.push(entry.declared);
            }
            match entry.under {
                None => return,
                Some(under) => next = under,
            }
        }
    }

    fn params(&mut self, params: &[ast::Param]) {
        for param in params {
            if let Some(name) = param.name {
                self.declare(name, None);
            }
        }
    }

    fn path(&mut self, path: &ast::Path, access: Access) {
        let first = path.segments[0].ident;
        if path.segments.len() > 1 {
            self.scan.free.push(Free::of(path));
            return;
        }
        self.name(first, access);
    }

    fn block(&mut self, block: &ast::Block) {
        let mark = self.undo.len();
        for statement in &block.statements {
            self.statement(statement);
        }
        if let Some(value) = &block.value {
            self.expr(value);
        }
        self.close(mark);
    }

    fn looped(&mut self, from: usize, body: &ast::Block) {
        self.block(body);
        self.scan.loops.insert(body.span.start, (from, self.scan.assignments.len()));
    }

    fn statement(&mut self, statement: &ast::Statement) {
        match &statement.kind {
            StatementKind::Let { name, ty: _, value } => {
                if let Some(value) = value {
                    self.expr(value);
                }
                if let Some(name) = *name {
                    self.declare(name, None);
                }
            }
            StatementKind::Assign { place, op: _, value } => match &place.kind {
                ExprKind::Path(path) => {
                    self.expr(value);
                    self.path(path, Access::Write);
                }
                _ => {
                    self.expr(place);
                    self.expr(value);
                }
            },
            StatementKind::Expr { expr, semicolon: _ } => self.expr(expr),
            StatementKind::While { label: _, condition, body } => {
                let from = self.scan.assignments.len();
                let mark = self.undo.len();
                self.condition(condition);
                self.looped(from, body);
                self.close(mark);
            }
            StatementKind::For { label: _, variable, head, body } => {
                match &**head {
                    ast::ForHead::Range { from, to, kind: _, by } => {
                        self.expr(from);
                        self.expr(to);
                        if let Some(by) = by {
                            self.expr(by);
                        }
                    }
                    ast::ForHead::Each(over) => self.expr(over),
                }
                let from = self.scan.assignments.len();
                let mark = self.undo.len();
                if let Some(variable) = *variable {
                    self.declare(variable, None);
                }
                self.looped(from, body);
                self.close(mark);
            }
            StatementKind::Error => {}
        }
    }

    /// The names of a pattern stay in scope until the caller closes it.
    fn condition(&mut self, condition: &ast::Condition) {
        match condition {
            ast::Condition::Expr(expr) => self.expr(expr),
            ast::Condition::Let { pattern, value, span: _ } => {
                self.expr(value);
                self.pattern(pattern, &mut FxHashMap::default());
            }
        }
    }

    fn pattern(&mut self, pattern: &ast::Pattern, seen: &mut FxHashMap<Name, Pos>) {
        match &pattern.kind {
            PatternKind::Name(name) => {
                // The alternatives of a pattern bind one variable: the first one's.
                if seen.contains_key(&name.name) {
                    return;
                }
                seen.insert(name.name, name.span.start);
                let under = self.variants.contains(&name.name).then(|| self.visible.get(&name.name).copied());
                self.declare(*name, under);
            }
            PatternKind::Variant { path, payload } => {
                self.scan.free.push(Free::of(path));
                for part in payload.iter().flatten() {
                    self.pattern(part, seen);
                }
            }
            PatternKind::Or(parts) => {
                for part in parts {
                    self.pattern(part, seen);
                }
            }
            PatternKind::Wildcard
            | PatternKind::Null
            | PatternKind::Int(_)
            | PatternKind::Byte(_)
            | PatternKind::Bool(_)
            | PatternKind::String(_)
            | PatternKind::IntRange(..)
            | PatternKind::ByteRange(..)
            | PatternKind::Error => {}
        }
    }

    fn exprs<'e>(&mut self, exprs: impl IntoIterator<Item = &'e ast::Expr>) {
        for expr in exprs {
            self.expr(expr);
        }
    }

    fn expr(&mut self, expr: &ast::Expr) {
        match &expr.kind {
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Byte(_)
            | ExprKind::String(_)
            | ExprKind::Bool(_)
            | ExprKind::Null
            | ExprKind::Break(_)
            | ExprKind::Continue(_)
            | ExprKind::Error => {}
            ExprKind::Path(path) => self.path(path, Access::Read),
            ExprKind::Struct { path, fields } => {
                self.scan.free.push(Free::of(path));
                for (name, value) in fields {
                    match value {
                        Some(value) => self.expr(value),
                        None => self.name(*name, Access::Read),
                    }
                }
            }
            ExprKind::Array(elements) | ExprKind::Coalesce(elements) => self.exprs(elements),
            ExprKind::Repeat { value, count } => {
                self.expr(value);
                self.expr(count);
            }
            ExprKind::Paren(inner) => self.expr(inner),
            ExprKind::Unary { op: _, operand } => self.expr(operand),
            ExprKind::Chain { first, rest } => {
                self.expr(first);
                self.exprs(rest.iter().map(|(_, _, operand)| operand));
            }
            ExprKind::Compare { op: _, op_span: _, left, right } => {
                self.expr(left);
                self.expr(right);
            }
            ExprKind::Postfix { base, operations } => {
                self.expr(base);
                for operation in operations {
                    match &operation.kind {
                        PostfixKind::Call(args) | PostfixKind::Method { name: _, generics: _, args } => {
                            self.exprs(args)
                        }
                        PostfixKind::Index(index) => self.expr(index),
                        PostfixKind::Slice { from, to } => {
                            self.exprs(from.iter().chain(to).map(|e| &**e));
                        }
                        PostfixKind::Field(_) | PostfixKind::Unwrap => {}
                    }
                }
            }
            ExprKind::If { arms, otherwise } => {
                for (condition, block) in arms {
                    let mark = self.undo.len();
                    self.condition(condition);
                    self.block(block);
                    self.close(mark);
                }
                if let Some(block) = otherwise {
                    self.block(block);
                }
            }
            ExprKind::Match { value, arms } => {
                self.expr(value);
                for arm in arms {
                    let mark = self.undo.len();
                    self.pattern(&arm.pattern, &mut FxHashMap::default());
                    self.exprs(&arm.guard);
                    self.expr(&arm.body);
                    self.close(mark);
                }
            }
            ExprKind::Block(block) => self.block(block),
            ExprKind::Closure { params, result: _, body } => {
                let mark = self.undo.len();
                self.depth += 1;
                self.params(params);
                self.block(body);
                self.depth -= 1;
                self.close(mark);
            }
            ExprKind::Return(value) => {
                if let Some(value) = value {
                    self.expr(value);
                }
            }
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Access {
    Read,
    Write,
}
