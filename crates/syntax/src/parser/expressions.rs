//! Expressions but for operators: literals, paths, struct literals, arrays, postfix operations, `if`, `match`, closures,
//! jumps.

use super::foreign;
use super::operators::{assignment_operator, begins_binary_operator, operators, take};
use super::patterns::{pattern, too_large};
use super::recovery::{self, attempt};
use super::statements::block;
use super::support::{
    Braces, Extra, In, Look, PARAMETER, Parsed, Reported, behind, expect, expect_name, expected, found, ident, list,
    list_rest, name, nested, not_closed, place, report, token,
};
use super::types::{ty, type_parser};
use crate::ast::{
    Arm, Block, Condition, Expr, ExprKind, Ident, Param, Path, PathSegment, Pattern, Postfix, PostfixKind,
};
use crate::token::{Token, TokenKind as K, flags};
use chumsky::Parser;
use chumsky::primitive::custom;
use mini_base::source::Span;
use mini_diag::codes;
use mini_diag::diagnostic::{Diagnostic, Stage};

/// [`expr`] as a parser.
pub(super) fn expr_parser<'t>() -> impl Parser<'t, &'t [Token], Expr, Extra<'t>> + Copy {
    custom(expr)
}

/// An expression where a value is wanted. What only looks like one (an assignment, a range) is reported here.
pub(super) fn expr(inp: &mut In<'_, '_>) -> Parsed<Expr> {
    let value = operators(inp)?;
    no_assignment_or_range(inp, value)
}

/// Reports an assignment or a range behind an expression that should be a value.
pub(super) fn no_assignment_or_range(inp: &mut In<'_, '_>, value: Expr) -> Parsed<Expr> {
    match inp.kind() {
        K::DotDot | K::DotDotEq => range_as_value(inp, value),
        _ if assignment_operator(inp).is_some() => assignment_as_value(inp, value),
        _ => Ok(value),
    }
}

#[cold]
fn range_as_value(inp: &mut In<'_, '_>, value: Expr) -> Parsed<Expr> {
    report(inp, |span| {
        Diagnostic::error(codes::E0107_RANGE_AS_VALUE, Stage::Parser, span, "a range is no value")
            .with_help("ranges belong to `for i in a..b` and to slices `x[a..b]`")
    });
    inp.bump();
    if begins_expression(inp) {
        operators(inp)?;
    }
    Ok(Expr { kind: ExprKind::Error, span: value.span.to(inp.previous()) })
}

#[cold]
fn assignment_as_value(inp: &mut In<'_, '_>, value: Expr) -> Parsed<Expr> {
    let head = inp.state().braces == Braces::Body;
    let compares = head && inp.at(K::Assign);
    report(inp, |span| {
        let error = Diagnostic::error(
            codes::E0105_ASSIGNMENT_AS_EXPRESSION,
            Stage::Parser,
            span,
            "an assignment is a statement and has no value",
        );
        match compares {
            true => error.with_help("to compare, write `==`").with_fix(span, "=="),
            false => error.with_help("to compare, write `==`; to assign, write a statement of its own"),
        }
    });
    while let Some((_, count)) = assignment_operator(inp) {
        take(inp, count);
        operators(inp)?;
    }
    Ok(Expr { kind: ExprKind::Error, span: value.span.to(inp.previous()) })
}

/// Whether the next token begins an expression.
pub(super) fn begins_expression(inp: &mut In<'_, '_>) -> bool {
    match inp.kind() {
        K::Ident
        | K::TypeName
        | K::SelfValue
        | K::Int
        | K::Float
        | K::Byte
        | K::String
        | K::True
        | K::False
        | K::Null => true,
        K::LParen
        | K::LBracket
        | K::Minus
        | K::Bang
        | K::Tilde
        | K::If
        | K::Match
        | K::Fn
        | K::Return
        | K::Break
        | K::Continue => true,
        K::LBrace => inp.state().braces == Braces::Literal,
        _ => false,
    }
}

