//! The run-time library for C programs: an archive with one object file, which `build.rs` made.
//!
//! Source: System V Application Binary Interface, chapter 7, "Archive File"; the index is that of GNU and SVR4.

use object::{Object, ObjectSymbol};

/// The object file.
static RUNTIME: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/runtime.o"));

const MAGIC: &[u8] = b"!<arch>\n";
const HEADER: usize = 60;

/// The archive: the bytes of the file.
pub fn runtime_library() -> Vec<u8> {
    let symbols = symbols();
    let mut index = Vec::new();
    let names: usize = symbols.iter().map(|name| name.len() + 1).sum();
    let index_size = 4 + 4 * symbols.len() + names;
    let member = MAGIC.len() + HEADER + index_size.next_multiple_of(2);
    index.extend_from_slice(&(symbols.len() as u32).to_be_bytes());
    for _ in &symbols {
        index.extend_from_slice(&(member as u32).to_be_bytes());
    }
    for name in &symbols {
        index.extend_from_slice(name.as_bytes());
        index.push(0);
    }
    let mut archive = MAGIC.to_vec();
    add_member(&mut archive, "/", &index);
    add_member(&mut archive, "runtime.o/", RUNTIME);
    archive
}

/// The symbols that the library defines.
pub fn symbols() -> Vec<String> {
    names(|symbol| symbol.is_global() && symbol.is_definition())
}

/// The symbols that the library needs from the C library and from the program.
pub fn needed() -> Vec<String> {
    names(|symbol| symbol.is_undefined())
}

fn names(wanted: impl Fn(&object::Symbol) -> bool) -> Vec<String> {
    let file = object::File::parse(RUNTIME).expect("build.rs has read it too");
    let mut names: Vec<String> =
        file.symbols().filter(wanted).filter_map(|symbol| symbol.name().ok().map(str::to_owned)).collect();
    names.sort_unstable();
    names
}

fn add_member(archive: &mut Vec<u8>, name: &str, contents: &[u8]) {
    // Name, time, owner, group, mode, size: no time and no owner, so that the bytes are always the same.
    let size = contents.len();
    archive.extend_from_slice(format!("{name:<16}{:<12}{:<6}{:<6}{:<8}{size:<10}`\n", 0, 0, 0, 644).as_bytes());
    archive.extend_from_slice(contents);
    if !archive.len().is_multiple_of(2) {
        archive.push(b'\n');
    }
}
