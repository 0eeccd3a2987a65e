//! The text of MIR: `print_mir` writes it, `parse_mir` reads it, and printing what was parsed gives the same text.
//!
//! *Cost:* linear. The size is behind the mnemonic where it is not 64 bits (`cmp.32`), the condition too (`jcc.l`). A register's role
//! goes by its position; where it is another one, it is written (`mod xmm0`). `@n` is a source position.
//!
//! ```text
//! mir "sum_to" {
//!   slots 1
//!   outgoing 16
//!   calls
//!   v0: general n.1
//!   v1: general
//! entry1:
//!   parcopy v0 <- rdi, v1 <- 5
//!   cmp v0, [v1 + v0*8 + 16]
//!   trapif.ae mini_trap_bounds, v0, 3 @77
//!   jcc.l entry1
//!   jmp exit2
//! exit2: depth 1
//!   call fn3 (rdi, rsi) -> (rax)
//!   mov.8 [slot0], 1
//!   lea v1, [data2]
//!   ret rax
//! }
//! ```

use crate::code::{CodeId, DataId, SymbolId, Target};
use crate::forms::{Rest, default_role, form, forms};
use crate::mir::{Base, Calls, MBlock, MBlockData, Mem, Mir, Operand, Reg, Role, Slot, VReg};
use crate::op::{Cond, MOp, Size};
use crate::regs::{PReg, RegClass};
use mini_base::ids::Id;
use mini_base::source::Pos;
use mini_ir::builtin::Builtin;
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write;

/// Runtime symbols that generated code names, besides the built-in functions.
const RUNTIME: [&str; 10] = [
    "mini_alloc_array",
    "mini_alloc_slow",
    "mini_alloc_table",
    "mini_to_c",
    "mini_trap_bounds",
    "mini_trap_division",
    "mini_trap_length",
    "mini_trap_null",
    "mini_trap_slice",
    "mini_trap_step",
];

/// What is wrong with a text, and in which line (from 1).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MirTextError {
    /// The line.
    pub line: usize,
    /// What is wrong.
    pub message: String,
}

impl std::fmt::Display for MirTextError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

// ---- Printing ----

/// Prints a function, before or after register allocation.
pub fn print_mir(mir: &Mir) -> String {
    let mut out = format!("mir {:?} {{\n", mir.name);
    if mir.hidden {
        out.push_str("  hidden\n");
    }
    if mir.slots > 0 {
        let _ = writeln!(out, "  slots {}", mir.slots);
    }
    if mir.outgoing > 0 {
        let _ = writeln!(out, "  outgoing {}", mir.outgoing);
    }
    if mir.calls == Calls::Some {
        out.push_str("  calls\n");
    }
    for (vreg, data) in mir.vregs.iter_enumerated() {
        let class = class_name(data.class);
        let _ = match &data.name {
            Some(name) => writeln!(out, "  {vreg}: {class} {name}"),
            None => writeln!(out, "  {vreg}: {class}"),
        };
    }
    for &block in &mir.order {
        let data = &mir.blocks[block];
        let _ = match data.loop_depth {
            0 => writeln!(out, "{}:", data.label),
            depth => writeln!(out, "{}: depth {depth}", data.label),
        };
        for inst in &data.insts {
            out.push_str("  ");
            print_inst(&mut out, mir, inst);
            out.push('\n');
        }
    }
    out.push_str("}\n");
    out
}

/// Prints one instruction.
pub fn print_inst(out: &mut String, mir: &Mir, inst: &crate::mir::MInst) {
    out.push_str(inst.op.info().name);
    if inst.cond != Cond::Always {
        let _ = write!(out, ".{}", inst.cond.name());
    }
    out.push_str(match inst.size {
        Size::B1 => ".8",
        Size::B4 => ".32",
        Size::B8 => "",
    });
    let operands = mir.operands(inst);
    let (fixed, rest) = forms(inst.op);
    let mut groups = Groups { fixed: fixed.len(), rest, defs: 0 };
    groups.defs = operands.iter().skip(fixed.len()).position(is_def).map_or(operands.len(), |n| n + fixed.len());
    for (n, operand) in operands.iter().enumerate() {
        out.push_str(groups.before(n));
        print_operand(out, mir, inst.op, n, operand);
    }
    out.push_str(groups.behind(operands.len()));
    if inst.pos != Pos::NONE {
        let _ = write!(out, " @{}", inst.pos.0);
    }
}

