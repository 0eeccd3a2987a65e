//! Machine code: a function with registers becomes bytes, relocations and call sites.
//!
//! *In:* a [`Mir`] without virtual registers and parallel copies. *Out:* [`Code`]. *Cost:* linear, apart from the rounds of
//! branch relaxation, of which there are few.
//! *Source:* iced-x86 encodes the instructions. Branches: start short, grow those that don't reach, until all do (T. Szymanski,
//! Assembling Code for Machines with Span-Dependent Instructions, 1978). What an assembler for the printed text would choose
//! is chosen here too, so that `asm_text` assembles to the same bytes.
//! *Leaves:* instruction selection's choices as they are.
//!
//! Traps' arguments and calls, and the slow paths of allocations, stand behind the body. While the body is encoded, branches
//! are left out of the byte stream and noted; `relax` puts them in.

mod insts; // one machine operation each
mod stubs; // cold code: traps, slow allocations
mod stream; // bytes, labels, branches, relocations on the way
mod relax; // branch sizes, final bytes

use crate::code::Code;
use crate::fallthrough::{Plan, plan};
use crate::frame::{Frame, PAGE};
use crate::mir::{MBlock, MInst, Mir, Operand};
use crate::op::{Cond, MOp};
use crate::regs::PReg;
use mini_base::ids::Id;
use stream::{Label, Stream};
use stubs::Stub;

/// Encodes a function. Panics if a virtual register or a parallel copy is left, or operands are none that the machine
/// has; `mir_verify` says which.
pub fn encode(mir: &Mir) -> Code {
    let mut encode = Encode {
        mir,
        frame: Frame::new(mir),
        plan: plan(mir),
        stream: Stream::new(mir.blocks.len()),
        stubs: Vec::new(),
        tables: Vec::new(),
    };
    encode.prologue();
    encode.body();
    encode.cold();
    let frame_size = encode.frame.size;
    let mut code = encode.stream.finish();
    code.name = mir.name.to_string();
    code.hidden = mir.hidden;
    code.frame_size = frame_size;
    code
}

struct Encode<'m> {
    mir: &'m Mir,
    frame: Frame,
    plan: Plan,
    stream: Stream,
    stubs: Vec<Stub>,
    /// Jump tables, laid out behind everything.
    tables: Vec<(Label, Vec<MBlock>)>,
}

impl Encode<'_> {
    /// Saves registers, then makes room, touching each page on the way down so that the guard region can't be jumped over.
    fn prologue(&mut self) {
        for reg in self.frame.saved.iter() {
            self.push(reg);
        }
        let mut rest = self.frame.local;
        while rest >= PAGE {
            self.move_stack_pointer(-(PAGE as i32));
            self.touch_stack();
            rest -= PAGE;
        }
        if rest > 0 {
            self.move_stack_pointer(-(rest as i32));
        }
    }

    pub(crate) fn epilogue(&mut self) {
        if self.frame.local > 0 {
            self.move_stack_pointer(self.frame.local as i32);
        }
        let saved: smallvec::SmallVec<[PReg; 6]> = self.frame.saved.iter().collect();
        for &reg in saved.iter().rev() {
            self.pop(reg);
        }
    }

    fn body(&mut self) {
        let order = std::mem::take(&mut self.plan.order);
        for (rank, &block) in order.iter().enumerate() {
            self.stream.bind(Label::block(block));
            let next = order.get(rank + 1).copied();
            let insts = &self.mir.blocks[block].insts;
            let mut index = 0;
            while let Some(inst) = insts.get(index) {
                index += 1;
                match inst.op {
                    MOp::Jcc => {
                        let yes = self.target(inst);
                        // A branch to the next block, then a jump: the opposite branch alone.
                        if let Some(jump) = insts.get(index).filter(|i| i.op == MOp::Jmp)
                            && Some(yes) == next
                        {
                            let no = self.target(jump);
                            if no != yes {
                                self.stream.branch(inst.cond.inverse(), Label::block(no));
                            }
                            index += 1;
                        } else {
                            self.stream.branch(inst.cond, Label::block(yes));
                        }
                    }
                    MOp::Jmp => {
                        let to = self.target(inst);
                        if Some(to) != next {
                            self.stream.branch(Cond::Always, Label::block(to));
                        }
                    }
                    _ => self.inst(inst),
                }
            }
        }
    }

    /// Where a jump leads.
    fn target(&self, inst: &MInst) -> MBlock {
        match self.mir.operands(inst) {
            [Operand::Block(block)] => self.plan.target[*block],
            other => panic!("{}: a jump with operands {other:?}", self.mir.name),
        }
    }

    fn cold(&mut self) {
        for stub in std::mem::take(&mut self.stubs) {
            self.stub(&stub);
        }
        // A return address behind the last instruction would belong to the function that follows.
        if self.stream.ends_in_call() {
            self.undefined();
        }
        for (label, blocks) in std::mem::take(&mut self.tables) {
            self.stream.table(label, blocks.iter().map(|&b| Label::block(self.plan.target[b])));
        }
    }
}

impl Label {
    /// The label of a block.
    fn block(block: MBlock) -> Label {
        Label::new(block.index())
    }
}
