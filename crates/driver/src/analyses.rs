//! The analyses that `minic emit` prints, by the algorithms that options choose.

use crate::failure::Failure;
use crate::options::{Dominators, Frontier, Liveness, Options};
use mini_analysis::dominator_tree::DominatorTree;
use mini_analysis::frontier::Frontiers;
use mini_analysis::iterated_frontier::IteratedFrontier;
use mini_analysis::iterated_frontier_worklist::Worklist;
use mini_analysis::placement::{placements, print_placements};
use mini_analysis::print::{print_dominator_tree, print_frontiers, print_liveness};
use mini_analysis::{
    dominators_chk, dominators_iterative, dominators_lengauer_tarjan, dominators_semi_nca, frontier_dj, liveness,
    liveness_iterative, orders,
};
use mini_ir::cfg::Cfg;
use mini_ir::func::{Block, Func};
use mini_ssa::{new_entry, remove_unreachable};

/// Blocks in layout order with their predecessors and successors.
pub fn print_cfg(func: &Func) -> String {
    let cfg = Cfg::new(func);
    let labels = |blocks: Vec<Block>| {
        let labels: Vec<String> = blocks.into_iter().map(|b| func.label(b)).collect();
        if labels.is_empty() { "-".to_string() } else { labels.join(" ") }
    };
    let mut text = format!("control flow of {}\n", func.name);
    for block in func.blocks() {
        let from = labels(cfg.predecessors(func, block).collect());
        let to = labels(func.successors(block).map(|edge| func.edge_target(edge)).collect());
        text += &format!("  {:<12} from {from:<24} to {to}\n", func.label(block));
    }
    text
}

/// The dominator tree.
pub fn print_dom(func: &Func, options: &Options) -> Result<String, Failure> {
    Ok(print_dominator_tree(func, &dominators(func, options.dominators)?))
}

/// The dominance frontiers.
pub fn print_frontier(func: &Func, options: &Options) -> Result<String, Failure> {
    let tree = dominators(func, options.dominators)?;
    Ok(print_frontiers(func, &tree, &frontiers(func, &tree, options.frontier.unwrap_or_default())))
}

/// Where phis go. If an algorithm for frontiers is chosen, by a worklist over its sets, otherwise without sets.
pub fn print_placement(func: &Func, options: &Options) -> Result<String, Failure> {
    // What construction does first.
    let mut func = func.clone();
    remove_unreachable::run(&mut func);
    new_entry::run(&mut func);
    let func = &func;
    let tree = dominators(func, options.dominators)?;
    let all = match options.frontier {
        Some(algorithm) => {
            let frontiers = frontiers(func, &tree, algorithm);
            let mut worklist = Worklist::new(func, &frontiers);
            placements(func, |a| worklist.of(a))
        }
        None => {
            let mut iterated = IteratedFrontier::new(func, &tree);
            placements(func, |a| iterated.of(a).to_vec())
        }
    };
    Ok(print_placements(func, &all))
}

/// What is live at the borders of blocks.
pub fn print_live(func: &Func, options: &Options) -> Result<String, Failure> {
    let result = match options.liveness {
        Liveness::Paths => liveness::Liveness::new(func, &Cfg::new(func)),
        Liveness::Iterative => {
            let (blocks, values) = (func.block_count(), func.value_count());
            if blocks.saturating_mul(values) > liveness_iterative::MOST_BITS {
                return Err(Failure::Usage(format!(
                    "`--liveness iterative` keeps a set of values for each block, and `{}` has {values} values in {blocks} \
                     blocks; `--liveness paths` has no limit",
                    func.name
                )));
            }
            liveness_iterative::liveness(func)
        }
    };
    Ok(print_liveness(func, &result))
}

fn dominators(func: &Func, algorithm: Dominators) -> Result<DominatorTree, Failure> {
    let cfg = Cfg::new(func);
    Ok(match algorithm {
        Dominators::SemiNca => dominators_semi_nca::dominators(func, &cfg),
        Dominators::Chk => dominators_chk::dominators(func, &cfg),
        Dominators::LengauerTarjan => dominators_lengauer_tarjan::dominators(func, &cfg),
        Dominators::Iterative => {
            let (count, most) = (orders::reachable(func).count(), dominators_iterative::MOST_BLOCKS);
            if count > most {
                return Err(Failure::Usage(format!(
                    "`--dominators iterative` keeps a set of blocks for each block, and `{}` has {count}, more than {most}; \
                     `--dominators chk` and the others have no limit",
                    func.name
                )));
            }
            dominators_iterative::dominators(func, &cfg)
        }
    })
}

fn frontiers(func: &Func, tree: &DominatorTree, algorithm: Frontier) -> Frontiers {
    match algorithm {
        Frontier::Runner => Frontiers::new(func, &Cfg::new(func), tree),
        Frontier::Dj => frontier_dj::frontiers(func, tree),
    }
}
