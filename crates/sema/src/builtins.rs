//! The table of built-in functions and methods, and their calls.
//!
//! *Source:* the language reference, section 6: one row each. *Keeps:* names are looked up behind locals and items, which
//! may shadow them. What a row can't say (any type with `Show`, one or two arguments) is said by its [`Shape`].

use crate::body::BodyChecker;
use crate::check::Checker;
use crate::generics::Bound;
use crate::infer::{Because, Expect};
use crate::typed::{BuiltinFn, Conversion, ExprId, ExprKind, Origin};
use crate::types::{Ty, TyKind};
use mini_base::names::{Name, Names};
use mini_base::source::Span;
use mini_diag::codes_checker as codes;
use mini_syntax::ast;
use rustc_hash::FxHashMap;

/// The types in rows of the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Int,
    Float,
    Bool,
    Byte,
    String,
    Unit,
    Never,
    OptionalInt,
    OptionalFloat,
    OptionalString,
    Bytes,
    Strings,
    /// The type of the first argument, of a row for arrays.
    SameArray,
}

/// How the arguments of a row are checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shape {
    /// As the row lists them.
    Plain,
    /// Any number of any types with `Show`.
    Shown,
    /// A bool, and a string that may be left out.
    Assert,
    /// One of any type with `Hash`.
    Hashed,
    /// An array of any type, then what the row lists.
    OnArray,
}

/// A built-in function or method.
#[derive(Debug)]
pub(crate) struct Builtin {
    /// Its name.
    pub name: &'static str,
    /// What it is in the typed tree.
    pub function: BuiltinFn,
    /// The arguments of a plain row; a method's receiver is not among them.
    pub params: &'static [Kind],
    /// The result.
    pub result: Kind,
    /// How arguments are checked.
    pub shape: Shape,
}

const fn plain(name: &'static str, function: BuiltinFn, params: &'static [Kind], result: Kind) -> Builtin {
    Builtin { name, function, params, result, shape: Shape::Plain }
}

const fn on_array(name: &'static str, function: BuiltinFn, params: &'static [Kind], result: Kind) -> Builtin {
    Builtin { name, function, params, result, shape: Shape::OnArray }
}

use BuiltinFn as F;
use Kind as K;

/// The functions.
static FUNCTIONS: &[Builtin] = &[
    Builtin { name: "print", function: F::Print, params: &[], result: K::Unit, shape: Shape::Shown },
    Builtin { name: "write", function: F::Write, params: &[], result: K::Unit, shape: Shape::Shown },
    Builtin { name: "eprint", function: F::Eprint, params: &[], result: K::Unit, shape: Shape::Shown },
    plain("write_byte", F::WriteByte, &[K::Byte], K::Unit),
    plain("read_line", F::ReadLine, &[], K::OptionalString),
    plain("read_all", F::ReadAll, &[], K::String),
    plain("read_file", F::ReadFile, &[K::String], K::OptionalString),
    plain("write_file", F::WriteFile, &[K::String, K::String], K::Bool),
    plain("args", F::Args, &[], K::Strings),
    plain("clock_ns", F::ClockNs, &[], K::Int),
    plain("exit", F::Exit, &[K::Int], K::Never),
    plain("panic", F::Panic, &[K::String], K::Never),
    Builtin { name: "assert", function: F::Assert, params: &[], result: K::Unit, shape: Shape::Assert },
    plain("parse_int", F::ParseInt, &[K::String], K::OptionalInt),
    plain("parse_float", F::ParseFloat, &[K::String], K::OptionalFloat),
    Builtin { name: "hash", function: F::Hash, params: &[], result: K::Int, shape: Shape::Hashed },
    plain("sqrt", F::Sqrt, &[K::Float], K::Float),
    plain("floor", F::Floor, &[K::Float], K::Float),
    plain("ceil", F::Ceil, &[K::Float], K::Float),
    plain("trunc", F::Trunc, &[K::Float], K::Float),
    plain("round", F::Round, &[K::Float], K::Float),
    plain("abs_float", F::AbsFloat, &[K::Float], K::Float),
    plain("sin", F::Sin, &[K::Float], K::Float),
    plain("cos", F::Cos, &[K::Float], K::Float),
    plain("tan", F::Tan, &[K::Float], K::Float),
    plain("atan", F::Atan, &[K::Float], K::Float),
    plain("atan2", F::Atan2, &[K::Float, K::Float], K::Float),
    plain("exp", F::Exp, &[K::Float], K::Float),
    plain("log", F::Log, &[K::Float], K::Float),
    plain("pow", F::Pow, &[K::Float, K::Float], K::Float),
    plain("abs", F::Abs, &[K::Int], K::Int),
    plain("min", F::Min, &[K::Int, K::Int], K::Int),
    plain("max", F::Max, &[K::Int, K::Int], K::Int),
    plain("min_float", F::MinFloat, &[K::Float, K::Float], K::Float),
    plain("max_float", F::MaxFloat, &[K::Float, K::Float], K::Float),
    plain("float_bits", F::FloatBits, &[K::Float], K::Int),
    plain("float_from_bits", F::FloatFromBits, &[K::Int], K::Float),
    plain("fixed", F::Fixed, &[K::Float, K::Int], K::String),
    plain("byte_string", F::ByteString, &[K::Byte], K::String),
    plain("string_from_bytes", F::StringFromBytes, &[K::Bytes], K::String),
];

