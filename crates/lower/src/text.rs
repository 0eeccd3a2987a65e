//! `print` and `string(x)`.
//!
//! Scalars and strings are written at once. Everything else is first built as a text: the run-time library keeps a stack of
//! texts being built, and a hidden function per array or enum type (`text [int]`) appends the elements or the variant's name.

use crate::body::{BodyLowering, Val, Variable};
use crate::repr::Repr;
use mini_base::source::Pos;
use mini_ir::builtin::Builtin;
use mini_ir::func::{Block, Imm};
use mini_ir::op::Op;
use mini_ir::types::Type;
use mini_sema::typed::{FnRef, NullTest};
use mini_sema::types::{Ty, TyKind};
use std::sync::Arc;

/// Whether strings are put in quotes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Quotes {
    /// Plain.
    No,
    /// As inside arrays.
    Yes,
}

impl<'m, 'p> BodyLowering<'m, 'p> {
    /// Writes the values to stdout, with `separator` between them. They are all evaluated; texts are built before
    /// anything is written.
    pub(crate) fn print_values(&mut self, vals: &[(Val, Ty)], separator: &[u8], pos: Pos) {
        let ready: Vec<(Val, Ty)> = vals
            .iter()
            .map(|&(val, ty)| {
                if self.is_written_directly(ty) {
                    (val, ty)
                } else {
                    let string = self.module.program.types.string;
                    (self.text_of(val, ty, pos), string)
                }
            })
            .collect();
        for (position, &(val, ty)) in ready.iter().enumerate() {
            if position > 0 {
                self.write_chars(separator, pos);
            }
            let Some(value) = val.values().next() else {
                continue;
            };
            let function = match self.module.program.types.kind(ty) {
                TyKind::Int => Builtin::out_int,
                TyKind::Float => Builtin::out_float,
                TyKind::Bool => Builtin::out_bool,
                TyKind::Byte => Builtin::out_byte,
                _ => Builtin::out_string,
            };
            self.builtin(function, &[value], pos);
        }
    }

    /// Writes raw bytes to stdout.
    pub(crate) fn write_chars(&mut self, bytes: &[u8], pos: Pos) {
        for &byte in bytes {
            let byte = self.byte(byte);
            self.builtin(Builtin::out_char, &[byte], pos);
        }
    }

    /// Writes the values to stderr as `print` does.
    pub(crate) fn eprint_values(&mut self, vals: &[(Val, Ty)], pos: Pos) {
        self.builtin(Builtin::text_begin, &[], pos);
        for (position, &(val, ty)) in vals.iter().enumerate() {
            if position > 0 {
                self.append_bytes(b" ", pos);
            }
            self.append(val, ty, Quotes::No, pos);
        }
        self.append_bytes(b"\n", pos);
        let text = self.builtin1(Builtin::text_end, &[], pos);
        self.builtin(Builtin::err_string, &[text], pos);
    }

    fn is_written_directly(&self, ty: Ty) -> bool {
        matches!(
            self.module.program.types.kind(ty),
            TyKind::Int | TyKind::Float | TyKind::Bool | TyKind::Byte | TyKind::String
        )
    }

    /// `string(x)`
    pub(crate) fn text_of(&mut self, val: Val, ty: Ty, pos: Pos) -> Val {
        let Some(first) = val.values().next() else {
            return Val::None;
        };
        if let Some(show) = self.show_method(ty) {
            return self.call_function(&show, &[val], self.module.program.types.string, pos);
        }
        Val::One(match self.module.program.types.kind(ty) {
            TyKind::String => first,
            TyKind::Int => self.builtin1(Builtin::string_of_int, &[first], pos),
            TyKind::Float => self.builtin1(Builtin::string_of_float, &[first], pos),
            TyKind::Byte => {
                let value = self.op(Op::ByteToInt, &[first], Type::Int);
                self.builtin1(Builtin::string_of_int, &[value], pos)
            }
            TyKind::Bool => {
                let (yes, no) = (self.string(b"true"), self.string(b"false"));
                self.op(Op::Select, &[first, yes, no], Type::Ref)
            }
            _ => {
                self.builtin(Builtin::text_begin, &[], pos);
                self.append(val, ty, Quotes::No, pos);
                self.builtin1(Builtin::text_end, &[], pos)
            }
        })
    }

