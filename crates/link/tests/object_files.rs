//! Object files, read back.

mod support;

use mini_base::source::Pos;
use mini_x64::code::Target;
use object::{Object, ObjectSection, ObjectSymbol, RelocationTarget};
use std::collections::BTreeSet;
use support::*;

#[test]
fn functions_data_and_relocations_are_there() {
    let mut build = Build::default();
    let text = build.string(b"hello");
    let globals = build.globals(64);
    let mut helper = Asm::enter("helper", 8);
    helper.data(RDI, text).runtime("mini_out_string").data(RDI, globals).leave();
    let id = build.add(helper.done());
    let mut main = Asm::enter("main", 8);
    main.call(Target::Function(id), Pos::NONE).runtime("mini_out_string").leave();
    build.start(main.done());
    let bytes = mini_link::object(&build.program, &build.sources);
    assert_eq!(bytes, mini_link::object(&build.program, &build.sources));
    let file = object::File::parse(&*bytes).expect("ELF");
    assert_eq!(file.kind(), object::ObjectKind::Relocatable);
    let undefined = file.symbols().filter(|s| s.is_undefined()).filter_map(|s| s.name().ok());
    assert_eq!(undefined.collect::<BTreeSet<_>>(), BTreeSet::from(["mini_main", "mini_out_string"]));
    // `main` gives way to C's; what the run-time library reads is for it alone.
    let main = file.symbol_by_name("main").expect("there");
    assert!(main.is_weak() && main.is_definition());
    let info = file.symbol_by_name("mini_program").expect("there");
    assert!(info.is_definition() && info.scope() == object::SymbolScope::Linkage);
    assert_eq!(info.size(), 8 * mini_prim::tables::PROGRAM_INFO_WORDS as u64);
    let section = file.section_by_name(".text").expect("there");
    let code = section.data().expect("bytes");
    let targets: Vec<(u64, String, i64)> = section
        .relocations()
        .map(|(offset, r)| {
            let RelocationTarget::Symbol(symbol) = r.target() else { panic!("a symbol") };
            let name = file.symbol_by_index(symbol).expect("there").name().expect("UTF-8").to_owned();
            (offset, name, r.addend())
        })
        .collect();
    // Each call's displacement is where its relocation is, the byte before is the call.
    let calls: Vec<&(u64, String, i64)> = targets.iter().filter(|(_, _, addend)| *addend == -4).collect();
    assert_eq!(
        calls.iter().map(|c| &*c.1).collect::<Vec<_>>(),
        ["mini_out_string", "mini.helper", "mini_out_string", "mini_main"]
    );
    let (jump, calls) = calls.split_last().expect("four");
    assert_eq!(code[jump.0 as usize - 1], 0xe9);
    assert!(calls.iter().all(|(offset, _, _)| code[*offset as usize - 1] == 0xe8));
    assert_eq!(file.section_by_name(".bss").expect("there").size(), 64);
}
