//! Cold code behind the body: what traps do, and allocations whose fast path fails.

use super::Encode;
use super::insts::GENERAL_64;
use super::stream::Label;
use crate::code::Target;
use crate::mir::{Base, MInst, Mem, Operand, Reg};
use crate::regs::{INT_ARGS, PReg, SCRATCH};
use iced_x86::Code;
use mini_base::sequentialize::{Step, sequentialize};
use mini_base::source::Pos;
use smallvec::SmallVec;

/// A piece of cold code to be encoded.
pub(super) enum Stub {
    /// The call of a `trapif`.
    Trap { label: Label, inst: MInst },
    /// The slow path of an `alloc`.
    Alloc { label: Label, back: Label, descriptor: Target, pos: Pos },
}

/// Where a trap's argument is or goes.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Loc {
    Reg(PReg),
    Frame(i32),
}

impl Encode<'_> {
    pub(super) fn stub(&mut self, stub: &Stub) {
        match *stub {
            Stub::Trap { label, ref inst } => {
                self.stream.bind(label);
                self.trap_call(inst);
            }
            Stub::Alloc { label, back, descriptor, pos } => {
                self.stream.bind(label);
                self.slow_allocation(descriptor, pos);
                self.stream.branch(crate::op::Cond::Always, back);
            }
        }
    }

    /// `mini_alloc_slow` keeps all registers but its result, so the one that the descriptor goes into is kept in the scratch
    /// register meanwhile, where the collector sees it as well.
    fn slow_allocation(&mut self, descriptor: Target, pos: Pos) {
        self.move_register(SCRATCH, PReg::RDI);
        self.load_address(PReg::RDI, descriptor);
        self.stream.call(Target::Runtime("mini_alloc_slow"), pos);
        self.move_register(PReg::RDI, SCRATCH);
    }

    /// The arguments of a trap to their registers, and the call.
    pub(super) fn trap_call(&mut self, inst: &MInst) {
        let Some((&Operand::Target(target), args)) = self.mir.operands(inst).split_first() else {
            return self.undefined();
        };
        let mut copies: SmallVec<[(Loc, Loc); 4]> = SmallVec::new();
        let mut constants: SmallVec<[(PReg, i64); 4]> = SmallVec::new();
        assert!(args.len() <= INT_ARGS.len(), "traps have their arguments in registers");
        for (&arg, &to) in args.iter().zip(&INT_ARGS) {
            match arg {
                Operand::Reg(Reg::P(reg), _) => copies.push((Loc::Reg(to), Loc::Reg(reg))),
                Operand::Mem(mem) => {
                    let offset = self.frame.offset(&mem).expect("a trap's argument in memory is a spill slot");
                    copies.push((Loc::Reg(to), Loc::Frame(offset)));
                }
                Operand::Imm(value) => constants.push((to, value)),
                Operand::Reg(Reg::V(_), _) | Operand::Block(_) | Operand::Target(_) => {
                    panic!("{}: a trap's argument can't be {arg:?}", self.mir.name)
                }
            }
        }
        if copies.iter().enumerate().all(|(n, (dst, _))| copies[n + 1..].iter().all(|(_, src)| src != dst)) {
            // No copy overwrites what a later one reads: they can be done in order.
            for &(dst, src) in &copies {
                self.move_argument(dst, src);
            }
        } else {
            for step in sequentialize(&copies, |_| Some(Loc::Reg(SCRATCH))) {
                match step {
                    Step::Copy { dst, src } => self.move_argument(dst, src),
                    Step::Exchange { .. } => unreachable!("there always is a temporary"),
                }
            }
        }
        for (to, value) in constants {
            self.move_constant(to, value);
        }
        self.stream.call(target, inst.pos);
    }

    fn move_argument(&mut self, dst: Loc, src: Loc) {
        match (dst, src) {
            (Loc::Reg(dst), Loc::Reg(src)) => self.move_register(dst, src),
            (Loc::Reg(dst), Loc::Frame(offset)) => self.load_frame(dst, offset),
            (Loc::Frame(_), _) => unreachable!("destinations are registers"),
        }
    }

    fn move_register(&mut self, to: PReg, from: PReg) {
        if to != from {
            self.rr(Code::Mov_rm64_r64, GENERAL_64[to.0 as usize], GENERAL_64[from.0 as usize]);
        }
    }

    fn load_frame(&mut self, to: PReg, offset: i32) {
        let mem = Mem { base: Base::Outgoing, index: None, disp: offset };
        self.rm(Code::Mov_r64_rm64, GENERAL_64[to.0 as usize], &mem);
    }

    fn load_address(&mut self, to: PReg, target: Target) {
        let mem = Mem { base: Base::Target(target), index: None, disp: 0 };
        self.rm(Code::Lea_r64_m, GENERAL_64[to.0 as usize], &mem);
    }
}
