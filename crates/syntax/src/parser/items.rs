//! Modules and items.

use super::expressions::{expr_parser, param};
use super::foreign;
use super::recovery::{self, attempt};
use super::statements::{block, semicolon};
use super::support::{
    In, Look, Parsed, Reported, behind, expect, expect_name, expected, found, ident, list, list_rest, name, not_closed,
    report, token,
};
use super::types::{generics, ty, type_parser};
use crate::ast::{
    Binding, BodyEnd, Enum, Function, Ident, Impl, Import, Item, ItemKind, Module, Param, Signature, Struct, TypeExpr,
};
use crate::token::TokenKind as K;
use chumsky::Parser;
use chumsky::primitive::custom;
use mini_base::source::Span;
use mini_diag::codes;
use mini_diag::diagnostic::{Diagnostic, Stage};

/// A whole file, with its `End` token.
pub(super) fn module(inp: &mut In<'_, '_>) -> Parsed<Module> {
    let mut items = Vec::new();
    while !inp.at(K::End) {
        if matches!(inp.kind(), K::RBrace | K::RParen | K::RBracket) {
            stray_closers(inp);
            continue;
        }
        let start = inp.index();
        items.push(recovering_item(inp, recovery::item));
        if inp.state().too_deep.is_some() {
            return Err(Reported);
        }
        if inp.index() == start {
            inp.bump();
        }
    }
    inp.skip();
    Ok(Module { items, broken: std::mem::take(&mut inp.state().broken) })
}

#[cold]
fn stray_closers(inp: &mut In<'_, '_>) {
    let text = found(inp);
    report(inp, |span| {
        Diagnostic::error(codes::E0118_UNMATCHED_CLOSE, Stage::Parser, span, format!("this {text} closes nothing"))
    });
    while matches!(inp.kind(), K::RBrace | K::RParen | K::RBracket) {
        inp.bump();
    }
}

/// An item; after an error an `Error` item, whose name is remembered.
fn recovering_item<'t>(inp: &mut In<'t, '_>, synchronize: fn(&mut In<'t, '_>)) -> Item {
    let (index, start) = (inp.index(), inp.token().span);
    match attempt(inp, item, synchronize) {
        Some(item) => {
            if matches!(item.kind, ItemKind::Error) {
                remember_broken(inp, index);
            }
            item
        }
        None => {
            remember_broken(inp, index);
            Item { doc: None, public: None, span: start.to(inp.previous()), kind: ItemKind::Error }
        }
    }
}

/// Notes the name behind the keywords at `index`: it is declared, though nobody knows as what.
#[cold]
fn remember_broken(inp: &mut In<'_, '_>, index: usize) {
    let tokens = inp.state().tokens;
    let declared = tokens.tokens[index..].iter().take(4).find(|t| !t.kind.is_keyword()).copied();
    if let Some(token) = declared
        && token.kind == K::Ident
        && tokens.tokens[index].kind.is_keyword()
    {
        let ident = ident(inp, token);
        inp.state().broken.push(ident);
    }
}

/// An item with its documentation and `pub`.
pub(super) fn item(inp: &mut In<'_, '_>) -> Parsed<Item> {
    let (index, start) = (inp.index(), inp.token().span);
    let doc = inp.state().tokens.doc(index);
    let public = inp.eat(K::Pub).map(|t| t.span);
    if public.is_some() && matches!(inp.kind(), K::Import | K::Impl | K::Extern) {
        let what = inp.kind().text();
        report(inp, |_| {
            Diagnostic::error(
                codes::E0119_MISPLACED_MODIFIER,
                Stage::Parser,
                start,
                format!("`pub` has no meaning before `{what}`"),
            )
            .with_fix(start, "")
        });
    }
    let kind = match inp.kind() {
        K::Import => import(inp)?,
        K::Const => ItemKind::Const(binding(inp, K::Const, "the name of a constant")?),
        K::Let => ItemKind::Global(binding(inp, K::Let, "the name of a global variable")?),
        K::Struct => struct_item(inp)?,
        K::Enum => enum_item(inp)?,
        K::Impl => impl_item(inp)?,
        K::Fn => function(inp)?,
        K::Extern => extern_item(inp)?,
        _ => return Err(item_expected(inp)),
    };
    Ok(Item { doc, public, span: start.to(inp.previous()), kind })
}

