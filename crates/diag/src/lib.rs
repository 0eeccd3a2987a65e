//! Diagnostics: what they are, their codes, and how they are shown.

pub mod diagnostic; // `Diagnostic`, `Severity`, `Label`, `Fix`, and the collecting `Diagnostics`
