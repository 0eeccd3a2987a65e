//! Diagnostics: what they are, their codes, and how they are shown.

pub mod diagnostic; // `Diagnostic`, `Severity`, `Label`, `Fix`, and the collecting `Diagnostics`
pub mod codes; // the table of codes; the lexer's and the parser's rows
pub mod codes_checker; // the checker's rows
mod shown; // what the following share: which are shown, safe excerpts of source
pub mod rich; // for people: source lines with marks
pub mod short; // one line each
pub mod plain; // lines with notes, without excerpts
pub mod json; // for programs
#[cfg(test)]
mod tests; // all forms on awkward sources
