//! The C interface: calls of C functions, and what C calls.
//!
//! *In:* the functions that C may call. *Out:* for each a hidden function whose parameters are as C passes them: an int for
//! everything that comes in a general register, of which as many bits count as the type has. It tells the run-time library
//! that C is calling, makes Mini values of the parameters, calls the function, and says that it returns.
//!
//! ```text
//! pub fn shout(text: string, times: byte)
//!
//! hidden func "shout for C"(text: int, times: int) {
//! entry1:
//!   rt c_enter()
//!   %1 = const "`text` of `shout`"
//!   %2 = rt c_string(text, %1)
//!   %3 = int_to_byte times
//!   call shout(%2, %3)
//!   rt c_leave()
//!   ret
//! }
//! ```

use crate::body::{BodyLowering, Val};
use crate::program::ProgramLowering;
use crate::repr::{Repr, UniqueNames};
use mini_base::source::Pos;
use mini_ir::builtin::Builtin;
use mini_ir::func::{Func, Imm, Phase, Value};
use mini_ir::module::{Export, ExternId, FuncId, Library, Signature};
use mini_ir::op::Op;
use mini_ir::types::Type;
use mini_sema::c_words;
use mini_sema::typed::{self, Expr, ExprId, FnId, FnRef};
use mini_sema::types::{Ty, TyKind};

impl<'p> ProgramLowering<'p> {
    /// Declares the C functions. Two that have one symbol, in different modules, get different names here; what is behind the `$`
    /// is no part of the symbol.
    pub(crate) fn declare_externs(&mut self) {
        let mut names = UniqueNames::default();
        for function in &self.program.externs {
            let params = function.params.iter().flat_map(|&ty| self.repr(ty).types()).collect();
            let results = self.repr(function.result).types().collect();
            let name = names.take(function.name.to_string());
            let id = self.info.externs.push(Signature { name, params, results });
            self.externs.push(id);
        }
    }

    /// What C gets to see, if C is there; `init` initialises the globals.
    pub(crate) fn library(&mut self, init: Option<FuncId>) -> Option<Library> {
        let init = init?;
        let program = self.program;
        let exports = program.exports.iter().flatten().map(|&function| self.export(function)).collect();
        Some(Library { init, exports })
    }

    fn export(&mut self, function: FnId) -> Export {
        let definition = &self.program.functions[function];
        let name = &definition.name;
        let callee = self.function_id(&FnRef { function, type_args: Box::default() });
        let types: Vec<Ty> = definition.params.iter().map(|&p| definition.body.locals[p].ty).collect();
        let passed: Vec<Type> = types.iter().map(|&ty| self.passed_by_c(ty)).collect();
        let results: Vec<Type> = self.repr(definition.result).types().collect();
        let hidden = self.names.take(format!("{name} for C"));
        let id = self.declare_hidden(&hidden, passed.clone(), results.clone());
        let mut func = Func::new(hidden, Phase::Tac);
        func.hidden = true;
        func.results = results.clone();
        let mut lowering = BodyLowering::new(self, self.nothing, func);
        let mut args = Vec::with_capacity(types.len());
        for (&local, &ty) in definition.params.iter().zip(&passed) {
            args.push(lowering.passed_param(&definition.body.locals[local].name, ty));
        }
        lowering.builtin(Builtin::c_enter, &[], Pos::NONE);
        for ((arg, &ty), &local) in args.iter_mut().zip(&types).zip(&definition.params) {
            let what = format!("`{}` of `{name}`", definition.body.locals[local].name);
            *arg = lowering.received(*arg, ty, &what);
        }
        let values = lowering.emit(Op::Call, Imm::Func(callee), &args, &results, Pos::NONE);
        lowering.builtin(Builtin::c_leave, &[], Pos::NONE);
        lowering.terminate(Op::Return, &values, &[], Pos::NONE);
        let func = lowering.finish();
        self.funcs.push((id, func));
        Export { symbol: name.clone(), prototype: self.prototype(definition), func: id }
    }

