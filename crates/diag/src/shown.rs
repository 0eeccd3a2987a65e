//! What all forms of output share: which diagnostics are shown, advice as text, and excerpts of source that are safe to
//! print.

use crate::diagnostic::{Diagnostic, Severity};
use mini_base::source::{FileId, SourceFile, SourceMap, Span};
use std::ops::Range;

/// How many errors, and how many warnings, are shown.
pub(crate) const MAX_SHOWN: usize = 50;

/// The diagnostics that are shown, and how many are not.
pub(crate) struct Shown<'a> {
    pub diagnostics: Vec<&'a Diagnostic>,
    pub hidden_errors: usize,
    pub hidden_warnings: usize,
}

/// The first [`MAX_SHOWN`] errors and as many warnings.
pub(crate) fn select(diagnostics: &[Diagnostic]) -> Shown<'_> {
    let mut shown = Shown { diagnostics: Vec::new(), hidden_errors: 0, hidden_warnings: 0 };
    let (mut errors, mut warnings) = (0, 0);
    for diagnostic in diagnostics {
        let (count, hidden) = match diagnostic.severity {
            Severity::Error => (&mut errors, &mut shown.hidden_errors),
            Severity::Warning => (&mut warnings, &mut shown.hidden_warnings),
        };
        *count += 1;
        if *count > MAX_SHOWN {
            *hidden += 1;
        } else {
            shown.diagnostics.push(diagnostic);
        }
    }
    shown
}

impl Shown<'_> {
    /// A line that says how many are not shown, if there are any.
    pub fn rest(&self) -> Option<String> {
        let count = |n: usize, what: &str| (n > 0).then(|| format!("{n} more {what}{}", if n == 1 { "" } else { "s" }));
        let parts: Vec<String> = [count(self.hidden_errors, "error"), count(self.hidden_warnings, "warning")]
            .into_iter()
            .flatten()
            .collect();
        (!parts.is_empty()).then(|| format!("… and {}", parts.join(" and ")))
    }
}

/// `error` or `warning`
pub(crate) fn severity_text(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}

/// The message in one line; of a warning that was made an error it says so.
pub(crate) fn message(diagnostic: &Diagnostic) -> String {
    let text = one_line(&diagnostic.message);
    let denied = diagnostic.severity == Severity::Error && diagnostic.code.starts_with('W');
    if denied { format!("{text} (a warning, but `-D warnings` makes it an error)") } else { text }
}

/// The help, or what the fix does if there is no help.
pub(crate) fn advice(diagnostic: &Diagnostic, sources: &SourceMap) -> Option<String> {
    if let Some(help) = &diagnostic.help {
        return Some(one_line(help));
    }
    let fix = diagnostic.fix.as_ref()?;
    let old = file_of(sources, fix.span).map_or(String::new(), |id| {
        let (from, to) = range(sources.file(id), fix.span);
        one_line(&sources.file(id).text[from..to])
    });
    let new = one_line(&fix.replacement);
    Some(match (old.is_empty(), new.is_empty()) {
        (true, _) => format!("insert `{}`", new.trim()),
        (false, true) => format!("delete `{old}`"),
        (false, false) => format!("write `{}`", new.trim()),
    })
}

/// Text for one line of output: control characters replaced, cut when it is very long.
pub(crate) fn one_line(text: &str) -> String {
    let mut out: String = text.chars().take(1000).map(printable).map(|c| if c == '\t' { ' ' } else { c }).collect();
    if text.chars().nth(1000).is_some() {
        out.push('…');
    }
    out
}

/// The character, or a visible stand-in: control characters could change the terminal, line separators the number of
/// lines, and marks of writing direction the order of what is read.
fn printable(c: char) -> char {
    match c {
        '\t' => c,
        '\0'..='\u{1f}' => char::from_u32(0x2400 + c as u32).unwrap_or('\u{fffd}'),
        '\u{7f}' => '\u{2421}',
        '\u{80}'..='\u{9f}'
        | '\u{2028}'
        | '\u{2029}'
        | '\u{feff}'
        | '\u{200e}'
        | '\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}' => '\u{fffd}',
        _ => c,
    }
}

/// Lines longer than this are cut to what is near the places of interest.
const LONG_LINE: usize = 300;
/// How much is shown before and behind a place of interest in a long line, in bytes.
const CONTEXT: usize = 80;
/// Spans over more lines are shown by their first and last lines.
const MANY_LINES: usize = 8;

/// A file as it is printed up to the last line of interest. Lines of no interest are empty.
pub(crate) struct Excerpt {
    /// The printable text.
    pub text: String,
    /// Offsets in the file with the offsets in `text` where they went, in order.
    places: Vec<(usize, usize)>,
}

