//! What the checker knows already and the stages behind it do not yet: reported in programs that are right otherwise.
//!
//! *In:* a checked program. *Out:* one error (E0900) at each enum with payloads, each closure, and each text made by a
//! method `show`. *Leaves:* nothing once the lowering has caught up; then this file goes.

use crate::typed::{Body, BuiltinFn, Conversion, ExprKind, Program};
use crate::types::{Ty, TyKind};
use mini_base::source::Span;
use mini_diag::codes_checker as codes;
use mini_diag::diagnostic::{Diagnostic, Diagnostics, Stage};

/// Reports what can't be lowered yet; gives the program back if there is nothing of it.
pub(crate) fn refuse(program: Program, diags: &mut Diagnostics) -> Option<Program> {
    let mut found: Vec<(Span, &str)> = (program.enums.iter())
        .filter(|info| info.variants.iter().any(|(_, payload)| !payload.is_empty()))
        .map(|info| (info.span, "enums whose variants carry values"))
        .collect();
    let bodies = program.functions.iter().map(|f| &f.body).chain(program.globals.iter().map(|g| &g.init));
    for body in bodies {
        find(&program, body, &mut found);
    }
    for &(span, what) in &found {
        diags.push(Diagnostic::error(
            codes::E0900_NOT_SUPPORTED,
            Stage::Checker,
            span,
            format!("not supported yet: {what}"),
        ));
    }
    found.is_empty().then_some(program)
}

fn find(program: &Program, body: &Body, found: &mut Vec<(Span, &str)>) {
    for expr in body.exprs.iter() {
        match &expr.kind {
            ExprKind::Closure(_) => found.push((expr.span.at_start(), "closures")),
            ExprKind::Convert(Conversion::ToString, of) if shows_by_method(program, body.exprs[*of].ty) => {
                found.push((expr.span, "texts made by a method `show`"));
            }
            ExprKind::Builtin(BuiltinFn::Print | BuiltinFn::Write | BuiltinFn::Eprint, args)
                if args.iter().any(|&arg| shows_by_method(program, body.exprs[arg].ty)) =>
            {
                found.push((expr.span, "texts made by a method `show`"));
            }
            _ => {} // supported
        }
    }
}

fn shows_by_method(program: &Program, ty: Ty) -> bool {
    match program.types.kind(ty) {
        TyKind::Array(inner) | TyKind::Optional(inner) => shows_by_method(program, *inner),
        TyKind::Struct(..) => true,
        TyKind::Enum(id, _) => {
            let name = format!("{}::show", program.enums[*id].name);
            program.functions.iter().any(|f| *f.name == *name)
        }
        _ => false, // built-in texts
    }
}
