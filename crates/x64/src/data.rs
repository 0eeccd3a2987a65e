//! The static data of a module: type descriptors, string literals, function values, float constants, globals.
//!
//! *In:* a module whose functions have their final code, since constants and function values are collected from it.
//! *Out:* [`StaticData`]: the pieces, and where selection finds each.
//! *Cost:* linear. *Order:* by kind, then by id or first appearance, so that the same module gives the same bytes.
//!
//! Literals and function values look like heap objects; the collector leaves them alone because they lie outside its heap.
//!
//! ```text
//! string literal:  header -> string_desc | length | bytes | NUL
//! function value:  header -> function_desc | code address
//! bare variant:    header -> its layout's descriptor | tag
//! type descriptor: u32 kind, u32 size, u32 pointer_count, u32 offsets…
//! ```

use crate::code::{CodeId, Data, DataId, Relocation, RelocationKind, Section, SymbolId, Target};
use mini_base::ids::{Id, IdVec};
use mini_ir::func::{Func, Imm};
use mini_ir::module::{ExternId, FuncId, GlobalId, Module, ModuleInfo, StrId};
use mini_ir::op::Op;
use mini_ir::types::{Layout, LayoutId, Type};
use mini_prim::object::{ARRAY, CODE_OFFSET, FIXED, STRING};
use rustc_hash::{FxHashMap, FxHashSet};

/// The static data of a module and where each piece is.
#[derive(Clone, Debug, Default)]
pub struct StaticData {
    /// The pieces; `Program::data` of the finished program.
    pub pieces: IdVec<DataId, Data>,
    layouts: IdVec<LayoutId, Option<DataId>>,
    variants: IdVec<LayoutId, Option<DataId>>,
    offsets: IdVec<LayoutId, Vec<u32>>,
    strings: IdVec<StrId, Option<DataId>>,
    functions: IdVec<FuncId, Option<DataId>>,
    floats: FxHashMap<u64, DataId>,
    globals: Option<DataId>,
    sign_mask: Option<DataId>,
    magnitude_mask: Option<DataId>,
}

/// The function of machine code that an IR function becomes: the same number.
pub fn code_id(func: FuncId) -> CodeId {
    CodeId::new(func.index())
}

/// The symbol of a C function: the same number.
pub fn symbol_id(function: ExternId) -> SymbolId {
    SymbolId::new(function.index())
}

impl StaticData {
    /// Collects the data of a module.
    pub fn build(module: &Module) -> StaticData {
        StaticData::build_from(&module.info, module.funcs.iter())
    }

