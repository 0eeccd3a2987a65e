//! How Mini types are represented by IR values, and the layouts of their objects.

use mini_ir::module::ModuleInfo;
use mini_ir::types::{Layout, LayoutId, Type};
use mini_sema::print::type_name;
use mini_sema::typed::Program;
use mini_sema::types::{EnumId, Ty, TyKind};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The IR values that stand for one Mini value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
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
        // A local or element whose only value is never has the error type: control does not get to its use.
        TyKind::Unit | TyKind::Never | TyKind::Error => Repr::None,
        TyKind::String | TyKind::Array(_) | TyKind::Function(..) | TyKind::Struct(..) => Repr::One(Type::Ref),
        TyKind::Optional(inner) => match repr(program, *inner) {
            Repr::One(Type::Ref) => Repr::One(Type::Ref),
            Repr::One(scalar) => Repr::Optional(scalar),
            Repr::None | Repr::Optional(_) => {
                unreachable!("neither the checker nor the search for instances admits `()?` or `T??`")
            }
        },
        TyKind::Enum(id, _) if is_plain(program, *id) => Repr::One(Type::Int), // the variant's index
        TyKind::Enum(..) => Repr::One(Type::Ref),
        TyKind::Param(_) | TyKind::Infer(_) => {
            unreachable!("an instance's types are closed, and the checker reports what it does not resolve")
        }
    }
}

/// Whether no variant of an enum has a payload.
pub(crate) fn is_plain(program: &Program, id: EnumId) -> bool {
    program.enums[id].variants.iter().all(|(_, payload)| payload.is_empty())
}

/// A struct's layout and where each field's parts begin in it.
#[derive(Clone)]
pub(crate) struct StructLayout {
    pub(crate) layout: LayoutId,
    pub(crate) first_part: Arc<[u32]>,
}

/// Makes names unique by a number behind a `$`, which no name of the language has.
#[derive(Default)]
pub(crate) struct UniqueNames {
    counts: FxHashMap<String, u32>,
}

impl UniqueNames {
    /// The name, or one that begins with it.
    pub(crate) fn take(&mut self, name: String) -> Arc<str> {
        let count = self.counts.entry(name.clone()).or_insert(0);
        *count += 1;
        if *count == 1 { name.into() } else { format!("{name}${count}").into() }
    }
}

/// The layouts made so far. Types have no parameters here.
#[derive(Default)]
pub(crate) struct Layouts {
    structs: FxHashMap<Ty, StructLayout>,
    variants: FxHashMap<(Ty, u32), StructLayout>,
    cells: FxHashMap<Repr, LayoutId>,
    names: UniqueNames,
}

impl Layouts {
    /// The layout of a struct type.
    pub(crate) fn of_struct(&mut self, program: &Program, info: &mut ModuleInfo, ty: Ty) -> StructLayout {
        let TyKind::Struct(id, _) = program.types.kind(ty) else { unreachable!("the checker typed this as a struct") };
        let names = &mut self.names;
        let make = || {
            let fields = program.structs[*id].fields.iter().map(|field| field.name.clone());
            let members = fields.zip(program.member_types(ty, 0).iter().copied());
            struct_layout(program, info, names.take(type_name(program, ty)), None, members)
        };
        self.structs.entry(ty).or_insert_with(make).clone()
    }

    /// The layout of a variant of an enum some of whose variants have payloads.
    pub(crate) fn of_variant(
        &mut self,
        program: &Program,
        info: &mut ModuleInfo,
        ty: Ty,
        variant: u32,
    ) -> StructLayout {
        let TyKind::Enum(id, _) = program.types.kind(ty) else { unreachable!("the checker typed this as an enum") };
        let names = &mut self.names;
        let make = || {
            let name = &program.enums[*id].variants[variant as usize].0;
            let name = names.take(format!("{}::{name}", type_name(program, ty)));
            let payload = program.member_types(ty, variant).iter().enumerate();
            struct_layout(program, info, name, Some(variant), payload.map(|(n, &ty)| (n.to_string().into(), ty)))
        };
        self.variants.entry((ty, variant)).or_insert_with(make).clone()
    }

    /// The layout of a cell for a variable of this representation.
    pub(crate) fn of_cell(&mut self, info: &mut ModuleInfo, repr: Repr) -> LayoutId {
        let make = || {
            let name = match repr {
                Repr::None => "cell".into(),
                Repr::One(ty) => format!("cell {ty}"),
                Repr::Optional(ty) => format!("cell {ty}?"),
            };
            let fields = named_parts(&"value".into(), repr).collect();
            info.layout(Layout::Struct { name: name.into(), tag: None, fields })
        };
        *self.cells.entry(repr).or_insert_with(make)
    }
}

/// Makes a layout. A field of two values takes two parts, `f` and `f?`.
fn struct_layout(
    program: &Program,
    info: &mut ModuleInfo,
    name: Arc<str>,
    tag: Option<u32>,
    members: impl Iterator<Item = (Arc<str>, Ty)>,
) -> StructLayout {
    let mut fields = Vec::new();
    let mut first_part = Vec::new();
    for (name, ty) in members {
        first_part.push(fields.len() as u32);
        fields.extend(named_parts(&name, repr(program, ty)));
    }
    let layout = info.layout(Layout::Struct { name, tag, fields });
    StructLayout { layout, first_part: first_part.into() }
}

/// The IR values of a Mini value with their names, `x` and `x?`.
pub(crate) fn named_parts(name: &Arc<str>, repr: Repr) -> impl Iterator<Item = (Arc<str>, Type)> + use<> {
    let names = [name.clone(), format!("{name}?").into()];
    names.into_iter().zip(repr.types().collect::<Vec<_>>())
}

/// The layout of an array with elements of this representation.
pub(crate) fn array_layout(info: &mut ModuleInfo, element: Repr) -> LayoutId {
    match element {
        Repr::One(element) => info.layout(Layout::Array { element, optional: false }),
        Repr::Optional(element) => info.layout(Layout::Array { element, optional: true }),
        // All elements are never: control does not get behind the first.
        Repr::None => info.layout(Layout::Array { element: Type::Int, optional: false }),
    }
}
