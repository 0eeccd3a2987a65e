//! The loop over decoded instructions, its frames, and what stops it.
//!
//! *In:* a module of any phase, the host, options. *Out:* how the run ended; what the language defines is written to the host.
//! *Cost:* a few nanoseconds an instruction. A frame takes a word a slot and three words more.
//! *Leaves:* words are untyped; types are the verifier's business, which runs first. What a verified module can still do wrong
//! (null dereferenced, index unchecked, ⊥ read) ends in [`End::Undefined`].
//!
//! ⊥ may be copied, passed, returned, and computed with by pure operations, which give ⊥; anything else that reads it
//! ends the run. It is tracked only in modules in which a function may read it; that loop, and the one that counts, are instances of their own.

use crate::builtins;
use crate::cells::Cells;
use crate::code::{
    CallSite, Callee, Code, FuncCode, Kind, NO_CLASS, Program, computing_kinds, pure_operands, with_computing,
};
use crate::decode::decode;
use crate::heap::{Heap, Object};
use crate::host::{Host, WriteError};
use crate::outcome::{Counts, End, Outcome};
use crate::output::Streams;
use mini_base::ids::Id;
use mini_base::names::shown_name;
use mini_base::source::{Pos, SourceMap};
use mini_ir::class::Class;
use mini_ir::eval::{self, Trap, compute};
use mini_ir::module::{ExternId, FuncId, Module};
use mini_ir::op::Op;
use mini_ir::types::Type;
use mini_ir::verify::{Rule, VerifyError, verify_module, verify_module_structure};

/// Whether executed operations are counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Counting {
    /// No; faster.
    #[default]
    Off,
    /// Yes.
    On,
}

/// Which of the verifier's rules are checked before the run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Checking {
    /// All.
    #[default]
    All,
    /// Only those of structure: the caller checked the others, or wants to run code that breaks them.
    Structure,
}

/// How to run.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// Where positions are looked up; without, errors have no line with a place.
    pub sources: Option<&'a SourceMap>,
    /// Whether to count.
    pub counting: Counting,
    /// What to check first.
    pub checking: Checking,
    /// More frames are a stack overflow.
    pub max_frames: usize,
    /// More words in all frames together are a stack overflow.
    pub max_stack_words: usize,
    /// More bytes in objects are out of memory.
    pub heap_limit: u64,
    /// At least so many bytes are allocated between collections; with 0, each allocation collects before.
    pub heap_step: u64,
    /// The run ends after so many terminators and calls.
    pub fuel: Option<u64>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options {
            sources: None,
            counting: Counting::Off,
            checking: Checking::All,
            max_frames: 2_000_000,
            max_stack_words: 1 << 26,
            heap_limit: 2 << 30,
            heap_step: 32 << 20,
            fuel: None,
        }
    }
}

/// Runs a module from its start function.
pub fn run(module: &Module, host: &mut dyn Host, options: Options<'_>) -> Outcome {
    let checked = match options.checking {
        Checking::All => verify_module(module),
        Checking::Structure => verify_module_structure(module),
    };
    let start = match checked.and_then(|()| start(module)) {
        Ok(start) => start,
        Err(errors) => return Outcome { end: End::Invalid(errors), counts: Counts::default() },
    };
    let heap = Heap::new(module, options.heap_limit, options.heap_step);
    let program = decode(module, &heap);
    let mut machine = Machine {
        module,
        options,
        heap,
        streams: Streams::new(host),
        texts: Vec::new(),
        globals: vec![0; module.info.globals.len()],
        frames: Vec::new(),
        cells: Cells::default(),
        counts: [0; CLASSES],
        pc: 0,
    };
    let stop = match (options.counting, program.may_read_undef) {
        (Counting::Off, false) => machine.execute::<false, false>(&program, start),
        (Counting::Off, true) => machine.execute::<false, true>(&program, start),
        (Counting::On, false) => machine.execute::<true, false>(&program, start),
        (Counting::On, true) => machine.execute::<true, true>(&program, start),
    };
    let end = machine.finish(&program, stop);
    let counts = match options.counting {
        Counting::On => Counts::new(machine.counts),
        Counting::Off => Counts::default(),
    };
    Outcome { end, counts }
}

