//! The typed tree: what the checker makes and the lowering reads. Every name is resolved, every type known, every
//! implicit conversion explicit, constants are folded, and all rules of the language hold.
//!
//! *Shape.* Expressions live in one table per body and name each other by id, so dropping and copying never recurse.
//! Chains of operators and `else if`s are flat. Only chains of postfix operations are left-deep
//! ([`ExprKind::Index`], `Slice`, `Field`, `Unwrap`, `Call`, `Builtin` by their first operand): walk that spine with a
//! loop. All other depth is bounded by the parser's nesting limit.
//!
//! *Generics.* A generic function is checked once; types in its body may be `TyKind::Param`. [`Program::instances`] lists
//! what the program needs of it: one instance per list of type arguments, which says what each type of the body becomes.
//! An operation on values whose type is a parameter ([`ExprKind::Compare`], `hash`, `print`) becomes the one of the type
//! that stands for it.

use crate::types::{EnumId, StructId, Ty, TypeParam, Types};
use mini_base::ids::IdVec;
use mini_base::source::Span;
pub use mini_syntax::ast::{BinaryOp, CompareOp, RangeKind, UnaryOp};
use rustc_hash::FxHashMap;
use std::sync::Arc;

mini_base::define_id! {
    /// A function, also a method, an associated function; in the order of their declarations.
    pub struct FnId, "fn";
    /// A C function.
    pub struct ExternId, "extern";
    /// A global, in the order of initialisation.
    pub struct GlobalId, "global";
    /// A local variable or parameter of a body.
    pub struct LocalId, "local";
    /// An expression of a body.
    pub struct ExprId, "expr";
    /// A loop of a body, for `break` and `continue`.
    pub struct LoopId, "loop";
}

/// A checked program.
#[derive(Debug)]
pub struct Program {
    /// The table of types.
    pub types: Types,
    /// The names of all type parameters.
    pub params: IdVec<TypeParam, Arc<str>>,
    /// All structs.
    pub structs: IdVec<StructId, StructDef>,
    /// All enums.
    pub enums: IdVec<EnumId, EnumDef>,
    /// All functions.
    pub functions: IdVec<FnId, FnDef>,
    /// All globals, in the order in which they are initialised.
    pub globals: IdVec<GlobalId, GlobalDef>,
    /// The C functions that are declared.
    pub externs: IdVec<ExternId, ExternDef>,
    /// `main`; its result is unit or int. A part of a C program may have none.
    pub main: Option<FnId>,
    /// The functions that C may call, in the order of the text; `None` if there is no C in the program.
    pub exports: Option<Vec<FnId>>,
    /// The functions that `main`, the exports and the initialisers refer to, directly or not; in the order in which they are
    /// found, `main` first. Behind them what else the user's functions without type parameters refer to, and these themselves.
    pub instances: Vec<Instance>,
    /// How many of the instances `main`, the exports and the initialisers refer to.
    pub reachable: usize,
    /// The types of what the values of the structs and enums in the instances are made of: one list for a struct's fields,
    /// one for each variant of an enum.
    pub members: FxHashMap<Ty, Box<[Box<[Ty]>]>>,
}

impl Program {
    /// The types of the fields of a struct type (list 0), or of the payload of an enum type's variant.
    pub fn member_types(&self, ty: Ty, list: u32) -> &[Ty] {
        let lists = self.members.get(&ty).expect("the search for instances looked at all their types");
        &lists[list as usize]
    }
}

/// A function at types without parameters.
#[derive(Debug)]
pub struct Instance {
    /// Which, at which types.
    pub function: FnRef,
    /// What becomes of the types in its body that have parameters.
    pub types: FxHashMap<Ty, Ty>,
}

impl Instance {
    /// What a type of the function becomes.
    pub fn ty(&self, ty: Ty) -> Ty {
        self.types.get(&ty).copied().unwrap_or(ty)
    }

