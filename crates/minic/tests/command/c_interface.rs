//! Programs that are part Mini, part C. They need a C compiler, as such programs do.

use super::{Folder, Result, finish, minic};
use std::path::Path;
use std::process::Command;

/// Runs the C compiler in the test's folder.
fn cc(folder: &Folder, args: &[&str]) {
    let mut command = Command::new("cc");
    command.current_dir(folder.folder.path()).args(args);
    let compiled = command.output().expect("these tests need a C compiler: install gcc and libc6-dev");
    assert!(compiled.status.success(), "cc {args:?}: {}", String::from_utf8_lossy(&compiled.stderr));
}

/// Makes `p` of `lib.mini` and `main.c`.
fn link(folder: &Folder, mini: &str, c: &str, options: &[&str]) {
    folder.file("lib.mini", mini);
    folder.file("main.c", c);
    for args in [
        &["build", "lib.mini", "--emit", "obj"][..],
        &["build", "lib.mini", "--emit", "header"],
        &["runtime-lib", "libmini.a"],
    ] {
        let built = folder.minic(args);
        assert_eq!((built.status, &*built.stderr), (Some(0), ""), "{args:?}");
    }
    let mut args = vec!["-Wall", "-Werror", "-O1", "main.c", "lib.o", "libmini.a", "-o", "p"];
    args.extend(options);
    cc(folder, &args);
}

/// Runs `p`.
fn run(folder: &Folder, args: &[&str], environment: &[(&str, &str)]) -> Result {
    let mut command = Command::new(folder.path("p"));
    command.args(args).envs(environment.iter().copied());
    finish(command, b"")
}

fn example(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/c").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn the_example_that_calls_c_works() {
    let folder = Folder::new();
    folder.file("calls_c.mini", example("calls_c.mini"));
    folder.file("helper.c", example("helper.c"));
    for stress in ["0", "1"] {
        let mut command = minic();
        command.current_dir(folder.folder.path()).env("MINI_GC_STRESS", stress);
        let ran = finish_with(command, &["run", "--link", "helper.c", "calls_c.mini"]);
        assert_eq!((ran.status, ran.stdout, &*ran.stderr), (Some(0), example("calls_c.out"), ""));
    }
}

#[test]
fn the_example_that_c_calls_works() {
    let folder = Folder::new();
    folder.file("scores.mini", example("scores.mini"));
    folder.file("main.c", example("main.c"));
    for args in [
        &["build", "scores.mini", "--emit", "obj"][..],
        &["build", "scores.mini", "--emit", "header"],
        &["runtime-lib", "libmini.a"],
    ] {
        let built = folder.minic(args);
        assert_eq!((built.status, &*built.stderr), (Some(0), ""), "{args:?}");
    }
    cc(&folder, &["-Wall", "-Werror", "main.c", "scores.o", "libmini.a", "-o", "p"]);
    for stress in ["0", "1"] {
        let ran = run(&folder, &[], &[("MINI_GC_STRESS", stress)]);
        assert_eq!((ran.status, ran.stdout, &*ran.stderr), (Some(0), example("scores.out"), ""));
    }
}

fn finish_with(mut command: Command, args: &[&str]) -> Result {
    command.args(args);
    finish(command, b"")
}

const LIBRARY: &str = r#"
extern fn c_again(n: int) -> int;
let table = [1, 2, 3];
let words = args();
pub fn total(a: [int]) -> int { let s = 0; for x in a { s += x; } s }
pub fn ints(a: int, b: int, c: int, d: int, e: int, f: int, g: int, h: int) -> int {
    a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h
}
pub fn floats(a: float, b: float, c: float, d: float, e: float, f: float, g: float, h: float, i: float, n: int, j: float) -> float {
    a + b + c + d + e + f + g + h + i * 10.0 + j * 100.0 + float(n)
}
pub fn element(i: int) -> int { table[i] }
pub fn greet(name: string) { print("hello,", name); }
pub fn kinds(a: bool, b: byte, c: [bool], d: [byte], e: [float]) -> bool { print(a, b, c, d, e, words); !a }
pub fn low(b: byte) -> byte { byte(int(b) + 1) }
pub fn deep(n: int) -> int { if n == 0 { 0 } else { 1 + deep(n - 1) } }
pub fn through_c(n: int) -> int { c_again(n) + 1 }
pub fn stop(code: int) { print("stopping"); exit(code); }
fn main() { print("the main function of Mini"); }
"#;

