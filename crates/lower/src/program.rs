//! The module: one IR function for each instance of a Mini function, one for each global with a computed initialiser, and `$start`,
//! which initialises the globals in order, calls `main` and returns the exit status.
//!
//! *In:* a checked program. *Out:* a module in phase TAC; unreachable blocks are gone. *Cost:* linear.

use crate::body::{BodyLowering, Part, Val};
use crate::repr::{Layouts, Repr, UniqueNames, named_parts, repr};
use mini_base::bitset::BitSet;
use mini_base::ids::{Id, IdVec};
use mini_base::source::Pos;
use mini_ir::func::{Func, Imm, Phase};
use mini_ir::module::{ExternId, FuncId, Global, GlobalId, Library, Module, ModuleInfo, Signature};
use mini_ir::op::Op;
use mini_ir::types::{Layout, LayoutId, Type};
use mini_sema::print::{instance_name, instance_text, type_name};
use mini_sema::typed::{
    self, Body, BuiltinFn, Capture, Closure, Conversion, EachKind, ExprKind, FnId, FnRef, Instance, Local, LocalId,
    Origin, Program, Zero,
};
use mini_sema::types::{Ty, TyKind};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// How much of a program is lowered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// What `main` and the initialisers refer to.
    Reachable,
    /// All that the user wrote, as far as its types are known.
    All,
}

/// Lowers a program.
pub fn lower(program: &Program, extent: Extent) -> Module {
    let no_body = Body::default();
    // What has no type parameters changes no types.
    let nobody = program.main.unwrap_or(FnId::new(0));
    let nobody = FnRef { function: nobody, type_args: Box::default() };
    let no_instance = Instance { function: nobody, types: FxHashMap::default() };
    let mut lowering = ProgramLowering {
        program,
        nothing: Part { body: &no_body, instance: &no_instance, origin: Origin::User },
        info: ModuleInfo::default(),
        layouts: Layouts::default(),
        instances: FxHashMap::default(),
        externs: IdVec::new(),
        globals: IdVec::new(),
        early_reads: early_reads(program),
        text_functions: FxHashMap::default(),
        text_queue: Vec::new(),
        names: UniqueNames::default(),
        closure_queue: Vec::new(),
        funcs: Vec::new(),
    };
    let instances = match extent {
        Extent::Reachable => &program.instances[..program.reachable],
        Extent::All => &program.instances,
    };
    // In the order of the text, and for each function in the order in which they were found.
    let mut instances: Vec<&Instance> = instances.iter().collect();
    instances.sort_by_key(|instance| instance.function.function);
    lowering.declare_externs();
    lowering.declare(&instances);
    for instance in instances {
        lowering.function(instance);
    }
    let init = lowering.init();
    let start = lowering.start(init);
    let library = lowering.library(init);
    lowering.closures();
    lowering.text_functions();
    lowering.finish(start, library)
}

/// Whether a global can be read before its initialiser has run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum EarlyReads {
    /// Some initialiser calls something, which may read any global.
    Possible,
    /// None does; the checker has refused the direct ones.
    Impossible,
}

/// The state while a program is lowered.
pub(crate) struct ProgramLowering<'p> {
    pub(crate) program: &'p Program,
    /// The body of functions that the lowering makes up.
    pub(crate) nothing: Part<'p>,
    pub(crate) info: ModuleInfo,
    pub(crate) layouts: Layouts,
    instances: FxHashMap<&'p FnRef, (FuncId, &'p Instance)>,
    /// The IR's number of each C function.
    pub(crate) externs: IdVec<typed::ExternId, ExternId>,
    /// The first IR global of each global; a scalar optional takes the next one too.
    globals: IdVec<typed::GlobalId, Option<GlobalId>>,
    pub(crate) early_reads: EarlyReads,
    text_functions: FxHashMap<Ty, FuncId>,
    text_queue: Vec<(Ty, FuncId)>,
    /// The names of functions.
    pub(crate) names: UniqueNames,
    closure_queue: Vec<PendingClosure<'p>>,
    /// Finished bodies in any order.
    pub(crate) funcs: Vec<(FuncId, Func)>,
}

