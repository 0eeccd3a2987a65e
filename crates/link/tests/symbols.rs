//! The run-time library has what the compiler calls; to C it shows what is for C.

use mini_ir::builtin::Builtin;
use mini_link::{archive, runtime_symbol};
use object::{Object, ObjectSymbol, SymbolScope};

#[test]
fn every_built_in_function_is_in_the_image() {
    // Those between C and Mini are needed only where C is.
    let for_c = archive::symbols();
    let missing: Vec<&str> = Builtin::all()
        .map(|row| row.symbol)
        .filter(|symbol| if symbol.starts_with("mini_c_") { false } else { runtime_symbol(symbol).is_none() })
        .collect();
    assert_eq!(missing, Vec::<&str>::new());
    let missing: Vec<&str> =
        Builtin::all().map(|row| row.symbol).filter(|s| !for_c.iter().any(|symbol| symbol == s)).collect();
    assert_eq!(missing, Vec::<&str>::new());
    for name in ["bounds", "slice", "null", "division", "length", "step"] {
        assert!(runtime_symbol(&format!("mini_trap_{name}")).is_some(), "{name}");
    }
    assert_eq!(runtime_symbol("mini_no_such_thing"), None);
}

#[test]
fn all_addresses_fit_in_31_bits() {
    for name in ["mini_alloc_slow", "mini_alloc_array", "mini_alloc_table", "mini_program", "mini_last_sp"] {
        let address = runtime_symbol(name).expect(name);
        assert!((0x200000..1 << 31).contains(&address), "{name}");
    }
}

#[test]
fn the_archive_shows_c_what_is_for_c_and_has_an_index() {
    let bytes = mini_link::runtime_library();
    assert_eq!(bytes, mini_link::runtime_library());
    assert!(bytes.starts_with(b"!<arch>\n"));
    let member = |at: usize| {
        let size =
            std::str::from_utf8(&bytes[at + 48..at + 58]).expect("ASCII").trim().parse::<usize>().expect("a number");
        (&bytes[at + 60..][..size], at + 60 + size.next_multiple_of(2))
    };
    let (index, next) = member(8);
    let (object, end) = member(next);
    assert_eq!(end, bytes.len().next_multiple_of(2));
    let count = u32::from_be_bytes(index[..4].try_into().expect("four")) as usize;
    let names: Vec<&str> =
        std::str::from_utf8(&index[4 + 4 * count..]).expect("UTF-8").split_terminator('\0').collect();
    assert_eq!(names, archive::symbols());
    assert!(index[4..4 + 4 * count].as_chunks::<4>().0.iter().all(|at| u32::from_be_bytes(*at) as usize == next));
    let file = object::File::parse(object).expect("ELF");
    let mut visible = Vec::new();
    for symbol in file.symbols().filter(|s| s.is_global() && s.is_definition()) {
        let name = symbol.name().expect("UTF-8");
        if symbol.scope() == SymbolScope::Dynamic {
            visible.push(name);
        } else {
            // Hidden symbols are seen by C files of the same program: none may be one of theirs.
            assert!(name.starts_with("mini_") || name.contains("mini_runtime"), "{name}");
        }
    }
    visible.sort_unstable();
    let interface = ["mini_bools", "mini_bytes", "mini_floats", "mini_ints", "mini_length", "mini_start"];
    assert_eq!(visible, interface);
    assert!(file.section_by_name("mini_text").is_some(), "the signal handler asks for its bounds");
}
