//! One machine operation each: which of the processor's encodings it gets.
//!
//! Where several encode the same, the one that GNU as takes is taken: `mov r/m, r` rather than `mov r, r/m`, the shortest
//! immediate, the accumulator's own form where it is shorter.

use super::Encode;
use super::stubs::Stub;
use crate::code::Target;
use crate::mir::{Base, MBlock, MInst, Mem, Operand, Reg};
use crate::op::{Cond, MOp, Size};
use crate::regs::{PReg, SCRATCH};
use iced_x86::Register::{CL, RAX, RIP, RSP};
use iced_x86::{Code, Instruction, OpKind, Register};
use mini_prim::classes::CLASS_SIZES;

/// The general registers in encoding order.
pub(super) const GENERAL_64: [Register; 16] = {
    use Register::*;
    [RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R9, R10, R11, R12, R13, R14, R15]
};
/// Their lower halves.
pub(super) const GENERAL_32: [Register; 16] = {
    use Register::*;
    [EAX, ECX, EDX, EBX, ESP, EBP, ESI, EDI, R8D, R9D, R10D, R11D, R12D, R13D, R14D, R15D]
};
/// Their low bytes.
const GENERAL_8: [Register; 16] = {
    use Register::*;
    [AL, CL, DL, BL, SPL, BPL, SIL, DIL, R8L, R9L, R10L, R11L, R12L, R13L, R14L, R15L]
};
/// The vector registers.
const VECTOR: [Register; 16] = {
    use Register::*;
    [XMM0, XMM1, XMM2, XMM3, XMM4, XMM5, XMM6, XMM7, XMM8, XMM9, XMM10, XMM11, XMM12, XMM13, XMM14, XMM15]
};

/// The encodings of an operation with two operands and immediates.
struct Binary {
    rm_r: Code,
    r_rm: Code,
    rm_imm8: Code,
    rm_imm32: Code,
    acc_imm32: Code,
}

macro_rules! binary_rows {
    ($($op:ident: $rm64_r64:ident $r64_rm64:ident $rm64_imm8:ident $rm64_imm32:ident $rax_imm32:ident, $rm32_r32:ident $r32_rm32:ident $rm32_imm8:ident $rm32_imm32:ident $eax_imm32:ident;)*) => {
        fn binary(op: MOp, size: Size) -> Binary {
            match (op, size) {
                $(
                    (MOp::$op, Size::B8) => Binary { rm_r: Code::$rm64_r64, r_rm: Code::$r64_rm64, rm_imm8: Code::$rm64_imm8, rm_imm32: Code::$rm64_imm32, acc_imm32: Code::$rax_imm32 },
                    (MOp::$op, Size::B4) => Binary { rm_r: Code::$rm32_r32, r_rm: Code::$r32_rm32, rm_imm8: Code::$rm32_imm8, rm_imm32: Code::$rm32_imm32, acc_imm32: Code::$eax_imm32 },
                )*
                _ => panic!("{} has no size {size:?}", op.info().name),
            }
        }
    };
}

