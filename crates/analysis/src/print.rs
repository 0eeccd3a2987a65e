//! Analyses as tables for people: what `minic emit orders|dom|postdom|frontier|loops|liveness` shows.
//!
//! *In:* a function of any phase. *Out:* text, one line a block or loop, columns aligned. *Cost:* that of the analysis and
//! of the text. *Leaves:* unreachable blocks are named with `unreachable` where a table is about reachable ones.
//!
//! ```text
//! func nest(a: bool, b: bool) {
//! entry1:
//!   jmp outer2
//! outer2:
//!   jmp inner3
//! inner3:
//!   br a, inner3, latch4
//! latch4:
//!   br b, outer2, exit5
//! exit5:
//!   ret
//! }
//! ```
//! gives
//! ```text
//! dominators of nest
//! block   idom    level  children
//! entry1  -       0      outer2
//! outer2  entry1  1      inner3
//! inner3  outer2  2      latch4
//! latch4  inner3  3      exit5
//! exit5   latch4  4
//! ```

use crate::dominator_tree::DominatorTree;
use crate::frontier::Frontiers;
use crate::liveness::Liveness;
use crate::loops::LoopForest;
use crate::orders::{DepthFirst, reverse_postorder};
use crate::postdominators::PostDominatorTree;
use mini_ir::cfg::Cfg;
use mini_ir::func::{Block, Func, Value};
use mini_ir::text::value_text;

/// The orders of a depth-first search.
pub fn print_orders(func: &Func) -> String {
    let search = DepthFirst::new(func);
    let (pre, post) = (labels(func, &search.preorder), labels(func, &search.postorder));
    let reverse = labels(func, &reverse_postorder(func));
    format!(
        "orders of {}\npreorder:          {pre}\npostorder:         {post}\nreverse postorder: {reverse}\n",
        func.name
    )
}

/// A dominator tree, in preorder.
pub fn print_dominator_tree(func: &Func, tree: &DominatorTree) -> String {
    let mut table = Table::new(&format!("dominators of {}", func.name), &["block", "idom", "level", "children"]);
    for &block in tree.preorder() {
        let idom = tree.idom(block).map_or("-".to_string(), |b| func.label(b));
        table.row(vec![func.label(block), idom, tree.level(block).to_string(), labels(func, tree.children(block))]);
    }
    table.unreachable(func, |block| tree.is_reachable(block));
    table.text()
}

/// The post-dominator tree, in preorder from the virtual exit.
pub fn print_postdominators(func: &Func) -> String {
    let tree = PostDominatorTree::new(func, &Cfg::new(func));
    let title = format!("post-dominators of {}", func.name);
    let mut table = Table::new(&title, &["block", "ipdom", "level", "children"]);
    let exit = || "(exit)".to_string();
    table.row(vec![exit(), "-".to_string(), "0".to_string(), labels(func, tree.roots())]);
    for &block in tree.preorder() {
        let ipdom = tree.ipdom(block).map_or_else(exit, |b| func.label(b));
        table.row(vec![func.label(block), ipdom, tree.level(block).to_string(), labels(func, tree.children(block))]);
    }
    table.unreachable(func, |block| tree.is_reachable(block));
    let mut text = table.text();
    if !tree.endless().is_empty() {
        text += &format!("endless: {}\n", labels(func, tree.endless()));
    }
    text
}

/// Dominance frontiers.
pub fn print_frontiers(func: &Func, tree: &DominatorTree, frontiers: &Frontiers) -> String {
    let mut table = Table::new(&format!("dominance frontiers of {}", func.name), &["block", "frontier"]);
    for block in func.blocks().filter(|&b| tree.is_reachable(b)) {
        table.row(vec![func.label(block), labels(func, frontiers.of(block))]);
    }
    table.unreachable(func, |block| tree.is_reachable(block));
    table.text()
}

