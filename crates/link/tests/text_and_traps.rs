//! Executables that write, read and fail, made of hand-assembled machine code.

mod support;

use mini_base::source::Pos;
use mini_x64::code::Target;
use std::fs::File;
use support::*;

/// A program whose start function is what `body` assembles, in a frame of 24 bytes, and that gives `status`.
fn program(body: impl FnOnce(&mut Build, &mut Asm), status: i64) -> Build {
    let mut build = Build::default();
    let mut asm = Asm::enter("main", 24);
    body(&mut build, &mut asm);
    asm.set(RAX, status).leave();
    build.start(asm.done());
    build
}

#[test]
fn a_program_writes_and_its_result_is_the_exit_status() {
    let build = program(
        |build, asm| {
            let hello = build.string(b"hello\n");
            asm.data(RDI, hello).runtime("mini_out_string");
            asm.set(RDI, -42).runtime("mini_out_int");
            asm.set(RDI, 1).runtime("mini_out_bool");
            asm.set(RDI, 200).runtime("mini_out_byte");
            asm.set(RDI, 10).runtime("mini_out_char");
        },
        256 + 7,
    );
    let outcome = build.run();
    assert_eq!((&*outcome.out, &*outcome.err, outcome.status), ("hello\n-42true200\n", "", 7));
    let size = build.link().len();
    assert!(size < 100 << 10, "{size}");
    assert_eq!(build.link(), build.link());
}

#[test]
fn texts_nest() {
    let build = program(
        |build, asm| {
            let (a, quoted) = (build.string(b"a="), build.string(b"q\"\n"));
            asm.runtime("mini_text_begin");
            asm.data(RDI, a).runtime("mini_text_string");
            asm.runtime("mini_text_begin");
            asm.set(RDI, 5).runtime("mini_text_int");
            asm.data(RDI, quoted).runtime("mini_text_quoted");
            asm.runtime("mini_text_end").mov(RDI, RAX).runtime("mini_text_string");
            asm.set(RDI, 0).runtime("mini_text_bool");
            asm.runtime("mini_text_end").mov(RDI, RAX).runtime("mini_out_string");
        },
        0,
    );
    assert_eq!(build.run().out, "a=5\"q\\\"\\n\"false");
}

/// Calls a function of one to three strings and writes the string that it gives.
fn string_function(name: &'static str, args: &[&[u8]]) -> String {
    let build = program(
        |build, asm| {
            for (arg, reg) in args.iter().zip(PARAMS) {
                let string = build.string(arg);
                asm.data(reg, string);
            }
            asm.runtime(name).mov(RDI, RAX).runtime("mini_out_string");
        },
        0,
    );
    let outcome = build.run();
    assert_eq!((&*outcome.err, outcome.status), ("", 0));
    outcome.out
}

#[test]
fn string_functions() {
    assert_eq!(string_function("mini_concat", &[b"ab", b"cd"]), "abcd");
    assert_eq!(string_function("mini_concat", &[b"", b""]), "");
    assert_eq!(string_function("mini_replace", &[b"aXbXc", b"X", b"--"]), "a--b--c");
    assert_eq!(string_function("mini_trim", &[b"  x y\n"]), "x y");
    let long = vec![b'x'; 300_000];
    assert_eq!(string_function("mini_concat", &[&long, b"y"]).len(), 300_001);
}

#[test]
fn results_in_two_registers() {
    let build = program(
        |build, asm| {
            let (text, bad) = (build.string(b"123"), build.string(b"12x"));
            asm.data(RDI, text).runtime("mini_parse_int").mov(RBX, RDX);
            asm.mov(RDI, RAX).runtime("mini_out_int").mov(RDI, RBX).runtime("mini_out_bool");
            asm.data(RDI, bad).runtime("mini_parse_int").mov(RDI, RDX).runtime("mini_out_bool");
            asm.data(RDI, text).runtime("mini_parse_float").mov(RBX, RAX);
            asm.runtime("mini_out_float").mov(RDI, RBX).runtime("mini_out_bool");
            asm.set(RDI, 0).runtime("mini_hash_int").mov(RDI, RAX).runtime("mini_out_int");
            asm.set(RDI, 0).data(RSI, text).runtime("mini_string_eq").mov(RDI, RAX).runtime("mini_out_bool");
            asm.set(RDI, 0).set(RSI, 0).runtime("mini_string_eq").mov(RDI, RAX).runtime("mini_out_bool");
        },
        0,
    );
    assert_eq!(build.run().out, "123truefalse123.0true-2152535657050944081falsetrue");
}