fn is_def(operand: &Operand) -> bool {
    matches!(operand, Operand::Reg(_, Role::Def))
}

/// The signs between operands.
struct Groups {
    fixed: usize,
    rest: Rest,
    /// Where the results of a call begin.
    defs: usize,
}

impl Groups {
    fn before(&self, n: usize) -> &'static str {
        match self.rest {
            Rest::UsesThenDefs if n == self.fixed && n == self.defs => " () -> (",
            Rest::UsesThenDefs if n == self.fixed => " (",
            Rest::UsesThenDefs if n == self.defs => ") -> (",
            Rest::Pairs if !n.is_multiple_of(2) => " <- ",
            _ if n == 0 => " ",
            _ => ", ",
        }
    }

    fn behind(&self, count: usize) -> &'static str {
        if self.rest == Rest::UsesThenDefs && count > self.fixed { ")" } else { "" }
    }
}

fn print_operand(out: &mut String, mir: &Mir, op: MOp, n: usize, operand: &Operand) {
    let _ = match *operand {
        Operand::Reg(reg, role) => {
            let usual = match (forms(op).1, role) {
                (Rest::UsesThenDefs, Role::Use | Role::Def) if n >= forms(op).0.len() => Some(role),
                _ => default_role(form(op, n), mir.class(reg)),
            };
            if usual != Some(role) {
                let _ = write!(out, "{} ", role_name(role));
            }
            write!(out, "{}", RegText(reg))
        }
        Operand::Imm(value) => write!(out, "{value}"),
        Operand::Mem(mem) => {
            print_mem(out, &mem);
            Ok(())
        }
        Operand::Block(block) => write!(out, "{}", mir.blocks[block].label),
        Operand::Target(target) => write!(out, "{}", TargetText(target)),
    };
}

fn print_mem(out: &mut String, mem: &Mem) {
    out.push('[');
    let mut parts = 0;
    let base = match mem.base {
        Base::None => None,
        Base::Reg(reg) => Some(RegText(reg).to_string()),
        Base::Slot(slot) => Some(slot.to_string()),
        Base::Outgoing => Some("out".into()),
        Base::Incoming => Some("in".into()),
        Base::Target(target) => Some(TargetText(target).to_string()),
    };
    for part in base.into_iter().chain(mem.index.map(|(reg, scale)| format!("{}*{scale}", RegText(reg)))) {
        if parts > 0 {
            out.push_str(" + ");
        }
        out.push_str(&part);
        parts += 1;
    }
    let _ = match (parts, mem.disp) {
        (0, disp) => write!(out, "{disp}"),
        (_, 0) => Ok(()),
        (_, disp) if disp < 0 => write!(out, " - {}", disp.unsigned_abs()),
        (_, disp) => write!(out, " + {disp}"),
    };
    out.push(']');
}

struct RegText(Reg);

impl std::fmt::Display for RegText {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            Reg::V(vreg) => write!(f, "{vreg}"),
            Reg::P(preg) => write!(f, "{preg}"),
        }
    }
}

struct TargetText(Target);

impl std::fmt::Display for TargetText {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            Target::Function(id) => write!(f, "{id}"),
            Target::Data(id) => write!(f, "{id}"),
            Target::Runtime(name) => f.write_str(name),
            Target::Symbol(id) => write!(f, "{id}"),
        }
    }
}

fn class_name(class: RegClass) -> &'static str {
    match class {
        RegClass::General => "general",
        RegClass::Vector => "vector",
    }
}

