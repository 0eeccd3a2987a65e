//! Trees as text, and random matrices against the meaning of `match`.

use super::*;
use crate::decision::build::Arm;
use mini_base::testing::Random;

/// A value to be matched.
#[derive(Clone, PartialEq, Debug)]
enum Value {
    Null,
    Some(Box<Value>),
    Bool(bool),
    Number(i64),
    String(Vec<u8>),
    Variant(u32, Vec<Value>),
}

/// The types that the random values have.
#[derive(Clone)]
enum Shape {
    Optional(Box<Shape>),
    Bool,
    Int,
    Byte,
    String,
    Enum(Vec<Vec<Shape>>),
}

fn any(patterns: &mut Patterns) -> PatternId {
    patterns.add(Pattern::Any)
}

fn number(patterns: &mut Patterns, value: i64) -> PatternId {
    patterns.add(Pattern::Numbers(Domain::Int, value, value))
}

fn variant(patterns: &mut Patterns, index: u32, of: u32, parts: &[PatternId]) -> PatternId {
    patterns.add(Pattern::Variant { index, of, parts: parts.to_vec() })
}

fn unguarded(rows: &[PatternId]) -> Vec<Arm> {
    rows.iter().map(|&pattern| Arm { pattern, guarded: false }).collect()
}

#[test]
fn a_plain_enum_is_one_switch() {
    let mut p = Patterns::default();
    let rows = [0, 1, 2].map(|index| variant(&mut p, index, 3, &[]));
    let text = build(&p, &unguarded(&rows)).to_string();
    assert_eq!(text, "n0: variant of value: 0 → n1, 1 → n2, 2 → n3\nn1: arm 0\nn2: arm 1\nn3: arm 2\n");
}

#[test]
fn places_are_looked_at_once_and_trees_shared() {
    // Add(Zero, y), Add(x, Zero), _: the variants Zero and Add are the only ones.
    let mut p = Patterns::default();
    let zero = variant(&mut p, 0, 2, &[]);
    let [x, y] = [1, 2].map(|n| p.add(Pattern::Bind(LocalId::new(n))));
    let rows = [variant(&mut p, 1, 2, &[zero, y]), variant(&mut p, 1, 2, &[x, zero]), any(&mut p)];
    let wanted = "\
n0: variant of value: 1 → n1, else n5
n1: variant of value.1.0: 0 → n2, else n3
n2: arm 0, v2 = value.1.1
n3: variant of value.1.1: 0 → n4, else n5
n4: arm 1, v1 = value.1.0
n5: arm 2
";
    assert_eq!(build(&p, &unguarded(&rows)).to_string(), wanted);
}

#[test]
fn guards_lead_to_what_is_known_there() {
    // Some(0) if …, null | Some(0), _
    let mut p = Patterns::default();
    let zero = number(&mut p, 0);
    let (null, some_zero) = (p.add(Pattern::Null), p.add(Pattern::Some(zero)));
    let either = p.or([null, some_zero].into_iter());
    let rest = any(&mut p);
    let mut arms = unguarded(&[some_zero, either, rest]);
    arms[0].guarded = true;
    let wanted = "\
n0: value is null → n3, else n1
n1: number in value!: from -9223372036854775808 → n4, from 0 → n2, from 1 → n4
n2: arm 0, or n3
n3: arm 1
n4: arm 2
";
    assert_eq!(build(&p, &arms).to_string(), wanted);
}

#[test]
fn strings_are_looked_at_last() {
    let mut p = Patterns::default();
    let (text, one, rest) = (p.add(Pattern::String(b"a".as_slice().into())), number(&mut p, 1), any(&mut p));
    let rows = [variant(&mut p, 0, 1, &[text, one]), rest];
    // The only variant needs no test.
    let wanted = "\
n0: number in value.0.1: from -9223372036854775808 → n3, from 1 → n1, from 2 → n3
n1: string in value.0.0: \"a\" → n2, else n3
n2: arm 0
n3: arm 1
";
    assert_eq!(build(&p, &unguarded(&rows)).to_string(), wanted);
}

#[test]
fn ranges_become_intervals_of_the_domain() {
    let mut p = Patterns::default();
    let low = p.add(Pattern::Numbers(Domain::Byte, 0, 100));
    let high = p.add(Pattern::Numbers(Domain::Byte, 50, 255));
    let text = build(&p, &unguarded(&[low, high])).to_string();
    assert_eq!(text, "n0: number in value: from 0 → n1, from 101 → n2\nn1: arm 0\nn2: arm 1\n");
}