/// A closure whose function is still to be lowered.
struct PendingClosure<'p> {
    part: Part<'p>,
    closure: &'p Closure,
    reassigned: Rc<BitSet<LocalId>>,
    function: FuncId,
    layout: LayoutId,
}

fn early_reads(program: &Program) -> EarlyReads {
    let shows = program.structs.iter().any(|s| s.show.is_some()) || program.enums.iter().any(|e| e.show.is_some());
    let calls = |body: &Body| {
        body.exprs.iter().any(|expr| match &expr.kind {
            // C may call back.
            ExprKind::Call(..) | ExprKind::CallExtern(..) | ExprKind::CallValue(..) => true,
            ExprKind::Convert(Conversion::ToString, _)
            | ExprKind::Builtin(BuiltinFn::Print | BuiltinFn::Write | BuiltinFn::Eprint, _) => shows,
            ExprKind::ForEach(each) => matches!(each.kind, EachKind::Indexed { .. } | EachKind::Iterator { .. }),
            _ => false,
        })
    };
    if program.globals.iter().any(|g| calls(&g.init)) { EarlyReads::Possible } else { EarlyReads::Impossible }
}

impl<'p> ProgramLowering<'p> {
    pub(crate) fn repr(&self, ty: Ty) -> Repr {
        repr(self.program, ty)
    }

    /// The IR function of an instance.
    pub(crate) fn function_id(&self, function: &FnRef) -> FuncId {
        self.instance(function).0
    }

    /// The type of an instance's result.
    pub(crate) fn result_of(&self, function: &FnRef) -> Ty {
        self.instance(function).1.ty(self.program.functions[function.function].result)
    }

    fn instance(&self, function: &FnRef) -> (FuncId, &'p Instance) {
        *self.instances.get(function).expect("the search for instances found what instances refer to")
    }

    /// The IR globals of a global.
    pub(crate) fn global_ids(&self, global: typed::GlobalId) -> (Option<GlobalId>, Option<GlobalId>) {
        let first = self.globals[global];
        let second = match self.repr(self.program.globals[global].ty) {
            Repr::Optional(_) => first.map(|g| GlobalId::new(g.index() + 1)),
            Repr::None | Repr::One(_) => None,
        };
        (first, second)
    }

