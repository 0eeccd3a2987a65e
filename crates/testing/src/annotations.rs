//! Analyses held against what is written at the blocks: textual IR whose label lines say what is true of the block.
//!
//! ```text
//! b1:  ; idom: b0  df: b1  loop: b1 1
//! ```
//!
//! | kind | what follows it |
//! |---|---|
//! | `idom` | the immediate dominator; `-` at the entry |
//! | `pdom` | the immediate post-dominator; `(exit)` if that is the virtual exit |
//! | `df` | the dominance frontier, in any order |
//! | `loop` | the header of the innermost natural loop around the block, and how many loops are around it; `-` if none is |
//! | `region` | the entries of the irreducible region that the block is in, in any order; `-` if it is in none |
//! | `live-in`, `live-out` | the values that are live at the start and at the end, in any order |
//!
//! A kind that appears in a function must appear at every block that control can reach; at the others only `live-in` and `live-out` may.
//! Every algorithm for a kind is run. What is not understood is an error, and so is a file without annotations.

use mini_analysis::dominator_tree::DominatorTree;
use mini_analysis::frontier::Frontiers;
use mini_analysis::liveness::Liveness;
use mini_analysis::loops::LoopForest;
use mini_analysis::postdominators::PostDominatorTree;
use mini_analysis::{
    dominators_chk, dominators_iterative, dominators_lengauer_tarjan, dominators_semi_nca, frontier_dj,
    liveness_iterative,
};
use mini_ir::cfg::Cfg;
use mini_ir::func::{Block, Func, Value};
use mini_ir::text::{parse_module, value_text};
use mini_ir::verify::verify_module;
use std::fs;
use std::path::Path;

/// What can be said of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Idom,
    Pdom,
    Df,
    Loop,
    Region,
    LiveIn,
    LiveOut,
}

const KINDS: [(&str, Kind); 7] = [
    ("idom", Kind::Idom),
    ("pdom", Kind::Pdom),
    ("df", Kind::Df),
    ("loop", Kind::Loop),
    ("region", Kind::Region),
    ("live-in", Kind::LiveIn),
    ("live-out", Kind::LiveOut),
];

/// One kind at one block.
struct Annotation {
    line: usize,
    block: Block,
    kind: Kind,
    words: Vec<String>,
}

/// Checks a file.
pub fn check_file(source: &Path) -> Result<(), String> {
    check(&fs::read_to_string(source).map_err(|error| error.to_string())?)
}

/// Checks a text.
fn check(text: &str) -> Result<(), String> {
    let module = parse_module(text).map_err(|error| error.to_string())?;
    verify_module(&module).map_err(|errors| errors[0].to_string())?;
    let mut lines = text.lines().enumerate().peekable();
    let mut total = 0;
    // Lines before the first function, and then those of each.
    while lines.next_if(|(_, line)| !begins_function(line)).is_some() {}
    for func in &module.funcs {
        let mut found = Vec::new();
        lines.next();
        while let Some((n, line)) = lines.next_if(|(_, line)| !begins_function(line)) {
            read_line(func, n + 1, line, &mut found)?;
        }
        total += found.len();
        check_complete(func, &found)?;
        for annotation in &found {
            check_words(func, annotation)?;
        }
        for (algorithm, results) in results(func) {
            for annotation in &found {
                if let Some(result) = results(annotation.kind, annotation.block) {
                    compare(func, annotation, algorithm, result)?;
                }
            }
        }
    }
    if total == 0 { Err("there are no annotations".into()) } else { Ok(()) }
}

fn begins_function(line: &str) -> bool {
    line.split_whitespace().find(|word| !["hidden", "flat", "ssa", "cssa"].contains(word)) == Some("func")
}

/// Reads the annotations of a line.
fn read_line(func: &Func, n: usize, line: &str, found: &mut Vec<Annotation>) -> Result<(), String> {
    let Some((code, comment)) = line.split_once(';') else { return Ok(()) };
    let words: Vec<&str> = comment.split_whitespace().collect();
    let Some(first) = words.iter().position(|word| word.ends_with(':')) else { return Ok(()) };
    if first > 0 {
        return Err(format!("line {n}: `{}` stands before the first annotation", words[..first].join(" ")));
    }
    let label = code.trim().strip_suffix(':').map(|head| head.split('(').next().unwrap_or(head));
    let Some(label) = label else { return Err(format!("line {n}: annotations stand behind labels")) };
    let Some(block) = func.blocks().find(|&block| func.label(block) == label) else {
        return Err(format!("line {n}: there is no block `{label}` in `{}`", func.name));
    };
    for word in words {
        match (word.strip_suffix(':'), found.last_mut()) {
            (Some(name), _) => {
                let Some(&(_, kind)) = KINDS.iter().find(|kind| kind.0 == name) else {
                    return Err(format!("line {n}: there is no kind `{name}`"));
                };
                if found.iter().any(|other| other.block == block && other.kind == kind) {
                    return Err(format!("line {n}: `{name}` stands there twice"));
                }
                found.push(Annotation { line: n, block, kind, words: Vec::new() });
            }
            (None, Some(annotation)) => annotation.words.push(word.to_string()),
            (None, None) => unreachable!("the first word is a kind"),
        }
    }
    Ok(())
}