    /// Appends a value's text to the text being built.
    fn append(&mut self, val: Val, ty: Ty, quotes: Quotes, pos: Pos) {
        let Some(first) = val.values().next() else {
            return;
        };
        let program = self.module.program;
        if let Some(show) = self.show_method(ty) {
            let text = self.call_function(&show, &[val], program.types.string, pos);
            self.builtin(Builtin::text_string, &[text.one()], pos);
            return;
        }
        let function = match program.types.kind(ty) {
            TyKind::Int => Builtin::text_int,
            TyKind::Float => Builtin::text_float,
            TyKind::Bool => Builtin::text_bool,
            TyKind::Byte => Builtin::text_byte,
            TyKind::String if quotes == Quotes::Yes => Builtin::text_quoted,
            TyKind::String => Builtin::text_string,
            TyKind::Optional(inner) => {
                let present = self.null_test(NullTest::IsNotNull, val);
                let [some, none, done] = ["some", "none", "done"].map(|l| self.new_block(l));
                self.branch(present, some, none);
                self.start(some);
                self.append(crate::expr::payload(val), *inner, quotes, pos);
                self.jump(done);
                self.start(none);
                self.append_bytes(b"null", pos);
                self.fall_into(done);
                return;
            }
            TyKind::Array(_) | TyKind::Enum(..) => {
                let id = self.module.text_function(ty);
                self.emit(Op::Call, Imm::Func(id), &[first], &[], pos);
                return;
            }
            _ => unreachable!("the checker wants Show"),
        };
        self.builtin(function, &[first], pos);
    }

    /// The method `show` of a struct or enum.
    fn show_method(&self, ty: Ty) -> Option<FnRef> {
        let program = self.module.program;
        let (function, args) = match program.types.kind(ty) {
            TyKind::Struct(id, args) => (program.structs[*id].show, args),
            TyKind::Enum(id, args) => (program.enums[*id].show, args),
            _ => return None, // only declared types have methods
        };
        function.map(|function| FnRef { function, type_args: args.clone() })
    }

    fn append_bytes(&mut self, bytes: &[u8], pos: Pos) {
        let text = self.string(bytes);
        self.builtin(Builtin::text_string, &[text], pos);
    }

    /// The body of the function that appends the name of an enum's variant.
    pub(crate) fn enum_text_body(&mut self, variants: &[(Arc<str>, Vec<Ty>)]) {
        let Variable::One(index) = self.new_variable("variant", Repr::One(Type::Int)) else {
            unreachable!("an int is one value")
        };
        self.func.add_func_param(index);
        let blocks: Vec<Block> = variants.iter().map(|_| self.new_block("variant")).collect();
        // The last variant is the default; an enum without variants has no values and no text.
        let Some((_, cases)) = blocks.split_last() else {
            return self.terminate(Op::Unreachable, &[], &[], Pos::NONE);
        };
        self.switch(index, (0..cases.len() as i64).collect(), &blocks);
        for (&block, (name, _)) in blocks.iter().zip(variants) {
            self.start(block);
            self.append_bytes(name.as_bytes(), Pos::NONE);
            self.terminate(Op::Return, &[], &[], Pos::NONE);
        }
    }

    /// The body of the function that appends an array's text: `[a, b, c]`.
    pub(crate) fn array_text_body(&mut self, array_ty: Ty) {
        let element = self.element_type(array_ty);
        let Variable::One(array) = self.new_variable("array", Repr::One(Type::Ref)) else {
            unreachable!("a reference is one value")
        };
        self.func.add_func_param(array);
        self.append_bytes(b"[", Pos::NONE);
        let length = self.op(Op::Length, &[array], Type::Int);
        self.count_up(
            None,
            |_| length,
            |lowering, index| {
                let [comma, item] = ["comma", "item"].map(|l| lowering.new_block(l));
                let zero = lowering.int(0);
                let first = lowering.op(Op::Eq, &[index, zero], Type::Bool);
                lowering.branch(first, item, comma);
                lowering.start(comma);
                lowering.append_bytes(b", ", Pos::NONE);
                lowering.fall_into(item);
                let val = lowering.load_element(array, index, array_ty, Pos::NONE);
                lowering.append(val, element, Quotes::Yes, Pos::NONE);
            },
        );
        self.append_bytes(b"]", Pos::NONE);
        self.terminate(Op::Return, &[], &[], Pos::NONE);
    }
}
