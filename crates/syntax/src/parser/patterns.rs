//! Patterns.

use super::support::{Braces, In, Look, Parsed, expect, expected, ident, list_rest, nested, report};
use crate::ast::{Path, PathSegment, Pattern, PatternKind};
use crate::token::{Token, TokenKind as K, flags};
use mini_base::source::Span;
use mini_diag::codes;
use mini_diag::diagnostic::{Diagnostic, Stage};

/// A pattern, alternatives included.
pub(super) fn pattern(inp: &mut In<'_, '_>) -> Parsed<Pattern> {
    let first = alternative(inp)?;
    if !inp.at(K::Pipe) {
        return Ok(first);
    }
    let mut span = first.span;
    let mut patterns = Vec::new();
    flatten(first, &mut patterns);
    while inp.eat(K::Pipe).is_some() {
        let next = alternative(inp)?;
        span = span.to(next.span);
        flatten(next, &mut patterns);
    }
    Ok(Pattern { kind: PatternKind::Or(patterns), span })
}

/// Alternatives in parentheses become part of the alternatives around them.
fn flatten(pattern: Pattern, into: &mut Vec<Pattern>) {
    match pattern.kind {
        PatternKind::Or(inner) => into.extend(inner),
        _ => into.push(pattern),
    }
}

/// The end of a range.
#[derive(Clone, Copy)]
enum Bound {
    Int(i64),
    Byte(u8),
}

fn alternative(inp: &mut In<'_, '_>) -> Parsed<Pattern> {
    let first = inp.token();
    let plain = |inp: &mut In<'_, '_>, kind| {
        inp.bump();
        Ok(Pattern { kind, span: first.span })
    };
    match first.kind {
        K::Int | K::Minus | K::Byte => literal_or_range(inp),
        K::String => {
            let bytes = inp.state().tokens.string(first);
            plain(inp, PatternKind::String(bytes))
        }
        K::True => plain(inp, PatternKind::Bool(true)),
        K::False => plain(inp, PatternKind::Bool(false)),
        K::Null => plain(inp, PatternKind::Null),
        K::Underscore => plain(inp, PatternKind::Wildcard),
        K::LParen => {
            inp.bump();
            let inner = nested(inp, Braces::Literal, pattern)?;
            expect(inp, K::RParen)?;
            Ok(inner)
        }
        K::Ident => name_or_variant(inp),
        K::Float => {
            report(inp, |span| {
                Diagnostic::error(codes::E0115_BAD_PATTERN, Stage::Parser, span, "a float can't be a pattern")
                    .with_help("use a name and a guard: `x if x == 1.0 => …`")
            });
            plain(inp, PatternKind::Error)
        }
        _ => Err(expected(inp, codes::E0115_BAD_PATTERN, "a pattern")),
    }
}

fn literal_or_range(inp: &mut In<'_, '_>) -> Parsed<Pattern> {
    let start = inp.token().span;
    let low = bound(inp)?;
    if !matches!(inp.kind(), K::DotDotEq | K::DotDot) {
        let kind = match low {
            Bound::Int(value) => PatternKind::Int(value),
            Bound::Byte(value) => PatternKind::Byte(value),
        };
        return Ok(Pattern { kind, span: start.to(inp.previous()) });
    }
    if inp.at(K::DotDot) {
        report(inp, |span| {
            Diagnostic::error(codes::E0115_BAD_PATTERN, Stage::Parser, span, "a range in a pattern is written `..=`")
                .with_help("both ends belong to it")
                .with_fix(span, "..=")
        });
    }
    inp.bump();
    let high = bound(inp)?;
    let span = start.to(inp.previous());
    let kind = match (low, high) {
        (Bound::Int(low), Bound::Int(high)) => PatternKind::IntRange(low, high),
        (Bound::Byte(low), Bound::Byte(high)) => PatternKind::ByteRange(low, high),
        (Bound::Int(_), Bound::Byte(_)) | (Bound::Byte(_), Bound::Int(_)) => {
            report(inp, |_| {
                Diagnostic::error(
                    codes::E0115_BAD_PATTERN,
                    Stage::Parser,
                    span,
                    "the ends of a range are both ints or both bytes",
                )
            });
            PatternKind::Error
        }
    };
    Ok(Pattern { kind, span })
}

fn bound(inp: &mut In<'_, '_>) -> Parsed<Bound> {
    let minus = inp.eat(K::Minus).is_some();
    let token = inp.token();
    match token.kind {
        K::Int => {
            let value = inp.state().tokens.int(token);
            if token.is(flags::MIN_MAGNITUDE) && !minus {
                too_large(inp, token.span);
            }
            inp.bump();
            Ok(Bound::Int(if minus { value.wrapping_neg() } else { value }))
        }
        K::Byte if !minus => {
            inp.bump();
            Ok(Bound::Byte(token.value as u8))
        }
        _ => Err(expected(
            inp,
            codes::E0115_BAD_PATTERN,
            if minus { "an int literal" } else { "an int or byte literal" },
        )),
    }
}

/// Reports the literal 2^63 where no minus is in front of it.
pub(super) fn too_large(inp: &mut In<'_, '_>, span: Span) {
    report(inp, |_| {
        Diagnostic::error(codes::E0011_NUMBER_TOO_LARGE, Stage::Parser, span, "this int literal is too large")
            .with_help("2^63 fits only as the direct operand of a minus: `-9223372036854775808`")
    });
}

fn name_or_variant(inp: &mut In<'_, '_>) -> Parsed<Pattern> {
    let first: Token = inp.bump();
    let head = ident(inp, first);
    if !matches!(inp.kind(), K::ColonColon | K::LParen) {
        return Ok(Pattern { kind: PatternKind::Name(head), span: first.span });
    }
    let mut segments = vec![PathSegment { ident: head, args: None }];
    super::expressions::path_rest(inp, &mut segments)?;
    let path = Path { segments, span: first.span.to(inp.previous()) };
    let payload = match inp.eat(K::LParen) {
        Some(_) => Some(list_rest(inp, K::RParen, pattern)?),
        None => None,
    };
    Ok(Pattern { kind: PatternKind::Variant { path, payload }, span: first.span.to(inp.previous()) })
}
