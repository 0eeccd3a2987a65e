//! Blocks and statements.

use super::expressions::{
    begins_expression, behind_last, body_of_head, condition_and_body, expr, if_expr, match_expr, no_assignment_or_range,
};
use super::foreign;
use super::items;
use super::operators::{assignment_operator, operators, take};
use super::recovery::{self, attempt};
use super::support::{
    Braces, In, Look, Parsed, Reported, behind, expect, expect_name, expected, found, ident, name, nested, report,
    token,
};
use super::types::type_parser;
use crate::ast::{
    Binding, Block, Condition, Expr, ExprKind, ForHead, Ident, ItemKind, PostfixKind, RangeKind, Semicolon, Statement,
    StatementKind, TypeExpr, TypeKind,
};
use crate::token::{Token, TokenKind as K, flags};
use chumsky::Parser;
use chumsky::primitive::custom;
use mini_base::source::Span;
use mini_diag::codes;
use mini_diag::diagnostic::{Diagnostic, Stage};

/// What stands in a block.
enum InBlock {
    /// A statement.
    Statement(Statement),
    /// The final expression.
    Value(Expr),
}

/// `{ … }`
pub(super) fn block(inp: &mut In<'_, '_>) -> Parsed<Block> {
    let open = expect(inp, K::LBrace)?.span;
    nested(inp, Braces::Literal, |inp| block_rest(inp, open))
}

fn block_rest(inp: &mut In<'_, '_>, open: Span) -> Parsed<Block> {
    let (mut statements, mut value) = (Vec::new(), None);
    loop {
        if let Some(close) = inp.eat(K::RBrace) {
            // Most blocks are short and statements are large: growth by doubling would waste most of the tree's memory.
            statements.shrink_to_fit();
            return Ok(Block { statements, value, span: open.to(close.span), close: close.span });
        }
        if inp.at(K::End) || (inp.state().brace_missing() && recovery::at_item(inp)) {
            brace_missing(inp, open);
            let close = behind_last(inp);
            return Ok(Block { statements, value, span: open.to(close), close });
        }
        let start = (inp.index(), inp.token().span);
        let declared: Vec<Ident> = declared(inp).into_iter().map(|name| ident(inp, name)).collect();
        match attempt(inp, statement, recovery::statement) {
            Some(InBlock::Statement(statement)) => statements.push(statement),
            Some(InBlock::Value(last)) => value = Some(Box::new(last)),
            None => {
                if inp.state().too_deep.is_some() {
                    return Err(Reported);
                }
                if inp.index() == start.0 && !inp.at(K::RBrace) {
                    inp.bump();
                }
                let span = start.1.to(inp.previous());
                statements.push(Statement { kind: StatementKind::Error, span });
                // What a broken `let` declares is known to the statements behind it, at an unknown type.
                statements.extend(declared.into_iter().map(|name| {
                    let value = Some(Expr { kind: ExprKind::Error, span: name.span });
                    Statement { kind: StatementKind::Let { name: Some(name), ty: None, value }, span }
                }));
            }
        }
    }
}

/// The names that a statement declares, also as in `var x = 1;`, `int x = 1;`, `x := 1;`, `let mut x = 1;` and `let (x, y) = e;`.
fn declared(inp: &mut In<'_, '_>) -> Vec<Token> {
    match (inp.kind(), inp.nth(1).kind, inp.nth(2).kind) {
        (K::Let, K::Ident, K::Ident) => vec![inp.nth(2)],
        (K::Let, K::Ident, _) | (K::Ident | K::TypeName, K::Ident, K::Assign | K::Semicolon) => vec![inp.nth(1)],
        (K::Ident, K::Colon, K::Assign) => vec![inp.token()],
        (K::Let, K::LParen, _) => {
            let pattern = (2..).map(|n| inp.nth(n)).take_while(|token| matches!(token.kind, K::Ident | K::Comma));
            pattern.filter(|token| token.kind == K::Ident).collect()
        }
        _ => Vec::new(), // no declaration
    }
}

#[cold]
fn brace_missing(inp: &mut In<'_, '_>, open: Span) {
    let text = found(inp);
    inp.state().unclosed += 1;
    let open = inp.state().tokens.open_brace.unwrap_or(open);
    report(inp, |span| {
        Diagnostic::error(codes::E0103_NOT_CLOSED, Stage::Parser, span, format!("expected `}}`, found {text}"))
            .with_secondary(open, "by the indentation, this brace is not closed")
    });
}

