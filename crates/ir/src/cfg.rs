//! Predecessors of blocks. Successors need no table: they are the edges of the terminator.
//!
//! *Cost:* O(blocks + edges).

use crate::func::{Block, Edge, Func};
use mini_base::lists::Lists;

/// The incoming edges of every block, valid until an edge or block of the function changes.
#[derive(Clone, Debug)]
pub struct Cfg {
    incoming: Lists<Block, Edge>,
}

impl Cfg {
    /// Collects the incoming edges; of unreachable blocks too. Edges are in the layout order of their blocks.
    pub fn new(func: &Func) -> Cfg {
        let edges = func.blocks().flat_map(|block| func.successors(block));
        Cfg { incoming: Lists::new(func.block_count(), edges.map(|edge| (func.edge_target(edge), edge))) }
    }

    /// The edges that lead into a block. A block that branches to one target twice gives two edges.
    pub fn incoming(&self, block: Block) -> &[Edge] {
        self.incoming.of(block)
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
