//! Layout of heap objects and type descriptors (docs/runtime.md); the numbers are `mini_prim::object`'s.

pub use mini_prim::object::{ARRAY, FIXED, STRING};

/// Describes the objects of one type to the collector; static, in read-only data, below 2^31.
#[repr(C, align(8))]
pub struct TypeDesc {
    /// [`FIXED`], [`ARRAY`] or [`STRING`].
    pub kind: u32,
    /// [`FIXED`]: bytes of the whole object with its header. [`ARRAY`]: the element stride. [`STRING`]: 1.
    pub size: u32,
    /// [`FIXED`]: number of `offsets`. [`ARRAY`]: 1 if each element is a reference, else 0.
    pub pointer_count: u32,
    offsets: [u32; 0],
}

impl TypeDesc {
    /// A descriptor of objects without references.
    pub const fn new(kind: u32, size: u32, pointer_count: u32) -> TypeDesc {
        TypeDesc { kind, size, pointer_count, offsets: [] }
    }

    /// The byte offset of a fixed-size object's reference field.
    ///
    /// # Safety
    /// `index` is below `pointer_count`, and the descriptor is one of [`FIXED`] kind from the program.
    pub unsafe fn offset(desc: *const TypeDesc, index: usize) -> usize {
        unsafe { *(&raw const (*desc).offsets).cast::<u32>().add(index) as usize }
    }
}

/// Strings made by the library.
pub static STRING_DESC: TypeDesc = TypeDesc::new(STRING, 1, 0);
/// Arrays of bytes made by the library.
pub static BYTES_DESC: TypeDesc = TypeDesc::new(ARRAY, 1, 0);
/// Arrays of strings made by the library.
pub static STRINGS_DESC: TypeDesc = TypeDesc::new(ARRAY, 8, 1);

/// What every object begins with.
#[repr(C)]
pub struct Object {
    /// Its type.
    pub desc: *const TypeDesc,
}

/// A string or an array: the header, the length, the bytes or elements. A string has a NUL behind its bytes.
#[repr(C)]
pub struct Sequence {
    /// Its type.
    pub desc: *const TypeDesc,
    /// Bytes of a string, elements of an array.
    pub len: i64,
    data: [u8; 0],
}

/// Where the data of a [`Sequence`] begins.
pub const DATA: usize = mini_prim::object::ELEMENTS_OFFSET as usize;

// What the compiler's code relies on.
const _: () = assert!(core::mem::offset_of!(Sequence, len) == mini_prim::object::LENGTH_OFFSET as usize);
const _: () = assert!(core::mem::offset_of!(Sequence, data) == DATA);
const _: () = assert!(size_of::<Object>() == mini_prim::object::HEADER_SIZE as usize);

/// The first byte of the data.
pub fn data(s: *const Sequence) -> *mut u8 {
    s.cast::<u8>().cast_mut().wrapping_add(DATA)
}

/// The bytes of a string (or byte array).
///
/// # Safety
/// `s` is a string or byte array, which lives as long as the slice is used: either the caller's caller holds it, or the
/// caller does not allocate, or uses [`keep`].
pub unsafe fn bytes<'a>(s: *const Sequence) -> &'a [u8] {
    unsafe { core::slice::from_raw_parts(data(s), (*s).len as usize) }
}

/// Keeps a reference where the collector sees it, up to here.
pub fn keep<T>(object: *const T) {
    core::hint::black_box(object);
}
