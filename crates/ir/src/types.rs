//! The types of IR values, and the layouts of heap objects.

use mini_prim::object::{ELEMENTS_OFFSET, HEADER_SIZE, TAG_OFFSET};
use std::sync::Arc;

/// The type of an IR value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Type {
    /// 64-bit two's complement.
    Int,
    /// IEEE 754 binary64.
    Float,
    /// 0 or 1.
    Bool,
    /// 0 to 255.
    Byte,
    /// A reference to a heap or static object, or null.
    Ref,
    /// The address of a stack slot. It goes down to callees, never to the heap, to globals or back to a caller.
    Addr,
}

impl Type {
    /// All types.
    pub const ALL: [Type; 6] = [Type::Int, Type::Float, Type::Bool, Type::Byte, Type::Ref, Type::Addr];

    /// The name in IR text.
    pub fn name(self) -> &'static str {
        match self {
            Type::Int => "int",
            Type::Float => "float",
            Type::Bool => "bool",
            Type::Byte => "byte",
            Type::Ref => "ref",
            Type::Addr => "addr",
        }
    }

    /// Bytes that a value takes in memory.
    pub fn size(self) -> u32 {
        match self {
            Type::Int | Type::Float | Type::Ref | Type::Addr => 8,
            Type::Bool | Type::Byte => 1,
        }
    }
}

impl std::fmt::Display for Type {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

mini_base::define_id! {
    /// A layout of heap objects, in the module's table.
    pub struct LayoutId, "layout";
}

/// How the objects of one kind are laid out. Strings have a layout of their own that no instruction names.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub enum Layout {
    /// A record: structs, variants of enums, closures (whose first field is the code), cells of shared variables.
    Struct {
        /// For people; unique among the module's struct layouts.
        name: Arc<str>,
        /// The index of a variant of an enum: it stands before the fields, set by `new`, and never changes.
        tag: Option<u32>,
        /// Name and type of each field; a scalar optional is two fields (`x` and `x?`).
        fields: Vec<(Arc<str>, Type)>,
    },
    /// An array with elements of one value, or of two (a scalar optional: payload, then its flag).
    Array {
        /// The payload's type.
        element: Type,
        /// Whether a `bool` flag goes with each element.
        optional: bool,
    },
}

impl Layout {
    /// Byte offset of each field of a struct layout: 8-byte fields first, each group in declaration order; then the size
    /// of the whole object, a multiple of 8. For arrays, no offsets and the size of the part before the elements.
    pub fn offsets(&self) -> (Vec<u32>, u32) {
        let Layout::Struct { fields, tag, .. } = self else { return (Vec::new(), ELEMENTS_OFFSET) };
        let mut offsets = vec![0; fields.len()];
        let mut at = if tag.is_some() { TAG_OFFSET + 8 } else { HEADER_SIZE };
        for wide in [8, 1] {
            for (offset, (_, ty)) in offsets.iter_mut().zip(fields) {
                if ty.size() == wide {
                    *offset = at;
                    at += wide;
                }
            }
        }
        (offsets, at.next_multiple_of(8))
    }

    /// Bytes from one element to the next (1, 2, 8 or 16); 0 for struct layouts.
    pub fn stride(&self) -> u32 {
        match self {
            Layout::Struct { .. } => 0,
            Layout::Array { element, optional: false } => element.size(),
            Layout::Array { element, optional: true } => 2 * element.size(),
        }
    }

    /// The type of part `part` of an element (0 payload, 1 flag), or of field `part`; `None` if there is no such part.
    pub fn part(&self, part: u32) -> Option<Type> {
        match (self, part) {
            (Layout::Struct { fields, .. }, _) => fields.get(part as usize).map(|f| f.1),
            (Layout::Array { element, .. }, 0) => Some(*element),
            (Layout::Array { optional: true, .. }, 1) => Some(Type::Bool),
            (Layout::Array { .. }, _) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_fields_come_first() {
        let fields =
            vec![("a".into(), Type::Bool), ("b".into(), Type::Int), ("c".into(), Type::Byte), ("d".into(), Type::Ref)];
        let layout = |tag| Layout::Struct { name: "S".into(), tag, fields: fields.clone() };
        assert_eq!(layout(None).offsets(), (vec![24, 8, 25, 16], 32));
        assert_eq!(layout(Some(3)).offsets(), (vec![32, 16, 33, 24], 40));
    }
}
