//! x86-64: machine code with virtual registers, instruction selection, frames, encoding, assembly text.

pub mod code; // encoded functions and data, for `link`
pub mod regs; // the registers and the calling convention
pub mod op; // the table of machine operations
pub mod mir; // functions of machine instructions
pub mod data; // type descriptors, literals, globals
pub mod select; // IR to machine instructions
mod layout; // which blocks are encoded
pub mod frame; // where things are on the stack
pub mod encode; // machine instructions to bytes