binary_rows! {
    Add: Add_rm64_r64 Add_r64_rm64 Add_rm64_imm8 Add_rm64_imm32 Add_RAX_imm32, Add_rm32_r32 Add_r32_rm32 Add_rm32_imm8 Add_rm32_imm32 Add_EAX_imm32;
    Sub: Sub_rm64_r64 Sub_r64_rm64 Sub_rm64_imm8 Sub_rm64_imm32 Sub_RAX_imm32, Sub_rm32_r32 Sub_r32_rm32 Sub_rm32_imm8 Sub_rm32_imm32 Sub_EAX_imm32;
    And: And_rm64_r64 And_r64_rm64 And_rm64_imm8 And_rm64_imm32 And_RAX_imm32, And_rm32_r32 And_r32_rm32 And_rm32_imm8 And_rm32_imm32 And_EAX_imm32;
    Or: Or_rm64_r64 Or_r64_rm64 Or_rm64_imm8 Or_rm64_imm32 Or_RAX_imm32, Or_rm32_r32 Or_r32_rm32 Or_rm32_imm8 Or_rm32_imm32 Or_EAX_imm32;
    Xor: Xor_rm64_r64 Xor_r64_rm64 Xor_rm64_imm8 Xor_rm64_imm32 Xor_RAX_imm32, Xor_rm32_r32 Xor_r32_rm32 Xor_rm32_imm8 Xor_rm32_imm32 Xor_EAX_imm32;
    Cmp: Cmp_rm64_r64 Cmp_r64_rm64 Cmp_rm64_imm8 Cmp_rm64_imm32 Cmp_RAX_imm32, Cmp_rm32_r32 Cmp_r32_rm32 Cmp_rm32_imm8 Cmp_rm32_imm32 Cmp_EAX_imm32;
}

/// The register of an operand in a bank of registers.
fn reg_in(bank: &[Register; 16], reg: PReg) -> Register {
    bank[reg.encoding() as usize]
}

fn gp(size: Size) -> &'static [Register; 16] {
    match size {
        Size::B8 => &GENERAL_64,
        Size::B4 => &GENERAL_32,
        Size::B1 => &GENERAL_8,
    }
}

/// The operands of an instruction with registers.
#[derive(Clone, Copy)]
enum Arg<'o> {
    Reg(PReg),
    Mem(&'o Mem),
    Imm(i64),
}