fn start(module: &Module) -> Result<FuncId, Vec<VerifyError>> {
    let complain = |func: &str, message: &str| {
        let message = message.to_string();
        Err(vec![VerifyError { rule: Rule::Signature, func: func.into(), place: String::new(), message }])
    };
    let Some(start) = module.start else { return complain("the module", "there is no `main` to start with") };
    let head = match module.info.signatures.get(start) {
        Some(head) if start.index() < module.funcs.len() => head,
        _ => return complain("the module", "there is no function to start with"),
    };
    if !head.params.is_empty() || !matches!(head.results.as_slice(), [] | [Type::Int]) {
        return complain(&head.name, "the function to start with takes nothing and returns an int or nothing");
    }
    Ok(start)
}

const CLASSES: usize = Class::ALL.len();

/// What ends the loop.
#[derive(Debug)]
pub(crate) enum Stop {
    Exit(i64),
    Trap(Trap),
    Error(Vec<u8>),
    StackOverflow,
    Write(WriteError),
    Undefined(String),
    /// The number of a C function.
    CallsC(u32),
    OutOfFuel,
}

impl From<Trap> for Stop {
    fn from(trap: Trap) -> Stop {
        Stop::Trap(trap)
    }
}

impl From<WriteError> for Stop {
    fn from(error: WriteError) -> Stop {
        Stop::Write(error)
    }
}

pub(crate) fn undefined<T>(what: &str) -> Result<T, Stop> {
    Err(Stop::Undefined(what.to_string()))
}

/// A function that waits for a call, or the running one.
#[derive(Clone, Copy, Debug)]
struct Frame {
    func: u32,
    /// The function value it was called with; 0 if by name.
    env: u32,
    /// Where its slots begin.
    base: usize,
    /// Where it goes on; behind its call.
    pc: u32,
}

pub(crate) struct Machine<'a, 'h> {
    pub module: &'a Module,
    pub options: Options<'a>,
    pub heap: Heap,
    pub streams: Streams<'h>,
    /// The texts being built, innermost last.
    pub texts: Vec<Vec<u8>>,
    globals: Vec<u64>,
    frames: Vec<Frame>,
    /// The stack slots of all frames.
    cells: Cells,
    counts: [u64; CLASSES],
    /// Of the instruction that stopped the loop.
    pc: usize,
}

impl Machine<'_, '_> {
    /// Runs from a function until something stops it.
    fn execute<const COUNT: bool, const TRACK: bool>(&mut self, program: &Program, start: FuncId) -> Stop {
        let mut stack: Vec<u64> = Vec::new();
        // For each slot, whether it holds ⊥.
        let mut shadow: Vec<bool> = Vec::new();
        let first = &program.funcs[start.index()];
        let mut pc = first.entry as usize;
        self.frames.push(Frame { func: start.index() as u32, env: 0, base: 0, pc: 0 });
        stack.resize(first.slots as usize, 0);
        self.cells.enter(&first.cells);
        if TRACK {
            shadow.resize(stack.len(), true);
        }
        loop {
            match self.execute_frame::<COUNT, TRACK>(program, &mut pc, &mut stack, &mut shadow) {
                Ok(()) => {}
                Err(stop) => {
                    self.pc = pc - 1;
                    return stop;
                }
            }
        }
    }

