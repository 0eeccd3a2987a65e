//! Reports of instances and types that the program asks for and that can not be: types without end, and optionals of
//! optionals.

use crate::instances::{Asked, Finder, MAX_DEPTH, MAX_INSTANCES, Nominal, Owner, Place, Stage, Step};
use crate::print::type_text;
use crate::typed::{FnId, FnRef};
use crate::types::{Substitution, Ty, TyKind, TypeParam};
use crate::uses::{Role, TypeUse};
use mini_base::source::Span;
use mini_diag::codes_checker as codes;
use mini_diag::diagnostic::{Diagnostic, Stage as Found};
use rustc_hash::{FxHashMap, FxHashSet};
use std::hash::Hash;

/// How many steps of a chain are shown.
const SHOWN_STEPS: usize = 4;

impl Finder<'_> {
    fn error(&self, code: &'static str, span: Span, message: String) -> Diagnostic {
        Diagnostic::error(code, Found::Checker, span, message)
    }

    fn ty_text(&self, ty: Ty) -> String {
        type_text(&self.types, self.program, ty)
    }

    // ---- Without end ----

    /// An instance whose types nest too deeply. To blame is the function that is most often in the chain of instances
    /// that leads to it.
    pub fn report_endless_function(&mut self, function: FnRef, by: Option<Asked>) {
        self.endless = true;
        let mut chain = vec![(function, by)];
        let mut next = by;
        while let Some(Asked { owner: Owner::Instance(number), .. }) = next {
            let found = &self.found[number];
            chain.push((found.function.clone(), found.by));
            next = found.by;
        }
        chain.reverse();
        let culprit = most_frequent(chain.iter().map(|(function, _)| function.function));
        if !self.endless_functions.insert(culprit) || self.stage == Stage::Spare {
            return;
        }
        let rounds: Vec<&(FnRef, Option<Asked>)> = chain.iter().filter(|step| step.0.function == culprit).collect();
        let (Some((begin, begun)), Some((_, by))) = (rounds.first(), rounds.last()) else { return };
        let span = by.map_or(self.function(culprit).span, |by| self.user_span(by));
        let name = &self.function(culprit).name;
        let too_deep = format!("`{name}` is needed with types that nest deeper than {MAX_DEPTH}");
        if rounds.len() == 1 {
            let d = self.error(codes::E0323_INFINITE_INSTANTIATION, span, too_deep);
            return self.diags.push(d.with_help("types of generic functions may not nest deeper"));
        }
        let d = self
            .error(codes::E0323_INFINITE_INSTANTIATION, span, format!("infinite instantiation: {too_deep}"))
            .with_label("asks for a larger type each time");
        let d = match begun.map(|by| self.user_span(by)) {
            Some(first) if first != span => d.with_secondary(first, format!("begins here with `{}`", self.text(begin))),
            Some(_) | None => d,
        };
        let before = chain.iter().position(|step| step.0.function == culprit).unwrap_or(0).saturating_sub(1);
        let names: Vec<String> = chain.iter().skip(before).map(|(function, _)| self.text(function)).collect();
        self.diags.push(d.with_help(format!(
            "{}; a generic function may call itself at finitely many types only",
            chain_text(&names)
        )));
    }

    /// A struct or enum whose members need it at ever larger types.
    pub fn report_endless_type(&mut self, steps: &[Step], number: usize) {
        self.endless = true;
        let mut chain = vec![number];
        while let Some((before, _)) = chain.last().and_then(|&step| steps[step].by) {
            chain.push(before);
        }
        chain.reverse();
        let name_at = |step: usize| {
            let kind = self.types.kind(steps[step].ty);
            self.nominal(kind).map(|(nominal, _)| (nominal.name(), nominal.span()))
        };
        let Some((name, declared)) = most_frequent(chain.iter().map(|&step| name_at(step))) else { return };
        let member = chain.iter().rev().find(|&&step| name_at(step) == Some((name, declared)));
        let member = member.and_then(|&step| steps[step].by).map(|(_, span)| span);
        let names: Vec<String> = chain.iter().map(|&step| self.ty_text(steps[step].ty)).collect();
        if !self.endless_types.insert(declared) || self.stage == Stage::Spare {
            return;
        }
        let place = steps[chain[0]].place;
        let message =
            format!("infinite instantiation: `{name}` is needed with types that nest deeper than {MAX_DEPTH}");
        let d = self.error(codes::E0323_INFINITE_INSTANTIATION, place.asks, message);
        let d = match member {
            Some(span) => d.with_secondary(span, format!("needs `{name}` at ever larger types")),
            None => d,
        };
        let d = written_at(d, place);
        self.diags.push(d.with_help(format!(
            "{}; a generic type may contain itself at finitely many types only",
            chain_text(&names)
        )));
    }

    /// So many instances that there is no hope of compiling them.
    pub fn report_too_many_functions(&mut self, function: FnRef, by: Option<Asked>) {
        self.endless = true;
        let culprit: FnId =
            most_frequent(self.found.iter().filter(|f| !f.function.type_args.is_empty()).map(|f| f.function.function));
        self.stop();
        if self.stage == Stage::Spare {
            return;
        }
        let span = by.map_or(self.function(function.function).span, |by| self.user_span(by));
        let name = &self.function(culprit).name;
        let message =
            format!("the program needs more than {MAX_INSTANCES} instances of generic functions, most of `{name}`");
        let d = self
            .error(codes::E0323_INFINITE_INSTANTIATION, span, message)
            .with_label(format!("asks for `{}`", self.text(&function)))
            .with_secondary(self.function(culprit).span, "each call of it may ask for new ones");
        self.diags.push(d.with_help("let the function take fewer type parameters, or call it at fewer types"));
    }

    /// So many types.
    pub fn report_too_many_types(&mut self, nominal: Nominal<'_>, place: Place) {
        self.endless = true;
        self.stop();
        if !self.endless_types.insert(nominal.span()) || self.stage == Stage::Spare {
            return;
        }
        let message = format!("the program needs more than {MAX_INSTANCES} instances of generic types");
        let d = self
            .error(codes::E0323_INFINITE_INSTANTIATION, place.asks, message)
            .with_secondary(nominal.span(), format!("the last one is of `{}`", nominal.name()));
        self.diags.push(written_at(d, place));
    }

    // ---- Optionals of optionals ----

    /// A type in the text of a function that its type arguments make an optional of an optional.
    pub fn report_double_in_function(&mut self, used: &TypeUse, substitution: &Substitution, owner: Owner) {
        let number = match owner {
            Owner::Instance(number) => number,
            Owner::Initialiser => return, // an initialiser has no parameters
        };
        let (id, by) = (self.found[number].function.function, self.found[number].by);
        let function = self.function(id);
        let what = match used.role {
            Role::Local(local) if function.params.contains(&local) => {
                format!("parameter `{}`", function.body.locals[local].name)
            }
            Role::Local(local) => format!("variable `{}`", function.body.locals[local].name),
            Role::Result => "result".into(),
            Role::Global | Role::Value => "value".into(),
        };
        let span = by.map_or(used.span, |by| self.user_span(by));
        let d = self.double(&function.name, used.ty, substitution, span);
        let written = self.ty_text(used.ty);
        self.diags.push(d.with_secondary(used.span, format!("the {what} has the type `{written}`")));
    }

    /// An optional of an optional in a text without parameters, of which nothing that it refers to was to blame.
    pub fn report_double_left(&mut self, span: Span) {
        let message = "an optional of an optional comes about here".into();
        let d = self.error(codes::E0308_DOUBLE_OPTIONAL, span, message);
        self.diags.push(d);
    }

    /// The same for a member of a struct or enum.
    pub fn report_double_in_member(
        &mut self,
        nominal: Nominal<'_>,
        (what, span, written): (&str, Span, Ty),
        substitution: &Substitution,
        place: Place,
    ) {
        let d = self.double(nominal.name(), written, substitution, place.asks);
        let d = written_at(d, place);
        let written = self.ty_text(written);
        self.diags.push(d.with_secondary(span, format!("the {what} has the type `{written}`")));
    }

    fn double(&self, name: &str, ty: Ty, substitution: &Substitution, span: Span) -> Diagnostic {
        let message = match self.doubled_param(ty, substitution) {
            Some((param, arg)) => {
                let (param, arg) = (&self.program.params[param], self.ty_text(arg));
                format!(
                    "`{name}` can't be used with `{param}` = `{arg}`: `{param}?` would be `{arg}?`, an optional of an optional"
                )
            }
            None => {
                format!("`{name}` makes `{}` of its type arguments here, an optional of an optional", self.ty_text(ty))
            }
        };
        self.error(codes::E0308_DOUBLE_OPTIONAL, span, message)
            .with_help("to tell two kinds of absence apart, wrap one of them in a struct or an enum")
    }

    /// A parameter `T` that has become optional and occurs as `T?`.
    fn doubled_param(&self, ty: Ty, substitution: &Substitution) -> Option<(TypeParam, Ty)> {
        let mut seen = FxHashSet::default();
        let mut waiting = vec![ty];
        while let Some(ty) = waiting.pop() {
            if !seen.insert(ty) {
                continue;
            }
            if let TyKind::Optional(inner) = *self.types.kind(ty)
                && let TyKind::Param(param) = *self.types.kind(inner)
                && let Some(arg) = substitution.get(param)
                && self.types.optional_inner(arg).is_some()
            {
                return Some((param, arg));
            }
            self.types.kind(ty).any_part(|part| {
                waiting.push(part);
                false // all parts are wanted
            });
        }
        None
    }
}

fn written_at(d: Diagnostic, place: Place) -> Diagnostic {
    match place.written {
        Some(span) => d.with_secondary(span, "this type becomes it"),
        None => d,
    }
}

/// What occurs most often; the first of several, but the last if nothing occurs twice.
fn most_frequent<T: Copy + Eq + Hash>(items: impl Iterator<Item = T> + Clone) -> T {
    let mut counts: FxHashMap<T, usize> = FxHashMap::default();
    items.clone().for_each(|item| *counts.entry(item).or_default() += 1);
    let best = counts.values().copied().max().unwrap_or(0);
    let found = if best > 1 { items.clone().find(|item| counts[item] == best) } else { items.last() };
    found.expect("a chain is not empty")
}

/// `a → b → c → d → …`
fn chain_text(names: &[String]) -> String {
    let mut shown: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    if shown.len() > SHOWN_STEPS {
        shown.truncate(SHOWN_STEPS);
        shown.push("…".into());
    }
    shown.join(" → ")
}
