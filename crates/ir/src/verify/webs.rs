//! Rule 17: in CSSA, block parameters and the arguments that flow into them can share a place.
//!
//! *In:* a CSSA function that follows all other rules. *Out:* an error if two values of a web interfere: they are defined at one
//! point, or one is live behind the point where the other is defined.
//! *Cost:* O(n log n), and for each value of a web that dominates another at most twice the blocks that it is live in. *Source:* the dominance
//! forest of a web, Budimlić et al., "Fast copy coalescing and live-range identification", 2002, section 3: if any two
//! interfere, then a value and its nearest dominator in the web do.
//!
//! A web is a class of values under "is argument for". Its values are taken in preorder of the dominator tree with the
//! dominators of the current one on a stack. Whether the nearest, *a*, is live behind the definition of *b* is searched for from both
//! sides at once, block by block: forward from *b* for a use of *a*, as far as *a* dominates, and backward from the uses of *a* for
//! *b*. The first side that has nothing left to look at says no. What the search backward has seen is kept for the next
//! value below *a*, so that it walks the blocks of *a* once.

use super::dominance::Dominance;
use super::{Report, Rule};
use crate::func::{Block, Func, Value};
use crate::text::value_text;
use mini_base::ids::Id;

/// Checks the rule; stops at the first interference.
pub(super) fn check(report: &mut Report<'_>, dominance: &Dominance) {
    let func = report.func;
    let mut points = points(func, dominance);
    points.sort_unstable();
    let mut pairs = Vec::new();
    let mut stack: Vec<Point> = Vec::new();
    for &point in &points {
        // What is on the stack is of the same web, and dominates.
        while stack.last().is_some_and(|top| top.web != point.web || !dominance.dominates(top.block, point.block)) {
            stack.pop();
        }
        if let Some(&top) = stack.last() {
            if (top.block, top.position) == (point.block, point.position) {
                return complain(report, top, point);
            }
            pairs.push((top, point));
        }
        stack.push(point);
    }
    pairs.sort_unstable_by_key(|&(a, b)| (a.value, b.preorder, b.position));
    let mut search = Search::new(func, dominance);
    for pairs in pairs.chunk_by(|x, y| x.0.value == y.0.value) {
        search.start(pairs[0].0);
        if let Some(&(a, b)) = pairs.iter().find(|(_, b)| search.is_live_behind(b)) {
            return complain(report, a, b);
        }
    }
}

fn complain(report: &mut Report<'_>, a: Point, b: Point) {
    let (first, second) = (value_text(report.func, a.value), value_text(report.func, b.value));
    let message = format!("`{first}` and `{second}` are in one web, but live at the same time");
    report.at_block(Rule::Webs, b.block, message);
}

/// Where a value of a web is defined. The order is that of webs, then of the dominator tree, then of the block.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Point {
    web: u32,
    preorder: u32,
    /// 0 for parameters, otherwise the instruction's place in the block, from 1.
    position: u32,
    block: Block,
    value: Value,
}

/// The definitions of all values that are in a web with others; code that can't be reached is exempt.
fn points(func: &Func, dominance: &Dominance) -> Vec<Point> {
    let webs = Webs::new(func);
    let mut points = Vec::new();
    for block in func.blocks() {
        let Some(preorder) = dominance.preorder(block) else { continue };
        let mut add = |position: usize, values: &[Value]| {
            for &value in values.iter().filter(|v| webs.member[v.index()]) {
                let web = webs.parent[value.index()];
                points.push(Point { web, preorder, position: position as u32, block, value });
            }
        };
        if block == func.entry() {
            add(0, &func.params);
        }
        add(0, func.block_params(block));
        for (n, inst) in func.insts(block).enumerate() {
            add(n + 1, func.results(inst));
        }
    }
    points
}

/// Classes of values by union-find, of the verifier's own: what it judges uses the one in `base`.
struct Webs {
    parent: Vec<u32>,
    /// Whether the value flows into a parameter or is one.
    member: Vec<bool>,
}

impl Webs {
    /// By all edges, also those that can't be reached: whoever gives each web a place does not ask about that.
    fn new(func: &Func) -> Webs {
        let count = func.value_count();
        let mut webs = Webs { parent: (0..count as u32).collect(), member: vec![false; count] };
        for block in func.blocks() {
            for edge in func.successors(block) {
                for (arg, &param) in func.edge_args(edge).zip(func.block_params(func.edge_target(edge))) {
                    webs.join(arg, param);
                }
            }
        }
        for v in 0..count as u32 {
            webs.parent[v as usize] = webs.find(v);
        }
        webs
    }