fn role_name(role: Role) -> &'static str {
    match role {
        Role::Use => "use",
        Role::Def => "def",
        Role::Mod => "mod",
        Role::Early => "early",
    }
}

// ---- Parsing ----

/// Reads a function. What is read may still be wrong in ways that `mir_verify` finds.
pub fn parse_mir(text: &str) -> Result<Mir, MirTextError> {
    let mut parser = Parser { mir: Mir::new("".into()), labels: FxHashMap::default(), line: 0 };
    parser.blocks(text)?;
    let mut current: Option<MBlock> = None;
    let mut ended = false;
    for (n, line) in text.lines().enumerate() {
        parser.line = n + 1;
        let words = line.trim();
        if words.is_empty() {
            continue;
        }
        if ended {
            return parser.fail("text behind the closing brace");
        }
        match (line.starts_with(char::is_whitespace), current) {
            (false, _) if words.starts_with("mir ") => parser.head(words)?,
            (false, _) if words == "}" => ended = true,
            (false, _) => current = parser.labels.get(words.split(':').next().unwrap_or_default()).copied(),
            (true, None) => parser.property(words)?,
            (true, Some(block)) => parser.inst(block, words)?,
        }
    }
    if !ended {
        return parser.fail("a closing brace is missing");
    }
    for block in parser.mir.order.clone() {
        parser.mir.blocks[block].successors = parser.mir.targets(block);
    }
    Ok(parser.mir)
}

struct Parser {
    mir: Mir,
    labels: FxHashMap<String, MBlock>,
    line: usize,
}

impl Parser {
    fn fail<T>(&self, message: impl Into<String>) -> Result<T, MirTextError> {
        Err(MirTextError { line: self.line, message: message.into() })
    }

    fn number<T: std::str::FromStr>(&self, text: &str) -> Result<T, MirTextError> {
        match text.trim().parse() {
            Ok(n) => Ok(n),
            Err(_) => self.fail(format!("`{text}` is not a number that fits here")),
        }
    }

    /// Finds the labels, so that jumps can be read at once.
    fn blocks(&mut self, text: &str) -> Result<(), MirTextError> {
        for (n, line) in text.lines().enumerate() {
            self.line = n + 1;
            if line.is_empty() || line.starts_with(char::is_whitespace) || line.starts_with("mir ") || line == "}" {
                continue;
            }
            let Some((label, rest)) = line.split_once(':') else { return self.fail("a label ends in a colon") };
            let loop_depth = match rest.trim().strip_prefix("depth ") {
                Some(depth) => self.number(depth)?,
                None if rest.trim().is_empty() => 0,
                None => return self.fail("behind a label only `depth n` may stand"),
            };
            let block = self.mir.blocks.push(MBlockData { label: label.into(), loop_depth, ..MBlockData::default() });
            self.mir.order.push(block);
            if self.labels.insert(label.to_string(), block).is_some() {
                return self.fail(format!("there are two blocks `{label}`"));
            }
        }
        Ok(())
    }

    fn head(&mut self, words: &str) -> Result<(), MirTextError> {
        let quoted = words.strip_prefix("mir \"").and_then(|w| w.strip_suffix("\" {"));
        match quoted.and_then(unescape) {
            Some(name) => self.mir.name = name.into(),
            None => return self.fail("a function begins `mir \"name\" {`"),
        }
        Ok(())
    }

