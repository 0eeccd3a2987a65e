//! The functions of the run-time library that IR may call: one row each.
//!
//! A row says what goes in and out and what the function may do; the interpreter implements each by name, native code
//! calls the run-time symbol `mini_NAME` under the System V convention (docs/runtime.md).

use crate::types::Type::{self, Bool, Byte, Float, Int, Ref};

/// What calling a function may do besides computing its results.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Effect {
    /// Nothing: equal arguments give equal results, and an unused call can go. Never traps.
    Pure,
    /// Makes a new object (and can run out of memory), otherwise pure: an unused call can go, but calls are not merged.
    Allocates,
    /// Reads or writes the world outside, or the library's own state: stays where it is.
    External,
    /// Does not return; control never reaches what follows.
    Diverges,
}

macro_rules! builtins {
    ($($name:ident ($($param:ident),*) -> ($($result:ident),*) $effect:ident, $text:literal;)*) => {
        /// A function of the run-time library.
        #[allow(non_camel_case_types)]
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
        pub enum Builtin { $(#[doc = $text] $name,)* }

        /// The rows, in the order of the enum.
        static ROWS: &[BuiltinInfo] = &[$(BuiltinInfo {
            builtin: Builtin::$name,
            name: stringify!($name),
            symbol: concat!("mini_", stringify!($name)),
            params: &[$($param),*],
            results: &[$($result),*],
            effect: Effect::$effect,
            text: $text,
        },)*];
    };
}

/// What is known of a run-time function.
#[derive(Debug)]
pub struct BuiltinInfo {
    /// Which one.
    pub builtin: Builtin,
    /// Its name in IR text.
    pub name: &'static str,
    /// Its symbol in the run-time library.
    pub symbol: &'static str,
    /// Types of the arguments.
    pub params: &'static [Type],
    /// Types of the results, at most two.
    pub results: &'static [Type],
    /// What it may do.
    pub effect: Effect,
    /// One line for people.
    pub text: &'static str,
}

builtins! {
    out_int(Int) -> () External, "writes an int in decimal to stdout";
    out_float(Float) -> () External, "writes a float's shortest text to stdout";
    out_bool(Bool) -> () External, "writes `true` or `false` to stdout";
    out_byte(Byte) -> () External, "writes a byte in decimal to stdout";
    out_string(Ref) -> () External, "writes a string's bytes to stdout";
    out_char(Byte) -> () External, "writes one raw byte to stdout";
    err_string(Ref) -> () External, "writes a string's bytes to stderr, at once";
    text_begin() -> () External, "starts a text on the stack of texts being built";
    text_int(Int) -> () External, "appends an int in decimal to the innermost text";
    text_float(Float) -> () External, "appends a float's shortest text";
    text_bool(Bool) -> () External, "appends `true` or `false`";
    text_byte(Byte) -> () External, "appends a byte in decimal";
    text_string(Ref) -> () External, "appends a string's bytes";
    text_quoted(Ref) -> () External, "appends a string in quotes, escaped as inside arrays";
    text_end() -> (Ref) External, "ends the innermost text and gives it as a string";
    string_of_int(Int) -> (Ref) Allocates, "an int in decimal";
    string_of_float(Float) -> (Ref) Allocates, "a float's shortest text";
    read_line() -> (Ref) External, "the next line of stdin without its line break, or null at the end";
    read_all() -> (Ref) External, "the rest of stdin";
    read_file(Ref) -> (Ref) External, "a whole file, or null";
    write_file(Ref, Ref) -> (Bool) External, "writes a whole file (path, data); false on failure";
    args() -> (Ref) External, "the program's arguments as a new array of strings";
    clock_ns() -> (Int) External, "monotonic nanoseconds";
    exit(Int) -> () Diverges, "flushes and ends the program with the low 8 bits";
    panic(Ref) -> () Diverges, "run-time error `panic: MSG`";
    assert_failed() -> () Diverges, "run-time error `assertion failed`";
    assert_failed_with(Ref) -> () Diverges, "run-time error `assertion failed: MSG`";
    global_too_early(Ref) -> () Diverges, "run-time error `global read before initialisation: NAME`";
    concat(Ref, Ref) -> (Ref) Allocates, "two strings, one after the other";
    string_eq(Ref, Ref) -> (Bool) Pure, "whether two strings have the same bytes; either may be null";
    string_compare(Ref, Ref) -> (Int) Pure, "-1, 0 or 1: bytewise lexicographic order";
    substring(Ref, Int, Int) -> (Ref) Allocates, "bytes i..j of a string, bounds checked before";
    byte_string(Byte) -> (Ref) Allocates, "the string of one byte";
    to_bytes(Ref) -> (Ref) Allocates, "a string's bytes as a new array";
    string_from_bytes(Ref) -> (Ref) Allocates, "the string of a byte array's present elements; ordered with the stores to it";
    find(Ref, Ref) -> (Int, Bool) Pure, "where the second string is first found in the first";
    find_from(Ref, Ref, Int) -> (Int, Bool) Pure, "the same from a byte index on, clamped to 0..len";
    starts_with(Ref, Ref) -> (Bool) Pure, "whether the first string begins with the second";
    ends_with(Ref, Ref) -> (Bool) Pure, "whether the first string ends with the second";
    contains(Ref, Ref) -> (Bool) Pure, "whether the second string occurs in the first";
    replace(Ref, Ref, Ref) -> (Ref) Allocates, "the first string with each occurrence of the second replaced by the third";
    trim(Ref) -> (Ref) Allocates, "without spaces, tabs, CR and LF at both ends";
    split(Ref, Ref) -> (Ref) Allocates, "the pieces between separators, as a new array";
    parse_int(Ref) -> (Int, Bool) Pure, "the int that the whole string denotes";
    parse_float(Ref) -> (Float, Bool) Pure, "the float that the whole string denotes";
    fixed(Float, Int) -> (Ref) Allocates, "like C's %.*f, digits clamped to 0..100";
    hash_int(Int) -> (Int) Pure, "splitmix64's finaliser of the value plus the golden gamma";
    hash_string(Ref) -> (Int) Pure, "the same of the 64-bit FNV-1a of the bytes";
    fmod(Float, Float) -> (Float) Pure, "C's fmod";
    round(Float) -> (Float) Pure, "to the nearest integer, halves away from zero";
    sin(Float) -> (Float) Pure, "libm's sin";
    cos(Float) -> (Float) Pure, "libm's cos";
    tan(Float) -> (Float) Pure, "libm's tan";
    atan(Float) -> (Float) Pure, "libm's atan";
    atan2(Float, Float) -> (Float) Pure, "libm's atan2";
    exp(Float) -> (Float) Pure, "libm's exp";
    log(Float) -> (Float) Pure, "libm's log";
    pow(Float, Float) -> (Float) Pure, "libm's pow";
    c_enter() -> () External, "C calls a function of the program: first";
    c_leave() -> () External, "the function returns to C: last";
    c_string(Int, Ref) -> (Ref) External, "a copy of the string at an address of C's; the name of the parameter, for messages";
    c_array(Int, Int, Ref) -> (Ref) External, "the array whose first element is at an address; the bytes of an element, the parameter's name";
    array_slice(Ref, Int, Int) -> (Ref) Allocates, "a new array with elements i..j, bounds checked before; ordered with the stores to it";
}

impl Builtin {
    /// All of them, in table order.
    pub fn all() -> impl Iterator<Item = &'static BuiltinInfo> {
        ROWS.iter()
    }

    /// Its row.
    pub fn info(self) -> &'static BuiltinInfo {
        &ROWS[self as usize]
    }

    /// The one with this name, if there is one.
    pub fn by_name(name: &str) -> Option<Builtin> {
        ROWS.iter().find(|row| row.name == name).map(|row| row.builtin)
    }
}
