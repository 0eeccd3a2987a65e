//! What the linker says about the program, and how the library looks things up in it.

#[cfg(not(feature = "library"))]
use crate::state::Global;
use core::slice;
use mini_prim::tables::{self, FunctionEntry, Place, ProgramInfo, SiteGroup, Text};

#[cfg(feature = "library")]
unsafe extern "C" {
    /// Part of the program's object file.
    #[link_name = "mini_program"]
    static LINKED: ProgramInfo;
}

/// Filled in by the linker. In its own section so that it lies in the image's data, not in zeroed memory.
#[cfg(not(feature = "library"))]
#[unsafe(link_section = ".data.program")]
pub static PROGRAM: Global<ProgramInfo> = Global::new(ProgramInfo {
    init: 0,
    start: 1, // Anything but zeros, which the compiler would put into zeroed memory.
    code_start: 0,
    code_end: 0,
    functions: 0,
    function_count: 0,
    groups: 0,
    group_count: 0,
    site_count: 0,
    stream: 0,
    stream_bytes: 0,
    files: 0,
    file_count: 0,
    pool: 0,
    pool_bytes: 0,
    globals_start: 0,
    globals_end: 0,
});

/// What the linker wrote.
#[cfg(feature = "library")]
pub fn info() -> ProgramInfo {
    // SAFETY: constant.
    unsafe { LINKED }
}

/// What the linker wrote.
#[cfg(not(feature = "library"))]
pub fn info() -> ProgramInfo {
    // SAFETY: never changed while the program runs; volatile, because the compiler must not believe the value above.
    unsafe { PROGRAM.get().read_volatile() }
}

unsafe fn table<T>(at: u64, count: u64) -> &'static [T] {
    if count == 0 {
        return &[];
    }
    // SAFETY: the linker put that many there.
    unsafe { slice::from_raw_parts(at as *const T, count as usize) }
}

/// Whether an address is in the program's code.
pub fn is_code(address: usize) -> bool {
    let info = info();
    (info.code_start..info.code_end).contains(&(address as u64))
}

/// The function that holds an address, and its code's address.
#[inline(never)]
pub fn function_at(address: usize) -> Option<(&'static FunctionEntry, usize)> {
    let info = info();
    let offset = (address as u64).checked_sub(info.code_start)?;
    if offset >= info.code_end - info.code_start {
        return None;
    }
    // SAFETY: the linker's tables.
    let functions: &[FunctionEntry] = unsafe { table(info.functions, info.function_count) };
    let function = functions.get(tables::function_at(functions, offset as u32)?)?;
    Some((function, info.code_start as usize + function.start as usize))
}

/// The source position of a call, by its return address; `None` if there is no such call or it has no position.
pub fn place_of(return_address: usize) -> Option<Place> {
    site(return_address).filter(|place| place.line != 0)
}

/// Whether this is the return address of a call in the program.
pub fn is_return_address(address: usize) -> bool {
    site(address).is_some()
}

#[inline(never)]
fn site(return_address: usize) -> Option<Place> {
    let info = info();
    let offset = (return_address as u64).checked_sub(info.code_start)?;
    let offset = u32::try_from(offset).ok()?;
    // SAFETY: the linker's tables.
    let (groups, stream) =
        unsafe { (table::<SiteGroup>(info.groups, info.group_count), table::<u8>(info.stream, info.stream_bytes)) };
    tables::site_at(groups, stream, info.site_count as usize, offset)
}

/// The bytes of a name.
pub fn text(text: Text) -> &'static [u8] {
    let info = info();
    // SAFETY: the linker's pool.
    let pool: &[u8] = unsafe { table(info.pool, info.pool_bytes) };
    pool.get(text.offset as usize..).and_then(|rest| rest.get(..text.length as usize)).unwrap_or(b"?")
}

/// The path of a file.
pub fn file(index: u32) -> &'static [u8] {
    let info = info();
    // SAFETY: the linker's table.
    let files: &[Text] = unsafe { table(info.files, info.file_count) };
    files.get(index as usize).map_or(b"?", |&path| text(path))
}
