//! Recovery: where parsing goes on after an error.
//!
//! A production that can be resumed behind is run by [`attempt`]; when it fails, tokens are skipped from the one that did
//! not fit up to where the next one of its kind can begin. Braces are trusted more than other brackets: a group in braces
//! is skipped as a whole, `(` and `[` are not looked for.

use super::support::{In, Look, Parsed};
use crate::token::{TokenKind as K, flags};

/// Runs a production; after an error goes on from the offending token with `synchronize`.
pub(super) fn attempt<'t, 'p, T>(
    inp: &mut In<'t, 'p>,
    production: impl FnOnce(&mut In<'t, 'p>) -> Parsed<T>,
    synchronize: fn(&mut In<'t, '_>),
) -> Option<T> {
    let before = inp.save();
    let (depth, braces) = (inp.state().depth, inp.state().braces);
    match production(inp) {
        Ok(value) => Some(value),
        Err(_) => {
            // A failed parser leaves the input anywhere; the only way on leads over a place from before.
            inp.rewind(before);
            let state = inp.state();
            (state.depth, state.braces) = (depth, braces);
            if state.too_deep.is_none() {
                let failed_at = state.failed_at;
                while inp.index() < failed_at {
                    inp.skip();
                }
                synchronize(inp);
            }
            None
        }
    }
}

/// Whether an item begins here. `fn` begins one only with a name behind it, otherwise it is a type or a closure.
pub(super) fn at_item(inp: &mut In<'_, '_>) -> bool {
    match inp.kind() {
        K::Fn => inp.nth(1).kind == K::Ident,
        K::Struct | K::Enum | K::Impl | K::Import | K::Extern | K::Pub | K::Const => true,
        _ => false,
    }
}

/// Whether an item begins here, on a new line.
fn at_item_line(inp: &mut In<'_, '_>) -> bool {
    inp.token().is(flags::FIRST_ON_LINE) && at_item(inp)
}

/// Whether a statement or an item certainly begins here, on a new line.
fn at_statement_line(inp: &mut In<'_, '_>) -> bool {
    let token = inp.token();
    token.is(flags::FIRST_ON_LINE)
        && (matches!(token.kind, K::Let | K::While | K::For | K::If | K::Match | K::Return | K::Break | K::Continue)
            || token.is(flags::DOUBTFUL)
            || at_item(inp))
}

/// Skips from `{` behind its `}`; stops where an item begins, as the brace then has no partner.
fn skip_group(inp: &mut In<'_, '_>) {
    let mut depth = 0usize;
    loop {
        match inp.kind() {
            K::LBrace => depth += 1,
            K::RBrace => depth -= 1,
            K::End => return,
            _ if at_item_line(inp) => return,
            _ => {}
        }
        inp.bump();
        if depth == 0 {
            return;
        }
    }
}

/// To behind the next `;`, behind a group in braces, to the `}` of the block, or to a new line that begins a statement.
pub(super) fn statement(inp: &mut In<'_, '_>) {
    loop {
        match inp.kind() {
            K::End | K::RBrace => return,
            K::Semicolon => {
                inp.bump();
                return;
            }
            K::LBrace => {
                skip_group(inp);
                if !matches!(
                    inp.kind(),
                    K::Else | K::RParen | K::RBracket | K::Comma | K::Dot | K::Semicolon | K::LBrace | K::FatArrow
                ) {
                    return;
                }
            }
            _ if at_statement_line(inp) => return,
            _ => {
                inp.bump();
            }
        }
    }
}

/// To the next arm of a `match`, or to its `}`.
///
/// An arm begins behind the last `,` (outside brackets) or `}` before a `=>`.
pub(super) fn arm(inp: &mut In<'_, '_>) {
    let failed_at = inp.index();
    let (mut brackets, mut candidate) = (0usize, None);
    loop {
        match inp.kind() {
            K::End | K::RBrace => return,
            K::LBrace => {
                skip_group(inp);
                candidate = (brackets == 0).then(|| inp.save());
                continue;
            }
            K::LParen | K::LBracket => brackets += 1,
            K::RParen | K::RBracket => brackets = brackets.saturating_sub(1),
            K::Comma | K::Semicolon if brackets == 0 => {
                inp.bump();
                candidate = Some(inp.save());
                continue;
            }
            K::FatArrow if inp.index() > failed_at => {
                if let Some(candidate) = candidate {
                    inp.rewind(candidate);
                    return;
                }
            }
            _ if at_item_line(inp) => return,
            _ => {}
        }
        inp.bump();
    }
}

/// Behind the `}` of a struct literal; stops where a statement ends, as the brace then has no partner.
pub(super) fn literal(inp: &mut In<'_, '_>) {
    loop {
        match inp.kind() {
            K::End | K::Semicolon => return,
            K::RBrace => {
                inp.bump();
                return;
            }
            K::LBrace => skip_group(inp),
            _ if at_statement_line(inp) => return,
            _ => {
                inp.bump();
            }
        }
    }
}

/// To the body of a function whose head has an error; behind `;` if there is none.
pub(super) fn body(inp: &mut In<'_, '_>) {
    let failed_at = inp.index();
    loop {
        match inp.kind() {
            K::End | K::LBrace | K::RBrace => return,
            K::Semicolon => {
                inp.bump();
                return;
            }
            _ if at_item(inp) && inp.index() > failed_at => return,
            _ => {
                inp.bump();
            }
        }
    }
}

/// To where an item can begin: behind `;`, behind a group in braces, behind a stray `}`, or to an item's keyword.
pub(super) fn item(inp: &mut In<'_, '_>) {
    member(inp);
    if inp.eat(K::RBrace).is_some() {
        inp.eat(K::Semicolon);
    }
}

/// The same inside `impl`, whose `}` stays.
pub(super) fn member(inp: &mut In<'_, '_>) {
    let failed_at = inp.index();
    loop {
        match inp.kind() {
            K::End | K::RBrace => return,
            K::Semicolon => {
                inp.bump();
                return;
            }
            K::LBrace => {
                skip_group(inp);
                return;
            }
            _ if at_item(inp) && (inp.index() > failed_at || at_item_line(inp)) => return,
            _ => {
                inp.bump();
            }
        }
    }
}
