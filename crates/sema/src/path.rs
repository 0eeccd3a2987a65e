//! Names and paths: the one place where they are looked up.
//!
//! *In:* a name, or a path as it is written. *Out:* the item that it names, and a name inside the item where the path goes
//! on. *Keeps:* a path whose beginning names nothing that has parts is reported here; a single name that nothing declares is
//! left to who asks, who knows what it should have been. *Cost:* constant for each segment.

use crate::body::BodyChecker;
use crate::check::Checker;
use crate::items::{Item, Nominal};
use crate::typed::{FnId, LocalId, Origin};
use crate::types::{StructId, TyKind};
use mini_base::names::Name;
use mini_base::source::Span;
use mini_diag::codes_checker as codes;
use mini_syntax::ast;

/// A path taken apart.
#[derive(Clone, Copy)]
pub(crate) enum Split<'p> {
    /// An item, with the place where it is declared; the segment that names it.
    Item(Item, Span, &'p ast::PathSegment),
    /// Something inside a type: the segments that name the type and what is inside.
    Member(Nominal, &'p ast::PathSegment, &'p ast::PathSegment),
    /// A single name that nothing declares.
    Unknown(&'p ast::PathSegment),
}

/// What a path in a body names.
#[derive(Clone, Copy)]
pub(crate) enum Named<'p> {
    /// A variable; the path is this one segment.
    Local(LocalId, &'p ast::PathSegment),
    /// Anything else.
    Other(Split<'p>),
}

impl<'a> Checker<'a> {
    /// What a name means, and where it is declared: in the current module, else in the prelude. Notes the use of an import.
    pub fn lookup(&self, name: Name) -> Option<(Item, Span)> {
        match self.scopes[self.current].names.get(&name) {
            Some(known) => {
                self.note_use(known);
                Some((known.item, known.declared))
            }
            None => self.prelude.get(&name).copied(),
        }
    }

    /// The names of some kinds of items that can be written here, in textual order: for suggestions.
    pub fn known_names(&self, wanted: impl Fn(Item) -> bool) -> Vec<&'a str> {
        let names = self.names;
        let scope = &self.scopes[self.current];
        scope.order.iter().filter(|name| wanted(scope.names[*name].item)).map(|&name| names.text(name)).collect()
    }

    /// Takes a path apart; `None` if it was reported.
    pub fn split<'p>(&mut self, path: &'p ast::Path) -> Option<Split<'p>> {
        let (first, more) = path.segments.split_first().expect("a path has a segment");
        let found = self.lookup(first.ident.name);
        let (Some((Item::Module(module), _)), [segment, more @ ..]) = (found, more) else {
            return self.split_in_module(found, first, more);
        };
        if first.args.is_some() {
            let text = self.text(first.ident.name);
            self.fail(codes::E0309_TYPE_ARGUMENTS, first.ident.span, format!("`{text}` has no type parameters"));
        }
        let found = self.item_of(module, segment.ident)?;
        self.split_in_module(Some(found), segment, more)
    }

    fn split_in_module<'p>(
        &mut self,
        found: Option<(Item, Span)>,
        first: &'p ast::PathSegment,
        more: &'p [ast::PathSegment],
    ) -> Option<Split<'p>> {
        match (found, more) {
            (None, []) => Some(Split::Unknown(first)),
            (Some((item, declared)), []) => Some(Split::Item(item, declared, first)),
            (Some((Item::Struct(id), _)), [member]) => Some(Split::Member(Nominal::Struct(id), first, member)),
            (Some((Item::Enum(id), _)), [member]) => Some(Split::Member(Nominal::Enum(id), first, member)),
            (Some((item, declared)), _) => {
                self.refuse_parts(item, declared, first.ident);
                None
            }
            (None, _) => {
                self.unknown_type(first.ident, "module or type");
                None
            }
        }
    }

    /// Reports `x::y` where `x` is nothing that has parts, or has none that could stand here.
    pub fn refuse_parts(&mut self, item: Item, declared: Span, name: ast::Ident) {
        if item == Item::Error {
            return;
        }
        let text = self.text(name.name);
        let d = self
            .error(
                codes::E0205_WRONG_KIND_OF_NAME,
                name.span,
                format!("`{text}` is {} and has nothing behind `::`", item.noun()),
            )
            .with_secondary(declared, "declared here");
        self.report(d);
    }

    /// Reports `Type::x` where something inside a type can't stand.
    pub fn refuse_member(&mut self, owner: Nominal, name: ast::Ident) {
        let item = match owner {
            Nominal::Struct(id) => Item::Struct(id),
            Nominal::Enum(id) => Item::Enum(id),
        };
        self.refuse_parts(item, self.nominal_name(owner).span, name);
    }

    /// Whether the current module knows nothing of a struct's fields: those of the library's structs are for the library, which
    /// relies on what they hold.
    pub fn hides_fields(&self, id: StructId) -> bool {
        self.modules[self.structs[id].module].origin() == Origin::Library && self.module().origin() == Origin::User
    }

    /// Whether it is the library's `List`, for advice.
    pub fn is_list(&self, id: StructId) -> bool {
        self.is_library(id) && self.text(self.structs[id].name.name) == "List"
    }

    /// The name of a struct of the library, for advice.
    pub fn library_name(&self, kind: &TyKind) -> Option<&str> {
        match *kind {
            TyKind::Struct(id, _) if self.is_library(id) => Some(self.text(self.structs[id].name.name)),
            _ => None, // the program's own, or no struct
        }
    }

    /// Whether a struct is the library's, for advice: the user can't change it.
    pub fn is_library(&self, id: StructId) -> bool {
        self.modules[self.structs[id].module].origin() == Origin::Library
    }

    /// How to come by the elements of one of the library's types that `for` and `print` don't take.
    pub fn elements_of(&self, kind: &TyKind) -> Option<&'static str> {
        match self.library_name(kind)? {
            "Map" => Some("`m.keys()` is an array of the keys, `m.values()` one of the values"),
            "Set" => Some("`s.items()` is an array of the keys"),
            "StringBuilder" => Some("`b.to_string()` is the text"),
            _ => None, // no collection of the library
        }
    }

    /// The index of a struct's field of this name.
    pub fn field_named(&self, id: StructId, name: Name) -> Option<u32> {
        self.structs[id].by_name.get(&name).copied().filter(|_| !self.hides_fields(id))
    }

    /// Reports a method or associated function that its module keeps to itself.
    pub fn require_visible(&mut self, id: FnId, span: Span) {
        let info = &self.functions[id];
        if info.public || info.module == self.current {
            return;
        }
        let module = &self.modules[info.module];
        let (text, declared) = (self.function_text(id), info.name.span);
        let d = self
            .error(codes::E0217_PRIVATE, span, format!("`{text}` is private to the module `{}`", module.name))
            .with_secondary(declared, "declared here without `pub`");
        self.report(match module.origin() {
            Origin::User => d.with_help("`pub` in front of its declaration lets other modules use it"),
            Origin::Library => d,
        });
    }
}

impl BodyChecker<'_, '_> {
    /// Takes a path in a body apart, where variables come before items; `None` if it was reported.
    pub fn split<'p>(&mut self, path: &'p ast::Path) -> Option<Named<'p>> {
        let first = &path.segments[0];
        let Some(&local) = self.visible.get(&first.ident.name) else {
            return self.cx.split(path).map(Named::Other);
        };
        if path.segments.len() == 1 {
            return Some(Named::Local(local, first));
        }
        let text = self.cx.text(first.ident.name);
        let d = self
            .cx
            .error(
                codes::E0205_WRONG_KIND_OF_NAME,
                first.ident.span,
                format!("`{text}` is a variable and has nothing behind `::`"),
            )
            .with_secondary(self.body.locals[local].span, "declared here")
            .with_help("methods are called with `.`");
        self.cx.report(d);
        None
    }
}
