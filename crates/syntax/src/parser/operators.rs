//! Prefix and binary operators.
//!
//! Binary operators are parsed by precedence climbing (Richards, 1979; the table is the language reference's, section 5),
//! except that all operators of one level become one flat node: long chains need neither stack nor a deep tree.

use super::expressions::postfix;
use super::support::{In, Look, Parsed, deeper, report, shallower};
use crate::ast::{BinaryOp, CompareOp, Expr, ExprKind, UnaryOp};
use crate::token::{TokenKind as K, flags};
use mini_base::source::Span;
use mini_diag::codes;
use mini_diag::diagnostic::{Diagnostic, Stage};
use smallvec::SmallVec;

/// A binary operator.
#[derive(Clone, Copy)]
enum Binary {
    Chain(BinaryOp),
    Compare(CompareOp),
    Coalesce,
}

/// The loosest level, `??`.
const LOOSEST: u8 = 0;
const COMPARISON: u8 = 3;

/// An expression up to the first token that can't go on with it: neither an assignment nor a range.
pub(super) fn operators(inp: &mut In<'_, '_>) -> Parsed<Expr> {
    climb(inp, LOOSEST)
}

/// An operator with its level and the number of its tokens, if the next token begins one.
#[inline]
fn binary_operator(inp: &mut In<'_, '_>) -> Option<(Binary, u8, usize)> {
    use Binary::{Chain, Coalesce, Compare};
    Some(match inp.kind() {
        K::Star => (Chain(BinaryOp::Mul), 9, 1),
        K::Slash => (Chain(BinaryOp::Div), 9, 1),
        K::Percent => (Chain(BinaryOp::Rem), 9, 1),
        K::Plus => (Chain(BinaryOp::Add), 8, 1),
        K::Minus => (Chain(BinaryOp::Sub), 8, 1),
        K::Shl => (Chain(BinaryOp::Shl), 7, 1),
        K::Amp => (Chain(BinaryOp::BitAnd), 6, 1),
        K::Caret => (Chain(BinaryOp::BitXor), 5, 1),
        K::Pipe => (Chain(BinaryOp::BitOr), 4, 1),
        K::EqEq => (Compare(CompareOp::Eq), COMPARISON, 1),
        K::NotEq => (Compare(CompareOp::Ne), COMPARISON, 1),
        K::Lt => (Compare(CompareOp::Lt), COMPARISON, 1),
        K::LtEq => (Compare(CompareOp::Le), COMPARISON, 1),
        K::AmpAmp => (Chain(BinaryOp::And), 2, 1),
        K::PipePipe => (Chain(BinaryOp::Or), 1, 1),
        K::Gt => match pieces(inp) {
            (1, false) => (Compare(CompareOp::Gt), COMPARISON, 1),
            (1, true) => (Compare(CompareOp::Ge), COMPARISON, 2),
            (2, false) => (Chain(BinaryOp::Shr), 7, 2),
            (3, false) => (Chain(BinaryOp::Ushr), 7, 3),
            _ => return None,
        },
        K::Question if inp.token().is(flags::JOINED) => (Coalesce, LOOSEST, 2),
        _ => return None,
    })
}

/// Whether a binary operator comes next.
pub(super) fn begins_binary_operator(inp: &mut In<'_, '_>) -> bool {
    binary_operator(inp).is_some()
}

/// How many `>` stand here as one operator, and whether a `=` ends it.
fn pieces(inp: &mut In<'_, '_>) -> (usize, bool) {
    let mut count = 1;
    while inp.nth(count - 1).is(flags::JOINED) {
        if inp.nth(count).kind == K::Assign {
            return (count, true);
        }
        count += 1;
    }
    (count, false)
}

/// `=`, or the operator of `op=`, with the number of its tokens, if the next token begins one.
#[inline]
pub(super) fn assignment_operator(inp: &mut In<'_, '_>) -> Option<(Option<BinaryOp>, usize)> {
    Some(match inp.kind() {
        K::Assign => (None, 1),
        K::PlusAssign => (Some(BinaryOp::Add), 1),
        K::MinusAssign => (Some(BinaryOp::Sub), 1),
        K::StarAssign => (Some(BinaryOp::Mul), 1),
        K::SlashAssign => (Some(BinaryOp::Div), 1),
        K::PercentAssign => (Some(BinaryOp::Rem), 1),
        K::AmpAssign => (Some(BinaryOp::BitAnd), 1),
        K::CaretAssign => (Some(BinaryOp::BitXor), 1),
        K::PipeAssign => (Some(BinaryOp::BitOr), 1),
        K::ShlAssign => (Some(BinaryOp::Shl), 1),
        K::Gt => match pieces(inp) {
            (2, true) => (Some(BinaryOp::Shr), 3),
            (3, true) => (Some(BinaryOp::Ushr), 4),
            _ => return None,
        },
        _ => return None,
    })
}

