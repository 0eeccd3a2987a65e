//! A walk over the dominator tree that enters each block before its children and leaves it behind them.
//!
//! What holds in a block because of its dominators is entered and left again with them: tops of stacks in renaming, expressions in
//! value numbering. The walk keeps a stack of its own, since dominator trees can be as deep as there are blocks.
//!
//! *In:* a root, and the children of each block in the order wanted. *Out:* the steps, one at a time. *Keeps:* everything.
//! *Cost:* O(blocks) for all steps. *Source:* R. Cytron et al., Efficiently Computing Static Single Assignment Form and the Control
//! Dependence Graph, 1991, figure 12 (what SEARCH does before and behind its recursive calls). *Leaves:* nothing.
//!
//! ```text
//! func diamond(c: bool) {
//! entry1:
//!   br c, left2, right3
//! left2:
//!   br c, below4, join5
//! right3:
//!   jmp join5
//! below4:
//!   jmp join5
//! join5:
//!   ret
//! }
//! ```
//! gives
//! ```text
//! enter entry1
//! enter left2
//! enter below4
//! leave below4
//! leave left2
//! enter right3
//! leave right3
//! enter join5
//! leave join5
//! leave entry1
//! ```

use mini_ir::func::Block;

/// A step of the walk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// Nothing below the block was entered yet.
    Enter(Block),
    /// Everything below the block was entered and left.
    Leave(Block),
}

/// The steps of the walk from a root.
pub fn walk<'a>(root: Block, children: impl Fn(Block) -> &'a [Block]) -> impl Iterator<Item = Step> {
    let mut stack = vec![Step::Enter(root)];
    std::iter::from_fn(move || {
        let step = stack.pop()?;
        if let Step::Enter(block) = step {
            stack.push(Step::Leave(block));
            stack.extend(children(block).iter().rev().map(|&child| Step::Enter(child)));
        }
        Some(step)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dominator_tree::DominatorTree;
    use mini_ir::testing::{example, func};

    #[test]
    fn the_example_of_the_head_comment() {
        let [ir, expected] = example(include_str!("tree_walk.rs"));
        let func = func(&ir);
        let tree = DominatorTree::new(&func);
        let show = |step| match step {
            Step::Enter(block) => format!("enter {}\n", func.label(block)),
            Step::Leave(block) => format!("leave {}\n", func.label(block)),
        };
        assert_eq!(walk(tree.root(), |block| tree.children(block)).map(show).collect::<String>(), expected);
    }
}
