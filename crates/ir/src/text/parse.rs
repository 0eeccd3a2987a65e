//! Text to modules.
//!
//! *In:* any text, with either form of block parameters. *Out:* a module, or the first error. *Cost:* linear, no recursion.
//! *Leaves:* the verifier's rules; what is read may break them.
//!
//! Two steps: this file reads the text into lists in which everything is still a name ([`FuncText`]), so that blocks,
//! values and functions may be used before they appear; `build.rs` then finds the types and makes the functions.

use super::build;
use super::flat;
use super::scan::{Kind, Token, scan, unquote};
use crate::builtin::Builtin;
use crate::func::{Imm, Phase};
use crate::module::{Module, ModuleInfo};
use crate::op::Op;
use crate::types::{Layout, Type};
use mini_prim::parse::{parse_float, parse_int};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::ops::Range;

/// Why a text is not IR.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextError {
    /// From 1.
    pub line: u32,
    /// From 1, in code points.
    pub column: u32,
    /// What is wrong, and what was expected.
    pub message: String,
}

impl TextError {
    /// An error at a byte offset of the text.
    pub(super) fn at(text: &str, offset: usize, message: String) -> TextError {
        let before = &text.as_bytes()[..offset.min(text.len())];
        let line = before.iter().filter(|&&b| b == b'\n').count() as u32 + 1;
        let start = before.iter().rposition(|&b| b == b'\n').map_or(0, |p| p + 1);
        // Continuation bytes of UTF-8 begin no code point.
        let column = before[start..].iter().filter(|&&b| b & 0xc0 != 0x80).count() as u32 + 1;
        TextError { line, column, message }
    }
}

impl std::fmt::Display for TextError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for TextError {}

/// Reads a module. The function that runs it is the one that a `start` line names, or else `main`, if there is one.
pub fn parse_module(text: &str) -> Result<Module, TextError> {
    let tokens = scan(text)?;
    let mut parser = Parser { text, tokens, at: 0, info: ModuleInfo::default(), funcs: Vec::new(), start: None };
    parser.items()?;
    let Parser { info, funcs, start, .. } = parser;
    build::build(text, info, funcs, start)
}

/// Numbers of temporaries, versions and labels stay below this, so that later ones can be made.
const MAX_NUMBER: u32 = 1 << 31;

/// A name in a function's text: an index into [`FuncText::symbols`] or [`FuncText::labels`].
pub(super) type Sym = u32;

/// A named value of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Symbol {
    /// Where it first appears.
    pub offset: u32,
    pub name: SymbolName,
}

/// How it is named.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum SymbolName {
    Temp(u32),
    /// Index of the name in [`FuncText::vars`], and the version.
    Var(u32, u32),
}