    fn property(&mut self, words: &str) -> Result<(), MirTextError> {
        if words == "hidden" {
            self.mir.hidden = true;
        } else if words == "calls" {
            self.mir.calls = Calls::Some;
        } else if let Some(n) = words.strip_prefix("slots ") {
            self.mir.slots = self.number(n)?;
        } else if let Some(n) = words.strip_prefix("outgoing ") {
            self.mir.outgoing = self.number(n)?;
        } else if let Some((reg, class)) = words.split_once(": ") {
            if reg != self.mir.vregs.next_id().to_string() {
                return self.fail("virtual registers are declared in order");
            }
            let (class, name) = class.split_once(' ').map_or((class, None), |(c, n)| (c, Some(n.into())));
            let class = match class {
                "general" => RegClass::General,
                "vector" => RegClass::Vector,
                _ => return self.fail("a register's class is `general` or `vector`"),
            };
            self.mir.new_vreg(class, name);
        } else {
            return self.fail("expected `hidden`, `calls`, `slots`, `outgoing` or a register's declaration");
        }
        Ok(())
    }

    fn inst(&mut self, block: MBlock, words: &str) -> Result<(), MirTextError> {
        let (words, pos) = match words.rsplit_once(" @") {
            Some((words, pos)) => (words, Pos(self.number(pos)?)),
            None => (words, Pos::NONE),
        };
        let (head, rest) = words.split_once(' ').unwrap_or((words, ""));
        let mut suffixes = head.split('.');
        let name = suffixes.next().unwrap_or_default();
        let Some(op) = MOp::by_name(name) else { return self.fail(format!("there is no operation `{name}`")) };
        let (mut cond, mut size) = (Cond::Always, Size::B8);
        for suffix in suffixes {
            match (suffix, Cond::ALL.iter().find(|c| c.name() == suffix)) {
                ("8", _) => size = Size::B1,
                ("32", _) => size = Size::B4,
                (_, Some(&found)) if !suffix.is_empty() => cond = found,
                _ => return self.fail(format!("`{suffix}` is neither a size nor a condition")),
            }
        }
        let mut operands = Vec::new();
        for (text, usual) in split_operands(rest) {
            let operand = self.operand(op, operands.len(), text, usual)?;
            operands.push(operand);
        }
        let inst = self.mir.inst(op, size, cond, &operands, pos);
        self.mir.blocks[block].insts.push(inst);
        Ok(())
    }

    /// `usual` is the role by the brackets that the operand stands in.
    fn operand(&self, op: MOp, n: usize, text: &str, usual: Option<Role>) -> Result<Operand, MirTextError> {
        let form = form(op, n);
        if form == "b" {
            return match self.labels.get(text) {
                Some(&block) => Ok(Operand::Block(block)),
                None => self.fail(format!("there is no block `{text}`")),
            };
        }
        if let Some(inner) = text.strip_prefix('[') {
            return match inner.strip_suffix(']') {
                Some(inner) => self.mem(inner).map(Operand::Mem),
                None => self.fail("`]` is missing"),
            };
        }
        let (written, name) = match text.split_once(' ') {
            Some(("use", name)) => (Some(Role::Use), name),
            Some(("def", name)) => (Some(Role::Def), name),
            Some(("mod", name)) => (Some(Role::Mod), name),
            Some(("early", name)) => (Some(Role::Early), name),
            _ => (None, text),
        };
        if let Some(reg) = self.reg(name)? {
            let role = written.or(usual).or(default_role(form, self.mir.class(reg)));
            return match role {
                Some(role) => Ok(Operand::Reg(reg, role)),
                None => self.fail(format!("`{name}` needs a role here (use, def, mod, early)")),
            };
        }
        if let Some(target) = self.target(text)? {
            return Ok(Operand::Target(target));
        }
        self.number(text).map(Operand::Imm)
    }

    fn reg(&self, text: &str) -> Result<Option<Reg>, MirTextError> {
        if let Some(preg) = PReg::by_name(text) {
            return Ok(Some(Reg::P(preg)));
        }
        let Some(number) = numbered("v", text) else { return Ok(None) };
        if number >= self.mir.vregs.len() {
            return self.fail(format!("`{text}` is not declared"));
        }
        Ok(Some(Reg::V(VReg::new(number))))
    }