    /// Runs within one frame: until a call, a return, or a stop.
    fn execute_frame<const COUNT: bool, const TRACK: bool>(
        &mut self,
        program: &Program,
        at: &mut usize,
        stack: &mut Vec<u64>,
        shadow: &mut Vec<bool>,
    ) -> Result<(), Stop> {
        let mut fuel = self.options.fuel.map_or(u64::MAX, |fuel| fuel.max(1));
        let base = self.frames.last().expect("a frame runs").base;
        let code = program.code.as_slice();
        let mut pc = *at;
        let regs = &mut stack[base..];
        let end;
        macro_rules! stop {
            ($stop:expr) => {{
                end = Err($stop);
                break;
            }};
        }
        macro_rules! attempt {
            ($result:expr) => {
                match $result {
                    Ok(value) => value,
                    Err(error) => stop!(Stop::from(error)),
                }
            };
        }
        macro_rules! burn {
            () => {
                fuel -= 1;
                if fuel == 0 {
                    stop!(Stop::OutOfFuel);
                }
            };
        }
        macro_rules! step {
            ($($unary:ident)*; $($binary:ident)*) => {
                loop {
                    let Code { kind, class, d, a, b, c } = code[pc];
                    pc += 1;
                    let (d, a, b, c) = (d as usize, a as usize, b as usize, c as usize);
                    if COUNT && class != NO_CLASS {
                        self.counts[class as usize] += 1;
                    }
                    if TRACK {
                        attempt!(track(&code[pc - 1], program, regs, &mut shadow[base..]));
                    }
                    match kind {
                        $(Kind::$unary => {
                            // These never trap.
                            if let Ok(word) = compute(Op::$unary, regs[a], 0) {
                                regs[d] = word;
                            }
                        })*
                        $(Kind::$binary => {
                            if let Ok(word) = compute(Op::$binary, regs[a], regs[b]) {
                                regs[d] = word;
                            }
                        })*
                        Kind::Div => regs[d] = attempt!(compute(Op::Div, regs[a], regs[b])),
                        Kind::Rem => regs[d] = attempt!(compute(Op::Rem, regs[a], regs[b])),
                        Kind::Const => regs[d] = a as u64 | (b as u64) << 32,
                        Kind::Undef => regs[d] = 0,
                        Kind::Env => regs[d] = u64::from(self.frames.last().expect("a frame runs").env),
                        Kind::Select => regs[d] = if regs[a] != 0 { regs[b] } else { regs[c] },
                        Kind::LoadField => regs[d] = attempt!(load_field(&self.heap, regs[a], c, b)),
                        Kind::StoreField => attempt!(store_field(&mut self.heap, regs[a], c, b, regs[d])),
                        Kind::LoadWord => regs[d] = attempt!(load_word(&self.heap, regs[a], c, whole(regs[b]))),
                        Kind::LoadSmall => regs[d] = attempt!(load_small(&self.heap, regs[a], c, whole(regs[b]))),
                        Kind::LoadWordPart => {
                            regs[d] = attempt!(load_word(&self.heap, regs[a], c / 2, pair_index(regs[b], c)));
                        }
                        Kind::LoadSmallPart => {
                            regs[d] = attempt!(load_small(&self.heap, regs[a], c / 2, pair_index(regs[b], c)));
                        }
                        Kind::StoreWord => {
                            attempt!(store_word(&mut self.heap, regs[a], c, whole(regs[b]), regs[d]));
                        }
                        Kind::StoreSmall => {
                            attempt!(store_small(&mut self.heap, regs[a], c, whole(regs[b]), regs[d]));
                        }
                        Kind::StoreWordPart => {
                            attempt!(store_word(&mut self.heap, regs[a], c / 2, pair_index(regs[b], c), regs[d]));
                        }
                        Kind::StoreSmallPart => {
                            attempt!(store_small(&mut self.heap, regs[a], c / 2, pair_index(regs[b], c), regs[d]));
                        }
                        Kind::LoadByte => match self.heap.get(regs[a]) {
                            Some(Object::Str(bytes)) => match bytes.get(regs[b] as usize) {
                                Some(&byte) => regs[d] = u64::from(byte),
                                None => stop!(wild_index()),
                            },
                            _ => stop!(wrong_object(&self.heap, regs[a], "a string")),
                        },
                        Kind::Length => match self.heap.length(regs[a]) {
                            Some(length) => regs[d] = length as u64,
                            None => stop!(wrong_object(&self.heap, regs[a], "a string or array")),
                        },
                        Kind::Tag => match self.heap.tag(regs[a]) {
                            Some(tag) => regs[d] = u64::from(tag),
                            None => stop!(wrong_object(&self.heap, regs[a], "a variant")),
                        },
                        Kind::Slot => {
                            let func = self.frames.last().expect("a frame runs").func as usize;
                            regs[d] = self.cells.address(program.funcs[func].cells.len(), a);
                        }
                        Kind::Load => {
                            let (word, is_undef) = attempt!(self.cells.load(regs[a], b));
                            regs[d] = word;
                            if TRACK {
                                shadow[base + d] = is_undef;
                            }
                        }
                        Kind::Store => {
                            let is_undef = TRACK && shadow[base + d];
                            attempt!(self.cells.store(regs[a], b, (regs[d], is_undef)));
                        }
                        Kind::LoadGlobal => regs[d] = self.globals[a],
                        Kind::StoreGlobal => self.globals[a] = regs[d],
                        Kind::CheckBounds => attempt!(eval::check_bounds(regs[a] as i64, regs[b] as i64)),
                        Kind::CheckSlice => {
                            attempt!(eval::check_slice(regs[a] as i64, regs[b] as i64, regs[c] as i64));
                        }
                        Kind::CheckSome => attempt!(eval::check_some(regs[a])),
                        Kind::CheckLength => attempt!(eval::check_length(regs[a] as i64)),
                        Kind::CheckStep => attempt!(eval::check_step(regs[a] as i64)),
                        Kind::Goto => {
                            burn!();
                            pc = a;
                        }
                        Kind::Branch => {
                            burn!();
                            pc = if regs[d] != 0 { a } else { b };
                        }
                        Kind::Switch => {
                            burn!();
                            let table = &program.switches[a];
                            let value = regs[d] as i64;
                            pc = match table.cases.binary_search_by_key(&value, |case| case.0) {
                                Ok(n) => table.cases[n].1 as usize,
                                Err(_) => table.default as usize,
                            };
                        }
                        Kind::Unreachable => stop!(Stop::Undefined("control got to `unreachable`".into())),
                        // The rest needs more than the frame.
                        Kind::New
                        | Kind::NewArray
                        | Kind::Call
                        | Kind::CallRef
                        | Kind::Builtin
                        | Kind::CallExtern
                        | Kind::Return => {
                            burn!();
                            end = Ok((kind, d, a, b, c));
                            break;
                        }
                    }
                }
            };
        }
        with_computing!(step);
        *at = pc;
        self.options.fuel = self.options.fuel.map(|_| fuel);
        let (kind, d, a, b, c) = end?;
        match kind {
            Kind::New => {
                let parts = self.heap.struct_bytes(a as u32);
                self.make_room(program, stack, parts)?;
                stack[base + d] = self.heap.new_struct(a as u32);
            }
            Kind::NewArray => {
                let length = stack[base + b] as i64;
                if length < 0 {
                    return undefined("an array's length is negative");
                }
                let Some(bytes) = self.heap.array_bytes(a as u32, length) else { return out_of_memory() };
                self.make_room(program, stack, bytes)?;
                match self.heap.new_array(a as u32, length) {
                    Ok(array) => stack[base + d] = array,
                    Err(_) => return out_of_memory(),
                }
            }
            Kind::Call | Kind::CallRef => {
                let site = &program.calls[a];
                let (func, env) = self.callee(program, site, &stack[base..])?;
                self.enter::<TRACK>(program, site, (func, env), at, stack, shadow)?;
            }
            Kind::Builtin => {
                self.make_room(program, stack, 0)?;
                builtins::call(self, &program.calls[a], &mut stack[base..])?;
                self.make_room(program, stack, 0)?;
            }
            Kind::CallExtern => return Err(Stop::CallsC(a as u32)),
            Kind::Return => {
                let values = [stack.get(base + a).copied().unwrap_or(0), stack.get(base + b).copied().unwrap_or(0)];
                let undef = |slot: usize| TRACK && shadow.get(base + slot).copied().unwrap_or(false);
                let undef = [undef(a), undef(b)];
                if let Some(frame) = self.frames.pop() {
                    self.cells.leave(&program.funcs[frame.func as usize].cells);
                }
                let Some(caller) = self.frames.last() else {
                    if c > 0 && undef[0] {
                        return undefined("the exit status is undefined");
                    }
                    return Err(Stop::Exit(if c > 0 { values[0] as i64 } else { 0 }));
                };
                stack.truncate(base);
                if TRACK {
                    shadow.truncate(base);
                }
                *at = caller.pc as usize;
                let site = &program.calls[program.code[*at - 1].a as usize];
                for n in 0..c.min(site.result_count as usize) {
                    let slot = caller.base + site.results[n] as usize;
                    stack[slot] = values[n];
                    if TRACK {
                        shadow[slot] = undef[n];
                    }
                }
            }
            _ => unreachable!("only these leave the loop"),
        }
        Ok(())
    }