#[test]
fn split_gives_an_array_of_strings_also_under_gc_stress() {
    let build = program(
        |build, asm| {
            let (text, comma) = (build.string(b"one,two,,three"), build.string(b","));
            asm.data(RDI, text).data(RSI, comma).runtime("mini_split").mov(R12, RAX);
            asm.load(RDI, R12, 8).runtime("mini_out_int");
            asm.load(RDI, R12, 16).runtime("mini_out_string");
            asm.load(RDI, R12, 24).runtime("mini_out_string");
            asm.load(RDI, R12, 40).runtime("mini_out_string");
            asm.mov(RDI, R12).set(RSI, 1).set(RDX, 3).runtime("mini_array_slice").mov(R12, RAX);
            asm.load(RDI, R12, 8).runtime("mini_out_int");
            asm.load(RDI, R12, 16).runtime("mini_out_string");
        },
        0,
    );
    assert_eq!(build.run().out, "4onetwothree2two");
    assert_eq!(Run::new(&build.link()).env("MINI_GC_STRESS", "1").go().out, "4onetwothree2two");
}

/// Reads lines and writes each between brackets, until the end.
fn echo_lines() -> Build {
    program(
        |build, asm| {
            let (open, close) = (build.string(b"["), build.string(b"]"));
            let again = asm.here();
            asm.runtime("mini_read_line").mov(RBX, RAX);
            asm.put(&[0x48, 0x85, 0xdb, 0x0f, 0x84]); // test rbx, rbx; je end
            let patch = asm.here();
            asm.put(&[0; 4]);
            asm.data(RDI, open).runtime("mini_out_string").mov(RDI, RBX).runtime("mini_out_string");
            asm.data(RDI, close).runtime("mini_out_string");
            asm.put(&[0xe9]);
            let distance = again as i32 - (asm.here() as i32 + 4);
            asm.put(&distance.to_le_bytes());
            let distance = (asm.here() - patch - 4) as u32;
            asm.code.bytes[patch..patch + 4].copy_from_slice(&distance.to_le_bytes());
        },
        0,
    )
}

#[test]
fn lines_lose_their_line_break_only() {
    let executable = echo_lines().link();
    let lines = |input: &[u8]| Run::new(&executable).input(input).go().out;
    assert_eq!(lines(b""), "");
    assert_eq!(lines(b"a\nb"), "[a][b]");
    assert_eq!(lines(b"a\r\n\n\r\nb\r"), "[a][][][b\r]");
    let long = "x".repeat(200_000);
    assert_eq!(lines(format!("{long}\r\n{long}").as_bytes()), format!("[{long}][{long}]"));
    // A CR at the end of one buffer and its LF at the start of the next.
    let edge = "y".repeat(65535);
    assert_eq!(lines(format!("{edge}\r\nz").as_bytes()), format!("[{edge}][z]"));
    assert_eq!(Run::new(&executable).shell("exec \"$0\" <&-").go().status, 0);
}

#[test]
fn files_are_read_and_written_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("data");
    let path = path.to_str().expect("plain");
    let build = program(
        |build, asm| {
            let (path, data) = (build.string(path.as_bytes()), build.string(b"some\0data"));
            let (bad, directory) = (build.string(b"/nonexistent/x"), build.string(b"/tmp"));
            let (proc, nul) = (build.string(b"/proc/self/cmdline"), build.string(b"/dev/null\0x"));
            asm.data(RDI, path).data(RSI, data).runtime("mini_write_file").mov(RDI, RAX).runtime("mini_out_bool");
            asm.data(RDI, path).runtime("mini_read_file").mov(RDI, RAX).runtime("mini_out_string");
            for path in [bad, directory, nul] {
                asm.data(RDI, path).runtime("mini_read_file").mov(RDI, RAX).runtime("mini_out_int");
            }
            asm.data(RDI, bad).data(RSI, data).runtime("mini_write_file").mov(RDI, RAX).runtime("mini_out_bool");
            asm.data(RDI, proc).runtime("mini_read_file").load(RDI, RAX, 8).mov(RDI, RDI).runtime("mini_out_int");
        },
        0,
    );
    let run = Run::new(&build.link());
    let length = run.path.as_os_str().len() + 1;
    assert_eq!(run.go().out, format!("truesome\0data000false{length}"));
}

#[test]
fn arguments_are_strings() {
    let build = program(
        |_, asm| {
            asm.runtime("mini_args").mov(RBX, RAX);
            asm.load(RDI, RBX, 8).runtime("mini_out_int");
            asm.load(RDI, RBX, 16).runtime("mini_out_string").load(RDI, RBX, 24).runtime("mini_out_string");
        },
        0,
    );
    assert_eq!(Run::new(&build.link()).args(&["a b", "é"]).go().out, "2a bé");
}