#[cold]
fn item_expected(inp: &mut In<'_, '_>) -> Reported {
    let text = found(inp);
    let foreign = foreign::item(inp);
    report(inp, |span| {
        if let Some(foreign) = foreign {
            return foreign.error(codes::E0117_ITEM_EXPECTED, span);
        }
        Diagnostic::error(codes::E0117_ITEM_EXPECTED, Stage::Parser, span, format!("expected a declaration, found {text}"))
            .with_help("outside functions stand `import`, `const`, `let`, `struct`, `enum`, `impl`, `fn` and `extern fn`; statements belong into a function")
    })
}

/// `import a.b.{c, d};`
fn import(inp: &mut In<'_, '_>) -> Parsed<ItemKind> {
    let mut path = vec![inp.parse(token(K::Import).ignore_then(name("the name of a module")))?];
    let mut names = None;
    while inp.eat(K::Dot).is_some() {
        if inp.eat(K::LBrace).is_some() {
            names = Some(list_rest(inp, K::RBrace, |inp| expect_name(inp, "a name to import"))?);
            break;
        }
        path.push(expect_name(inp, "the name of a module")?);
    }
    semicolon(inp)?;
    Ok(ItemKind::Import(Import { path, names }))
}

/// `const NAME: T = e;` or `let NAME: T = e;`
fn binding(inp: &mut In<'_, '_>, keyword: K, what: &'static str) -> Parsed<Binding> {
    let head = token(keyword).ignore_then(name(what)).then(behind(K::Colon, type_parser()));
    let whole = head.then_ignore(token(K::Assign)).then(expr_parser()).then_ignore(custom(semicolon));
    let ((name, ty), value) = inp.parse(whole)?;
    Ok(Binding { name, ty, value })
}

fn struct_item(inp: &mut In<'_, '_>) -> Parsed<ItemKind> {
    let head = token(K::Struct).ignore_then(name("the name of a struct")).then(custom(generics));
    let ((name, generics), fields) = inp.parse(head.then(token(K::LBrace).ignore_then(list(K::RBrace, field))))?;
    Ok(ItemKind::Struct(Struct { name, generics, fields }))
}

fn field(inp: &mut In<'_, '_>) -> Parsed<(Ident, TypeExpr)> {
    inp.parse(name("the name of a field").then_ignore(token(K::Colon)).then(type_parser()))
}

fn enum_item(inp: &mut In<'_, '_>) -> Parsed<ItemKind> {
    let head = token(K::Enum).ignore_then(name("the name of an enum")).then(custom(generics));
    let ((name, generics), variants) = inp.parse(head.then(token(K::LBrace).ignore_then(list(K::RBrace, variant))))?;
    Ok(ItemKind::Enum(Enum { name, generics, variants }))
}

fn variant(inp: &mut In<'_, '_>) -> Parsed<(Ident, Vec<TypeExpr>)> {
    let payload = behind(K::LParen, custom(payload));
    let (name, payload) = inp.parse(name("the name of a variant").then(payload))?;
    Ok((name, payload.unwrap_or_default()))
}

/// At least one type, behind `(`, with the `)`.
fn payload(inp: &mut In<'_, '_>) -> Parsed<Vec<TypeExpr>> {
    if inp.at(K::RParen) {
        return Err(expected(inp, codes::E0116_TYPE_EXPECTED, "a type"));
    }
    inp.parse(list(K::RParen, ty))
}

