//! Constants: which expressions are constant, in which order they are evaluated, and what they give.
//!
//! *In:* the constants of all modules. *Out:* a type and a value for each; uses of a constant become literals in the typed
//! tree. *Keeps:* run-time semantics: all arithmetic goes through `mini_prim`. *Cost:* linear; the order of evaluation is
//! found without recursion, so constants may depend on each other in chains of any length.
//! *Example:* `const A = B * 2; const B = 1 << 4;` gives 32 and 16.

use crate::body::{BodyChecker, Owner};
use crate::check::Checker;
use crate::infer::{Because, Expect};
use crate::items::{Item, Nominal};
use crate::modules::ModuleId;
use crate::order::dependency_order;
use crate::path::Split;
use crate::scan::Scan;
use crate::typed::{BinaryOp, Body, CompareOp, Conversion, ExprId, ExprKind as Typed, NullTest, UnaryOp};
use crate::types::Ty;
use mini_base::ids::Id;
use mini_base::source::Span;
use mini_diag::codes_checker as codes;
use mini_prim::{int, math, text};
use mini_syntax::ast::{self, ExprKind, PostfixKind};
use std::cmp::Ordering;
use std::sync::Arc;

mini_base::define_id! {
    /// A constant, in textual order.
    pub(crate) struct ConstId, "const";
}

/// A constant.
pub(crate) struct ConstInfo<'a> {
    /// Its module.
    pub module: ModuleId,
    /// How it is written.
    pub syntax: &'a ast::Binding,
    /// Its type, once that is known.
    pub ty: Option<Ty>,
    /// Its value; `None` while it is not known or if it is wrong.
    pub value: Option<Value>,
}

impl<'a> ConstInfo<'a> {
    /// A constant that has not been looked at.
    pub fn new(syntax: &'a ast::Binding, module: ModuleId) -> Self {
        ConstInfo { module, syntax, ty: None, value: None }
    }
}

/// The value of a constant expression; of an optional type, `Null` or the value inside.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Value {
    /// An int.
    Int(i64),
    /// A float.
    Float(f64),
    /// A bool.
    Bool(bool),
    /// A byte.
    Byte(u8),
    /// A string.
    String(Arc<[u8]>),
    /// `null`
    Null,
}

impl<'a> Checker<'a> {
    /// Checks and evaluates all constants.
    pub fn check_constants(&mut self) {
        let count = self.constants.len();
        let mut needs = Vec::with_capacity(count);
        for id in self.constants.ids() {
            let mut names = Vec::new();
            let syntax = self.constants[id].syntax;
            self.current = self.constants[id].module;
            if self.is_constant(&syntax.value, &mut names) {
                needs.push(names);
            } else {
                needs.push(Vec::new());
                let ty = syntax.ty.as_ref().map(|ty| self.resolve_type(ty));
                self.constants[id].ty = Some(ty.unwrap_or(self.types.error));
            }
        }
        let (mut order, mut cycles) = (Vec::with_capacity(count), Vec::new());
        dependency_order(count, |i| needs[i].clone(), |i| order.push(i), |cycle| cycles.push(cycle.to_vec()));
        for cycle in cycles {
            self.report_cycle(&cycle);
        }
        for index in order {
            let id = ConstId::new(index);
            if self.constants[id].ty.is_none() {
                self.check_constant(id);
            }
        }
    }

    fn report_cycle(&mut self, cycle: &[usize]) {
        let error = self.types.error;
        let names: Vec<ast::Ident> = cycle.iter().map(|&i| self.constants[ConstId::new(i)].syntax.name).collect();
        let new = cycle.iter().any(|&i| self.constants[ConstId::new(i)].ty.is_none());
        for &index in cycle {
            let info = &mut self.constants[ConstId::new(index)];
            info.ty.get_or_insert(error);
        }
        if !new {
            return; // part of a cycle that was reported
        }
        let first = names.iter().min_by_key(|n| n.span.start).copied().expect("a cycle has a member");
        let text = self.text(first.name);
        let mut d =
            self.error(codes::E0505_CONSTANT_CYCLE, first.span, format!("the constant `{text}` depends on itself"));
        for name in names.iter().filter(|n| **n != first).take(8) {
            d = d.with_secondary(name.span, format!("through `{}`", self.text(name.name)));
        }
        self.report(d);
    }

