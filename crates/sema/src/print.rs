//! Types and typed trees as text, for messages and for `minic emit typed`.
//!
//! One line an expression, operands indented below it, each with its type; variables are numbered, so that shadowed ones
//! can be told apart. *Cost:* linear. *Leaves:* the text is for people and is not read back. *Example:*
//!
//! ```text
//! fn main() {
//!   let n.0: int
//!     int 1: int
//!   builtin Print: unit
//!     local n.0: int
//! }
//! ```

use crate::typed::{
    Body, Condition, EachKind, ExprId, ExprKind, FnRef, LocalId, Origin, Pattern, Place, PlaceKind, Program, RangeKind,
    Stmt,
};
use crate::types::{EnumId, StructId, Ty, TyKind, TypeParam, Types};
use mini_base::ids::Id;
use mini_base::names::quoted;
use std::fmt::Write;
use std::sync::Arc;

/// A type of a program as it is written.
pub fn type_name(program: &Program, ty: Ty) -> String {
    type_text(&program.types, program, ty)
}

/// What declared types are called.
pub(crate) trait TypeNames {
    /// The name of a struct.
    fn struct_name(&self, id: StructId) -> Arc<str>;
    /// The name of an enum.
    fn enum_name(&self, id: EnumId) -> Arc<str>;
    /// The name of a type parameter.
    fn param_name(&self, id: TypeParam) -> Arc<str>;
}

impl TypeNames for Program {
    fn struct_name(&self, id: StructId) -> Arc<str> {
        self.structs[id].name.clone()
    }

    fn enum_name(&self, id: EnumId) -> Arc<str> {
        self.enums[id].name.clone()
    }

    fn param_name(&self, id: TypeParam) -> Arc<str> {
        self.params[id].clone()
    }
}

/// Text of a type beyond this length is cut short: parts that would follow are shown as `…`. A type's parts may share
/// theirs, so that in full it could be of any length.
const LONG_TYPE: usize = 100;

/// A type as it is written, given the names of declared types.
pub(crate) fn type_text(types: &Types, names: &dyn TypeNames, ty: Ty) -> String {
    let mut text = String::new();
    push_type(&mut text, types, names, ty);
    text
}

/// Recurses no deeper than the text is long.
fn push_type(out: &mut String, types: &Types, names: &dyn TypeNames, ty: Ty) {
    if out.len() > LONG_TYPE {
        return out.push('…');
    }
    match types.kind(ty) {
        TyKind::Int => out.push_str("int"),
        TyKind::Float => out.push_str("float"),
        TyKind::Bool => out.push_str("bool"),
        TyKind::Byte => out.push_str("byte"),
        TyKind::String => out.push_str("string"),
        TyKind::Unit => out.push_str("unit"),
        TyKind::Never => out.push_str("never"),
        TyKind::Array(element) => {
            out.push('[');
            push_type(out, types, names, *element);
            out.push(']');
        }
        // Every type but a function's binds tighter than `?`.
        TyKind::Optional(of) if matches!(types.kind(*of), TyKind::Function(..)) => {
            out.push('(');
            push_type(out, types, names, *of);
            out.push_str(")?");
        }
        TyKind::Optional(of) => {
            push_type(out, types, names, *of);
            out.push('?');
        }
        TyKind::Function(params, result) => {
            out.push_str("fn");
            push_types(out, types, names, "()", params);
            if *result != types.unit {
                out.push_str(" -> ");
                push_type(out, types, names, *result);
            }
        }
        TyKind::Struct(id, args) => {
            out.push_str(&names.struct_name(*id));
            push_type_args(out, types, names, args);
        }
        TyKind::Enum(id, args) => {
            out.push_str(&names.enum_name(*id));
            push_type_args(out, types, names, args);
        }
        TyKind::Param(param) => out.push_str(&names.param_name(*param)),
        TyKind::Infer(_) => out.push('_'),
        TyKind::Error => out.push('?'),
    }
}

fn push_type_args(out: &mut String, types: &Types, names: &dyn TypeNames, args: &[Ty]) {
    if !args.is_empty() {
        push_types(out, types, names, "<>", args);
    }
}

