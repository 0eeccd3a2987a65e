//! x86-64: machine code with virtual registers, instruction selection, frames, encoding, assembly text.

pub mod regs; // the registers and the calling convention
pub mod op; // the table of machine operations
mod forms; // what may stand at each operand's position
pub mod mir; // functions of machine instructions
pub mod mir_text; // the textual form of MIR
pub mod mir_verify; // the numbered rules of MIR
pub mod code; // encoded functions and data, for `link`
pub mod data; // type descriptors, literals, globals
pub mod select; // IR to machine instructions
pub mod frame; // where things are on the stack
mod fallthrough; // which blocks are encoded, and where jumps lead
pub mod encode; // machine instructions to bytes
pub mod asm_text; // text for an assembler, listings
#[cfg(feature = "testing")]
pub mod mir_mutate; // random changes, for tests of the verifier
