//! The run-time library as `build.rs` linked it: segments at fixed addresses, and the symbols that programs use.

include!(concat!(env!("OUT_DIR"), "/image.rs"));

static CONTENTS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/image.bin"));

/// A stretch of the image's memory.
#[derive(Debug)]
pub struct Segment {
    /// Where it goes.
    pub address: u64,
    /// Bytes in memory; what the contents don't fill is zero.
    pub memory_size: u64,
    /// ELF's `PF_…`.
    pub flags: u32,
    start: usize,
    end: usize,
}

impl Segment {
    /// What it holds.
    pub fn contents(&self) -> &'static [u8] {
        &CONTENTS[self.start..self.end]
    }
}

/// The segments by ascending address.
pub fn segments() -> &'static [Segment] {
    SEGMENTS
}

/// Where the kernel starts.
pub const fn entry() -> u64 {
    ENTRY
}

/// The symbols that programs use, by name, with their addresses and sizes.
pub fn symbols() -> &'static [(&'static str, u64, u64)] {
    SYMBOLS
}

/// The address of a symbol of the run-time library.
pub fn runtime_symbol(name: &str) -> Option<u64> {
    let at = SYMBOLS.binary_search_by(|&(symbol, ..)| symbol.cmp(name)).ok()?;
    Some(SYMBOLS[at].1)
}