/// A list of types in brackets. One that has become long ends in `…`.
fn push_types(out: &mut String, types: &Types, names: &dyn TypeNames, brackets: &str, list: &[Ty]) {
    let (open, close) = brackets.split_at(1);
    out.push_str(open);
    for (n, &ty) in list.iter().enumerate() {
        if n > 0 {
            out.push_str(", ");
            if out.len() > LONG_TYPE {
                out.push('…');
                break;
            }
        }
        push_type(out, types, names, ty);
    }
    out.push_str(close);
}

/// A function at the types of an instance: `f<int, [string]>`; its plain name if it is not generic.
pub fn instance_name(program: &Program, function: &FnRef) -> String {
    instance_text(program, &program.functions[function.function].name, &function.type_args)
}

/// A name with type arguments.
pub fn instance_text(program: &Program, name: &str, type_args: &[Ty]) -> String {
    name_with_args(&program.types, program, name, type_args)
}

/// The same where the table of types is still being made.
pub(crate) fn name_with_args(types: &Types, names: &dyn TypeNames, name: &str, type_args: &[Ty]) -> String {
    let mut args = String::new();
    push_type_args(&mut args, types, names, type_args);
    format!("{name}{args}")
}

/// The typed tree of a program, or of one function of it.
pub fn program_text(program: &Program, only: Option<&str>) -> String {
    let mut printer = Printer { program, out: String::new(), indent: 0 };
    if only.is_none() {
        for info in program.structs.iter().filter(|info| info.origin == Origin::User) {
            let fields: Vec<String> =
                info.fields.iter().map(|f| format!("{}: {}", f.name, type_name(program, f.ty))).collect();
            printer.line(&format!("struct {} {{ {} }}", info.name, fields.join(", ")));
        }
        for info in program.enums.iter().filter(|info| info.origin == Origin::User) {
            let variants: Vec<String> = (info.variants.iter())
                .map(|(name, payload)| {
                    let parts: Vec<String> = payload.iter().map(|&ty| type_name(program, ty)).collect();
                    if parts.is_empty() { name.to_string() } else { format!("{name}({})", parts.join(", ")) }
                })
                .collect();
            printer.line(&format!("enum {} {{ {} }}", info.name, variants.join(", ")));
        }
        for info in program.globals.iter() {
            printer.line(&format!("let {}: {} =", info.name, type_name(program, info.ty)));
            printer.body(&info.init);
        }
    }
    for function in program.functions.iter() {
        let wanted = match only {
            Some(name) => name == &*function.name,
            None => function.origin == Origin::User,
        };
        if !wanted {
            continue;
        }
        let params: Vec<String> = function.params.iter().map(|&p| printer.local_with_type(&function.body, p)).collect();
        let result = if function.result == program.types.unit {
            String::new()
        } else {
            format!(" -> {}", type_name(program, function.result))
        };
        printer.line(&format!("fn {}({}){result} {{", function.name, params.join(", ")));
        printer.body(&function.body);
        printer.line("}");
    }
    printer.out
}

struct Printer<'a> {
    program: &'a Program,
    out: String,
    indent: usize,
}