/// The loops, each behind the loops around it, then irreducible regions.
pub fn print_loops(func: &Func) -> String {
    let (cfg, tree) = (Cfg::new(func), DominatorTree::new(func));
    let forest = LoopForest::new(func, &cfg, &tree);
    let columns = ["header", "depth", "inside", "latches", "own blocks"];
    let mut table = Table::new(&format!("loops of {}", func.name), &columns);
    for l in forest.loops() {
        let parent = forest.parent(l).map_or("-".to_string(), |p| func.label(forest.header(p)));
        table.row(vec![
            func.label(forest.header(l)),
            forest.depth(l).to_string(),
            parent,
            labels(func, forest.latches(l)),
            labels(func, forest.own_blocks(l)),
        ]);
    }
    let mut text = table.text();
    for region in forest.irreducible_regions() {
        text +=
            &format!("irreducible: {}; entered at {}\n", labels(func, &region.blocks), labels(func, &region.entries));
    }
    text
}

/// What is live at the start and at the end of each block, in layout order.
pub fn print_liveness(func: &Func, liveness: &Liveness) -> String {
    let mut table = Table::new(&format!("liveness of {}", func.name), &["block", "live-in", "live-out"]);
    for block in func.blocks() {
        let (live_in, live_out) = (values(func, liveness.live_in(block)), values(func, liveness.live_out(block)));
        table.row(vec![func.label(block), live_in, live_out]);
    }
    table.text()
}

pub(crate) fn labels(func: &Func, blocks: &[Block]) -> String {
    blocks.iter().map(|&b| func.label(b)).collect::<Vec<_>>().join(" ")
}

fn values(func: &Func, values: &[Value]) -> String {
    values.iter().map(|&v| value_text(func, v)).collect::<Vec<_>>().join(" ")
}

/// Rows whose columns are padded to the same width; the last column is as long as it likes.
pub(crate) struct Table {
    title: String,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub fn new(title: &str, columns: &[&str]) -> Table {
        Table { title: title.to_string(), rows: vec![columns.iter().map(|c| c.to_string()).collect()] }
    }

    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    fn unreachable(&mut self, func: &Func, is_reachable: impl Fn(Block) -> bool) {
        for block in func.blocks().filter(|&b| !is_reachable(b)) {
            self.row(vec![func.label(block), "unreachable".to_string()]);
        }
    }

    pub fn text(&self) -> String {
        const WIDEST: usize = 40;
        let columns = self.rows[0].len();
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).filter(|&w| w <= WIDEST).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..columns - 1).map(width).collect();
        let mut text = format!("{}\n", self.title);
        for row in &self.rows {
            let mut line = String::new();
            for (column, cell) in row.iter().enumerate() {
                line += cell;
                if let Some(&width) = widths.get(column) {
                    let pad = width.saturating_sub(cell.chars().count()) + 2;
                    line.extend(std::iter::repeat_n(' ', pad));
                }
            }
            text += line.trim_end();
            text.push('\n');
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample_graphs::graph;

    #[test]
    fn tables_are_aligned() {
        let func = graph(7, &[(0, 1), (1, 2), (1, 3), (2, 4), (3, 4), (4, 1), (4, 5), (6, 5)]);
        let expected = "\
dominators of graph
block  idom         level  children
b0     -            0      b1
b1     b0           1      b2 b3 b4
b2     b1           2
b3     b1           2
b4     b1           2      b5
b5     b4           3
b6     unreachable
";
        let tree = DominatorTree::new(&func);
        assert_eq!(print_dominator_tree(&func, &tree), expected);
        let expected = "\
dominance frontiers of graph
block  frontier
b0
b1     b1
b2     b4
b3     b4
b4     b1
b5
b6     unreachable
";
        assert_eq!(print_frontiers(&func, &tree, &Frontiers::new(&func, &Cfg::new(&func), &tree)), expected);
        let expected = "\
loops of graph
header  depth  inside  latches  own blocks
b1      1      -       b4       b1 b2 b3 b4
";
        assert_eq!(print_loops(&func), expected);
        let expected = "\
liveness of graph
block  live-in  live-out
b0     flag     flag
b1     flag     flag
b2     flag     flag
b3     flag     flag
b4     flag     flag
b5
b6
";
        assert_eq!(print_liveness(&func, &Liveness::new(&func, &Cfg::new(&func))), expected);
    }
}
