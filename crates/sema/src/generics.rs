//! Type parameters: their declarations and bounds, and what stands for them where a generic item is used.
//!
//! *In:* the `<T: Bound>` lists of items; at each use, the type arguments that are written or known from the receiver. *Out:*
//! fresh inference variables for the others, and an obligation for each parameter that has bounds, which is checked once the
//! types are known. *Keeps:* a generic body is checked once: what its parameters can do is what their bounds say.
//! *Cost:* linear. *Source:* the language reference, section 3; inference by unification (Robinson 1965).

use crate::body::BodyChecker;
use crate::check::Checker;
use crate::infer::Expect;
use crate::items::Nominal;
use crate::typed::{FnId, FnRef};
use crate::types::{Substitution, Ty, TyKind, TypeParam};
use crate::values::MAX_TYPE_DEPTH;
use mini_base::names::Name;
use mini_base::source::Span;
use mini_diag::codes_checker as codes;
use mini_diag::diagnostic::Diagnostic;
use mini_syntax::ast;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// What a type can be required to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bound {
    /// `==` and `!=`.
    Eq,
    /// `<`, `<=`, `>`, `>=`.
    Ord,
    /// `hash(x)`.
    Hash,
    /// `print(x)` and `string(x)`.
    Show,
}

impl Bound {
    const ALL: [Bound; 4] = [Bound::Eq, Bound::Ord, Bound::Hash, Bound::Show];

    /// As it is written.
    pub fn text(self) -> &'static str {
        match self {
            Bound::Eq => "Eq",
            Bound::Ord => "Ord",
            Bound::Hash => "Hash",
            Bound::Show => "Show",
        }
    }

    /// Which types have it, for advice.
    fn who(self) -> &'static str {
        match self {
            Bound::Eq => "every type but enums with payload has `Eq`",
            Bound::Ord => "`int`, `float`, `byte`, `bool`, `string` and enums without payload have `Ord`",
            Bound::Hash => "`int`, `byte`, `bool`, `string` and enums without payload have `Hash`",
            Bound::Show => "a struct or enum has `Show` by a method `show(self) -> string`",
        }
    }
}

/// A type parameter.
pub(crate) struct ParamInfo {
    /// Its name.
    pub name: ast::Ident,
    /// What stands for it must have these.
    pub bounds: Vec<(Bound, Span)>,
}

/// What must hold of the type that stands for a parameter.
#[derive(Clone)]
pub(crate) struct Obligation {
    /// The type.
    ty: Ty,
    /// The parameter, with its bounds.
    param: TypeParam,
    /// Where the generic item is used.
    span: Span,
    /// The generic item.
    of: Arc<str>,
}

/// The type parameters in scope, by name.
pub(crate) type ParamScope = FxHashMap<Name, TypeParam>;

impl<'a> Checker<'a> {
    /// Declares the type parameters of an item; `outer` are those of the `impl` around it.
    pub fn declare_generics(&mut self, written: &[ast::Generic], outer: &[TypeParam]) -> Vec<TypeParam> {
        let mut declared: Vec<TypeParam> = Vec::with_capacity(written.len());
        for generic in written {
            let known = outer.iter().chain(&declared).map(|&p| self.params[p].name);
            if let Some(first) = known.into_iter().find(|n| n.name == generic.name.name) {
                let text = self.text(generic.name.name);
                let d = self
                    .error(
                        codes::E0204_DUPLICATE_MEMBER,
                        generic.name.span,
                        format!("the type parameter `{text}` is declared twice"),
                    )
                    .with_secondary(first.span, "declared first here");
                self.report(d);
                continue;
            }
            let bounds = generic.bounds.iter().filter_map(|&bound| self.bound(bound)).collect();
            declared.push(self.params.push(ParamInfo { name: generic.name, bounds }));
        }
        declared
    }

    fn bound(&mut self, written: ast::Ident) -> Option<(Bound, Span)> {
        let text = self.text(written.name);
        if let Some(bound) = Bound::ALL.into_iter().find(|b| b.text() == text) {
            return Some((bound, written.span));
        }
        let d = self.error(codes::E0322_UNKNOWN_BOUND, written.span, format!("there is no bound named `{text}`"));
        let d = d.with_help("the bounds are `Eq`, `Ord`, `Hash` and `Show`");
        let d = self.suggest(d, written, Bound::ALL.iter().map(|b| b.text()));
        self.report(d);
        None
    }

    /// Brings type parameters into scope and gives those that were there.
    pub fn enter_generics(&mut self, params: &[TypeParam]) -> ParamScope {
        let scope = params.iter().map(|&p| (self.params[p].name.name, p)).collect();
        std::mem::replace(&mut self.param_scope, scope)
    }

