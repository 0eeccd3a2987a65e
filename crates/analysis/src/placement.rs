//! Where the phis of a variable go, and why: what `minic emit placement` shows.
//!
//! A(V) is the set of blocks that assign the variable V. Minimal SSA has a phi for V at each block of DF⁺(A(V)). Semi-pruned SSA does
//! without those of variables that no block reads before it assigns them; pruned SSA keeps those at whose start V is live.
//!
//! *In:* TAC without unreachable blocks, whose entry has no predecessors; a way to find DF⁺. *Out:* [`Placement`] for each variable.
//! *Keeps:* everything. *Cost:* O(blocks), and that of DF⁺ and of `live_blocks`, for each variable.
//! *Source:* R. Cytron et al., Efficiently Computing Static Single Assignment Form and the Control Dependence Graph, 1991,
//! section 5.1; P. Briggs et al., Practical Improvements to the Construction and Destruction of Static Single Assignment Form, 1998;
//! J. Choi, R. Cytron, J. Ferrante, Automatic Construction of Sparse Data Flow Evaluation Graphs, 1991.
//! *Leaves:* the phis themselves: the construction of SSA places them one variable at a time, and stores no table.
//!
//! The three kinds of SSA differ:
//! ```text
//! func f(c: bool) -> int {
//! entry1:
//!   %1 = const 1
//!   x = copy %1
//!   d = copy %1
//!   br c, left2, right3
//! left2:
//!   t = add d, d
//!   x = copy t
//!   jmp join4
//! right3:
//!   t = neg d
//!   d = copy t
//!   jmp join4
//! join4:
//!   ret x
//! }
//! ```
//! gives
//! ```text
//! placement of phis in f
//! c
//!   A(V)         -
//!   live-in      entry1
//!   DF⁺(A(V))    -
//!   minimal      -
//!   semi-pruned  -
//!   pruned       -
//! x
//!   A(V)         entry1 left2
//!   live-in      right3 join4
//!   DF⁺(A(V))    join4
//!   minimal      join4
//!   semi-pruned  join4
//!   pruned       join4
//! d
//!   A(V)         entry1 right3
//!   live-in      left2 right3
//!   DF⁺(A(V))    join4
//!   minimal      join4
//!   semi-pruned  join4
//!   pruned       -
//! t
//!   A(V)         left2 right3
//!   live-in      -
//!   DF⁺(A(V))    join4
//!   minimal      join4
//!   semi-pruned  -
//!   pruned       -
//! ```

use crate::live_blocks::LiveBlocks;
use crate::occurrences::Occurrences;
use crate::print::labels;
use mini_base::bitset::BitSet;
use mini_base::ids::Id;
use mini_ir::cfg::Cfg;
use mini_ir::func::{Block, Def, Func, Value};
use mini_ir::text::value_text;

/// What decides on the phis of a variable. All blocks in layout order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placement {
    /// V.
    pub variable: Value,
    /// A(V): the blocks that assign V.
    pub assigned: Vec<Block>,
    /// The blocks at whose start V is live.
    pub live_in: Vec<Block>,
    /// DF⁺(A(V)), which is where minimal SSA has phis for V.
    pub minimal: Vec<Block>,
    /// Where semi-pruned SSA has them.
    pub semi_pruned: Vec<Block>,
    /// Where pruned SSA has them.
    pub pruned: Vec<Block>,
}

/// The placement of each variable; `df_plus` gives DF⁺ of a set of blocks.
pub fn placements(func: &Func, mut df_plus: impl FnMut(&[Block]) -> Vec<Block>) -> Vec<Placement> {
    let (cfg, occurrences) = (Cfg::new(func), Occurrences::of_variables(func));
    let mut live = LiveBlocks::new(func);
    let mut all = Vec::new();
    for variable in (0..func.value_count()).map(Value::new).filter(|&v| func.def(v) == Def::Variable) {
        let (assigned, exposed) = (occurrences.defs(variable), occurrences.exposed(variable));
        live.find(func, &cfg, assigned, exposed);
        let mut members = BitSet::new(func.block_count());
        for block in df_plus(assigned) {
            members.insert(block);
        }
        let minimal: Vec<Block> = func.blocks().filter(|&b| members.contains(b)).collect();
        all.push(Placement {
            variable,
            assigned: assigned.to_vec(),
            live_in: func.blocks().filter(|&b| live.contains(b)).collect(),
            semi_pruned: if exposed.is_empty() { Vec::new() } else { minimal.clone() },
            pruned: minimal.iter().copied().filter(|&b| live.contains(b)).collect(),
            minimal,
        });
    }
    all
}

/// The placement of each variable as text.
pub fn print_placements(func: &Func, placements: &[Placement]) -> String {
    let mut text = format!("placement of phis in {}\n", func.name);
    for placement in placements {
        let Placement { variable, assigned, live_in, minimal, semi_pruned, pruned } = placement;
        text += &format!("{}\n", value_text(func, *variable));
        for (name, blocks) in [
            ("A(V)", assigned),
            ("live-in", live_in),
            ("DF⁺(A(V))", minimal),
            ("minimal", minimal),
            ("semi-pruned", semi_pruned),
            ("pruned", pruned),
        ] {
            let blocks = if blocks.is_empty() { "-".to_string() } else { labels(func, blocks) };
            text += &format!("  {name:<11}  {blocks}\n");
        }
    }
    text
}