const MAIN: &str = r#"
#include "lib.h"
#include <pthread.h>
#include <stdio.h>
#include <string.h>

int64_t c_again(int64_t n) { return n < 0 ? element(5) : 2 * n; }
static void *other(void *array) { return (void *)total(array); }

/* Mini's functions as a caller sees them that leaves garbage above a byte. */
typedef uint64_t (*wide)(uint64_t, uint64_t);

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    if (!strcmp(what, "unstarted")) element(1);
    mini_start();
    mini_start();
    int64_t numbers[] = {1, 2, 3};
    int64_t *array = mini_ints(numbers, 3);
    printf("%lld %lld\n", (long long)total(array), (long long)mini_length(array));
    printf("%lld\n", (long long)ints(1, 2, 3, 4, 5, 6, 7, 8));
    printf("%g\n", floats(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
    uint8_t bytes[] = {0, 2, 255};
    double reals[] = {0.5, 1e300};
    volatile wide as_wide = (wide)low;
    uint8_t negated = kinds(1, 200, mini_bools(bytes, 3), mini_bytes(bytes, 3), mini_floats(reals, 2));
    printf("%d %d %d\n", negated, low(255), (int)as_wide(0xabcdef01, 0));
    greet("one");
    printf("two\n");
    greet("three");
    printf("%lld %lld\n", (long long)deep(1000), (long long)through_c(4));
    if (!strcmp(what, "bounds")) element(7);
    if (!strcmp(what, "nested")) through_c(-1);
    if (!strcmp(what, "null")) greet(NULL);
    if (!strcmp(what, "array")) total(numbers);
    if (!strcmp(what, "kind")) total((int64_t *)mini_bytes(bytes, 3));
    if (!strcmp(what, "no array")) total(NULL);
    if (!strcmp(what, "negative")) mini_ints(numbers, -1);
    if (!strcmp(what, "large")) mini_ints(NULL, INT64_MAX);
    if (!strcmp(what, "deep")) deep(1000000000);
    if (!strcmp(what, "exit")) stop(7);
    if (!strcmp(what, "thread")) {
        pthread_t thread;
        pthread_create(&thread, 0, other, array);
        pthread_join(thread, 0);
    }
    greet("end");
    return 3;
}
"#;

const OUTPUT: &str = "6 3\n204\n1236\ntrue 200 [false, true, true] [0, 2, 255] [0.5, 1e300] []\n0 0 2\nhello, one\ntwo\nhello, three\n1000 9\n";

#[test]
fn c_calls_mini_with_all_kinds_of_arguments() {
    let folder = Folder::new();
    for options in [&[][..], &["-no-pie"], &["-static"]] {
        link(&folder, LIBRARY, MAIN, options);
        for stress in ["0", "1"] {
            let ran = run(&folder, &[], &[("MINI_GC_STRESS", stress)]);
            let wanted = format!("{OUTPUT}hello, end\n");
            assert_eq!((ran.status, ran.stdout, &*ran.stderr), (Some(3), wanted, ""), "{options:?} {stress}");
        }
    }
}

#[test]
fn errors_in_mini_end_the_c_program() {
    let folder = Folder::new();
    link(&folder, LIBRARY, MAIN, &[]);
    let not_array = "runtime error: C passed something else than a Mini array for `a` of `total`\n";
    for (what, stderr) in [
        (
            "bounds",
            "runtime error: index out of bounds: the index is 7 but the length is 3\n  --> lib.mini:12:33\n  in element\n",
        ),
        (
            "nested",
            "runtime error: index out of bounds: the index is 5 but the length is 3\n  --> lib.mini:12:33\n  in element\n  in through_c\n",
        ),
        ("null", "runtime error: C passed NULL for the string `name` of `greet`\n"),
        ("array", not_array),
        ("kind", not_array),
        ("no array", not_array),
        ("large", "runtime error: out of memory\n"),
        ("negative", "error: C asked for an array with a negative number of elements\n"),
        ("thread", "error: C called Mini on another stack or thread than the one on which it called mini_start()\n"),
    ] {
        let ran = run(&folder, &[what], &[]);
        let wanted = OUTPUT.replace("[]\n", &format!("[\"{what}\"]\n"));
        assert_eq!((ran.status, ran.stdout, &*ran.stderr), (Some(101), wanted, stderr), "{what}");
    }
    let unstarted = run(&folder, &["unstarted"], &[]);
    assert_eq!(
        (unstarted.status, &*unstarted.stderr),
        (Some(101), "error: C called Mini before it called mini_start()\n")
    );
    let deep = run(&folder, &["deep"], &[]);
    assert_eq!(deep.status, Some(101));
    assert!(
        deep.stderr.starts_with("runtime error: stack overflow\n  --> lib.mini:16:57\n  in deep\n"),
        "{}",
        deep.stderr
    );
    assert!(deep.stdout.ends_with("1000 9\n"));
    let exit = run(&folder, &["exit"], &[]);
    assert_eq!((exit.status, exit.stdout.ends_with("1000 9\nstopping\n")), (Some(7), true), "{exit:?}");
}

#[test]
fn without_a_main_in_c_the_one_of_mini_runs() {
    let folder = Folder::new();
    link(&folder, LIBRARY, "#include <stdint.h>\nint64_t c_again(int64_t n) { return n; }\n", &[]);
    let ran = run(&folder, &[], &[]);
    assert_eq!((ran.status, &*ran.stdout), (Some(0), "the main function of Mini\n"));
}

#[test]
fn a_mini_library_can_be_a_shared_one() {
    let folder = Folder::new();
    let c = "int64_t add(int64_t, int64_t);\nvoid mini_start(void);\n#include <stdio.h>\nint main(void) { mini_start(); printf(\"%d\\n\", (int)add(1, 2)); }\n";
    let c = format!("#include <stdint.h>\n{c}");
    link(&folder, "pub fn add(a: int, b: int) -> int { print(\"adding\"); a + b }", &c, &[]);
    cc(&folder, &["-shared", "lib.o", "-Wl,--whole-archive", "libmini.a", "-Wl,--no-whole-archive", "-o", "libadd.so"]);
    cc(&folder, &["main.c", "-L.", "-ladd", "-Wl,-rpath,$ORIGIN", "-o", "p"]);
    let ran = run(&folder, &[], &[]);
    assert_eq!((ran.status, &*ran.stdout), (Some(0), "adding\n3\n"));
}

const CALLER: &str = r#"
extern fn wide(a: bool, b: byte, n: int) -> bool;
extern fn next(b: byte) -> byte;
extern fn many(a: int, b: float, c: string, d: [int], e: bool, f: byte, g: [float], h: string, i: float, j: int) -> float;
extern fn snprintf(to: [byte], size: int, format: string, n: int, x: float, s: string) -> int;
extern fn empty(a: [int]) -> int;
extern fn churn(a: [int], b: [byte], s: string) -> int;
pub fn garbage(n: int) -> int { let s = ""; for i in 0..n { s = s + string(i); } s.len() }
pub fn sum(a: [int]) -> int { let s = 0; for x in a { s += x; } s }
fn keep(n: int) -> int { churn([n, n + 1, n + 2], [byte(n); 3], "text " + string(n)) }
fn main() -> int {
    print(wide(true, 'a', 5), wide(false, 'b', 6));
    print(next('\xff'), next('a'));
    print(many(1, 2.0, "three", [4, 44], true, 'f', [7.0], "", 9.5, 10));
    let buffer = [byte(0); 40];
    let length = snprintf(buffer, 40, "%ld %g %s", 7, 2.5, "end");
    print(string_from_bytes(buffer[..length]));
    let total = 0;
    for i in 0..20 { total += keep(i); }
    print(total);
    let empties = 0;
    for _ in 0..20 { empties += empty([]); }
    print(empties);
    print(sum([]));
    4
}
"#;

const CALLED: &str = r#"
#include <stdint.h>
#include <stdio.h>
#include <string.h>
int64_t garbage(int64_t);
int64_t sum(int64_t *);
int64_t *mini_ints(const int64_t *, int64_t);
int64_t mini_length(const void *);

/* Results with garbage above the byte, arguments whose registers are seen as a whole. */
uint64_t wide(uint64_t a, uint64_t b, int64_t n) {
    printf("%llx %llx %lld\n", (unsigned long long)a, (unsigned long long)b, (long long)n);
    return a ? 0x100 : 0xffffff80;
}
uint64_t next(uint64_t b) { return 0xabc00 + b + 1; }
double many(int64_t a, double b, const char *c, int64_t *d, uint8_t e, uint8_t f, double *g, const char *h, double i, int64_t j) {
    return a + b + strlen(c) + d[0] + d[1] + e + f + g[0] + strlen(h) + i + j;
}
/* The address of an element that is not there keeps no array: Mini has to. */
int64_t empty(int64_t *a) {
    for (int i = 0; i < 3; i++) {
        garbage(100);
        mini_ints(0, 0)[0] = 77;
    }
    return sum(a) + mini_length(a);
}
/* Mini collects several times while C has its arrays. */
int64_t churn(int64_t *a, uint8_t *b, const char *s) {
    int64_t *mine = mini_ints(a, 3), *none = mini_ints(0, 0);
    int64_t result = garbage(300) + sum(a) + sum(mine) + sum(none) + mini_length(s);
    garbage(300);
    return result + a[0] + a[2] + b[2] + strlen(s) + mine[1];
}
"#;

#[test]
fn mini_calls_c_with_all_kinds_of_arguments() {
    let folder = Folder::new();
    folder.file("p.mini", CALLER);
    folder.file("called.c", CALLED);
    // A round: garbage 790, the sums 3n+3 and 3n+3, a[0], a[2], b[2] and mine[1] 4n+3, the text twice 5 + digits.
    let total: i64 = (0..20).map(|n| 790 + 2 * (3 * n + 3) + 4 * n + 3 + 2 * (5 + if n < 10 { 1 } else { 2 })).sum();
    let stdout = format!(
        "1 61 5\n0 62 6\nfalse true\n0 98\n{:.1}\n7 2.5 end\n{total}\n0\n0\n",
        1.0 + 2.0 + 5.0 + 48.0 + 1.0 + 102.0 + 7.0 + 9.5 + 10.0
    );
    for regalloc in ["linear-scan", "spill-everything"] {
        let built = folder.minic(["build", "p.mini", "--link", "called.c", "--regalloc", regalloc]);
        assert_eq!((built.status, &*built.stderr), (Some(0), ""));
        for stress in ["0", "1"] {
            let ran = run(&folder, &[], &[("MINI_GC_STRESS", stress)]);
            assert_eq!((ran.status, &*ran.stdout, &*ran.stderr), (Some(4), &*stdout, ""), "{regalloc} {stress}");
        }
    }
}

#[test]
fn a_program_with_c_keeps_what_mini_promises() {
    let folder = Folder::new();
    let source = "
extern fn abs_of(n: int) -> int;
fn deep(n: int) -> int { if n == 0 { abs_of(-1) } else { deep(n - 1) + 1 } }
fn endless(n: int) -> int { endless(n + 1) + 1 }
fn main() {
    print(deep(1000000), args());
    if args().len() > 0 { print(endless(0)); }
    for i in 0..100000 { print(i); }
}";
    folder.file("p.mini", source);
    folder.file("abs.c", "#include <stdint.h>\nint64_t abs_of(int64_t n) { return n < 0 ? -n : n; }\n");
    let built = folder.minic(["build", "p.mini", "--link", "abs.c"]);
    assert_eq!((built.status, &*built.stderr), (Some(0), ""));
    let deep = run(&folder, &[], &[]);
    assert_eq!((deep.status, deep.stdout.lines().count()), (Some(0), 100_001), "{}", deep.stderr);
    assert!(deep.stdout.starts_with("1000001 []\n"));
    let overflow = run(&folder, &["x"], &[]);
    assert_eq!((overflow.status, &*overflow.stdout), (Some(101), "1000001 [\"x\"]\n"));
    assert!(overflow.stderr.starts_with("runtime error: stack overflow\n"), "{}", overflow.stderr);
    let script = "{ ./p; echo $? > status; } | head -1; cat status; ./p > /dev/full; echo $?";
    let closed = super::shell(&folder, script, [""; 0]);
    assert_eq!(closed.stdout, "1000001 []\n141\n101\n");
    assert_eq!(closed.stderr, "error: cannot write to stdout: no space left on device\n");
}

#[test]
fn what_c_lacks_is_said_clearly() {
    let folder = Folder::new();
    folder.file(
        "p.mini",
        "extern fn not_there(n: int);\nfn main() { print(1); if args().len() == 0 { not_there(1); } }\n",
    );
    let missing = folder.minic(["build", "p.mini"]);
    assert_eq!(missing.status, Some(1));
    assert!(
        missing.stderr.contains("`cc` can't link the program") && missing.stderr.contains("not_there"),
        "{}",
        missing.stderr
    );
    assert!(missing.stderr.contains("--link helper.c"), "{}", missing.stderr);
    let interpreted = folder.minic(["interp", "p.mini"]);
    assert_eq!((interpreted.status, &*interpreted.stdout), (Some(2), "1\n"));
    assert!(
        interpreted.stderr.starts_with("error: the interpreter can't call the C function `not_there`"),
        "{}",
        interpreted.stderr
    );
    assert_eq!(folder.minic(["interp", "p.mini", "x"]).status, Some(0));
    let mut command = minic();
    command.current_dir(folder.folder.path()).env("CC", "no-such-compiler").args(["build", "p.mini"]);
    let no_compiler = finish(command, b"");
    assert_eq!(no_compiler.status, Some(2));
    assert!(
        no_compiler.stderr.contains("no-such-compiler") && no_compiler.stderr.contains("gcc"),
        "{}",
        no_compiler.stderr
    );
    assert_eq!(folder.names(), ["p.mini"]);
    folder.file("h.mini", "fn main() {}\n");
    for args in [&["build", "h.mini", "--link", "-lm"][..], &["build", "p.mini", "--emit", "obj", "--link", "-lm"]] {
        let refused = folder.minic(args);
        assert_eq!(refused.status, Some(2), "{args:?}");
        assert!(refused.stderr.contains("`--link` has no effect"), "{}", refused.stderr);
    }
    for (name, reason) in
        [("mini_start", "has a symbol of this name"), ("memcpy", "in the C library"), ("stdout", "in the C library")]
    {
        folder.file("t.mini", format!("extern fn abort();\npub fn {name}() {{ abort(); }}\nfn main() {{}}\n"));
        for kind in ["obj", "exe"] {
            let taken = folder.minic(["build", "t.mini", "--emit", kind]);
            assert_eq!(taken.status, Some(1), "{name} {kind}");
            assert!(
                taken.stderr.contains(&format!("`{name}`")) && taken.stderr.contains(reason),
                "{name} {kind}: {}",
                taken.stderr
            );
        }
    }
}

#[test]
fn each_module_declares_a_function_as_it_needs_it() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("lib")).expect("the folder is ours");
    folder.file(
        "lib/out.mini",
        "extern fn printf(format: string, n: int);\npub fn show(n: int) { printf(\"%ld\\n\", n); }\npub fn words(w: [string]) { print(w); }\n",
    );
    folder.file(
        "p.mini",
        "import lib.out;\nextern fn printf(format: string, x: float);\nfn main() { printf(\"%g\\n\", 2.5); out::show(7); out::words([]); }\n",
    );
    let ran = folder.minic(["run", "p.mini"]);
    assert_eq!((ran.status, &*ran.stdout, &*ran.stderr), (Some(0), "2.5\n7\n[]\n", ""));
}

