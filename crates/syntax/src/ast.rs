//! The syntax tree: what the parser makes and `sema` reads.
//!
//! *Shape.* A chain of operators of one level, a chain of postfix operators and a chain of `else if`s is one flat node,
//! so that the depth of the tree is bounded by the nesting in the source (at most 1,000 levels), not by its length. Walks
//! may recurse.
//!
//! *Errors.* Where the parser recovered stands an `Error` node; it has been reported, and whoever meets it keeps silent.

use mini_base::names::Name;
use mini_base::source::Span;
use std::sync::Arc;

/// A parsed file.
#[derive(Clone, Debug, Default)]
pub struct Module {
    /// The items in textual order.
    pub items: Vec<Item>,
    /// The names of items with a syntax error (each an `Error` item): uses of them need no report.
    pub broken: Vec<Ident>,
}

/// A name where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ident {
    /// The name.
    pub name: Name,
    /// Where.
    pub span: Span,
}

/// An item.
#[derive(Clone, Debug)]
pub struct Item {
    /// The `///` lines before it, joined by line breaks.
    pub doc: Option<Arc<str>>,
    /// `Some` span of `pub`.
    pub public: Option<Span>,
    /// From `pub` or the keyword to the end.
    pub span: Span,
    /// What it is.
    pub kind: ItemKind,
}

/// The kinds of items.
#[derive(Clone, Debug)]
pub enum ItemKind {
    /// `import a.b.{c, d};`
    Import(Import),
    /// `const NAME: T = e;`
    Const(Binding),
    /// `let NAME: T = e;` at module level.
    Global(Binding),
    /// `struct Name<…> { … }`
    Struct(Struct),
    /// `enum Name<…> { … }`
    Enum(Enum),
    /// `impl<…> Name<…> { … }`
    Impl(Impl),
    /// `fn name<…>(…) -> T { … }`
    Function(Function),
    /// `extern fn name(…) -> T;`
    Extern(Signature),
    /// Something that the parser could not make out.
    Error,
}

/// `import a.b;` or `import a.b.{c, d};`
#[derive(Clone, Debug)]
pub struct Import {
    /// The dotted names.
    pub path: Vec<Ident>,
    /// The names in braces, if there are braces.
    pub names: Option<Vec<Ident>>,
}

/// A constant or a global.
#[derive(Clone, Debug)]
pub struct Binding {
    /// Its name.
    pub name: Ident,
    /// The written type.
    pub ty: Option<TypeExpr>,
    /// The initialiser.
    pub value: Expr,
}

/// A struct declaration.
#[derive(Clone, Debug)]
pub struct Struct {
    /// Its name.
    pub name: Ident,
    /// Its type parameters.
    pub generics: Vec<Generic>,
    /// Its fields.
    pub fields: Vec<(Ident, TypeExpr)>,
}

/// An enum declaration.
#[derive(Clone, Debug)]
pub struct Enum {
    /// Its name.
    pub name: Ident,
    /// Its type parameters.
    pub generics: Vec<Generic>,
    /// Its variants with their payloads.
    pub variants: Vec<(Ident, Vec<TypeExpr>)>,
}

/// An `impl` block.
#[derive(Clone, Debug)]
pub struct Impl {
    /// `impl<T: Eq>`.
    pub generics: Vec<Generic>,
    /// The struct or enum.
    pub name: Ident,
    /// `Name<T>`.
    pub args: Vec<TypeExpr>,
    /// Its functions, with documentation and visibility (all `ItemKind::Function` or `Error`).
    pub items: Vec<Item>,
}

/// A type parameter with its bounds.
#[derive(Clone, Debug)]
pub struct Generic {
    /// Its name.
    pub name: Ident,
    /// `Eq`, `Ord`, `Hash`, `Show` as written.
    pub bounds: Vec<Ident>,
}

