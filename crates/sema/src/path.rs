//! Names and paths: the one place where they are looked up.
//!
//! *In:* a name, or a path as it is written. *Out:* the item that it names, and a name inside the item where the path goes
//! on. *Keeps:* a path whose beginning names nothing that has parts is reported here; a single name that nothing declares is
//! left to who asks, who knows what it should have been. *Cost:* constant for each segment.

use crate::body::BodyChecker;
use crate::check::Checker;
use crate::items::{Item, Nominal};
use crate::typed::LocalId;
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
    /// What a name means, and where it is declared.
    pub fn lookup(&self, name: Name) -> Option<(Item, Span)> {
        self.scope.get(&name).copied()
    }

    /// The names of some kinds of items that can be written here, in textual order: for suggestions.
    pub fn known_names(&self, wanted: impl Fn(Item) -> bool) -> Vec<&'a str> {
        let names = self.names;
        let is_wanted = |name: &&Name| self.lookup(**name).is_some_and(|(item, _)| wanted(item));
        self.item_names.iter().filter(is_wanted).map(|&name| names.text(name)).collect()
    }

    /// Takes a path apart; `None` if it was reported.
    pub fn split<'p>(&mut self, path: &'p ast::Path) -> Option<Split<'p>> {
        let first = &path.segments[0];
        let found = self.lookup(first.ident.name);
        match (found, path.segments.as_slice()) {
            (None, [_]) => Some(Split::Unknown(first)),
            (Some((item, declared)), [_]) => Some(Split::Item(item, declared, first)),
            (Some((Item::Struct(id), _)), [_, member]) => Some(Split::Member(Nominal::Struct(id), first, member)),
            (Some((Item::Enum(id), _)), [_, member]) => Some(Split::Member(Nominal::Enum(id), first, member)),
            (Some(_) | None, _) => {
                self.fail_module_path(first.ident);
                None
            }
        }
    }

    /// Reports `m::x` where `m` is nothing that has parts.
    pub fn fail_module_path(&mut self, first: ast::Ident) {
        let text = self.text(first.name);
        match self.lookup(first.name) {
            Some((Item::Error, _)) => {}
            Some((item, declared)) => {
                let d = self
                    .error(
                        codes::E0205_WRONG_KIND_OF_NAME,
                        first.span,
                        format!("`{text}` is {} and has nothing behind `::`", item.noun()),
                    )
                    .with_secondary(declared, "declared here");
                self.report(d);
            }
            None if matches!(text, "List" | "Map" | "Set" | "StringBuilder") => {
                self.unsupported(first.span, &format!("`{text}`"));
            }
            None => self.unknown_type(first, "module or type"),
        }
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
