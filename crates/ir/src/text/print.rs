//! IR to text.
//!
//! *In:* any module, also one that the verifier rejects. *Out:* its text. *Cost:* linear.
//!
//! Values whose type the text would not show (a variable that nothing but copies of itself assigns) are declared by
//! `var x: int` lines at the head of the function, so that every function can be read back.

use super::{SsaStyle, is_plain};
use crate::cfg::Cfg;
use crate::func::{Block, Edge, Func, Imm, Inst, Phase, Value, ValueName};
use crate::module::{ExternId, FuncId, GlobalId, Module, ModuleInfo, StrId};
use crate::op::{Op, Signature};
use crate::types::{Layout, LayoutId, Type};
use mini_base::bitset::BitSet;
use mini_base::lists::Lists;
use mini_prim::text::{NUMBER_BYTES, write_float};
use std::fmt::Write;

/// The text of a whole module: struct layouts, globals, C functions, functions, in the order of their ids.
pub fn print_module(module: &Module, style: SsaStyle) -> String {
    let mut out = String::new();
    let mut items = 0;
    for layout in module.info.layouts.iter() {
        if let Layout::Struct { name, tag, fields } = layout {
            match tag {
                Some(tag) => push(&mut out, format_args!("variant {tag} ")),
                None => out.push_str("struct "),
            }
            push_name(&mut out, name);
            out.push_str(" {");
            for (n, (field, ty)) in fields.iter().enumerate() {
                out.push_str(if n == 0 { " " } else { ", " });
                push_name(&mut out, field);
                push(&mut out, format_args!(": {ty}"));
            }
            out.push_str(if fields.is_empty() { "}\n" } else { " }\n" });
            items += 1;
        }
    }
    for global in module.info.globals.iter() {
        out.push_str("global ");
        push_name(&mut out, &global.name);
        push(&mut out, format_args!(": {}\n", global.ty));
        items += 1;
    }
    for head in module.info.externs.iter() {
        out.push_str("extern ");
        push_name(&mut out, &head.name);
        out.push('(');
        for (n, ty) in head.params.iter().enumerate() {
            push(&mut out, format_args!("{}{ty}", if n == 0 { "" } else { ", " }));
        }
        out.push(')');
        push_arrow(&mut out, &head.results);
        out.push('\n');
        items += 1;
    }
    if let Some(start) = module.start {
        let name = module.info.signatures.get(start).map_or("", |s| &s.name);
        if name != "main" {
            out.push_str("start ");
            push_name(&mut out, name);
            out.push('\n');
            items += 1;
        }
    }
    for func in module.funcs.iter() {
        if items > 0 {
            out.push('\n');
        }
        out.push_str(&print_func(func, &module.info, style));
        items += 1;
    }
    out
}

/// The text of a function.
pub fn print_func(func: &Func, info: &ModuleInfo, style: SsaStyle) -> String {
    let mut printer = Printer { out: String::new(), func, info, style };
    printer.function();
    printer.out
}

/// The text of an instruction, without indent and line break.
pub fn inst_text(func: &Func, info: &ModuleInfo, inst: Inst) -> String {
    let mut printer = Printer::new(func, info);
    printer.inst(inst);
    printer.out
}

/// The name of a value in text.
pub fn value_text(func: &Func, value: Value) -> String {
    let mut out = String::new();
    push_value(&mut out, func, value);
    out
}

/// Writing to a string does not fail.
fn push(out: &mut String, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text).expect("a string takes all text");
}

/// A name, in quotes if it needs them.
pub(super) fn push_name(out: &mut String, name: &str) {
    if is_plain(name) {
        out.push_str(name);
    } else {
        push_quoted(out, name.as_bytes());
    }
}

/// Bytes as a string literal: text as it is, everything that is not printable text escaped.
fn push_quoted(out: &mut String, bytes: &[u8]) {
    out.push('"');
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '"' => out.push_str("\\\""),
                '\'' => out.push('\''),
                _ => push_char(out, c),
            }
        }
        for b in chunk.invalid() {
            push(out, format_args!("\\x{b:02x}"));
        }
    }
    out.push('"');
}

fn push_char(out: &mut String, c: char) {
    match c {
        '\\' => out.push_str("\\\\"),
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        '\0' => out.push_str("\\0"),
        _ if c.is_control() => {
            let mut buffer = [0; 4];
            for b in c.encode_utf8(&mut buffer).bytes() {
                push(out, format_args!("\\x{b:02x}"));
            }
        }
        _ => out.push(c),
    }
}

