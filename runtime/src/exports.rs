//! The functions that programs call, by symbol: each row of `mini-ir`'s table of built-in functions as `mini_NAME`, the
//! traps, and the allocator's entries.
//!
//! A program reaches each through a stub that first stores the stack pointer in `LAST_SP`. There lies the return
//! address, from which a run-time error's position and call stack are found; so the program needs to pass nothing along.

use crate::heap;
#[cfg(not(feature = "library"))]
use crate::program::PROGRAM;
use crate::state::LAST_SP;
use crate::{io, strings, sys, texts, trap};
use core::arch::naked_asm;
use mini_prim::{hash, math};

/// A name and an address, for the linker's build script.
#[cfg(not(feature = "library"))]
#[repr(C)]
pub struct Export {
    /// The symbol, padded with NUL.
    pub name: [u8; 40],
    /// Where it is.
    pub address: Address,
}

/// An address of code or data in the image.
#[cfg(not(feature = "library"))]
#[repr(C)]
pub union Address {
    /// Of a function.
    pub code: unsafe extern "sysv64" fn(),
    /// Of data.
    pub data: *const u8,
}

// SAFETY: an address is only a number here.
#[cfg(not(feature = "library"))]
unsafe impl Sync for Export {}

#[cfg(not(feature = "library"))]
const fn padded(name: &str) -> [u8; 40] {
    let mut out = [0; 40];
    let bytes = name.as_bytes();
    let mut i = 0;
    while i < bytes.len() {
        out[i] = bytes[i];
        i += 1;
    }
    out
}

macro_rules! stubs {
    ($($symbol:ident = $function:path;)*) => {
        $(
            #[unsafe(naked)]
            #[cfg_attr(feature = "library", unsafe(no_mangle))]
            pub unsafe extern "sysv64" fn $symbol() {
                naked_asm!("mov qword ptr [rip + {sp}], rsp", "jmp {function}", sp = sym LAST_SP, function = sym $function)
            }
        )*
    };
}

macro_rules! exports {
    ($($symbol:ident = $function:path;)*) => {
        /// The stubs.
        mod stubs {
            use super::*;
            stubs! { $($symbol = $function;)* }
        }

        #[cfg(not(feature = "library"))]
        const FUNCTIONS: &[(&str, unsafe extern "sysv64" fn())] = &[$((stringify!($symbol), stubs::$symbol),)*];
    };
}

exports! {
    mini_out_int = texts::out_int;
    mini_out_float = texts::out_float;
    mini_out_bool = texts::out_bool;
    mini_out_byte = texts::out_byte;
    mini_out_string = texts::out_string;
    mini_out_char = texts::out_char;
    mini_err_string = texts::err_string;
    mini_text_begin = texts::text_begin;
    mini_text_int = texts::text_int;
    mini_text_float = texts::text_float;
    mini_text_bool = texts::text_bool;
    mini_text_byte = texts::text_byte;
    mini_text_string = texts::text_string;
    mini_text_quoted = texts::text_quoted;
    mini_text_end = texts::text_end;
    mini_string_of_int = texts::string_of_int;
    mini_string_of_float = texts::string_of_float;
    mini_read_line = read_line;
    mini_read_all = read_all;
    mini_read_file = read_file;
    mini_write_file = write_file;
    mini_args = strings::args;
    mini_clock_ns = clock_ns;
    mini_exit = trap::exit;
    mini_panic = trap::panic;
    mini_assert_failed = trap::assert_failed;
    mini_assert_failed_with = trap::assert_failed_with;
    mini_global_too_early = trap::global_too_early;
    mini_concat = strings::concat;
    mini_string_eq = strings::string_eq;
    mini_string_compare = strings::string_compare;
    mini_substring = strings::substring;
    mini_byte_string = strings::byte_string;
    mini_to_bytes = strings::to_bytes;
    mini_string_from_bytes = strings::string_from_bytes;
    mini_find = strings::find;
    mini_find_from = strings::find_from;
    mini_starts_with = strings::starts_with;
    mini_ends_with = strings::ends_with;
    mini_contains = strings::contains;
    mini_replace = strings::replace;
    mini_trim = strings::trim;
    mini_split = strings::split;
    mini_parse_int = strings::parse_int;
    mini_parse_float = strings::parse_float;
    mini_fixed = texts::fixed;
    mini_hash_int = hash_int;
    mini_hash_string = strings::hash_string;
    mini_fmod = fmod;
    mini_round = round;
    mini_sin = sin;
    mini_cos = cos;
    mini_tan = tan;
    mini_atan = atan;
    mini_atan2 = atan2;
    mini_exp = exp;
    mini_log = log;
    mini_pow = pow;
    mini_array_slice = strings::array_slice;
    mini_alloc_array = heap::alloc_array;
    mini_trap_bounds = trap::trap_bounds;
    mini_trap_slice = trap::trap_slice;
    mini_trap_null = trap::trap_null;
    mini_trap_division = trap::trap_division;
    mini_trap_length = trap::trap_length;
    mini_trap_step = trap::trap_step;
}

/// What only programs with C functions call.
#[cfg(feature = "library")]
mod c_stubs {
    use super::*;
    use crate::interface;
    stubs! {
        mini_to_c = interface::to_c;
        mini_c_string = interface::c_string;
        mini_c_array = interface::c_array;
    }
}