#[test]
fn the_header_names_what_c_can_call() {
    let folder = Folder::new();
    folder.file(
        "lib.mini",
        "struct P { x: int }\npub fn f(int_: int, double: float, a: [bool], s: string) -> byte { byte(int_ + int(double) + a.len() + s.len()) }\n\
         pub fn g(p: P) -> int { p.x }\npub fn h<T>(x: T) -> T { x }\nfn i() {}\npub fn main() { i(); }\n",
    );
    let header = folder.minic(["build", "lib.mini", "--emit", "header", "-o", "-"]);
    assert_eq!(header.status, Some(0));
    let tail = header.stdout.split("#endif\n").nth(2).expect("the program's part");
    assert_eq!(
        tail.trim_start().lines().next(),
        Some("uint8_t f(int64_t int_, double argument2, uint8_t *a, const char *s);")
    );
    assert!(
        !header.stdout.contains(" g(") && !header.stdout.contains(" h(") && !header.stdout.contains("main("),
        "{}",
        header.stdout
    );
    assert_eq!(header.stderr.matches("W0011").count(), 2, "{}", header.stderr);
}

#[test]
fn the_header_has_no_words_of_c_for_names() {
    let folder = Folder::new();
    link(
        &folder,
        "pub fn f(int64_t: byte, unix: int, INT64_MAX: int, _Bool: int, xor: int) -> int { int(int64_t) + unix + INT64_MAX + _Bool + xor }\n",
        "#include \"lib.h\"\nint main(void) { mini_start(); return f(1, 2, 3, 4, 5); }\n",
        &[],
    );
    assert_eq!(run(&folder, &[], &[]).status, Some(15));
    folder.file("w.mini", "pub fn switch() {}\npub fn fine() {}\n");
    let header = folder.minic(["build", "w.mini", "--emit", "header", "-o", "-"]);
    assert_eq!(header.status, Some(0));
    assert!(header.stdout.contains("void fine(void);") && !header.stdout.contains("switch"), "{}", header.stdout);
    assert!(
        header.stderr.contains("W0011") && header.stderr.contains("its name is a word of C's"),
        "{}",
        header.stderr
    );
}