/// What follows the mnemonic, as far as it is no operand.
#[derive(Clone, Debug)]
pub(super) enum ImmText<'a> {
    Done(Imm),
    Undef(Type),
    Func(Cow<'a, str>),
    Global(Cow<'a, str>),
    Extern(Cow<'a, str>),
    Layout(LayoutText<'a>),
    Part(LayoutText<'a>, PartText<'a>),
    Cases(Vec<i64>),
}

#[derive(Clone, Debug)]
pub(super) enum LayoutText<'a> {
    Struct(Cow<'a, str>),
    Array(Layout),
}

#[derive(Clone, Debug)]
pub(super) enum PartText<'a> {
    Name(Cow<'a, str>),
    Number(u32),
}

/// An instruction; the ranges lie in the function's pools.
#[derive(Clone, Debug)]
pub(super) struct InstText<'a> {
    pub offset: u32,
    pub op: Op,
    pub imm: ImmText<'a>,
    pub results: Range<usize>,
    pub args: Range<usize>,
    pub edges: Range<usize>,
    /// Of `call_ref`.
    pub result_types: Vec<Type>,
}

#[derive(Clone, Debug)]
pub(super) struct EdgeText {
    pub target: Sym,
    pub args: Range<usize>,
}

#[derive(Clone, Debug)]
pub(super) struct PhiText {
    pub offset: u32,
    pub result: Sym,
    /// Label of the predecessor, value.
    pub args: Vec<(Sym, Sym)>,
}

#[derive(Clone, Debug)]
pub(super) struct BlockText {
    pub label: Sym,
    pub params: Vec<(Sym, Type)>,
    pub phis: Vec<PhiText>,
    pub insts: Range<usize>,
}

#[derive(Clone, Debug)]
pub(super) struct LabelText {
    pub offset: u32,
    pub name: String,
    pub defined: bool,
}

/// A function in which everything is still a name.
#[derive(Clone, Debug)]
pub(super) struct FuncText<'a> {
    pub name: Cow<'a, str>,
    pub hidden: bool,
    pub phase: Phase,
    pub params: Vec<(Sym, Type)>,
    pub results: Vec<Type>,
    /// `var` lines.
    pub declared: Vec<(Sym, Type)>,
    pub blocks: Vec<BlockText>,
    /// Of a flat function, which has no blocks as yet: each label and the number of the instruction behind it.
    pub flat: Option<Vec<(Sym, usize)>>,
    pub insts: Vec<InstText<'a>>,
    pub edges: Vec<EdgeText>,
    pub symbols: Vec<Symbol>,
    pub vars: Vec<Cow<'a, str>>,
    pub labels: Vec<LabelText>,
    /// The pool of results and operands.
    pub pool: Vec<Sym>,
    symbol_ids: FxHashMap<SymbolName, Sym>,
    var_ids: FxHashMap<Cow<'a, str>, u32>,
    label_ids: FxHashMap<Cow<'a, str>, Sym>,
}

pub(super) struct Parser<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    at: usize,
    pub info: ModuleInfo,
    pub funcs: Vec<FuncText<'a>>,
    pub start: Option<(Cow<'a, str>, u32)>,
}

pub(super) type Parsed<T> = Result<T, TextError>;

impl<'a> Parser<'a> {
    // ---- Tokens ----

    pub fn peek(&self) -> Token {
        self.tokens[self.at]
    }

    /// The token behind the next.
    fn peek_second(&self) -> Token {
        self.tokens[(self.at + 1).min(self.tokens.len() - 1)]
    }

    pub fn next(&mut self) -> Token {
        let token = self.peek();
        // The last token is `End`, which is never passed.
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    pub fn slice(&self, token: Token) -> &'a str {
        &self.text[token.start as usize..token.end as usize]
    }

    pub fn error<T>(&self, token: Token, message: String) -> Parsed<T> {
        Err(TextError::at(self.text, token.start as usize, message))
    }

    pub fn expected<T>(&self, what: &str) -> Parsed<T> {
        let token = self.peek();
        let found = match token.kind {
            Kind::End => "the end of the text".to_string(),
            _ => format!("`{}`", self.slice(token).chars().take(40).collect::<String>()),
        };
        self.error(token, format!("expected {what}, found {found}"))
    }

    pub fn is(&self, punct: u8) -> bool {
        self.peek().kind == Kind::Punct(punct)
    }

    pub fn accept(&mut self, punct: u8) -> bool {
        let found = self.is(punct);
        if found {
            self.next();
        }
        found
    }

    pub fn expect(&mut self, punct: u8) -> Parsed<()> {
        if self.accept(punct) { Ok(()) } else { self.expected(&format!("`{}`", char::from(punct))) }
    }

    /// Whether the statement is over: the next token is on another line, or closes the function.
    fn line_ends(&self) -> bool {
        self.peek().first_on_line || self.is(b'}')
    }

    fn end_line(&mut self) -> Parsed<()> {
        if self.line_ends() { Ok(()) } else { self.expected("the end of the line") }
    }

    pub fn is_word(&self, word: &str) -> bool {
        let token = self.peek();
        token.kind == Kind::Name && self.slice(token) == word
    }

    pub fn accept_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.next();
        }
        found
    }

    /// A plain or quoted name.
    pub fn name(&mut self, what: &str) -> Parsed<Cow<'a, str>> {
        let token = self.peek();
        match token.kind {
            Kind::Name => {
                self.next();
                Ok(Cow::Borrowed(self.slice(token)))
            }
            Kind::Quoted => {
                self.next();
                let bytes = unquote(self.text, token.start as usize, token.end as usize)?;
                let name = match bytes {
                    Cow::Borrowed(bytes) => std::str::from_utf8(bytes).ok().map(Cow::Borrowed),
                    Cow::Owned(bytes) => String::from_utf8(bytes).ok().map(Cow::Owned),
                };
                match name {
                    Some(name) => Ok(name),
                    None => self.error(token, "names are UTF-8".into()),
                }
            }
            _ => self.expected(what),
        }
    }

    fn type_named(&self, name: &str) -> Option<Type> {
        Type::ALL.into_iter().find(|ty| ty.name() == name)
    }

    pub fn ty(&mut self) -> Parsed<Type> {
        let token = self.peek();
        match self.type_named(self.slice(token)).filter(|_| token.kind == Kind::Name) {
            Some(ty) => {
                self.next();
                Ok(ty)
            }
            None => self.expected("a type: int, float, bool, byte, ref, addr"),
        }
    }

    /// `-> int, bool`, or nothing.
    pub fn arrow(&mut self) -> Parsed<Vec<Type>> {
        let mut types = Vec::new();
        if self.peek().kind == Kind::Arrow {
            self.next();
            types.push(self.ty()?);
            while self.accept(b',') {
                types.push(self.ty()?);
            }
        }
        Ok(types)
    }

    /// A number below `MAX_NUMBER`, made of digits only.
    pub fn index(&mut self, text: &str, token: Token) -> Parsed<u32> {
        match text.parse::<u32>() {
            Ok(n) if n < MAX_NUMBER && text.bytes().all(|b| b.is_ascii_digit()) => Ok(n),
            _ => self.error(token, format!("expected a number below {MAX_NUMBER}")),
        }
    }

    fn int(&mut self) -> Parsed<i64> {
        let token = self.peek();
        match parse_int(self.slice(token).as_bytes()).filter(|_| token.kind == Kind::Number) {
            Some(n) => {
                self.next();
                Ok(n)
            }
            None => self.expected("an int"),
        }
    }

    // ---- Functions ----

    pub fn func(&mut self) -> Parsed<FuncText<'a>> {
        let hidden = self.accept_word("hidden");
        let flat = self.accept_word("flat").then(Vec::new);
        let phase = if flat.is_some() {
            Phase::Tac
        } else if self.accept_word("ssa") {
            Phase::Ssa
        } else if self.accept_word("cssa") {
            Phase::Cssa
        } else {
            Phase::Tac
        };
        if !self.accept_word("func") {
            return self.expected("`func`");
        }
        let mut func = FuncText {
            name: self.name("the function's name")?,
            hidden,
            phase,
            params: Vec::new(),
            results: Vec::new(),
            declared: Vec::new(),
            blocks: Vec::new(),
            flat,
            insts: Vec::new(),
            edges: Vec::new(),
            symbols: Vec::new(),
            vars: Vec::new(),
            labels: Vec::new(),
            pool: Vec::new(),
            symbol_ids: FxHashMap::default(),
            var_ids: FxHashMap::default(),
            label_ids: FxHashMap::default(),
        };
        func.params = self.typed_values(&mut func)?;
        func.results = self.arrow()?;
        self.expect(b'{')?;
        while !self.accept(b'}') {
            self.line(&mut func)?;
        }
        if let Some(label) = func.labels.iter().find(|l| !l.defined) {
            return Err(TextError::at(
                self.text,
                label.offset as usize,
                format!("there is no block `{}` in this function", label.name),
            ));
        }
        flat::make_blocks(self.text, &mut func)?;
        Ok(func)
    }

    /// `(x: int, y: ref)`
    fn typed_values(&mut self, func: &mut FuncText<'a>) -> Parsed<Vec<(Sym, Type)>> {
        let mut values = Vec::new();
        self.expect(b'(')?;
        while !self.accept(b')') {
            let value = self.value(func)?;
            self.expect(b':')?;
            values.push((value, self.ty()?));
            if !self.accept(b',') && !self.is(b')') {
                return self.expected("`,` or `)`");
            }
        }
        Ok(values)
    }

    /// A line of a function: a label, a declaration, a phi or an instruction.
    fn line(&mut self, func: &mut FuncText<'a>) -> Parsed<()> {
        let (first, second) = (self.peek(), self.peek_second());
        let named = matches!(first.kind, Kind::Name | Kind::Quoted);
        if named && !second.first_on_line && matches!(second.kind, Kind::Punct(b':' | b'(')) {
            return self.label_line(func);
        }
        if self.is_word("var") && !second.first_on_line && matches!(second.kind, Kind::Name | Kind::Quoted | Kind::Temp)
        {
            self.next();
            let value = self.value(func)?;
            self.expect(b':')?;
            let ty = self.ty()?;
            func.declared.push((value, ty));
            return self.end_line();
        }
        if func.blocks.is_empty() && func.flat.is_none() {
            return self.expected("a block's label");
        }
        let results = func.pool.len()..func.pool.len();
        let assigns = first.kind == Kind::Temp
            || (named && !second.first_on_line && matches!(second.kind, Kind::Punct(b'=' | b',' | b'.')));
        if assigns {
            loop {
                let value = self.value(func)?;
                func.pool.push(value);
                if !self.accept(b',') {
                    break;
                }
            }
            self.expect(b'=')?;
        }
        let results = results.start..func.pool.len();
        if self.is_word("phi") && func.flat.is_none() {
            return self.phi(func, first.start, results);
        }
        self.inst(func, first.start, results)?;
        self.end_line()
    }

    fn label_line(&mut self, func: &mut FuncText<'a>) -> Parsed<()> {
        let place = self.peek();
        let label = self.label(func)?;
        let entry = &mut func.labels[label as usize];
        if entry.defined {
            return self.error(place, format!("there is a block `{}` already", entry.name));
        }
        entry.defined = true;
        if let Some(labels) = &mut func.flat {
            labels.push((label, func.insts.len()));
            return self.expect(b':');
        }
        let params = if self.is(b'(') { self.typed_values(func)? } else { Vec::new() };
        self.expect(b':')?;
        let insts = func.insts.len()..func.insts.len();
        func.blocks.push(BlockText { label, params, phis: Vec::new(), insts });
        Ok(())
    }

    fn phi(&mut self, func: &mut FuncText<'a>, offset: u32, results: Range<usize>) -> Parsed<()> {
        let token = self.next();
        let block = func.blocks.last().expect("the caller saw a label");
        if !block.insts.is_empty() || !block.params.is_empty() {
            return self.error(token, "phis come first in a block, and only in one without parameters".into());
        }
        if results.len() != 1 {
            return self.error(token, "a phi has one result".into());
        }
        let result = func.pool[results.start];
        let mut args = Vec::new();
        while !self.line_ends() {
            if !args.is_empty() {
                self.expect(b',')?;
            }
            self.expect(b'[')?;
            let label = self.label(func)?;
            self.expect(b':')?;
            args.push((label, self.value(func)?));
            self.expect(b']')?;
        }
        func.blocks.last_mut().expect("the caller saw a label").phis.push(PhiText { offset, result, args });
        Ok(())
    }

    // ---- Names in a function ----

    fn label(&mut self, func: &mut FuncText<'a>) -> Parsed<Sym> {
        let token = self.peek();
        let name = self.name("a block's label")?;
        if let Some(&label) = func.label_ids.get(&name) {
            return Ok(label);
        }
        let digits = &name[name.trim_end_matches(|c: char| c.is_ascii_digit()).len()..];
        if digits.parse::<u32>().is_ok_and(|n| n >= MAX_NUMBER) {
            return self.error(token, format!("the number of a label is below {MAX_NUMBER}"));
        }
        let label = func.labels.len() as Sym;
        func.labels.push(LabelText { offset: token.start, name: name.to_string(), defined: false });
        func.label_ids.insert(name, label);
        Ok(label)
    }

    fn value(&mut self, func: &mut FuncText<'a>) -> Parsed<Sym> {
        let token = self.peek();
        let name = match token.kind {
            Kind::Temp => {
                self.next();
                SymbolName::Temp(self.index(&self.slice(token)[1..], token)?)
            }
            Kind::Name | Kind::Quoted => {
                let name = self.name("a value")?;
                let var = match func.var_ids.get(&name) {
                    Some(&var) => var,
                    None => {
                        let var = func.vars.len() as u32;
                        func.vars.push(name.clone());
                        func.var_ids.insert(name, var);
                        var
                    }
                };
                let mut version = 0;
                if self.is(b'.') && !self.peek().first_on_line {
                    self.next();
                    let token = self.next();
                    version = self.index(self.slice(token), token)?;
                    if version == 0 {
                        return self.error(token, "versions count from 1".into());
                    }
                }
                SymbolName::Var(var, version)
            }
            _ => return self.expected("a value"),
        };
        if let Some(&symbol) = func.symbol_ids.get(&name) {
            return Ok(symbol);
        }
        let symbol = func.symbols.len() as Sym;
        func.symbols.push(Symbol { offset: token.start, name });
        func.symbol_ids.insert(name, symbol);
        Ok(symbol)
    }

    // ---- Instructions ----

    fn inst(&mut self, func: &mut FuncText<'a>, offset: u32, results: Range<usize>) -> Parsed<()> {
        let token = self.peek();
        let op = Op::by_name(self.slice(token)).filter(|_| token.kind == Kind::Name);
        let Some(op) = op else { return self.expected("an operation") };
        self.next();
        let mut inst = InstText {
            offset,
            op,
            imm: ImmText::Done(Imm::None),
            results,
            args: 0..0,
            edges: func.edges.len()..func.edges.len(),
            result_types: Vec::new(),
        };
        let args = func.pool.len();
        match op {
            Op::Const => inst.imm = ImmText::Done(self.literal()?),
            Op::Undef => inst.imm = ImmText::Undef(self.ty()?),
            Op::FuncRef | Op::Code => inst.imm = ImmText::Func(self.name("a function's name")?),
            Op::Call => {
                inst.imm = ImmText::Func(self.name("a function's name")?);
                self.arguments(func)?;
            }
            Op::CallExtern => {
                inst.imm = ImmText::Extern(self.name("a C function's name")?);
                self.arguments(func)?;
            }
            Op::CallRef => {
                let callee = self.value(func)?;
                func.pool.push(callee);
                self.arguments(func)?;
                inst.result_types = self.arrow()?;
            }
            Op::Builtin => {
                let token = self.peek();
                match Builtin::by_name(self.slice(token)).filter(|_| token.kind == Kind::Name) {
                    Some(builtin) => inst.imm = ImmText::Done(Imm::Builtin(builtin)),
                    None => return self.expected("a run-time function"),
                }
                self.next();
                self.arguments(func)?;
            }
            Op::New | Op::NewArray | Op::Static => {
                inst.imm = ImmText::Layout(self.layout()?);
                self.more_operands(func)?;
            }
            Op::LoadField | Op::StoreField | Op::LoadElem | Op::StoreElem => {
                let layout = self.layout()?;
                self.expect(b'.')?;
                let part = if self.peek().kind == Kind::Number {
                    let token = self.next();
                    PartText::Number(self.index(self.slice(token), token)?)
                } else {
                    PartText::Name(self.name("a field's name")?)
                };
                inst.imm = ImmText::Part(layout, part);
                self.more_operands(func)?;
            }
            Op::Slot | Op::Load => {
                inst.imm = ImmText::Done(Imm::Type(self.ty()?));
                self.more_operands(func)?;
            }
            Op::LoadGlobal | Op::StoreGlobal => {
                inst.imm = ImmText::Global(self.name("a global's name")?);
                self.more_operands(func)?;
            }
            Op::Jump => inst.edges = self.one_edge(func)?,
            Op::Branch => {
                self.operand(func)?;
                let start = func.edges.len();
                for n in 0..2 {
                    // In a flat function, what follows may stand for the last target.
                    if n == 1 && func.flat.is_some() && self.line_ends() {
                        break;
                    }
                    self.expect(b',')?;
                    self.one_edge(func)?;
                }
                inst.edges = start..func.edges.len();
            }
            Op::Switch => inst.imm = self.switch(func, &mut inst.edges)?,
            // Everything else is operands alone.
            _ => {
                if !self.line_ends() {
                    self.operand(func)?;
                    self.more_operands(func)?;
                }
            }
        }
        // Edge arguments lie behind the operands in the pool; the first edge says where they begin.
        let end = func.edges[inst.edges.clone()].first().map_or(func.pool.len(), |edge| edge.args.start);
        inst.args = args..end;
        func.insts.push(inst);
        if let Some(block) = func.blocks.last_mut() {
            block.insts.end = func.insts.len();
        }
        Ok(())
    }

    fn operand(&mut self, func: &mut FuncText<'a>) -> Parsed<()> {
        let value = self.value(func)?;
        func.pool.push(value);
        Ok(())
    }

    /// `, a, b` up to the end of the line.
    fn more_operands(&mut self, func: &mut FuncText<'a>) -> Parsed<()> {
        while !self.line_ends() {
            self.expect(b',')?;
            self.operand(func)?;
        }
        Ok(())
    }

    /// `(a, b)`
    fn arguments(&mut self, func: &mut FuncText<'a>) -> Parsed<()> {
        self.expect(b'(')?;
        while !self.accept(b')') {
            self.operand(func)?;
            if !self.accept(b',') && !self.is(b')') {
                return self.expected("`,` or `)`");
            }
        }
        Ok(())
    }

    /// `b1(a, b)`, added to the edges.
    fn one_edge(&mut self, func: &mut FuncText<'a>) -> Parsed<Range<usize>> {
        let target = self.label(func)?;
        let start = func.pool.len();
        if self.is(b'(') && !self.line_ends() {
            self.arguments(func)?;
        }
        func.edges.push(EdgeText { target, args: start..func.pool.len() });
        Ok(func.edges.len() - 1..func.edges.len())
    }

    /// `v, 1: b1, 5: b2(a), else b3`
    fn switch(&mut self, func: &mut FuncText<'a>, edges: &mut Range<usize>) -> Parsed<ImmText<'a>> {
        self.operand(func)?;
        let start = func.edges.len();
        let mut cases = Vec::new();
        loop {
            self.expect(b',')?;
            if self.accept_word("else") {
                self.one_edge(func)?;
                break;
            }
            if self.peek().kind != Kind::Number {
                return self.expected("a case or `else`");
            }
            cases.push(self.int()?);
            self.expect(b':')?;
            self.one_edge(func)?;
        }
        *edges = start..func.edges.len();
        Ok(ImmText::Cases(cases))
    }

    fn layout(&mut self) -> Parsed<LayoutText<'a>> {
        if !self.accept(b'[') {
            return Ok(LayoutText::Struct(self.name("a struct's name or an array's type")?));
        }
        let token = self.peek();
        let name = self.slice(token);
        let (name, optional) = name.strip_suffix('?').map_or((name, false), |stem| (stem, true));
        let Some(element) = self.type_named(name).filter(|_| token.kind == Kind::Name) else {
            return self.expected("a type: int, float, bool, byte, ref, addr; perhaps with `?`");
        };
        self.next();
        self.expect(b']')?;
        let layout = Layout::Array { element, optional };
        Ok(LayoutText::Array(layout))
    }

    fn literal(&mut self) -> Parsed<Imm> {
        let token = self.next();
        let text = self.slice(token);
        match (token.kind, text) {
            (Kind::Name, "true") => Ok(Imm::Bool(true)),
            (Kind::Name, "false") => Ok(Imm::Bool(false)),
            (Kind::Name, "null") => Ok(Imm::Null),
            (Kind::Name, "inf") => Ok(Imm::Float(f64::INFINITY.to_bits())),
            (Kind::Name, "NaN") => self.nan(),
            (Kind::Number, "-inf") => Ok(Imm::Float(f64::NEG_INFINITY.to_bits())),
            (Kind::Number, _) if text.contains(['.', 'e', 'E']) => match parse_float(text.as_bytes()) {
                Some(value) => Ok(Imm::Float(value.to_bits())),
                None => self.error(token, "this is no float".into()),
            },
            (Kind::Number, _) => match parse_int(text.as_bytes()) {
                Some(value) => Ok(Imm::Int(value)),
                None => self.error(token, "this is no 64-bit int".into()),
            },
            (Kind::Byte, _) => match unquote(self.text, token.start as usize, token.end as usize)?.as_ref() {
                &[byte] => Ok(Imm::Byte(byte)),
                _ => self.error(token, "a byte literal holds one byte".into()),
            },
            (Kind::Quoted, _) => {
                let bytes = unquote(self.text, token.start as usize, token.end as usize)?;
                Ok(Imm::Str(self.info.string(&bytes)))
            }
            _ => self.error(token, "expected a literal: 1, 1.5, inf, NaN, true, 'a', \"text\", null".into()),
        }
    }

    /// The rest of `NaN` or `NaN(0x7ff8000000000001)`.
    fn nan(&mut self) -> Parsed<Imm> {
        if !self.is(b'(') || self.line_ends() {
            return Ok(Imm::Float(f64::NAN.to_bits()));
        }
        self.next();
        let token = self.next();
        let bits = self.slice(token).strip_prefix("0x").and_then(|hex| u64::from_str_radix(hex, 16).ok());
        self.expect(b')')?;
        match bits.filter(|&bits| f64::from_bits(bits).is_nan()) {
            Some(bits) => Ok(Imm::Float(bits)),
            None => self.error(token, "expected the bits of a NaN in hexadecimal".into()),
        }
    }
}