/// A program in which `main` calls `inner`, which calls a function of the library with these arguments.
fn failing(function: &'static str, args: &[i64]) -> Build {
    let mut build = Build::default();
    let main_source = build.source("dir/main.mini", "é x\n\n  é inner();\n");
    let text = build.string(b"the text");
    let inner = build.next();
    let mut asm = Asm::enter("inner", 40);
    asm.set(RDI, 1).runtime("mini_out_int");
    for (&arg, reg) in args.iter().zip(PARAMS) {
        asm.set(reg, arg);
    }
    if args.is_empty() {
        asm.data(RDI, text);
    }
    // The call is the last instruction of its function.
    asm.call(Target::Runtime(function), main_source(3));
    build.add(asm.done());
    let mut glue = Asm::enter("glue", 8).hidden();
    let glue_id = build.next();
    glue.call(Target::Function(inner), Pos::NONE).leave();
    build.add(glue.done());
    let mut main = Asm::enter("main", 24);
    main.call(Target::Function(glue_id), main_source(10)).leave();
    build.start(main.done());
    build
}

#[test]
fn run_time_errors_say_what_and_where() {
    let cases: [(&'static str, &[i64], &str); 9] = [
        ("mini_trap_bounds", &[5, 3], "index out of bounds: the index is 5 but the length is 3"),
        ("mini_trap_slice", &[-1, 4, 3], "slice out of bounds: -1..4 of length 3"),
        ("mini_trap_null", &[0], "null unwrapped"),
        ("mini_trap_division", &[0], "division by zero"),
        ("mini_trap_length", &[i64::MIN], "negative array length: -9223372036854775808"),
        ("mini_trap_step", &[0], "step is zero"),
        ("mini_panic", &[], "panic: the text"),
        ("mini_assert_failed_with", &[], "assertion failed: the text"),
        ("mini_global_too_early", &[], "global read before initialisation: the text"),
    ];
    for (function, args, text) in cases {
        let outcome = failing(function, args).run();
        let want = format!("runtime error: {text}\n  --> dir/main.mini:1:3\n  in inner\n  in main\n");
        assert_eq!((outcome.err, &*outcome.out, outcome.status), (want, "1", 101));
    }
}

#[test]
fn a_hidden_function_lends_its_callers_position() {
    let mut build = Build::default();
    let at = build.source("a.mini", "one\ntwo\n");
    let mut helper = Asm::enter("helper", 8).hidden();
    let id = build.next();
    helper.runtime("mini_assert_failed");
    build.add(helper.done());
    let mut main = Asm::enter("main", 24);
    main.call(Target::Function(id), at(5));
    build.start(main.done());
    assert_eq!(build.run().err, "runtime error: assertion failed\n  --> a.mini:2:2\n  in main\n");
}

#[test]
fn exit_flushes_and_keeps_the_low_bits() {
    let build = program(
        |_, asm| {
            asm.set(RDI, 3).runtime("mini_out_int").set(RDI, -1).runtime("mini_exit");
        },
        0,
    );
    let outcome = build.run();
    assert_eq!((&*outcome.out, outcome.status), ("3", 255));
}

/// Recursion without end: `down` has a frame of `frame` bytes, made with one page probe after another.
fn recursion(frame: u32, middle: impl FnOnce(&mut Asm)) -> Build {
    let mut build = Build::default();
    let at = build.source("deep.mini", "fn down() {\n    down()\n}\n");
    let down = build.next();
    let mut asm = Asm::enter("down", 0);
    asm.put(&[0x41, 0x54, 0x53]); // push r12; push rbx
    let mut left = frame;
    while left > 4096 {
        asm.put(&[0x48, 0x81, 0xec]).put(&4096u32.to_le_bytes());
        asm.put(&[0x48, 0x83, 0x0c, 0x24, 0x00]); // or qword [rsp], 0
        left -= 4096;
    }
    asm.put(&[0x48, 0x81, 0xec]).put(&left.to_le_bytes());
    asm.code.frame_size = frame + 16;
    middle(&mut asm);
    asm.call(Target::Function(down), at(16)).leave();
    build.add(asm.done());
    let mut main = Asm::enter("main", 24);
    main.set(RDI, 9).runtime("mini_out_int");
    main.call(Target::Function(down), at(3)).leave();
    build.start(main.done());
    build
}

/// Runs with so little address space that the stack is small: quick to fill.
fn run_on_a_small_stack(build: &Build) -> Outcome {
    Run::new(&build.link()).shell("ulimit -v 40000; exec \"$0\"").go()
}

fn check_overflow(outcome: &Outcome) -> u64 {
    assert_eq!((&*outcome.out, outcome.status), ("9", 101), "{}", outcome.err);
    let lines: Vec<&str> = outcome.err.lines().collect();
    assert_eq!(lines[..2], ["runtime error: stack overflow", "  --> deep.mini:2:5"]);
    assert!(lines[2..34].iter().all(|l| *l == "  in down"), "{}", outcome.err);
    let more = lines[34].strip_prefix("  … ").and_then(|l| l.strip_suffix(" more")).expect(lines[34]);
    assert_eq!(lines.len(), 35);
    more.parse().expect("a number")
}

#[test]
fn endless_recursion_is_a_run_time_error() {
    let frames = check_overflow(&recursion(104, |_| ()).run());
    assert!(frames > 1_000_000, "{frames}");
    check_overflow(&recursion(100_008, |_| ()).run());
}

#[test]
fn endless_recursion_is_caught_wherever_it_ends() {
    let check = |frame: u32, middle: fn(&mut Asm)| _ = check_overflow(&run_on_a_small_stack(&recursion(frame, middle)));
    // In the library.
    check(8, |asm| _ = asm.set(RDI, 5).runtime("mini_hash_int"));
    // In the middle of a page, at each of the pushes, at the call.
    for frame in [8, 24, 40, 56, 72, 1000, 1016, 4088, 12_296] {
        check(frame, |_| ());
    }
    // In the body, where the frame has no probe: a store at the frame's lower end.
    check(8008, |asm| _ = asm.put(&[0x48, 0x89, 0x04, 0x24]));
}

#[test]
fn the_stack_does_not_depend_on_the_limit() {
    let executable = recursion(1000, |_| ()).link();
    check_overflow(&Run::new(&executable).shell("ulimit -s 256; exec \"$0\"").go());
    // With little address space it is smaller, but works.
    let outcome = Run::new(&executable).shell("ulimit -v 600000; exec \"$0\"").go();
    assert!(check_overflow(&outcome) > 100_000);
}

#[test]
fn other_faults_are_not_hidden() {
    let build = program(|_, asm| _ = asm.set(RAX, 16).load(RDI, RAX, 0), 0);
    let outcome = build.run();
    assert_eq!(outcome.status, 128 + 11);
    assert!(outcome.err.starts_with("internal error: "), "{}", outcome.err);
}

#[test]
fn a_closed_pipe_ends_the_program_quietly() {
    let build = program(
        |build, asm| {
            let line = build.string(b"yes yes yes yes yes yes\n");
            asm.set(RBX, 1_000_000);
            let again = asm.here();
            asm.data(RDI, line).runtime("mini_out_string").loop_to(RBX, again);
        },
        0,
    );
    let executable = build.link();
    let outcome = Run::new(&executable).shell("(\"$0\"; echo $? >&2) | head -1").go();
    assert_eq!((&*outcome.out, &*outcome.err), ("yes yes yes yes yes yes\n", "141\n"));
    // A reader that takes everything in small pieces gets everything.
    let outcome = Run::new(&executable).shell("\"$0\" | cksum; \"$0\" | dd bs=100 2>/dev/null | cksum").go();
    let sums: Vec<&str> = outcome.out.lines().collect();
    assert_eq!(sums[0], sums[1]);
    assert!(sums[0].ends_with(" 24000000"), "{}", sums[0]);
}

#[test]
fn a_full_disk_is_reported_once() {
    let small = program(|_, asm| _ = asm.set(RDI, 1).runtime("mini_out_int"), 0).link();
    let full = || File::options().write(true).open("/dev/full").expect("there");
    let outcome = Run::new(&small).stdout(full()).go();
    assert_eq!((&*outcome.err, outcome.status), ("error: cannot write to stdout: no space left on device\n", 101));
    let outcome = Run::new(&small).shell("exec \"$0\" >&-").go();
    assert_eq!((&*outcome.err, outcome.status), ("error: cannot write to stdout: it is closed\n", 101));
    // A program that writes nothing does not notice.
    let silent = program(|_, _| (), 5).link();
    assert_eq!(Run::new(&silent).stdout(full()).go().status, 5);
    // Found in a run-time error, it is still only one message.
    let failing = failing("mini_trap_null", &[0]).link();
    let outcome = Run::new(&failing).stdout(full()).go();
    assert_eq!((outcome.err.lines().count(), outcome.status), (1, 101));
}