/// A primary expression with what is done to it.
pub(super) fn postfix(inp: &mut In<'_, '_>) -> Parsed<Expr> {
    let base = primary(inp)?;
    let mut operations = Vec::new();
    loop {
        let first = inp.token();
        let kind = match first.kind {
            K::LParen => {
                inp.bump();
                PostfixKind::Call(list_rest(inp, K::RParen, expr)?)
            }
            K::LBracket => {
                inp.bump();
                nested(inp, Braces::Literal, index_or_slice)?
            }
            K::Dot => {
                inp.bump();
                field_or_method(inp)?
            }
            K::Bang => {
                inp.bump();
                PostfixKind::Unwrap
            }
            _ if operations.is_empty() => return Ok(base),
            _ => {
                let span = base.span.to(inp.previous());
                operations.shrink_to_fit();
                return Ok(Expr { kind: ExprKind::Postfix { base: Box::new(base), operations }, span });
            }
        };
        operations.push(Postfix { kind, span: first.span.to(inp.previous()) });
    }
}

/// Behind `[`, with the `]`.
fn index_or_slice(inp: &mut In<'_, '_>) -> Parsed<PostfixKind> {
    let open = inp.previous();
    let from = match inp.kind() {
        K::DotDot | K::DotDotEq => None,
        _ => Some(Box::new(operators(inp)?)),
    };
    let kind = match (inp.kind(), from) {
        (K::DotDot | K::DotDotEq, from) => {
            if inp.at(K::DotDotEq) {
                report(inp, |span| {
                    Diagnostic::error(codes::E0107_RANGE_AS_VALUE, Stage::Parser, span, "a slice has no `..=`")
                        .with_help("the end of a slice is not included: write `a[i..j + 1]`")
                });
            }
            inp.bump();
            let to = match inp.kind() {
                K::RBracket => None,
                _ => Some(Box::new(expr(inp)?)),
            };
            if from.is_none() && to.is_none() {
                report(inp, |_| {
                    Diagnostic::error(
                        codes::E0102_EXPRESSION_EXPECTED,
                        Stage::Parser,
                        open,
                        "a slice needs at least one bound",
                    )
                    .with_help("write `a[0..]` for a copy of the whole")
                });
            }
            PostfixKind::Slice { from, to }
        }
        (_, Some(index)) => PostfixKind::Index(Box::new(no_assignment_or_range(inp, *index)?)),
        (_, None) => return Err(expected(inp, codes::E0102_EXPRESSION_EXPECTED, "an expression")),
    };
    match inp.eat(K::RBracket) {
        Some(_) => Ok(kind),
        None if inp.at(K::Comma) && matches!(kind, PostfixKind::Index(_)) => Err(report(inp, |span| {
            let message = "an index is one expression, but here is a `,`";
            Diagnostic::error(codes::E0101_UNEXPECTED, Stage::Parser, span, message)
                .with_help("an element of an element is written `a[0][1]`")
        })),
        None => Err(not_closed(inp, K::RBracket, open)),
    }
}

/// Behind `.`
fn field_or_method(inp: &mut In<'_, '_>) -> Parsed<PostfixKind> {
    let name = expect_name(inp, "the name of a field or method")?;
    let generics = match inp.eat(K::ColonColon) {
        Some(_) => {
            expect(inp, K::Lt)?;
            Some(list_rest(inp, K::Gt, ty)?)
        }
        None => None,
    };
    if generics.is_none() && !inp.at(K::LParen) {
        return Ok(PostfixKind::Field(name));
    }
    expect(inp, K::LParen)?;
    Ok(PostfixKind::Method { name, generics, args: list_rest(inp, K::RParen, expr)? })
}