    /// What a function that the body refers to becomes.
    pub fn refer(&self, function: &FnRef) -> FnRef {
        FnRef { function: function.function, type_args: function.type_args.iter().map(|&ty| self.ty(ty)).collect() }
    }
}

/// A struct.
#[derive(Debug)]
pub struct StructDef {
    /// For people: two modules may have structs of one name.
    pub name: Arc<str>,
    /// Who wrote it.
    pub origin: Origin,
    /// Its type parameters.
    pub generics: Vec<TypeParam>,
    /// Its fields in declaration order.
    pub fields: Vec<FieldDef>,
    /// Its method `show(self) -> string`, by which its values are shown; it has the type's own parameters.
    pub show: Option<FnId>,
    /// Where its name stands.
    pub span: Span,
}

/// A field.
#[derive(Debug)]
pub struct FieldDef {
    /// Its name.
    pub name: Arc<str>,
    /// Its type (may mention the struct's parameters).
    pub ty: Ty,
    /// Where its name stands.
    pub span: Span,
}

/// An enum.
#[derive(Debug)]
pub struct EnumDef {
    /// For people: two modules may have enums of one name.
    pub name: Arc<str>,
    /// Who wrote it.
    pub origin: Origin,
    /// Its type parameters.
    pub generics: Vec<TypeParam>,
    /// Its variants in declaration order, with their payloads.
    pub variants: Vec<(Arc<str>, Vec<Ty>)>,
    /// Its method `show(self) -> string`, by which its values are shown; it has the type's own parameters.
    pub show: Option<FnId>,
    /// Where its name stands.
    pub span: Span,
}

/// A function.
#[derive(Debug)]
pub struct FnDef {
    /// As call stacks show it: `name` or `Type::name`.
    pub name: Arc<str>,
    /// Its type parameters: those of its `impl` in the order in which its type has them, then its own.
    pub generics: Vec<TypeParam>,
    /// Whose it is.
    pub origin: Origin,
    /// Its parameters (`self` first), locals of the body.
    pub params: Vec<LocalId>,
    /// The result's type; unit without `->`.
    pub result: Ty,
    /// The body; its root is the function's block.
    pub body: Body,
    /// Where its name stands.
    pub span: Span,
}

/// A C function.
#[derive(Debug)]
pub struct ExternDef {
    /// Its symbol.
    pub name: Arc<str>,
    /// Its parameters' types: int, float, bool, byte, string, or arrays of the first four.
    pub params: Vec<Ty>,
    /// Its result's type: int, float, bool, byte, or unit.
    pub result: Ty,
    /// Where its name stands.
    pub span: Span,
}

/// Who wrote a function or type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// The user: run-time errors in it are reported where they happen.
    User,
    /// The standard library: run-time errors in it are reported at the place in the user's code that called it.
    Library,
}

/// A global.
#[derive(Debug)]
pub struct GlobalDef {
    /// Its name.
    pub name: Arc<str>,
    /// Its type.
    pub ty: Ty,
    /// Whether its type has a zero; if not, reading it too early is a run-time error.
    pub zero: Zero,
    /// The initialiser.
    pub init: Body,
    /// Where its name stands.
    pub span: Span,
}

/// Whether a type has a zero value that a global shows before its initialiser has run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Zero {
    /// 0, 0.0, false, "", null, or an empty array.
    Exists,
    /// Structs, enums and functions have none.
    None,
}

/// A body: of a function or an initialiser.
#[derive(Debug, Default)]
pub struct Body {
    /// Its variables.
    pub locals: IdVec<LocalId, Local>,
    /// Its expressions.
    pub exprs: IdVec<ExprId, Expr>,
    /// How many loops it has.
    pub loops: u32,
    /// The whole; `None` only while it is being made.
    pub root: Option<ExprId>,
}