    /// The function that a site calls, and the function value it is called with.
    fn callee(&self, program: &Program, site: &CallSite, regs: &[u64]) -> Result<(u32, u32), Stop> {
        let (func, env) = match site.callee {
            Callee::Func(func) => return Ok((func, 0)),
            Callee::Value(slot) => match self.heap.get(regs[slot as usize]) {
                Some(Object::Func(func)) => (*func, regs[slot as usize] as u32),
                // A closure: the code is its first field.
                Some(Object::Fields(_, words)) if words.first().is_some_and(|&f| f < program.funcs.len() as u64) => {
                    (words[0] as u32, regs[slot as usize] as u32)
                }
                _ => return Err(wrong_object(&self.heap, regs[slot as usize], "a function value")),
            },
            Callee::Builtin(_) => return undefined("a run-time function is called as one of the module"),
        };
        if program.funcs[func as usize].signature != site.signature {
            return undefined("a function value is called with other types than it has");
        }
        Ok((func, env))
    }

    /// Makes a frame and copies the arguments into its first slots.
    fn enter<const TRACK: bool>(
        &mut self,
        program: &Program,
        site: &CallSite,
        (func, env): (u32, u32),
        at: &mut usize,
        stack: &mut Vec<u64>,
        shadow: &mut Vec<bool>,
    ) -> Result<(), Stop> {
        let &FuncCode { entry, slots, ref cells, .. } = &program.funcs[func as usize];
        let base = stack.len();
        let words = base + slots as usize + self.cells.count() + cells.len();
        if self.frames.len() >= self.options.max_frames || words > self.options.max_stack_words {
            return Err(Stop::StackOverflow);
        }
        self.cells.enter(cells);
        let caller = self.frames.last_mut().expect("a frame calls");
        caller.pc = *at as u32;
        let caller_base = caller.base;
        stack.resize(base + slots as usize, 0);
        for (n, &arg) in site.args.iter().enumerate() {
            stack[base + n] = stack[caller_base + arg as usize];
        }
        if TRACK {
            shadow.resize(base + slots as usize, true);
            for (n, &arg) in site.args.iter().enumerate() {
                shadow[base + n] = shadow[caller_base + arg as usize];
            }
        }
        self.frames.push(Frame { func, env, base, pc: 0 });
        *at = entry as usize;
        Ok(())
    }