fn impl_item(inp: &mut In<'_, '_>) -> Parsed<ItemKind> {
    let head = token(K::Impl)
        .ignore_then(custom(generics))
        .then(name("the name of a struct or enum"))
        .then(behind(K::Lt, list(K::Gt, ty)));
    let ((generics, name), args) = inp.parse(head)?;
    let open = expect(inp, K::LBrace)?.span;
    let mut items = Vec::new();
    while inp.eat(K::RBrace).is_none() {
        let at_function = match inp.kind() {
            K::Fn => true,
            K::Pub => inp.nth(1).kind == K::Fn,
            _ => false,
        };
        if !at_function {
            // Behind a missing brace, the file's next items are read as such.
            if inp.at(K::End) || (inp.state().brace_missing() && recovery::at_item(inp)) {
                not_closed(inp, K::RBrace, open);
                break;
            }
            expected(inp, codes::E0117_ITEM_EXPECTED, "a function or `}`");
        }
        let index = inp.index();
        if at_function {
            items.push(recovering_item(inp, recovery::member));
        } else {
            recovery::member(inp);
        }
        if inp.state().too_deep.is_some() {
            return Err(Reported);
        }
        if inp.index() == index && !inp.at(K::RBrace) {
            inp.bump();
        }
    }
    Ok(ItemKind::Impl(Impl { generics, name, args: args.unwrap_or_default(), items }))
}

/// A function. With an error in its head, its body is parsed for the errors in it.
fn function(inp: &mut In<'_, '_>) -> Parsed<ItemKind> {
    let Some(signature) = attempt(inp, signature, recovery::body) else {
        if inp.state().too_deep.is_some() {
            return Err(Reported);
        }
        if inp.at(K::LBrace) {
            block(inp)?;
        }
        return Ok(ItemKind::Error);
    };
    let unclosed = inp.state().unclosed;
    let body = block(inp)?;
    let end = if inp.state().unclosed > unclosed { BodyEnd::Missing } else { BodyEnd::Written };
    Ok(ItemKind::Function(Function { signature, body, end }))
}

/// `fn name<…>(…) -> T`
fn signature(inp: &mut In<'_, '_>) -> Parsed<Signature> {
    let start = inp.token().span;
    let head =
        token(K::Fn).ignore_then(name("the name of a function")).then(custom(generics)).then_ignore(token(K::LParen));
    let ((name, generics), (receiver, params)) = inp.parse(head.then(custom(params)))?;
    let arrow = if inp.at(K::Colon) { result_by_colon(inp) } else { K::Arrow };
    let result = inp.parse(behind(arrow, type_parser()))?;
    if !inp.at(K::LBrace) && !inp.at(K::Semicolon) {
        return Err(expected(inp, codes::E0101_UNEXPECTED, if result.is_some() { "`{`" } else { "`{` or `->`" }));
    }
    Ok(Signature { name, generics, receiver, params, result, span: start.to(inp.previous()) })
}

/// `fn f(…): T`, which is reported and read as `-> T`.
#[cold]
fn result_by_colon(inp: &mut In<'_, '_>) -> K {
    report(inp, |span| {
        Diagnostic::error(codes::E0101_UNEXPECTED, Stage::Parser, span, "expected `{` or `->`, found `:`")
            .with_help("the result type stands behind `->`")
            .with_fix(span, " ->")
    });
    K::Colon
}

/// Behind `(`, with the `)`.
fn params(inp: &mut In<'_, '_>) -> Parsed<(Option<Span>, Vec<Param>)> {
    let open = inp.previous();
    let receiver = inp.eat(K::SelfValue).map(|t| t.span);
    if receiver.is_some() {
        if let Some(colon) = inp.eat(K::Colon) {
            let ty = ty(inp)?;
            let span = colon.span.to(ty.span);
            report(inp, |_| {
                Diagnostic::error(codes::E0101_UNEXPECTED, Stage::Parser, span, "`self` has no written type")
                    .with_help("its type is that of the `impl`")
                    .with_fix(span, "")
            });
        }
        if inp.eat(K::Comma).is_none() && !inp.at(K::RParen) {
            return Err(not_closed(inp, K::RParen, open));
        }
    }
    Ok((receiver, list_rest(inp, K::RParen, param)?))
}

/// `extern fn name(…) -> T;`
fn extern_item(inp: &mut In<'_, '_>) -> Parsed<ItemKind> {
    let signature = inp.parse(token(K::Extern).ignore_then(custom(signature)))?;
    if let Some(first) = signature.generics.first() {
        let span = first.name.span;
        report(inp, |_| {
            Diagnostic::error(
                codes::E0101_UNEXPECTED,
                Stage::Parser,
                span,
                "an `extern` function has no type parameters",
            )
        });
    }
    semicolon(inp)?;
    Ok(ItemKind::Extern(signature))
}
