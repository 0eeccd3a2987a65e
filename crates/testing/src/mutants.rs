//! Judges are judged: a random change of a valid function is noticed, or is none.
//!
//! *In:* a module that obeys the rules, and a [`Mutant`] of one of its functions. *Out:* a [`Verdict`], or what went wrong. The verifier says
//! what it thinks first. If it accepts the mutant, then
//!
//! * the mutant is well-formed by definition (`well_formed`), and its text reads back as the same;
//! * the interpreter runs it to some end, and so it does after SSA construction and after destruction, with the same result
//!   unless the program did what is undefined;
//! * selection, both register allocators with their checker, and encoding take it.
//!
//! Nothing ever panics. So a mutant is refused, or shows by what it does, or makes no difference to this run.

use crate::textual::round_trip;
use crate::well_formed;
use mini_base::ids::Id;
use mini_base::testing::Random;
use mini_driver::bug::guard;
use mini_driver::options::{Choice, Destruction, Options, RegisterAllocation, Verify};
use mini_driver::pipeline::{self, Form};
use mini_driver::session::Session;
use mini_interp::host::MemoryHost;
use mini_interp::machine;
use mini_interp::outcome::End;
use mini_ir::func::Func;
use mini_ir::module::{FuncId, Module};
use mini_ir::mutate::{Kind, mutate};
use mini_ir::text::{SsaStyle, print_module};
use mini_ir::verify::verify_module;
use mini_x64::data::StaticData;
use mini_x64::mir::Mir;

/// What is to be seen of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seen {
    /// How it ended.
    pub end: End,
    /// What it wrote.
    pub stdout: Vec<u8>,
    /// What it wrote.
    pub stderr: Vec<u8>,
}

/// What a program is given.
#[derive(Clone, Debug, Default)]
pub struct Given {
    /// Standard input.
    pub stdin: Vec<u8>,
    /// The arguments.
    pub args: Vec<Vec<u8>>,
}

/// How a mutant was noticed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Verdict {
    /// The verifier refuses it.
    Refused,
    /// It does something else.
    Differs,
    /// It does the same here.
    Same,
}

/// A module with one change in one function.
#[derive(Clone, Debug)]
pub struct Mutant {
    /// All of it.
    pub module: Module,
    /// The function that was changed.
    pub func: FuncId,
    /// How.
    pub kind: Kind,
    /// The way through the compiler that it is to take.
    pub options: Options,
}

/// A random mutant.
pub fn mutant(original: &Module, random: &mut Random) -> Option<Mutant> {
    let func = FuncId::new(random.below(original.funcs.len()));
    let kind = Kind::ALL[random.below(Kind::ALL.len())];
    let mut module = original.clone();
    let options = random_way(random);
    mutate(&mut module.funcs[func], &module.info, kind, random).then_some(Mutant { module, func, kind, options })
}

/// A level of optimisation, a way into SSA and a sound way out of it.
pub fn random_way(random: &mut Random) -> Options {
    fn one<C: Choice>(random: &mut Random) -> C {
        C::AVAILABLE[random.below(C::AVAILABLE.len())].1
    }
    let destruction = match one::<Destruction>(random) {
        sound if sound.is_sound() => sound,
        _ => Destruction::default(),
    };
    let (level, ssa) = (one(random), one(random));
    Options { verify: Verify::EachStep, level, ssa, destruction, ..Options::default() }
}

/// Jumps and calls after which a mutant is stopped.
const FUEL: u64 = 20_000;

/// Runs a module, for a while.
pub fn run(module: &Module, given: &Given) -> Seen {
    run_for(module, given, FUEL)
}

fn run_for(module: &Module, given: &Given, fuel: u64) -> Seen {
    let mut host = MemoryHost { stdin: given.stdin.clone(), args: given.args.clone(), ..MemoryHost::default() };
    let options = machine::Options {
        max_frames: 10_000,
        max_stack_words: 1 << 24,
        heap_limit: 64 << 20,
        fuel: Some(fuel),
        ..machine::Options::default()
    };
    let outcome = machine::run(module, &mut host, options);
    Seen { end: outcome.end, stdout: host.stdout, stderr: host.stderr }
}