fn statement(inp: &mut In<'_, '_>) -> Parsed<InBlock> {
    let start = inp.token().span;
    let kind = match inp.kind() {
        K::Let => let_statement(inp)?,
        K::While | K::For => loop_statement(inp, None)?,
        K::Ident if inp.nth(1).kind == K::Colon => return labelled(inp),
        K::Ident if foreign::endless_loop(inp) => return endless_loop(inp),
        K::If | K::Match | K::LBrace => {
            let kind = match inp.kind() {
                K::If => if_expr(inp)?,
                K::Match => match_expr(inp)?,
                _ => ExprKind::Block(block(inp)?),
            };
            let expr = Expr { kind, span: start.to(inp.previous()) };
            let semicolon = match inp.kind() {
                K::RBrace => return Ok(InBlock::Value(expr)),
                K::Semicolon => {
                    inp.bump();
                    Semicolon::Yes
                }
                _ => Semicolon::No,
            };
            StatementKind::Expr { expr, semicolon }
        }
        _ if recovery::at_item(inp) => item_in_block(inp)?,
        K::Semicolon => {
            report(inp, |span| {
                Diagnostic::error(codes::E0101_UNEXPECTED, Stage::Parser, span, "expected a statement, found `;`")
                    .with_help("delete this `;`")
                    .with_fix(span, "")
            });
            inp.bump();
            StatementKind::Error
        }
        _ => return expression_statement(inp),
    };
    if matches!(kind, StatementKind::While { .. } | StatementKind::For { .. }) {
        inp.eat(K::Semicolon);
    }
    Ok(InBlock::Statement(Statement { kind, span: start.to(inp.previous()) }))
}

/// `let x: T = e;`
fn let_statement(inp: &mut In<'_, '_>) -> Parsed<StatementKind> {
    let keyword = inp.bump().span;
    if inp.at(K::LParen) {
        return Err(report(inp, |span| foreign::tuple().error(codes::E0112_NAME_EXPECTED, span)));
    }
    let mut name = variable(inp)?;
    if inp.at(K::Ident)
        && let Some(first) = name
        && inp.state().names.text(first.name) == "mut"
    {
        report(inp, |_| {
            Diagnostic::error(codes::E0101_UNEXPECTED, Stage::Parser, first.span, "there is no `mut`")
                .with_help("all variables can be assigned: leave it out")
                .with_fix(first.span, "")
        });
        name = variable(inp)?;
    }
    let (mut ty, value) = inp.parse(behind(K::Colon, type_parser()).then(behind(K::Assign, custom(expr))))?;
    if ty.is_none() && value.is_none() && matches!(inp.kind(), K::Semicolon | K::RBrace | K::End) {
        let span = name.map_or(keyword, |n| n.span);
        let behind = behind_last(inp);
        report(inp, |_| {
            Diagnostic::error(
                codes::E0110_LET_WITHOUT_TYPE,
                Stage::Parser,
                span,
                "a variable without an initialiser needs its type",
            )
            .with_help("write `let name: type;` or `let name = value;`")
            .with_fix(behind, ": int")
        });
        ty = Some(TypeExpr { kind: TypeKind::Error, span });
    }
    if inp.at(K::Else) {
        return Err(report(inp, |span| foreign::let_else().error(foreign::CODE, span)));
    }
    semicolon(inp)?;
    Ok(StatementKind::Let { name, ty, value })
}

/// A name, or `None` for `_`.
fn variable(inp: &mut In<'_, '_>) -> Parsed<Option<Ident>> {
    match inp.eat(K::Underscore) {
        Some(_) => Ok(None),
        None => expect_name(inp, "the name of a variable").map(Some),
    }
}

/// `loop { … }`, which is reported and read as `while true { … }`.
#[cold]
fn endless_loop(inp: &mut In<'_, '_>) -> Parsed<InBlock> {
    let start = inp.token().span;
    report(inp, |span| {
        Diagnostic::error(codes::E0101_UNEXPECTED, Stage::Parser, span, "there is no `loop`")
            .with_help("write `while true { … }`")
            .with_fix(span, "while true")
    });
    inp.bump();
    let condition = Condition::Expr(Box::new(Expr { kind: ExprKind::Bool(true), span: start }));
    let kind = StatementKind::While { label: None, condition, body: block(inp)? };
    inp.eat(K::Semicolon);
    Ok(InBlock::Statement(Statement { kind, span: start.to(inp.previous()) }))
}