/// A function's head.
#[derive(Clone, Debug)]
pub struct Signature {
    /// Its name.
    pub name: Ident,
    /// Its type parameters.
    pub generics: Vec<Generic>,
    /// The span of `self`, if that is the first parameter.
    pub receiver: Option<Span>,
    /// The other parameters.
    pub params: Vec<Param>,
    /// The result type behind `->`.
    pub result: Option<TypeExpr>,
    /// From `fn` to the end of the head.
    pub span: Span,
}

/// A parameter.
#[derive(Clone, Debug)]
pub struct Param {
    /// Its name; `None` for `_`.
    pub name: Option<Ident>,
    /// Its type.
    pub ty: TypeExpr,
    /// The whole.
    pub span: Span,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its head.
    pub signature: Signature,
    /// Its body.
    pub body: Block,
    /// Where its body ends.
    pub end: BodyEnd,
}

/// Whether a function's body ends where its author meant it to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyEnd {
    /// All its braces are closed.
    Written,
    /// A brace is missing, which was reported: nobody knows which statements belong where.
    Missing,
}

/// A written type.
#[derive(Clone, Debug)]
pub struct TypeExpr {
    /// What it is.
    pub kind: TypeKind,
    /// Where (without enclosing parentheses).
    pub span: Span,
}

/// The kinds of written types.
#[derive(Clone, Debug)]
pub enum TypeKind {
    /// A name, also `int` and the other built-in ones.
    Path(Path),
    /// `[T]`
    Array(Box<TypeExpr>),
    /// `T?`
    Optional(Box<TypeExpr>),
    /// `fn(A, B) -> R`
    Function {
        /// The parameters' types.
        params: Vec<TypeExpr>,
        /// The result type.
        result: Option<Box<TypeExpr>>,
    },
    /// Reported already.
    Error,
}

/// `a::b::<T>::c`, in types also `a::b<T>`.
#[derive(Clone, Debug)]
pub struct Path {
    /// At least one.
    pub segments: Vec<PathSegment>,
    /// The whole.
    pub span: Span,
}

/// One name of a path with the type arguments behind it.
#[derive(Clone, Debug)]
pub struct PathSegment {
    /// The name; the built-in types' names and `self` are names too.
    pub ident: Ident,
    /// `<…>` or `::<…>`; `None` if not written.
    pub args: Option<Vec<TypeExpr>>,
}

/// A block.
#[derive(Clone, Debug)]
pub struct Block {
    /// The statements.
    pub statements: Vec<Statement>,
    /// The final expression without `;`.
    pub value: Option<Box<Expr>>,
    /// From `{` to `}`.
    pub span: Span,
    /// The closing brace.
    pub close: Span,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Statement {
    /// What it is.
    pub kind: StatementKind,
    /// Where, with the `;`.
    pub span: Span,
}

/// The kinds of statements.
#[derive(Clone, Debug)]
pub enum StatementKind {
    /// `let x: T = e;`
    Let {
        /// The name; `None` for `_`.
        name: Option<Ident>,
        /// The written type.
        ty: Option<TypeExpr>,
        /// The initialiser.
        value: Option<Expr>,
    },
    /// `p = e;` and `p op= e;`
    Assign {
        /// A place by its form (path, index, field); other forms have been reported.
        place: Expr,
        /// The operator of `op=` with the span of the whole token.
        op: Option<(BinaryOp, Span)>,
        /// The right side.
        value: Expr,
    },
    /// `e;` or an expression statement that ends at its closing brace.
    Expr {
        /// The expression.
        expr: Expr,
        /// Whether a `;` stands behind it.
        semicolon: Semicolon,
    },
    /// `label: while cond { … }`
    While {
        /// The label.
        label: Option<Ident>,
        /// The condition.
        condition: Condition,
        /// The body.
        body: Block,
    },
    /// `label: for x in … { … }`
    For {
        /// The label.
        label: Option<Ident>,
        /// The variable; `None` for `_`.
        variable: Option<Ident>,
        /// What it runs over.
        head: Box<ForHead>,
        /// The body.
        body: Block,
    },
    /// Reported already.
    Error,
}

/// Whether a `;` was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Semicolon {
    /// It was.
    Yes,
    /// The statement ended at its closing brace.
    No,
}

