//! The codes of the checker (E02xx to E05xx, E09xx, W0xxx).

use crate::codes::CodeInfo;

/// The checker's rows.
pub static CHECKER: &[CodeInfo] = &[];
