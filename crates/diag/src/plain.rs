//! A line a diagnostic and its notes below, without excerpts of the source: for logs, narrow terminals and screen readers.

use crate::diagnostic::Diagnostic;
use crate::short::render_with;
use crate::shown::file_name;
use codespan_reporting::term::DisplayStyle;
use mini_base::source::SourceMap;

/// All diagnostics with their other places and their help, then a line that says how many more there are.
pub fn render(diagnostics: &[Diagnostic], sources: &SourceMap) -> String {
    render_with(diagnostics, sources, DisplayStyle::Medium, |diagnostic| {
        let places = diagnostic.labels.iter().filter_map(|label| {
            let file = sources.file(sources.file_of(label.span.start)?);
            let at = file.line_column(file.offset(label.span.start));
            Some(format!("{}:{}:{}: {}", file_name(file), at.line, at.column, label.text))
        });
        places.chain(diagnostic.help.iter().map(|help| format!("help: {help}"))).collect()
    })
}