/// What a `for` runs over.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant)]
pub enum ForHead {
    /// `a..b by k` or `a..=b by k`
    Range {
        /// First bound.
        from: Expr,
        /// Last bound.
        to: Expr,
        /// Whether `..=` was written.
        kind: RangeKind,
        /// The step.
        by: Option<Expr>,
    },
    /// Any expression.
    Each(Expr),
}

/// `..` or `..=`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RangeKind {
    /// Without the last bound.
    Exclusive,
    /// With the last bound.
    Inclusive,
}

/// The condition of an `if` or `while`.
#[derive(Clone, Debug)]
pub enum Condition {
    /// A bool.
    Expr(Box<Expr>),
    /// `let p = e`
    Let {
        /// The pattern.
        pattern: Pattern,
        /// The value.
        value: Box<Expr>,
        /// From `let` on.
        span: Span,
    },
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// From its first to its last token.
    pub span: Span,
}

/// The kinds of expressions.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// An int literal's bits. 2^63 stands only as the direct operand of unary minus (as i64::MIN, which negates to itself).
    Int(i64),
    /// A float literal.
    Float(f64),
    /// A byte literal.
    Byte(u8),
    /// A string literal's bytes, escapes resolved.
    String(Arc<[u8]>),
    /// `true`, `false`
    Bool(bool),
    /// `null`
    Null,
    /// A name, also `self`, a built-in type's name (for conversions), `m::f`, `f::<int>`.
    Path(Path),
    /// `Name { field: e, other }`
    Struct {
        /// The struct.
        path: Path,
        /// The fields in textual order; without a value, the field's name is the variable's.
        fields: Vec<(Ident, Option<Expr>)>,
    },
    /// `[a, b, c]`
    Array(Vec<Expr>),
    /// `[v; n]`
    Repeat {
        /// The value.
        value: Box<Expr>,
        /// How many times.
        count: Box<Expr>,
    },
    /// `( e )`
    Paren(Box<Expr>),
    /// `- e`, `! e`, `~ e`
    Unary {
        /// The operator.
        op: UnaryOp,
        /// Its operand.
        operand: Box<Expr>,
    },
    /// `a + b - c`: operators of one left-associative level (product, sum, shift, and, xor, or, conjunction, disjunction).
    Chain {
        /// The leftmost operand.
        first: Box<Expr>,
        /// Operator, its span, and the operand on its right; at least one.
        rest: Vec<(BinaryOp, Span, Expr)>,
    },
    /// `a < b`: not associative.
    Compare {
        /// The operator.
        op: CompareOp,
        /// Its span.
        op_span: Span,
        /// Left side.
        left: Box<Expr>,
        /// Right side.
        right: Box<Expr>,
    },
    /// `a ?? b ?? c`: right-associative; at least two.
    Coalesce(Vec<Expr>),
    /// `x.f[i](y)!`: a base and what is done to it, in order; at least one.
    Postfix {
        /// The base.
        base: Box<Expr>,
        /// What follows.
        operations: Vec<Postfix>,
    },
    /// `if c { … } else if d { … } else { … }`
    If {
        /// Conditions with their blocks; at least one.
        arms: Vec<(Condition, Block)>,
        /// The final `else`.
        otherwise: Option<Block>,
    },
    /// `match e { … }`
    Match {
        /// The value.
        value: Box<Expr>,
        /// The arms in order.
        arms: Vec<Arm>,
    },
    /// `{ … }`
    Block(Block),
    /// `fn(x: int) -> int { … }`
    Closure {
        /// Its parameters.
        params: Vec<Param>,
        /// Its result type.
        result: Option<Box<TypeExpr>>,
        /// Its body.
        body: Box<Block>,
    },
    /// `return e`
    Return(Option<Box<Expr>>),
    /// `break label`
    Break(Option<Ident>),
    /// `continue label`
    Continue(Option<Ident>),
    /// Reported already.
    Error,
}

