//! Globals: their types, their initialisers, and who may read whom before its time.
//!
//! *In:* the globals of all modules. *Out:* a type and a checked initialiser for each. A global whose type is written is
//! known from the start; the others are checked behind the globals that they name, and cycles among them are errors.
//! *Cost:* linear in the initialisers, without recursion over the dependencies.

use crate::body::{BodyChecker, Frame, Owner};
use crate::check::Checker;
use crate::infer::{Because, Expect};
use crate::items::Item;
use crate::modules::ModuleId;
use crate::order::dependency_order;
use crate::scan::{Free, Scan, scan_expr};
use crate::typed::{Body, GlobalId};
use crate::types::Ty;
use mini_base::ids::Id;
use mini_base::source::Span;
use mini_diag::codes_checker as codes;
use mini_syntax::ast;

/// A global.
pub(crate) struct GlobalInfo<'a> {
    /// Its module.
    pub module: ModuleId,
    /// How it is written.
    pub syntax: &'a ast::Binding,
    /// Its type, once that is known.
    pub ty: Option<Ty>,
    /// Whether its type has a zero.
    pub has_zero: bool,
    /// Its initialiser, once that is checked.
    pub body: Option<Body>,
}

impl<'a> GlobalInfo<'a> {
    /// A global that has not been looked at.
    pub fn new(syntax: &'a ast::Binding, module: ModuleId) -> Self {
        GlobalInfo { module, syntax, ty: None, has_zero: true, body: None }
    }
}

impl<'a> Checker<'a> {
    /// Checks all globals with their initialisers.
    pub fn check_globals(&mut self) {
        let count = self.globals.len();
        for id in self.globals.ids() {
            self.current = self.globals[id].module;
            if let Some(written) = &self.globals[id].syntax.ty {
                let ty = self.resolve_type(written);
                self.set_type(id, ty);
            }
        }
        let mut scans: Vec<Scan> = Vec::with_capacity(count);
        let mut needs: Vec<Vec<usize>> = Vec::with_capacity(count);
        for id in self.globals.ids() {
            let scan = scan_expr(&self.globals[id].syntax.value, &self.variants);
            self.current = self.globals[id].module;
            let globals = scan.free.iter().filter_map(|&free| self.global_named(free));
            needs.push(globals.filter(|&other| self.globals[other].ty.is_none()).map(GlobalId::index).collect());
            scans.push(scan);
        }
        let (mut order, mut cycles) = (Vec::with_capacity(count), Vec::new());
        dependency_order(count, |i| needs[i].clone(), |i| order.push(i), |cycle| cycles.push(cycle.to_vec()));
        for cycle in cycles {
            self.report_global_cycle(&cycle);
        }
        for index in order {
            self.check_global(GlobalId::new(index), std::mem::take(&mut scans[index]));
        }
    }

    /// The global that a name in an initialiser means, if it is one.
    fn global_named(&self, free: Free) -> Option<GlobalId> {
        let item = match (self.lookup(free.name)?.0, free.member) {
            (Item::Module(module), Some(member)) => self.scopes[module].names.get(&member)?.item,
            (item, _) => item,
        };
        match item {
            Item::Global(id) => Some(id),
            Item::Const(_)
            | Item::Struct(_)
            | Item::Enum(_)
            | Item::Function(_)
            | Item::Extern(_)
            | Item::Module(_)
            | Item::Error => None,
        }
    }

    fn set_type(&mut self, id: GlobalId, ty: Ty) {
        self.globals[id].has_zero = self.has_zero(ty);
        self.globals[id].ty = Some(ty);
    }

    fn report_global_cycle(&mut self, cycle: &[usize]) {
        let error = self.types.error;
        let members = || cycle.iter().map(|&i| GlobalId::new(i));
        if members().any(|id| self.globals[id].ty.is_some()) {
            return; // a written type breaks the cycle, or it was reported
        }
        let names: Vec<ast::Ident> = members().map(|id| self.globals[id].syntax.name).collect();
        for id in members() {
            self.set_type(id, error);
        }
        let first = names.iter().min_by_key(|n| n.span.start).copied().expect("a cycle has a member");
        let text = self.text(first.name);
        let mut d = self
            .error(
                codes::E0506_GLOBAL_TYPE_CYCLE,
                first.span,
                format!("the type of the global `{text}` depends on itself"),
            )
            .with_help(format!("write its type: `let {text}: … = …;`"));
        for name in names.iter().filter(|n| **n != first).take(8) {
            d = d.with_secondary(name.span, format!("through `{}`", self.text(name.name)));
        }
        self.report(d);
    }

    fn check_global(&mut self, id: GlobalId, scan: Scan) {
        let syntax = self.globals[id].syntax;
        self.current = self.globals[id].module;
        let known = self.globals[id].ty;
        let mut checker = BodyChecker::new(self, Owner::Global(id), scan);
        checker.frames.push(Frame { result: None, result_span: Span::NONE, loops: 0, captures: Default::default() });
        let root = match (known, &syntax.ty) {
            (Some(ty), Some(written)) => {
                checker.check(&syntax.value, ty, Because::new(written.span, "the type is written here"))
            }
            _ => checker.value(&syntax.value, Expect::Nothing),
        };
        checker.settle(0);
        let ty = checker.resolve(checker.body.exprs[root].ty);
        let body = checker.finish(root);
        if known.is_none() {
            let ty = if ty == self.types.never { self.types.error } else { ty };
            self.set_type(id, ty);
        }
        self.globals[id].body = Some(body);
    }

    /// A global without a zero that an earlier or its own initialiser names directly.
    pub fn is_early_read(&self, owner: Owner, global: GlobalId) -> bool {
        match owner {
            Owner::Global(reader) => reader <= global && !self.globals[global].has_zero,
            Owner::Function(_) | Owner::Const => false,
        }
    }
}
