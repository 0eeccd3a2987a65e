//! All forms of output on awkward sources: they say where, and never panic.

use crate::diagnostic::{Diagnostic, Stage};
use crate::rich::{self, Colours};
use crate::{codes, json, short};
use mini_base::source::{SourceMap, Span};
use std::path::Path;

fn map(text: &str) -> SourceMap {
    let mut map = SourceMap::new();
    map.add(Path::new("a.mini"), text.into()).expect("small");
    map
}

fn span(map: &SourceMap, from: usize, to: usize) -> Span {
    let (_, file) = map.files().next().expect("one file");
    Span::new(file.pos(from), file.pos(to))
}

fn error(span: Span) -> Diagnostic {
    Diagnostic::error(codes::E0101_UNEXPECTED, Stage::Parser, span, "message")
}

#[test]
fn short_is_one_exact_line() {
    let map = map("\u{feff}é\t日本x\r\ny");
    let at = "\u{feff}é\t日本".len();
    assert_eq!(short::render(&[error(span(&map, at, at + 1))], &map), "a.mini:1:5: error[E0101]: message\n");
    assert_eq!(short::render(&[error(Span::NONE)], &map), "error[E0101]: message\n");
    let mut two_lines = error(span(&map, at + 3, at + 4));
    two_lines.message = "a\nb".into();
    assert_eq!(short::render(&[two_lines], &map), "a.mini:2:1: error[E0101]: a␊b\n");
}

#[test]
fn a_warning_that_is_an_error_says_why() {
    let map = map("x");
    let mut denied =
        Diagnostic::warning(crate::codes_checker::W0001_UNUSED_VARIABLE, Stage::Checker, span(&map, 0, 1), "a");
    assert!(!short::render(std::slice::from_ref(&denied), &map).contains("-D warnings"));
    denied.severity = crate::diagnostic::Severity::Error;
    assert!(short::render(std::slice::from_ref(&denied), &map).contains("-D warnings"));
    assert!(rich::render(&[denied], &map, Colours::Off).contains("-D warnings"));
}

#[test]
fn a_file_is_shown_once_with_the_place_of_the_error() {
    let map = map("é one\ntwo\nthree\nfour\nfive six\n");
    let at = |text: &str| {
        let (_, file) = map.files().next().expect("one file");
        let from = file.text.find(text).expect("it is there");
        span(&map, from, from + text.len())
    };
    let d = error(at("six")).with_secondary(at("one"), "first").with_secondary(at("five"), "second");
    let shown = rich::render(&[d.with_secondary(at("two"), "third")], &map, Colours::Off);
    assert_eq!(shown.matches("a.mini:").count(), 1, "{shown}");
    assert!(shown.contains("a.mini:5:6"), "{shown}");
    assert!(!shown.contains("here"), "{shown}");
}

#[test]
fn only_fifty_errors_are_shown() {
    let map = map("x");
    let many: Vec<_> = (0..60).map(|_| error(span(&map, 0, 1))).collect();
    let shown = short::render(&many, &map);
    assert_eq!(shown.lines().count(), 51);
    assert!(shown.ends_with("… and 10 more errors\n"));
    assert!(json::render(&many, &map).lines().count() == 51);
    assert!(rich::render(&many, &map, Colours::Off).contains("10 more errors"));
}

#[test]
fn rich_shows_the_line_and_the_place() {
    let map = map("fn main() {\n\tlet größe = 日本;\n}\n");
    let from = "fn main() {\n\tlet größe = ".len();
    let d = error(span(&map, from, from + 6))
        .with_label("what is this")
        .with_secondary(span(&map, 0, 2), "in here")
        .with_help("mend it");
    let plain = rich::render(std::slice::from_ref(&d), &map, Colours::Off);
    assert!(plain.contains("a.mini:2:14"), "{plain}");
    for wanted in ["[E0101] Error: message", " 2 │ ", "let größe = 日本;", "what is this", "in here", "mend it"] {
        assert!(plain.contains(wanted), "{wanted}: {plain}");
    }
    assert!(!plain.contains('\u{1b}'));
    assert!(rich::render(&[d], &map, Colours::On).contains('\u{1b}'));
}

#[test]
fn long_lines_are_cut() {
    let text = format!("{}x{}", "é".repeat(500_000), "日".repeat(500_000));
    let map = map(&text);
    let d = error(span(&map, 1_000_000, 1_000_001))
        .with_secondary(span(&map, 0, 2), "start")
        .with_secondary(span(&map, text.len(), text.len()), "end");
    let shown = rich::render(&[d], &map, Colours::Off);
    assert!(shown.len() < 10_000, "{}", shown.len());
    assert!(shown.contains("a.mini:1:500001"), "{shown}");
}

#[test]
fn control_characters_are_not_printed() {
    let map = map("a\u{1b}[31m\u{85}\u{2028}\u{202e}\0b\r\u{b}c\n");
    let shown = rich::render(&[error(span(&map, 0, 1))], &map, Colours::Off);
    assert!(shown.chars().all(|c| c == '\n' || !c.is_control()), "{shown:?}");
    assert!(shown.contains("a.mini:1:1"));
}

#[test]
fn every_span_in_awkward_texts_can_be_shown() {
    let long = format!("{}\n{}", "x".repeat(400), "é日".repeat(200));
    for text in [
        "",
        "\n",
        "a",
        "\u{feff}",
        "\u{feff}a\n",
        "a\r\nb\r\n",
        "\t\té\n\n\n日\n",
        "\r",
        "a\u{301}\u{200d}😀\n😀",
        "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12",
        &long,
    ] {
        let map = map(text);
        let step = text.len() / 40 + 1;
        for from in (0..=text.len()).step_by(step) {
            for to in (from..=text.len()).step_by(step) {
                let d = error(span(&map, from, to))
                    .with_secondary(span(&map, text.len(), text.len()), "end")
                    .with_secondary(span(&map, 0, to), "start")
                    .with_fix(span(&map, from, from), ";");
                let shown = rich::render(std::slice::from_ref(&d), &map, Colours::Off);
                let at = map.locate(d.span.start).expect("it has a place").1;
                assert!(shown.contains(&format!("a.mini:{}:{}", at.line, at.column)), "{text:?} {from}..{to}: {shown}");
                assert!(
                    short::render(std::slice::from_ref(&d), &map)
                        .starts_with(&format!("a.mini:{}:{}: error", at.line, at.column))
                );
                let object: serde_json::Value = serde_json::from_str(json::render(&[d], &map).trim()).expect("JSON");
                assert_eq!(object["span"]["start"]["byte"], from);
                assert_eq!(object["span"]["start"]["line"], at.line);
            }
        }
    }
}