fn push_value(out: &mut String, func: &Func, value: Value) {
    match func.value_name(value) {
        ValueName::Temp(n) => push(out, format_args!("%{n}")),
        ValueName::Var(var, version) => {
            push_name(out, func.var_name(var));
            if version > 0 {
                push(out, format_args!(".{version}"));
            }
        }
    }
}

fn push_layout(out: &mut String, info: &ModuleInfo, layout: LayoutId) {
    match info.layouts.get(layout) {
        Some(Layout::Struct { name, .. }) => push_name(out, name),
        Some(Layout::Array { element, optional }) => {
            push(out, format_args!("[{element}{}]", if *optional { "?" } else { "" }));
        }
        None => push(out, format_args!("<{layout}>")),
    }
}

fn push_arrow(out: &mut String, types: &[Type]) {
    for (n, ty) in types.iter().enumerate() {
        push(out, format_args!("{}{ty}", if n == 0 { " -> " } else { ", " }));
    }
}

fn push_float(out: &mut String, bits: u64) {
    let value = f64::from_bits(bits);
    if value.is_nan() && bits != f64::NAN.to_bits() {
        push(out, format_args!("NaN({bits:#018x})"));
        return;
    }
    let mut buffer = [0; NUMBER_BYTES];
    out.push_str(&String::from_utf8_lossy(write_float(value, &mut buffer)));
}

pub(super) struct Printer<'a> {
    pub out: String,
    pub func: &'a Func,
    info: &'a ModuleInfo,
    style: SsaStyle,
}