    /// Whether the expression is constant by its form; reports what is not, and collects the constants it names.
    fn is_constant(&mut self, expr: &ast::Expr, names: &mut Vec<usize>) -> bool {
        match &expr.kind {
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Byte(_)
            | ExprKind::String(_)
            | ExprKind::Bool(_)
            | ExprKind::Null => true,
            ExprKind::Error => false,
            ExprKind::Path(path) => match self.split(path) {
                Some(Split::Item(Item::Const(id), ..)) => {
                    names.push(id.index());
                    true
                }
                Some(Split::Item(Item::Global(_), ..)) => self.not_constant(expr.span, "a global"),
                Some(Split::Item(Item::Function(_) | Item::Extern(_), ..)) => {
                    self.not_constant(expr.span, "a function")
                }
                Some(Split::Item(Item::Struct(_) | Item::Enum(_) | Item::Module(_), ..) | Split::Unknown(_)) => true, // the check reports it
                Some(Split::Item(Item::Error, ..)) | None => false,
                Some(Split::Member(owner, _, member)) => {
                    let name = member.ident.name;
                    match owner {
                        Nominal::Enum(id) if self.enums[id].by_name.contains_key(&name) => {
                            self.not_constant(expr.span, "a variant")
                        }
                        _ if self.methods.contains_key(&(owner, name)) => self.not_constant(expr.span, "a function"),
                        Nominal::Enum(_) | Nominal::Struct(_) => true, // the check reports it
                    }
                }
            },
            ExprKind::Paren(inner) => self.is_constant(inner, names),
            ExprKind::Unary { op: _, operand } => self.is_constant(operand, names),
            ExprKind::Chain { first, rest } => {
                let mut fine = self.is_constant(first, names);
                for (_, _, operand) in rest {
                    fine &= self.is_constant(operand, names);
                }
                fine
            }
            ExprKind::Compare { op: _, op_span: _, left, right } => {
                self.is_constant(left, names) & self.is_constant(right, names)
            }
            ExprKind::Coalesce(parts) => {
                let mut fine = true;
                for part in parts {
                    fine &= self.is_constant(part, names);
                }
                fine
            }
            ExprKind::Postfix { base, operations } => {
                let conversion = match &base.kind {
                    ExprKind::Path(path) => match path.segments.as_slice() {
                        [segment] => self.conversion_target(segment.ident.name).is_some(),
                        _ => false,
                    },
                    _ => false,
                };
                match operations.as_slice() {
                    [ast::Postfix { kind: PostfixKind::Call(args), .. }] if conversion => {
                        let mut fine = true;
                        for arg in args {
                            fine &= self.is_constant(arg, names);
                        }
                        fine
                    }
                    _ => self.not_constant(expr.span, "a call or another operation"),
                }
            }
            ExprKind::Struct { .. } => self.not_constant(expr.span, "a struct value"),
            ExprKind::Array(_) | ExprKind::Repeat { .. } => self.not_constant(expr.span, "an array"),
            ExprKind::If { .. } => self.not_constant(expr.span, "an `if`"),
            ExprKind::Match { .. } => self.not_constant(expr.span, "a `match`"),
            ExprKind::Block(_) => self.not_constant(expr.span, "a block"),
            ExprKind::Closure { .. } => self.not_constant(expr.span, "a closure"),
            ExprKind::Return(_) | ExprKind::Break(_) | ExprKind::Continue(_) => self.not_constant(expr.span, "a jump"),
        }
    }

    fn not_constant(&mut self, span: Span, what: &str) -> bool {
        let d = self
            .error(codes::E0503_NOT_CONSTANT, span, format!("{what} can't stand in a constant expression"))
            .with_help("constants are made of literals, other constants, operators and conversions; a global (`let`) may have any initialiser");
        self.report(d);
        false
    }

    fn check_constant(&mut self, id: ConstId) {
        let syntax = self.constants[id].syntax;
        self.current = self.constants[id].module;
        let written = syntax.ty.as_ref().map(|ty| (self.resolve_type(ty), ty.span));
        let errors = self.diags.error_count();
        let mut checker = BodyChecker::new(self, Owner::Const, Scan::default());
        let root = match written {
            Some((ty, span)) => checker.check(&syntax.value, ty, Because::new(span, "the type is written here")),
            None => checker.value(&syntax.value, Expect::Nothing),
        };
        let body = checker.finish(root);
        let ty = written.map_or(body.exprs[root].ty, |(ty, _)| ty);
        self.constants[id].ty = Some(ty);
        if self.diags.error_count() > errors {
            return;
        }
        match eval(&body, root) {
            Ok(value) => self.constants[id].value = Some(value),
            Err(Stuck::DivisionByZero(span)) => {
                let name = self.text(syntax.name.name);
                self.fail(
                    codes::E0504_CONSTANT_DIVISION_BY_ZERO,
                    span,
                    format!("division by zero while evaluating the constant `{name}`"),
                );
            }
            // A constant that it uses was reported.
            Err(Stuck::Unknown) => {}
        }
    }
}

