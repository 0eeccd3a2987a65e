//! One line a diagnostic: `FILE:LINE:COLUMN: error[E0123]: message`, for scripts and editors.

use crate::diagnostic::{Diagnostic, Severity};
use crate::shown::{self, file_name, file_of};
use codespan_reporting::diagnostic as codespan;
use codespan_reporting::files::{Error, Files, Location};
use codespan_reporting::term::{Config, DisplayStyle, emit_to_string};
use mini_base::source::{FileId, SourceMap};
use std::ops::Range;

/// All diagnostics, then a line that says how many more there are. Columns count code points.
pub fn render(diagnostics: &[Diagnostic], sources: &SourceMap) -> String {
    render_with(diagnostics, sources, DisplayStyle::Short, |_| Vec::new())
}

/// The same with notes below each line, where the style shows them.
pub(crate) fn render_with(
    diagnostics: &[Diagnostic],
    sources: &SourceMap,
    display_style: DisplayStyle,
    notes: impl Fn(&Diagnostic) -> Vec<String>,
) -> String {
    let config = Config { display_style, ..Config::default() };
    let files = View(sources);
    let shown = shown::select(diagnostics);
    let mut out = String::new();
    for diagnostic in &shown.diagnostics {
        let severity = match diagnostic.severity {
            Severity::Error => codespan::Severity::Error,
            Severity::Warning => codespan::Severity::Warning,
        };
        let labels = file_of(sources, diagnostic.span)
            .map(|id| {
                let start = sources.file(id).offset(diagnostic.span.start);
                codespan::Label::primary(id, start..start)
            })
            .into_iter()
            .collect();
        let line = codespan::Diagnostic::new(severity)
            .with_code(diagnostic.code)
            .with_message(shown::message(diagnostic))
            .with_labels(labels)
            .with_notes(notes(diagnostic));
        emit_to_string(&mut out, &config, &files, &line).expect("a position of the source map is in one of its files");
    }
    if let Some(rest) = shown.rest() {
        out.push_str(&rest);
        out.push('\n');
    }
    out
}

/// The source map as `codespan-reporting` wants it; lines and columns are the source map's own.
struct View<'a>(&'a SourceMap);

impl<'a> Files<'a> for View<'_> {
    type FileId = FileId;
    type Name = String;
    type Source = &'a str;

    fn name(&'a self, id: FileId) -> Result<String, Error> {
        Ok(file_name(self.0.file(id)))
    }

    fn source(&'a self, id: FileId) -> Result<&'a str, Error> {
        Ok(&self.0.file(id).text)
    }

    fn line_index(&'a self, id: FileId, byte: usize) -> Result<usize, Error> {
        Ok(self.0.file(id).line_column(byte).line as usize - 1)
    }

    fn line_range(&'a self, id: FileId, line: usize) -> Result<Range<usize>, Error> {
        let file = self.0.file(id);
        let starts = file.line_starts();
        let start = starts.get(line).ok_or(Error::LineTooLarge { given: line, max: starts.len() })?;
        Ok(*start as usize..starts.get(line + 1).map_or(file.text.len(), |&s| s as usize))
    }

    fn location(&'a self, id: FileId, byte: usize) -> Result<Location, Error> {
        let at = self.0.file(id).line_column(byte);
        Ok(Location { line_number: at.line as usize, column_number: at.column as usize })
    }
}