/// The functions that only the standard library's own modules can call. With them it keeps arrays with room to spare, in which
/// elements stand that are no values; nothing may read these.
static LIBRARY_FUNCTIONS: &[Builtin] = &[
    plain("check_index", F::CheckIndex, &[K::Int, K::Int], K::Unit),
    on_array("zeroed_like", F::ZeroedLike, &[K::Int], K::SameArray),
    on_array("clear_element", F::ClearElement, &[K::Int], K::Unit),
];

/// The methods of strings.
static STRING_METHODS: &[Builtin] = &[
    plain("len", F::Len, &[], K::Int),
    plain("to_bytes", F::ToBytes, &[], K::Bytes),
    plain("find", F::Find, &[K::String], K::OptionalInt),
    plain("find_from", F::FindFrom, &[K::String, K::Int], K::OptionalInt),
    plain("starts_with", F::StartsWith, &[K::String], K::Bool),
    plain("ends_with", F::EndsWith, &[K::String], K::Bool),
    plain("contains", F::Contains, &[K::String], K::Bool),
    plain("replace", F::Replace, &[K::String, K::String], K::String),
    plain("trim", F::Trim, &[], K::String),
    plain("split", F::Split, &[K::String], K::Strings),
];

/// The methods of arrays.
static ARRAY_METHODS: &[Builtin] = &[plain("len", F::Len, &[], K::Int)];

/// The functions by name, as far as the program mentions their names.
pub(crate) fn functions_by_name(names: &Names) -> FxHashMap<Name, &'static Builtin> {
    FUNCTIONS.iter().filter_map(|row| Some((names.find(row.name)?, row))).collect()
}

/// The names of all built-in functions.
pub(crate) fn function_names() -> impl Iterator<Item = &'static str> {
    FUNCTIONS.iter().map(|row| row.name)
}

/// The built-in methods of a type.
pub(crate) fn methods_of(kind: &TyKind) -> &'static [Builtin] {
    match kind {
        TyKind::String => STRING_METHODS,
        TyKind::Array(_) => ARRAY_METHODS,
        TyKind::Int
        | TyKind::Float
        | TyKind::Bool
        | TyKind::Byte
        | TyKind::Unit
        | TyKind::Never
        | TyKind::Optional(_)
        | TyKind::Function(..)
        | TyKind::Struct(..)
        | TyKind::Enum(..)
        | TyKind::Param(_)
        | TyKind::Infer(_)
        | TyKind::Error => &[],
    }
}

/// The function for floats beside one for ints.
fn float_version(name: &str) -> Option<&'static str> {
    match name {
        "abs" => Some("abs_float"),
        "min" => Some("min_float"),
        "max" => Some("max_float"),
        _ => None, // all others are there once
    }
}

impl Checker<'_> {
    /// The type of a row.
    pub fn kind_type(&mut self, kind: Kind) -> Ty {
        let types = &mut self.types;
        match kind {
            K::Int => types.int,
            K::Float => types.float,
            K::Bool => types.bool,
            K::Byte => types.byte,
            K::String => types.string,
            K::Unit => types.unit,
            K::Never => types.never,
            K::OptionalInt => types.optional(types.int),
            K::OptionalFloat => types.optional(types.float),
            K::OptionalString => types.optional(types.string),
            K::Bytes => types.array(types.byte),
            K::Strings => types.array(types.string),
            K::SameArray => types.error, // the call knows it
        }
    }

    /// The built-in function of a name, as far as the module may call it.
    pub fn builtin_function(&self, name: Name) -> Option<&'static Builtin> {
        let everywhere = self.builtin_functions.get(&name).copied();
        everywhere.or_else(|| match self.module().origin() {
            Origin::User => None,
            Origin::Library => LIBRARY_FUNCTIONS.iter().find(|row| row.name == self.text(name)),
        })
    }

    /// The type that a name converts to when it is called.
    pub fn conversion_target(&self, name: Name) -> Option<Ty> {
        match self.text(name) {
            "int" => Some(self.types.int),
            "float" => Some(self.types.float),
            "bool" => Some(self.types.bool),
            "byte" => Some(self.types.byte),
            "string" => Some(self.types.string),
            _ => None, // no built-in type
        }
    }
}