fn primary(inp: &mut In<'_, '_>) -> Parsed<Expr> {
    let first = inp.token();
    let kind = match first.kind {
        K::Ident | K::TypeName | K::SelfValue => return path_or_struct(inp),
        K::Int | K::Float if first.is(flags::DOUBTFUL) => {
            inp.bump();
            ExprKind::Error
        }
        K::Int => {
            if first.is(flags::MIN_MAGNITUDE) && inp.state().negated != inp.index() {
                too_large(inp, first.span);
            }
            inp.bump();
            ExprKind::Int(inp.state().tokens.int(first))
        }
        K::Float => {
            inp.bump();
            ExprKind::Float(inp.state().tokens.float(first))
        }
        K::Byte => {
            inp.bump();
            ExprKind::Byte(first.value as u8)
        }
        K::String => {
            inp.bump();
            ExprKind::String(inp.state().tokens.string(first))
        }
        K::True | K::False => {
            inp.bump();
            ExprKind::Bool(first.kind == K::True)
        }
        K::Null => {
            inp.bump();
            ExprKind::Null
        }
        K::LParen => {
            inp.bump();
            let inner = nested(inp, Braces::Literal, |inp| {
                let inner = expr(inp)?;
                match inp.eat(K::RParen) {
                    Some(_) => Ok(inner),
                    None => Err(not_closed(inp, K::RParen, first.span)),
                }
            })?;
            ExprKind::Paren(Box::new(inner))
        }
        K::LBracket => {
            inp.bump();
            array(inp)?
        }
        K::LBrace => ExprKind::Block(block(inp)?),
        K::If => if_expr(inp)?,
        K::Match => match_expr(inp)?,
        K::Fn => closure(inp)?,
        K::Return => {
            inp.bump();
            let value = match begins_expression(inp) {
                true => {
                    let braces = inp.state().braces;
                    Some(Box::new(nested(inp, braces, expr)?))
                }
                // `return * 2`: nobody multiplies a jump.
                false if begins_binary_operator(inp) => return Err(expression_expected(inp)),
                false => None,
            };
            ExprKind::Return(value)
        }
        K::Break | K::Continue => {
            inp.bump();
            let label = inp.eat(K::Ident).map(|label| ident(inp, label));
            if first.kind == K::Break { ExprKind::Break(label) } else { ExprKind::Continue(label) }
        }
        _ => return Err(expression_expected(inp)),
    };
    Ok(Expr { kind, span: first.span.to(inp.previous()) })
}

#[cold]
fn expression_expected(inp: &mut In<'_, '_>) -> Reported {
    let (token, text) = (inp.token(), found(inp));
    let foreign = foreign::operand(inp);
    report(inp, |span| {
        if let Some(foreign) = foreign {
            return foreign.error(codes::E0102_EXPRESSION_EXPECTED, span);
        }
        let error = Diagnostic::error(
            codes::E0102_EXPRESSION_EXPECTED,
            Stage::Parser,
            span,
            format!("expected an expression, found {text}"),
        );
        match token.kind {
            K::Let => {
                error.with_help("`let` is a statement, or stands at the start of a condition: `if let p = e { … }`")
            }
            K::While | K::For => error.with_help("a loop is a statement and has no value"),
            K::Else => error.with_help("`else` follows the closing brace of an `if`"),
            K::Underscore => error.with_help("`_` is a pattern and has no value"),
            K::Plus => error.with_help("there is no unary `+`"),
            K::Pipe | K::PipePipe => {
                error.with_help("a closure is written with its types: `fn(x: int) -> int { x + 1 }`")
            }
            _ => error,
        }
    })
}

/// A path, and the fields if it is a struct literal.
fn path_or_struct(inp: &mut In<'_, '_>) -> Parsed<Expr> {
    let first = inp.bump();
    let mut segments = Vec::with_capacity(1);
    segments.push(PathSegment { ident: ident(inp, first), args: None });
    if inp.at(K::ColonColon) {
        path_rest(inp, &mut segments)?;
    }
    let path = Path { segments, span: first.span.to(inp.previous()) };
    let span = path.span;
    if !inp.at(K::LBrace) {
        return Ok(Expr { kind: ExprKind::Path(path), span });
    }
    if inp.state().braces == Braces::Body {
        if !is_struct_literal_in_head(inp, &path) {
            return Ok(Expr { kind: ExprKind::Path(path), span });
        }
        report(inp, |_| {
            Diagnostic::error(
                codes::E0108_STRUCT_LITERAL_IN_HEAD,
                Stage::Parser,
                span,
                "a struct literal in a head needs parentheses",
            )
            .with_help("put `(` in front of the name, and `)` behind the `}`")
        });
    }
    inp.bump();
    let fields = attempt(inp, |inp| list_rest(inp, K::RBrace, field_value), recovery::literal);
    let closed = inp.previous();
    match fields {
        Some(fields) => Ok(Expr { kind: ExprKind::Struct { path, fields }, span: span.to(closed) }),
        None if inp.state().too_deep.is_none() && is_close(inp) => {
            Ok(Expr { kind: ExprKind::Error, span: span.to(closed) })
        }
        None => Err(Reported),
    }
}

