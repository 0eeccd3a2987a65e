//! What surrounds the program: in an executable of our own nothing but the kernel, in a C program its library.
//!
//! Both have the same functions: `write_stdout` and `flush_stdout` give 0 or minus an error number, `exit` ends the process.

#[cfg(feature = "library")]
mod c;
#[cfg(not(feature = "library"))]
mod kernel;

#[cfg(feature = "library")]
pub use c::*;
#[cfg(not(feature = "library"))]
pub use kernel::*;