    fn passed_by_c(&self, ty: Ty) -> Type {
        match self.program.types.kind(ty) {
            TyKind::Float => Type::Float,
            _ => Type::Int,
        }
    }

    /// The declaration of a function in C.
    fn prototype(&self, function: &typed::FnDef) -> String {
        let mut params: Vec<String> = Vec::new();
        for &local in &function.params {
            let local = &function.body.locals[local];
            let ty = self.c_type(local.ty);
            let name = c_name(&local.name, params.len() + 1);
            params.push(if ty.ends_with('*') { format!("{ty}{name}") } else { format!("{ty} {name}") });
        }
        let params = if params.is_empty() { "void".into() } else { params.join(", ") };
        format!("{} {}({params})", self.c_type(function.result), function.name)
    }

    fn c_type(&self, ty: Ty) -> &'static str {
        match self.program.types.kind(ty) {
            TyKind::Int => "int64_t",
            TyKind::Float => "double",
            TyKind::Bool | TyKind::Byte => "uint8_t",
            TyKind::String => "const char *",
            TyKind::Array(element) => match self.program.types.kind(*element) {
                TyKind::Int => "int64_t *",
                TyKind::Float => "double *",
                _ => "uint8_t *",
            },
            _ => "void", // unit: the checker exports no others
        }
    }
}

/// A parameter's name in C: its own, if that can't mean something else there.
fn c_name(name: &str, number: usize) -> String {
    let plain = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') && name != "_";
    match plain && !c_words::is_word_of_c(name) && !c_words::is_word_of_cpp(name) && !c_words::may_be_macro(name) {
        true => name.into(),
        false => format!("argument{number}"),
    }
}

impl BodyLowering<'_, '_> {
    /// Calls a C function.
    pub(crate) fn call_extern(&mut self, id: typed::ExternId, vals: &[Val], expr: &Expr) -> Val {
        let function: ExternId = self.module.externs[id];
        let args: Vec<Value> = vals.iter().flat_map(|v| v.values()).collect();
        let head = &self.module.info.externs[function];
        if args.len() != head.params.len() {
            return Val::None; // an argument of type never: this is dead
        }
        let results = head.results.clone();
        let results = self.emit(Op::CallExtern, Imm::Extern(function), &args, &results, expr.span.start);
        results.first().map_or(Val::None, |&value| Val::One(value))
    }

    /// A call of a C function without evaluated arguments.
    pub(crate) fn extern_without_operands(&mut self, id: typed::ExternId, args: &[ExprId], expr: &Expr) -> Val {
        debug_assert!(args.is_empty(), "with arguments, the first is in the spine");
        self.call_extern(id, &[], expr)
    }

    /// A parameter as C passes it.
    fn passed_param(&mut self, name: &str, ty: Type) -> Value {
        match self.new_variable(name, Repr::One(ty)) {
            crate::body::Variable::One(value) => {
                self.func.add_func_param(value);
                value
            }
            _ => unreachable!("one value was asked for"),
        }
    }

    /// The Mini value of what C passed.
    fn received(&mut self, value: Value, ty: Ty, what: &str) -> Value {
        let element = match self.module.program.types.kind(ty) {
            TyKind::Byte => return self.op(Op::IntToByte, &[value], Type::Byte),
            TyKind::Bool => {
                let byte = self.op(Op::IntToByte, &[value], Type::Byte);
                let zero = self.byte(0);
                return self.op(Op::Ne, &[byte, zero], Type::Bool);
            }
            TyKind::String => {
                let what = self.string(what.as_bytes());
                return self.builtin1(Builtin::c_string, &[value, what], Pos::NONE);
            }
            TyKind::Array(element) => *element,
            _ => return value,
        };
        let size = match self.module.program.types.kind(element) {
            TyKind::Int | TyKind::Float => 8,
            _ => 1,
        };
        let (size, what) = (self.int(size), self.string(what.as_bytes()));
        self.builtin1(Builtin::c_array, &[value, size, what], Pos::NONE)
    }
}