    /// The type parameters of a struct or enum.
    pub fn generics_of(&self, owner: Nominal) -> &[TypeParam] {
        match owner {
            Nominal::Struct(id) => &self.structs[id].generics,
            Nominal::Enum(id) => &self.enums[id].generics,
        }
    }

    /// A struct or enum with type arguments.
    pub fn nominal_type(&mut self, owner: Nominal, args: Box<[Ty]>) -> Ty {
        self.types.intern(match owner {
            Nominal::Struct(id) => TyKind::Struct(id, args),
            Nominal::Enum(id) => TyKind::Enum(id, args),
        })
    }

    /// The name of a struct or enum.
    pub fn nominal_name(&self, owner: Nominal) -> ast::Ident {
        match owner {
            Nominal::Struct(id) => self.structs[id].name,
            Nominal::Enum(id) => self.enums[id].name,
        }
    }

    /// A struct or enum as a written type: the arguments must be as many as its parameters.
    pub fn written_nominal(&mut self, owner: Nominal, args: Option<&[ast::TypeExpr]>, span: Span) -> Ty {
        let name = self.nominal_name(owner);
        let generics = self.generics_of(owner).to_vec();
        let given: Box<[Ty]> = args.unwrap_or_default().iter().map(|arg| self.resolve_type(arg)).collect();
        if given.len() != generics.len() {
            self.report_type_argument_count(self.text(name.name), &generics, args.map(<[_]>::len), name.span, span);
            return self.types.error;
        }
        self.owe(&generics, &given, span, self.names.shared(name.name));
        self.nominal_type(owner, given)
    }

    /// Reports type arguments that are not as many as the type parameters. `declared` is the item's name.
    pub fn report_type_argument_count(
        &mut self,
        text: &str,
        generics: &[TypeParam],
        given: Option<usize>,
        declared: Span,
        span: Span,
    ) {
        let message = match (generics.len(), given) {
            (0, _) => format!("`{text}` has no type parameters"),
            (_, None) => format!("the type `{text}` needs its type arguments"),
            (1, Some(given)) => format!("`{text}` has 1 type parameter, but {given} type arguments are given"),
            (count, Some(1)) => format!("`{text}` has {count} type parameters, but 1 type argument is given"),
            (count, Some(given)) => {
                format!("`{text}` has {count} type parameters, but {given} type arguments are given")
            }
        };
        let names: Vec<&str> = generics.iter().map(|&p| self.text(self.params[p].name.name)).collect();
        let mut d = self.error(codes::E0309_TYPE_ARGUMENTS, span, message).with_secondary(declared, "declared here");
        if !names.is_empty() {
            d = d.with_help(format!("it is declared with `<{}>`", names.join(", ")));
        }
        self.report(d);
    }

    /// Notes that types stand for parameters: their bounds are checked when all items are known.
    pub fn owe(&mut self, generics: &[TypeParam], args: &[Ty], span: Span, of: Arc<str>) {
        for (&param, &ty) in generics.iter().zip(args) {
            if !self.params[param].bounds.is_empty() {
                self.obligations.push(Obligation { ty, param, span, of: of.clone() });
            }
        }
    }

    /// Checks the bounds of all type arguments that were written so far.
    pub fn check_obligations(&mut self) {
        let mut failed = Vec::new();
        for obligation in std::mem::take(&mut self.obligations) {
            self.check_obligation(&obligation, &mut failed);
        }
    }

    /// Reports the first bound that the type does not have, if that is not among what has `failed`.
    fn check_obligation(&mut self, obligation: &Obligation, failed: &mut Vec<(Ty, Bound)>) {
        let Obligation { ty, param, span, of } = obligation;
        let missing = self.params[*param].bounds.iter().copied().find(|&(bound, _)| !self.has_bound(*ty, bound));
        let Some((bound, written)) = missing.filter(|&(bound, _)| !failed.contains(&(*ty, bound))) else { return };
        failed.push((*ty, bound));
        let (ty_text, param_text) = (self.type_text(*ty), self.text(self.params[*param].name.name));
        let d = self
            .error(
                codes::E0311_REQUIREMENT,
                *span,
                format!(
                    "the type `{ty_text}` does not have `{}`, which the type parameter `{param_text}` of `{of}` requires",
                    bound.text()
                ),
            )
            .with_secondary(written, "required here");
        let d = self.bound_advice(d, *ty, bound);
        self.report(d);
    }

