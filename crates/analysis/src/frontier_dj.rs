//! Dominance frontiers by the DJ graph.
//!
//! The *DJ graph* is the dominator tree, whose edges are the *D edges*, with all other edges of the control flow, the *J edges*:
//! `y → z` is one unless `y` is the immediate dominator of `z`. With `level(x)` the distance of `x` from the root,
//!
//! DF(x) = { z | some y in SubTree(x) has a J edge y → z, and level(z) ≤ level(x) }
//!
//! because a J edge never leads below a child of the block that dominates its source: `z` is either outside what `x`
//! strictly dominates, and then at the level of `x` or above it, or inside, and then below. One comparison of levels stands for the
//! question whether `x` strictly dominates `z`.
//!
//! The subtrees are not walked one by one: from the leaves of the tree to its root, each block takes its own J edges and from its
//! children's frontiers what is at its own level or above.
//!
//! *In:* a function of any phase, its dominator tree. *Out:* [`Frontiers`], each in ascending block order. *Keeps:* everything.
//! *Cost:* O(edges + result · log), the log for sorting. The result can be quadratic in the number of blocks, as with `frontier`.
//! *Source:* V. Sreedhar, G. Gao, A Linear Time Algorithm for Placing φ-Nodes, 1995, sections 2 and 3. They walk SubTree(x) for each
//! x, which is quadratic on a chain of blocks with no frontiers at all; handing up is from R. Cytron et al., 1991, section 4.2.
//! *Leaves:* unreachable blocks have empty frontiers and stand in none.
//!
//! A loop with a join in it; its head dominates the block that leads back, but itself not strictly:
//! ```text
//! func f(a: bool, b: bool) {
//! entry1:
//!   jmp head2
//! head2:
//!   br a, left3, right4
//! left3:
//!   jmp join5
//! right4:
//!   jmp join5
//! join5:
//!   br b, head2, exit6
//! exit6:
//!   ret
//! }
//! ```
//! gives
//! ```text
//! dominance frontiers of f
//! block   frontier
//! entry1
//! head2   head2
//! left3   join5
//! right4  join5
//! join5   head2
//! exit6
//! ```

use crate::dominator_tree::DominatorTree;
use crate::frontier::Frontiers;
use mini_base::ids::IdVec;
use mini_ir::func::{Block, Func};

/// Computes the dominance frontiers.
pub fn frontiers(func: &Func, tree: &DominatorTree) -> Frontiers {
    let mut df: IdVec<Block, Vec<Block>> = IdVec::filled(Vec::new(), func.block_count());
    // For whom a block was last put into a set.
    let mut member_of: IdVec<Block, Option<Block>> = IdVec::filled(None, func.block_count());
    // Children come behind their parents in preorder.
    for &x in tree.preorder().iter().rev() {
        let mut set = Vec::new();
        let mut reached = |z: Block| {
            if tree.level(z) <= tree.level(x) && member_of[z] != Some(x) {
                member_of[z] = Some(x);
                set.push(z);
            }
        };
        for edge in func.successors(x) {
            // D edges lead to a level below that of `x`.
            reached(func.edge_target(edge));
        }
        for &child in tree.children(x) {
            for &z in &df[child] {
                reached(z);
            }
        }
        set.sort_unstable();
        df[x] = set;
    }
    Frontiers::from_sets(df)
}