impl<'a> Printer<'a> {
    pub fn new(func: &'a Func, info: &'a ModuleInfo) -> Printer<'a> {
        Printer { out: String::new(), func, info, style: SsaStyle::Params }
    }

    fn function(&mut self) {
        let func = self.func;
        self.head(match func.phase {
            Phase::Tac => "",
            Phase::Ssa => "ssa ",
            Phase::Cssa => "cssa ",
        });
        let cfg = match self.style {
            SsaStyle::Params => None,
            SsaStyle::Phi => Some(Cfg::new(func)),
        };
        for block in func.blocks() {
            self.block(block, cfg.as_ref());
        }
        self.out.push_str("}\n");
    }

    /// Everything before the first label.
    pub fn head(&mut self, form: &str) {
        let func = self.func;
        if func.hidden {
            self.out.push_str("hidden ");
        }
        self.out.push_str(form);
        self.out.push_str("func ");
        push_name(&mut self.out, &func.name);
        self.out.push('(');
        self.typed_values(&func.params);
        self.out.push(')');
        self.arrow(&func.results);
        self.out.push_str(" {\n");
        for value in undetermined(func, self.style) {
            self.out.push_str("  var ");
            self.typed_values(&[value]);
            self.out.push('\n');
        }
    }

    fn typed_values(&mut self, values: &[Value]) {
        for (n, &value) in values.iter().enumerate() {
            if n > 0 {
                self.out.push_str(", ");
            }
            push_value(&mut self.out, self.func, value);
            push(&mut self.out, format_args!(": {}", self.func.ty(value)));
        }
    }

    fn arrow(&mut self, types: &[Type]) {
        push_arrow(&mut self.out, types);
    }

    fn block(&mut self, block: Block, cfg: Option<&Cfg>) {
        let func = self.func;
        self.label(block);
        match cfg {
            None => {
                if !func.block_params(block).is_empty() {
                    self.out.push('(');
                    self.typed_values(func.block_params(block));
                    self.out.push(')');
                }
                self.out.push_str(":\n");
            }
            Some(cfg) => {
                self.out.push_str(":\n");
                // A row of arguments for each edge: one step in each gives the arguments of one phi.
                let mut rows: Vec<_> = cfg.incoming(block).iter().map(|&edge| (edge, func.edge_args(edge))).collect();
                for &param in func.block_params(block) {
                    self.out.push_str("  ");
                    push_value(&mut self.out, func, param);
                    self.out.push_str(" = phi");
                    for (k, (edge, args)) in rows.iter_mut().enumerate() {
                        self.out.push_str(if k == 0 { " [" } else { ", [" });
                        self.label(func.edge_source(*edge));
                        self.out.push_str(": ");
                        if let Some(arg) = args.next() {
                            push_value(&mut self.out, func, arg);
                        }
                        self.out.push(']');
                    }
                    self.out.push('\n');
                }
            }
        }
        for inst in func.insts(block) {
            self.out.push_str("  ");
            self.inst(inst);
            self.out.push('\n');
        }
    }

    pub fn label(&mut self, block: Block) {
        push_name(&mut self.out, &self.func.label(block));
    }

    pub fn inst(&mut self, inst: Inst) {
        let func = self.func;
        let results = func.results(inst);
        for (n, &result) in results.iter().enumerate() {
            if n > 0 {
                self.out.push_str(", ");
            }
            push_value(&mut self.out, func, result);
        }
        if !results.is_empty() {
            self.out.push_str(" = ");
        }
        let op = func.op(inst);
        self.out.push_str(op.name());
        match op {
            Op::Undef => {
                if let [result] = results {
                    push(&mut self.out, format_args!(" {}", func.ty(*result)));
                }
            }
            Op::Call | Op::CallRef | Op::Builtin | Op::CallExtern => self.call(inst),
            Op::Branch | Op::Jump => {
                self.operands(inst, " ");
                let mut separator = if func.arg_count(inst) == 0 { " " } else { ", " };
                for edge in func.edges(inst) {
                    self.out.push_str(separator);
                    self.edge(edge);
                    separator = ", ";
                }
            }
            Op::Switch => self.switch(inst),
            _ => {
                let separator = self.immediate(func.imm(inst));
                self.operands(inst, separator);
            }
        }
    }

    fn call(&mut self, inst: Inst) {
        let func = self.func;
        let mut args = func.args(inst);
        if func.op(inst) == Op::CallRef {
            self.out.push(' ');
            if let Some(callee) = args.next() {
                push_value(&mut self.out, func, callee);
            }
        } else {
            self.immediate(func.imm(inst));
        }
        self.out.push('(');
        for (n, arg) in args.enumerate() {
            if n > 0 {
                self.out.push_str(", ");
            }
            push_value(&mut self.out, func, arg);
        }
        self.out.push(')');
        if func.op(inst) == Op::CallRef {
            let types: Vec<Type> = func.results(inst).iter().map(|&r| func.ty(r)).collect();
            self.arrow(&types);
        }
    }

    fn switch(&mut self, inst: Inst) {
        let func = self.func;
        self.operands(inst, " ");
        let cases: &[i64] = match func.imm(inst) {
            Imm::Cases(list) => func.cases(list),
            _ => &[],
        };
        let last = func.edges(inst).len().saturating_sub(1);
        for (n, edge) in func.edges(inst).enumerate() {
            match cases.get(n) {
                Some(value) if n < last => push(&mut self.out, format_args!(", {value}: ")),
                _ => self.out.push_str(", else "),
            }
            self.edge(edge);
        }
    }

    pub fn edge(&mut self, edge: Edge) {
        let func = self.func;
        self.label(func.edge_target(edge));
        if self.style == SsaStyle::Params && func.edge_args(edge).len() > 0 {
            for (n, arg) in func.edge_args(edge).enumerate() {
                self.out.push_str(if n == 0 { "(" } else { ", " });
                push_value(&mut self.out, func, arg);
            }
            self.out.push(')');
        }
    }

    pub fn operands(&mut self, inst: Inst, first_separator: &str) {
        for (n, arg) in self.func.args(inst).enumerate() {
            self.out.push_str(if n == 0 { first_separator } else { ", " });
            push_value(&mut self.out, self.func, arg);
        }
    }

    /// Writes an immediate with a space before it; gives what separates it from the first operand.
    fn immediate(&mut self, imm: Imm) -> &'static str {
        let (out, info) = (&mut self.out, self.info);
        if imm != Imm::None {
            out.push(' ');
        }
        match imm {
            Imm::None => return " ",
            Imm::Int(n) => push(out, format_args!("{n}")),
            Imm::Float(bits) => push_float(out, bits),
            Imm::Bool(b) => push(out, format_args!("{b}")),
            Imm::Byte(b) => push_byte(out, b),
            Imm::Str(s) => push_string(out, info, s),
            Imm::Null => out.push_str("null"),
            Imm::Func(f) => push_func(out, info, f),
            Imm::Global(g) => push_global(out, info, g),
            Imm::Type(ty) => push(out, format_args!("{ty}")),
            Imm::Layout(layout) => push_layout(out, info, layout),
            Imm::Part(layout, part) => push_part(out, info, layout, part),
            Imm::Builtin(builtin) => out.push_str(builtin.info().name),
            Imm::Extern(id) => push_extern(out, info, id),
            Imm::Cases(list) => push(out, format_args!("<{list}>")),
        }
        ", "
    }
}

