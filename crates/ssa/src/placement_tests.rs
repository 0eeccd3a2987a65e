//! What `mini_analysis::placement` says of phis is what construction does, whoever finds DF⁺.

use crate::{cytron, minimal, new_entry, pruned, remove_unreachable, semi_pruned};
use mini_analysis::dominator_tree::DominatorTree;
use mini_analysis::frontier::Frontiers;
use mini_analysis::frontier_dj;
use mini_analysis::iterated_frontier::IteratedFrontier;
use mini_analysis::iterated_frontier_worklist::Worklist;
use mini_analysis::placement::placements;
use mini_analysis::sample_graphs::random_tac;
use mini_base::testing::Random;
use mini_ir::cfg::Cfg;
use mini_ir::func::Block;

#[test]
fn the_placement_that_is_printed_is_that_of_the_construction() {
    let mut random = Random(31);
    let mut phis = [0; 3];
    for _ in 0..300 {
        let count = 1 + random.below(12);
        let mut func = random_tac(&mut random, count, 5);
        remove_unreachable::run(&mut func);
        new_entry::run(&mut func);
        let tree = DominatorTree::new(&func);
        let places = [minimal::place, semi_pruned::place, pruned::place].map(|place| place(&func, &tree));
        let mut iterated = IteratedFrontier::new(&func, &tree);
        let all = placements(&func, |a| iterated.of(a).to_vec());
        assert_eq!(all.len(), cytron::variables(&func).count());
        for placement in &all {
            let kinds = [&placement.minimal, &placement.semi_pruned, &placement.pruned];
            for ((found, place), count) in kinds.into_iter().zip(&places).zip(&mut phis) {
                let expected: Vec<Block> =
                    func.blocks().filter(|&b| place.of(b).contains(&placement.variable)).collect();
                assert_eq!(*found, expected, "{placement:?}");
                *count += found.len();
            }
        }
        for df in [Frontiers::new(&func, &Cfg::new(&func), &tree), frontier_dj::frontiers(&func, &tree)] {
            let mut worklist = Worklist::new(&func, &df);
            assert_eq!(placements(&func, |a| worklist.of(a)), all);
        }
    }
    assert!(phis[0] > phis[1] && phis[1] > phis[2] && phis[2] > 500, "the functions must be worth testing: {phis:?}");
}
