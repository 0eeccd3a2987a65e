//! The typed tree: implicit steps are explicit in it.

use crate::support::typed;

#[test]
fn optionals_are_wrapped_and_narrowed_explicitly() {
    let text = typed(
        "fn f(a: int?) -> int? {
    if a != null { a = a + 1; }
    a = null;
    5
}
fn main() { print(f(1)); }",
    );
    assert_eq!(
        text,
        "fn f(a.0: int?) -> int? {
  if: unit
    null_test IsNotNull: bool
      local a.0: int?
    then
      block: unit
        assign
          place a.0: int?
          some: int?
            chain +: int
              narrow: int
                local a.0: int?
              int 1: int
  assign
    place a.0: int?
    null: int?
  some: int?
    int 5: int
}
fn main() {
  builtin Print: unit
    call f: int?
      some: int?
        int 1: int
}
"
    );
}

#[test]
fn blocks_that_control_never_leaves_are_never() {
    let text = typed("fn f() -> int { { return 1; } }\nfn main() { while true { f(); } }");
    assert!(text.contains("block: never\n    return: never"), "{text}");
    assert!(text.contains("while loop0: never"), "{text}");
}

#[test]
fn postfix_operations_print_from_the_outermost_in() {
    let text = typed("struct P { n: [P?] }\nfn main() { let p = P { n: [] }; print(p.n[0]!.n.len()); }");
    assert!(
        text.contains(
            "builtin Len: int
      field n: [P?]
        unwrap: P
          index: P?
            field n: [P?]
              local p.0: P
            int 0: int"
        ),
        "{text}"
    );
}