/// A local variable.
#[derive(Debug)]
pub struct Local {
    /// Its name; `_` for unnamed parameters.
    pub name: Arc<str>,
    /// Its declared type.
    pub ty: Ty,
    /// Where it is declared.
    pub span: Span,
    /// Whether closures use it, and how.
    pub capture: Capture,
}

/// How closures use a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Capture {
    /// None does.
    No,
    /// Some do, and nobody assigns it after it was first set: it can be copied.
    Copied,
    /// Some do, and it is assigned again: it lives in a cell on the heap.
    Shared,
}

/// An expression.
#[derive(Debug)]
pub struct Expr {
    /// What it does.
    pub kind: ExprKind,
    /// Its type; may be unit or never.
    pub ty: Ty,
    /// Where; run-time errors of this operation report its start.
    pub span: Span,
}

/// A function with its type arguments.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FnRef {
    /// Which.
    pub function: FnId,
    /// One per type parameter.
    pub type_args: Box<[Ty]>,
}

/// The kinds of expressions. Operands are evaluated in the order of the fields here, unless a comment says otherwise.
#[derive(Debug)]
pub enum ExprKind {
    /// An int constant.
    Int(i64),
    /// A float constant.
    Float(f64),
    /// A bool constant.
    Bool(bool),
    /// A byte constant.
    Byte(u8),
    /// A string constant.
    String(Arc<[u8]>),
    /// `null` of the optional type `ty`.
    Null,
    /// Reads a variable at its declared type.
    Local(LocalId),
    /// Reads a global (with the too-early check where its type has no zero).
    Global(GlobalId),
    /// A function as a value.
    Function(FnRef),
    /// `T` becomes `T?`.
    Some(ExprId),
    /// A `T?` that is known not to be null, read as `T`.
    Narrow(ExprId),
    /// `-`, `!`, `~` on int, float or bool.
    Unary(UnaryOp, ExprId),
    /// Operators of one level from left to right, all operands and results of type `ty` (int, float, bool, or string with
    /// `Add` only). Never `And`, `Or`. A failing operator reports the start of the chain.
    Chain(ExprId, Box<[(BinaryOp, ExprId)]>),
    /// `&&` over at least two operands, short-circuit.
    And(Box<[ExprId]>),
    /// `||` over at least two operands, short-circuit.
    Or(Box<[ExprId]>),
    /// Two values of one type: int, float, bool, byte, string, an enum without payload, or (`Eq`, `Ne` only) anything
    /// compared by identity, or an optional of something with `==`.
    Compare(CompareOp, ExprId, ExprId),
    /// `e == null` (`NullTest::IsNull`) or `e != null`, for an optional `e`.
    NullTest(NullTest, ExprId),
    /// `a ?? b ?? c`: all but the last are optional; the last has type `ty` (optional or not).
    Coalesce(Box<[ExprId]>),
    /// `e!`
    Unwrap(ExprId),
    /// Calls a function by name.
    Call(FnRef, Box<[ExprId]>),
    /// Calls a C function.
    CallExtern(ExternId, Box<[ExprId]>),
    /// Calls a function value: the callee, then the arguments.
    CallValue(ExprId, Box<[ExprId]>),
    /// Calls a built-in function or method (the receiver is the first argument).
    Builtin(BuiltinFn, Box<[ExprId]>),
    /// `base[index]` on an array or string.
    Index(ExprId, ExprId),
    /// `base[from..to]` on an array or string; a missing bound is `None`.
    Slice(ExprId, Option<ExprId>, Option<ExprId>),
    /// A struct's field, by index.
    Field(ExprId, u32),
    /// `[a, b]`
    Array(Box<[ExprId]>),
    /// `[value; count]`
    Repeat(ExprId, ExprId),
    /// A struct value: field index and value, in the order of evaluation; every field once.
    Struct(Box<[(u32, ExprId)]>),
    /// An enum value: variant index and payload.
    Variant(u32, Box<[ExprId]>),
    /// `int(x)` and the like.
    Convert(Conversion, ExprId),
    /// Conditions with their blocks, then the final `else`.
    If(Box<[(Condition, ExprId)]>, Option<ExprId>),
    /// Arms in order; exhaustive.
    Match(ExprId, Box<[Arm]>),
    /// Statements, then the value. Its type is never if control can't reach its end.
    Block(Box<[Stmt]>, Option<ExprId>),
    /// A closure over variables of the enclosing bodies.
    Closure(Box<Closure>),
    /// `while`; type unit, or never for `while true` without `break`.
    While(LoopId, Condition, ExprId),
    /// `for` over ints.
    ForRange(Box<ForRange>),
    /// `for` over a value's elements.
    ForEach(Box<ForEach>),
    /// `return e`
    Return(Option<ExprId>),
    /// `break`
    Break(LoopId),
    /// `continue`
    Continue(LoopId),
}

