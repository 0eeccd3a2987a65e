//! Diagnostics: what they are, their codes, and how they are shown.

pub mod diagnostic; // `Diagnostic`, `Severity`, `Label`, `Fix`, and the collecting `Diagnostics`
pub mod codes; // the table of codes; the lexer's and the parser's rows
pub mod codes_checker; // the checker's rows