/// `mini_alloc_slow`: the type descriptor in rdi, the new object in rax; keeps all other registers, so that an allocation
/// in generated code costs only the two that its fast path uses. The registers lie on the stack, where the collector sees
/// the references in them.
#[unsafe(naked)]
#[cfg_attr(feature = "library", unsafe(export_name = "mini_alloc_slow"))]
unsafe extern "sysv64" fn alloc_slow() {
    naked_asm!(
        "mov qword ptr [rip + {sp}], rsp",
        "push rbp",
        "mov rbp, rsp",
        "push rcx",
        "push rdx",
        "push rsi",
        "push rdi",
        "push r8",
        "push r9",
        "push r10",
        "push r11",
        "sub rsp, 256",
        "and rsp, -16",
        "movaps [rsp], xmm0",
        "movaps [rsp + 16], xmm1",
        "movaps [rsp + 32], xmm2",
        "movaps [rsp + 48], xmm3",
        "movaps [rsp + 64], xmm4",
        "movaps [rsp + 80], xmm5",
        "movaps [rsp + 96], xmm6",
        "movaps [rsp + 112], xmm7",
        "movaps [rsp + 128], xmm8",
        "movaps [rsp + 144], xmm9",
        "movaps [rsp + 160], xmm10",
        "movaps [rsp + 176], xmm11",
        "movaps [rsp + 192], xmm12",
        "movaps [rsp + 208], xmm13",
        "movaps [rsp + 224], xmm14",
        "movaps [rsp + 240], xmm15",
        "call {function}",
        "movaps xmm0, [rsp]",
        "movaps xmm1, [rsp + 16]",
        "movaps xmm2, [rsp + 32]",
        "movaps xmm3, [rsp + 48]",
        "movaps xmm4, [rsp + 64]",
        "movaps xmm5, [rsp + 80]",
        "movaps xmm6, [rsp + 96]",
        "movaps xmm7, [rsp + 112]",
        "movaps xmm8, [rsp + 128]",
        "movaps xmm9, [rsp + 144]",
        "movaps xmm10, [rsp + 160]",
        "movaps xmm11, [rsp + 176]",
        "movaps xmm12, [rsp + 192]",
        "movaps xmm13, [rsp + 208]",
        "movaps xmm14, [rsp + 224]",
        "movaps xmm15, [rsp + 240]",
        "lea rsp, [rbp - 64]",
        "pop r11",
        "pop r10",
        "pop r9",
        "pop r8",
        "pop rdi",
        "pop rsi",
        "pop rdx",
        "pop rcx",
        "pop rbp",
        "ret",
        sp = sym LAST_SP,
        function = sym heap::alloc_fixed,
    )
}

#[cfg(not(feature = "library"))]
const DATA: &[(&str, *const u8)] = &[
    ("mini_program", PROGRAM.get() as *const u8),
    ("mini_alloc_table", heap::WINDOWS.get() as *const u8),
    ("mini_last_sp", LAST_SP.get() as *const u8),
];

/// How many exports there are.
#[cfg(not(feature = "library"))]
pub const COUNT: usize = FUNCTIONS.len() + DATA.len() + 1;

/// The exports, for the image. In an object file, symbols are enough.
#[cfg(not(feature = "library"))]
pub const EXPORTS: [Export; COUNT] = {
    let mut all = [const { Export { name: padded("mini_alloc_slow"), address: Address { code: alloc_slow } } }; COUNT];
    let mut i = 0;
    while i < FUNCTIONS.len() {
        all[i] = Export { name: padded(FUNCTIONS[i].0), address: Address { code: FUNCTIONS[i].1 } };
        i += 1;
    }
    let mut i = 0;
    while i < DATA.len() {
        all[FUNCTIONS.len() + i] = Export { name: padded(DATA[i].0), address: Address { data: DATA[i].1 } };
        i += 1;
    }
    all
};

use crate::object::Sequence;

extern "sysv64" fn read_line() -> *mut Sequence {
    io::read_line()
}

extern "sysv64" fn read_all() -> *mut Sequence {
    io::read_all()
}

extern "sysv64" fn read_file(path: *const Sequence) -> *mut Sequence {
    io::read_file(path)
}

extern "sysv64" fn write_file(path: *const Sequence, data: *const Sequence) -> u64 {
    u64::from(io::write_file(path, data))
}

extern "sysv64" fn clock_ns() -> i64 {
    sys::clock_ns()
}

extern "sysv64" fn hash_int(value: i64) -> i64 {
    hash::hash_int(value)
}

extern "sysv64" fn fmod(a: f64, b: f64) -> f64 {
    math::fmod(a, b)
}

extern "sysv64" fn round(x: f64) -> f64 {
    math::round(x)
}

extern "sysv64" fn sin(x: f64) -> f64 {
    math::sin(x)
}

extern "sysv64" fn cos(x: f64) -> f64 {
    math::cos(x)
}

extern "sysv64" fn tan(x: f64) -> f64 {
    math::tan(x)
}

extern "sysv64" fn atan(x: f64) -> f64 {
    math::atan(x)
}

extern "sysv64" fn atan2(y: f64, x: f64) -> f64 {
    math::atan2(y, x)
}

extern "sysv64" fn exp(x: f64) -> f64 {
    math::exp(x)
}

extern "sysv64" fn log(x: f64) -> f64 {
    math::log(x)
}

extern "sysv64" fn pow(x: f64, y: f64) -> f64 {
    math::pow(x, y)
}
