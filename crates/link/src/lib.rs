//! Executables and object files.
//!
//! No linker is needed: the run-time library was linked once, when this crate was built, into an image at a fixed address. An
//! executable is that image, unchanged but for one structure that describes the program, and the program's code and data
//! behind it. The cost is copying and patching.

pub mod executable; // a static ELF executable; read this first
pub mod image; // the run-time library as it was linked
pub mod addresses; // the program's functions and data at their addresses, relocations filled in
pub mod relocatable; // an ELF object file
pub mod tables; // what the run-time library reads about the program: functions, call sites, files

pub use executable::executable;
pub use image::runtime_symbol;
pub use relocatable::object;