impl ExprKind {
    /// Calls `visit` for the functions that an expression names, its parts' not included.
    pub fn each_function(&mut self, mut visit: impl FnMut(&mut FnRef)) {
        match self {
            ExprKind::Call(function, _) | ExprKind::Function(function) => visit(function),
            ExprKind::ForEach(each) => match &mut each.kind {
                EachKind::Indexed { len, index } => {
                    visit(len);
                    visit(index);
                }
                EachKind::Iterator { next } => visit(next),
                EachKind::Array | EachKind::String => {}
            },
            _ => {} // all others name none
        }
    }
}

/// Which way a test for null goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NullTest {
    /// `== null`
    IsNull,
    /// `!= null`
    IsNotNull,
}

/// The conversions written as calls of type names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Conversion {
    /// int(float), saturating.
    FloatToInt,
    /// int(byte).
    ByteToInt,
    /// int(bool).
    BoolToInt,
    /// int(enum without payload).
    EnumToInt,
    /// float(int).
    IntToFloat,
    /// byte(int).
    IntToByte,
    /// string(x) of any type with `Show`.
    ToString,
}

/// The condition of an `if` or `while`.
#[derive(Debug)]
pub enum Condition {
    /// A bool.
    Expr(ExprId),
    /// `let p = e`
    Let(Pattern, ExprId),
}

/// An arm of a `match`.
#[derive(Debug)]
pub struct Arm {
    /// Its pattern.
    pub pattern: Pattern,
    /// Its guard.
    pub guard: Option<ExprId>,
    /// Its body.
    pub body: ExprId,
}

/// A pattern; the matched type is known from the value.
#[derive(Clone, Debug)]
pub enum Pattern {
    /// Matches anything.
    Wildcard,
    /// Matches anything and sets the variable.
    Bind(LocalId),
    /// Matches null.
    Null,
    /// Matches an optional that is not null and whose value matches.
    Some(Box<Pattern>),
    /// An int.
    Int(i64),
    /// Ints from and to, both included.
    IntRange(i64, i64),
    /// A byte.
    Byte(u8),
    /// Bytes from and to, both included.
    ByteRange(u8, u8),
    /// A bool.
    Bool(bool),
    /// A string.
    String(Arc<[u8]>),
    /// A variant by index, with its payload's patterns.
    Variant(u32, Vec<Pattern>),
    /// The first alternative that matches; all bind the same variables.
    Or(Vec<Pattern>),
}

/// A statement.
#[derive(Debug)]
pub enum Stmt {
    /// Declares a variable; without a value it is assigned before it is read.
    Let(LocalId, Option<ExprId>),
    /// Evaluates and drops.
    Expr(ExprId),
    /// `place = value`
    Assign(Place, ExprId),
    /// `place op= value`: the place's parts once, check and load, then the value, operate, store. Run-time errors report the span's start.
    Update(Place, BinaryOp, ExprId, Span),
}