impl Printer<'_> {
    fn line(&mut self, text: &str) {
        for _ in 0..self.indent {
            self.out.push_str("  ");
        }
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn nested(&mut self, run: impl FnOnce(&mut Self)) {
        self.indent += 1;
        run(self);
        self.indent -= 1;
    }

    fn local(&self, body: &Body, id: LocalId) -> String {
        format!("{}.{}", body.locals[id].name, id.index())
    }

    fn local_with_type(&self, body: &Body, id: LocalId) -> String {
        format!("{}: {}", self.local(body, id), type_name(self.program, body.locals[id].ty))
    }

    fn function(&self, function: &FnRef) -> String {
        let mut text = self.program.functions[function.function].name.to_string();
        if !function.type_args.is_empty() {
            let args: Vec<String> = function.type_args.iter().map(|&ty| type_name(self.program, ty)).collect();
            let _ = write!(text, "::<{}>", args.join(", "));
        }
        text
    }

    fn body(&mut self, body: &Body) {
        let Some(root) = body.root else { return };
        self.nested(|p| match &body.exprs[root].kind {
            ExprKind::Block(statements, value) => p.block(body, statements, *value),
            _ => p.expr(body, root), // an initialiser that is no block
        });
    }

    fn block(&mut self, body: &Body, statements: &[Stmt], value: Option<ExprId>) {
        for statement in statements {
            self.statement(body, statement);
        }
        if let Some(value) = value {
            self.expr(body, value);
        }
    }

    fn statement(&mut self, body: &Body, statement: &Stmt) {
        match statement {
            Stmt::Let(local, value) => {
                self.line(&format!("let {}", self.local_with_type(body, *local)));
                if let Some(value) = *value {
                    self.nested(|p| p.expr(body, value));
                }
            }
            Stmt::Expr(id) => self.expr(body, *id),
            Stmt::Assign(place, value) => {
                self.line("assign");
                self.nested(|p| {
                    p.place(body, place);
                    p.expr(body, *value);
                });
            }
            Stmt::Update(place, op, value, _) => {
                self.line(&format!("update {}=", op.text()));
                self.nested(|p| {
                    p.place(body, place);
                    p.expr(body, *value);
                });
            }
        }
    }

    fn place(&mut self, body: &Body, place: &Place) {
        let ty = type_name(self.program, place.ty);
        match place.kind {
            PlaceKind::Local(local) => self.line(&format!("place {}: {ty}", self.local(body, local))),
            PlaceKind::Global(id) => self.line(&format!("place {}: {ty}", self.program.globals[id].name)),
            PlaceKind::Index(base, index) => {
                self.line(&format!("place index: {ty}"));
                self.nested(|p| p.exprs(body, &[base, index]));
            }
            PlaceKind::Field(base, field) => {
                self.line(&format!("place field {}: {ty}", self.field_name(body, base, field)));
                self.nested(|p| p.expr(body, base));
            }
        }
    }

    fn field_name(&self, body: &Body, base: ExprId, field: u32) -> String {
        match self.program.types.kind(body.exprs[base].ty) {
            TyKind::Struct(id, _) => self.program.structs[*id].fields[field as usize].name.to_string(),
            _ => field.to_string(), // never: there is no value
        }
    }

    fn exprs(&mut self, body: &Body, ids: &[ExprId]) {
        for &id in ids {
            self.expr(body, id);
        }
    }

    /// One expression and its operands. The spine of postfix operations is printed with a loop: the operations from
    /// the outermost in, then the base, each one level deeper.
    fn expr(&mut self, body: &Body, id: ExprId) {
        let mut id = id;
        let mut later: Vec<(usize, Vec<ExprId>)> = Vec::new();
        let indent = self.indent;
        loop {
            let (first, others) = match &body.exprs[id].kind {
                ExprKind::Index(base, index) => (*base, vec![*index]),
                ExprKind::Slice(base, from, to) => (*base, from.iter().chain(to).copied().collect()),
                ExprKind::Field(base, _) | ExprKind::Unwrap(base) => (*base, Vec::new()),
                ExprKind::CallValue(callee, args) => (*callee, args.to_vec()),
                ExprKind::Builtin(_, args) if !args.is_empty() => (args[0], args[1..].to_vec()),
                _ => break, // the base of the chain
            };
            let head = self.head(body, id);
            self.line(&head);
            self.indent += 1;
            later.push((self.indent, others));
            id = first;
        }
        self.plain(body, id);
        for (indent, others) in later.into_iter().rev() {
            self.indent = indent;
            self.exprs(body, &others);
        }
        self.indent = indent;
    }

    /// The line of an expression: what it does and its type.
    fn head(&self, body: &Body, id: ExprId) -> String {
        let expr = &body.exprs[id];
        let what = match &expr.kind {
            ExprKind::Int(v) => format!("int {v}"),
            ExprKind::Float(v) => format!("float {v:?}"),
            ExprKind::Bool(v) => format!("bool {v}"),
            ExprKind::Byte(v) => format!("byte {v}"),
            ExprKind::String(v) => format!("string {}", quoted(v)),
            ExprKind::Null => "null".into(),
            ExprKind::Local(local) => format!("local {}", self.local(body, *local)),
            ExprKind::Global(global) => format!("global {}", self.program.globals[*global].name),
            ExprKind::Function(function) => format!("function {}", self.function(function)),
            ExprKind::Some(_) => "some".into(),
            ExprKind::Narrow(_) => "narrow".into(),
            ExprKind::Unary(op, _) => format!("unary {}", op.text()),
            ExprKind::Chain(_, rest) => {
                let ops: Vec<&str> = rest.iter().map(|(op, _)| op.text()).collect();
                format!("chain {}", ops.join(" "))
            }
            ExprKind::And(_) => "and".into(),
            ExprKind::Or(_) => "or".into(),
            ExprKind::Compare(op, ..) => format!("compare {}", op.text()),
            ExprKind::NullTest(test, _) => format!("null_test {test:?}"),
            ExprKind::Coalesce(_) => "coalesce".into(),
            ExprKind::Unwrap(_) => "unwrap".into(),
            ExprKind::Call(function, _) => format!("call {}", self.function(function)),
            ExprKind::CallExtern(id, _) => format!("call_extern {}", self.program.externs[*id].name),
            ExprKind::CallValue(..) => "call value".into(),
            ExprKind::Builtin(builtin, _) => format!("builtin {builtin:?}"),
            ExprKind::Index(..) => "index".into(),
            ExprKind::Slice(_, from, to) => match (from, to) {
                (Some(_), None) => "slice from".into(),
                (None, Some(_)) => "slice to".into(),
                (Some(_), Some(_)) | (None, None) => "slice".into(),
            },
            ExprKind::Field(base, field) => {
                format!("field {}", self.field_name(body, *base, *field))
            }
            ExprKind::Array(_) => "array".into(),
            ExprKind::Repeat(..) => "repeat".into(),
            ExprKind::Struct(_) => "struct".into(),
            ExprKind::Variant(index, _) => format!("variant {index}"),
            ExprKind::Convert(conversion, _) => format!("convert {conversion:?}"),
            ExprKind::If(..) => "if".into(),
            ExprKind::Match(..) => "match".into(),
            ExprKind::Block(..) => "block".into(),
            ExprKind::Closure(closure) => format!("closure {}", closure.name),
            ExprKind::While(id, ..) => format!("while {id}"),
            ExprKind::ForRange(head) => {
                let dots = match head.kind {
                    RangeKind::Exclusive => "..",
                    RangeKind::Inclusive => "..=",
                };
                let variable = head.variable.map_or("_".into(), |v| self.local_with_type(body, v));
                format!("for {} {variable} {dots}", head.id)
            }
            ExprKind::ForEach(head) => {
                let variable = head.variable.map_or("_".into(), |v| self.local_with_type(body, v));
                let kind = match &head.kind {
                    EachKind::Array => "array".into(),
                    EachKind::String => "string".into(),
                    EachKind::Indexed { len, index } => {
                        format!("{} and {}", self.function(len), self.function(index))
                    }
                    EachKind::Iterator { next } => self.function(next),
                };
                format!("for {} {variable} in {kind}", head.id)
            }
            ExprKind::Return(_) => "return".into(),
            ExprKind::Break(id) => format!("break {id}"),
            ExprKind::Continue(id) => format!("continue {id}"),
        };
        format!("{what}: {}", type_name(self.program, expr.ty))
    }

    fn condition(&mut self, body: &Body, condition: &Condition) {
        match condition {
            Condition::Expr(id) => self.expr(body, *id),
            Condition::Let(pattern, value) => {
                let text = self.pattern(body, pattern);
                self.line(&format!("let {text}"));
                self.nested(|p| p.expr(body, *value));
            }
        }
    }

    fn pattern(&self, body: &Body, pattern: &Pattern) -> String {
        match pattern {
            Pattern::Wildcard => "_".into(),
            Pattern::Bind(local) => self.local_with_type(body, *local),
            Pattern::Null => "null".into(),
            Pattern::Some(inner) => format!("some({})", self.pattern(body, inner)),
            Pattern::Int(v) => v.to_string(),
            Pattern::IntRange(a, b) => format!("{a}..={b}"),
            Pattern::Byte(v) => format!("byte {v}"),
            Pattern::ByteRange(a, b) => format!("byte {a}..={b}"),
            Pattern::Bool(v) => v.to_string(),
            Pattern::String(v) => quoted(v),
            Pattern::Variant(index, parts) => {
                let parts: Vec<String> = parts.iter().map(|p| self.pattern(body, p)).collect();
                format!("variant {index}({})", parts.join(", "))
            }
            Pattern::Or(parts) => {
                let parts: Vec<String> = parts.iter().map(|p| self.pattern(body, p)).collect();
                parts.join(" | ")
            }
        }
    }

    /// An expression that is no postfix operation.
    fn plain(&mut self, body: &Body, id: ExprId) {
        let head = self.head(body, id);
        self.line(&head);
        self.nested(|p| match &body.exprs[id].kind {
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Bool(_)
            | ExprKind::Byte(_)
            | ExprKind::String(_)
            | ExprKind::Null
            | ExprKind::Local(_)
            | ExprKind::Global(_)
            | ExprKind::Function(_)
            | ExprKind::Break(_)
            | ExprKind::Continue(_) => {}
            ExprKind::Some(inner)
            | ExprKind::Narrow(inner)
            | ExprKind::Unary(_, inner)
            | ExprKind::NullTest(_, inner)
            | ExprKind::Unwrap(inner)
            | ExprKind::Convert(_, inner)
            | ExprKind::Field(inner, _) => p.expr(body, *inner),
            ExprKind::Chain(first, rest) => {
                p.expr(body, *first);
                rest.iter().for_each(|(_, id)| p.expr(body, *id));
            }
            ExprKind::And(parts)
            | ExprKind::Or(parts)
            | ExprKind::Coalesce(parts)
            | ExprKind::Call(_, parts)
            | ExprKind::CallExtern(_, parts)
            | ExprKind::Builtin(_, parts)
            | ExprKind::Array(parts)
            | ExprKind::Variant(_, parts) => p.exprs(body, parts),
            ExprKind::Compare(_, a, b) | ExprKind::Index(a, b) | ExprKind::Repeat(a, b) => p.exprs(body, &[*a, *b]),
            ExprKind::CallValue(callee, args) => {
                p.expr(body, *callee);
                p.exprs(body, args);
            }
            ExprKind::Slice(base, from, to) => {
                p.expr(body, *base);
                from.iter().chain(to).for_each(|&id| p.expr(body, id));
            }
            ExprKind::Struct(fields) => {
                let def = match p.program.types.kind(body.exprs[id].ty) {
                    TyKind::Struct(def, _) => Some(*def),
                    _ => None, // a struct value has no other type
                };
                for &(index, value) in fields {
                    let name = def.map_or(index.to_string(), |def| {
                        p.program.structs[def].fields[index as usize].name.to_string()
                    });
                    p.line(&format!(".{name}"));
                    p.nested(|p| p.expr(body, value));
                }
            }
            ExprKind::If(arms, otherwise) => {
                for (condition, block) in arms {
                    p.condition(body, condition);
                    p.line("then");
                    p.nested(|p| p.expr(body, *block));
                }
                if let Some(block) = *otherwise {
                    p.line("else");
                    p.nested(|p| p.expr(body, block));
                }
            }
            ExprKind::Match(value, arms) => {
                p.expr(body, *value);
                for arm in arms {
                    let pattern = p.pattern(body, &arm.pattern);
                    p.line(&format!("{pattern} =>"));
                    p.nested(|p| {
                        if let Some(guard) = arm.guard {
                            p.line("if");
                            p.nested(|p| p.expr(body, guard));
                        }
                        p.expr(body, arm.body);
                    });
                }
            }
            ExprKind::Block(statements, value) => p.block(body, statements, *value),
            ExprKind::Closure(closure) => {
                for &param in &closure.params {
                    p.line(&format!("param {}", p.local_with_type(body, param)));
                }
                for &capture in &closure.captures {
                    p.line(&format!("capture {}", p.local(body, capture)));
                }
                p.expr(body, closure.body);
            }
            ExprKind::While(_, condition, block) => {
                p.condition(body, condition);
                p.expr(body, *block);
            }
            ExprKind::ForRange(head) => {
                p.exprs(body, &[head.from, head.to]);
                if let Some(by) = head.by {
                    p.line("by");
                    p.nested(|p| p.expr(body, by));
                }
                p.expr(body, head.body);
            }
            ExprKind::ForEach(head) => p.exprs(body, &[head.over, head.body]),
            ExprKind::Return(value) => value.iter().for_each(|&id| p.expr(body, id)),
        });
    }
}
