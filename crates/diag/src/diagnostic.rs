//! A diagnostic as data: code, message, spans, help. Nothing here prints.

use mini_base::source::{Pos, Span};

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Severity {
    /// The program is compiled all the same.
    Warning,
    /// The program is refused.
    Error,
}

/// The stage that found it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Stage {
    /// Reading the source as text and tokens.
    Lexer,
    /// Reading tokens as syntax.
    Parser,
    /// Names, types and all other rules.
    Checker,
}

/// A secondary span with what it has to do with the matter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What is there.
    pub text: String,
}

/// A change to the source that would mend it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fix {
    /// What is replaced (empty to insert).
    pub span: Span,
    /// By what.
    pub replacement: String,
}

/// One diagnostic.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// The code, such as `E0203`; registered in `codes.rs`.
    pub code: &'static str,
    /// Error or warning.
    pub severity: Severity,
    /// Who found it.
    pub stage: Stage,
    /// One sentence without a final stop, lower case at the start.
    pub message: String,
    /// Where.
    pub span: Span,
    /// What the primary span shows, if the message alone does not say it.
    pub label: Option<String>,
    /// Other places that matter.
    pub labels: Vec<Label>,
    /// How to mend it.
    pub help: Option<String>,
    /// A change that would mend it.
    pub fix: Option<Fix>,
}

impl Diagnostic {
    /// An error.
    pub fn error(code: &'static str, stage: Stage, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            code,
            severity: Severity::Error,
            stage,
            message: message.into(),
            span,
            label: None,
            labels: Vec::new(),
            help: None,
            fix: None,
        }
    }

    /// A warning.
    pub fn warning(code: &'static str, stage: Stage, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(code, stage, span, message) }
    }

    /// With a text under the primary span.
    pub fn with_label(mut self, text: impl Into<String>) -> Self {
        self.label = Some(text.into());
        self
    }

    /// With another place.
    pub fn with_secondary(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label { span, text: text.into() });
        self
    }

    /// With advice.
    pub fn with_help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }

    /// With a change that mends it.
    pub fn with_fix(mut self, span: Span, replacement: impl Into<String>) -> Self {
        self.fix = Some(Fix { span, replacement: replacement.into() });
        self
    }
}

/// The diagnostics of a compilation as they are found.
#[derive(Debug, Default)]
pub struct Diagnostics {
    found: Vec<Diagnostic>,
    errors: usize,
}

impl Diagnostics {
    /// None yet.
    pub fn new() -> Self {
        Diagnostics::default()
    }

    /// Adds one.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.errors += usize::from(diagnostic.severity == Severity::Error);
        self.found.push(diagnostic);
    }

    /// Whether there are none, not even warnings.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// Whether there is an error among them.
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// Whether one has this code.
    pub fn has_code(&self, code: &str) -> bool {
        self.found.iter().any(|d| d.code == code)
    }

    /// Where errors are, in order.
    pub fn error_positions(&self) -> Vec<Pos> {
        let errors = self.found.iter().filter(|d| d.severity == Severity::Error);
        let mut positions: Vec<Pos> = errors.map(|d| d.span.start).collect();
        positions.sort_unstable();
        positions
    }

    /// How many have been found so far, for [`Diagnostics::forget_since`].
    pub fn mark(&self) -> usize {
        self.found.len()
    }

    /// Forgets what was found since the mark was taken.
    pub fn forget_since(&mut self, mark: usize) {
        let forgotten = self.found.drain(mark..).filter(|d| d.severity == Severity::Error).count();
        self.errors -= forgotten;
    }

    /// How many errors there are.
    pub fn error_count(&self) -> usize {
        self.errors
    }

    /// In source order (the root file first), without exact repetitions.
    pub fn into_sorted(self) -> Vec<Diagnostic> {
        let mut found = self.found;
        found.sort_by_key(|d| (d.span.start, d.span.end, d.code));
        found.dedup();
        found
    }
}
