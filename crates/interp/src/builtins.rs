//! The functions of the run-time library.
//!
//! Those without effect are computed by `mini_ir::eval`; here are those that write, read, make objects or end the program.
//! Objects are made without collections in between: the caller makes room before and looks at the limit afterwards.

use crate::code::{CallSite, Callee};
use crate::machine::{Machine, Stop, undefined};
use mini_ir::builtin::Builtin;
use mini_ir::eval::{Arg, builtin_words};
use mini_ir::types::Type;
use mini_prim::strings;
use mini_prim::text::{self, FIXED_BYTES, NUMBER_BYTES, write_float, write_int};
use std::sync::Arc;

/// Calls the function of a site on the slots of the running frame.
pub(crate) fn call(machine: &mut Machine<'_, '_>, site: &CallSite, regs: &mut [u64]) -> Result<(), Stop> {
    let Callee::Builtin(builtin) = site.callee else { return undefined("a run-time function was expected") };
    let mut words = [0; 4];
    for (word, &slot) in words.iter_mut().zip(&site.args) {
        *word = regs[slot as usize];
    }
    let (first, second) = Call { machine, words }.run(builtin)?;
    for (&slot, word) in site.results.iter().zip([first, second]).take(site.result_count as usize) {
        regs[slot as usize] = word;
    }
    Ok(())
}

struct Call<'m, 'a, 'h> {
    machine: &'m mut Machine<'a, 'h>,
    words: [u64; 4],
}