impl BodyChecker<'_, '_> {
    /// A call of a built-in function, or of a method on `receiver`.
    pub fn call_builtin(
        &mut self,
        row: &'static Builtin,
        receiver: Option<ExprId>,
        args: &[ast::Expr],
        args_span: Span,
        span: Span,
    ) -> ExprId {
        let mut typed: Vec<ExprId> = receiver.into_iter().collect();
        match row.shape {
            Shape::Plain => {
                let params: Vec<Ty> = row.params.iter().map(|&kind| self.cx.kind_type(kind)).collect();
                typed.extend(self.arguments(row.name, &params, None, args, args_span));
            }
            Shape::Shown => {
                for arg in args {
                    let id = self.value(arg, Expect::Nothing);
                    self.require_show(id);
                    typed.push(id);
                }
            }
            Shape::Assert => {
                let (bool, string) = (self.cx.types.bool, self.cx.types.string);
                let params = if args.len() == 2 { vec![bool, string] } else { vec![bool] };
                typed.extend(self.arguments(row.name, &params, None, args, args_span));
            }
            Shape::OnArray => {
                let (array, rest) = args.split_first().expect("the library knows how to call it");
                let array = self.value(array, Expect::Nothing);
                debug_assert!(matches!(self.kind(self.ty(array)), TyKind::Array(_)));
                typed.push(array);
                let params: Vec<Ty> = row.params.iter().map(|&kind| self.cx.kind_type(kind)).collect();
                typed.extend(self.arguments(row.name, &params, None, rest, args_span));
            }
            Shape::Hashed => match args {
                [arg] => {
                    let id = self.value(arg, Expect::Nothing);
                    let ty = self.ty(id);
                    if !self.has_hash(ty) {
                        let text = self.describe(ty);
                        let message = format!("a value of type {text} can't be hashed");
                        let d = self.cx.error(codes::E0311_REQUIREMENT, self.span(id), message);
                        let ty = self.resolve(ty);
                        let d = self.cx.bound_advice(d, ty, Bound::Hash);
                        self.cx.report(d);
                        self.silence(ty);
                    }
                    typed.push(id);
                }
                _ => {
                    let int = self.cx.types.int;
                    typed.extend(self.arguments(row.name, &[int], None, args, args_span));
                }
            },
        }
        let result = match row.result {
            Kind::SameArray => typed.first().map_or(self.cx.types.error, |&array| self.ty(array)),
            kind => self.cx.kind_type(kind),
        };
        if row.result == Kind::Never {
            self.flow.stop();
        }
        self.push(ExprKind::Builtin(row.function, typed.into()), result, span)
    }

    /// Reports a value that can't be shown.
    pub fn require_show(&mut self, id: ExprId) {
        let ty = self.ty(id);
        if self.has_show(ty) {
            self.use_show(ty);
            return;
        }
        let text = self.describe(ty);
        let mut d = self.cx.error(
            codes::E0311_REQUIREMENT,
            self.span(id),
            format!("a value of type {text} can't be shown as text"),
        );
        let ty = self.resolve(ty);
        d = self.cx.bound_advice(d, ty, Bound::Show);
        self.cx.report(d);
        self.silence(ty);
    }

    /// `int(x)` and the other conversions.
    pub fn conversion(&mut self, to: Ty, args: &[ast::Expr], args_span: Span, span: Span) -> ExprId {
        let name = self.cx.type_text(to);
        let [arg] = args else {
            self.report_argument_count(&name, &["value".into()], args.len(), None, args_span);
            args.iter().for_each(|arg| self.ignored(arg));
            return self.push(ExprKind::Int(0), to, span);
        };
        let id = self.value(arg, Expect::Nothing);
        let from = self.ty(id);
        if self.is_never(from) {
            return id; // what is converted never comes, but it is evaluated
        }
        if self.is_error(from) {
            return self.push(ExprKind::Int(0), to, span);
        }
        let types = &self.cx.types;
        if to == types.string {
            self.require_show(id);
            return self.push(ExprKind::Convert(Conversion::ToString, id), to, span);
        }
        let found = match self.kind(from) {
            TyKind::Float if to == types.int => Some(Conversion::FloatToInt),
            TyKind::Byte if to == types.int => Some(Conversion::ByteToInt),
            TyKind::Bool if to == types.int => Some(Conversion::BoolToInt),
            TyKind::Enum(id, _) if to == types.int && self.cx.enums[id].plain => Some(Conversion::EnumToInt),
            TyKind::Int if to == types.float => Some(Conversion::IntToFloat),
            TyKind::Int if to == types.byte => Some(Conversion::IntToByte),
            _ => None, // there are no other conversions
        };
        let Some(conversion) = found else {
            self.report_conversion(id, from, to);
            return self.push(ExprKind::Int(0), to, span);
        };
        self.push(ExprKind::Convert(conversion, id), to, span)
    }