impl Encode<'_> {
    fn arg<'o>(&self, operands: &'o [Operand], n: usize) -> Arg<'o> {
        match &operands[n] {
            Operand::Reg(Reg::P(reg), _) => Arg::Reg(*reg),
            Operand::Mem(mem) => Arg::Mem(mem),
            Operand::Imm(value) => Arg::Imm(*value),
            other => panic!("{}: {other:?} is no operand of machine code", self.mir.name),
        }
    }

    fn reg(&self, operands: &[Operand], n: usize) -> PReg {
        match operands[n] {
            Operand::Reg(Reg::P(reg), _) => reg,
            ref other => panic!("{}: {other:?} is no machine register", self.mir.name),
        }
    }

    /// Encodes an instruction that is no direct jump.
    pub(super) fn inst(&mut self, inst: &MInst) {
        let mir = self.mir;
        let operands = mir.operands(inst);
        match inst.op {
            MOp::Mov => self.mov(inst, operands),
            MOp::Movzx => {
                let to = reg_in(&GENERAL_32, self.reg(operands, 0));
                self.r_any(Code::Movzx_r32_rm8, to, &GENERAL_8, self.arg(operands, 1));
            }
            MOp::Lea => {
                let to = reg_in(&GENERAL_64, self.reg(operands, 0));
                self.r_any(Code::Lea_r64_m, to, &GENERAL_64, self.arg(operands, 1));
            }
            MOp::Add | MOp::Sub | MOp::And | MOp::Or | MOp::Xor | MOp::Cmp => self.binary(inst, operands),
            MOp::Imul => {
                let to = reg_in(&GENERAL_64, self.reg(operands, 0));
                self.r_any(Code::Imul_r64_rm64, to, &GENERAL_64, self.arg(operands, 1));
            }
            MOp::Imul3 => self.imul3(operands),
            MOp::Neg => self.unary(Code::Neg_rm64, operands, 0),
            MOp::Not => self.unary(Code::Not_rm64, operands, 0),
            MOp::Shl => self.shift(operands, [Code::Shl_rm64_1, Code::Shl_rm64_imm8, Code::Shl_rm64_CL]),
            MOp::Sar => self.shift(operands, [Code::Sar_rm64_1, Code::Sar_rm64_imm8, Code::Sar_rm64_CL]),
            MOp::Shr => self.shift(operands, [Code::Shr_rm64_1, Code::Shr_rm64_imm8, Code::Shr_rm64_CL]),
            MOp::Cqo => self.plain(Code::Cqo),
            MOp::Idiv => self.unary(Code::Idiv_rm64, operands, 2),
            MOp::Test => self.test(inst, operands),
            MOp::Set => {
                let to = self.reg(operands, 0);
                self.stream.inst(&with_reg(set_code(inst.cond), reg_in(&GENERAL_8, to)));
                self.rr(Code::Movzx_r32_rm8, reg_in(&GENERAL_32, to), reg_in(&GENERAL_8, to));
            }
            MOp::Cmov => {
                let to = reg_in(&GENERAL_64, self.reg(operands, 0));
                self.r_any(cmov_code(inst.cond), to, &GENERAL_64, self.arg(operands, 1));
            }
            MOp::Movsd => match (self.arg(operands, 0), self.arg(operands, 1)) {
                (Arg::Reg(to), Arg::Reg(from)) => {
                    self.rr(Code::Movaps_xmm_xmmm128, reg_in(&VECTOR, to), reg_in(&VECTOR, from))
                }
                (Arg::Reg(to), Arg::Mem(mem)) => self.rm(Code::Movsd_xmm_xmmm64, reg_in(&VECTOR, to), mem),
                (Arg::Mem(mem), Arg::Reg(from)) => self.mr(Code::Movsd_xmmm64_xmm, mem, reg_in(&VECTOR, from)),
                _ => self.no_form(inst),
            },
            MOp::Movq => {
                let (to, from) = (self.reg(operands, 0), self.reg(operands, 1));
                if to.0 < 16 {
                    self.rr(Code::Movq_rm64_xmm, reg_in(&GENERAL_64, to), reg_in(&VECTOR, from));
                } else {
                    self.rr(Code::Movq_xmm_rm64, reg_in(&VECTOR, to), reg_in(&GENERAL_64, from));
                }
            }
            MOp::Fzero => {
                let reg = reg_in(&VECTOR, self.reg(operands, 0));
                self.rr(Code::Xorps_xmm_xmmm128, reg, reg);
            }
            MOp::Addsd => self.float(Code::Addsd_xmm_xmmm64, operands),
            MOp::Subsd => self.float(Code::Subsd_xmm_xmmm64, operands),
            MOp::Mulsd => self.float(Code::Mulsd_xmm_xmmm64, operands),
            MOp::Divsd => self.float(Code::Divsd_xmm_xmmm64, operands),
            MOp::Minsd => self.float(Code::Minsd_xmm_xmmm64, operands),
            MOp::Maxsd => self.float(Code::Maxsd_xmm_xmmm64, operands),
            MOp::Sqrtsd => self.float(Code::Sqrtsd_xmm_xmmm64, operands),
            MOp::Andpd => self.float(Code::Andpd_xmm_xmmm128, operands),
            MOp::Xorpd => self.float(Code::Xorpd_xmm_xmmm128, operands),
            MOp::Ucomisd => self.float(Code::Ucomisd_xmm_xmmm64, operands),
            MOp::Roundsd => self.roundsd(operands),
            MOp::Cvtsi2sd => {
                let to = reg_in(&VECTOR, self.reg(operands, 0));
                self.r_any(Code::Cvtsi2sd_xmm_rm64, to, &GENERAL_64, self.arg(operands, 1));
            }
            MOp::Cvttsd2si => {
                let to = reg_in(&GENERAL_64, self.reg(operands, 0));
                self.r_any(Code::Cvttsd2si_r64_xmmm64, to, &VECTOR, self.arg(operands, 1));
            }
            MOp::JumpTable => self.jump_table(operands),
            MOp::Call => match operands.first() {
                Some(&Operand::Target(target)) => self.stream.call(target, inst.pos),
                _ => self.no_form(inst),
            },
            MOp::CallReg => {
                self.unary(Code::Call_rm64, operands, 0);
                self.stream.site(inst.pos);
            }
            MOp::Keep => {}
            MOp::Ret => {
                self.epilogue();
                self.plain(Code::Retnq);
            }
            MOp::TrapIf => {
                let label = self.stream.new_label();
                self.stream.branch(inst.cond, label);
                self.stubs.push(Stub::Trap { label, inst: *inst });
            }
            MOp::Trap => self.trap_call(inst),
            MOp::Alloc => self.alloc(inst, operands),
            MOp::Jmp | MOp::Jcc | MOp::ParallelCopy => self.no_form(inst),
        }
    }

    #[cold]
    fn no_form(&self, inst: &MInst) {
        panic!("{}: {} has no encoding with {:?}", self.mir.name, inst.op.info().name, self.mir.operands(inst))
    }

    // ---- General instructions ----

    fn mov(&mut self, inst: &MInst, operands: &[Operand]) {
        let (rm_r, r_rm, rm_imm) = match inst.size {
            Size::B8 => (Code::Mov_rm64_r64, Code::Mov_r64_rm64, Code::Mov_rm64_imm32),
            Size::B4 => (Code::Mov_rm32_r32, Code::Mov_r32_rm32, Code::Mov_rm32_imm32),
            Size::B1 => (Code::Mov_rm8_r8, Code::Mov_r8_rm8, Code::Mov_rm8_imm8),
        };
        let bank = gp(inst.size);
        match (self.arg(operands, 0), self.arg(operands, 1)) {
            (Arg::Reg(to), Arg::Reg(from)) => self.rr(rm_r, reg_in(bank, to), reg_in(bank, from)),
            (Arg::Reg(to), Arg::Mem(mem)) => self.rm(r_rm, reg_in(bank, to), mem),
            (Arg::Reg(to), Arg::Imm(value)) => self.move_constant(to, value),
            (Arg::Mem(mem), Arg::Reg(from)) => self.mr(rm_r, mem, reg_in(bank, from)),
            (Arg::Mem(mem), Arg::Imm(value)) => {
                let mut out = Instruction::default();
                out.set_code(rm_imm);
                put_immediate(&mut out, 1, inst.size, value);
                self.with_mem(out, 0, mem);
            }
            _ => self.no_form(inst),
        }
    }

    /// The shortest `mov` of a constant; never `xor`, since flags may be waiting for their reader.
    pub(super) fn move_constant(&mut self, to: PReg, value: i64) {
        let mut out = Instruction::default();
        if let Ok(value) = u32::try_from(value) {
            out.set_code(Code::Mov_r32_imm32);
            out.set_op0_register(reg_in(&GENERAL_32, to));
            out.set_op1_kind(OpKind::Immediate32);
            out.set_immediate32(value);
        } else if i32::try_from(value).is_ok() {
            out.set_code(Code::Mov_rm64_imm32);
            out.set_op0_register(reg_in(&GENERAL_64, to));
            out.set_op1_kind(OpKind::Immediate32to64);
            out.set_immediate32to64(value);
        } else {
            out.set_code(Code::Mov_r64_imm64);
            out.set_op0_register(reg_in(&GENERAL_64, to));
            out.set_op1_kind(OpKind::Immediate64);
            out.set_immediate64(value as u64);
        }
        self.stream.inst(&out);
    }

    fn binary(&mut self, inst: &MInst, operands: &[Operand]) {
        let codes = binary(inst.op, inst.size);
        let bank = gp(inst.size);
        match (self.arg(operands, 0), self.arg(operands, 1)) {
            (Arg::Reg(a), Arg::Reg(b)) => self.rr(codes.rm_r, reg_in(bank, a), reg_in(bank, b)),
            (Arg::Reg(a), Arg::Mem(mem)) => self.rm(codes.r_rm, reg_in(bank, a), mem),
            (Arg::Mem(mem), Arg::Reg(b)) => self.mr(codes.rm_r, mem, reg_in(bank, b)),
            (a, Arg::Imm(value)) => {
                let mut out = Instruction::default();
                let short = i8::try_from(value).is_ok();
                let code = match a {
                    _ if short => codes.rm_imm8,
                    Arg::Reg(PReg::RAX) => codes.acc_imm32,
                    _ => codes.rm_imm32,
                };
                out.set_code(code);
                put_signed(&mut out, inst.size, value, short);
                match a {
                    Arg::Reg(a) => {
                        out.set_op0_register(reg_in(bank, a));
                        self.stream.inst(&out);
                    }
                    Arg::Mem(mem) => self.with_mem(out, 0, mem),
                    Arg::Imm(_) => self.no_form(inst),
                }
            }
            _ => self.no_form(inst),
        }
    }

    fn test(&mut self, inst: &MInst, operands: &[Operand]) {
        let (code, rm_imm, acc_imm) = match inst.size {
            Size::B8 => (Code::Test_rm64_r64, Code::Test_rm64_imm32, Code::Test_RAX_imm32),
            Size::B4 => (Code::Test_rm32_r32, Code::Test_rm32_imm32, Code::Test_EAX_imm32),
            Size::B1 => return self.no_form(inst),
        };
        let bank = gp(inst.size);
        match (self.arg(operands, 0), self.arg(operands, 1)) {
            (Arg::Reg(a), Arg::Reg(b)) => self.rr(code, reg_in(bank, a), reg_in(bank, b)),
            (Arg::Mem(mem), Arg::Reg(b)) => self.mr(code, mem, reg_in(bank, b)),
            (Arg::Reg(a), Arg::Imm(value)) => {
                let mut out = with_reg(if a == PReg::RAX { acc_imm } else { rm_imm }, reg_in(bank, a));
                put_signed(&mut out, inst.size, value, false);
                self.stream.inst(&out);
            }
            (Arg::Mem(mem), Arg::Imm(value)) => {
                let mut out = Instruction::default();
                out.set_code(rm_imm);
                put_signed(&mut out, inst.size, value, false);
                self.with_mem(out, 0, mem);
            }
            _ => self.no_form(inst),
        }
    }

    fn imul3(&mut self, operands: &[Operand]) {
        let Arg::Imm(value) = self.arg(operands, 2) else { panic!("{}: imul3 without a constant", self.mir.name) };
        let short = i8::try_from(value).is_ok();
        let mut out = Instruction::default();
        out.set_code(if short { Code::Imul_r64_rm64_imm8 } else { Code::Imul_r64_rm64_imm32 });
        out.set_op0_register(reg_in(&GENERAL_64, self.reg(operands, 0)));
        if short {
            out.set_op2_kind(OpKind::Immediate8to64);
            out.set_immediate8to64(value);
        } else {
            out.set_op2_kind(OpKind::Immediate32to64);
            out.set_immediate32to64(value);
        }
        match self.arg(operands, 1) {
            Arg::Reg(from) => {
                out.set_op1_register(reg_in(&GENERAL_64, from));
                self.stream.inst(&out);
            }
            Arg::Mem(mem) => self.with_mem(out, 1, mem),
            Arg::Imm(_) => panic!("{}: imul3 of a constant", self.mir.name),
        }
    }

    /// By one, by a constant, by cl.
    fn shift(&mut self, operands: &[Operand], [by_one, by_constant, by_cl]: [Code; 3]) {
        let mut out = Instruction::default();
        match self.arg(operands, 1) {
            Arg::Imm(1) => {
                out.set_code(by_one);
                out.set_op1_kind(OpKind::Immediate8);
                out.set_immediate8(1);
            }
            Arg::Imm(n) => {
                out.set_code(by_constant);
                out.set_op1_kind(OpKind::Immediate8);
                out.set_immediate8(n as u8);
            }
            Arg::Reg(_) => {
                out.set_code(by_cl);
                out.set_op1_register(CL);
            }
            Arg::Mem(_) => panic!("{}: a shift's count is in cl", self.mir.name),
        }
        match self.arg(operands, 0) {
            Arg::Reg(reg) => {
                out.set_op0_register(reg_in(&GENERAL_64, reg));
                self.stream.inst(&out);
            }
            Arg::Mem(mem) => self.with_mem(out, 0, mem),
            Arg::Imm(_) => panic!("{}: a shift of a constant", self.mir.name),
        }
    }

    fn unary(&mut self, code: Code, operands: &[Operand], n: usize) {
        match self.arg(operands, n) {
            Arg::Reg(reg) => self.stream.inst(&with_reg(code, reg_in(&GENERAL_64, reg))),
            Arg::Mem(mem) => {
                let mut out = Instruction::default();
                out.set_code(code);
                self.with_mem(out, 0, mem);
            }
            Arg::Imm(_) => panic!("{}: {code:?} of a constant", self.mir.name),
        }
    }

    fn float(&mut self, code: Code, operands: &[Operand]) {
        let to = reg_in(&VECTOR, self.reg(operands, 0));
        self.r_any(code, to, &VECTOR, self.arg(operands, 1));
    }

    fn roundsd(&mut self, operands: &[Operand]) {
        let Arg::Imm(mode) = self.arg(operands, 2) else { panic!("{}: roundsd without a mode", self.mir.name) };
        let mut out = Instruction::default();
        out.set_code(Code::Roundsd_xmm_xmmm64_imm8);
        out.set_op0_register(reg_in(&VECTOR, self.reg(operands, 0)));
        out.set_op2_kind(OpKind::Immediate8);
        out.set_immediate8(mode as u8);
        match self.arg(operands, 1) {
            Arg::Reg(from) => {
                out.set_op1_register(reg_in(&VECTOR, from));
                self.stream.inst(&out);
            }
            Arg::Mem(mem) => self.with_mem(out, 1, mem),
            Arg::Imm(_) => panic!("{}: roundsd of a constant", self.mir.name),
        }
    }

    // ---- Pseudo-instructions ----

    /// `lea t, [table]; movsxd r11, [t + 4 * index]; add t, r11; jmp t`
    fn jump_table(&mut self, operands: &[Operand]) {
        let (index, temp) = (self.reg(operands, 0), self.reg(operands, 1));
        let blocks: Vec<MBlock> = operands[2..]
            .iter()
            .map(|o| match o {
                Operand::Block(block) => *block,
                other => panic!("{}: {other:?} in a jump table", self.mir.name),
            })
            .collect();
        let table = self.stream.new_label();
        let mut lea = with_reg(Code::Lea_r64_m, reg_in(&GENERAL_64, temp));
        lea.set_op1_kind(OpKind::Memory);
        lea.set_memory_base(RIP);
        lea.set_memory_displ_size(8);
        self.stream.inst_with_label(&lea, table);
        let entry = Mem { base: Base::Reg(Reg::P(temp)), index: Some((Reg::P(index), 4)), disp: 0 };
        self.rm(Code::Movsxd_r64_rm32, reg_in(&GENERAL_64, SCRATCH), &entry);
        self.rr(Code::Add_rm64_r64, reg_in(&GENERAL_64, temp), reg_in(&GENERAL_64, SCRATCH));
        self.stream.inst(&with_reg(Code::Jmp_rm64, reg_in(&GENERAL_64, temp)));
        self.tables.push((table, blocks));
    }

    /// See `mini_prim::classes` for the sequence. The result comes in rax, rcx is the temporary.
    fn alloc(&mut self, inst: &MInst, operands: &[Operand]) {
        let &[
            Operand::Reg(Reg::P(object), _),
            Operand::Reg(Reg::P(temp), _),
            Operand::Target(descriptor),
            Operand::Imm(class),
        ] = operands
        else {
            return self.no_form(inst);
        };
        assert!(object == PReg::RAX && temp == PReg::RCX, "the slow path changes rax and rcx only");
        let (object, temp) = (reg_in(&GENERAL_64, object), reg_in(&GENERAL_64, temp));
        let window = |part| Mem {
            base: Base::Target(Target::Runtime("mini_alloc_table")),
            index: None,
            disp: 16 * class as i32 + part,
        };
        let (slow, back) = (self.stream.new_label(), self.stream.new_label());
        self.rm(Code::Mov_r64_rm64, object, &window(0));
        let end = Mem { base: Base::Reg(Reg::P(PReg::RAX)), index: None, disp: CLASS_SIZES[class as usize] as i32 };
        self.rm(Code::Lea_r64_m, temp, &end);
        self.rm(Code::Cmp_r64_rm64, temp, &window(8));
        self.stream.branch(Cond::A, slow);
        self.mr(Code::Mov_rm64_r64, &window(0), temp);
        self.rm(Code::Lea_r64_m, temp, &Mem { base: Base::Target(descriptor), index: None, disp: 0 });
        self.mr(Code::Mov_rm64_r64, &Mem { base: Base::Reg(Reg::P(PReg::RAX)), index: None, disp: 0 }, temp);
        self.stream.bind(back);
        self.stubs.push(Stub::Alloc { label: slow, back, descriptor, pos: inst.pos });
    }

    // ---- Frame ----

    pub(super) fn push(&mut self, reg: PReg) {
        self.stream.inst(&with_reg(Code::Push_r64, reg_in(&GENERAL_64, reg)));
    }

    pub(super) fn pop(&mut self, reg: PReg) {
        self.stream.inst(&with_reg(Code::Pop_r64, reg_in(&GENERAL_64, reg)));
    }

    /// `sub rsp, -by` or `add rsp, by`
    pub(super) fn move_stack_pointer(&mut self, by: i32) {
        let codes = binary(if by < 0 { MOp::Sub } else { MOp::Add }, Size::B8);
        let value = i64::from(by).abs();
        let short = i8::try_from(value).is_ok();
        let mut out = with_reg(if short { codes.rm_imm8 } else { codes.rm_imm32 }, RSP);
        put_signed(&mut out, Size::B8, value, short);
        self.stream.inst(&out);
    }

    /// `test [rsp], rax`: reads the page.
    pub(super) fn touch_stack(&mut self) {
        let top = Mem { base: Base::Outgoing, index: None, disp: 0 };
        self.mr(Code::Test_rm64_r64, &top, RAX);
    }

    /// `ud2`
    pub(super) fn undefined(&mut self) {
        self.plain(Code::Ud2);
    }

    // ---- Forms ----

    fn plain(&mut self, code: Code) {
        let mut out = Instruction::default();
        out.set_code(code);
        self.stream.inst(&out);
    }

    pub(super) fn rr(&mut self, code: Code, a: Register, b: Register) {
        let mut out = with_reg(code, a);
        out.set_op1_register(b);
        self.stream.inst(&out);
    }

    pub(super) fn rm(&mut self, code: Code, a: Register, mem: &Mem) {
        self.with_mem(with_reg(code, a), 1, mem);
    }

    fn mr(&mut self, code: Code, mem: &Mem, b: Register) {
        let mut out = Instruction::default();
        out.set_code(code);
        out.set_op1_register(b);
        self.with_mem(out, 0, mem);
    }

    /// A register, then a register of a bank or memory.
    fn r_any(&mut self, code: Code, a: Register, bank: &[Register; 16], b: Arg<'_>) {
        match b {
            Arg::Reg(b) => self.rr(code, a, reg_in(bank, b)),
            Arg::Mem(mem) => self.rm(code, a, mem),
            Arg::Imm(value) => panic!("{}: {code:?} of the constant {value}", self.mir.name),
        }
    }

    fn with_mem(&mut self, mut out: Instruction, n: u32, mem: &Mem) {
        out.set_op_kind(n, OpKind::Memory);
        if let Base::Target(target) = mem.base {
            out.set_memory_base(RIP);
            out.set_memory_displ_size(8);
            return self.stream.inst_with_target(&out, target, mem.disp);
        }
        let disp = match self.frame.offset(mem) {
            Some(offset) => {
                out.set_memory_base(RSP);
                offset
            }
            None => {
                if let Base::Reg(Reg::P(base)) = mem.base {
                    out.set_memory_base(reg_in(&GENERAL_64, base));
                }
                mem.disp
            }
        };
        if let Some((Reg::P(index), scale)) = mem.index {
            out.set_memory_index(reg_in(&GENERAL_64, index));
            out.set_memory_index_scale(u32::from(scale));
        }
        let without_base = mem.base == Base::None;
        out.set_memory_displ_size(if without_base { 8 } else { u32::from(disp != 0) });
        out.set_memory_displacement64(i64::from(disp) as u64);
        self.stream.inst(&out);
    }
}

