//! Executables and object files.
//!
//! Without C functions no linker is needed: the run-time library was linked once, when this crate was built, into an image at a fixed address. An
//! executable is that image, unchanged but for one structure that describes the program, and the program's code and data
//! behind it. The cost is copying and patching.

pub mod executable; // a static ELF executable; read this first
pub mod image; // the run-time library as it was linked
pub mod addresses; // the program's functions and data at their addresses, relocations filled in
pub mod relocatable; // an ELF object file
pub mod archive; // the run-time library for C programs
pub mod with_c; // executables of programs that call C functions, linked by the system's C compiler
pub mod tables; // what the run-time library reads about the program: functions, call sites, files

pub use archive::runtime_library;
pub use executable::executable;
pub use image::runtime_symbol;
pub use relocatable::object;
pub use with_c::executable_with_c;