/// Takes an operator of some tokens.
pub(super) fn take(inp: &mut In<'_, '_>, count: usize) -> Span {
    let first = inp.bump().span;
    for _ in 1..count {
        inp.bump();
    }
    first.to(inp.previous())
}

/// Operators of level `loosest` and tighter.
fn climb(inp: &mut In<'_, '_>, loosest: u8) -> Parsed<Expr> {
    let mut left = prefix(inp)?;
    while let Some((operator, level, count)) = binary_operator(inp) {
        if level < loosest {
            break;
        }
        let span = take(inp, count);
        left = match operator {
            Binary::Chain(op) => chain(inp, left, op, span, level)?,
            Binary::Compare(op) => compare(inp, left, op, span)?,
            Binary::Coalesce => coalesce(inp, left)?,
        };
    }
    Ok(left)
}

fn chain(inp: &mut In<'_, '_>, first: Expr, op: BinaryOp, span: Span, level: u8) -> Parsed<Expr> {
    let start = first.span;
    let mut rest = Vec::with_capacity(1);
    let operand = climb(inp, level + 1)?;
    rest.push((op, span, operand));
    while let Some((Binary::Chain(op), same, count)) = binary_operator(inp) {
        if same != level {
            break;
        }
        let span = take(inp, count);
        let operand = climb(inp, level + 1)?;
        rest.push((op, span, operand));
    }
    Ok(Expr { kind: ExprKind::Chain { first: Box::new(first), rest }, span: start.to(inp.previous()) })
}

fn compare(inp: &mut In<'_, '_>, left: Expr, op: CompareOp, op_span: Span) -> Parsed<Expr> {
    let right = climb(inp, COMPARISON + 1)?;
    let mut chained = false;
    while let Some((Binary::Compare(second), _, count)) = binary_operator(inp) {
        if !chained {
            let middle = if matches!(right.kind, ExprKind::Path(_)) { "b" } else { "…" };
            let behind = inp.nth(count).kind;
            let type_arguments = (op, second, behind) == (CompareOp::Lt, CompareOp::Gt, K::ColonColon);
            let help = match type_arguments {
                true => "type arguments in an expression stand behind `::`, as in `List::<int>::new()`".into(),
                false => format!("write `a {} {middle} && {middle} {} c`, or parentheses", op.text(), second.text()),
            };
            let reported = report(inp, |span| {
                Diagnostic::error(codes::E0106_COMPARISON_CHAIN, Stage::Parser, span, "comparisons can't be chained")
                    .with_secondary(op_span, "the first comparison")
                    .with_help(help)
            });
            if type_arguments {
                return Err(reported);
            }
        }
        chained = true;
        take(inp, count);
        climb(inp, COMPARISON + 1)?;
    }
    let span = left.span.to(inp.previous());
    let kind = match chained {
        true => ExprKind::Error,
        false => ExprKind::Compare { op, op_span, left: Box::new(left), right: Box::new(right) },
    };
    Ok(Expr { kind, span })
}

fn coalesce(inp: &mut In<'_, '_>, first: Expr) -> Parsed<Expr> {
    let start = first.span;
    let mut operands = vec![first, climb(inp, LOOSEST + 1)?];
    while let Some((Binary::Coalesce, _, count)) = binary_operator(inp) {
        take(inp, count);
        operands.push(climb(inp, LOOSEST + 1)?);
    }
    Ok(Expr { kind: ExprKind::Coalesce(operands), span: start.to(inp.previous()) })
}

fn prefix_operator(kind: K) -> Option<UnaryOp> {
    match kind {
        K::Minus => Some(UnaryOp::Neg),
        K::Bang => Some(UnaryOp::Not),
        K::Tilde => Some(UnaryOp::BitNot),
        _ => None,
    }
}

/// `-!~x`
#[inline]
fn prefix(inp: &mut In<'_, '_>) -> Parsed<Expr> {
    if prefix_operator(inp.kind()).is_none() {
        return postfix(inp);
    }
    prefixed(inp)
}

fn prefixed(inp: &mut In<'_, '_>) -> Parsed<Expr> {
    let mut operators: SmallVec<[(UnaryOp, Span); 4]> = SmallVec::new();
    while let Some(op) = prefix_operator(inp.kind()) {
        deeper(inp, 1)?;
        operators.push((op, inp.bump().span));
    }
    let index = inp.index();
    if inp.token().is(flags::MIN_MAGNITUDE) && operators.last().is_some_and(|o| o.0 == UnaryOp::Neg) {
        inp.state().negated = index;
    }
    let mut operand = postfix(inp)?;
    shallower(inp, operators.len());
    for (op, span) in operators.into_iter().rev() {
        operand = Expr { span: span.to(operand.span), kind: ExprKind::Unary { op, operand: Box::new(operand) } };
    }
    Ok(operand)
}