fn with_reg(code: Code, reg: Register) -> Instruction {
    let mut out = Instruction::default();
    out.set_code(code);
    out.set_op0_register(reg);
    out
}

/// A sign-extended immediate as the second operand.
fn put_signed(out: &mut Instruction, size: Size, value: i64, short: bool) {
    match (size, short) {
        (Size::B8, true) => {
            out.set_op1_kind(OpKind::Immediate8to64);
            out.set_immediate8to64(value);
        }
        (Size::B8, false) => {
            out.set_op1_kind(OpKind::Immediate32to64);
            out.set_immediate32to64(value);
        }
        (_, true) => {
            out.set_op1_kind(OpKind::Immediate8to32);
            out.set_immediate8to32(value as i32);
        }
        (_, false) => {
            out.set_op1_kind(OpKind::Immediate32);
            out.set_immediate32(value as u32);
        }
    }
}

/// The immediate of a store.
fn put_immediate(out: &mut Instruction, n: u32, size: Size, value: i64) {
    match size {
        Size::B8 => {
            out.set_op_kind(n, OpKind::Immediate32to64);
            out.set_immediate32to64(value);
        }
        Size::B4 => {
            out.set_op_kind(n, OpKind::Immediate32);
            out.set_immediate32(value as u32);
        }
        Size::B1 => {
            out.set_op_kind(n, OpKind::Immediate8);
            out.set_immediate8(value as u8);
        }
    }
}

