//! Rules 1 to 4: blocks and the ways between them.

use super::{Rule, Verifier};
use crate::mir::MBlock;
use crate::op::MOp;
use mini_base::bitset::BitSet;
use rustc_hash::FxHashSet;

impl Verifier<'_> {
    pub(super) fn blocks(&mut self) {
        let mir = self.mir;
        self.require(!mir.order.is_empty(), Rule::Blocks, || "there is no block".into());
        let mut laid_out = BitSet::new(mir.blocks.len());
        let mut labels: FxHashSet<&str> = FxHashSet::default();
        for &block in &mir.order {
            self.place = mir.blocks[block].label.clone();
            self.require(laid_out.insert(block), Rule::Blocks, || "it is laid out twice".into());
            self.require(labels.insert(&mir.blocks[block].label), Rule::Blocks, || {
                "another block has this label".into()
            });
            self.require(!mir.blocks[block].insts.is_empty(), Rule::Blocks, || "it is empty".into());
        }
        for &block in &mir.order {
            self.place = mir.blocks[block].label.clone();
            self.ending(block);
            let successors = &mir.blocks[block].successors;
            let mut named = mir.targets(block);
            let mut listed = successors.clone();
            named.sort_unstable();
            listed.sort_unstable();
            self.require(named == listed, Rule::Successors, || format!("it lists {listed:?} and names {named:?}"));
            self.require(successors.iter().all(|&s| laid_out.contains(s)), Rule::Successors, || {
                "a successor is not laid out".into()
            });
            // The parameters are in their registers only once.
            self.require(!successors.contains(&mir.order[0]), Rule::Successors, || "it leads to the entry".into());
        }
        self.reachable();
    }

    fn ending(&mut self, block: MBlock) {
        let insts = &self.mir.blocks[block].insts;
        let Some((last, before)) = insts.split_last() else { return };
        self.require(last.op.is_terminator(), Rule::Endings, || format!("it ends in `{}`", last.op.info().name));
        self.require(!before.iter().any(|i| i.op.is_terminator()), Rule::Endings, || "it ends early".into());
        let conditional = before.iter().rev().take_while(|i| i.op == MOp::Jcc).count();
        let all = before.iter().filter(|i| i.op == MOp::Jcc).count();
        self.require(all == conditional && (all == 0 || last.op == MOp::Jmp), Rule::Endings, || {
            "a `jcc` is not before the `jmp`".into()
        });
    }

    fn reachable(&mut self) {
        let mir = self.mir;
        let Some(&entry) = mir.order.first() else { return };
        let mut reached = BitSet::new(mir.blocks.len());
        let mut work = vec![entry];
        reached.insert(entry);
        while let Some(block) = work.pop() {
            work.extend(mir.blocks[block].successors.iter().copied().filter(|&next| reached.insert(next)));
        }
        for &block in &mir.order {
            self.place = mir.blocks[block].label.clone();
            self.require(reached.contains(block), Rule::Reachability, || "nothing leads there".into());
        }
    }
}
