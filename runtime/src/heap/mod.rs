//! The heap: a non-moving mark–sweep collector with size classes.
//!
//! Cells of one size fill a block; allocation takes cells from a *window* of free zeroed cells, one window per size
//! class (`WINDOWS`, which generated code uses directly). When a window is used up, sweeping goes on where it stopped and finds the
//! next one: sweeping is lazy and reads only mark bits. A collection marks from the roots: globals, stack and registers
//! conservatively (any word that points into an allocated cell keeps it), objects precisely by their type descriptors.
//!
//! Source: Boehm and Weiser, "Garbage collection in an uncooperative environment", 1988 (conservative roots); Jones, Hosking,
//! Moss, "The Garbage Collection Handbook", 2012, sections 2.4 to 2.5 (bitmap marking, lazy sweeping) and 7.4 (segregated fits).
//! Cost: allocation is constant, amortised; a collection costs the live objects, the stack, and a look at each block.
//! Leaves: nothing moves, so a block with one live cell stays a block of its class.

mod blocks; // where memory comes from: chunks of blocks, and the block of an address
mod collect; // when and how a collection runs
mod mark; // marking: roots, then everything reachable
mod window; // the next window of a size class: lazy sweeping

use crate::object::{self, BYTES_DESC, STRING_DESC, Sequence, TypeDesc};
use crate::state::Global;
use mini_prim::classes::{CLASS_COUNT, MAX_CLASS_BYTES, size_class};

pub use crate::trap::out_of_memory;
pub use collect::allows;

/// The free cells that a size class hands out next.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Window {
    /// The next cell.
    cursor: usize,
    /// The end of the last.
    limit: usize,
}

/// The windows, by size class; see `mini_prim::classes` for how generated code uses them.
#[cfg_attr(feature = "library", unsafe(export_name = "mini_alloc_table"))]
pub static WINDOWS: Global<[Window; CLASS_COUNT]> = Global::new([Window { cursor: 0, limit: 0 }; CLASS_COUNT]);

/// Whether new memory must be zero.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Contents {
    /// It must.
    Zero,
    /// It will be written wholly, and holds no references.
    Any,
}

/// What the environment asks for.
struct Settings {
    /// Collect at every allocation.
    stress: bool,
    /// Most bytes that the heap may take.
    limit: usize,
}

static SETTINGS: Global<Settings> = Global::new(Settings { stress: false, limit: usize::MAX });

fn settings() -> &'static mut Settings {
    // SAFETY: one thread; used for single reads and writes only.
    unsafe { &mut *SETTINGS.get() }
}

/// Reads the settings from the environment.
///
/// # Safety
/// `environment` is the kernel's: pointers to NUL-terminated texts, then null.
pub unsafe fn configure(environment: *const *const core::ffi::c_char) {
    let mut at = environment;
    // SAFETY: as the caller says.
    while let Some(&text) = unsafe { at.as_ref() }.filter(|t| !t.is_null()) {
        // A cheap look before measuring a text that may be long.
        let ours = b"MINI_".iter().enumerate().all(|(i, &c)| unsafe { *text.add(i) } as u8 == c);
        if ours {
            let text = unsafe { core::ffi::CStr::from_ptr(text) }.to_bytes();
            if let Some(value) = text.strip_prefix(b"MINI_GC_STRESS=") {
                settings().stress = !value.is_empty() && value != b"0";
            } else if let Some(value) = text.strip_prefix(b"MINI_HEAP_LIMIT=") {
                match parse_size(value) {
                    Some(limit) => settings().limit = limit,
                    None if value.is_empty() => {}
                    // A bound that silently is none would be worse than no start.
                    None => {
                        crate::io::err(
                            b"error: MINI_HEAP_LIMIT is a number of bytes, perhaps with K, M or G behind it, such as 64M\n",
                        );
                        crate::host::exit(101)
                    }
                }
            }
        }
        at = at.wrapping_add(1);
    }
}