    /// Collects if it is time, or if so many bytes do not fit otherwise.
    #[inline]
    fn make_room(&mut self, program: &Program, stack: &[u64], bytes: u64) -> Result<(), Stop> {
        if self.heap.is_full() || !self.heap.fits(bytes) {
            self.collect(program, stack);
            if !self.heap.fits(bytes) {
                return out_of_memory();
            }
        }
        Ok(())
    }

    fn collect(&mut self, program: &Program, stack: &[u64]) {
        let globals = self.module.info.globals.iter().zip(&self.globals);
        let globals = globals.filter(|(global, _)| global.ty == Type::Ref).map(|(_, &word)| word);
        let frames = self.frames.iter().flat_map(|frame| {
            let refs = program.funcs[frame.func as usize].refs.iter();
            refs.map(|&slot| stack[frame.base + slot as usize]).chain([u64::from(frame.env)])
        });
        self.heap.collect(globals.chain(frames).chain(self.cells.references()));
    }

    /// Flushes and reports as the language reference says.
    fn finish(&mut self, program: &Program, stop: Stop) -> End {
        let text = match stop {
            Stop::Exit(status) => {
                return match self.streams.flush() {
                    Ok(()) => End::Exit(status as u8),
                    Err(error) => self.write_failed(error),
                };
            }
            Stop::Write(error) => return self.write_failed(error),
            Stop::Trap(trap) => trap.to_string().into_bytes(),
            Stop::Error(text) => text,
            Stop::StackOverflow => b"stack overflow".to_vec(),
            Stop::Undefined(what) => {
                let message = format!("undefined behaviour in IR: {what}");
                // The run is worth nothing, so what flushing says does not matter.
                let _ = self.streams.flush();
                self.report(program, "", message.as_bytes());
                return End::Undefined(what);
            }
            Stop::CallsC(function) => {
                let name = &self.module.info.externs[ExternId::new(function as usize)].name;
                let message = format!("error: the interpreter can't call the C function `{name}`; build the program");
                let _ = self.streams.flush();
                self.report(program, "", message.as_bytes());
                return End::CallsC(name.to_string());
            }
            Stop::OutOfFuel => {
                let _ = self.streams.flush();
                return End::OutOfFuel;
            }
        };
        if let Err(error) = self.streams.flush() {
            return self.write_failed(error);
        }
        self.report(program, "runtime error: ", &text);
        End::RuntimeError(text)
    }

    fn write_failed(&mut self, error: WriteError) -> End {
        match error {
            WriteError::Closed => End::StdoutClosed,
            WriteError::Other => {
                self.streams.host.write_stderr(b"error: cannot write to stdout\n");
                End::StdoutFailed
            }
        }
    }

