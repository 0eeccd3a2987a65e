//! The table of all passes, and how they are found by name.
//!
//! The order of the table is the order in which a reader wants to meet them. What runs when is the driver's pipeline.

use crate::info::{Changed, PassInfo, Role};
use mini_base::near;
use mini_ir::func::Phase;
use mini_opt::{copy_propagation, dead_code, simplify, value_numbering};
use mini_ssa::{
    braun, coalesce, cssa_copies, mem2reg, minimal, naive_copies, pruned, reaching_def, remove_unreachable,
    semi_pruned, split_critical_edges, variables_to_slots, webs_to_variables,
};

const ANY: &[Phase] = &[Phase::Tac, Phase::Ssa, Phase::Cssa];

/// All passes.
pub static PASSES: &[PassInfo] = &[
    PassInfo {
        name: "remove_unreachable",
        file: "crates/ssa/src/remove_unreachable.rs",
        input: ANY,
        output: None,
        role: Role::Optional,
        summary: "removes blocks that control can't reach",
        keeps: "the order of the other blocks",
        source: "Aho et al. 2006",
        run: |func, _| changed(remove_unreachable::run(func)),
    },
    PassInfo {
        name: "minimal",
        file: "crates/ssa/src/minimal.rs",
        input: &[Phase::Tac],
        output: Some(Phase::Ssa),
        role: Role::Construction,
        summary: "constructs minimal SSA: phis wherever assignments meet, renaming over the dominator tree",
        keeps: "temporaries, instructions and their order, names",
        source: "Cytron et al. 1991; Sreedhar and Gao 1995",
        run: |func, _| {
            minimal::run(func);
            Changed::Yes
        },
    },
    PassInfo {
        name: "semi_pruned",
        file: "crates/ssa/src/semi_pruned.rs",
        input: &[Phase::Tac],
        output: Some(Phase::Ssa),
        role: Role::Construction,
        summary: "constructs semi-pruned SSA: phis of variables that live across a block boundary",
        keeps: "temporaries, instructions and their order, names",
        source: "Briggs et al. 1998; Sreedhar and Gao 1995",
        run: |func, _| {
            semi_pruned::run(func);
            Changed::Yes
        },
    },
    PassInfo {
        name: "pruned",
        file: "crates/ssa/src/pruned.rs",
        input: &[Phase::Tac],
        output: Some(Phase::Ssa),
        role: Role::Construction,
        summary: "constructs pruned SSA: phis where assignments meet and the variable is live",
        keeps: "temporaries, instructions and their order, names",
        source: "Cytron et al. 1991; Choi et al. 1991; Sreedhar and Gao 1995",
        run: |func, _| {
            pruned::run(func);
            Changed::Yes
        },
    },
    PassInfo {
        name: "reaching_def",
        file: "crates/ssa/src/reaching_def.rs",
        input: &[Phase::Tac],
        output: Some(Phase::Ssa),
        role: Role::Construction,
        summary: "constructs pruned SSA, renaming by chains of reaching definitions in place of stacks",
        keeps: "temporaries, instructions and their order, names",
        source: "Rastello and Bouchez Tichadou (eds.) 2022",
        run: |func, _| {
            reaching_def::run(func);
            Changed::Yes
        },
    },
    PassInfo {
        name: "braun",
        file: "crates/ssa/src/braun.rs",
        input: &[Phase::Tac],
        output: Some(Phase::Ssa),
        role: Role::Construction,
        summary: "constructs pruned SSA on the fly, without dominators and liveness",
        keeps: "temporaries, instructions and their order, names",
        source: "Braun et al. 2013",
        run: |func, _| {
            braun::run(func);
            Changed::Yes
        },
    },
    PassInfo {
        name: "variables_to_slots",
        file: "crates/ssa/src/variables_to_slots.rs",
        input: &[Phase::Tac],
        output: Some(Phase::Ssa),
        role: Role::Construction,
        summary: "constructs SSA without phis: variables in stack slots, reads as loads, assignments as stores",
        keeps: "temporaries, instructions and their order, names",
        source: "Lattner and Adve 2004",
        run: |func, _| {
            variables_to_slots::run(func);
            Changed::Yes
        },
    },
    PassInfo {
        name: "mem2reg",
        file: "crates/ssa/src/mem2reg.rs",
        input: &[Phase::Ssa],
        output: None,
        role: Role::Optional,
        summary: "promotes stack slots whose address doesn't escape: phis where stores meet, loads become values",
        keeps: "other instructions and their order, names",
        source: "Cytron et al. 1991; Sreedhar and Gao 1995",
        run: |func, _| {
            let blocks = func.layout().len();
            let promoted = mem2reg::run(func);
            changed(promoted + blocks - func.layout().len())
        },
    },
    PassInfo {
        name: "copy_propagation",
        file: "crates/opt/src/copy_propagation.rs",
        input: &[Phase::Ssa],
        output: None,
        role: Role::Optional,
        summary: "removes every copy; its uses use the source",
        keeps: "everything else, and its order",
        source: "Appel and Palsberg 2002",
        run: |func, _| changed(copy_propagation::run(func)),
    },
    PassInfo {
        name: "simplify",
        file: "crates/opt/src/simplify.rs",
        input: &[Phase::Ssa],
        output: None,
        role: Role::Optional,
        summary: "folds constants, applies algebraic identities, makes jumps of branches on constants",
        keeps: "traps, effects, order",
        source: "Muchnick 1997",
        run: |func, info| changed(simplify::run(func, info)),
    },
    PassInfo {
        name: "value_numbering",
        file: "crates/opt/src/value_numbering.rs",
        input: &[Phase::Ssa],
        output: None,
        role: Role::Optional,
        summary: "removes what was computed before on every path, and parameters that are equal or have one argument",
        keeps: "blocks and edges, effects, the first of equal traps, order",
        source: "Briggs, Cooper and Simpson 1997",
        run: |func, info| changed(value_numbering::run(func, info)),
    },
    PassInfo {
        name: "dead_code",
        file: "crates/opt/src/dead_code.rs",
        input: &[Phase::Ssa],
        output: None,
        role: Role::Optional,
        summary: "removes instructions and parameters that nothing needed uses, around loops too",
        keeps: "blocks and edges, traps, effects, order",
        source: "Cytron et al. 1991",
        run: |func, _| changed(dead_code::run(func)),
    },
    PassInfo {
        name: "split_critical_edges",
        file: "crates/ssa/src/split_critical_edges.rs",
        input: ANY,
        output: None,
        role: Role::Optional,
        summary: "puts a block on every edge from a block with several ways out to one with several ways in",
        keeps: "values, parameters, the order of the old blocks",
        source: "Rastello and Bouchez Tichadou (eds.) 2022",
        run: |func, _| changed(split_critical_edges::run(func)),
    },
    PassInfo {
        name: "cssa_copies",
        file: "crates/ssa/src/cssa_copies.rs",
        input: &[Phase::Ssa],
        output: Some(Phase::Cssa),
        role: Role::Destruction,
        summary: "makes SSA conventional by a parallel copy at the end of each predecessor",
        keeps: "instructions and their order",
        source: "Sreedhar et al. 1999; Boissinot et al. 2009",
        run: |func, _| {
            cssa_copies::run(func);
            Changed::Yes
        },
    },
    PassInfo {
        name: "coalesce",
        file: "crates/ssa/src/coalesce.rs",
        input: &[Phase::Cssa],
        output: None,
        role: Role::Optional,
        summary: "removes copies whose two sides can live in one place",
        keeps: "blocks, edges, all other instructions and their order",
        source: "Boissinot et al. 2009",
        run: |func, _| changed(coalesce::run(func)),
    },
    PassInfo {
        name: "naive_copies",
        file: "crates/ssa/src/naive_copies.rs",
        input: &[Phase::Ssa],
        output: Some(Phase::Tac),
        role: Role::Destruction,
        summary: "wrong on purpose, to be looked at: phis as assignments one after another (the lost copy, the swap)",
        keeps: "blocks, instructions and their order; not what the program does",
        source: "Cytron et al. 1991; Briggs et al. 1998",
        run: |func, _| {
            naive_copies::run(func);
            Changed::Yes
        },
    },
    PassInfo {
        name: "webs_to_variables",
        file: "crates/ssa/src/webs_to_variables.rs",
        input: &[Phase::Cssa],
        output: Some(Phase::Tac),
        role: Role::Destruction,
        summary: "makes a variable of each phi web and a sequence of each parallel copy: three-address code again",
        keeps: "instructions and their order, blocks",
        source: "Sreedhar et al. 1999; Boissinot et al. 2009",
        run: |func, _| {
            webs_to_variables::run(func);
            Changed::Yes
        },
    },
];