/// Whether the last token taken is `}`.
fn is_close(inp: &mut In<'_, '_>) -> bool {
    let index = inp.index();
    let closes = index > 0 && inp.state().tokens.tokens[index - 1].kind == K::RBrace;
    if !closes {
        inp.state().failed_at = index;
    }
    closes
}

/// Whether `Name {` in a head goes on as only a struct literal can: with `field:` that is no loop's label.
fn is_struct_literal_in_head(inp: &mut In<'_, '_>, path: &Path) -> bool {
    let fields =
        inp.nth(1).kind == K::Ident && inp.nth(2).kind == K::Colon && !matches!(inp.nth(3).kind, K::While | K::For);
    let last = path.segments.last().map(|s| s.ident.name);
    fields && last.is_some_and(|name| inp.state().names.text(name).starts_with(char::is_uppercase))
}

/// `::b::<T>::c` behind the first name.
pub(super) fn path_rest(inp: &mut In<'_, '_>, segments: &mut Vec<PathSegment>) -> Parsed<()> {
    while inp.eat(K::ColonColon).is_some() {
        if inp.eat(K::Lt).is_some() {
            let args = list_rest(inp, K::Gt, ty)?;
            match segments.last_mut() {
                Some(last) if last.args.is_none() => last.args = Some(args),
                _ => return Err(expected(inp, codes::E0112_NAME_EXPECTED, "a name behind `::`")),
            }
        } else {
            let ident = expect_name(inp, "a name behind `::`")?;
            segments.push(PathSegment { ident, args: None });
        }
    }
    Ok(())
}

fn field_value(inp: &mut In<'_, '_>) -> Parsed<(Ident, Option<Expr>)> {
    if inp.nth(1).kind == K::Assign {
        let name = expect_name(inp, "the name of a field")?;
        report(inp, |span| {
            Diagnostic::error(codes::E0101_UNEXPECTED, Stage::Parser, span, "expected `:`, found `=`")
                .with_help("the fields of a struct value are written `name: value`")
                .with_fix(span, ":")
        });
        inp.bump();
        return Ok((name, Some(expr(inp)?)));
    }
    inp.parse(name("the name of a field").then(behind(K::Colon, expr_parser())))
}

/// Behind `[`
fn array(inp: &mut In<'_, '_>) -> Parsed<ExprKind> {
    let open = inp.previous();
    nested(inp, Braces::Literal, |inp| {
        let mut elements = Vec::new();
        loop {
            if inp.eat(K::RBracket).is_some() {
                return Ok(ExprKind::Array(elements));
            }
            elements.push(expr(inp)?);
            match inp.kind() {
                K::Comma => {
                    inp.bump();
                }
                K::RBracket => {}
                // `[v; n]`, unless the statement ends here because the bracket was forgotten.
                K::Semicolon if elements.len() == 1 => {
                    inp.bump();
                    let count = expr(inp)?;
                    let Some(value) = elements.pop() else { return Err(Reported) };
                    return match inp.eat(K::RBracket) {
                        Some(_) => Ok(ExprKind::Repeat { value: Box::new(value), count: Box::new(count) }),
                        None => Err(not_closed(inp, K::RBracket, open)),
                    };
                }
                _ => return Err(not_closed(inp, K::RBracket, open)),
            }
        }
    })
}

