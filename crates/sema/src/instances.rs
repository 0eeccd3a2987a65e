//! Which functions a program needs at which types: the work list of monomorphisation.
//!
//! *In:* a checked program. *Out:* [`Program::instances`], in each of which every type of the function's body is replaced
//! by one without parameters, and [`Program::members`] of all structs and enums in them; or errors.
//!
//! An instance is a function with its type arguments. `main` is one; whatever the body of an instance refers to, also
//! where control does not get, is one at the type arguments that it names there under the instance's own; so is the method
//! `show` of a value whose text is wanted. The last one found is looked at first, so that an instantiation without end
//! shows as a chain that gets deeper, not as one that gets wide. Types are hash-consed and each is looked at once: a type of
//! depth 64 may have 2^64 parts.
//!
//! What `main` and the initialisers don't refer to is looked at too, since the user's functions without type parameters
//! can be printed, and since errors in them are errors; an instantiation without end counts for what is reachable only.
//!
//! *Cost:* linear in the text of all instances. *Leaves:* instances whose code is the same are not made one.

use crate::print::name_with_args;
use crate::typed::{EnumDef, FnDef, FnId, FnRef, Instance, Origin, Program, StructDef};
use crate::types::{Substitution, Ty, TyKind, TypeParam, Types};
use crate::uses::{self, TypeUse, Uses};
use mini_base::source::Span;
use mini_diag::diagnostic::Diagnostics;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// How deep the types of an instance may nest.
pub(crate) const MAX_DEPTH: u32 = 64;

/// How many instances of generic functions, and how many of generic types, a program may need.
pub(crate) const MAX_INSTANCES: usize = 100_000;

/// Finds the instances; `None` if there are errors. If the checker has found some, those of instances are reported all the
/// same, as far as types are right.
pub(crate) fn find(mut program: Program, diags: &mut Diagnostics) -> Option<Program> {
    let types = std::mem::take(&mut program.types);
    let mut finder = Finder {
        program: &program,
        diags,
        types,
        uses: FxHashMap::default(),
        numbers: FxHashMap::default(),
        found: Vec::new(),
        waiting: Vec::new(),
        seen: FxHashSet::default(),
        members: FxHashMap::default(),
        generic_functions: 0,
        generic_types: 0,
        endless_functions: FxHashSet::default(),
        endless_types: FxHashSet::default(),
        stage: Stage::Program,
        endless: false,
        double_left: None,
    };
    for &root in program.main.iter().chain(program.exports.iter().flatten()) {
        finder.reach(plain(root), None);
    }
    for global in &program.globals {
        let uses = uses::of_global(&finder.types, global);
        finder.follow(&uses, Owner::Initialiser);
    }
    finder.work();
    let reachable = finder.found.len();
    finder.stage = Stage::Spare;
    for (id, function) in program.functions.iter_enumerated() {
        if function.generics.is_empty() && function.origin == Origin::User {
            finder.reach(plain(id), None);
            finder.work();
        }
    }
    if let Some(span) = finder.double_left
        && !finder.diags.has_errors()
    {
        finder.report_double_left(span);
    }
    if finder.diags.has_errors() {
        return None;
    }
    let Finder { types, mut found, members, endless, .. } = finder;
    if endless {
        found.truncate(reachable); // the rest is not complete
    }
    program.instances = found.into_iter().map(|f| Instance { function: f.function, types: f.types }).collect();
    program.reachable = reachable;
    program.members = members;
    program.types = types;
    Some(program)
}

/// A function without type parameters.
fn plain(function: FnId) -> FnRef {
    FnRef { function, type_args: Box::default() }
}

