//! Predecessors of blocks. Successors need no table: they are the edges of the terminator.
//!
//! *Cost:* O(blocks + edges), two arrays.

use crate::func::{Block, Edge, Func};
use mini_base::ids::Id;

/// The incoming edges of every block, valid until an edge or block of the function changes.
#[derive(Clone, Debug)]
pub struct Cfg {
    start: Vec<u32>,
    incoming: Vec<Edge>,
}

impl Cfg {
    /// Collects the incoming edges; of unreachable blocks too. Edges are in the layout order of their blocks.
    pub fn new(func: &Func) -> Cfg {
        let mut start = vec![0u32; func.block_count() + 1];
        for block in func.blocks() {
            for edge in func.successors(block) {
                start[func.edge_target(edge).index() + 1] += 1;
            }
        }
        for i in 1..start.len() {
            start[i] += start[i - 1];
        }
        let mut next = start.clone();
        let mut incoming = vec![None; start[func.block_count()] as usize];
        for block in func.blocks() {
            for edge in func.successors(block) {
                let at = &mut next[func.edge_target(edge).index()];
                incoming[*at as usize] = Some(edge);
                *at += 1;
            }
        }
        Cfg { start, incoming: incoming.into_iter().map(|e| e.expect("each place was counted before")).collect() }
    }

    /// The edges that lead into a block. A block that branches to one target twice gives two edges.
    pub fn incoming(&self, block: Block) -> &[Edge] {
        &self.incoming[self.start[block.index()] as usize..self.start[block.index() + 1] as usize]
    }

    /// The blocks that lead into a block, one for each edge.
    pub fn predecessors<'a>(
        &'a self,
        func: &'a Func,
        block: Block,
    ) -> impl DoubleEndedIterator<Item = Block> + ExactSizeIterator + 'a {
        self.incoming(block).iter().map(move |&e| func.edge_source(e))
    }
}
