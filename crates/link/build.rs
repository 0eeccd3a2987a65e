//! Links the run-time library into an image at a fixed address, once, when `minic` is built.
//!
//! In: the package `mini-runtime`, built by a nested cargo with its own profile, target folder and link script. Out, in
//! `OUT_DIR`: `image.bin`, the contents of the image's segments one behind the other, and `image.rs`, which says
//! where they go and where the exported symbols are. Needs what building any Rust program needs, nothing else.

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
    let elf = fs::read(build(&root, &out)).expect("the image was just built");
    write_image(&elf, &out);
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_else(|_| panic!("cargo sets {name}"))
}

/// Builds the image; its path.
fn build(root: &Path, out: &Path) -> PathBuf {
    let target = "x86_64-unknown-linux-gnu";
    let folder = out.join("runtime");
    let run = |network: &[&str]| {
        let mut cargo = Command::new(variable("CARGO"));
        // What the outer build was told is not meant for the image.
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
            .args(["rustc", "--quiet", "--profile", "runtime", "--package", "mini-runtime", "--bin", "image"])
            .args(["--features", "image", "--target", target, "--target-dir"])
            .arg(&folder)
            .args(network)
            .args(["--", "-C", "relocation-model=static"])
            .args(["-C", "link-args=-nostartfiles -nostdlib -static -no-pie -Wl,--gc-sections -Wl,--build-id=none -Wl,-z,norelro"])
            .arg("-C")
            .arg(format!("link-arg=-Wl,-T,{}", root.join("runtime/image.ld").display()))
            .status()
    };
    let good = |network: &[&str]| run(network).is_ok_and(|status| status.success());
    // Everything is downloaded already, for the outer build depends on the same crates.
    if !good(&["--locked", "--offline"]) && !good(&[]) {
        panic!("the run-time library could not be built");
    }
    folder.join(target).join("runtime/image")
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