/// A number with an optional `K`, `M` or `G`.
fn parse_size(text: &[u8]) -> Option<usize> {
    let (digits, shift) = match text {
        [digits @ .., b'K' | b'k'] => (digits, 10),
        [digits @ .., b'M' | b'm'] => (digits, 20),
        [digits @ .., b'G' | b'g'] => (digits, 30),
        _ => (text, 0),
    };
    let number = usize::try_from(mini_prim::parse::parse_int(digits)?).ok()?;
    number.checked_mul(1 << shift)
}

/// Memory for an object of `bytes` bytes.
fn alloc(bytes: usize, contents: Contents) -> *mut u8 {
    if bytes > MAX_CLASS_BYTES as usize {
        return collect::alloc_large(bytes, contents) as *mut u8;
    }
    let Some((class, size)) = size_class(bytes as u32) else { out_of_memory() };
    loop {
        // SAFETY: one thread; the class is in the table.
        let window = unsafe { &mut (*WINDOWS.get())[class] };
        let next = window.cursor + size as usize;
        if next <= window.limit {
            return core::mem::replace(&mut window.cursor, next) as *mut u8;
        }
        window::refill(class);
    }
}

/// A new object of a fixed-size type; zero behind its header.
pub(crate) unsafe extern "sysv64" fn alloc_fixed(desc: *const TypeDesc) -> *mut object::Object {
    // SAFETY: a descriptor of the program.
    unsafe {
        let new = alloc((*desc).size as usize, Contents::Zero).cast::<object::Object>();
        (*new).desc = desc;
        new
    }
}

/// A new array of zeros.
pub(crate) unsafe extern "sysv64" fn alloc_array(desc: *const TypeDesc, len: i64) -> *mut Sequence {
    new_array(desc, len)
}

/// Objects larger than this can't exist: the address space is smaller.
const LARGEST_OBJECT: usize = 1 << 46;

/// A new array of zeros; `len` is not negative.
pub fn new_array(desc: *const TypeDesc, len: i64) -> *mut Sequence {
    // SAFETY: a descriptor of the program or the library.
    let stride = unsafe { (*desc).size } as usize;
    let bytes = (len as usize).checked_mul(stride).filter(|&bytes| bytes < LARGEST_OBJECT);
    let Some(bytes) = bytes else { out_of_memory() };
    // Arrays of bytes are made only to be filled at once.
    let contents = if core::ptr::eq(desc, &BYTES_DESC) { Contents::Any } else { Contents::Zero };
    let new = alloc(object::DATA + bytes, contents).cast::<Sequence>();
    // SAFETY: it has that room.
    unsafe {
        (*new).desc = desc;
        (*new).len = len;
    }
    new
}

/// Whether an array whose elements have `size` bytes and are no references begins at an address.
#[cfg(feature = "library")]
pub fn is_array(at: usize, size: u32) -> bool {
    // SAFETY: what begins at the address of an object is its header; a cell that is not handed out yet is zero.
    mark::is_object(at)
        && unsafe {
            let desc = (*(at as *const object::Object)).desc;
            !desc.is_null() && (*desc).kind == object::ARRAY && (*desc).size == size && (*desc).pointer_count == 0
        }
}

/// A new string, to be filled by the caller.
pub fn new_string(len: usize) -> *mut Sequence {
    if len >= LARGEST_OBJECT {
        out_of_memory();
    }
    let new = alloc(object::DATA + len + 1, Contents::Any).cast::<Sequence>();
    // SAFETY: it has that room.
    unsafe {
        (*new).desc = &STRING_DESC;
        (*new).len = len as i64;
        object::data(new).add(len).write(0);
    }
    new
}

/// A new string of these bytes, which may lie in the heap if the caller keeps them alive.
pub fn string(bytes: &[u8]) -> *mut Sequence {
    let new = new_string(bytes.len());
    // SAFETY: it has that room.
    unsafe { core::ptr::copy_nonoverlapping(bytes.as_ptr(), object::data(new), bytes.len()) };
    new
}
