//! The run-time library has what the compiler calls.

use mini_ir::builtin::Builtin;
use mini_link::runtime_symbol;

#[test]
fn every_built_in_function_is_in_the_image() {
    let missing: Vec<&str> = Builtin::all().map(|row| row.symbol).filter(|s| runtime_symbol(s).is_none()).collect();
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