/// `if c { … } else if d { … } else { … }`
pub(super) fn if_expr(inp: &mut In<'_, '_>) -> Parsed<ExprKind> {
    let mut arms = Vec::new();
    loop {
        let (condition, body) = condition_and_body(inp)?;
        arms.push((condition, body));
        if inp.eat(K::Else).is_none() {
            return Ok(ExprKind::If { arms, otherwise: None });
        }
        if !inp.at(K::If) {
            let otherwise = Some(block(inp)?);
            return Ok(ExprKind::If { arms, otherwise });
        }
    }
}

/// `if` or `while` with its condition and its block.
pub(super) fn condition_and_body(inp: &mut In<'_, '_>) -> Parsed<(Condition, Block)> {
    let keyword = inp.bump();
    let condition = nested(inp, Braces::Body, |inp| {
        let start = inp.token().span;
        if !inp.at(K::Let) {
            return Ok(Condition::Expr(Box::new(expr(inp)?)));
        }
        let parts = token(K::Let).ignore_then(custom(pattern)).then_ignore(token(K::Assign)).then(expr_parser());
        let (pattern, value): (Pattern, Expr) = inp.parse(parts)?;
        Ok(Condition::Let { pattern, value: Box::new(value), span: start.to(inp.previous()) })
    })?;
    let mut condition = condition;
    let last = match &mut condition {
        Condition::Expr(value) | Condition::Let { value, .. } => value,
    };
    let body = body_of_head(inp, keyword, last)?;
    Ok((condition, body))
}

/// The body behind a head whose last part is `last`. In `if a == { … }` the body has been read as an operand.
pub(super) fn body_of_head(inp: &mut In<'_, '_>, keyword: Token, last: &mut Expr) -> Parsed<Block> {
    if inp.at(K::LBrace) {
        return block(inp);
    }
    let alone = matches!(last.kind, ExprKind::Block(_));
    let Some(body) = last_operand(last) else { return Err(body_expected(inp, keyword)) };
    let what = keyword.kind.text();
    report(inp, |_| match alone {
        true => Diagnostic::error(
            codes::E0102_EXPRESSION_EXPECTED,
            Stage::Parser,
            keyword.span,
            format!("between this `{what}` and its body, something is missing"),
        ),
        false => Diagnostic::error(
            codes::E0102_EXPRESSION_EXPECTED,
            Stage::Parser,
            body.span.at_start(),
            "expected an expression, found `{`",
        ),
    });
    Ok(body)
}

#[cold]
fn body_expected(inp: &mut In<'_, '_>, keyword: Token) -> Reported {
    let text = found(inp);
    let what = keyword.kind.text();
    let foreign = foreign::expression(inp);
    report(inp, |span| match foreign {
        Some(foreign) => foreign.error(foreign::CODE, span),
        None => Diagnostic::error(codes::E0101_UNEXPECTED, Stage::Parser, span, format!("expected `{{`, found {text}"))
            .with_secondary(keyword.span, format!("of this `{what}`"))
            .with_help(format!("its body stands in braces: `{what} … {{ … }}`")),
    })
}

/// Takes the block that is the last operand of an expression.
fn last_operand(expr: &mut Expr) -> Option<Block> {
    match &mut expr.kind {
        ExprKind::Block(_) => match std::mem::replace(&mut expr.kind, ExprKind::Error) {
            ExprKind::Block(block) => Some(block),
            _ => None,
        },
        ExprKind::Unary { operand, .. } => last_operand(operand),
        ExprKind::Chain { rest, .. } => rest.last_mut().and_then(|last| last_operand(&mut last.2)),
        ExprKind::Compare { right, .. } => last_operand(right),
        ExprKind::Coalesce(operands) => operands.last_mut().and_then(last_operand),
        _ => None,
    }
}