fn labelled(inp: &mut In<'_, '_>) -> Parsed<InBlock> {
    let start = inp.token().span;
    if !matches!(inp.nth(2).kind, K::While | K::For)
        && let Some(foreign) = foreign::declaration_by_colon(inp)
    {
        return Err(report(inp, |span| foreign.error(foreign::CODE, span)));
    }
    let label = inp.parse(name("a label").then_ignore(token(K::Colon)))?;
    if !matches!(inp.kind(), K::While | K::For) {
        report(inp, |_| {
            Diagnostic::error(
                codes::E0109_LABEL_WITHOUT_LOOP,
                Stage::Parser,
                label.span,
                "only `while` and `for` can have a label",
            )
        });
        return statement_after_label(inp);
    }
    let kind = loop_statement(inp, Some(label))?;
    inp.eat(K::Semicolon);
    Ok(InBlock::Statement(Statement { kind, span: start.to(inp.previous()) }))
}

/// What follows a misplaced label; one more label there is no statement, so that labels can't nest.
fn statement_after_label(inp: &mut In<'_, '_>) -> Parsed<InBlock> {
    match inp.kind() {
        K::Ident if inp.nth(1).kind == K::Colon => {
            Err(expected(inp, codes::E0109_LABEL_WITHOUT_LOOP, "a loop behind the label"))
        }
        K::RBrace | K::End => Err(expected(inp, codes::E0109_LABEL_WITHOUT_LOOP, "a loop behind the label")),
        _ => statement(inp),
    }
}

/// `while` or `for`
fn loop_statement(inp: &mut In<'_, '_>, label: Option<Ident>) -> Parsed<StatementKind> {
    if inp.at(K::While) {
        let (condition, body) = condition_and_body(inp)?;
        return Ok(StatementKind::While { label, condition, body });
    }
    let keyword = inp.bump();
    if !matches!(inp.kind(), K::Ident | K::Underscore)
        && let Some(foreign) = foreign::for_head(inp)
    {
        let error = report(inp, |span| foreign.error(codes::E0112_NAME_EXPECTED, span));
        return if inp.at(K::LParen) { three_part_for(inp) } else { Err(error) };
    }
    let variable = variable(inp)?;
    if !inp.at(K::In)
        && let Some(foreign) = foreign::for_head(inp)
    {
        return Err(report(inp, |span| foreign.error(foreign::CODE, span)));
    }
    expect(inp, K::In)?;
    let mut head = nested(inp, Braces::Body, for_head)?;
    let last = match &mut head {
        ForHead::Range { by: Some(last), .. } | ForHead::Range { to: last, .. } | ForHead::Each(last) => last,
    };
    let body = body_of_head(inp, keyword, last)?;
    Ok(StatementKind::For { label, variable, head: Box::new(head), body })
}

/// The rest of `for (i = 0; i < n; i++) { … }`, which was reported. The errors in its body are reported too.
#[cold]
fn three_part_for(inp: &mut In<'_, '_>) -> Parsed<StatementKind> {
    while !matches!(inp.kind(), K::LBrace | K::RBrace | K::End) {
        inp.bump();
    }
    if inp.at(K::LBrace) {
        block(inp)?;
    }
    Ok(StatementKind::Error)
}

fn for_head(inp: &mut In<'_, '_>) -> Parsed<ForHead> {
    let from = operators(inp)?;
    let kind = match inp.kind() {
        K::DotDot => RangeKind::Exclusive,
        K::DotDotEq => RangeKind::Inclusive,
        _ => return Ok(ForHead::Each(no_assignment_or_range(inp, from)?)),
    };
    inp.bump();
    let to = expr(inp)?;
    let next = inp.token();
    let tokens = inp.state().tokens;
    let by = match next.kind == K::Ident && Some(tokens.name(next)) == tokens.by {
        true => {
            inp.bump();
            Some(expr(inp)?)
        }
        false => None,
    };
    Ok(ForHead::Range { from, to, kind, by })
}

/// A declaration where none can stand. It is parsed, for the errors in it, and dropped.
#[cold]
fn item_in_block(inp: &mut In<'_, '_>) -> Parsed<StatementKind> {
    let text = found(inp);
    let constant = inp.at(K::Const);
    report(inp, |span| {
        if constant {
            let message = "constants are declared outside functions";
            return Diagnostic::error(codes::E0113_ITEM_IN_BLOCK, Stage::Parser, span, message)
                .with_help("inside a function, use `let`")
                .with_fix(span, "let");
        }
        Diagnostic::error(
            codes::E0113_ITEM_IN_BLOCK,
            Stage::Parser,
            span,
            format!("{text} can't begin a statement: declarations stand outside functions"),
        )
        .with_help(
            "move it out of the function; inside, a variable can hold a closure: `let f = fn(x: int) -> int { … };`",
        )
    });
    let item = items::item(inp)?;
    Ok(match item.kind {
        // What comes behind may use it.
        ItemKind::Const(Binding { name, ty, value }) => StatementKind::Let { name: Some(name), ty, value: Some(value) },
        _ => StatementKind::Error, // nothing that a statement could be
    })
}

