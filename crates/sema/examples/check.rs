//! Checks files and prints their diagnostics, one a line; with `--typed` also the typed tree.

use mini_base::names::Names;
use mini_base::source::SourceMap;
use mini_diag::diagnostic::Diagnostics;
use mini_diag::{rich, short};
use mini_sema::check::Purpose;
use std::path::Path;

fn main() {
    let (options, paths): (Vec<String>, Vec<String>) = std::env::args().skip(1).partition(|a| a.starts_with("--"));
    let work = move || {
        for path in &paths {
            let bytes = std::fs::read(path).expect("a readable file");
            let text = String::from_utf8_lossy(&bytes);
            let mut map = SourceMap::new();
            let file = map.add(Path::new(path), text.as_ref().into()).expect("a small file");
            let mut names = Names::new();
            let mut diagnostics = Diagnostics::new();
            let module = mini_syntax::parser::parse_file(map.file(file), &mut names, &mut diagnostics);
            let modules = mini_sema::modules::Module::root(module, map.file(file).pos(0));
            let program = mini_sema::check::check(&modules, &names, Purpose::Executable, &mut diagnostics);
            let found = diagnostics.into_sorted();
            print!(
                "{}",
                match options.contains(&"--rich".to_string()) {
                    true => rich::render(&found, &map, rich::Colours::Off),
                    false => short::render(&found, &map),
                }
            );
            match program {
                None => println!("{path}: refused"),
                Some(program) if options.contains(&"--typed".to_string()) => {
                    print!("{}", mini_sema::print::program_text(&program, None));
                }
                Some(_) => println!("{path}: fine"),
            }
        }
    };
    std::thread::Builder::new().stack_size(64 << 20).spawn(work).expect("a thread").join().expect("no panic");
}
