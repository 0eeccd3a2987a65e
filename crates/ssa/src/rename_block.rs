//! Renaming the occurrences of variables in one block: what all renamings do alike.
//!
//! Every assignment makes a new version, every read becomes the version that reaches it. How that one is found is all in which
//! `rename_stacks`, `reaching_def` and `braun` differ: it is their [`Versions`].
//!
//! *In:* a block of TAC, the places of the phis. *Out:* the block in SSA, with arguments for the phis of its successors. *Keeps:*
//! temporaries, instructions and their order.
//! *Cost:* O(instructions + phis and arguments), and that of `Versions`.
//! *Source:* R. Cytron et al., Efficiently Computing Static Single Assignment Form and the Control Dependence Graph, 1991,
//! section 5.2 (figure 12, the loops of SEARCH). Where theirs counts versions in C(V), `Func` does.
//! *Leaves:* the order in which blocks are walked.
//!
//! Examples: those of `rename_stacks`, `reaching_def` and `braun`.

use crate::cytron::Placement;
use mini_ir::func::{Block, Def, Func, Value};

/// What is known of the versions that reach a place.
pub trait Versions {
    /// The version of `v` that reaches the place in `block` where the walk is.
    fn read(&mut self, func: &mut Func, v: Value, block: Block) -> Value;
    /// From here on `v` is this version.
    fn assign(&mut self, func: &Func, v: Value, version: Value, block: Block);
}

/// The parameters of the function are versions, as if the entry began with assignments.
pub fn rename_params(func: &mut Func, versions: &mut impl Versions) {
    for n in 0..func.params.len() {
        let v = func.params[n];
        let version = func.new_value_like(v);
        func.set_func_param(n, version);
        versions.assign(func, v, version, func.entry());
    }
}

/// The phis of a block, its instructions, and its arguments for the phis of its successors.
pub fn rename_block(func: &mut Func, block: Block, phis: &Placement, versions: &mut impl Versions) {
    for &v in phis.of(block) {
        let version = func.new_value_like(v);
        func.add_block_param_value(block, version);
        versions.assign(func, v, version, block);
    }
    rename_instructions(func, block, versions);
    for edge in func.successors(block) {
        for &v in phis.of(func.edge_target(edge)) {
            let version = versions.read(func, v, block);
            func.push_edge_arg(edge, version);
        }
    }
}

/// The instructions of a block: each reads before it assigns.
pub fn rename_instructions(func: &mut Func, block: Block, versions: &mut impl Versions) {
    let mut next = func.first_inst(block);
    while let Some(inst) = next {
        next = func.next_inst(inst);
        for n in 0..func.arg_count(inst) {
            let v = func.arg(inst, n);
            if func.def(v) == Def::Variable {
                let version = versions.read(func, v, block);
                func.set_arg(inst, n, version);
            }
        }
        for n in 0..func.results(inst).len() {
            let v = func.results(inst)[n];
            if func.def(v) == Def::Variable {
                let version = func.new_value_like(v);
                func.set_result(inst, n, version);
                versions.assign(func, v, version, block);
            }
        }
    }
}