    /// Writes a message, the place, and the call stack to stderr.
    fn report(&mut self, program: &Program, head: &str, message: &[u8]) {
        let mut out = head.as_bytes().to_vec();
        out.extend_from_slice(message);
        out.push(b'\n');
        let funcs = self.frames.iter().rev().map(|frame| &self.module.funcs[FuncId::new(frame.func as usize)]);
        let pcs = std::iter::once(self.pc).chain(self.frames.iter().rev().skip(1).map(|frame| frame.pc as usize - 1));
        // Of a function that the compiler made, the place is the call in the user's code.
        let place = funcs.clone().zip(pcs).find_map(|(func, pc)| {
            let pos = program.positions.get(pc).copied().unwrap_or(Pos::NONE);
            (!func.hidden && pos != Pos::NONE).then_some(pos)
        });
        let place = place.or_else(|| program.positions.get(self.pc).copied());
        if let Some((path, at)) = place.and_then(|pos| self.options.sources?.locate(pos)) {
            out.extend_from_slice(format!("  --> {}:{}:{}\n", path.display(), at.line, at.column).as_bytes());
        }
        let visible = funcs.filter(|func| !func.hidden);
        let count = visible.clone().count();
        for func in visible.take(SHOWN_FRAMES) {
            out.extend_from_slice(format!("  in {}\n", shown_name(&func.name)).as_bytes());
        }
        if count > SHOWN_FRAMES {
            out.extend_from_slice(format!("  … {} more\n", count - SHOWN_FRAMES).as_bytes());
        }
        self.streams.host.write_stderr(&out);
    }
}

const SHOWN_FRAMES: usize = 32;

fn out_of_memory<T>() -> Result<T, Stop> {
    Err(Stop::Error(b"out of memory".to_vec()))
}

/// The place of a part of an element of two parts; `c` holds the part in its lowest bit.
#[inline]
fn pair_index(index: u64, c: usize) -> Option<usize> {
    usize::try_from(index).ok()?.checked_mul(2)?.checked_add(c & 1)
}

/// The place of an element of one part.
#[inline]
fn whole(index: u64) -> Option<usize> {
    usize::try_from(index).ok()
}

#[inline]
fn load_field(heap: &Heap, object: u64, layout: usize, field: usize) -> Result<u64, Stop> {
    match heap.get(object) {
        Some(Object::Fields(found, words)) if *found == layout as u32 => {
            words.get(field).copied().ok_or_else(wrong_layout)
        }
        Some(Object::Fields(..)) => Err(wrong_layout()),
        _ => Err(wrong_object(heap, object, "a struct")),
    }
}

#[inline]
fn store_field(heap: &mut Heap, object: u64, layout: usize, field: usize, value: u64) -> Result<(), Stop> {
    match heap.get_mut(object) {
        Some(Object::Fields(found, words)) if *found == layout as u32 => {
            *words.get_mut(field).ok_or_else(wrong_layout)? = value;
            Ok(())
        }
        _ => Err(wrong_object(heap, object, "a struct of that layout")),
    }
}

#[inline]
fn load_word(heap: &Heap, array: u64, layout: usize, at: Option<usize>) -> Result<u64, Stop> {
    match heap.get(array) {
        Some(Object::Words(found, words)) if *found == layout as u32 => {
            at.and_then(|at| words.get(at)).copied().ok_or_else(wild_index)
        }
        _ => Err(wrong_object(heap, array, "an array of that layout")),
    }
}

#[inline]
fn load_small(heap: &Heap, array: u64, layout: usize, at: Option<usize>) -> Result<u64, Stop> {
    match heap.get(array) {
        Some(Object::Bytes(found, bytes)) if *found == layout as u32 => {
            at.and_then(|at| bytes.get(at)).map(|&byte| u64::from(byte)).ok_or_else(wild_index)
        }
        _ => Err(wrong_object(heap, array, "an array of that layout")),
    }
}

#[inline]
fn store_word(heap: &mut Heap, array: u64, layout: usize, at: Option<usize>, value: u64) -> Result<(), Stop> {
    match heap.get_mut(array) {
        Some(Object::Words(found, words)) if *found == layout as u32 => {
            *at.and_then(|at| words.get_mut(at)).ok_or_else(wild_index)? = value;
            Ok(())
        }
        _ => Err(wrong_object(heap, array, "an array of that layout")),
    }
}