/// Why an expression has no value.
enum Stuck {
    DivisionByZero(Span),
    Unknown,
}

/// The value of a checked constant expression. Recursion follows the nesting of the source.
fn eval(body: &Body, id: ExprId) -> Result<Value, Stuck> {
    let expr = &body.exprs[id];
    Ok(match &expr.kind {
        Typed::Int(v) => Value::Int(*v),
        Typed::Float(v) => Value::Float(*v),
        Typed::Bool(v) => Value::Bool(*v),
        Typed::Byte(v) => Value::Byte(*v),
        Typed::String(v) => Value::String(v.clone()),
        Typed::Null => Value::Null,
        Typed::Some(inner) => eval(body, *inner)?,
        Typed::Unary(op, operand) => match (op, eval(body, *operand)?) {
            (UnaryOp::Neg, Value::Int(v)) => Value::Int(v.wrapping_neg()),
            (UnaryOp::Neg, Value::Float(v)) => Value::Float(-v),
            (UnaryOp::BitNot, Value::Int(v)) => Value::Int(!v),
            (UnaryOp::Not, Value::Bool(v)) => Value::Bool(!v),
            _ => return Err(Stuck::Unknown),
        },
        Typed::Chain(first, rest) => return eval_chain(body, *first, rest),
        Typed::And(parts) => {
            for &part in parts {
                match eval(body, part)? {
                    Value::Bool(true) => {}
                    other => return Ok(other),
                }
            }
            Value::Bool(true)
        }
        Typed::Or(parts) => {
            for &part in parts {
                match eval(body, part)? {
                    Value::Bool(false) => {}
                    other => return Ok(other),
                }
            }
            Value::Bool(false)
        }
        Typed::Compare(op, left, right) => {
            let (left, right) = (eval(body, *left)?, eval(body, *right)?);
            Value::Bool(compare(*op, &left, &right))
        }
        Typed::NullTest(test, operand) => {
            Value::Bool((eval(body, *operand)? == Value::Null) == (*test == NullTest::IsNull))
        }
        Typed::Coalesce(parts) => {
            for &part in parts {
                match eval(body, part)? {
                    Value::Null => {}
                    other => return Ok(other),
                }
            }
            Value::Null
        }
        Typed::Convert(conversion, operand) => convert(*conversion, &eval(body, *operand)?).ok_or(Stuck::Unknown)?,
        _ => return Err(Stuck::Unknown), // other forms are not constant and were refused by `is_constant`
    })
}

fn eval_chain(body: &Body, first: ExprId, rest: &[(BinaryOp, ExprId)]) -> Result<Value, Stuck> {
    let value = eval(body, first)?;
    if let Value::String(start) = value {
        // Joined in one buffer, so that long chains stay linear.
        let mut bytes = start.to_vec();
        for &(_, operand) in rest {
            match eval(body, operand)? {
                Value::String(more) => bytes.extend_from_slice(&more),
                _ => return Err(Stuck::Unknown),
            }
        }
        return Ok(Value::String(bytes.into()));
    }
    let mut value = value;
    for &(op, operand) in rest {
        value = match (value, eval(body, operand)?) {
            (Value::Int(a), Value::Int(b)) => {
                if b == 0 && matches!(op, BinaryOp::Div | BinaryOp::Rem) {
                    return Err(Stuck::DivisionByZero(body.exprs[operand].span));
                }
                Value::Int(int_op(op, a, b).ok_or(Stuck::Unknown)?)
            }
            (Value::Float(a), Value::Float(b)) => Value::Float(float_op(op, a, b).ok_or(Stuck::Unknown)?),
            (Value::Bool(a), Value::Bool(b)) => Value::Bool(match op {
                BinaryOp::BitAnd => a & b,
                BinaryOp::BitOr => a | b,
                BinaryOp::BitXor => a ^ b,
                _ => return Err(Stuck::Unknown),
            }),
            _ => return Err(Stuck::Unknown),
        };
    }
    Ok(value)
}

fn int_op(op: BinaryOp, a: i64, b: i64) -> Option<i64> {
    Some(match op {
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::Div => int::div(a, b),
        BinaryOp::Rem => int::rem(a, b),
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Sub => a.wrapping_sub(b),
        BinaryOp::Shl => int::shl(a, b),
        BinaryOp::Shr => int::shr(a, b),
        BinaryOp::Ushr => int::ushr(a, b),
        BinaryOp::BitAnd => a & b,
        BinaryOp::BitXor => a ^ b,
        BinaryOp::BitOr => a | b,
        BinaryOp::And | BinaryOp::Or => return None,
    })
}