/// Makes the excerpt of a file for some spans in it. Linear in the lines concerned.
pub(crate) fn excerpt(file: &SourceFile, spans: &[Span]) -> Excerpt {
    let starts = file.line_starts();
    let text: &str = &file.text;
    let line_of = |offset: usize| starts.partition_point(|&s| s as usize <= offset) - 1;
    let mut interest: Vec<usize> = Vec::new();
    let mut lines: Vec<usize> = Vec::new();
    for &span in spans {
        let (from, to) = range(file, span);
        interest.extend([from, to]);
        let (first, last) = (line_of(from), line_of(to));
        match last - first {
            0..MANY_LINES => lines.extend(first..=last),
            _ => lines.extend([first, last]),
        }
    }
    interest.sort_unstable();
    interest.dedup();
    lines.sort_unstable();
    lines.dedup();
    let mut out = Excerpt { text: String::new(), places: Vec::new() };
    let mut current = 0;
    for line in lines {
        while current < line {
            out.text.push('\n');
            current += 1;
        }
        let start = starts[line] as usize;
        let next = starts.get(line + 1).map_or(text.len(), |&s| s as usize);
        let end = start + text[start..next].trim_end_matches(['\n', '\r']).len();
        // At the very end of the file, the end of the text belongs to the last line.
        let reach = if line + 1 == starts.len() { next + 1 } else { next };
        let here = interest.partition_point(|&o| o < start)..interest.partition_point(|&o| o < reach);
        add_line(&mut out, text, start..end, &interest[here]);
    }
    out
}

/// A span's byte range in its file, on character boundaries and inside the text.
fn range(file: &SourceFile, span: Span) -> (usize, usize) {
    let boundary = |mut offset: usize| {
        offset = offset.min(file.text.len());
        while !file.text.is_char_boundary(offset) {
            offset -= 1;
        }
        offset
    };
    let from = boundary(file.offset(span.start));
    (from, boundary(file.offset(span.end)).max(from))
}

/// Adds a line with a blank behind it, so that there is something to point at behind its last character.
fn add_line(out: &mut Excerpt, text: &str, line: Range<usize>, interest: &[usize]) {
    let near = |at: usize| interest.iter().any(|&o| at + CONTEXT >= o && at <= o + CONTEXT);
    let long = line.len() > LONG_LINE;
    let mut waiting = interest.iter().copied().peekable();
    let mut cut = false;
    let mut at = line.start;
    while at < line.end {
        if long && !near(at) {
            // Jump to the next window, or to the end.
            let next =
                interest.iter().map(|o| o.saturating_sub(CONTEXT)).find(|&o| o > at).unwrap_or(line.end).min(line.end);
            at = (at + 1..=next).rev().find(|&o| text.is_char_boundary(o)).unwrap_or(next).max(at + 1);
            while !text.is_char_boundary(at) {
                at += 1;
            }
            if !cut {
                out.text.push('…');
            }
            cut = true;
            continue;
        }
        cut = false;
        while waiting.next_if(|&o| o <= at).is_some_and(|o| {
            out.places.push((o, out.text.len()));
            true
        }) {}
        let c = text[at..].chars().next().unwrap_or(' ');
        if !(at == 0 && c == '\u{feff}') {
            out.text.push(printable(c));
        }
        at += c.len_utf8();
    }
    for o in waiting {
        out.places.push((o, out.text.len()));
    }
    out.text.push(' ');
}

impl Excerpt {
    /// Where a span of the file is in the excerpt; at least one character wide.
    pub fn range(&self, file: &SourceFile, span: Span) -> Range<usize> {
        let (from, to) = range(file, span);
        let place = |offset: usize| match self.places.binary_search_by_key(&offset, |p| p.0) {
            Ok(found) => self.places[found].1,
            Err(_) => 0,
        };
        let (start, end) = (place(from), place(to));
        if end > start {
            return start..end;
        }
        let width = self.text[start..].chars().next().filter(|&c| c != '\n').map_or(0, char::len_utf8);
        start..start + width
    }

    /// The column, from 1, of an offset in the excerpt.
    pub fn column(&self, offset: usize) -> usize {
        let start = self.text[..offset].rfind('\n').map_or(0, |b| b + 1);
        self.text[start..offset].chars().count() + 1
    }
}

/// The file of a span, if it has a place.
pub(crate) fn file_of(sources: &SourceMap, span: Span) -> Option<FileId> {
    sources.file_of(span.start)
}

/// A file's name for output.
pub(crate) fn file_name(file: &SourceFile) -> String {
    one_line(&file.path.display().to_string())
}