    /// Says what would give a type what it lacks.
    pub fn bound_advice(&self, d: Diagnostic, ty: Ty, bound: Bound) -> Diagnostic {
        let mut part = ty;
        while let TyKind::Array(inner) | TyKind::Optional(inner) = self.types.kind(part) {
            part = *inner;
        }
        match *self.types.kind(part) {
            TyKind::Param(param) => {
                let info = &self.params[param];
                let text = self.text(info.name.name);
                let bounds: Vec<&str> = info.bounds.iter().map(|(b, _)| b.text()).chain([bound.text()]).collect();
                d.with_secondary(info.name.span, "the type parameter is declared here")
                    .with_help(format!("declare it with this bound: `{text}: {}`", bounds.join(" + ")))
            }
            TyKind::Struct(..) | TyKind::Enum(..) if bound == Bound::Show => {
                let owner = self.nominal_of(self.types.kind(part)).expect("a struct or enum");
                let name = self.text(self.nominal_name(owner).name);
                match self.show_method(owner) {
                    Some(show) => {
                        let args = match self.types.kind(part) {
                            TyKind::Struct(_, args) | TyKind::Enum(_, args) => args.clone(),
                            _ => Box::default(), // looked at above
                        };
                        let mut pairs = self.functions[show].generics.iter().zip(&args).flat_map(|(&param, &arg)| {
                            self.params[param].bounds.iter().map(move |&(bound, span)| (arg, bound, span))
                        });
                        let Some((arg, bound, span)) = pairs.find(|&(arg, bound, _)| !self.has_bound(arg, bound))
                        else {
                            return d;
                        };
                        let arg = self.type_text(arg);
                        d.with_secondary(span, format!("the method `{name}::show` requires it here")).with_help(
                            format!("`{arg}` does not have `{}`, which `{name}::show` requires", bound.text()),
                        )
                    }
                    None => match self.elements_of(self.types.kind(part)) {
                        Some(help) => d.with_help(help),
                        None => d.with_help(format!("give `{name}` a method `show(self) -> string`")),
                    },
                }
            }
            _ => d.with_help(bound.who()), // nothing that the user could change about the type
        }
    }

    /// Whether values of the type can do what the bound says.
    pub fn has_bound(&self, ty: Ty, bound: Bound) -> bool {
        match bound {
            Bound::Eq => self.has_eq(ty),
            Bound::Ord => self.has_ord(ty),
            Bound::Hash => self.has_hash(ty),
            Bound::Show => self.has_show(ty),
        }
    }

    /// Whether a type parameter was declared with a bound.
    pub fn param_has(&self, param: TypeParam, bound: Bound) -> bool {
        self.params[param].bounds.iter().any(|&(b, _)| b == bound)
    }

    /// The type of a field of a struct with these type arguments.
    pub fn field_type(&mut self, id: crate::types::StructId, index: u32, args: &[Ty]) -> Ty {
        let info = &self.structs[id];
        let (ty, substitution) = (info.fields[index as usize].ty, Substitution::new(&info.generics, args));
        self.types.substitute(ty, &substitution)
    }

    /// The payload of a variant of an enum with these type arguments.
    pub fn payload_types(&mut self, id: crate::types::EnumId, index: u32, args: &[Ty]) -> Box<[Ty]> {
        let info = &self.enums[id];
        let substitution = Substitution::new(&info.generics, args);
        self.types.substitute_all(&info.variants[index as usize].payload, &substitution)
    }
}

/// A generic item where it is used.
pub(crate) struct Instance {
    /// What stands for its parameters; may hold inference variables.
    pub args: Box<[Ty]>,
    /// The same, to be applied to its types.
    pub substitution: Substitution,
}

impl BodyChecker<'_, '_> {
    /// Fresh variables for the parameters behind those whose arguments are known.
    pub fn instantiate(&mut self, generics: &[TypeParam], known: &[Ty], span: Span, of: Arc<str>) -> Instance {
        let mut args: Vec<Ty> = known.iter().map(|&ty| self.limit_depth(ty, span)).collect();
        for &param in &generics[known.len()..] {
            args.push(self.fresh_for(span, param, of.clone()));
        }
        for (&param, &ty) in generics.iter().zip(&args) {
            if !self.cx.params[param].bounds.is_empty() {
                self.obligations.push(Obligation { ty, param, span, of: of.clone() });
            }
        }
        Instance { substitution: Substitution::new(generics, &args), args: args.into() }
    }

