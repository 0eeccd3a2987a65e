//! Textual IR and MIR as an attack: tokens and lines of valid texts are removed, repeated, exchanged. Nothing panics; what is wrong has
//! a place; what is right after all goes through the rest of the compiler.
//!
//! `MINI_MUTANTS=100 cargo test -p mini-testing --test text_attacks` tries so many times as many texts.

use mini_base::testing::Random;
use mini_driver::bug::guard;
use mini_driver::options::{Options, Verify};
use mini_driver::pipeline::{self, Extent, Form};
use mini_driver::session::Session;
use mini_ir::func::Phase;
use mini_ir::module::{FuncId, Module};
use mini_ir::text::{SsaStyle, parse_module, print_module};
use mini_ir::verify::verify_module;
use mini_testing::case::{files, root};
use mini_testing::mutants::{Given, machine_code, onward, random_way, run};
use mini_testing::textual::round_trip;
use mini_x64::data::StaticData;
use mini_x64::mir_text::{parse_mir, print_mir};
use mini_x64::mir_verify::{self, Stage};

fn effort() -> usize {
    std::env::var("MINI_MUTANTS").ok().and_then(|n| n.parse().ok()).unwrap_or(1)
}

/// Silent panics; what a test says is its result.
fn quietly(test: impl FnOnce() -> Result<(), String>) -> Result<(), String> {
    mini_driver::bug::install_hook();
    guard("test", None, test).map_err(|bug| bug.summary())?
}

/// Words, and everything else character by character.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let word = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let (token, behind) = rest.split_at(word.max(first.len_utf8()));
        tokens.push(token);
        rest = behind;
    }
    tokens
}

/// One or two changes.
fn attack(text: &str, random: &mut Random) -> String {
    let by_lines = random.once_in(3);
    let mut parts: Vec<&str> = if by_lines { text.split_inclusive('\n').collect() } else { tokens(text) };
    for _ in 0..1 + random.below(2) {
        let [a, b] = [(); 2].map(|()| random.below(parts.len()));
        match random.below(4) {
            0 => drop(parts.remove(a)),
            1 => parts.insert(b, parts[a]),
            2 => parts[a] = parts[b],
            _ => parts.swap(a, b),
        }
    }
    parts.concat()
}

/// The test files in every phase.
fn modules() -> Vec<Module> {
    let mut sources = files(&root().join("tests/ir"), "ir");
    sources.push(root().join("tests/lang/optionals_everywhere.mini"));
    sources.push(root().join("tests/lang/integers_wrap.mini"));
    let mut modules = Vec::new();
    for source in sources {
        let mut session = Session::new(Options::default());
        let mut module = pipeline::front_end(&mut session, &source, Extent::Reachable).expect("the file is right");
        modules.push(module.clone());
        for (from, to) in Form::STEPS {
            pipeline::advance(&session, &mut module, from, to).expect("the file goes through");
            modules.push(module.clone());
        }
    }
    modules
}

#[test]
fn broken_ir_is_refused_with_a_place_or_harmless() -> Result<(), String> {
    quietly(|| {
        let mut random = Random(41);
        let mut counts = [0; 3];
        for module in modules() {
            for style in [SsaStyle::Params, SsaStyle::Phi] {
                let text = print_module(&module, style);
                for _ in 0..20 * effort() {
                    let broken = attack(&text, &mut random);
                    counts[ir(&broken).map_err(|trouble| format!("{trouble}\n{broken}"))?] += 1;
                }
            }
        }
        println!("{} unreadable, {} break a rule, {} go through", counts[0], counts[1], counts[2]);
        if counts.contains(&0) { Err(format!("something is missing: {counts:?}")) } else { Ok(()) }
    })
}

