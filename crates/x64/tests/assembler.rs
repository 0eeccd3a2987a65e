//! The assembly text assembles to the bytes that we encode: here what other tests don't reach, and that differences show.
//! (Every executed test compares as well.)

mod common;

use common::{allocators, assemble, compile, differences, parse, text};

/// A chain of blocks with branches over varying distances, many right at the limits of short ones.
fn branches(seed: u64) -> String {
    let mut out = String::from("cssa func main() -> int {\nentry1:\n  %1 = load_global g\n  br %1, b1, b0\n");
    let mut random = seed;
    let mut next = || {
        random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (random >> 33) as usize
    };
    let blocks = 300;
    for b in 0..blocks {
        out += &format!("b{b}:\n");
        for _ in 0..next() % 6 {
            out +=
                "  %X = load_global n\n  store_global n, %X\n".replace('X', &format!("{}", 1000 + out.len())).as_str();
        }
        let c = 1000 + out.len();
        let near = |n: usize| (b + blocks + n - 6) % blocks;
        out += &format!("  %{c} = load_global g\n  br %{c}, b{}, b{}\n", near(next() % 13), near(7));
    }
    format!("global g: bool\nglobal n: int\n{out}}}\n")
}

#[test]
fn branches_have_the_sizes_that_the_assembler_chooses() {
    let folder = tempfile::tempdir().expect("there is room for temporary files");
    for seed in 0..8 {
        let module = parse(&branches(seed));
        for (i, options) in allocators().into_iter().enumerate() {
            let program = compile(&module, options);
            let object = assemble(folder.path(), &format!("branches{seed}_{i}"), &text(&program));
            assert_eq!(differences(&object, &program), Vec::<String>::new());
        }
        let program = compile(&module, allocators()[0]);
        let bytes = &program.functions.iter().next().expect("one function").bytes;
        let near = bytes.windows(2).filter(|w| w[0] == 0x0f && w[1] & 0xf0 == 0x80).count();
        let short = bytes.iter().filter(|b| **b & 0xf0 == 0x70).count();
        assert!(near > 20 && short > 20, "both sizes occur: {near} {short}");
    }
}

#[test]
fn differences_are_found() {
    let module = parse("cssa func main() -> int {\nentry1:\n  %1 = const 300\n  %2 = rt hash_int(%1)\n  ret %2\n}\n");
    let program = compile(&module, allocators()[0]);
    let folder = tempfile::tempdir().expect("there is room for temporary files");
    let object = assemble(folder.path(), "good", &text(&program));
    assert!(differences(&object, &program).is_empty());
    let mut other = program.clone();
    for code in other.functions.iter_mut() {
        code.bytes[6] ^= 1;
    }
    assert_eq!(differences(&object, &other).len(), 1);
    let mut other = program.clone();
    for code in other.functions.iter_mut() {
        code.relocations[0].addend += 1;
    }
    assert_eq!(differences(&object, &other).len(), 1);
}

#[test]
fn names_that_are_registers_or_no_identifiers() {
    let module = parse(
        "cssa func rax() -> int {\nentry1:\n  %1 = const 1\n  ret %1\n}
cssa func \"closure in a::b<[int]>\"() -> int {\nentry1:\n  %1 = call rax()\n  ret %1\n}
cssa func größe() -> int {\nentry1:\n  %1 = call \"closure in a::b<[int]>\"()\n  ret %1\n}
cssa func main() -> int {\nentry1:\n  %1 = call größe()\n  ret %1\n}\n",
    );
    assert_eq!(common::run(&compile(&module, allocators()[0])), Some(1));
}