    fn find(&mut self, mut v: u32) -> u32 {
        // Path halving.
        while self.parent[v as usize] != v {
            self.parent[v as usize] = self.parent[self.parent[v as usize] as usize];
            v = self.parent[v as usize];
        }
        v
    }

    fn join(&mut self, a: Value, b: Value) {
        let (x, y) = (self.find(a.index() as u32), self.find(b.index() as u32));
        self.parent[x as usize] = y;
        self.member[a.index()] = true;
        self.member[b.index()] = true;
    }
}

/// Answers whether a value is live behind a definition that its own dominates.
struct Search<'f> {
    func: &'f Func,
    dominance: &'f Dominance,
    /// The place of each instruction in its block, from 1.
    position: Vec<u32>,
    /// The block where the value is defined.
    home: Block,
    /// Block and place of each use.
    uses: Vec<(Block, u32)>,
    /// Marked with the value: the blocks at whose start it is known to be live.
    live_in: Vec<u32>,
    /// Blocks at whose start it is live, but whose predecessors were not looked at.
    backward: Vec<Block>,
    value_mark: u32,
    /// Marked with the question: the blocks that the search forward has come to.
    seen: Vec<u32>,
    question_mark: u32,
}

impl<'f> Search<'f> {
    fn new(func: &'f Func, dominance: &'f Dominance) -> Search<'f> {
        let mut position = vec![0; func.inst_count()];
        for block in func.blocks() {
            for (n, inst) in func.insts(block).enumerate() {
                position[inst.index()] = n as u32 + 1;
            }
        }
        let marks = vec![0; func.block_count()];
        Search {
            func,
            dominance,
            position,
            home: func.entry(),
            uses: Vec::new(),
            live_in: marks.clone(),
            backward: Vec::new(),
            value_mark: 0,
            seen: marks,
            question_mark: 0,
        }
    }

    /// Turns to another value.
    fn start(&mut self, a: Point) {
        let func = self.func;
        self.home = a.block;
        self.value_mark += 1;
        self.uses.clear();
        self.backward.clear();
        for user in func.uses(a.value).map(|u| func.user(u)) {
            let Some(block) = func.inst_block(user).filter(|&b| self.dominance.reachable(b)) else { continue };
            self.uses.push((block, self.position[user.index()]));
            if block != self.home {
                self.mark_live(block);
            }
        }
        self.uses.sort_unstable();
    }

    fn mark_live(&mut self, block: Block) {
        if std::mem::replace(&mut self.live_in[block.index()], self.value_mark) != self.value_mark {
            self.backward.push(block);
        }
    }

    fn is_live_behind(&mut self, b: &Point) -> bool {
        // Used further down in the block?
        let next = self.uses.partition_point(|&at| at <= (b.block, b.position));
        if self.uses.get(next).is_some_and(|&(block, _)| block == b.block) {
            return true;
        }
        self.is_live_at_end(b.block)
    }

    fn is_live_at_end(&mut self, end: Block) -> bool {
        self.question_mark += 1;
        let mut forward = vec![end];
        loop {
            // A step forward: a block from whose start on a use may come.
            let Some(block) = forward.pop() else { return false };
            for next in self.func.successors(block).map(|e| self.func.edge_target(e)) {
                if self.live_in[next.index()] == self.value_mark {
                    return true;
                }
                let below = next != self.home && self.dominance.dominates(self.home, next);
                if below && std::mem::replace(&mut self.seen[next.index()], self.question_mark) != self.question_mark {
                    forward.push(next);
                }
            }
            // A step backward: the blocks before one at whose start it is live. At the end of those it is live.
            let Some(block) = self.backward.pop() else {
                // All is known.
                let live = |e| self.live_in[self.func.edge_target(e).index()] == self.value_mark;
                return self.func.successors(end).any(live);
            };
            for edge in self.dominance.cfg.incoming(block) {
                let before = self.func.edge_source(*edge);
                if self.dominance.reachable(before) && before != self.home {
                    self.mark_live(before);
                }
            }
        }
    }
}
