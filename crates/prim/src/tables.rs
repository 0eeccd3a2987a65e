//! The tables through which the run-time library knows a program: functions, call sites, files.
//!
//! `link` writes them (it has the encoder), the run-time library reads them when it must report an error. Addresses of code are
//! offsets from the start of the program's code. Call sites come in groups of [`GROUP`], sorted by return address;
//! inside a group everything is a difference to the site before, so that a site takes about four bytes. Reading needs no
//! allocation: one binary search, then at most [`GROUP`] steps.

/// Call sites per group.
pub const GROUP: usize = 32;

/// What `link` tells the run-time library; lies at the symbol `mini_program`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProgramInfo {
    /// The function that initialises the globals, for C programs: no arguments.
    pub init: u64,
    /// The function that runs the program: no arguments, gives the exit status. 0 if there is no `main`.
    pub start: u64,
    /// The program's code.
    pub code_start: u64,
    /// The byte behind it.
    pub code_end: u64,
    /// Address of the [`FunctionEntry`]s, sorted by start.
    pub functions: u64,
    /// How many.
    pub function_count: u64,
    /// Address of the [`SiteGroup`]s.
    pub groups: u64,
    /// How many.
    pub group_count: u64,
    /// How many call sites there are in all groups.
    pub site_count: u64,
    /// Address of the bytes of the groups.
    pub stream: u64,
    /// How many.
    pub stream_bytes: u64,
    /// Address of the files' [`Text`]s.
    pub files: u64,
    /// How many.
    pub file_count: u64,
    /// Address of the bytes that names and paths are taken from.
    pub pool: u64,
    /// How many.
    pub pool_bytes: u64,
    /// The globals, which the collector scans.
    pub globals_start: u64,
    /// The byte behind them.
    pub globals_end: u64,
}

/// Words in a [`ProgramInfo`].
pub const PROGRAM_INFO_WORDS: usize = 17;

impl ProgramInfo {
    /// Its words in memory order, for the writer.
    pub fn words(&self) -> [u64; PROGRAM_INFO_WORDS] {
        [
            self.init,
            self.start,
            self.code_start,
            self.code_end,
            self.functions,
            self.function_count,
            self.groups,
            self.group_count,
            self.site_count,
            self.stream,
            self.stream_bytes,
            self.files,
            self.file_count,
            self.pool,
            self.pool_bytes,
            self.globals_start,
            self.globals_end,
        ]
    }
}

/// A stretch of the pool.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Text {
    /// Offset in the pool.
    pub offset: u32,
    /// Length in bytes.
    pub length: u32,
}

/// A function of the program.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FunctionEntry {
    /// Where its code starts.
    pub start: u32,
    /// Twice the bytes between the stack pointer in the body and the return address, plus 1 if call stacks leave it out.
    pub frame_and_hidden: u32,
    /// Its name.
    pub name: Text,
}

impl FunctionEntry {
    /// Bytes between the stack pointer in the body and the return address.
    pub fn frame_size(&self) -> usize {
        (self.frame_and_hidden >> 1) as usize
    }

    /// Whether call stacks leave it out.
    pub fn is_hidden(&self) -> bool {
        self.frame_and_hidden & 1 != 0
    }
}

/// The first call site of a group and where its bytes are.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SiteGroup {
    /// Return address of the first site.
    pub first: u32,
    /// Offset of the group's bytes in the stream.
    pub offset: u32,
}

/// A place in the source; line 0 is "nowhere".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Index in the files.
    pub file: u32,
    /// From 1.
    pub line: u32,
    /// From 1.
    pub column: u32,
}

/// The function that holds a code offset: its index.
pub fn function_at(functions: &[FunctionEntry], offset: u32) -> Option<usize> {
    functions.partition_point(|f| f.start <= offset).checked_sub(1)
}

/// The place of the call site with exactly this return address. `sites` is the number of sites in all groups.
pub fn site_at(groups: &[SiteGroup], stream: &[u8], sites: usize, offset: u32) -> Option<Place> {
    let index = groups.partition_point(|g| g.first <= offset).checked_sub(1)?;
    let group = groups.get(index)?;
    let mut bytes = stream.get(group.offset as usize..)?;
    let (mut at, mut place) = (group.first, Place::default());
    for _ in 0..GROUP.min(sites.checked_sub(index * GROUP)?) {
        at = at.wrapping_add(read(&mut bytes)?);
        place.file = place.file.wrapping_add(signed(read(&mut bytes)?));
        place.line = place.line.wrapping_add(signed(read(&mut bytes)?));
        place.column = place.column.wrapping_add(signed(read(&mut bytes)?));
        if at >= offset {
            return if at == offset { Some(place) } else { None };
        }
    }
    None
}

/// A number from the stream: seven bits a byte, low ones first, the top bit says that more follow.
fn read(bytes: &mut &[u8]) -> Option<u32> {
    let mut value = 0u32;
    let mut shift = 0;
    loop {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u32::from(byte & 0x7f).checked_shl(shift)?;
        if byte < 0x80 {
            return Some(value);
        }
        shift += 7;
    }
}

/// Undoes the writer's folding of signs into bit 0: 0, -1, 1, -2, … are written as 0, 1, 2, 3, …
fn signed(value: u32) -> u32 {
    (value >> 1) ^ (value & 1).wrapping_neg()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sites_are_found_by_their_exact_return_address() {
        // Two sites: at 10 file 0 line 3 column 5; at 300 file 1 line 2 column 200.
        let stream = [0, 0, 6, 10, 0xa2, 2, 2, 1, 0x86, 3];
        let groups = [SiteGroup { first: 10, offset: 0 }];
        let at = |offset| site_at(&groups, &stream, 2, offset);
        assert_eq!(at(10), Some(Place { file: 0, line: 3, column: 5 }));
        assert_eq!(at(300), Some(Place { file: 1, line: 2, column: 200 }));
        assert_eq!((at(9), at(11), at(299), at(301)), (None, None, None, None));
        assert_eq!(site_at(&[], &[], 0, 5), None);
        assert_eq!(site_at(&groups, &stream[..3], 2, 10), None);
    }

    #[test]
    fn functions_are_found_by_any_offset_in_them() {
        let name = Text { offset: 0, length: 0 };
        let f = |start, frame_and_hidden| FunctionEntry { start, frame_and_hidden, name };
        let functions = [f(0, 48), f(16, 33)];
        assert_eq!(
            (function_at(&functions, 0), function_at(&functions, 15), function_at(&functions, 99)),
            (Some(0), Some(0), Some(1))
        );
        assert_eq!(function_at(&functions[1..], 5), None);
        assert_eq!((functions[0].frame_size(), functions[0].is_hidden()), (24, false));
        assert_eq!((functions[1].frame_size(), functions[1].is_hidden()), (16, true));
    }
}
