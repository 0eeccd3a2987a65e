//! The collector, driven through the inline allocation path by hand-assembled machine code.

mod support;

use mini_base::source::Pos;
use mini_x64::code::Target;
use std::time::Instant;
use support::*;

const NODE: u32 = 24; // header, next, number

/// Allocates `count` nodes; keeps a list of those whose turn comes every `keep`, headed by a global; then adds the kept numbers up.
fn garbage(count: i64, keep: i64) -> Build {
    let mut build = Build::default();
    let at = build.source("g.mini", "garbage\n");
    let node = build.desc(0, NODE, &[8]);
    let globals = build.globals(24);
    let mut asm = Asm::enter("main", 40);
    asm.set(RBX, count).set(R13, keep);
    let again = asm.here();
    asm.alloc(node, NODE, at(0)).store(RAX, 16, RBX);
    asm.put(&[0x49, 0xff, 0xcd, 0x0f, 0x85]); // dec r13; jne over
    let patch = asm.here();
    asm.put(&[0; 4]);
    asm.set(R13, keep).data(R12, globals).load(RCX, R12, 8).store(RAX, 8, RCX).store(R12, 8, RAX);
    let distance = (asm.here() - patch - 4) as u32;
    asm.code.bytes[patch..patch + 4].copy_from_slice(&distance.to_le_bytes());
    asm.loop_to(RBX, again);
    // Sum of the list.
    asm.data(R12, globals).load(RBX, R12, 8).set(RDI, 0);
    asm.put(&[0x48, 0x85, 0xdb, 0x74, 13]); // again: test rbx, rbx; je end
    asm.put(&[0x48, 0x03, 0x7b, 16]).load(RBX, RBX, 8); // add rdi, [rbx + 16]; mov rbx, [rbx + 8]
    asm.put(&[0xeb, 0]);
    let here = asm.here();
    asm.code.bytes[here - 1] = (-18i8) as u8;
    asm.runtime("mini_out_int").set(RAX, 0).leave();
    build.start(asm.done());
    build
}

/// What `garbage` adds up: the numbers count, count - 1, … that come every `keep`.
fn kept_sum(count: i64, keep: i64) -> i64 {
    (1..=count / keep).map(|i| count - i * keep + 1).sum()
}

#[test]
fn reachable_objects_survive() {
    for (count, keep) in [(1000, 1), (3_000_000, 1), (5_000_000, 7), (20_000_000, 1000)] {
        let outcome = garbage(count, keep).run();
        assert_eq!((outcome.out, &*outcome.err), (kept_sum(count, keep).to_string(), ""));
    }
}

#[test]
fn reachable_objects_survive_a_collection_at_every_allocation() {
    let executable = garbage(3000, 3).link();
    let outcome = Run::new(&executable).env("MINI_GC_STRESS", "1").go();
    assert_eq!((outcome.out, &*outcome.err), (kept_sum(3000, 3).to_string(), ""));
}

#[test]
fn garbage_is_reused() {
    let begun = Instant::now();
    let outcome = garbage(100_000_000, 1 << 40).run(); // 2.4 GB
    assert_eq!(outcome.out, "0");
    assert!(outcome.peak < 100 << 20, "{} bytes", outcome.peak);
    assert!(begun.elapsed().as_secs() < 20);
}

#[test]
fn a_heap_limit_is_an_out_of_memory_error() {
    let executable = garbage(10_000_000, 1).link();
    let outcome = Run::new(&executable).env("MINI_HEAP_LIMIT", "64M").go();
    assert_eq!((&*outcome.err, outcome.status), ("runtime error: out of memory\n  --> g.mini:1:1\n  in main\n", 101));
    assert!(outcome.peak < 90 << 20, "{} bytes", outcome.peak);
    // What fits, fits; and garbage alone needs little.
    let outcome = Run::new(&garbage(2_000_000, 1).link()).env("MINI_HEAP_LIMIT", "64M").go();
    assert_eq!(outcome.out, kept_sum(2_000_000, 1).to_string());
    let outcome = Run::new(&garbage(10_000_000, 100_000).link()).env("MINI_HEAP_LIMIT", "2M").go();
    assert_eq!(outcome.out, kept_sum(10_000_000, 100_000).to_string());
    // The same when the system refuses.
    let outcome = Run::new(&executable).shell("ulimit -v 200000; exec \"$0\"").go();
    assert!(outcome.err.starts_with("runtime error: out of memory\n"), "{}", outcome.err);
}