/// Every kind at every block, or at none.
fn check_complete(func: &Func, found: &[Annotation]) -> Result<(), String> {
    let tree = DominatorTree::new(func);
    for (name, kind) in KINDS {
        let has = |block: Block| found.iter().any(|other| other.block == block && other.kind == kind);
        if !found.iter().any(|annotation| annotation.kind == kind) {
            continue;
        }
        for block in func.blocks() {
            let of_paths = !matches!(kind, Kind::LiveIn | Kind::LiveOut);
            match (has(block), tree.is_reachable(block)) {
                (false, true) => {
                    return Err(format!("`{}` in `{}` has no `{name}`, as others have", func.label(block), func.name));
                }
                (true, false) if of_paths => {
                    return Err(format!("control can't reach `{}`: it has no `{name}`", func.label(block)));
                }
                (true, _) | (false, false) => {}
            }
        }
    }
    Ok(())
}

/// Whether the words name things that there are, as many as the kind has.
fn check_words(func: &Func, annotation: &Annotation) -> Result<(), String> {
    let words = &annotation.words;
    let fail = |what: String| Err(format!("line {}: {what}", annotation.line));
    let is_label = |word: &String| func.blocks().any(|block| func.label(block) == *word);
    let is_value = |word: &String| values(func).any(|value| value_text(func, value) == *word);
    let (count_fits, unknown) = match annotation.kind {
        Kind::Idom => (words.len() == 1, words.iter().find(|word| *word != "-" && !is_label(word))),
        Kind::Pdom => (words.len() == 1, words.iter().find(|word| *word != "(exit)" && !is_label(word))),
        Kind::Df => (true, words.iter().find(|word| !is_label(word))),
        Kind::Loop => {
            let fits = words.len() == 2 || (words.len() == 1 && words[0] == "-");
            (fits, words.iter().take(1).find(|word| *word != "-" && !is_label(word)))
        }
        Kind::Region => (!words.is_empty(), words.iter().find(|word| *word != "-" && !is_label(word))),
        Kind::LiveIn | Kind::LiveOut => (true, words.iter().find(|word| !is_value(word))),
    };
    if let Some(word) = unknown {
        return fail(format!("there is no `{word}` in `{}`", func.name));
    }
    if !count_fits {
        return fail(format!("`{:?}` has {} words", annotation.kind, words.len()));
    }
    let mut sorted = words.clone();
    sorted.sort();
    sorted.dedup();
    if sorted.len() < words.len() && annotation.kind != Kind::Loop {
        return fail("a word stands there twice".into());
    }
    Ok(())
}

/// What an algorithm says of a kind at a block, in words; `None` for kinds that it has nothing to say of.
type Results<'f> = Box<dyn Fn(Kind, Block) -> Option<Vec<String>> + 'f>;

