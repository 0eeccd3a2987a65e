//! Types, paths in types, type parameters.

use super::foreign;
use super::support::{
    Braces, Extra, In, Look, Parsed, behind, deeper, expect, expect_name, expected, ident, list, list_rest, name,
    nested, report, shallower, token,
};
use crate::ast::{Generic, Path, PathSegment, TypeExpr, TypeKind};
use crate::token::{Token, TokenKind as K};
use chumsky::Parser;
use chumsky::primitive::custom;
use mini_diag::codes;
use mini_diag::diagnostic::{Diagnostic, Stage};

/// [`ty`] as a parser.
pub(super) fn type_parser<'t>() -> impl Parser<'t, &'t [Token], TypeExpr, Extra<'t>> + Copy {
    custom(ty)
}

/// A type.
pub(super) fn ty(inp: &mut In<'_, '_>) -> Parsed<TypeExpr> {
    let first = inp.token();
    let mut ty = match first.kind {
        K::Ident | K::TypeName => {
            let path = path(inp)?;
            TypeExpr { span: path.span, kind: TypeKind::Path(path) }
        }
        K::LBracket => {
            let element = inp.parse(token(K::LBracket).ignore_then(custom(inner)).then_ignore(token(K::RBracket)))?;
            TypeExpr { kind: TypeKind::Array(Box::new(element)), span: first.span.to(inp.previous()) }
        }
        K::LParen => inp.parse(token(K::LParen).ignore_then(custom(inner)).then_ignore(token(K::RParen)))?,
        K::Fn => {
            let head = token(K::Fn).then(token(K::LParen)).ignore_then(list(K::RParen, ty));
            let (params, result) = inp.parse(head.then(behind(K::Arrow, custom(inner))))?;
            TypeExpr {
                kind: TypeKind::Function { params, result: result.map(Box::new) },
                span: first.span.to(inp.previous()),
            }
        }
        _ => return Err(expected(inp, codes::E0116_TYPE_EXPECTED, "a type")),
    };
    while let Some(count) = foreign::array_suffix(inp) {
        ty = array_suffix(inp, ty, count);
    }
    let mut levels = 0;
    while inp.eat(K::Question).is_some() {
        levels += 1;
        deeper(inp, 1)?;
        ty = TypeExpr { span: first.span.to(inp.previous()), kind: TypeKind::Optional(Box::new(ty)) };
    }
    shallower(inp, levels);
    Ok(ty)
}

/// `T[]`, which is reported and read as `[T]`.
#[cold]
fn array_suffix(inp: &mut In<'_, '_>, element: TypeExpr, count: usize) -> TypeExpr {
    report(inp, |span| {
        Diagnostic::error(codes::E0101_UNEXPECTED, Stage::Parser, span, "an array type has its brackets around")
            .with_help("an array of `T` is written `[T]`; its length is not part of the type")
    });
    for _ in 0..count {
        inp.bump();
    }
    let span = element.span.to(inp.previous());
    TypeExpr { kind: TypeKind::Error, span }
}

/// A type inside another.
fn inner(inp: &mut In<'_, '_>) -> Parsed<TypeExpr> {
    nested(inp, Braces::Literal, ty)
}

/// `a::b<T>`
pub(super) fn path(inp: &mut In<'_, '_>) -> Parsed<Path> {
    let first = inp.bump();
    let mut segments = vec![PathSegment { ident: ident(inp, first), args: None }];
    while inp.eat(K::ColonColon).is_some() {
        let ident = expect_name(inp, "a name behind `::`")?;
        segments.push(PathSegment { ident, args: None });
    }
    if inp.eat(K::Lt).is_some() {
        let args = list_rest(inp, K::Gt, ty)?;
        if let Some(last) = segments.last_mut() {
            last.args = Some(args);
        }
    }
    Ok(Path { segments, span: first.span.to(inp.previous()) })
}

/// `<T: Eq + Hash, U>`, or nothing.
pub(super) fn generics(inp: &mut In<'_, '_>) -> Parsed<Vec<Generic>> {
    match inp.at(K::Lt) {
        true => inp.parse(token(K::Lt).ignore_then(list(K::Gt, generic))),
        false => Ok(Vec::new()),
    }
}

fn generic(inp: &mut In<'_, '_>) -> Parsed<Generic> {
    let (name, bounds) = inp.parse(name("the name of a type parameter").then(behind(K::Colon, custom(bounds))))?;
    Ok(Generic { name, bounds: bounds.unwrap_or_default() })
}

fn bounds(inp: &mut In<'_, '_>) -> Parsed<Vec<crate::ast::Ident>> {
    let mut bounds = vec![expect_name(inp, "a bound")?];
    while inp.at(K::Plus) {
        expect(inp, K::Plus)?;
        bounds.push(expect_name(inp, "a bound")?);
    }
    Ok(bounds)
}