#[test]
fn alternatives_of_many_places_share() {
    // (0 | 1, 0 | 1, …), _
    let mut p = Patterns::default();
    let alternatives = [0, 1].map(|n| variant(&mut p, n, 3, &[]));
    let either = p.or(alternatives.into_iter());
    let rows = [variant(&mut p, 0, 2, &[either; 60]), any(&mut p)];
    assert_eq!(build(&p, &unguarded(&rows)).nodes.len(), 1 + 60 + 2);
}

#[test]
fn many_arms_are_cheap() {
    let mut p = Patterns::default();
    let mut rows: Vec<PatternId> = (0..10_000).map(|n| number(&mut p, n * 3)).collect();
    rows.push(any(&mut p));
    let tree = build(&p, &unguarded(&rows));
    assert_eq!(tree.nodes.len(), 10_002);
    // Guards that may all be asked one after the other: as many nodes, though each has a matrix of its own.
    let x = p.add(Pattern::Bind(LocalId::new(0)));
    let arms = vec![Arm { pattern: x, guarded: true }; 10_000];
    assert!(build(&p, &arms).nodes.len() <= 20_002);
}

/// How many nodes a tree for `parts` patterns may have.
fn bound(p: &Patterns) -> usize {
    (p.size + 64) * (SIZE + 2)
}

#[test]
fn exponential_trees_are_cut_off() {
    // Row i asks for true at the places 2i and 2i+1: which rows are out is a set that grows exponentially.
    let mut p = Patterns::default();
    let (yes, rest) = (p.add(Pattern::Bool(true)), any(&mut p));
    let row = |i: usize| -> Vec<PatternId> { (0..60).map(|c| if c / 2 == i { yes } else { rest }).collect() };
    let mut rows: Vec<PatternId> = Vec::new();
    for i in 0..30 {
        let mut parts = row(i);
        parts.swap(2 * i + 1, (2 * i + 31) % 60);
        rows.push(variant(&mut p, 0, 1, &parts));
    }
    rows.push(rest);
    assert!(build(&p, &unguarded(&rows)).nodes.len() <= bound(&p));
    // Alternatives with variables: each combination binds other places.
    let mut parts = Vec::new();
    for i in 0..40 {
        let x = p.add(Pattern::Bind(LocalId::new(i)));
        let either = [0, 1].map(|n| variant(&mut p, n, 3, &[x]));
        parts.push(p.or(either.into_iter()));
    }
    let rows = [variant(&mut p, 0, 2, &parts), rest];
    assert!(build(&p, &unguarded(&rows)).nodes.len() <= bound(&p));
    // Ranges inside each other, all guarded: as many guards may be asked for one number as there are arms.
    let ranges = (0..2_000).map(|n| p.add(Pattern::Numbers(Domain::Int, n, 10_000 - n)));
    let arms: Vec<Arm> = ranges.map(|pattern| Arm { pattern, guarded: true }).collect();
    assert!(build(&p, &arms).nodes.len() <= bound(&p));
}

fn random_shape(random: &mut Random, depth: usize) -> Shape {
    match random.below(if depth == 0 { 4 } else { 8 }) {
        0 => Shape::Bool,
        1 => Shape::Int,
        2 => Shape::Byte,
        3 => Shape::String,
        4 => match random_shape(random, depth - 1) {
            optional @ Shape::Optional(_) => optional,
            inner => Shape::Optional(Box::new(inner)),
        },
        _ => {
            let variants = 1 + random.below(3);
            let payload = |random: &mut Random| (0..random.below(4)).map(|_| random_shape(random, depth - 1)).collect();
            Shape::Enum((0..variants).map(|_| payload(random)).collect())
        }
    }
}

const STRINGS: &[&[u8]] = &[b"", b"a", b"b", b"ab"];
const INTS: &[i64] = &[i64::MIN, i64::MIN + 1, -1, 0, 1, 2, 3, i64::MAX - 1, i64::MAX];
const BYTES: &[i64] = &[0, 1, 97, 98, 254, 255];