/// One postfix operation.
#[derive(Clone, Debug)]
pub struct Postfix {
    /// What it does.
    pub kind: PostfixKind,
    /// Its own tokens (from `.`, `[`, `(` or `!`).
    pub span: Span,
}

/// The kinds of postfix operations.
#[derive(Clone, Debug)]
pub enum PostfixKind {
    /// `(a, b)`
    Call(Vec<Expr>),
    /// `.name::<T>(a, b)`
    Method {
        /// Its name.
        name: Ident,
        /// Written type arguments.
        generics: Option<Vec<TypeExpr>>,
        /// The arguments.
        args: Vec<Expr>,
    },
    /// `[i]`
    Index(Box<Expr>),
    /// `[i..j]`, `[i..]`, `[..j]`; at least one bound.
    Slice {
        /// The first bound.
        from: Option<Box<Expr>>,
        /// The last bound.
        to: Option<Box<Expr>>,
    },
    /// `.name`
    Field(Ident),
    /// `!`
    Unwrap,
}

/// An arm of a `match`.
#[derive(Clone, Debug)]
pub struct Arm {
    /// Its pattern.
    pub pattern: Pattern,
    /// Its guard.
    pub guard: Option<Expr>,
    /// Its body (a block is `ExprKind::Block`).
    pub body: Expr,
}

/// A pattern.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// What it is.
    pub kind: PatternKind,
    /// Where.
    pub span: Span,
}

/// The kinds of patterns.
#[derive(Clone, Debug)]
pub enum PatternKind {
    /// `_`
    Wildcard,
    /// `null`
    Null,
    /// An int, also negative.
    Int(i64),
    /// A byte.
    Byte(u8),
    /// A bool.
    Bool(bool),
    /// A string.
    String(Arc<[u8]>),
    /// `1..=9`, `'a'..='z'` (both ends of one kind; emptiness is for `sema` to report)
    IntRange(i64, i64),
    /// `'a'..='z'`
    ByteRange(u8, u8),
    /// A name that binds, or a variant without payload.
    Name(Ident),
    /// `Variant(p, q)`, `Enum::Variant`, `m::Enum::Variant(p)`
    Variant {
        /// The path.
        path: Path,
        /// The payload's patterns; `None` without parentheses.
        payload: Option<Vec<Pattern>>,
    },
    /// `p | q`; at least two, none of them an `Or` itself.
    Or(Vec<Pattern>),
    /// Reported already.
    Error,
}

/// Prefix operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    /// `-`
    Neg,
    /// `!`
    Not,
    /// `~`
    BitNot,
}

/// Operators of chains.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Rem,
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `<<`
    Shl,
    /// `>>`
    Shr,
    /// `>>>`
    Ushr,
    /// `&`
    BitAnd,
    /// `^`
    BitXor,
    /// `|`
    BitOr,
    /// `&&`
    And,
    /// `||`
    Or,
}

/// Comparisons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CompareOp {
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
}

impl UnaryOp {
    /// As written.
    pub fn text(self) -> &'static str {
        match self {
            UnaryOp::Neg => "-",
            UnaryOp::Not => "!",
            UnaryOp::BitNot => "~",
        }
    }
}

impl BinaryOp {
    /// As written.
    pub fn text(self) -> &'static str {
        match self {
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Rem => "%",
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Shl => "<<",
            BinaryOp::Shr => ">>",
            BinaryOp::Ushr => ">>>",
            BinaryOp::BitAnd => "&",
            BinaryOp::BitXor => "^",
            BinaryOp::BitOr => "|",
            BinaryOp::And => "&&",
            BinaryOp::Or => "||",
        }
    }
}

impl CompareOp {
    /// As written.
    pub fn text(self) -> &'static str {
        match self {
            CompareOp::Eq => "==",
            CompareOp::Ne => "!=",
            CompareOp::Lt => "<",
            CompareOp::Le => "<=",
            CompareOp::Gt => ">",
            CompareOp::Ge => ">=",
        }
    }
}