fn changed(changes: usize) -> Changed {
    if changes > 0 { Changed::Yes } else { Changed::No }
}

/// Why a list of passes is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ListError {
    /// There is no pass of that name.
    Unknown {
        /// What was asked for.
        name: String,
        /// Names that may have been meant, the nearest first.
        near: Vec<&'static str>,
    },
    /// A pass does not take the phase that the passes before it leave.
    Phase {
        /// The pass.
        pass: &'static str,
        /// The phase that it would be given.
        given: Phase,
    },
}

impl std::fmt::Display for ListError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ListError::Unknown { name, near } if near.is_empty() => {
                write!(f, "there is no pass `{name}`")
            }
            ListError::Unknown { name, near } => {
                write!(f, "there is no pass `{name}`; did you mean `{}`?", near.join("` or `"))
            }
            ListError::Phase { pass, given } => {
                write!(f, "pass `{pass}` does not take {}", phase_name(*given))
            }
        }
    }
}

impl std::error::Error for ListError {}

/// The pass of that name; `-` is taken for `_`.
pub fn find(name: &str) -> Result<&'static PassInfo, ListError> {
    let name = &*name.replace('-', "_");
    PASSES.iter().find(|pass| pass.name == name).ok_or_else(|| ListError::Unknown {
        name: name.to_string(),
        near: near::matches(name, PASSES.iter().map(|pass| pass.name)),
    })
}

