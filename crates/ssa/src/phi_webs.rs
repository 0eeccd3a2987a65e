//! Phi webs: the values that out of SSA become one place.
//!
//! A block parameter and its arguments belong together, and so on transitively. In conventional SSA no two values of
//! a web are live at the same time, so that each web can have one virtual register, and the parameters and arguments need no
//! code any more. A value that is neither a parameter nor an argument is a web of its own.
//!
//! *In:* CSSA. *Out:* [`PhiWebs`]: a dense number for each web, in the order of their first values. *Keeps:* everything.
//! *Cost:* O((values + arguments) · α), α the inverse of Ackermann's function.
//! *Source:* V. Sreedhar et al., Translating Out of Static Single Assignment Form, 1999, section 2 (phi congruence classes);
//! union-find as in `mini_base`.
//! *Leaves:* whether the values of a web really don't interfere is for the maker of CSSA to see to.
//!
//! ```text
//! cssa func f(a.1: int, b.1: int, c.1: bool) -> int {
//! entry1:
//!   a.3, b.3 = parcopy a.1, b.1
//!   jmp head2(a.3, b.3)
//! head2(a.2: int, b.2: int):
//!   br c.1, split4, exit3
//! split4:
//!   a.4, b.4 = parcopy b.2, a.2
//!   jmp head2(a.4, b.4)
//! exit3:
//!   ret a.2
//! }
//! ```
//! gives
//! ```text
//! phi webs of f
//! {a.3 a.2 a.4}
//! {b.3 b.2 b.4}
//! alone: a.1 b.1 c.1
//! ```

use mini_base::bitset::BitSet;
use mini_base::ids::{Id, IdVec};
use mini_base::union_find::UnionFind;
use mini_ir::func::{Func, Value};
use mini_ir::text::value_text;

mini_base::define_id! {
    /// A phi web: one place.
    pub struct Web, "w";
}

/// The web of every value.
#[derive(Clone, Debug)]
pub struct PhiWebs {
    webs: IdVec<Value, Web>,
    members: IdVec<Web, Vec<Value>>,
}

impl PhiWebs {
    /// Joins every block parameter with its arguments.
    pub fn new(func: &Func) -> PhiWebs {
        let mut sets = UnionFind::new(func.value_count());
        for block in func.blocks() {
            for edge in func.successors(block) {
                for (&param, arg) in func.block_params(func.edge_target(edge)).iter().zip(func.edge_args(edge)) {
                    sets.union(param, arg);
                }
            }
        }
        let mut number: IdVec<Value, Option<Web>> = IdVec::filled(None, func.value_count());
        let mut members: IdVec<Web, Vec<Value>> = IdVec::new();
        let webs = (0..func.value_count()).map(Value::new).map(|value| {
            let leader = sets.find(value);
            let web = *number[leader].get_or_insert_with(|| members.push(Vec::new()));
            members[web].push(value);
            web
        });
        let webs = webs.collect();
        PhiWebs { webs, members }
    }

    /// The web of a value.
    #[inline]
    pub fn web(&self, value: Value) -> Web {
        self.webs[value]
    }

    /// How many webs there are; also dead values have theirs.
    pub fn count(&self) -> usize {
        self.members.len()
    }

    /// The values of a web, in ascending order.
    pub fn members(&self, web: Web) -> &[Value] {
        &self.members[web]
    }
}

/// The webs of more than one value, then the other values of the function.
pub fn print_webs(func: &Func) -> String {
    let webs = PhiWebs::new(func);
    // Values that passes have removed still have their numbers.
    let mut defined: BitSet<Value> = BitSet::new(func.value_count());
    let insts = func.blocks().flat_map(|block| func.insts(block));
    let params = func.blocks().flat_map(|block| func.block_params(block));
    for &value in func.params.iter().chain(params).chain(insts.flat_map(|inst| func.results(inst))) {
        defined.insert(value);
    }
    let mut text = format!("phi webs of {}\n", func.name);
    let mut alone = Vec::new();
    for web in (0..webs.count()).map(Web::new) {
        let names = webs.members(web).iter().filter(|&&v| defined.contains(v)).map(|&v| value_text(func, v));
        let names: Vec<String> = names.collect();
        match names.len() {
            0 | 1 => alone.extend(names),
            _ => text += &format!("{{{}}}\n", names.join(" ")),
        }
    }
    text + &format!("alone: {}\n", if alone.is_empty() { "-".to_string() } else { alone.join(" ") })
}
