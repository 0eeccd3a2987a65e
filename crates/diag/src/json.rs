//! Diagnostics for programs: one JSON object a line.
//!
//! ```json
//! {"schema":1,"kind":"diagnostic","code":"E0104","severity":"error","stage":"parser","message":"…","span":{…},"label":null,
//!  "labels":[{"span":{…},"text":"…"}],"help":"…","fix":{"span":{…},"replacement":";"}}
//! ```
//!
//! A span is `null`, or `{"file":"a.mini","start":{"byte":0,"line":1,"column":1},"end":{…}}`: bytes from 0, lines and
//! columns (in code points) from 1, the end behind the last character. The last line may be
//! `{"schema":1,"kind":"more","errors":3,"warnings":0}`: so many are not shown.

use crate::diagnostic::{Diagnostic, Stage};
use crate::shown::{self, file_of, severity_text};
use mini_base::source::{Pos, SourceMap, Span};
use serde_json::{Value, json};

/// The version of this format; it grows when something is renamed or removed.
pub const SCHEMA: u32 = 1;

/// All diagnostics, one object a line.
pub fn render(diagnostics: &[Diagnostic], sources: &SourceMap) -> String {
    let shown = shown::select(diagnostics);
    let mut out = String::new();
    for diagnostic in &shown.diagnostics {
        let stage = match diagnostic.stage {
            Stage::Lexer => "lexer",
            Stage::Parser => "parser",
            Stage::Checker => "checker",
        };
        let labels: Vec<Value> =
            diagnostic.labels.iter().map(|l| json!({"span": span(sources, l.span), "text": l.text})).collect();
        let fix = diagnostic.fix.as_ref().map(|f| json!({"span": span(sources, f.span), "replacement": f.replacement}));
        let object = json!({
            "schema": SCHEMA,
            "kind": "diagnostic",
            "code": diagnostic.code,
            "severity": severity_text(diagnostic.severity),
            "stage": stage,
            "message": diagnostic.message,
            "span": span(sources, diagnostic.span),
            "label": diagnostic.label,
            "labels": labels,
            "help": diagnostic.help,
            "fix": fix,
        });
        out.push_str(&object.to_string());
        out.push('\n');
    }
    if shown.hidden_errors + shown.hidden_warnings > 0 {
        let more =
            json!({"schema": SCHEMA, "kind": "more", "errors": shown.hidden_errors, "warnings": shown.hidden_warnings});
        out.push_str(&more.to_string());
        out.push('\n');
    }
    out
}

fn span(sources: &SourceMap, span: Span) -> Value {
    let Some(id) = file_of(sources, span) else { return Value::Null };
    let file = sources.file(id);
    let point = |pos: Pos| {
        let byte = file.offset(pos).min(file.text.len());
        let at = file.line_column(byte);
        json!({"byte": byte, "line": at.line, "column": at.column})
    };
    json!({"file": file.path.display().to_string(), "start": point(span.start), "end": point(span.end)})
}
