//! Which brace was probably forgotten, by indentation.

use crate::token::{Token, TokenKind as K, flags};
use mini_base::source::Span;

/// For a file with more `{` than `}`: the first `{` whose line is indented deeper than the line of the `}` that closes it.
/// That `}` was most likely meant for a block further out. Linear, and run for broken files only.
pub(crate) fn suspect(tokens: &[Token], text: &str, base: u32) -> Option<Span> {
    let count = |kind| tokens.iter().filter(|t| t.kind == kind).count();
    if count(K::LBrace) <= count(K::RBrace) {
        return None;
    }
    let mut open: Vec<(Span, usize)> = Vec::new();
    let mut indentation = 0;
    for token in tokens {
        if token.is(flags::FIRST_ON_LINE) {
            let at = (token.span.start.0 - base) as usize;
            let line = text[..at].rfind('\n').map_or(0, |b| b + 1);
            indentation = at - line;
        }
        match token.kind {
            K::LBrace => open.push((token.span, indentation)),
            K::RBrace => {
                let (span, depth) = open.pop()?;
                if token.is(flags::FIRST_ON_LINE) && depth > indentation {
                    return Some(span);
                }
            }
            _ => {}
        }
    }
    open.last().map(|o| o.0)
}