fn random_value(random: &mut Random, shape: &Shape) -> Value {
    match shape {
        Shape::Optional(_) if random.once_in(3) => Value::Null,
        Shape::Optional(inner) => Value::Some(Box::new(random_value(random, inner))),
        Shape::Bool => Value::Bool(random.once_in(2)),
        Shape::Int => Value::Number(INTS[random.below(INTS.len())]),
        Shape::Byte => Value::Number(BYTES[random.below(BYTES.len())]),
        Shape::String => Value::String(STRINGS[random.below(STRINGS.len())].to_vec()),
        Shape::Enum(variants) => {
            let index = random.below(variants.len());
            Value::Variant(index as u32, variants[index].iter().map(|part| random_value(random, part)).collect())
        }
    }
}

/// A pattern that binds `locals` in some order; alternatives bind the same.
fn random_pattern(random: &mut Random, p: &mut Patterns, shape: &Shape, locals: &mut Vec<usize>) -> PatternId {
    if random.once_in(4) {
        let alternatives: Vec<PatternId> =
            (0..2 + random.below(2)).map(|_| random_pattern(random, p, shape, &mut Vec::new())).collect();
        return p.or(alternatives.into_iter());
    }
    if random.once_in(4) {
        return match locals.pop() {
            Some(local) => p.add(Pattern::Bind(LocalId::new(local))),
            None => p.add(Pattern::Any),
        };
    }
    let mut numbers = |random: &mut Random, domain, all: &[i64]| {
        let (a, b) = (all[random.below(all.len())], all[random.below(all.len())]);
        let b = if random.once_in(2) { a } else { b };
        p.add(Pattern::Numbers(domain, a.min(b), a.max(b)))
    };
    match shape {
        Shape::Optional(_) if random.once_in(3) => p.add(Pattern::Null),
        Shape::Optional(inner) => {
            let inner = random_pattern(random, p, inner, locals);
            p.add(Pattern::Some(inner))
        }
        Shape::Bool => p.add(Pattern::Bool(random.once_in(2))),
        Shape::Int => numbers(random, Domain::Int, INTS),
        Shape::Byte => numbers(random, Domain::Byte, BYTES),
        Shape::String => p.add(Pattern::String(STRINGS[random.below(STRINGS.len())].into())),
        Shape::Enum(variants) => {
            let index = random.below(variants.len());
            let parts: Vec<PatternId> =
                variants[index].iter().map(|part| random_pattern(random, p, part, locals)).collect();
            variant(p, index as u32, variants.len() as u32, &parts)
        }
    }
}

type Bound = Vec<(LocalId, Value)>;

/// What a pattern means; the variables in the order of the pattern.
fn matches(p: &Patterns, pattern: PatternId, value: &Value, bound: &mut Bound) -> bool {
    match (&p.all[pattern], value) {
        (Pattern::Any, _) => true,
        (Pattern::Bind(local), value) => {
            bound.push((*local, value.clone()));
            true
        }
        (Pattern::Null, value) => *value == Value::Null,
        (Pattern::Some(inner), Value::Some(value)) => matches(p, *inner, value, bound),
        (Pattern::Bool(wanted), value) => *value == Value::Bool(*wanted),
        (Pattern::Numbers(_, first, last), Value::Number(value)) => (first..=last).contains(&value),
        (Pattern::String(wanted), Value::String(text)) => **wanted == **text,
        (Pattern::Variant { index, parts, .. }, Value::Variant(variant, payload)) => {
            index == variant && parts.iter().zip(payload).all(|(&part, value)| matches(p, part, value, bound))
        }
        (Pattern::Or(alternatives), value) => alternatives.iter().any(|&alternative| {
            let before = bound.len();
            let yes = matches(p, alternative, value, bound);
            if !yes {
                bound.truncate(before);
            }
            yes
        }),
        _ => false, // null, or another variant
    }
}

/// A guard that depends on the arm only.
fn guard(arm: usize, truths: u64) -> bool {
    truths >> (arm % 64) & 1 == 1
}

/// The arm chosen with its variables, and the guards asked, by the meaning of `match`.
fn by_meaning(p: &Patterns, arms: &[Arm], value: &Value, truths: u64) -> (Option<(usize, Bound)>, Vec<usize>) {
    let mut asked = Vec::new();
    for (index, arm) in arms.iter().enumerate() {
        let mut bound = Bound::new();
        if matches(p, arm.pattern, value, &mut bound) {
            if arm.guarded {
                asked.push(index);
                if !guard(index, truths) {
                    continue;
                }
            }
            bound.sort_by_key(|b| b.0);
            return (Some((index, bound)), asked);
        }
    }
    (None, asked)
}

