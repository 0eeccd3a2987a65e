//! The textual form of IR: `print` writes it, `parse` reads it, and `parse(print(x))` prints the same again.
//!
//! The grammar is in docs/ir.md. Phases, names, labels and the numbers of temporaries are kept exactly; ids and source
//! positions are not part of the text.

mod build; // parsed functions to `Func`
mod flat; // flat lists of instructions to blocks and back
mod items; // the items around the functions
pub mod parse; // text to parsed functions
pub mod print; // modules to text
mod scan; // text to tokens

pub use flat::{print_flat, print_leaders};
pub use parse::{TextError, parse_module};
pub use print::{inst_text, print_func, print_module, value_text};

/// How block parameters look in text. Both forms are parsed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SsaStyle {
    /// `head2(i.2: int):` and `jmp head2(%1)`
    #[default]
    Params,
    /// `i.2 = phi [entry1: %1], [body3: %4]` at the start of the block.
    Phi,
}

/// Whether a name can stand in text without quotes: letters, digits, `_`, `$` and anything beyond ASCII that is no control
/// or blank, not starting with a digit; at its end perhaps `?`, which marks the flag of an optional.
pub(crate) fn is_plain(name: &str) -> bool {
    let stem = name.strip_suffix('?').unwrap_or(name);
    let mut chars = stem.chars();
    chars.next().is_some_and(starts_name) && chars.all(continues_name)
}

/// Whether a plain name can begin with this character.
pub(crate) fn starts_name(c: char) -> bool {
    c == '_' || c == '$' || c.is_ascii_alphabetic() || (!c.is_ascii() && c.is_alphanumeric())
}

/// Whether a plain name can go on with this character.
pub(crate) fn continues_name(c: char) -> bool {
    starts_name(c) || c.is_ascii_digit()
}

#[cfg(test)]
mod tests;
