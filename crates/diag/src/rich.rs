//! Diagnostics for people: the source lines with what is wrong marked in them.

use crate::diagnostic::{Diagnostic, Severity};
use crate::shown::{self, Excerpt, advice, excerpt, file_name, file_of, one_line, severity_text};
use ariadne::{Cache, Color, Config, IndexType, Label, Report, ReportKind, Source};
use mini_base::source::{FileId, SourceMap, Span};
use std::fmt::Write;

/// Whether to use colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Colours {
    /// With ANSI escapes.
    On,
    /// Plain text.
    Off,
}

/// All diagnostics, each with its source lines, then a line that says how many more there are.
pub fn render(diagnostics: &[Diagnostic], sources: &SourceMap, colours: Colours) -> String {
    let shown = shown::select(diagnostics);
    let mut out = String::new();
    for diagnostic in &shown.diagnostics {
        one(&mut out, diagnostic, sources, colours);
        out.push('\n');
    }
    if let Some(rest) = shown.rest() {
        out.push_str(&rest);
        out.push('\n');
    }
    out
}

/// A file's part in one report.
struct Part {
    id: FileId,
    name: String,
    excerpt: Excerpt,
    source: Source,
}

struct Parts<'a>(&'a mut [Part]);

impl Cache<FileId> for Parts<'_> {
    type Storage = String;

    fn fetch(&mut self, id: &FileId) -> Result<&Source<String>, impl std::fmt::Debug> {
        self.0.iter().find(|p| p.id == *id).map(|p| &p.source).ok_or("not in this report")
    }

    fn display<'a>(&self, id: &'a FileId) -> Option<impl std::fmt::Display + 'a> {
        self.0.iter().find(|p| p.id == *id).map(|p| p.name.clone())
    }
}

fn one(out: &mut String, diagnostic: &Diagnostic, sources: &SourceMap, colours: Colours) {
    let message = shown::message(diagnostic);
    let help = advice(diagnostic, sources);
    let Some(main_file) = file_of(sources, diagnostic.span) else {
        let _ = writeln!(out, "{}[{}]: {message}", severity_text(diagnostic.severity), diagnostic.code);
        if let Some(help) = help {
            let _ = writeln!(out, "  help: {help}");
        }
        return;
    };
    let mut parts = parts(diagnostic, sources);
    let place = |parts: &[Part], span: Span| {
        let id = file_of(sources, span)?;
        let part = parts.iter().find(|p| p.id == id)?;
        Some((id, part.excerpt.range(sources.file(id), span)))
    };
    let Some(main) = place(&parts, diagnostic.span) else { return };
    let (kind, colour) = match diagnostic.severity {
        Severity::Error => (ReportKind::Error, Color::Red),
        Severity::Warning => (ReportKind::Warning, Color::Yellow),
    };
    let config = Config::new().with_index_type(IndexType::Byte).with_color(colours == Colours::On);
    // Without a text, even an empty one, a place would not be marked.
    let text = diagnostic.label.as_deref().map_or(String::new(), one_line);
    let mut labels =
        vec![(main.clone(), Label::new(main.clone()).with_color(colour).with_priority(1).with_message(text))];
    for label in &diagnostic.labels {
        if let Some(place) = place(&parts, label.span) {
            let shown = Label::new(place.clone()).with_color(Color::Cyan).with_message(one_line(&label.text));
            labels.push((place, shown));
        }
    }
    // One snippet a file, its lines in order: a second one of the same file would get the first one's position.
    labels.sort_by_key(|((file, range), _)| (*file != main_file, *file, range.end, range.start));
    let labels = labels.into_iter().enumerate().map(|(order, (_, label))| label.with_order(order as i32));
    let mut report = Report::build(kind, main.clone())
        .with_config(config)
        .with_code(diagnostic.code)
        .with_message(message)
        .with_labels(labels);
    if let Some(help) = help {
        report = report.with_help(help);
    }
    let mut bytes = Vec::new();
    let written = report.finish().write(Parts(&mut parts), &mut bytes);
    written.expect("writing to memory does not fail");
    let text = String::from_utf8_lossy(&bytes);
    // In a cut line the excerpt's column is not the file's.
    let name = file_name(sources.file(main_file));
    let true_place = sources.file(main_file).line_column(sources.file(main_file).offset(diagnostic.span.start));
    let excerpt_column = parts.iter().find(|p| p.id == main_file).map_or(1, |p| p.excerpt.column(main.1.start));
    let wrong = format!(" {name}:{}:{excerpt_column} ", true_place.line);
    let right = format!(" {name}:{}:{} ", true_place.line, true_place.column);
    for line in text.replacen(&wrong, &right, 1).lines() {
        out.push_str(line.trim_end());
        out.push('\n');
    }
}

/// The files that a diagnostic speaks of, its own first, with the lines of interest.
fn parts(diagnostic: &Diagnostic, sources: &SourceMap) -> Vec<Part> {
    let mut spans: Vec<(FileId, Vec<Span>)> = Vec::new();
    for span in std::iter::once(diagnostic.span).chain(diagnostic.labels.iter().map(|l| l.span)) {
        let Some(id) = file_of(sources, span) else { continue };
        match spans.iter_mut().find(|s| s.0 == id) {
            Some((_, of_file)) => of_file.push(span),
            None => spans.push((id, vec![span])),
        }
    }
    let part = |(id, spans): (FileId, Vec<Span>)| {
        let file = sources.file(id);
        let excerpt = excerpt(file, &spans);
        let source = Source::from(excerpt.text.clone());
        Part { id, name: file_name(file), excerpt, source }
    };
    spans.into_iter().map(part).collect()
}
