//! From bytes to text: the check for UTF-8.

use mini_base::source::{SourceFile, Span};
use mini_diag::codes;
use mini_diag::diagnostic::{Diagnostic, Stage};
use std::sync::Arc;

/// Bytes that are not UTF-8.
#[derive(Debug)]
pub struct InvalidUtf8 {
    /// The offset of the first wrong byte, from 0.
    pub offset: usize,
    /// The text with replacement characters, equal to the bytes up to `offset`: for the source map, so that the error has a place.
    pub lossy: Arc<str>,
}

/// The text of a source file. A byte-order mark stays; the lexer skips it. O(bytes).
pub fn decode(bytes: &[u8]) -> Result<Arc<str>, InvalidUtf8> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(text.into()),
        Err(error) => Err(InvalidUtf8 { offset: error.valid_up_to(), lossy: String::from_utf8_lossy(bytes).into() }),
    }
}

impl InvalidUtf8 {
    /// The error, once [`InvalidUtf8::lossy`] is in the source map as `file`.
    pub fn diagnostic(&self, file: &SourceFile) -> Diagnostic {
        let at = file.pos(self.offset);
        Diagnostic::error(
            codes::E0001_INVALID_UTF8,
            Stage::Lexer,
            Span::new(at, at),
            format!("invalid UTF-8 at byte offset {}", self.offset),
        )
        .with_help("save the file as UTF-8; in a string, any byte can be written as `\\xHH`")
    }
}
