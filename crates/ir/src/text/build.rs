//! Parsed functions to [`Func`]s: names become ids, values get their types.
//!
//! *In:* the lists that `parse.rs` made. *Out:* a module. *Cost:* linear.
//!
//! Types come from declarations (parameters, `var` lines), from the operations that have one result type, and, through
//! operations such as `copy` and through phis, from one value to the next in either direction.

use super::parse::{
    BlockText, EdgeText, FuncText, ImmText, InstText, LayoutText, PartText, Sym, SymbolName, TextError,
};
use crate::func::{Block, Func, Imm, Phase, Value, ValueName};
use crate::module::{ExternId, FuncId, GlobalId, Module, ModuleInfo, Signature as Head};
use crate::op::{Op, Signature};
use crate::types::{Layout, LayoutId, Type};
use mini_base::ids::{Id, IdVec};
use mini_base::source::Pos;
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// The names of the module.
struct Names<'a> {
    funcs: FxHashMap<&'a str, FuncId>,
    globals: FxHashMap<String, GlobalId>,
    externs: FxHashMap<String, ExternId>,
    structs: FxHashMap<String, LayoutId>,
}

/// Makes the module.
pub(super) fn build(
    text: &str,
    info: ModuleInfo,
    funcs: Vec<FuncText<'_>>,
    start: Option<(Cow<'_, str>, u32)>,
) -> Result<Module, TextError> {
    let names = Names {
        funcs: funcs.iter().enumerate().map(|(n, f)| (&*f.name, FuncId::new(n))).collect(),
        globals: info.globals.iter_enumerated().map(|(id, g)| (g.name.to_string(), id)).collect(),
        externs: info.externs.iter_enumerated().map(|(id, head)| (head.name.to_string(), id)).collect(),
        structs: info
            .layouts
            .iter_enumerated()
            .filter_map(|(id, layout)| match layout {
                Layout::Struct { name, .. } => Some((name.to_string(), id)),
                Layout::Array { .. } => None,
            })
            .collect(),
    };
    let start = match start {
        None => names.funcs.get("main").copied(),
        Some((name, offset)) => match names.funcs.get(&*name) {
            Some(&id) => Some(id),
            None => return Err(TextError::at(text, offset as usize, format!("there is no function `{name}`"))),
        },
    };
    let mut module = Module { info, funcs: IdVec::new(), start, library: None };
    for func in &funcs {
        module.info.signatures.push(Head {
            name: func.name.as_ref().into(),
            params: func.params.iter().map(|p| p.1).collect(),
            results: func.results.clone(),
        });
    }
    for func in &funcs {
        let built = Builder { text, names: &names, info: &mut module.info, source: func }.func()?;
        module.funcs.push(built);
    }
    Ok(module)
}

struct Builder<'a, 'b> {
    text: &'b str,
    names: &'b Names<'b>,
    info: &'b mut ModuleInfo,
    source: &'b FuncText<'a>,
}

impl<'a> Builder<'a, '_> {
    fn error<T>(&self, offset: u32, message: String) -> Result<T, TextError> {
        Err(TextError::at(self.text, offset as usize, message))
    }

    fn func(&mut self) -> Result<Func, TextError> {
        let source = self.source;
        let imms: Vec<Option<Imm>> =
            source.insts.iter().map(|inst| self.imm(inst)).collect::<Result<_, TextError>>()?;
        let phi_args = self.phi_args()?;
        let types = self.types(&imms)?;
        let mut func = Func::new(source.name.as_ref(), source.phase);
        func.hidden = source.hidden;
        func.results = source.results.clone();
        let values = self.values(&mut func, &types);
        for &(sym, _) in &source.params {
            func.add_func_param(values[sym as usize]);
        }
        // In a flat function, some labels begin no block.
        let mut blocks = vec![None; source.labels.len()];
        for block in &source.blocks {
            let made = func.new_block_named(&source.labels[block.label as usize].name);
            blocks[block.label as usize] = Some(made);
        }
        let block_of = |label: Sym| blocks[label as usize].expect("the parser saw that what is named is a block");
        for block in &source.blocks {
            let id = block_of(block.label);
            let params = block.params.iter().map(|p| p.0).chain(block.phis.iter().map(|phi| phi.result));
            for sym in params {
                func.add_block_param_value(id, values[sym as usize]);
            }
        }
        for block in &source.blocks {
            let id = block_of(block.label);
            for n in block.insts.clone() {
                let inst = &source.insts[n];
                let pool = |range: &std::ops::Range<usize>| -> Vec<Value> {
                    source.pool[range.clone()].iter().map(|&s| values[s as usize]).collect()
                };
                let imm = match (&inst.imm, imms[n]) {
                    (ImmText::Cases(cases), _) => Imm::Cases(func.new_cases(cases.clone())),
                    (_, imm) => imm.unwrap_or(Imm::None),
                };
                let made = func.create_inst(inst.op, imm, &pool(&inst.args), Pos::NONE);
                func.set_results(made, &pool(&inst.results));
                let edges: Vec<(Block, Vec<Value>)> = inst
                    .edges
                    .clone()
                    .map(|e| {
                        let EdgeText { target, args } = &source.edges[e];
                        let mut args = pool(args);
                        args.extend(phi_args[e].iter().map(|&s| values[s as usize]));
                        (block_of(*target), args)
                    })
                    .collect();
                if !edges.is_empty() {
                    let edges: Vec<(Block, &[Value])> = edges.iter().map(|(b, a)| (*b, a.as_slice())).collect();
                    func.set_edges(made, &edges);
                }
                func.append_inst(id, made);
            }
        }
        Ok(func)
    }

    /// The immediate; `None` for the cases of a switch, which only the function can make.
    fn imm(&mut self, inst: &InstText<'a>) -> Result<Option<Imm>, TextError> {
        Ok(Some(match &inst.imm {
            ImmText::Done(imm) => *imm,
            ImmText::Undef(_) => Imm::None,
            ImmText::Cases(_) => return Ok(None),
            ImmText::Func(name) => match self.names.funcs.get(&**name) {
                Some(&id) => Imm::Func(id),
                None => return self.error(inst.offset, format!("there is no function `{name}`")),
            },
            ImmText::Global(name) => match self.names.globals.get(&**name) {
                Some(&id) => Imm::Global(id),
                None => return self.error(inst.offset, format!("there is no global `{name}`")),
            },
            ImmText::Extern(name) => match self.names.externs.get(&**name) {
                Some(&id) => Imm::Extern(id),
                None => {
                    return self.error(
                        inst.offset,
                        format!("there is no C function `{name}`; declare it: `extern {name}(…)`"),
                    );
                }
            },
            ImmText::Layout(layout) => Imm::Layout(self.layout(inst.offset, layout)?),
            ImmText::Part(layout, part) => {
                let id = self.layout(inst.offset, layout)?;
                Imm::Part(id, self.part(inst.offset, id, part)?)
            }
        }))
    }

    fn layout(&mut self, offset: u32, layout: &LayoutText<'a>) -> Result<LayoutId, TextError> {
        match layout {
            LayoutText::Array(layout) => Ok(self.info.layout(layout.clone())),
            LayoutText::Struct(name) => match self.names.structs.get(&**name) {
                Some(&id) => Ok(id),
                None => self.error(offset, format!("there is no struct `{name}`")),
            },
        }
    }

    fn part(&self, offset: u32, layout: LayoutId, part: &PartText<'a>) -> Result<u32, TextError> {
        let found = match (part, &self.info.layouts[layout]) {
            (PartText::Number(n), layout) => layout.part(*n).map(|_| *n),
            (PartText::Name(name), Layout::Struct { fields, .. }) => {
                fields.iter().position(|f| *f.0 == **name).map(|p| p as u32)
            }
            (PartText::Name(_), Layout::Array { .. }) => None,
        };
        match (found, part) {
            (Some(part), _) => Ok(part),
            (None, PartText::Number(n)) => self.error(offset, format!("the layout has no part {n}")),
            (None, PartText::Name(name)) => self.error(offset, format!("the layout has no field `{name}`")),
        }
    }

    /// The type of each symbol.
    fn types(&self, imms: &[Option<Imm>]) -> Result<Vec<Type>, TextError> {
        let source = self.source;
        let mut types: Vec<Option<Type>> = vec![None; source.symbols.len()];
        let mut links: Vec<(Sym, Sym)> = Vec::new();
        let declared = source.params.iter().chain(&source.declared);
        for &(sym, ty) in declared.chain(source.blocks.iter().flat_map(|b| &b.params)) {
            types[sym as usize].get_or_insert(ty);
        }
        for (inst, imm) in source.insts.iter().zip(imms) {
            let args = source.pool[inst.args.clone()].iter().copied();
            let results = source.pool[inst.results.clone()].iter().copied();
            match inst.op.info().signature {
                Signature::Same1 => links.extend(args.zip(results)),
                Signature::IntOrBool2 => links.extend(args.zip(results.cycle())),
                Signature::Select => links.extend(args.skip(1).zip(results.cycle())),
                Signature::Immediate if inst.op == Op::ParallelCopy => links.extend(args.zip(results)),
                Signature::Fixed(..)
                | Signature::Comparable
                | Signature::Ordered
                | Signature::Source
                | Signature::Immediate
                | Signature::BoolOrRef => {
                    for (sym, ty) in results.zip(self.result_types(inst, *imm)) {
                        types[sym as usize].get_or_insert(ty);
                    }
                }
            }
        }
        let targets: FxHashMap<Sym, &BlockText> = source.blocks.iter().map(|b| (b.label, b)).collect();
        for edge in &source.edges {
            let params = targets.get(&edge.target).map_or(&[][..], |b| &b.params);
            links.extend(source.pool[edge.args.clone()].iter().copied().zip(params.iter().map(|p| p.0)));
        }
        for phi in source.blocks.iter().flat_map(|b| &b.phis) {
            links.extend(phi.args.iter().map(|&(_, arg)| (arg, phi.result)));
        }
        spread(&links, &mut types);
        let known = types.iter().zip(&source.symbols).map(|(ty, symbol)| match ty {
            Some(ty) => Ok(*ty),
            None => {
                let end = self.text[symbol.offset as usize..]
                    .find([' ', ',', ':', ')', ']', '\n'])
                    .map_or(self.text.len(), |e| symbol.offset as usize + e);
                let name = &self.text[symbol.offset as usize..end];
                self.error(symbol.offset, format!("nothing says what type `{name}` has; declare it: `var {name}: int`"))
            }
        });
        known.collect()
    }

    /// The types of the results of an operation that determines them.
    fn result_types(&self, inst: &InstText<'a>, imm: Option<Imm>) -> Vec<Type> {
        let part = |layout: LayoutId, part| self.info.layouts[layout].part(part);
        match (inst.op.info().signature, &inst.imm, imm) {
            (Signature::Fixed(_, results), ..) => results.to_vec(),
            (Signature::Comparable | Signature::Ordered, ..) => vec![Type::Bool],
            (_, ImmText::Undef(ty), _) => vec![*ty],
            (_, _, Some(Imm::Func(f))) => self.info.signatures[f].results.clone(),
            (_, _, Some(Imm::Extern(id))) => self.info.externs[id].results.clone(),
            (_, _, Some(Imm::Global(g))) => vec![self.info.globals[g].ty],
            (_, _, Some(Imm::Layout(_))) => vec![Type::Ref],
            (_, _, Some(Imm::Type(_))) if inst.op == Op::Slot => vec![Type::Addr],
            (_, _, Some(Imm::Type(ty))) => vec![ty],
            (_, _, Some(Imm::Part(layout, n))) => part(layout, n).into_iter().collect(),
            (_, _, Some(Imm::Builtin(builtin))) => builtin.info().results.to_vec(),
            (_, _, Some(imm)) if inst.op == Op::Const => {
                crate::eval::Const::from_imm(imm).map(|c| c.ty()).into_iter().collect()
            }
            _ => inst.result_types.clone(),
        }
    }

    fn values(&self, func: &mut Func, types: &[Type]) -> Vec<Value> {
        let mut vars = vec![None; self.source.vars.len()];
        let mut values = Vec::with_capacity(types.len());
        for (symbol, &ty) in self.source.symbols.iter().zip(types) {
            values.push(match symbol.name {
                SymbolName::Temp(n) => func.new_value(ty, ValueName::Temp(n)),
                SymbolName::Var(index, version) => {
                    let name = self.source.vars[index as usize].as_ref();
                    let var = *vars[index as usize].get_or_insert_with(|| func.new_var(name, ty));
                    func.reserve_version(var, version);
                    if version == 0 && func.phase == Phase::Tac {
                        func.variable_value(var, ty)
                    } else {
                        func.new_value(ty, ValueName::Var(var, version))
                    }
                }
            });
        }
        values
    }

    /// For each edge, the arguments that phis in its target give it.
    fn phi_args(&self) -> Result<Vec<Vec<Sym>>, TextError> {
        let source = self.source;
        let mut result: Vec<Vec<Sym>> = vec![Vec::new(); source.edges.len()];
        if source.blocks.iter().all(|b| b.phis.is_empty()) {
            return Ok(result);
        }
        // Edges by source and target, in the order of the text.
        let mut between: FxHashMap<(Sym, Sym), Vec<usize>> = FxHashMap::default();
        let mut incoming: FxHashMap<Sym, usize> = FxHashMap::default();
        for block in &source.blocks {
            for edge in source.insts[block.insts.clone()].iter().flat_map(|inst| inst.edges.clone()) {
                let target = source.edges[edge].target;
                between.entry((block.label, target)).or_default().push(edge);
                *incoming.entry(target).or_default() += 1;
            }
        }
        for block in &source.blocks {
            for phi in &block.phis {
                // How many of the edges from each predecessor have their argument already.
                let mut seen: FxHashMap<Sym, usize> = FxHashMap::default();
                for &(label, arg) in &phi.args {
                    let nth = seen.entry(label).or_default();
                    let edges = between.get(&(label, block.label)).map_or(&[][..], |e| e);
                    let Some(&edge) = edges.get(*nth) else {
                        let label = &source.labels[label as usize].name;
                        return self.error(phi.offset, format!("no edge from `{label}` leads here, or not so many"));
                    };
                    *nth += 1;
                    result[edge].push(arg);
                }
                let edges = incoming.get(&block.label).copied().unwrap_or(0);
                if phi.args.len() != edges {
                    let have = phi.args.len();
                    return self.error(phi.offset, format!("the phi has {have} arguments for {edges} incoming edges"));
                }
            }
        }
        Ok(result)
    }
}

/// Spreads types along links in both directions.
fn spread(links: &[(Sym, Sym)], types: &mut [Option<Type>]) {
    let mut start = vec![0u32; types.len() + 1];
    for &(a, b) in links {
        start[a as usize] += 1;
        start[b as usize] += 1;
    }
    let mut total = 0;
    for entry in &mut start {
        total += *entry;
        *entry = total;
    }
    let mut neighbours = vec![0; total as usize];
    for &(a, b) in links {
        for (from, to) in [(a, b), (b, a)] {
            start[from as usize] -= 1;
            neighbours[start[from as usize] as usize] = to;
        }
    }
    let mut work: Vec<Sym> = (0..types.len() as Sym).filter(|&s| types[s as usize].is_some()).collect();
    while let Some(sym) = work.pop() {
        let at = sym as usize;
        for &next in &neighbours[start[at] as usize..start[at + 1] as usize] {
            if types[next as usize].is_none() {
                types[next as usize] = types[at];
                work.push(next);
            }
        }
    }
}