#[test]
fn slow_allocation_keeps_every_register() {
    // All registers get patterns, then objects are allocated until windows have been refilled many times.
    let mut build = Build::default();
    let node = build.desc(0, 2048, &[]);
    let mut asm = Asm::enter("main", 24);
    let kept: Vec<u8> = (2..16).filter(|r| ![4, 7].contains(r)).collect(); // not rsp; rdi is the argument
    for &r in &kept {
        asm.set(Reg(r), 0x0101_0101 * i64::from(r));
    }
    for x in 0..16u8 {
        asm.put(&[0x66, 0x48 | x >> 3 << 2, 0x0f, 0x6e, 0xc0 | (x & 7) << 3 | 2]); // movq xmm, rdx
        asm.put(&[0x66]);
        if x >= 8 {
            asm.put(&[0x45]);
        }
        asm.put(&[0x0f, 0x6c, 0xc0 | ((x & 7) * 9)]); // punpcklqdq xmm, xmm
    }
    asm.data(RDI, node);
    for _ in 0..200 {
        asm.call(Target::Runtime("mini_alloc_slow"), Pos::NONE);
    }
    // Add everything up: each register times one, so that a change shows.
    asm.mov(RAX, RDI);
    for &r in &kept {
        asm.put(&[0x48 | r >> 3 << 2, 0x01, 0xc0 | (r & 7) << 3]); // add rax, r
    }
    for x in 0..16u8 {
        asm.put(&[0x66, 0x48 | x >> 3 << 2, 0x0f, 0x7e, 0xc1 | (x & 7) << 3]); // movq rcx, xmm
        asm.put(&[0x48, 0x01, 0xc8]); // add rax, rcx
        asm.put(&[0x66]);
        if x >= 8 {
            asm.put(&[0x41]);
        }
        asm.put(&[0x0f, 0x73, 0xd8 | x & 7, 8]); // psrldq xmm, 8
        asm.put(&[0x66, 0x48 | x >> 3 << 2, 0x0f, 0x7e, 0xc1 | (x & 7) << 3, 0x48, 0x01, 0xc8]);
    }
    asm.data(RCX, node).put(&[0x48, 0x29, 0xc8]); // sub rax, rcx
    asm.mov(RDI, RAX).runtime("mini_out_int").set(RAX, 0).leave();
    build.start(asm.done());
    let sum: i64 = kept.iter().map(|&r| i64::from(r)).sum();
    let want = 0x0101_0101 * (sum + 32 * 2);
    assert_eq!(build.run().out, want.to_string());
    assert_eq!(Run::new(&build.link()).env("MINI_GC_STRESS", "1").go().out, want.to_string());
}

/// Makes arrays of `len` elements of a stride `count` times, keeping the last in r12; writes its length and two elements.
fn arrays(stride: u32, len: i64, count: i64) -> Build {
    let mut build = Build::default();
    let at = build.source("a.mini", "array\n");
    let desc = build.desc(1, stride, &[]);
    let mut asm = Asm::enter("main", 24);
    asm.set(RBX, count);
    let again = asm.here();
    asm.data(RDI, desc).set(RSI, len).call(Target::Runtime("mini_alloc_array"), at(0)).mov(R12, RAX);
    // Elements are zero when the array is new; then they are not.
    asm.load(R13, R12, 16).store(R12, 16, RBX);
    asm.loop_to(RBX, again);
    asm.load(RDI, R12, 8).runtime("mini_out_int").mov(RDI, R13).runtime("mini_out_int");
    asm.load(RDI, R12, 16).runtime("mini_out_int").set(RAX, 0).leave();
    build.start(asm.done());
    build
}