/// 0: it is no IR. 1: it breaks a rule. 2: it goes through.
fn ir(text: &str) -> Result<usize, String> {
    let summary = |bug: mini_driver::bug::Bug| bug.summary();
    let lines = text.lines().count() as u32 + 1;
    let module = match guard("read", None, || parse_module(text)).map_err(summary)? {
        Ok(module) => module,
        Err(error) if (1..=lines).contains(&error.line) && error.column > 0 && !error.message.is_empty() => {
            return Ok(0);
        }
        Err(error) => return Err(format!("no place: {error:?}")),
    };
    if let Err(errors) = guard("verify", None, || verify_module(&module)).map_err(summary)? {
        for error in &errors {
            let known = error.func.starts_with("the module") || module.find(&error.func).is_some();
            if !known || error.message.is_empty() {
                return Err(format!("no place: {error}"));
            }
        }
        guard("print", None, || print_module(&module, SsaStyle::Phi)).map_err(summary)?;
        return Ok(1);
    }
    guard("text", None, || round_trip(&module)).map_err(summary)??;
    let given = Given::default();
    let seen = guard("interpreter", None, || run(&module, &given)).map_err(summary)?;
    let funcs: Vec<FuncId> = module.funcs.ids().collect();
    let way = random_way(&mut Random(text.len() as u64 + 1));
    onward(&module, &funcs, &way, &given, &seen)?;
    Ok(2)
}

#[test]
fn broken_files_have_diagnostics_with_places() -> Result<(), String> {
    quietly(|| {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let path = folder.path().join("x.ir");
        let mut random = Random(42);
        let source = files(&root().join("tests/ir"), "ir").remove(0);
        let text = std::fs::read_to_string(&source).map_err(|error| error.to_string())?;
        for _ in 0..200 * effort() {
            let broken = attack(&text, &mut random);
            std::fs::write(&path, &broken).map_err(|error| error.to_string())?;
            let mut session = Session::new(Options::default());
            if pipeline::front_end(&mut session, &path, Extent::All).is_err() {
                let found = session.take_diagnostics();
                let shown = mini_diag::short::render(&found, &session.sources);
                let placed =
                    shown.lines().all(|line| line.contains("x.ir:") || line.starts_with(' ') || line.is_empty());
                if shown.is_empty() || !placed {
                    return Err(format!("no place: {shown:?}\n{broken}"));
                }
            }
        }
        Ok(())
    })
}

#[test]
fn broken_machine_code_is_refused_or_harmless() -> Result<(), String> {
    quietly(|| {
        let mut random = Random(43);
        let mut counts = [0; 3];
        for module in modules().iter().filter(|m| m.funcs.iter().all(|f| f.phase == Phase::Cssa)) {
            let data = StaticData::build(module);
            for func in module.funcs.iter().take(12) {
                let text = print_mir(&mini_x64::select::select(func, &module.info, &data));
                for _ in 0..20 * effort() {
                    let broken = attack(&text, &mut random);
                    counts[mir(&broken).map_err(|trouble| format!("{trouble}\n{broken}"))?] += 1;
                }
            }
        }
        println!("{} unreadable, {} break a rule, {} go through", counts[0], counts[1], counts[2]);
        if counts.contains(&0) { Err(format!("something is missing: {counts:?}")) } else { Ok(()) }
    })
}

fn mir(text: &str) -> Result<usize, String> {
    let summary = |bug: mini_driver::bug::Bug| bug.summary();
    let mir = match guard("read", None, || parse_mir(text)).map_err(summary)? {
        Ok(mir) => mir,
        Err(error) if error.line >= 1 && !error.message.is_empty() => return Ok(0),
        Err(error) => return Err(format!("no place: {error}")),
    };
    if guard("verify", None, || mir_verify::verify(&mir, Stage::Virtual)).map_err(summary)?.is_err() {
        guard("print", None, || print_mir(&mir)).map_err(summary)?;
        return Ok(1);
    }
    let printed = print_mir(&mir);
    match parse_mir(&printed) {
        Ok(again) if print_mir(&again) == printed => {}
        Ok(_) => return Err("its text reads back as something else".into()),
        Err(error) => return Err(format!("its text does not read back: {error}")),
    }
    let mut session = Session::new(Options { verify: Verify::EachStep, ..Options::default() });
    machine_code(&mut session, &mir)?;
    Ok(2)
}

/// No stack overflow, no quadratic time.
#[test]
fn large_texts_end() -> Result<(), String> {
    quietly(|| {
        let many = 200_000;
        for piece in ["(", "[", "{", "x(", "a: ", "%1 = ", "func f() {\n", "b:\n", "\"", "-", "phi [", "1.", "\\"] {
            let text = piece.repeat(many);
            for start in ["", "func f() {\na:\n  ", "ssa func f("] {
                ir(&format!("{start}{text}"))?;
            }
            mir(&format!("mir \"f\" {{\na:\n  {text}\n}}\n"))?;
        }
        Ok(())
    })
}