/// `match e { … }`
pub(super) fn match_expr(inp: &mut In<'_, '_>) -> Parsed<ExprKind> {
    expect(inp, K::Match)?;
    let value = Box::new(nested(inp, Braces::Body, expr)?);
    let open = expect(inp, K::LBrace)?.span;
    let arms = nested(inp, Braces::Literal, |inp| {
        let mut arms = Vec::new();
        loop {
            if inp.eat(K::RBrace).is_some() {
                return Ok(arms);
            }
            if inp.at(K::End) || recovery::at_item(inp) {
                return Err(not_closed(inp, K::RBrace, open));
            }
            let start = inp.index();
            match attempt(inp, arm, recovery::arm) {
                Some(arm) => arms.push(arm),
                None if inp.state().too_deep.is_some() => return Err(Reported),
                None if inp.index() == start => {
                    inp.bump();
                }
                None => {}
            }
        }
    })?;
    Ok(ExprKind::Match { value, arms })
}

fn arm(inp: &mut In<'_, '_>) -> Parsed<Arm> {
    let mut pattern = pattern(inp)?;
    if inp.at(K::Comma) {
        report(inp, |span| {
            Diagnostic::error(
                codes::E0111_MATCH_ARM,
                Stage::Parser,
                span,
                "alternatives of a pattern are joined by `|`",
            )
            .with_fix(span, " |")
        });
        while inp.eat(K::Comma).is_some() {
            pattern = super::patterns::pattern(inp)?;
        }
        pattern.kind = crate::ast::PatternKind::Error;
    }
    let guard = inp.parse(behind(K::If, expr_parser()))?;
    match inp.kind() {
        K::FatArrow => {}
        K::Arrow | K::Colon | K::Assign => {
            let text = found(inp);
            report(inp, |span| {
                Diagnostic::error(codes::E0111_MATCH_ARM, Stage::Parser, span, format!("expected `=>`, found {text}"))
                    .with_fix(span, "=>")
            });
        }
        _ => return Err(expected(inp, codes::E0111_MATCH_ARM, "`=>`")),
    }
    inp.bump();
    if inp.at(K::LBrace) {
        let body = block(inp)?;
        inp.eat(K::Comma);
        let span = body.span;
        return Ok(Arm { pattern, guard, body: Expr { kind: ExprKind::Block(body), span } });
    }
    let body = expr(inp)?;
    if inp.eat(K::Comma).is_none() && !inp.at(K::RBrace) {
        let text = found(inp);
        let behind = inp.previous().at_end();
        let error = report(inp, |span| {
            Diagnostic::error(
                codes::E0111_MATCH_ARM,
                Stage::Parser,
                span,
                format!("expected `,` behind the arm, found {text}"),
            )
            .with_fix(behind, ",")
        });
        // If a pattern can begin here, only the comma is missing.
        let goes_on = matches!(
            inp.kind(),
            K::Int | K::Byte | K::String | K::True | K::False | K::Null | K::Underscore | K::Ident | K::Minus
        );
        if !goes_on {
            return Err(error);
        }
    }
    Ok(Arm { pattern, guard, body })
}

fn closure(inp: &mut In<'_, '_>) -> Parsed<ExprKind> {
    let head =
        token(K::Fn).then(token(K::LParen)).ignore_then(list(K::RParen, param)).then(behind(K::Arrow, type_parser()));
    let (params, result) = inp.parse(head)?;
    Ok(ExprKind::Closure { params, result: result.map(Box::new), body: Box::new(block(inp)?) })
}

/// `name: T`
pub(super) fn param(inp: &mut In<'_, '_>) -> Parsed<Param> {
    let start = inp.token().span;
    let name = match inp.eat(K::Underscore) {
        Some(_) => None,
        None => Some(expect_name(inp, PARAMETER)?),
    };
    if !inp.at(K::Colon) {
        let text = found(inp);
        return Err(report(inp, |span| {
            Diagnostic::error(codes::E0101_UNEXPECTED, Stage::Parser, span, format!("expected `:`, found {text}"))
                .with_help("a parameter is written with its type: `name: type`")
        }));
    }
    inp.bump();
    let ty = ty(inp)?;
    Ok(Param { name, ty, span: start.to(inp.previous()) })
}

/// The place for a message about what should stand behind the last token.
pub(super) fn behind_last(inp: &mut In<'_, '_>) -> Span {
    match inp.index() {
        0 => place(inp),
        _ => inp.previous().at_end(),
    }
}