#[test]
fn arrays_of_all_sizes_are_zeroed_and_reused() {
    for len in [1, 2, 10, 100, 1000, 4000, 5000, 8191, 10_000, 100_000, 490_000, 1_000_000] {
        let count = (80 << 20) / (len * 8);
        let outcome = arrays(8, len, count).run();
        assert_eq!((outcome.out, &*outcome.err), (format!("{len}01"), ""));
        assert!(outcome.peak < 120 << 20, "{} bytes for {len}", outcome.peak);
    }
    let outcome = Run::new(&arrays(8, 20_000, 50).link()).env("MINI_GC_STRESS", "1").go();
    assert_eq!(outcome.out, "2000001");
}

#[test]
fn impossible_arrays_are_out_of_memory() {
    for len in [i64::MAX, i64::MAX / 8, 1 << 50, 1 << 42, 1 << 38] {
        let outcome = arrays(8, len, 1).run();
        assert_eq!(outcome.err, "runtime error: out of memory\n  --> a.mini:1:1\n  in main\n", "{len}");
    }
}

#[test]
fn interior_pointers_and_arrays_of_references_keep_objects() {
    let mut build = Build::default();
    let refs = build.desc(1, 8, &[0]);
    let node = build.desc(0, NODE, &[8]);
    let mut asm = Asm::enter("main", 24);
    const N: i64 = 100_000;
    asm.data(RDI, refs).set(RSI, N).runtime("mini_alloc_array").mov(R12, RAX);
    // Only a pointer into the middle remains.
    asm.put(&[0x49, 0x81, 0xc4]).put(&(16 + 8 * N as u32 - 8).to_le_bytes()); // add r12, offset of the last element
    asm.set(RBX, N);
    let again = asm.here();
    asm.alloc(node, NODE, Pos::NONE).store(RAX, 16, RBX).store(R12, 0, RAX);
    asm.put(&[0x49, 0x83, 0xec, 8]); // sub r12, 8
    asm.loop_to(RBX, again);
    asm.set(RAX, 0);
    // A second array, of garbage, to make collections happen.
    asm.set(RBX, 5_000_000);
    let again = asm.here();
    asm.alloc(node, NODE, Pos::NONE).loop_to(RBX, again);
    // r12 is at the last word of the header part: the length. Add up the numbers of all nodes.
    asm.set(RDI, 0).set(RBX, N);
    let again = asm.here();
    asm.put(&[0x49, 0x83, 0xc4, 8]); // add r12, 8
    asm.load(RAX, R12, 0).put(&[0x48, 0x03, 0x78, 16]); // add rdi, [rax + 16]
    asm.loop_to(RBX, again);
    asm.runtime("mini_out_int").set(RAX, 0).leave();
    build.start(asm.done());
    let outcome = build.run();
    assert_eq!((outcome.out, &*outcome.err), ((N * (N + 1) / 2).to_string(), ""));
}

#[test]
fn start_up_takes_little_time() {
    let mut build = Build::default();
    let mut asm = Asm::enter("main", 8);
    asm.set(RAX, 0).leave();
    build.start(asm.done());
    let executable = build.link();
    let begun = Instant::now();
    for _ in 0..100 {
        build.link();
    }
    let link = begun.elapsed() / 100;
    assert!(link.as_micros() < 5000, "{link:?}");
    // Run a few hundred times in one shell: process creation included, far below what a slow start would take.
    let begun = Instant::now();
    assert_eq!(Run::new(&executable).shell("i=0; while [ $i -lt 200 ]; do \"$0\"; i=$((i+1)); done").go().status, 0);
    let each = begun.elapsed() / 200;
    assert!(each.as_millis() < 20, "{each:?}");
    println!("link {link:?}, run {each:?}");
}