fn value_at(tree: &Tree, place: Place, value: &Value) -> Value {
    let Some((around, step)) = tree.places[place] else { return value.clone() };
    match (value_at(tree, around, value), step) {
        (Value::Some(inner), Step::Payload) => *inner,
        (Value::Variant(index, payload), Step::Field { variant, field }) => {
            assert_eq!(index, variant, "a payload is looked at where its variant is known");
            payload[field as usize].clone()
        }
        _ => panic!("a place inside is looked at where it is there"),
    }
}

/// The same by a tree, which looks at no place twice before it comes to an arm that is tried from the start.
fn by_tree(
    p: &Patterns,
    arms: &[Arm],
    tree: &Tree,
    value: &Value,
    truths: u64,
) -> (Option<(usize, Bound)>, Vec<usize>) {
    let (mut at, mut asked, mut seen) = (NodeId::new(0), Vec::new(), Vec::new());
    loop {
        let next = match &tree.nodes[at] {
            Node::Fail => return (None, asked),
            Node::Arm { arm, bindings, otherwise } => {
                asked.extend(otherwise.map(|_| *arm));
                match otherwise {
                    Some(next) if !guard(*arm, truths) => *next,
                    _ => {
                        let bound = bindings.iter().map(|&(local, place)| (local, value_at(tree, place, value)));
                        return (Some((*arm, bound.collect())), asked);
                    }
                }
            }
            Node::InOrder { arm, otherwise } => {
                let only = [arms[*arm]];
                let (found, guards) = by_meaning(p, &only, value, if guard(*arm, truths) { 1 } else { 0 });
                asked.extend(guards.iter().map(|_| *arm));
                match found {
                    Some((_, bound)) => return (Some((*arm, bound)), asked),
                    None => *otherwise,
                }
            }
            Node::Switch(place, switch) => {
                assert!(!seen.contains(place), "{place} is looked at twice in\n{tree}");
                seen.push(*place);
                follow(switch, &value_at(tree, *place, value))
            }
        };
        assert!(next > at, "nodes are in order");
        at = next;
    }
}

fn follow(switch: &Switch, value: &Value) -> NodeId {
    match (switch, value) {
        (Switch::Null { null, .. }, Value::Null) => *null,
        (Switch::Null { some, .. }, Value::Some(_)) => *some,
        (Switch::Bool { yes, no }, Value::Bool(value)) => {
            if *value {
                *yes
            } else {
                *no
            }
        }
        (Switch::Variant { cases, default }, Value::Variant(index, _)) => {
            let case = cases.iter().find(|c| c.0 == *index).map(|c| c.1);
            case.or(*default).expect("without a default all variants are there")
        }
        (Switch::Numbers(_, parts), Value::Number(number)) => {
            parts.iter().rev().find(|p| p.0 <= *number).expect("they begin with the first").1
        }
        (Switch::String { cases, default }, Value::String(text)) => {
            cases.iter().find(|c| *c.0 == **text).map_or(*default, |c| c.1)
        }
        _ => panic!("a place is looked at as what it is"),
    }
}

#[test]
fn random_matches_mean_what_they_say() {
    let mut random = Random(20);
    let mut chosen = 0;
    for _ in 0..1_500 {
        let shape = random_shape(&mut random, 3);
        let mut p = Patterns::default();
        let mut arms: Vec<Arm> = Vec::new();
        for _ in 0..random.below(7) {
            let pattern = random_pattern(&mut random, &mut p, &shape, &mut vec![3, 1, 2]);
            arms.push(Arm { pattern, guarded: random.once_in(3) });
        }
        let whole = build(&p, &arms);
        let trees = [whole, build::build_within(&p, &arms, random.below(12))];
        for _ in 0..20 {
            let value = random_value(&mut random, &shape);
            let truths = random.below(1 << 16) as u64;
            let wanted = by_meaning(&p, &arms, &value, truths);
            chosen += usize::from(wanted.0.is_some());
            for tree in &trees {
                assert_eq!(by_tree(&p, &arms, tree, &value, truths), wanted, "{value:?} in\n{tree}");
            }
        }
    }
    assert!(chosen > 10_000, "most values match some arm: {chosen}");
}
