//! What may stand at each operand's position: read by the text parser, which takes roles from here, and by the verifier.

use crate::mir::Role;
use crate::op::MOp;
use crate::regs::RegClass;

/// What may stand at a position, a letter each: registers `u` (read), `d` (written), `m` (read and written), `e` (written
/// early), small for general ones, capital for vector ones; `*` memory; `i` an immediate of 32 bits, `I` of 64; `b` a block; `t` a target.
pub(crate) type Form = &'static str;

/// The operands behind the fixed ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Rest {
    /// None.
    Nothing,
    /// Registers read, then registers written.
    UsesThenDefs,
    /// Registers read.
    Uses,
    /// Arguments of a trap.
    TrapArgs,
    /// Blocks.
    Blocks,
    /// Destination and source by turns.
    Pairs,
}

/// The forms of an operation: the fixed operands, then the rest.
pub(crate) fn forms(op: MOp) -> (&'static [Form], Rest) {
    let fixed: &'static [Form] = match op {
        MOp::Mov => &["d*", "u*I"],
        MOp::Movzx => &["d", "u*"],
        MOp::Lea => &["d", "*"],
        MOp::Add | MOp::Sub | MOp::And | MOp::Or | MOp::Xor => &["m*", "u*i"],
        MOp::Imul => &["m", "u*"],
        MOp::Imul3 => &["d", "u*", "i"],
        MOp::Neg | MOp::Not => &["m*"],
        MOp::Shl | MOp::Sar | MOp::Shr => &["m*", "ui"],
        MOp::Cqo => &["d", "u"],
        MOp::Idiv => &["m", "m", "u*"],
        MOp::Cmp => &["u*", "u*i"],
        MOp::Test => &["u*", "ui"],
        MOp::Set => &["d"],
        MOp::Cmov => &["m", "u*"],
        MOp::Movsd => &["D*", "U*"],
        MOp::Movq => &["dD", "Uu"],
        MOp::Fzero => &["D"],
        MOp::Addsd | MOp::Subsd | MOp::Mulsd | MOp::Divsd | MOp::Minsd | MOp::Maxsd => &["M", "U*"],
        MOp::Sqrtsd => &["D", "U*"],
        MOp::Roundsd => &["D", "U*", "i"],
        MOp::Andpd | MOp::Xorpd => &["M", "U*"],
        MOp::Ucomisd => &["U", "U*"],
        MOp::Cvtsi2sd => &["DM", "u*"],
        MOp::Cvttsd2si => &["d", "U*"],
        MOp::Jmp | MOp::Jcc => &["b"],
        MOp::JumpTable => return (&["u", "e"], Rest::Blocks),
        MOp::Call => return (&["t"], Rest::UsesThenDefs),
        MOp::CallReg => return (&["u*"], Rest::UsesThenDefs),
        MOp::Keep => &["u*"],
        MOp::Ret => return (&[], Rest::Uses),
        MOp::ParallelCopy => return (&[], Rest::Pairs),
        MOp::TrapIf => return (&["t"], Rest::TrapArgs),
        // Without a target: control can't get here.
        MOp::Trap => return (&["t"], Rest::TrapArgs),
        MOp::Alloc => &["d", "e", "t", "i"],
    };
    (fixed, Rest::Nothing)
}

/// The form of operand `n`; behind the fixed ones, of any that may stand there.
pub(crate) fn form(op: MOp, n: usize) -> Form {
    let (fixed, rest) = forms(op);
    match (fixed.get(n), rest) {
        (Some(form), _) => form,
        (None, Rest::Nothing) => "",
        (None, Rest::UsesThenDefs) => "uUdD",
        (None, Rest::Uses) => "uU",
        (None, Rest::TrapArgs) => "u*i",
        (None, Rest::Blocks) => "b",
        (None, Rest::Pairs) if n.is_multiple_of(2) => "dD",
        (None, Rest::Pairs) => "uUI",
    }
}

/// The role of a register of this class in a form, the first of several.
pub(crate) fn default_role(form: Form, class: RegClass) -> Option<Role> {
    form.chars().find_map(|letter| role(letter).filter(|&(_, c)| c == class).map(|(role, _)| role))
}

/// Whether a register with this class and role fits a form.
pub(crate) fn allows(form: Form, class: RegClass, wanted: Role) -> bool {
    form.chars().any(|letter| role(letter) == Some((wanted, class)))
}

fn role(letter: char) -> Option<(Role, RegClass)> {
    let class = if letter.is_ascii_uppercase() { RegClass::Vector } else { RegClass::General };
    let role = match letter.to_ascii_lowercase() {
        'u' => Role::Use,
        'd' => Role::Def,
        'm' => Role::Mod,
        'e' => Role::Early,
        _ => return None,
    };
    Some((role, class))
}