fn float_op(op: BinaryOp, a: f64, b: f64) -> Option<f64> {
    Some(match op {
        BinaryOp::Mul => a * b,
        BinaryOp::Div => a / b,
        BinaryOp::Rem => math::fmod(a, b),
        BinaryOp::Add => a + b,
        BinaryOp::Sub => a - b,
        BinaryOp::Shl
        | BinaryOp::Shr
        | BinaryOp::Ushr
        | BinaryOp::BitAnd
        | BinaryOp::BitXor
        | BinaryOp::BitOr
        | BinaryOp::And
        | BinaryOp::Or => return None,
    })
}

/// The six comparisons; optionals are compared with `==` and `!=` only.
fn compare(op: CompareOp, left: &Value, right: &Value) -> bool {
    let order = match (left, right) {
        (Value::Int(a), Value::Int(b)) => Some(a.cmp(b)),
        (Value::Float(a), Value::Float(b)) => a.partial_cmp(b),
        (Value::Bool(a), Value::Bool(b)) => Some(a.cmp(b)),
        (Value::Byte(a), Value::Byte(b)) => Some(a.cmp(b)),
        (Value::String(a), Value::String(b)) => Some(a.cmp(b)),
        (Value::Null, Value::Null) => Some(Ordering::Equal),
        _ => None, // null and a value
    };
    match op {
        CompareOp::Eq => order == Some(Ordering::Equal),
        CompareOp::Ne => order != Some(Ordering::Equal),
        CompareOp::Lt => order == Some(Ordering::Less),
        CompareOp::Le => matches!(order, Some(Ordering::Less | Ordering::Equal)),
        CompareOp::Gt => order == Some(Ordering::Greater),
        CompareOp::Ge => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
    }
}

fn convert(conversion: Conversion, value: &Value) -> Option<Value> {
    Some(match (conversion, value) {
        (Conversion::FloatToInt, Value::Float(v)) => Value::Int(math::float_to_int(*v)),
        (Conversion::ByteToInt, Value::Byte(v)) => Value::Int(i64::from(*v)),
        (Conversion::BoolToInt, Value::Bool(v)) => Value::Int(i64::from(*v)),
        (Conversion::IntToFloat, Value::Int(v)) => Value::Float(math::int_to_float(*v)),
        (Conversion::IntToByte, Value::Int(v)) => Value::Byte(*v as u8),
        (Conversion::ToString, value) => Value::String(to_text(value).into()),
        (
            Conversion::FloatToInt
            | Conversion::ByteToInt
            | Conversion::BoolToInt
            | Conversion::EnumToInt
            | Conversion::IntToFloat
            | Conversion::IntToByte,
            _,
        ) => return None,
    })
}

/// What `string(x)` gives.
fn to_text(value: &Value) -> Vec<u8> {
    let mut buffer = [0; text::NUMBER_BYTES];
    match value {
        Value::Int(v) => text::write_int(*v, &mut buffer).to_vec(),
        Value::Float(v) => text::write_float(*v, &mut buffer).to_vec(),
        Value::Bool(v) => text::bool_text(*v).to_vec(),
        Value::Byte(v) => text::write_int(i64::from(*v), &mut buffer).to_vec(),
        Value::String(v) => v.to_vec(),
        Value::Null => b"null".to_vec(),
    }
}

impl BodyChecker<'_, '_> {
    /// A constant as a literal.
    pub fn constant(&mut self, id: ConstId, span: Span) -> ExprId {
        let info = &self.cx.constants[id];
        let (Some(ty), Some(value)) = (info.ty, info.value.clone()) else {
            // Its type still serves the checks around.
            let ty = info.ty.unwrap_or(self.cx.types.error);
            return self.push(Typed::Int(0), ty, span);
        };
        let inner = self.optional_inner(ty);
        let literal = match value {
            Value::Int(v) => Typed::Int(v),
            Value::Float(v) => Typed::Float(v),
            Value::Bool(v) => Typed::Bool(v),
            Value::Byte(v) => Typed::Byte(v),
            Value::String(v) => Typed::String(v),
            Value::Null => return self.push(Typed::Null, ty, span),
        };
        let literal = self.push(literal, inner.unwrap_or(ty), span);
        if inner.is_some() { self.push(Typed::Some(literal), ty, span) } else { literal }
    }
}
