//! How Mini types are represented by IR values, and the layouts of their objects.

use mini_ir::module::ModuleInfo;
use mini_ir::types::{Layout, LayoutId, Type};
use mini_sema::typed::Program;
use mini_sema::types::{StructId, Ty, TyKind};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The IR values that stand for one Mini value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Repr {
    /// Unit and never: none.
    None,
    /// One value. For an optional of a reference, null is the null reference.
    One(Type),
    /// An optional of a scalar: the payload's type; a `bool` flag goes with it, true when a value is there.
    Optional(Type),
}

impl Repr {
    /// The types of the IR values.
    pub(crate) fn types(self) -> impl Iterator<Item = Type> {
        let (first, second) = match self {
            Repr::None => (None, None),
            Repr::One(ty) => (Some(ty), None),
            Repr::Optional(ty) => (Some(ty), Some(Type::Bool)),
        };
        first.into_iter().chain(second)
    }
}

/// The representation of a type.
pub(crate) fn repr(program: &Program, ty: Ty) -> Repr {
    match program.types.kind(ty) {
        TyKind::Int => Repr::One(Type::Int),
        TyKind::Float => Repr::One(Type::Float),
        TyKind::Bool => Repr::One(Type::Bool),
        TyKind::Byte => Repr::One(Type::Byte),
        TyKind::Unit | TyKind::Never | TyKind::StdinLines => Repr::None,
        TyKind::String | TyKind::Array(_) | TyKind::Function(..) | TyKind::Struct(..) => Repr::One(Type::Ref),
        TyKind::Optional(inner) => match repr(program, *inner) {
            Repr::One(Type::Ref) => Repr::One(Type::Ref),
            Repr::One(scalar) => Repr::Optional(scalar),
            Repr::None | Repr::Optional(_) => {
                unreachable!("the checker admits neither `()?` nor `T??`")
            }
        },
        TyKind::Enum(..) => Repr::One(Type::Int), // no variant has a payload yet: the variant's index
        TyKind::Param(_) | TyKind::Infer(_) | TyKind::Error => {
            unreachable!("the checker reports what it does not resolve")
        }
    }
}

/// A struct's layout and where each field's parts begin in it.
#[derive(Clone)]
pub(crate) struct StructLayout {
    pub(crate) layout: LayoutId,
    pub(crate) first_part: Arc<[u32]>,
}

/// The layouts made so far.
#[derive(Default)]
pub(crate) struct Layouts {
    structs: FxHashMap<StructId, StructLayout>,
}

impl Layouts {
    /// The layout of a struct type. A field of two values takes two parts, `f` and `f?`.
    pub(crate) fn of_struct(&mut self, program: &Program, info: &mut ModuleInfo, ty: Ty) -> StructLayout {
        let TyKind::Struct(id, _) = program.types.kind(ty) else { unreachable!("the checker typed this as a struct") };
        if let Some(known) = self.structs.get(id) {
            return known.clone();
        }
        let definition = &program.structs[*id];
        let mut fields: Vec<(Arc<str>, Type)> = Vec::new();
        let mut first_part = Vec::new();
        for field in &definition.fields {
            first_part.push(fields.len() as u32);
            for (part, ty) in repr(program, field.ty).types().enumerate() {
                let name = if part == 0 { field.name.clone() } else { format!("{}?", field.name).into() };
                fields.push((name, ty));
            }
        }
        let layout = info.layout(Layout::Struct { name: definition.name.clone(), fields });
        let made = StructLayout { layout, first_part: first_part.into() };
        self.structs.insert(*id, made.clone());
        made
    }
}

/// The layout of an array with elements of this representation.
pub(crate) fn array_layout(info: &mut ModuleInfo, element: Repr) -> LayoutId {
    match element {
        Repr::One(element) => info.layout(Layout::Array { element, optional: false }),
        Repr::Optional(element) => info.layout(Layout::Array { element, optional: true }),
        Repr::None => unreachable!("the checker admits no arrays of unit"),
    }
}