    /// Collects the data that these functions and the tables of their module need.
    pub fn build_from<'f>(info: &ModuleInfo, funcs: impl Iterator<Item = &'f Func>) -> StaticData {
        let mut data = StaticData {
            layouts: IdVec::filled(None, info.layouts.len()),
            variants: IdVec::filled(None, info.layouts.len()),
            offsets: info.layouts.iter().map(|l| l.offsets().0).collect(),
            strings: IdVec::filled(None, info.strings.len()),
            functions: IdVec::filled(None, info.signatures.len()),
            ..StaticData::default()
        };
        let wanted = Wanted::collect(info, funcs);
        for (id, layout) in info.layouts.iter_enumerated() {
            let piece = data.read_only(format!("layout{}", id.index()), 8, type_descriptor(layout), Vec::new());
            data.layouts[id] = Some(piece);
            if let Layout::Struct { tag: Some(tag), fields, .. } = layout
                && fields.is_empty()
            {
                let bytes = [0, u64::from(*tag)].map(u64::to_le_bytes).concat();
                let header = absolute(0, Target::Data(piece));
                data.variants[id] = Some(data.read_only(format!("variant{}", id.index()), 8, bytes, vec![header]));
            }
        }
        if wanted.strings.iter().any(|&w| w) {
            let descriptor = data.read_only("string_desc".into(), 8, words(&[STRING, 1, 0]), Vec::new());
            for (id, text) in info.strings.iter_enumerated().filter(|(id, _)| wanted.strings[*id]) {
                let mut bytes = vec![0; 8];
                bytes.extend_from_slice(&(text.len() as i64).to_le_bytes());
                bytes.extend_from_slice(text);
                bytes.push(0);
                let header = absolute(0, Target::Data(descriptor));
                data.strings[id] = Some(data.read_only(format!("string{}", id.index()), 8, bytes, vec![header]));
            }
        }
        if wanted.functions.iter().any(|&w| w) {
            let descriptor = data.read_only("function_desc".into(), 8, words(&[FIXED, CODE_OFFSET + 8, 0]), Vec::new());
            for id in info.signatures.ids().filter(|&id| wanted.functions[id]) {
                let relocations =
                    vec![absolute(0, Target::Data(descriptor)), absolute(CODE_OFFSET, Target::Function(code_id(id)))];
                data.functions[id] = Some(data.read_only(format!("value{}", id.index()), 8, vec![0; 16], relocations));
            }
        }
        for bits in wanted.floats {
            let piece = data.read_only(format!("float_{bits:016x}"), 8, bits.to_le_bytes().to_vec(), Vec::new());
            data.floats.insert(bits, piece);
        }
        if wanted.sign_mask {
            let bytes = [1u64 << 63, 0].map(u64::to_le_bytes).concat();
            data.sign_mask = Some(data.read_only("sign_mask".into(), 16, bytes, Vec::new()));
        }
        if wanted.magnitude_mask {
            let bytes = [!(1u64 << 63), 0].map(u64::to_le_bytes).concat();
            data.magnitude_mask = Some(data.read_only("magnitude_mask".into(), 16, bytes, Vec::new()));
        }
        if !info.globals.is_empty() {
            data.globals = Some(data.pieces.push(Data {
                name: "globals".into(),
                section: Section::Zeroed,
                align: 8,
                bytes: Vec::new(),
                size: 8 * info.globals.len() as u64,
                relocations: Vec::new(),
            }));
        }
        data
    }

    fn read_only(&mut self, name: String, align: u32, bytes: Vec<u8>, relocations: Vec<Relocation>) -> DataId {
        let size = bytes.len() as u64;
        self.pieces.push(Data { name, section: Section::ReadOnly, align, bytes, size, relocations })
    }

    /// The type descriptor of a layout.
    pub fn layout(&self, layout: LayoutId) -> Target {
        Target::Data(self.layouts[layout].expect("every layout of the module has a descriptor"))
    }

    /// The only object of a variant without fields.
    pub fn variant(&self, layout: LayoutId) -> Target {
        Target::Data(self.variants[layout].expect("every variant without fields has its object"))
    }

    /// The byte offset of a field in objects of a struct layout.
    pub fn field_offset(&self, layout: LayoutId, field: u32) -> u32 {
        self.offsets[layout][field as usize]
    }

    /// The object of a string literal.
    pub fn string(&self, string: StrId) -> Target {
        Target::Data(self.strings[string].expect("literals were collected from the same functions"))
    }

    /// The object that is a function's value.
    pub fn function_value(&self, func: FuncId) -> Target {
        Target::Data(self.functions[func].expect("function values were collected from the same functions"))
    }

    /// A float constant in memory; zero has none.
    pub fn float(&self, bits: u64) -> Target {
        Target::Data(self.floats[&bits])
    }

    /// A global: the area and its offset there.
    pub fn global(&self, global: GlobalId) -> (Target, i32) {
        let area = self.globals.expect("a module whose code names a global has some");
        (Target::Data(area), 8 * global.index() as i32)
    }

    /// Sixteen bytes with the sign bit of the low float set.
    pub fn sign_mask(&self) -> Target {
        Target::Data(self.sign_mask.expect("collected from the same functions"))
    }

    /// Sixteen bytes with all bits but the sign of the low float set.
    pub fn magnitude_mask(&self) -> Target {
        Target::Data(self.magnitude_mask.expect("collected from the same functions"))
    }
}

/// What the functions name.
struct Wanted {
    strings: IdVec<StrId, bool>,
    functions: IdVec<FuncId, bool>,
    /// In order of first appearance.
    floats: Vec<u64>,
    sign_mask: bool,
    magnitude_mask: bool,
}

