//! Edges of terminators, their arguments, and the case values of `switch`.

use super::{Block, CaseList, Edge, EdgeData, Func, Inst, OperandData, Use, Value};
use mini_base::ids::Id;

impl Func {
    /// The edges of a terminator: `jmp` one, `br` the true one and the false one, `switch` one a case and the default's.
    pub fn edges(&self, inst: Inst) -> impl DoubleEndedIterator<Item = Edge> + ExactSizeIterator + use<> {
        let (start, len) = self.insts[inst].edges;
        (start as usize..(start + len) as usize).map(Edge::new)
    }

    /// The edges that leave a block.
    pub fn successors(&self, block: Block) -> impl DoubleEndedIterator<Item = Edge> + ExactSizeIterator + use<> {
        let (start, len) = self.blocks[block].last.map_or((0, 0), |last| self.insts[last].edges);
        (start as usize..(start + len) as usize).map(Edge::new)
    }

    /// Gives a terminator its edges, each with its arguments; the former ones are dropped.
    pub fn set_edges(&mut self, inst: Inst, targets: &[(Block, &[Value])]) {
        for edge in self.edges(inst) {
            self.clear_edge_args(edge);
        }
        let start = self.edges.len() as u32;
        for &(target, args) in targets {
            let args = self.push_operands(inst, args);
            self.edges.push(EdgeData { target, from: inst, args, capacity: args.1 });
        }
        self.insts[inst].edges = (start, targets.len() as u32);
    }

    /// Where an edge leads.
    #[inline]
    pub fn edge_target(&self, edge: Edge) -> Block {
        self.edges[edge].target
    }

    /// The block that an edge leaves. Its terminator must be in a block.
    pub fn edge_source(&self, edge: Edge) -> Block {
        self.insts[self.edges[edge].from].block.expect("an edge's terminator is in a block")
    }

    /// The terminator that an edge belongs to.
    pub fn edge_inst(&self, edge: Edge) -> Inst {
        self.edges[edge].from
    }

    /// Lets an edge lead elsewhere; its arguments stay.
    pub fn set_edge_target(&mut self, edge: Edge, target: Block) {
        self.edges[edge].target = target;
    }

    /// The arguments of an edge.
    pub fn edge_args(&self, edge: Edge) -> impl DoubleEndedIterator<Item = Value> + ExactSizeIterator + '_ {
        let (start, len) = self.edges[edge].args;
        self.operands.as_slice()[start as usize..(start + len) as usize].iter().map(|o| o.value)
    }

    /// The `n`th argument of an edge.
    pub fn edge_arg(&self, edge: Edge, n: usize) -> Value {
        let (start, len) = self.edges[edge].args;
        assert!(n < len as usize, "argument {n} of {len}");
        self.operands[Use::new(start as usize + n)].value
    }

    /// Replaces one argument.
    pub fn set_edge_arg(&mut self, edge: Edge, n: usize, value: Value) {
        let (start, len) = self.edges[edge].args;
        assert!(n < len as usize, "argument {n} of {len}");
        self.set_use(Use::new(start as usize + n), value);
    }

    /// Gives an edge another argument at the end. O(1) amortised.
    pub fn push_edge_arg(&mut self, edge: Edge, value: Value) {
        let EdgeData { from, args: (start, len), capacity, .. } = self.edges[edge];
        if len < capacity {
            let place = Use::new((start + len) as usize);
            self.operands[place] = OperandData { value, user: from, prev: None, next: None };
            self.link_use(place);
            self.edges[edge].args.1 += 1;
            return;
        }
        // Move to twice the room at the end of the pool; the places left behind stay empty.
        let mut values: Vec<Value> = self.edge_args(edge).collect();
        self.clear_edge_args(edge);
        values.push(value);
        let args = self.push_operands(from, &values);
        let capacity = (2 * args.1).max(2);
        for _ in args.1..capacity {
            self.operands.push(OperandData { value, user: from, prev: None, next: None });
        }
        let data = &mut self.edges[edge];
        (data.args, data.capacity) = (args, capacity);
    }

    /// Takes all arguments of an edge away.
    pub fn clear_edge_args(&mut self, edge: Edge) {
        let (start, len) = self.edges[edge].args;
        for operand in start..start + len {
            self.unlink_use(Use::new(operand as usize));
        }
        self.edges[edge].args.1 = 0;
    }

    /// Keeps the arguments of an edge for whose places `keep` is true. O(arguments).
    pub fn retain_edge_args(&mut self, edge: Edge, keep: impl Fn(usize) -> bool) {
        let old: Vec<Value> = self.edge_args(edge).collect();
        self.clear_edge_args(edge);
        for (_, value) in old.into_iter().enumerate().filter(|&(n, _)| keep(n)) {
            self.push_edge_arg(edge, value); // within the room that the edge has
        }
    }

    /// Makes the case values of a `switch`.
    pub fn new_cases(&mut self, cases: Vec<i64>) -> CaseList {
        self.cases.push(cases)
    }

    /// The case values of a `switch`.
    pub fn cases(&self, list: CaseList) -> &[i64] {
        &self.cases[list]
    }
}