fn push_byte(out: &mut String, b: u8) {
    out.push('\'');
    match b {
        b'\'' => out.push_str("\\'"),
        0x80.. => push(out, format_args!("\\x{b:02x}")),
        _ => push_char(out, char::from(b)),
    }
    out.push('\'');
}

fn push_string(out: &mut String, info: &ModuleInfo, id: StrId) {
    match info.strings.get(id) {
        Some(bytes) => push_quoted(out, bytes),
        None => push(out, format_args!("<{id}>")),
    }
}

fn push_func(out: &mut String, info: &ModuleInfo, id: FuncId) {
    match info.signatures.get(id) {
        Some(signature) => push_name(out, &signature.name),
        None => push(out, format_args!("<{id}>")),
    }
}

fn push_extern(out: &mut String, info: &ModuleInfo, id: ExternId) {
    match info.externs.get(id) {
        Some(head) => push_name(out, &head.name),
        None => push(out, format_args!("<{id}>")),
    }
}

fn push_global(out: &mut String, info: &ModuleInfo, id: GlobalId) {
    match info.globals.get(id) {
        Some(global) => push_name(out, &global.name),
        None => push(out, format_args!("<{id}>")),
    }
}

/// `Point.x`, or `Point.0` if the name of the field is not the only one of that name; `[int].0`.
fn push_part(out: &mut String, info: &ModuleInfo, layout: LayoutId, part: u32) {
    push_layout(out, info, layout);
    out.push('.');
    if let Some(Layout::Struct { fields, .. }) = info.layouts.get(layout)
        && let Some((name, _)) = fields.get(part as usize)
        && fields.iter().position(|f| f.0 == *name) == Some(part as usize)
    {
        push_name(out, name);
    } else {
        push(out, format_args!("{part}"));
    }
}

/// The values that are named in a function's text, but whose type the text would not show, in the order of their ids.
fn undetermined(func: &Func, style: SsaStyle) -> Vec<Value> {
    let count = func.value_count();
    let mut known: BitSet<Value> = BitSet::new(count);
    let mut named: BitSet<Value> = BitSet::new(count);
    // Instructions that give their operands' type to their results or the other way; phis are edges here.
    let mut links: Vec<(Value, Value)> = Vec::new();
    for &param in &func.params {
        known.insert(param);
    }
    for block in func.blocks() {
        for &param in func.block_params(block) {
            // With block parameters the text declares their types, with phis they go by the arguments.
            named.insert(param);
            if style == SsaStyle::Params {
                known.insert(param);
            }
        }
        for inst in func.insts(block) {
            for value in func.args(inst).chain(func.results(inst).iter().copied()) {
                named.insert(value);
            }
            for edge in func.edges(inst) {
                let params = func.block_params(func.edge_target(edge));
                for (arg, &param) in func.edge_args(edge).zip(params) {
                    named.insert(arg);
                    links.push((arg, param));
                }
            }
            typed_by(func, inst, &mut known, &mut links);
        }
    }
    spread(count, &links, &mut known);
    named.subtract(&known);
    named.iter().collect()
}

/// What an instruction says about types: marks the results that it determines, and links those that go by an operand.
fn typed_by(func: &Func, inst: Inst, known: &mut BitSet<Value>, links: &mut Vec<(Value, Value)>) {
    let (args, results) = (func.args(inst), func.results(inst));
    match func.op(inst).info().signature {
        Signature::Same1 => links.extend(args.zip(results.iter().copied())),
        Signature::IntOrBool2 => links.extend(args.zip(results.iter().copied().cycle())),
        Signature::Select => links.extend(args.skip(1).zip(results.iter().copied().cycle())),
        Signature::Immediate if func.op(inst) == Op::ParallelCopy => links.extend(args.zip(results.iter().copied())),
        Signature::Fixed(..)
        | Signature::Comparable
        | Signature::Ordered
        | Signature::Source
        | Signature::Immediate
        | Signature::BoolOrRef => {
            for &result in results {
                known.insert(result);
            }
        }
    }
}

/// Spreads knowledge along links in both directions.
fn spread(count: usize, links: &[(Value, Value)], known: &mut BitSet<Value>) {
    let neighbours = Lists::new(count, links.iter().flat_map(|&(a, b)| [(a, b), (b, a)]));
    let mut work: Vec<Value> = known.iter().collect();
    while let Some(value) = work.pop() {
        for &next in neighbours.of(value) {
            if known.insert(next) {
                work.push(next);
            }
        }
    }
}