impl Call<'_, '_, '_> {
    fn int(&self, n: usize) -> i64 {
        self.words[n] as i64
    }

    fn float(&self, n: usize) -> f64 {
        f64::from_bits(self.words[n])
    }

    fn string(&self, n: usize) -> Result<Arc<[u8]>, Stop> {
        match self.machine.heap.string(self.words[n]) {
            Some(bytes) => Ok(bytes.clone()),
            None => undefined("what a run-time function takes for a string is none"),
        }
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(u64, u64), Stop> {
        self.machine.streams.write(bytes)?;
        Ok((0, 0))
    }

    fn append(&mut self, bytes: &[u8]) -> Result<(u64, u64), Stop> {
        match self.machine.texts.last_mut() {
            Some(text) => text.extend_from_slice(bytes),
            None => return undefined("there is no text to append to"),
        }
        Ok((0, 0))
    }

    fn new_string(&mut self, bytes: &[u8]) -> Result<(u64, u64), Stop> {
        Ok((self.machine.heap.new_string(bytes), 0))
    }

    fn new_strings<'s>(&mut self, strings: impl Iterator<Item = &'s [u8]>) -> Result<(u64, u64), Stop> {
        let refs = strings.map(|s| self.machine.heap.new_string(s)).collect();
        Ok((self.machine.heap.new_ref_array(refs), 0))
    }

    /// Gives the words of the results.
    fn run(&mut self, builtin: Builtin) -> Result<(u64, u64), Stop> {
        let mut number = [0; NUMBER_BYTES];
        let byte = self.words[0] as u8;
        match builtin {
            Builtin::out_int => self.write(write_int(self.int(0), &mut number)),
            Builtin::out_float => self.write(write_float(self.float(0), &mut number)),
            Builtin::out_bool => self.write(text::bool_text(self.words[0] != 0)),
            Builtin::out_byte => self.write(write_int(i64::from(byte), &mut number)),
            Builtin::out_string => {
                let bytes = self.string(0)?;
                self.write(&bytes)
            }
            Builtin::out_char => self.write(&[byte]),
            Builtin::err_string => {
                let bytes = self.string(0)?;
                self.machine.streams.host.write_stderr(&bytes);
                Ok((0, 0))
            }
            Builtin::text_begin => {
                self.machine.texts.push(Vec::new());
                Ok((0, 0))
            }
            Builtin::text_int => self.append(write_int(self.int(0), &mut number)),
            Builtin::text_float => self.append(write_float(self.float(0), &mut number)),
            Builtin::text_bool => self.append(text::bool_text(self.words[0] != 0)),
            Builtin::text_byte => self.append(write_int(i64::from(byte), &mut number)),
            Builtin::text_string => {
                let bytes = self.string(0)?;
                self.append(&bytes)
            }
            Builtin::text_quoted => {
                let bytes = self.string(0)?;
                let mut quoted = Vec::new();
                text::quote(&bytes, &mut |piece| quoted.extend_from_slice(piece));
                self.append(&quoted)
            }
            Builtin::text_end => match self.machine.texts.pop() {
                Some(text) => self.new_string(&text),
                None => undefined("there is no text to end"),
            },
            Builtin::string_of_int => self.new_string(write_int(self.int(0), &mut number)),
            Builtin::string_of_float => self.new_string(write_float(self.float(0), &mut number)),
            Builtin::read_line => match self.machine.streams.read_line()? {
                Some(line) => self.new_string(&line),
                None => Ok((0, 0)),
            },
            Builtin::read_all => {
                let rest = self.machine.streams.read_all()?;
                self.new_string(&rest)
            }
            Builtin::read_file => {
                let path = self.string(0)?;
                match self.machine.streams.host.read_file(&path) {
                    Some(data) => self.new_string(&data),
                    None => Ok((0, 0)),
                }
            }
            Builtin::write_file => {
                let (path, data) = (self.string(0)?, self.string(1)?);
                Ok((u64::from(self.machine.streams.host.write_file(&path, &data)), 0))
            }
            Builtin::args => {
                let args = self.machine.streams.host.args();
                self.new_strings(args.iter().map(Vec::as_slice))
            }
            Builtin::clock_ns => Ok((self.machine.streams.host.clock_ns() as u64, 0)),
            Builtin::exit => Err(Stop::Exit(self.int(0))),
            Builtin::panic => Err(Stop::Error([b"panic: ", &*self.string(0)?].concat())),
            Builtin::assert_failed => Err(Stop::Error(b"assertion failed".to_vec())),
            Builtin::assert_failed_with => Err(Stop::Error([b"assertion failed: ", &*self.string(0)?].concat())),
            Builtin::global_too_early => {
                Err(Stop::Error([b"global read before initialisation: ", &*self.string(0)?].concat()))
            }
            Builtin::concat => {
                let text = [self.string(0)?, self.string(1)?].concat();
                self.new_string(&text)
            }
            Builtin::substring => {
                let bytes = self.string(0)?;
                let range = usize::try_from(self.int(1)).ok().zip(usize::try_from(self.int(2)).ok());
                match range.and_then(|(start, end)| bytes.get(start..end)) {
                    Some(part) => self.new_string(part),
                    None => undefined("the bounds of a substring were not checked"),
                }
            }
            Builtin::byte_string => self.new_string(&[byte]),
            Builtin::to_bytes => {
                let bytes = self.string(0)?;
                Ok((self.machine.heap.new_byte_array(&bytes), 0))
            }
            Builtin::string_from_bytes => match self.machine.heap.present_bytes(self.words[0]) {
                Some(bytes) => self.new_string(&bytes),
                None => undefined("what a run-time function takes for a byte array is none"),
            },
            Builtin::replace => {
                let (whole, old, new) = (self.string(0)?, self.string(1)?, self.string(2)?);
                let mut replaced = Vec::new();
                strings::replace(&whole, &old, &new, &mut |piece| replaced.extend_from_slice(piece));
                self.new_string(&replaced)
            }
            Builtin::trim => {
                let bytes = self.string(0)?;
                self.new_string(strings::trim(&bytes))
            }
            Builtin::split => {
                let (whole, separator) = (self.string(0)?, self.string(1)?);
                self.new_strings(strings::split(&whole, &separator))
            }
            Builtin::fixed => {
                let mut buffer = [0; FIXED_BYTES];
                self.new_string(text::fixed(self.float(0), self.int(1), &mut buffer))
            }
            Builtin::c_enter | Builtin::c_leave | Builtin::c_string | Builtin::c_array => {
                undefined("an interpreter is called by C")
            }
            Builtin::array_slice => match self.machine.heap.slice(self.words[0], self.int(1), self.int(2)) {
                Some(array) => Ok((array, 0)),
                None => undefined("the bounds of an array's slice were not checked, or it is none"),
            },
            Builtin::string_eq
            | Builtin::string_compare
            | Builtin::find
            | Builtin::find_from
            | Builtin::starts_with
            | Builtin::ends_with
            | Builtin::contains
            | Builtin::parse_int
            | Builtin::parse_float
            | Builtin::hash_int
            | Builtin::hash_string
            | Builtin::fmod
            | Builtin::round
            | Builtin::sin
            | Builtin::cos
            | Builtin::tan
            | Builtin::atan
            | Builtin::atan2
            | Builtin::exp
            | Builtin::log
            | Builtin::pow => self.pure(builtin),
        }
    }

    fn pure(&self, builtin: Builtin) -> Result<(u64, u64), Stop> {
        let mut args = [Arg::Null; 4];
        let params = builtin.info().params;
        for ((arg, &word), ty) in args.iter_mut().zip(&self.words).zip(params) {
            *arg = match (ty, word) {
                (Type::Ref, 0) => Arg::Null,
                (Type::Ref, _) => match self.machine.heap.string(word) {
                    Some(bytes) => Arg::Bytes(bytes),
                    None => return undefined("what a run-time function takes for a string is none"),
                },
                (Type::Int | Type::Float | Type::Bool | Type::Byte | Type::Addr, _) => Arg::Word(word),
            };
        }
        match builtin_words(builtin, &args[..params.len()]) {
            Some(words) => Ok(words),
            None => undefined("a run-time function got null"),
        }
    }
}