/// All algorithms.
fn results(func: &Func) -> Vec<(&'static str, Results<'_>)> {
    let cfg = Cfg::new(func);
    let labels = move |blocks: &[Block]| blocks.iter().map(|&b| func.label(b)).collect::<Vec<String>>();
    let mut all: Vec<(&'static str, Results<'_>)> = Vec::new();
    for (name, tree) in [
        ("iterative", dominators_iterative::dominators(func, &cfg)),
        ("chk", dominators_chk::dominators(func, &cfg)),
        ("lengauer-tarjan", dominators_lengauer_tarjan::dominators(func, &cfg)),
        ("semi-nca", dominators_semi_nca::dominators(func, &cfg)),
    ] {
        let of = move |block| vec![tree.idom(block).map_or("-".to_string(), |b| func.label(b))];
        all.push((name, Box::new(move |kind, block| (kind == Kind::Idom).then(|| of(block)))));
    }
    let tree = DominatorTree::new(func);
    for (name, frontiers) in
        [("runner", Frontiers::new(func, &cfg, &tree)), ("dj", frontier_dj::frontiers(func, &tree))]
    {
        let of = move |kind, block| (kind == Kind::Df).then(|| labels(frontiers.of(block)));
        all.push((name, Box::new(of)));
    }
    let post = PostDominatorTree::new(func, &cfg);
    let of = move |block| vec![post.ipdom(block).map_or("(exit)".to_string(), |b| func.label(b))];
    all.push(("post-dominators", Box::new(move |kind, block| (kind == Kind::Pdom).then(|| of(block)))));
    let forest = LoopForest::new(func, &cfg, &tree);
    let none = || vec!["-".to_string()];
    let of = move |kind, block| match kind {
        Kind::Loop => Some(
            forest
                .innermost(block)
                .map_or_else(none, |l| vec![func.label(forest.header(l)), forest.depth(l).to_string()]),
        ),
        Kind::Region => {
            let region = forest.irreducible_regions().iter().find(|region| region.blocks.contains(&block));
            Some(region.map_or_else(none, |region| labels(&region.entries)))
        }
        Kind::Idom | Kind::Pdom | Kind::Df | Kind::LiveIn | Kind::LiveOut => None,
    };
    all.push(("loops", Box::new(of)));
    let names = move |values: &[Value]| Some(values.iter().map(|&v| value_text(func, v)).collect::<Vec<String>>());
    for (name, liveness) in [("paths", Liveness::new(func, &cfg)), ("iterative", liveness_iterative::liveness(func))] {
        let of = move |kind, block| match kind {
            Kind::LiveIn => names(liveness.live_in(block)),
            Kind::LiveOut => names(liveness.live_out(block)),
            Kind::Idom | Kind::Pdom | Kind::Df | Kind::Loop | Kind::Region => None,
        };
        all.push((name, Box::new(of)));
    }
    all
}

fn compare(func: &Func, annotation: &Annotation, algorithm: &str, mut result: Vec<String>) -> Result<(), String> {
    let mut wanted = annotation.words.clone();
    if annotation.kind != Kind::Loop {
        wanted.sort();
        result.sort();
    }
    if wanted == result {
        return Ok(());
    }
    let (line, label) = (annotation.line, func.label(annotation.block));
    let (wanted, result) = (wanted.join(" "), result.join(" "));
    Err(format!("line {line}: {:?} of `{label}` by {algorithm} is `{result}`, not `{wanted}`", annotation.kind))
}

fn values(func: &Func) -> impl Iterator<Item = Value> {
    func.blocks()
        .flat_map(|block| {
            let params = func.block_params(block).iter().copied();
            params.chain(func.insts(block).flat_map(|inst| func.results(inst).to_vec()))
        })
        .chain(func.params.iter().copied())
}

#[cfg(test)]
mod tests {
    use super::*;

    const RIGHT: &str = "\
func f(c: bool) {
a:  ; idom: -  df:  pdom: d  live-out: c
  br c, b, d
b:  ; idom: a  df: b d  pdom: d  live-out: c
  br c, b, d
d:  ; idom: a  df:  pdom: (exit)  live-out:
  ret
e:  ; a block that control can't reach
  jmp d
}
";

    #[test]
    fn what_is_true_is_accepted() {
        assert_eq!(check(RIGHT), Ok(()));
    }

    #[test]
    fn what_is_wrong_missing_or_unknown_is_not() {
        for (old, new, wanted) in [
            ("idom: a  df: b d", "idom: b  df: b d", "line 4: Idom of `b` by iterative is `a`, not `b`"),
            ("df: b d", "df: d", "Df of `b` by runner is `b d`, not `d`"),
            ("pdom: (exit)", "pdom: b", "Pdom of `d` by post-dominators"),
            ("live-out: c\n  br c, b, d\nd", "live-out:\n  br c, b, d\nd", "LiveOut of `b`"),
            ("idom: a  df:  pdom", "df:  pdom", "`d` in `f` has no `idom`"),
            ("idom: -", "idoms: -", "there is no kind `idoms`"),
            ("df: b d", "df: b q", "there is no `q` in `f`"),
            ("df: b d", "df: b d d", "a word stands there twice"),
            ("df: b d", "df: b d  idom: a", "`idom` stands there twice"),
            ("idom: -", "idom: - b", "`Idom` has 2 words"),
            ("; a block", "; idom: a", "control can't reach `e`"),
            ("; a block", "; see df: a", "`see` stands before"),
            ("  ret", "  ret ; df: a", "annotations stand behind labels"),
            ("live-out: c", "live-out: x", "there is no `x` in `f`"),
        ] {
            assert!(RIGHT.contains(old), "{old}");
            let error = check(&RIGHT.replacen(old, new, 1)).expect_err(new);
            assert!(error.contains(wanted), "{new}: {error}");
        }
        assert!(check("func f() {\na:\n  ret\n}\n").is_err_and(|error| error.contains("no annotations")));
    }
}