    fn target(&self, text: &str) -> Result<Option<Target>, MirTextError> {
        if let Some(n) = numbered("fn", text) {
            return Ok(Some(Target::Function(CodeId::new(n))));
        }
        if let Some(n) = numbered("data", text) {
            return Ok(Some(Target::Data(DataId::new(n))));
        }
        if let Some(n) = numbered("c", text) {
            return Ok(Some(Target::Symbol(SymbolId::new(n))));
        }
        if !text.starts_with("mini_") {
            return Ok(None);
        }
        match runtime_symbol(text) {
            Some(name) => Ok(Some(Target::Runtime(name))),
            None => self.fail(format!("the run-time library has no `{text}`")),
        }
    }

    fn mem(&self, text: &str) -> Result<Mem, MirTextError> {
        let mut mem = Mem { base: Base::None, index: None, disp: 0 };
        let mut negative = false;
        for word in text.split_whitespace() {
            match word {
                "+" => continue,
                "-" => {
                    negative = true;
                    continue;
                }
                "out" => mem.base = Base::Outgoing,
                "in" => mem.base = Base::Incoming,
                _ => {
                    if let Some((reg, scale)) = word.split_once('*') {
                        let Some(reg) = self.reg(reg)? else { return self.fail("only a register has a scale") };
                        mem.index = Some((reg, self.number(scale)?));
                    } else if let Some(slot) = numbered("slot", word) {
                        mem.base = Base::Slot(Slot::new(slot));
                    } else if let Some(reg) = self.reg(word)? {
                        mem.base = Base::Reg(reg);
                    } else if let Some(target) = self.target(word)? {
                        mem.base = Base::Target(target);
                    } else {
                        let disp: i64 = self.number(word)?;
                        let signed = if negative { -disp } else { disp };
                        mem.disp = match i32::try_from(signed) {
                            Ok(disp) => disp,
                            Err(_) => return self.fail("a displacement has 32 bits"),
                        };
                    }
                }
            }
        }
        Ok(mem)
    }
}

/// The operands of an instruction, with the role that brackets give: `f (a, b) -> (c)`.
fn split_operands(text: &str) -> Vec<(&str, Option<Role>)> {
    let mut out = Vec::new();
    let mut group = None;
    let mut rest = text.trim();
    while !rest.is_empty() {
        let end = end_of_operand(rest);
        let operand = rest[..end].trim();
        if !operand.is_empty() {
            out.push((operand, group));
        }
        rest = &rest[end..];
        for (sign, next) in
            [(") -> (", Some(Role::Def)), ("<-", None), ("(", Some(Role::Use)), (")", None), (",", group)]
        {
            if let Some(behind) = rest.strip_prefix(sign) {
                (rest, group) = (behind, next);
                break;
            }
        }
        rest = rest.trim_start();
    }
    out
}

/// Where the sign behind an operand is; signs in square brackets belong to it.
fn end_of_operand(text: &str) -> usize {
    let mut inside = false;
    for (at, c) in text.char_indices() {
        match c {
            '[' => inside = true,
            ']' => inside = false,
            ',' | '(' | ')' if !inside => return at,
            '<' if !inside && text[at..].starts_with("<-") => return at,
            _ => {}
        }
    }
    text.len()
}

/// The number in `prefixNUMBER`.
fn numbered(prefix: &str, text: &str) -> Option<usize> {
    let digits = text.strip_prefix(prefix)?;
    let plain = digits.bytes().all(|b| b.is_ascii_digit()) && (digits == "0" || !digits.starts_with('0'));
    if plain { digits.parse().ok().filter(|&n: &usize| n < u32::MAX as usize - 1) } else { None }
}

/// The symbol of the run-time library that has this name.
fn runtime_symbol(name: &str) -> Option<&'static str> {
    let own = RUNTIME.iter().copied().find(|&symbol| symbol == name);
    own.or_else(|| Builtin::all().map(|row| row.symbol).find(|&symbol| symbol == name))
}

