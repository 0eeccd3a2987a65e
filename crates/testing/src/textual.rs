//! Textual IR: what is printed reads back and prints the same, in every phase and both styles.

use mini_driver::options::Options;
use mini_driver::pipeline::{self, Extent, Form};
use mini_driver::session::Session;
use mini_ir::func::Phase;
use mini_ir::module::Module;
use mini_ir::text::{SsaStyle, parse_module, print_flat, print_func, print_module};
use mini_ir::verify::verify_module;
use std::path::Path;

/// A hand-written file: it reads, obeys the verifier, goes through the phases, and each reads back.
pub fn check_file(source: &Path) -> Result<(), String> {
    let mut session = Session::new(Options::default());
    let mut module =
        pipeline::front_end(&mut session, source, Extent::All).map_err(|failure| format!("{failure:?}"))?;
    round_trip(&module)?;
    for (from, to) in Form::STEPS {
        pipeline::advance(&session, &mut module, from, to).map_err(|failure| format!("{failure:?}"))?;
        round_trip(&module)?;
    }
    Ok(())
}

/// `parse(print(x))` prints the same again, and obeys the verifier as `x` does.
pub fn round_trip(module: &Module) -> Result<(), String> {
    let plain = print_module(module, SsaStyle::Params);
    for style in [SsaStyle::Params, SsaStyle::Phi] {
        let text = print_module(module, style);
        let again =
            parse_module(&text).map_err(|error| format!("{style:?}: the printed text does not parse: {error}"))?;
        let printed = print_module(&again, SsaStyle::Params);
        if printed != plain {
            let difference = crate::judge::first_difference(plain.as_bytes(), printed.as_bytes());
            return Err(format!("{style:?}: the text reads back as something else: {difference}"));
        }
        verify_module(&again).map_err(|errors| format!("{style:?}: what was read back breaks {}", errors[0]))?;
    }
    flat_round_trip(module, &plain)
}

/// The leaders of a TAC function as a flat list are its blocks: what reads back is the same function.
fn flat_round_trip(module: &Module, plain: &str) -> Result<(), String> {
    let (mut text, mut rest) = (String::new(), plain);
    for func in module.funcs.iter().filter(|func| func.phase == Phase::Tac) {
        let blocks = print_func(func, &module.info, SsaStyle::Params);
        let at = rest.find(&blocks).ok_or("the module's text has its functions in order")?;
        text += &rest[..at];
        text += &print_flat(func, &module.info);
        rest = &rest[at + blocks.len()..];
    }
    text += rest;
    let again = parse_module(&text).map_err(|error| format!("the flat lists do not parse: {error}"))?;
    let printed = print_module(&again, SsaStyle::Params);
    if printed != plain {
        let difference = crate::judge::first_difference(plain.as_bytes(), printed.as_bytes());
        return Err(format!("the flat lists have other blocks: {difference}"));
    }
    Ok(())
}