/// `e;`, `p = e;`, `p op= e;`, or the block's value.
fn expression_statement(inp: &mut In<'_, '_>) -> Parsed<InBlock> {
    let start = inp.token().span;
    if !begins_expression(inp) && matches!(inp.kind(), K::RParen | K::RBracket) {
        return Err(unmatched(inp));
    }
    let index = inp.index();
    let left = operators(inp)?;
    let kind = if let Some((op, count)) = assignment_operator(inp) {
        let place = checked_place(inp, left);
        let span = take(inp, count);
        let value = expr(inp)?;
        semicolon(inp)?;
        StatementKind::Assign { place, op: op.map(|op| (op, span)), value }
    } else {
        let expr = no_assignment_or_range(inp, left)?;
        if inp.at(K::RBrace) {
            return Ok(InBlock::Value(expr));
        }
        statement_end(inp, index)?;
        StatementKind::Expr { expr, semicolon: Semicolon::Yes }
    };
    Ok(InBlock::Statement(Statement { kind, span: start.to(inp.previous()) }))
}

/// The left side of an assignment; an error if it can't be one by its form.
fn checked_place(inp: &mut In<'_, '_>, left: Expr) -> Expr {
    let is_place = match &left.kind {
        ExprKind::Path(_) | ExprKind::Error => true,
        ExprKind::Postfix { operations, .. } => match operations.last().map(|o| &o.kind) {
            Some(PostfixKind::Index(_) | PostfixKind::Field(_)) => true,
            Some(
                PostfixKind::Call(_) | PostfixKind::Method { .. } | PostfixKind::Slice { .. } | PostfixKind::Unwrap,
            )
            | None => false,
        },
        _ => false,
    };
    if is_place {
        return left;
    }
    let span = left.span;
    report(inp, |_| {
        Diagnostic::error(codes::E0114_NOT_A_PLACE, Stage::Parser, span, "this can't be assigned to")
            .with_help("assignable are variables, elements `a[i]` and fields `x.f`")
    });
    Expr { kind: ExprKind::Error, span }
}

/// `;`. A missing one at the end of a line or block is reported and taken as read.
pub(super) fn semicolon(inp: &mut In<'_, '_>) -> Parsed<()> {
    match inp.eat(K::Semicolon) {
        Some(_) => Ok(()),
        None => semicolon_missing(inp, None),
    }
}

/// The same at the end of a statement whose first token has an index.
fn statement_end(inp: &mut In<'_, '_>, start: usize) -> Parsed<()> {
    match inp.eat(K::Semicolon) {
        Some(_) => Ok(()),
        None => semicolon_missing(inp, Some(start)),
    }
}

#[cold]
fn semicolon_missing(inp: &mut In<'_, '_>, start: Option<usize>) -> Parsed<()> {
    let next = inp.token();
    if matches!(next.kind, K::RParen | K::RBracket) {
        return Err(unmatched(inp));
    }
    let at_end = next.is(flags::FIRST_ON_LINE) || matches!(next.kind, K::RBrace | K::End);
    let text = found(inp);
    let behind = behind_last(inp);
    let foreign = match start {
        _ if at_end => None,
        Some(start) => foreign::statement(inp, start),
        None => foreign::expression(inp),
    };
    if let Some(foreign) = foreign {
        return Err(report(inp, |span| foreign.error(foreign::CODE, span)));
    }
    let error = report(inp, |span| {
        let place = if at_end { behind } else { span };
        Diagnostic::error(codes::E0104_SEMICOLON_MISSING, Stage::Parser, place, format!("expected `;`, found {text}"))
            .with_fix(behind, ";")
    });
    if at_end && next.kind != K::End { Ok(()) } else { Err(error) }
}

#[cold]
fn unmatched(inp: &mut In<'_, '_>) -> Reported {
    let text = found(inp);
    report(inp, |span| {
        Diagnostic::error(codes::E0118_UNMATCHED_CLOSE, Stage::Parser, span, format!("this {text} closes nothing"))
    })
}