/// Undoes the escapes of `{:?}`.
fn unescape(text: &str) -> Option<String> {
    let mut out = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next()? {
            'n' => out.push('\n'),
            't' => out.push('\t'),
            'r' => out.push('\r'),
            '0' => out.push('\0'),
            'u' => {
                let rest = chars.as_str().strip_prefix('{')?;
                let (digits, behind) = rest.split_once('}')?;
                out.push(char::from_u32(u32::from_str_radix(digits, 16).ok()?)?);
                chars = behind.chars();
            }
            c => out.push(c),
        }
    }
    Some(out)
}

impl Mir {
    /// The blocks that a block's instructions name, without repetitions: its successors.
    pub fn targets(&self, block: MBlock) -> Vec<MBlock> {
        let mut seen: FxHashSet<MBlock> = FxHashSet::default();
        let mut out = Vec::new();
        for operand in self.blocks[block].insts.iter().flat_map(|inst| self.operands(inst)) {
            if let Operand::Block(to) = *operand
                && seen.insert(to)
            {
                out.push(to);
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAMPLE: &str = r#"mir "f \"g\"" {
  hidden
  slots 2
  outgoing 16
  calls
  v0: general n.1
  v1: vector
  v2: general
entry1:
  parcopy v0 <- rdi, v1 <- xmm0, v2 <- -9223372036854775808
  cmp.32 v0, 5
  jcc.l head2
  jmp out3
head2: depth 1
  mov.8 [v0 + v2*8 - 16], v2
  mov [out + 8], 7 @33
  mov v2, [in]
  movsd v1, [data2 + 8]
  movsd [slot1], v1
  cvtsi2sd mod v1, v2
  cvtsi2sd v1, v2
  set.np v2
  lea v2, [v2*4 + 1]
  mov v2, [16]
  call fn3 (rdi, rsi, xmm0) -> (rax, rdx)
  call mini_read_all () -> (rax)
  call mini_out_int (rdi)
  call mini_text_begin
  call_reg [r10 + 8] (rdi) -> (rax)
  alloc rax, rcx, data1, 3
  cqo rdx, rax
  idiv rax, rdx, v2
  shl v2, rcx
  trapif.ae mini_trap_bounds, v0, [slot0], 5 @77
  jmp_table v0, v2, head2, out3
out3:
  trap
}
"#;

    #[test]
    fn text_is_read_back() {
        let mir = parse_mir(SAMPLE).expect("the sample is right");
        assert_eq!(print_mir(&mir), SAMPLE);
        assert_eq!(mir.blocks[MBlock::new(1)].successors, [MBlock::new(1), MBlock::new(2)]);
    }

    #[test]
    fn the_example_of_the_head_comment_is_read() {
        let source = include_str!("mir_text.rs");
        let example: String = source
            .lines()
            .skip_while(|l| *l != "//! ```text")
            .skip(1)
            .take_while(|l| *l != "//! ```")
            .map(|l| format!("{}\n", &l[4..]))
            .collect();
        let mir = parse_mir(&example).expect("the example is right");
        assert_eq!(print_mir(&mir), example);
    }

    #[test]
    fn mistakes_are_found_with_their_lines() {
        let error = |from: &str, to: &str| parse_mir(&SAMPLE.replace(from, to)).expect_err("a mistake").to_string();
        assert_eq!(error("set.np v2", "set.nq v2"), "line 22: `nq` is neither a size nor a condition");
        assert_eq!(error("set.np v2", "sett v2"), "line 22: there is no operation `sett`");
        assert_eq!(error("jmp out3", "jmp out4"), "line 13: there is no block `out4`");
        assert_eq!(error("cmp.32 v0, 5", "cmp.32 v3, 5"), "line 11: `v3` is not declared");
        assert_eq!(error("mini_out_int", "mini_out_int2"), "line 27: the run-time library has no `mini_out_int2`");
        assert_eq!(error("out3:\n", "head2:\n"), "line 36: there are two blocks `head2`");
    }
}