macro_rules! conditional {
    ($name:ident, $($cond:ident => $code:ident),*) => {
        fn $name(cond: Cond) -> Code {
            match cond {
                $(Cond::$cond => Code::$code,)*
                Cond::Always => panic!("an instruction that reads the flags has a condition"),
            }
        }
    };
}

conditional!(
    set_code, E => Sete_rm8, Ne => Setne_rm8, L => Setl_rm8, Le => Setle_rm8, G => Setg_rm8, Ge => Setge_rm8, B => Setb_rm8,
    Be => Setbe_rm8, A => Seta_rm8, Ae => Setae_rm8, P => Setp_rm8, Np => Setnp_rm8, S => Sets_rm8, Ns => Setns_rm8,
    O => Seto_rm8, No => Setno_rm8
);
conditional!(
    cmov_code, E => Cmove_r64_rm64, Ne => Cmovne_r64_rm64, L => Cmovl_r64_rm64, Le => Cmovle_r64_rm64, G => Cmovg_r64_rm64,
    Ge => Cmovge_r64_rm64, B => Cmovb_r64_rm64, Be => Cmovbe_r64_rm64, A => Cmova_r64_rm64, Ae => Cmovae_r64_rm64,
    P => Cmovp_r64_rm64, Np => Cmovnp_r64_rm64, S => Cmovs_r64_rm64, Ns => Cmovns_r64_rm64, O => Cmovo_r64_rm64,
    No => Cmovno_r64_rm64
);