/// The passes of a list that the compiler itself has written: all of them exist.
pub fn find_all(names: &[&'static str]) -> Vec<&'static PassInfo> {
    names.iter().map(|name| find(name).expect("the pipeline's passes are in the table")).collect()
}

/// The passes of a list `a,b,c`, to be run on a function of that phase.
pub fn parse_list(list: &str, phase: Phase) -> Result<Vec<&'static PassInfo>, ListError> {
    let names = list.split(',').map(str::trim).filter(|name| !name.is_empty());
    let passes = names.map(find).collect::<Result<Vec<_>, _>>()?;
    let mut given = phase;
    for pass in &passes {
        if !pass.input.contains(&given) {
            return Err(ListError::Phase { pass: pass.name, given });
        }
        given = pass.output.unwrap_or(given);
    }
    Ok(passes)
}

/// A phase as people name it.
pub fn phase_name(phase: Phase) -> &'static str {
    match phase {
        Phase::Tac => "TAC",
        Phase::Ssa => "SSA",
        Phase::Cssa => "CSSA",
    }
}

/// All passes as text: what `minic passes` shows.
pub fn describe() -> String {
    let mut text = String::new();
    for pass in PASSES {
        let input: Vec<&str> = pass.input.iter().map(|&phase| phase_name(phase)).collect();
        let output = pass.output.map_or("the same", phase_name);
        text += &format!("{} ({})\n  {}\n", pass.name, pass.role.name(), pass.summary);
        text += &format!(
            "  in: {}; out: {output}; keeps: {}\n  source: {}; file: {}\n",
            input.join(" "),
            pass.keeps,
            pass.source,
            pass.file
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_found() {
        for (n, pass) in PASSES.iter().enumerate() {
            assert!(std::ptr::eq(find(pass.name).expect("the table's own name"), pass));
            assert!(PASSES[..n].iter().all(|other| other.name != pass.name));
            assert!(describe().contains(pass.summary));
        }
    }

    #[test]
    fn roles_fit_the_phases() {
        for pass in PASSES {
            let fits = match pass.role {
                Role::Construction => pass.input == [Phase::Tac] && pass.output == Some(Phase::Ssa),
                Role::Destruction => {
                    !pass.input.contains(&Phase::Tac) && pass.output.is_some_and(|to| to != Phase::Ssa)
                }
                Role::Optional => pass.output.is_none(),
            };
            assert!(fits, "{}", pass.name);
        }
        let shown = describe();
        assert!(
            ["braun (into SSA)\n", "cssa_copies (out of SSA)\n", "dead_code (optional)\n"]
                .iter()
                .all(|line| shown.contains(line))
        );
    }

    #[test]
    fn unknown_names_list_near_matches() {
        let error = find("split_critical_edge").expect_err("no such pass");
        assert_eq!(error.to_string(), "there is no pass `split_critical_edge`; did you mean `split_critical_edges`?");
        assert_eq!(find("xyz").expect_err("no such pass").to_string(), "there is no pass `xyz`");
    }

    #[test]
    fn a_list_must_fit_the_phases() {
        assert_eq!(parse_list("pruned, cssa_copies,remove_unreachable", Phase::Tac).expect("fits").len(), 3);
        let error = parse_list("pruned,pruned", Phase::Tac).expect_err("does not fit");
        assert_eq!(error.to_string(), "pass `pruned` does not take SSA");
    }
}