/// The state of the search. The program's own table of types is empty meanwhile; `types` is it.
pub(crate) struct Finder<'a> {
    pub program: &'a Program,
    pub diags: &'a mut Diagnostics,
    pub types: Types,
    /// What generic functions refer to.
    uses: FxHashMap<FnId, Rc<Uses>>,
    numbers: FxHashMap<FnRef, usize>,
    pub found: Vec<Found>,
    /// Instances that are still to be looked at.
    waiting: Vec<usize>,
    /// Types that were looked at.
    seen: FxHashSet<Ty>,
    members: FxHashMap<Ty, Box<[Box<[Ty]>]>>,
    generic_functions: usize,
    generic_types: usize,
    /// Functions and types that ask for ever more of themselves: reported, and not followed any further.
    pub endless_functions: FxHashSet<FnId>,
    pub endless_types: FxHashSet<Span>,
    pub stage: Stage,
    /// Whether something was not followed any further.
    pub endless: bool,
    /// Where a type is that what the text refers to must have made an optional of an optional: that is where it is reported.
    double_left: Option<Span>,
}

/// What is being looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    /// What `main` and the initialisers refer to.
    Program,
    /// The rest of what the user wrote without type parameters.
    Spare,
}

/// An instance.
pub(crate) struct Found {
    pub function: FnRef,
    /// Who asked for it first.
    pub by: Option<Asked>,
    /// What became of its types so far.
    types: FxHashMap<Ty, Ty>,
}

/// A place in the text that asks for an instance.
#[derive(Clone, Copy)]
pub(crate) struct Asked {
    pub owner: Owner,
    pub span: Span,
}

/// Whose text it is.
#[derive(Clone, Copy)]
pub(crate) enum Owner {
    /// An instance's, by number.
    Instance(usize),
    /// The initialiser of a global's.
    Initialiser,
}

/// A place that makes a type of the program out of a written one.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    /// Where its type arguments come from.
    pub asks: Span,
    /// Where it is written with parameters, if that is elsewhere.
    pub written: Option<Span>,
}

/// A type on the way from one that is used to those of its members.
#[derive(Clone, Copy)]
pub(crate) struct Step {
    pub ty: Ty,
    /// The step before, and the member that led here.
    pub by: Option<(usize, Span)>,
    pub place: Place,
}

/// A struct or an enum.
#[derive(Clone, Copy)]
pub(crate) enum Nominal<'a> {
    Struct(&'a StructDef),
    Enum(&'a EnumDef),
}

impl<'a> Nominal<'a> {
    pub fn name(self) -> &'a str {
        match self {
            Nominal::Struct(definition) => &definition.name,
            Nominal::Enum(definition) => &definition.name,
        }
    }

    pub fn span(self) -> Span {
        match self {
            Nominal::Struct(definition) => definition.span,
            Nominal::Enum(definition) => definition.span,
        }
    }

    fn generics(self) -> &'a [TypeParam] {
        match self {
            Nominal::Struct(definition) => &definition.generics,
            Nominal::Enum(definition) => &definition.generics,
        }
    }

    /// One list of types for a struct, one for each variant of an enum.
    fn members(self) -> Vec<Vec<Ty>> {
        match self {
            Nominal::Struct(definition) => vec![definition.fields.iter().map(|field| field.ty).collect()],
            Nominal::Enum(definition) => definition.variants.iter().map(|(_, payload)| payload.clone()).collect(),
        }
    }

    /// What a member is, and where it is written.
    pub fn member(self, list: usize, member: usize) -> (String, Span) {
        match self {
            Nominal::Struct(definition) => {
                let field = &definition.fields[member];
                (format!("field `{}`", field.name), field.span)
            }
            Nominal::Enum(definition) => (format!("variant `{}`", definition.variants[list].0), definition.span),
        }
    }
}

