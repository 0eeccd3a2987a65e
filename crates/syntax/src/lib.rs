//! From source text to the syntax tree.

pub mod source_text; // bytes to text
pub mod token; // what tokens are; `emit tokens`
pub mod lexer; // text to tokens
mod numbers; // number literals
mod quoted; // string and byte literals
mod braces; // which brace was forgotten
pub mod ast; // the syntax tree
pub mod parser; // tokens to the tree
pub mod print; // the tree as text; `emit ast`
#[cfg(test)]
mod tests; // whole texts: trees, errors, recovery, limits