/// What can be assigned.
#[derive(Debug)]
pub struct Place {
    /// Which.
    pub kind: PlaceKind,
    /// The type of what is stored.
    pub ty: Ty,
    /// Where; run-time errors report its start.
    pub span: Span,
}

/// The kinds of places.
#[derive(Debug)]
pub enum PlaceKind {
    /// A variable.
    Local(LocalId),
    /// A global.
    Global(GlobalId),
    /// An element of an array.
    Index(ExprId, ExprId),
    /// A field of a struct, by index.
    Field(ExprId, u32),
}

/// `for variable in from..to by step body`
#[derive(Debug)]
pub struct ForRange {
    /// For `break` and `continue`.
    pub id: LoopId,
    /// A fresh variable in each round; `None` for `_`.
    pub variable: Option<LocalId>,
    /// First bound, evaluated first.
    pub from: ExprId,
    /// Last bound, evaluated second.
    pub to: ExprId,
    /// `..` or `..=`
    pub kind: RangeKind,
    /// The step, evaluated third; zero is a run-time error at the start of `bound`.
    pub by: Option<ExprId>,
    /// Where the first bound is written, parentheses included.
    pub bound: Span,
    /// The body.
    pub body: ExprId,
}

/// `for variable in over body`
#[derive(Debug)]
pub struct ForEach {
    /// For `break` and `continue`.
    pub id: LoopId,
    /// A fresh variable in each round; `None` for `_`.
    pub variable: Option<LocalId>,
    /// What it runs over, evaluated once.
    pub over: ExprId,
    /// How.
    pub kind: EachKind,
    /// The body.
    pub body: ExprId,
}

/// How a `for` runs over a value.
#[derive(Debug)]
pub enum EachKind {
    /// An array's elements; the length is read once.
    Array,
    /// A string's bytes.
    String,
    /// A struct with `len` and `index`; the length is read before each round.
    Indexed {
        /// `len(self) -> int`
        len: FnRef,
        /// `index(self, i: int) -> T`
        index: FnRef,
    },
    /// A struct with `next(self) -> T?`.
    Iterator {
        /// `next`
        next: FnRef,
    },
}

/// A closure.
#[derive(Debug)]
pub struct Closure {
    /// As call stacks show it: `closure in NAME`.
    pub name: Arc<str>,
    /// Its parameters, locals of the enclosing body.
    pub params: Vec<LocalId>,
    /// Its result.
    pub result: Ty,
    /// The variables of enclosing functions that it mentions, each once, in order of first mention.
    pub captures: Vec<LocalId>,
    /// Its body, an expression of the enclosing body.
    pub body: ExprId,
}

/// The built-in functions and methods, with their arguments in order (receivers first).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[allow(missing_docs)] // each is the language reference's function of that name
pub enum BuiltinFn {
    Print,
    Write,
    Eprint,
    WriteByte,
    ReadLine,
    ReadAll,
    ReadFile,
    WriteFile,
    Args,
    ClockNs,
    Exit,
    Panic,
    Assert,
    ParseInt,
    ParseFloat,
    Hash,
    Sqrt,
    Floor,
    Ceil,
    Trunc,
    Round,
    AbsFloat,
    Sin,
    Cos,
    Tan,
    Atan,
    Atan2,
    Exp,
    Log,
    Pow,
    Abs,
    Min,
    Max,
    MinFloat,
    MaxFloat,
    FloatBits,
    FloatFromBits,
    Fixed,
    Len,
    ByteString,
    ToBytes,
    StringFromBytes,
    Find,
    FindFrom,
    StartsWith,
    EndsWith,
    Contains,
    Replace,
    Trim,
    Split,
    /// `check_index(i, n)`, of the library alone: the error for an index unless 0 ≤ i < n.
    CheckIndex,
    /// `zeroed_like(a, n)`, of the library alone: an array of the type of `a` with n elements that are zero words.
    ZeroedLike,
    /// `clear_element(a, i)`, of the library alone: element i becomes zero words.
    ClearElement,
}