/// Judges a mutant of a module that did what `before` says. The error says what should not be.
pub fn judge(mutant: &Mutant, given: &Given, before: &Seen) -> Result<Verdict, String> {
    judge_unnamed(mutant, given, before).map_err(|trouble| {
        let func = &mutant.module.funcs[mutant.func];
        let text = guard("print", None, || print_module(&mutant.module, SsaStyle::Params)).unwrap_or_default();
        let Options { level, ssa, destruction, .. } = &mutant.options;
        let way = format!("{level:?}, {ssa:?}, {destruction:?}");
        format!("{:?} in `{}`, {:?}, {way}: {trouble}\n{text}", mutant.kind, func.name, func.phase)
    })
}

fn judge_unnamed(mutant: &Mutant, given: &Given, before: &Seen) -> Result<Verdict, String> {
    let module = &mutant.module;
    let func = &module.funcs[mutant.func];
    let panicked = |bug: mini_driver::bug::Bug| bug.summary();
    let accepted = guard("verify", None, || verify_module(module)).map_err(panicked)?.is_ok();
    if !accepted {
        // What is refused is shown to people all the same. Broken lists of instructions have no text.
        if mutant.kind != Kind::Links {
            for style in [SsaStyle::Params, SsaStyle::Phi] {
                guard("print", None, || print_module(module, style)).map_err(panicked)?;
            }
        }
        return Ok(Verdict::Refused);
    }
    well_formed::check(func, &module.info).map_err(|trouble| format!("accepted, but not well-formed: {trouble}"))?;
    guard("text", None, || round_trip(module)).map_err(panicked)??;
    let after = guard("interpreter", None, || run(module, given)).map_err(panicked)?;
    onward(module, &[mutant.func], &mutant.options, given, &after)?;
    Ok(if after == *before { Verdict::Same } else { Verdict::Differs })
}

/// Takes a valid module, of which `seen` was seen, through the rest of the compiler; these of its functions to machine code.
pub fn onward(module: &Module, funcs: &[FuncId], options: &Options, given: &Given, seen: &Seen) -> Result<(), String> {
    let mut session = Session::new(options.clone());
    let mut module = module.clone();
    for (from, to) in Form::STEPS {
        pipeline::advance(&session, &mut module, from, to).map_err(|failure| format!("{failure:?}"))?;
        // Blocks on edges take jumps, too.
        let again = guard("interpreter", None, || run_for(&module, given, 5 * FUEL)).map_err(|bug| bug.summary())?;
        // What is undefined may differ, and what has not ended has gone as far as the fuel took it.
        let comparable = |seen: &Seen| !matches!(seen.end, End::Undefined(_) | End::OutOfFuel);
        if comparable(seen) && again != *seen {
            return Err(format!("in {to:?} it does something else: {again:?} instead of {seen:?}"));
        }
    }
    let data = guard("data", None, || StaticData::build(&module)).map_err(|bug| bug.summary())?;
    for &func in funcs {
        let func: &Func = &module.funcs[func];
        let mir = pipeline::select(&session, func, &module, &data).map_err(|bug| bug.summary())?;
        machine_code(&mut session, &mir)?;
    }
    Ok(())
}

/// Takes valid machine code with virtual registers through both allocators and the encoder.
pub fn machine_code(session: &mut Session, mir: &Mir) -> Result<(), String> {
    for registers in [RegisterAllocation::LinearScan, RegisterAllocation::SpillEverything] {
        session.options.registers = registers;
        let mir = pipeline::allocate(session, mir.clone()).map_err(|bug| bug.summary())?;
        guard("encode", None, || mini_x64::encode::encode(&mir)).map_err(|bug| bug.summary())?;
    }
    Ok(())
}