    /// The type, or the error type with a report if it nests too deeply: chains of uses could go on without end.
    pub fn limit_depth(&mut self, ty: Ty, span: Span) -> Ty {
        if self.cx.types.depth(ty) < MAX_TYPE_DEPTH {
            return ty;
        }
        self.cx.fail(codes::E0321_TYPE_TOO_DEEP, span, "a type argument is nested too deeply here");
        self.cx.types.error
    }

    /// The types of a function for the known type arguments of its type and, if they are written, its own.
    pub fn instantiate_function(&mut self, id: FnId, known: &[Ty], span: Span) -> (Instance, Vec<Ty>, Ty) {
        let info = &self.cx.functions[id];
        let (generics, params, result) = (info.generics.clone(), info.params.clone(), info.result);
        let of = self.cx.function_text(id).into();
        let instance = self.instantiate(&generics, known, span, of);
        let params = self.cx.types.substitute_all(&params, &instance.substitution).into();
        let result = self.cx.types.substitute(result, &instance.substitution);
        (instance, params, result)
    }

    /// A struct or enum for type arguments that are written, or none.
    pub fn instantiate_nominal(&mut self, owner: Nominal, known: &[Ty], span: Span) -> (Instance, Ty) {
        let generics = self.cx.generics_of(owner).to_vec();
        let of = self.cx.names.shared(self.cx.nominal_name(owner).name);
        let instance = self.instantiate(&generics, known, span, of);
        let ty = self.cx.nominal_type(owner, instance.args.clone());
        (instance, ty)
    }

    /// A method without type parameters of its own, by its name and the number of its parameters.
    pub fn index_method(&self, receiver: Ty, name: &str, params: usize) -> Option<FnId> {
        let kind = self.kind(receiver);
        let id = self.cx.method_named(&kind, name)?;
        let info = &self.cx.functions[id];
        let own = info.generics.len() - self.type_args(receiver).len();
        (own == 0 && info.params.len() == params).then_some(id)
    }

    /// A method that [`BodyChecker::index_method`] found, on a receiver: how it is called, its parameters, its result.
    pub fn method_types(&mut self, id: FnId, receiver: Ty, span: Span) -> (FnRef, Vec<Ty>, Ty) {
        let known = self.type_args(receiver);
        self.cx.require_visible(id, span);
        self.use_function(id);
        let (instance, params, result) = self.instantiate_function(id, &known, span);
        (FnRef { function: id, type_args: instance.args }, params, result)
    }

    /// The type arguments of a struct or enum type.
    pub fn type_args(&self, ty: Ty) -> Box<[Ty]> {
        match self.kind(ty) {
            TyKind::Struct(_, args) | TyKind::Enum(_, args) => args,
            _ => Box::default(), // no other type is declared with parameters
        }
    }

    /// The type arguments that are written behind a name, if they are as many as it has parameters.
    pub fn written_args(
        &mut self,
        args: Option<&[ast::TypeExpr]>,
        generics: &[TypeParam],
        name: ast::Ident,
        declared: Span,
    ) -> Vec<Ty> {
        let Some(args) = args else { return Vec::new() };
        let given: Vec<Ty> = args.iter().map(|arg| self.cx.resolve_type(arg)).collect();
        if given.len() == generics.len() {
            return given;
        }
        let text = self.cx.text(name.name);
        self.cx.report_type_argument_count(text, generics, Some(given.len()), declared, name.span);
        vec![self.cx.types.error; generics.len()]
    }

    /// Lets the expected type say what the arguments left open.
    pub fn bind_expected(&mut self, result: Ty, expect: Expect) {
        let Some(wanted) = expect.ty().filter(|&ty| !self.is_open(ty) && !self.is_error(ty)) else { return };
        if !self.is_open(result) {
            return;
        }
        let wanted = match (self.optional_inner(wanted), self.kind(result)) {
            (_, TyKind::Optional(_) | TyKind::Infer(_)) | (None, _) => wanted,
            (Some(inner), _) => inner,
        };
        self.unify_or_leave(result, wanted);
    }

    /// Checks the bounds of the types that are known by now.
    pub fn check_obligations(&mut self) {
        if self.obligations.is_empty() && self.cx.obligations.is_empty() {
            return;
        }
        let (open, known): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.obligations).into_iter().partition(|o| self.is_open(o.ty));
        self.obligations = open;
        let mut all = std::mem::take(&mut self.cx.obligations); // what is written says most clearly what is wrong
        for mut obligation in known {
            obligation.ty = self.resolve(obligation.ty);
            if self.cx.param_has(obligation.param, Bound::Show) {
                self.use_show(obligation.ty);
            }
            all.push(obligation);
        }
        self.cx.obligations = all;
        self.cx.check_obligations();
    }
}