const TRAVELLER: &str = r#"
extern fn jump_out();
extern fn ping(n: int) -> int;
pub fn enter(n: int) -> int { let a = [n; 10]; jump_out(); a[0] }
pub fn deep(n: int) -> int { 1 + deep(n + 1) }
pub fn pong(n: int) -> int { if n == 0 { 0 } else { ping(n - 1) + 1 } }
"#;

const TRAVEL: &str = r#"
#include "lib.h"
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static jmp_buf place;
static const char *what;
void jump_out(void) { longjmp(place, 1); }
int64_t ping(int64_t n) { return pong(n); }
static void bye(void) { puts("bye"); }

static void *work(void *unused) {
    mini_start();
    volatile int jumps = 0;
    for (volatile int i = 0; i < 100000; i++)
        if (!setjmp(place)) enter(i); else jumps++;
    printf("%d %lld\n", jumps, (long long)pong(5000));
    if (!strcmp(what, "deep")) deep(0);
    return unused;
}

__attribute__((noinline)) static int64_t recurse(int64_t n) {
    volatile char room[100];
    room[n % 100] = 1;
    return n < 0 ? 0 : recurse(n + 1) + room[3];
}

int main(int argc, char **argv) {
    what = argv[2];
    atexit(bye);
    if (!strcmp(argv[1], "thread")) {
        pthread_t thread;
        pthread_create(&thread, 0, work, 0);
        pthread_join(thread, 0);
    } else {
        work(0);
    }
    if (!strcmp(what, "deep in C")) recurse(0);
    return 0;
}
"#;

#[test]
fn c_may_jump_over_mini_and_use_another_thread() {
    let folder = Folder::new();
    link(&folder, TRAVELLER, TRAVEL, &[]);
    for place in ["main", "thread"] {
        let fine = run(&folder, &[place, ""], &[]);
        assert_eq!((fine.status, &*fine.stdout, &*fine.stderr), (Some(0), "100000 5000\nbye\n", ""), "{place}");
        let deep = run(&folder, &[place, "deep"], &[]);
        assert_eq!((deep.status, &*deep.stdout), (Some(101), "100000 5000\nbye\n"), "{place}");
        assert!(deep.stderr.starts_with("runtime error: stack overflow\n  --> lib.mini:5:34\n"), "{}", deep.stderr);
    }
    // What C does wrong is C's.
    let in_c = run(&folder, &["main", "deep in C"], &[]);
    assert_eq!((in_c.status, &*in_c.stderr), (None, ""), "ended by the signal");
}
