//! Links the run-time library into an image at a fixed address, once, when `minic` is built.
//!
//! In: the package `mini-runtime`, built by a nested cargo with its own profile, target folder and link script. Out, in
//! `OUT_DIR`: `image.bin`, the contents of the image's segments one behind the other, and `image.rs`, which says
//! where they go and where the exported symbols are; and `runtime.o`, the library as an object file for C programs. Needs what building any Rust program needs, nothing else.

use object::{Object, ObjectSegment, ObjectSymbol};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// Bytes of an entry of the image's export table: a name padded with NUL, an address.
const EXPORT_NAME: usize = 40;
const EXPORT: usize = EXPORT_NAME + 8;

fn main() {
    let root =
        PathBuf::from(variable("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace is there");
    for path in ["runtime", "crates/prim", "Cargo.toml", "crates/link/build.rs"] {
        println!("cargo::rerun-if-changed={}", root.join(path).display());
    }
    let out = PathBuf::from(variable("OUT_DIR"));
    let elf = fs::read(build_image(&root, &out)).expect("the image was just built");
    write_image(&elf, &out);
    let object = fs::read(build_object(&root, &out)).expect("the object file was just built");
    fs::write(out.join("runtime.o"), for_c(object)).expect("OUT_DIR can be written");
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_else(|_| panic!("cargo sets {name}"))
}

const TARGET: &str = "x86_64-unknown-linux-gnu";

/// Builds the image; its path.
fn build_image(root: &Path, out: &Path) -> PathBuf {
    let script = format!("link-arg=-Wl,-T,{}", root.join("runtime/image.ld").display());
    build(
        root,
        out,
        &["--bin", "image", "--features", "image"],
        &[
            "-C",
            "relocation-model=static",
            "-C",
            "link-args=-nostartfiles -nostdlib -static -no-pie -Wl,--gc-sections -Wl,--build-id=none -Wl,-z,norelro",
            "-C",
            &script,
        ],
    );
    out.join("runtime").join(TARGET).join("runtime/image")
}

/// Builds the object file for C programs; its path. The archive that is made of it too is not used: it holds much that C
/// programs have already.
fn build_object(root: &Path, out: &Path) -> PathBuf {
    let object = out.join("library.o");
    let emit = format!("obj={}", object.display());
    build(
        root,
        out,
        &["--lib", "--crate-type", "staticlib", "--features", "library"],
        &["-C", "relocation-model=pic", "--emit", &emit],
    );
    object
}

/// Builds the run-time library; `what` is for cargo, `how` for the compiler.
fn build(root: &Path, out: &Path, what: &[&str], how: &[&str]) {
    let run = |network: &[&str]| {
        let mut cargo = Command::new(variable("CARGO"));
        // What the outer build was told is not meant for the library.
        for (name, _) in env::vars_os() {
            let name = name.to_string_lossy().into_owned();
            let kept = ["CARGO_HOME", "CARGO_NET_OFFLINE"].contains(&&*name);
            let about_cargo = name.starts_with("CARGO") && !kept;
            if about_cargo
                || ["RUSTFLAGS", "RUSTDOCFLAGS", "RUSTC_WORKSPACE_WRAPPER", "RUSTC_WRAPPER", "MAKEFLAGS"]
                    .contains(&&*name)
            {
                cargo.env_remove(name);
            }
        }
        cargo
            .current_dir(root)
            .args(["rustc", "--quiet", "--profile", "runtime", "--package", "mini-runtime", "--target", TARGET])
            .args(what)
            .arg("--target-dir")
            .arg(out.join("runtime"))
            .args(network)
            .arg("--")
            .args(how)
            .status()
    };
    let good = |network: &[&str]| run(network).is_ok_and(|status| status.success());
    // Everything is downloaded already, for the outer build depends on the same crates.
    if !good(&["--locked", "--offline"]) && !good(&[]) {
        panic!("the run-time library could not be built");
    }
}

/// What C programs call; all other symbols are the compiler's affair.
const INTERFACE: [&str; 6] = ["mini_start", "mini_ints", "mini_floats", "mini_bytes", "mini_bools", "mini_length"];

/// Makes the object file ready for C programs: hides the symbols that are not for C, and puts the code into a section of a name that
/// is a word of C, so that the linker says where it begins and ends (`runtime/src/signal.rs` wants to know).
fn for_c(mut elf: Vec<u8>) -> Vec<u8> {
    let word = |elf: &[u8], at: usize, size: usize| {
        let mut bytes = [0; 8];
        bytes[..size].copy_from_slice(&elf[at..at + size]);
        u64::from_le_bytes(bytes) as usize
    };
    // ELF-64: section headers of 64 bytes, symbols of 24.
    let (table, count, names) = (word(&elf, 0x28, 8), word(&elf, 0x3c, 2), word(&elf, 0x3e, 2));
    let header = |n: usize| table + 64 * n;
    let contents = |elf: &[u8], n: usize| (word(elf, header(n) + 24, 8), word(elf, header(n) + 32, 8));
    let (at, size) = contents(&elf, names);
    let mut section_names = elf[at..at + size].to_vec();
    let code_name = (section_names.len() as u32).to_le_bytes();
    section_names.extend_from_slice(b"mini_text\0");
    for section in 0..count {
        const EXECUTABLE: usize = 4;
        const SYMBOLS: usize = 2;
        let at = header(section);
        if word(&elf, at + 8, 8) & EXECUTABLE != 0 {
            elf[at..at + 4].copy_from_slice(&code_name);
        }
        if word(&elf, at + 4, 4) == SYMBOLS {
            let ((start, size), (texts, _)) = (contents(&elf, section), contents(&elf, word(&elf, at + 40, 4)));
            for symbol in (start..start + size).step_by(24) {
                let name = texts + word(&elf, symbol, 4);
                let end = elf[name..].iter().position(|&b| b == 0).expect("names end in NUL");
                let name = std::str::from_utf8(&elf[name..name + end]).expect("symbols are ASCII");
                let is_global = elf[symbol + 4] >> 4 == 1;
                let is_defined = word(&elf, symbol + 6, 2) != 0;
                if is_global && is_defined && !INTERFACE.contains(&name) {
                    elf[symbol + 5] = 2; // STV_HIDDEN
                }
            }
        }
    }
    let end = elf.len() as u64;
    let size = section_names.len() as u64;
    elf.extend_from_slice(&section_names);
    elf[header(names) + 24..][..8].copy_from_slice(&end.to_le_bytes());
    elf[header(names) + 32..][..8].copy_from_slice(&size.to_le_bytes());
    elf
}

/// Takes the linked image apart.
fn write_image(elf: &[u8], out: &Path) {
    let file = object::File::parse(elf).expect("the linker writes ELF");
    let exports = object::ObjectSection::address(
        &object::Object::section_by_name(&file, ".mini.exports").expect("the image has an export table"),
    );
    let mut contents = Vec::new();
    let mut text = String::from("pub(super) static SEGMENTS: &[Segment] = &[\n");
    let mut symbols = Vec::new();
    for segment in file.segments() {
        let data = segment.data().expect("segments are in the file");
        if segment.address() == exports {
            symbols = read_exports(data);
            continue;
        }
        let object::SegmentFlags::Elf { p_flags, .. } = segment.flags() else { panic!("ELF has ELF's flags") };
        writeln!(
            text,
            "    Segment {{ address: {:#x}, memory_size: {:#x}, flags: {}, start: {}, end: {} }},",
            segment.address(),
            segment.size(),
            p_flags.0,
            contents.len(),
            contents.len() + data.len()
        )
        .expect("strings grow");
        contents.extend_from_slice(data);
    }
    symbols.sort();
    writeln!(text, "];\npub(super) static SYMBOLS: &[(&str, u64, u64)] = &[").expect("strings grow");
    let sizes: BTreeMap<u64, u64> = file.symbols().map(|s| (s.address(), s.size())).filter(|s| s.1 > 0).collect();
    for (name, address) in &symbols {
        let size = sizes.get(address).copied().unwrap_or(0);
        writeln!(text, "    (\"{name}\", {address:#x}, {size}),").expect("strings grow");
    }
    writeln!(text, "];\npub(super) const ENTRY: u64 = {:#x};", file.entry()).expect("strings grow");
    assert!(!symbols.is_empty() && file.entry() != 0);
    fs::write(out.join("image.bin"), contents).expect("OUT_DIR can be written");
    fs::write(out.join("image.rs"), text).expect("OUT_DIR can be written");
}

fn read_exports(table: &[u8]) -> Vec<(String, u64)> {
    let (entries, _) = table.as_chunks::<EXPORT>();
    entries
        .iter()
        .map(|entry| {
            let (name, address) = entry.split_at(EXPORT_NAME);
            let name = name.split(|&b| b == 0).next().expect("a split has a first piece");
            let name = String::from_utf8(name.to_vec()).expect("symbols are ASCII");
            (name, u64::from_le_bytes(address.try_into().expect("eight bytes are left")))
        })
        .collect()
}