impl Wanted {
    fn collect<'f>(info: &ModuleInfo, funcs: impl Iterator<Item = &'f Func>) -> Wanted {
        let mut wanted = Wanted {
            strings: IdVec::filled(false, info.strings.len()),
            functions: IdVec::filled(false, info.signatures.len()),
            floats: Vec::new(),
            sign_mask: false,
            magnitude_mask: false,
        };
        let mut seen: FxHashSet<u64> = FxHashSet::default();
        for func in funcs {
            for inst in func.blocks().flat_map(|b| func.insts(b)) {
                match func.imm(inst) {
                    Imm::Str(id) => wanted.strings[id] = true,
                    Imm::Float(bits) => {
                        if bits != 0 && seen.insert(bits) {
                            wanted.floats.push(bits);
                        }
                    }
                    Imm::Func(id) => wanted.functions[id] |= func.op(inst) == Op::FuncRef,
                    // Descriptors and globals are there for the whole module, the rest is no data.
                    Imm::None
                    | Imm::Int(_)
                    | Imm::Bool(_)
                    | Imm::Byte(_)
                    | Imm::Null
                    | Imm::Global(_)
                    | Imm::Layout(_)
                    | Imm::Type(_)
                    | Imm::Part(..)
                    | Imm::Builtin(_)
                    | Imm::Extern(_)
                    | Imm::Cases(_) => {}
                }
                wanted.sign_mask |= func.op(inst) == Op::Fneg;
                wanted.magnitude_mask |= func.op(inst) == Op::Fabs;
            }
        }
        wanted
    }
}

/// The bytes of a layout's type descriptor.
fn type_descriptor(layout: &Layout) -> Vec<u8> {
    match layout {
        Layout::Struct { fields, .. } => {
            let (offsets, size) = layout.offsets();
            let pointers: Vec<u32> =
                offsets.iter().zip(fields).filter(|(_, (_, ty))| *ty == Type::Ref).map(|(&offset, _)| offset).collect();
            let mut all = vec![FIXED, size, pointers.len() as u32];
            all.extend(pointers);
            words(&all)
        }
        Layout::Array { element, .. } => words(&[ARRAY, layout.stride(), u32::from(*element == Type::Ref)]),
    }
}

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|w| w.to_le_bytes()).collect()
}

fn absolute(offset: u32, target: Target) -> Relocation {
    Relocation { offset, kind: RelocationKind::Abs64, target, addend: 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mini_base::source::Pos;
    use mini_ir::func::Phase;

    #[test]
    fn descriptors_name_the_references_of_a_struct() {
        let fields = vec![
            ("b".into(), Type::Bool),
            ("next".into(), Type::Ref),
            ("n".into(), Type::Int),
            ("s".into(), Type::Ref),
        ];
        let layout = Layout::Struct { name: "Node".into(), tag: None, fields };
        assert_eq!(type_descriptor(&layout), words(&[0, 40, 2, 8, 24]));
        assert_eq!(type_descriptor(&Layout::Array { element: Type::Ref, optional: false }), words(&[1, 8, 1]));
        assert_eq!(type_descriptor(&Layout::Array { element: Type::Int, optional: true }), words(&[1, 16, 0]));
    }

    #[test]
    fn literals_have_header_length_bytes_and_nul() {
        let mut module = Module::default();
        let id = module.info.string(b"ab\0");
        module.info.string(b"never named");
        let mut func = Func::new("f", Phase::Cssa);
        let block = func.new_block("entry");
        let inst = func.create_inst(Op::Const, Imm::Str(id), &[], Pos::NONE);
        func.append_inst(block, inst);
        module.add(func);
        let data = StaticData::build(&module);
        let Target::Data(piece) = data.string(id) else { panic!("a literal is data") };
        assert_eq!(data.pieces[piece].bytes, b"\0\0\0\0\0\0\0\0\x03\0\0\0\0\0\0\0ab\0\0");
        assert_eq!(data.pieces[piece].relocations, [absolute(0, Target::Data(DataId::new(0)))]);
        assert_eq!(data.pieces.len(), 2, "the descriptor and the literal that is named");
    }
}