    fn report_conversion(&mut self, id: ExprId, from: Ty, to: Ty) {
        let (from_text, to_text) = (self.describe(from), self.describe(to));
        let message = if from == to {
            format!("this is {to_text} already: there is nothing to convert")
        } else {
            format!("{from_text} can't be converted to {to_text}")
        };
        let mut d = self.cx.error(codes::E0312_NO_CONVERSION, self.span(id), message);
        let types = &self.cx.types;
        let help = if from == to {
            Some("leave the conversion out")
        } else if from == types.string && to == types.int {
            Some("`parse_int(s)` reads an int from text")
        } else if from == types.string && to == types.float {
            Some("`parse_float(s)` reads a float from text")
        } else if [types.float, types.bool].contains(&from) && to == types.byte
            || from == types.byte && to == types.float
        {
            Some("convert it to `int` first")
        } else if to == types.bool {
            Some("write a comparison, such as `x != 0`")
        } else if self.optional_inner(from).is_some() {
            Some("the value may be null: test it with `!= null`, or unwrap it with `!`")
        } else {
            None
        };
        if let Some(help) = help {
            d = d.with_help(help);
        }
        self.cx.report(d);
        self.silence(from);
    }

    /// Arguments against parameters: as many, each of its type. Gives the typed ones, as far as there are parameters.
    pub fn arguments(
        &mut self,
        name: &str,
        params: &[Ty],
        declared: Option<&[Span]>,
        args: &[ast::Expr],
        args_span: Span,
    ) -> Vec<ExprId> {
        if args.len() != params.len() {
            let types: Vec<String> = params.iter().map(|&ty| self.cx.type_text(ty)).collect();
            self.report_argument_count(name, &types, args.len(), None, args_span);
        }
        let mut wants_floats = false;
        let mut typed = Vec::with_capacity(args.len());
        for (i, arg) in args.iter().enumerate() {
            match params.get(i) {
                Some(&ty) => {
                    let because = declared
                        .and_then(|spans| spans.get(i))
                        .and_then(|&span| Because::new(span, "the parameter is declared here"));
                    let int = self.cx.types.int;
                    let id = match float_version(name).filter(|_| ty == int) {
                        Some(better) => self.int_argument(arg, better, &mut wants_floats),
                        None => self.check(arg, ty, because),
                    };
                    typed.push(id);
                }
                None => self.ignored(arg),
            }
        }
        typed
    }

    /// An argument of `min` and its like, which take ints. The first float tells of the function for floats.
    fn int_argument(&mut self, arg: &ast::Expr, better: &str, wants_floats: &mut bool) -> ExprId {
        let (int, float) = (self.cx.types.int, self.cx.types.float);
        let id = self.infer(arg, Expect::Type(int));
        if self.ty(id) != float {
            return self.coerce(id, int, None);
        }
        let span = self.span(id);
        if !std::mem::replace(wants_floats, true) {
            self.report_mismatch(span, int, float, None, Some(format!("for floats there is `{better}`")));
        }
        self.push_error(span)
    }

    /// Reports a wrong number of arguments. `params` are the parameters as a message shows them.
    pub fn report_argument_count(
        &mut self,
        name: &str,
        params: &[String],
        found: usize,
        declared: Option<Span>,
        span: Span,
    ) {
        let wanted = params.len();
        let plural = if wanted == 1 { "" } else { "s" };
        let takes = if wanted == 0 { "no arguments".to_string() } else { format!("{wanted} argument{plural}") };
        let given = if found == 0 { "none".to_string() } else { found.to_string() };
        let mut d = self.cx.error(
            codes::E0303_ARGUMENT_COUNT,
            span,
            format!("`{name}` takes {takes}, but {given} {} given", if found > 1 { "are" } else { "is" }),
        );
        let count = |n: usize| if n == 1 { "1 argument".to_string() } else { format!("{n} arguments") };
        d = match params.get(found..) {
            Some(missing) if !missing.is_empty() => {
                let shown: Vec<String> = missing.iter().take(8).map(|param| format!("`{param}`")).collect();
                let more = if missing.len() > 8 { ", …" } else { "" };
                d.with_label(format!("missing: {}{more}", shown.join(", ")))
            }
            Some(_) | None => d.with_label(format!("{} too many", count(found.saturating_sub(wanted)))),
        };
        if let Some(declared) = declared {
            d = d.with_secondary(declared, "declared here");
        } else if name != "this function" && wanted > 0 {
            d = d.with_help(format!("it is called as `{name}({})`", params.join(", ")));
        }
        self.cx.report(d);
    }
}
