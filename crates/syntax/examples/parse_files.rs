//! Parses files and prints their syntax errors in one line each, or with `--time` the speed.
//!
//! `cargo run --release -p mini-syntax --example parse_files -- [--time] FILE…`

use mini_base::names::Names;
use mini_base::source::SourceMap;
use mini_diag::diagnostic::Diagnostics;
use mini_syntax::parser::{self, STACK_BYTES};
use mini_syntax::{lexer, source_text};
use std::path::Path;
use std::time::Instant;

fn main() {
    let worker = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(run).expect("a thread can be made");
    worker.join().expect("the parser does not panic");
}

fn run() {
    let mut paths: Vec<String> = std::env::args().skip(1).collect();
    let timed = paths.first().is_some_and(|a| a == "--time");
    if timed {
        paths.remove(0);
    }
    for path in &paths {
        let bytes = std::fs::read(path).expect("the file can be read");
        let mut map = SourceMap::new();
        let mut diagnostics = Diagnostics::new();
        let mut names = Names::new();
        let (text, invalid) = match source_text::decode(&bytes) {
            Ok(text) => (text, None),
            Err(invalid) => (invalid.lossy.clone(), Some(invalid)),
        };
        let file = map.add(Path::new(path), text).expect("the file is not too large");
        let file = map.file(file);
        match invalid {
            Some(invalid) => diagnostics.push(invalid.diagnostic(file)),
            None => {
                let start = Instant::now();
                let tokens = lexer::lex(file, &mut names, &mut diagnostics);
                let lexed = start.elapsed();
                let module = parser::parse(&tokens, &names, &mut diagnostics);
                let parsed = start.elapsed();
                if timed {
                    let lines = file.text.lines().count() as f64;
                    println!(
                        "{path}: {lines} lines, {} tokens, {} items, lexer {lexed:?}, parser {:?}, {:.2} million lines/s",
                        tokens.tokens.len(),
                        module.items.len(),
                        parsed - lexed,
                        lines / parsed.as_secs_f64() / 1e6
                    );
                }
            }
        }
        for d in diagnostics.into_sorted() {
            let (path, at) = map.locate(d.span.start).expect("a diagnostic has a place");
            println!("{}:{}:{}: error[{}]: {}", path.display(), at.line, at.column, d.code, d.message);
        }
    }
}