    fn declare(&mut self, instances: &[&'p Instance]) {
        for &instance in instances {
            let function = &self.program.functions[instance.function.function];
            let flatten = |tys: &mut dyn Iterator<Item = Ty>| tys.flat_map(|ty| self.repr(ty).types()).collect();
            let params = flatten(&mut function.params.iter().map(|&p| instance.ty(function.body.locals[p].ty)));
            let results = flatten(&mut std::iter::once(instance.ty(function.result)));
            let name = self.names.take(instance_name(self.program, &instance.function));
            let id = self.info.signatures.push(Signature { name, params, results });
            self.instances.insert(&instance.function, (id, instance));
        }
        let mut names = UniqueNames::default();
        for global in &self.program.globals {
            let name = names.take(global.name.to_string());
            let mut first = None;
            for (part, ty) in self.repr(global.ty).types().enumerate() {
                let name = if part == 0 { name.clone() } else { format!("{name}?").into() };
                let id = self.info.globals.push(Global { name, ty });
                first = first.or(Some(id));
            }
            self.globals.push(first);
        }
    }

    fn function(&mut self, instance: &'p Instance) {
        let definition = &self.program.functions[instance.function.function];
        let id = self.function_id(&instance.function);
        let mut func = self.new_func(id);
        func.pos = definition.span.start;
        let part = Part { body: &definition.body, instance, origin: definition.origin };
        let mut lowering = BodyLowering::new(self, part, func);
        for &param in &definition.params {
            lowering.declare_param(param);
        }
        lowering.body_and_return(definition.body.root.expect("a checked body has a root"));
        let func = lowering.finish();
        self.funcs.push((id, func));
    }

    /// The body-less function of a signature.
    fn new_func(&self, id: FuncId) -> Func {
        let signature = &self.info.signatures[id];
        let mut func = Func::new(signature.name.clone(), Phase::Tac);
        func.results = signature.results.clone();
        func
    }

    /// `$init`, if C may be the first to call: initialises the globals.
    fn init(&mut self) -> Option<FuncId> {
        self.program.exports.as_ref()?;
        let id = self.declare_hidden("$init", vec![], vec![]);
        let mut func = self.new_func(id);
        func.hidden = true;
        let mut lowering = BodyLowering::new(self, self.nothing, func);
        let initialisers = lowering.initialise_globals();
        lowering.terminate(Op::Return, &[], &[], Pos::NONE);
        let func = lowering.finish();
        self.funcs.push((id, func));
        self.initialisers(initialisers);
        Some(id)
    }

    /// `$start`: initialises the globals, by `$init` if there is one; `main`, the exit status.
    fn start(&mut self, init: Option<FuncId>) -> Option<FuncId> {
        let main = self.program.main?;
        let id = self.declare_hidden("$start", vec![], vec![Type::Int]);
        let mut func = self.new_func(id);
        func.hidden = true;
        let mut lowering = BodyLowering::new(self, self.nothing, func);
        let initialisers = match init {
            None => lowering.initialise_globals(),
            Some(init) => {
                lowering.emit(Op::Call, Imm::Func(init), &[], &[], Pos::NONE);
                Vec::new()
            }
        };
        let definition = &lowering.module.program.functions[main];
        let (pos, result) = (definition.span.start, definition.result);
        let main = lowering.module.function_id(&FnRef { function: main, type_args: Box::default() });
        let status = match lowering.module.repr(result) {
            Repr::One(ty) => lowering.emit(Op::Call, Imm::Func(main), &[], &[ty], pos)[0],
            Repr::None | Repr::Optional(_) => {
                lowering.emit(Op::Call, Imm::Func(main), &[], &[], pos);
                lowering.int(0)
            }
        };
        lowering.terminate(Op::Return, &[status], &[], Pos::NONE);
        let func = lowering.finish();
        self.funcs.push((id, func));
        self.initialisers(initialisers);
        Some(id)
    }

    /// The functions that compute the first values of globals.
    fn initialisers(&mut self, initialisers: Vec<(typed::GlobalId, FuncId)>) {
        for (global, function) in initialisers {
            let definition = &self.program.globals[global];
            let mut func = self.new_func(function);
            func.pos = definition.span.start;
            let part = Part { body: &definition.init, ..self.nothing };
            let mut lowering = BodyLowering::new(self, part, func);
            let value = lowering.expr(definition.init.root.expect("a checked body has a root"));
            lowering.store_global(global, value, definition.span.start);
            lowering.terminate(Op::Return, &[], &[], Pos::NONE);
            let func = lowering.finish();
            self.funcs.push((function, func));
        }
    }

    /// The function that appends the text of an array or enum to the text being built; made when the queue is worked off.
    pub(crate) fn text_function(&mut self, ty: Ty) -> FuncId {
        if let Some(&id) = self.text_functions.get(&ty) {
            return id;
        }
        let name = self.names.take(format!("text {}", type_name(self.program, ty)));
        let params = self.repr(ty).types().collect();
        let id = self.declare_hidden(&name, params, vec![]);
        self.text_functions.insert(ty, id);
        self.text_queue.push((ty, id));
        id
    }

    /// What the variables of a local hold, and closures capture: its value, or its cell.
    pub(crate) fn place_of(&self, instance: &Instance, local: &Local) -> Repr {
        match (local.capture, self.repr(instance.ty(local.ty))) {
            (_, Repr::None) => Repr::None,
            (Capture::Shared, _) => Repr::One(Type::Ref),
            (Capture::No | Capture::Copied, repr) => repr,
        }
    }

    /// The layout of a cell for a variable of this representation.
    pub(crate) fn cell_layout(&mut self, repr: Repr) -> LayoutId {
        self.layouts.of_cell(&mut self.info, repr)
    }

    /// The function and the layout of a closure; the function is lowered when the queue is worked off.
    pub(crate) fn closure(
        &mut self,
        part: Part<'p>,
        closure: &'p Closure,
        reassigned: Rc<BitSet<LocalId>>,
    ) -> (FuncId, LayoutId) {
        let Part { body, instance, .. } = part;
        let function = &instance.function;
        let name = self.names.take(instance_text(self.program, &closure.name, &function.type_args));
        let mut fields = vec![("code".into(), Type::Int)];
        for &local in &closure.captures {
            let local = &body.locals[local];
            let place = self.place_of(instance, local);
            fields.extend(named_parts(&local.name, place));
        }
        let layout = self.info.layout(Layout::Struct { name: name.clone(), tag: None, fields });
        let params = closure.params.iter().flat_map(|&p| self.repr(instance.ty(body.locals[p].ty)).types()).collect();
        let results = self.repr(instance.ty(closure.result)).types().collect();
        let function = self.info.signatures.push(Signature { name, params, results });
        self.closure_queue.push(PendingClosure { part, closure, reassigned, function, layout });
        (function, layout)
    }

    fn closures(&mut self) {
        while let Some(PendingClosure { part, closure, reassigned, function, layout }) = self.closure_queue.pop() {
            let mut func = self.new_func(function);
            func.pos = part.body.exprs[closure.body].span.start;
            let mut lowering = BodyLowering::new_closure(self, part, reassigned, func);
            for &param in &closure.params {
                lowering.declare_param(param);
            }
            lowering.open_captures(closure, layout);
            lowering.body_and_return(closure.body);
            let func = lowering.finish();
            self.funcs.push((function, func));
        }
    }

    fn text_functions(&mut self) {
        let program = self.program;
        while let Some((ty, id)) = self.text_queue.pop() {
            let mut func = self.new_func(id);
            func.hidden = true;
            let mut lowering = BodyLowering::new(self, self.nothing, func);
            match program.types.kind(ty) {
                TyKind::Enum(id, _) => lowering.enum_text_body(&program.enums[*id].variants),
                _ => lowering.array_text_body(ty),
            }
            let func = lowering.finish();
            self.funcs.push((id, func));
        }
    }

    pub(crate) fn declare_hidden(&mut self, name: &str, params: Vec<Type>, results: Vec<Type>) -> FuncId {
        self.info.signatures.push(Signature { name: name.into(), params, results })
    }

    fn finish(mut self, start: Option<FuncId>, library: Option<Library>) -> Module {
        self.funcs.sort_by_key(|&(id, _)| id);
        debug_assert!(self.funcs.iter().map(|f| f.0).eq(self.info.signatures.ids()), "each signature got its body");
        Module { info: self.info, funcs: self.funcs.into_iter().map(|(_, f)| f).collect(), start, library }
    }
}

impl BodyLowering<'_, '_> {
    /// Zero values, then first values in order; gives the functions that compute those which are no constants.
    fn initialise_globals(&mut self) -> Vec<(typed::GlobalId, FuncId)> {
        let program = self.module.program;
        for (global, definition) in program.globals.iter_enumerated() {
            if definition.zero == Zero::Exists {
                self.store_zero(global, definition.ty);
            }
        }
        let mut initialisers = Vec::new();
        for (global, definition) in program.globals.iter_enumerated() {
            let root = definition.init.root.expect("a checked body has a root");
            let pos = definition.span.start;
            match self.constant(&definition.init.exprs[root]) {
                Some(value) => self.store_global(global, value, pos),
                None => {
                    let name = self.module.names.take(format!("global {}", definition.name));
                    let signature = Signature { name, params: vec![], results: vec![] };
                    let function = self.module.info.signatures.push(signature);
                    self.emit(Op::Call, Imm::Func(function), &[], &[], pos);
                    initialisers.push((global, function));
                }
            }
        }
        initialisers
    }

    /// Gives a global its type's zero where that is not all zero bits: the empty string, an empty array.
    fn store_zero(&mut self, global: typed::GlobalId, ty: Ty) {
        let value = match *self.module.program.types.kind(ty) {
            TyKind::String => self.string(b""),
            TyKind::Array(element) => {
                let zero = self.int(0);
                self.new_array(element, zero, Pos::NONE)
            }
            _ => return, // the globals' memory is zero at the start, which is every other zero
        };
        self.store_global(global, Val::One(value), Pos::NONE);
    }
}
