//! The layout of heap objects and type descriptors, for everyone who writes or reads them: the compiler, the run-time
//! library. docs/runtime.md has the pictures.

/// `kind` of the type descriptor of objects whose size the type determines: structs, variants, closures, cells.
pub const FIXED: u32 = 0;
/// `kind` of the type descriptor of arrays.
pub const ARRAY: u32 = 1;
/// `kind` of the type descriptor of strings.
pub const STRING: u32 = 2;

/// Bytes of the header, the address of the type descriptor.
pub const HEADER_SIZE: u32 = 8;
/// Offset of the length in strings and arrays.
pub const LENGTH_OFFSET: u32 = HEADER_SIZE;
/// Offset of the first element or byte in arrays and strings.
pub const ELEMENTS_OFFSET: u32 = LENGTH_OFFSET + 8;
/// Offset of the tag in variants of enums.
pub const TAG_OFFSET: u32 = HEADER_SIZE;
/// Offset of the code address in function values.
pub const CODE_OFFSET: u32 = HEADER_SIZE;