impl<'a> Finder<'a> {
    /// A function of the program.
    pub fn function(&self, id: FnId) -> &'a FnDef {
        &self.program.functions[id]
    }

    /// An instance as it is written.
    pub fn text(&self, function: &FnRef) -> String {
        name_with_args(&self.types, self.program, &self.function(function.function).name, &function.type_args)
    }

    fn work(&mut self) {
        while let Some(number) = self.waiting.pop() {
            let id = self.found[number].function.function;
            if !self.endless_functions.contains(&id) {
                let uses = self.uses_of(id);
                self.follow(&uses, Owner::Instance(number));
            }
        }
    }

    fn uses_of(&mut self, id: FnId) -> Rc<Uses> {
        if let Some(uses) = self.uses.get(&id) {
            return uses.clone();
        }
        let function = self.function(id);
        let uses = Rc::new(uses::of_function(&self.types, function));
        if !function.generics.is_empty() {
            self.uses.insert(id, uses.clone()); // the others are looked at once
        }
        uses
    }

    /// Notes an instance that is wanted.
    fn reach(&mut self, function: FnRef, by: Option<Asked>) {
        if self.numbers.contains_key(&function) || self.endless_functions.contains(&function.function) {
            return;
        }
        let generics = self.function(function.function).generics.len();
        if function.type_args.len() != generics || function.type_args.iter().any(|&ty| self.types.is_wrong(ty)) {
            return; // reported by the checker
        }
        if function.type_args.iter().any(|&ty| self.types.has_double_optional(ty)) {
            self.double_left = self.double_left.or(by.map(|by| by.span)); // what made it is to blame
            return;
        }
        if function.type_args.iter().any(|&ty| self.types.depth(ty) > MAX_DEPTH) {
            return self.report_endless_function(function, by);
        }
        if !function.type_args.is_empty() {
            self.generic_functions += 1;
            if self.generic_functions > MAX_INSTANCES {
                return self.report_too_many_functions(function, by);
            }
        }
        let number = self.found.len();
        self.numbers.insert(function.clone(), number);
        self.found.push(Found { function, by, types: FxHashMap::default() });
        self.waiting.push(number);
    }

    /// Stops the search: the work would not end in sensible time.
    pub fn stop(&mut self) {
        self.waiting.clear();
        self.endless_functions.extend(self.program.functions.ids());
    }

    /// Notes what an instance or initialiser refers to.
    fn follow(&mut self, uses: &Uses, owner: Owner) {
        let (substitution, mut memo) = match owner {
            Owner::Instance(number) => {
                let found = &mut self.found[number];
                let generics = &self.program.functions[found.function.function].generics;
                (Substitution::new(generics, &found.function.type_args), std::mem::take(&mut found.types))
            }
            Owner::Initialiser => (Substitution::default(), FxHashMap::default()),
        };
        for used in &uses.types {
            let ty = self.types.substitute_memo(used.ty, &substitution, &mut memo);
            if self.types.has_double_optional(used.ty) {
                self.double_left = self.double_left.or(Some(used.span)); // by something that is looked at later
                continue;
            }
            if self.types.has_double_optional(ty) {
                return self.report_double_in_function(used, &substitution, owner); // one is enough
            }
            let place = self.place_of(used, owner);
            self.use_type(ty, place);
        }
        for (function, span) in &uses.functions {
            let args = function.type_args.iter();
            let type_args = args.map(|&ty| self.types.substitute_memo(ty, &substitution, &mut memo)).collect();
            self.reach(FnRef { function: function.function, type_args }, Some(Asked { owner, span: *span }));
        }
        for &(ty, span) in &uses.shown {
            let ty = self.types.substitute_memo(ty, &substitution, &mut memo);
            if let Some(show) = self.show_method(ty) {
                self.reach(show, Some(Asked { owner, span }));
            }
        }
        if let Owner::Instance(number) = owner {
            self.found[number].types = memo;
        }
    }

    /// The method that makes the text of a value, or of its elements.
    fn show_method(&self, mut ty: Ty) -> Option<FnRef> {
        loop {
            let (show, args) = match self.types.kind(ty) {
                TyKind::Array(inner) | TyKind::Optional(inner) => {
                    ty = *inner;
                    continue;
                }
                TyKind::Struct(id, args) => (self.program.structs[*id].show, args),
                TyKind::Enum(id, args) => (self.program.enums[*id].show, args),
                _ => return None, // these have no methods
            };
            return show.map(|function| FnRef { function, type_args: args.clone() });
        }
    }

    /// Where the type arguments of a used type come from.
    fn place_of(&self, used: &TypeUse, owner: Owner) -> Place {
        match owner {
            Owner::Instance(number) if self.types.has_params(used.ty) => {
                let asks = self.found[number].by.map_or(used.span, |by| self.user_span(by));
                Place { asks, written: Some(used.span) }
            }
            Owner::Instance(_) | Owner::Initialiser => Place { asks: used.span, written: None },
        }
    }

    /// The place in the user's code that leads to a place.
    pub fn user_span(&self, mut asked: Asked) -> Span {
        while let Owner::Instance(number) = asked.owner {
            let found = &self.found[number];
            match found.by {
                Some(by) if self.function(found.function.function).origin == Origin::Library => asked = by,
                Some(_) | None => break,
            }
        }
        asked.span
    }

    /// Looks at a type and at those of which its values are made.
    fn use_type(&mut self, ty: Ty, place: Place) {
        let mut steps = vec![Step { ty, by: None, place }];
        let mut waiting = vec![0];
        while let Some(number) = waiting.pop() {
            let Step { ty, by, place } = steps[number];
            if !self.seen.insert(ty) {
                continue;
            }
            let kind = self.types.kind(ty).clone();
            let first = steps.len();
            if let Some((nominal, args)) = self.nominal(&kind) {
                let Some(members) = self.members_of(nominal, args, &steps, number) else { return };
                steps.extend(members.into_iter().filter(|member| !self.seen.contains(&member.ty)));
            }
            kind.any_part(|part| {
                if !self.seen.contains(&part) {
                    steps.push(Step { ty: part, by, place });
                }
                false // all parts are wanted
            });
            waiting.extend(first..steps.len());
        }
    }

    /// The declaration and the type arguments of a struct or enum type.
    pub fn nominal<'k>(&self, kind: &'k TyKind) -> Option<(Nominal<'a>, &'k [Ty])> {
        match kind {
            TyKind::Struct(id, args) => Some((Nominal::Struct(&self.program.structs[*id]), args)),
            TyKind::Enum(id, args) => Some((Nominal::Enum(&self.program.enums[*id]), args)),
            _ => None, // not declared
        }
    }

    /// The members of a struct or enum type, as steps to go on with; `None` if there is no use in going on.
    fn members_of(&mut self, nominal: Nominal<'a>, args: &[Ty], steps: &[Step], number: usize) -> Option<Vec<Step>> {
        let Step { ty, place, .. } = steps[number];
        let reported = self.types.is_wrong(ty) || args.len() != nominal.generics().len();
        if reported || self.endless_types.contains(&nominal.span()) {
            return None;
        }
        if args.iter().any(|&ty| self.types.depth(ty) > MAX_DEPTH) {
            self.report_endless_type(steps, number);
            return None;
        }
        if !args.is_empty() {
            self.generic_types += 1;
            if self.generic_types > MAX_INSTANCES {
                self.report_too_many_types(nominal, place);
                return None;
            }
        }
        let substitution = Substitution::new(nominal.generics(), args);
        let mut memo = FxHashMap::default();
        let mut members = Vec::new();
        let mut steps = Vec::new();
        for (list, types) in nominal.members().into_iter().enumerate() {
            let mut closed = Vec::with_capacity(types.len());
            for (member, written) in types.into_iter().enumerate() {
                let ty = self.types.substitute_memo(written, &substitution, &mut memo);
                let (text, span) = nominal.member(list, member);
                if self.types.has_double_optional(ty) {
                    self.report_double_in_member(nominal, (&text, span, written), &substitution, place);
                    return None;
                }
                closed.push(ty);
                // What is written without parameters is made there.
                let place = if self.types.has_params(written) { place } else { Place { asks: span, written: None } };
                steps.push(Step { ty, by: Some((number, span)), place });
            }
            members.push(closed.into());
        }
        self.members.insert(ty, members.into());
        Some(steps)
    }
}