#[inline]
fn store_small(heap: &mut Heap, array: u64, layout: usize, at: Option<usize>, value: u64) -> Result<(), Stop> {
    match heap.get_mut(array) {
        Some(Object::Bytes(found, bytes)) if *found == layout as u32 => {
            *at.and_then(|at| bytes.get_mut(at)).ok_or_else(wild_index)? = value as u8;
            Ok(())
        }
        _ => Err(wrong_object(heap, array, "an array of that layout")),
    }
}

#[cold]
fn wrong_object(heap: &Heap, reference: u64, wanted: &str) -> Stop {
    let found = match heap.get(reference) {
        Some(Object::Free(_)) if reference == 0 => "null",
        Some(Object::Fields(..)) => "a struct",
        Some(Object::Words(..) | Object::Bytes(..)) => "an array",
        Some(Object::Str(_)) => "a string",
        Some(Object::Func(_)) => "a function value",
        Some(Object::Free(_)) | None => "no object",
    };
    Stop::Undefined(format!("{found} is used as {wanted}"))
}

#[cold]
fn wrong_layout() -> Stop {
    Stop::Undefined("an object has another layout".into())
}

#[cold]
fn wild_index() -> Stop {
    Stop::Undefined("an index is out of bounds and was not checked".into())
}

/// Moves ⊥ along, or stops where it may not be read.
fn track(code: &Code, program: &Program, regs: &[u64], shadow: &mut [bool]) -> Result<(), Stop> {
    let Code { kind, d, a, b, c, .. } = *code;
    let (d, a, b, c) = (d as usize, a as usize, b as usize, c as usize);
    match pure_operands(kind) {
        Some(1) => {
            shadow[d] = shadow[a];
            return Ok(());
        }
        Some(_) => {
            shadow[d] = shadow[a] | shadow[b];
            return Ok(());
        }
        None => {}
    }
    let (read, written): (&[usize], Option<usize>) = match kind {
        Kind::Undef => {
            shadow[d] = true;
            return Ok(());
        }
        Kind::Select => {
            shadow[d] = shadow[a] || shadow[if regs[a] != 0 { b } else { c }];
            return Ok(());
        }
        Kind::Div | Kind::Rem | Kind::LoadByte => (&[a, b], Some(d)),
        Kind::Const | Kind::Env | Kind::New | Kind::LoadGlobal | Kind::Slot => (&[], Some(d)),
        // What is in the slot may be ⊥, its address may not.
        Kind::Load | Kind::Store => (&[a], None),
        Kind::NewArray => (&[b], Some(d)),
        Kind::LoadField | Kind::Length | Kind::Tag => (&[a], Some(d)),
        Kind::StoreField => (&[d, a], None),
        Kind::LoadWord | Kind::LoadWordPart | Kind::LoadSmall | Kind::LoadSmallPart => (&[a, b], Some(d)),
        Kind::StoreWord | Kind::StoreWordPart | Kind::StoreSmall | Kind::StoreSmallPart => (&[d, a, b], None),
        Kind::StoreGlobal => (&[d], None),
        Kind::CheckBounds => (&[a, b], None),
        Kind::CheckSlice => (&[a, b, c], None),
        Kind::CheckSome | Kind::CheckLength | Kind::CheckStep => (&[a], None),
        Kind::Branch | Kind::Switch => (&[d], None),
        Kind::Builtin => return track_builtin(&program.calls[a], shadow),
        Kind::CallRef => match program.calls[a].callee {
            Callee::Value(slot) => (&[slot as usize], None),
            Callee::Func(_) | Callee::Builtin(_) => (&[], None),
        },
        // Arguments and results go along in `enter` and at the return.
        Kind::Call | Kind::CallExtern | Kind::Return | Kind::Goto | Kind::Unreachable => (&[], None),
        computing_kinds!() => unreachable!("`pure_operands` knows them"),
    };
    if read.iter().any(|&slot| shadow[slot]) {
        return undefined("use of undef");
    }
    if let Some(d) = written {
        shadow[d] = false;
    }
    Ok(())
}

fn track_builtin(site: &CallSite, shadow: &mut [bool]) -> Result<(), Stop> {
    if site.args.iter().any(|&slot| shadow[slot as usize]) {
        return undefined("use of undef");
    }
    for n in 0..site.result_count as usize {
        shadow[site.results[n] as usize] = false;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
