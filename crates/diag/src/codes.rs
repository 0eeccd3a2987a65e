//! The codes of diagnostics: one row a code, with an explanation and an example for `minic explain`.
//!
//! *Areas.* E00xx source text and lexer, E01xx parser, E02xx names, E03xx types, E04xx flow, E05xx program structure,
//! E06xx textual IR, E09xx limits, W0xxx warnings. The rows of the checker are in `codes_checker.rs`, all others here.
//! Code that reports uses the constants, never a literal, so that a code without a row can't be reported.

use crate::codes_checker::CHECKER;

/// A code and what there is to say about it.
#[derive(Clone, Copy, Debug)]
pub struct CodeInfo {
    /// `E0123`
    pub code: &'static str,
    /// One line.
    pub title: &'static str,
    /// A paragraph: the rule and the way out.
    pub explanation: &'static str,
    /// A short wrong program and the mended one, as `//`-commented parts of one text.
    pub example: &'static str,
}

macro_rules! codes {
    ($($name:ident = $code:literal, $title:literal, $explanation:literal, $example:literal;)*) => {
        $(#[doc = $title] pub const $name: &str = $code;)*
        /// The rows of the lexer and the parser.
        pub static SYNTAX: &[CodeInfo] = &[
            $(CodeInfo { code: $code, title: $title, explanation: $explanation, example: $example },)*
        ];
    };
}

codes! {
    E0001_INVALID_UTF8 = "E0001", "the file is not valid UTF-8",
        "A source file is UTF-8. The message names the offset, from 0, of the first byte that is not. Save the file as UTF-8; to put any byte into a string, write it as an escape.",
        "// wrong: a file saved as Latin-1 with the byte 0xe9 in it\n// right:\nfn main() { print(\"caf\\u{e9}\"); }";
    E0002_UNKNOWN_CHARACTER = "E0002", "a character that begins no token",
        "Outside strings and comments only letters, digits, `_`, white space and the language's operators can stand. Often it is a typographic quote or a no-break space that a word processor has put in.",
        "// wrong\nfn main() { print(@1); }\n// right\nfn main() { print(1); }";
    E0003_BYTE_ORDER_MARK = "E0003", "a byte-order mark inside the file",
        "A byte-order mark (U+FEFF) is skipped at the very start of a file and is an error elsewhere, where it would be invisible. Delete it; in a string write `\\u{feff}`.",
        "// wrong: the invisible character in front of `1`\nfn main() { print(\u{feff}1); }\n// right\nfn main() { print(1); }";
    E0004_STRING_NOT_CLOSED = "E0004", "a string is not closed on its line",
        "A string literal ends at `\"` on the line where it begins. A line break inside is written `\\n`.",
        "// wrong\nfn main() { print(\"hello); }\n// right\nfn main() { print(\"hello\"); }";
    E0005_BYTE_NOT_CLOSED = "E0005", "a byte literal is not closed on its line",
        "A byte literal is one byte between two `'`.",
        "// wrong\nfn main() { let a = 'x; }\n// right\nfn main() { let a = 'x'; print(a); }";
    E0006_COMMENT_NOT_CLOSED = "E0006", "a block comment is not closed",
        "Block comments nest: each `/*` needs its own `*/`.",
        "// wrong\nfn main() {} /* a /* b */\n// right\nfn main() {} /* a /* b */ */";
    E0007_BAD_ESCAPE = "E0007", "an escape that does not exist or is malformed",
        "The escapes are `\\n \\r \\t \\0 \\\\ \\\" \\'`, `\\xHH` with two hex digits, and in strings `\\u{H...}` with one to six hex digits that name a Unicode scalar value.",
        "// wrong\nfn main() { print(\"a\\q\"); }\n// right\nfn main() { print(\"a\\\\q\"); }";
    E0008_BAD_BYTE_LITERAL = "E0008", "a byte literal that is not exactly one byte",
        "A byte literal holds exactly one byte: an ASCII character, or an escape. Characters beyond ASCII take several bytes in UTF-8: use a string.",
        "// wrong\nfn main() { print('ab'); }\n// right\nfn main() { print(\"ab\"); }";
    E0009_BAD_NUMBER = "E0009", "a malformed number",
        "A number is digits, with `_` only between digits. A float has digits on both sides of its point. Prefixes are `0x`, `0b` and `0o`, in lower case. A letter, a digit or `_` can't follow a number directly.",
        "// wrong\nfn main() { print(.5, 1., 12abc); }\n// right\nfn main() { print(0.5, 1.0, 12); }";
    E0010_LEADING_ZERO = "E0010", "a decimal number with a leading zero",
        "In some languages `007` is octal, in others decimal. Here it is an error: write `0o7` for octal, or leave the zeros out.",
        "// wrong\nfn main() { print(017); }\n// right\nfn main() { print(0o17, 17); }";
    E0011_NUMBER_TOO_LARGE = "E0011", "a number that does not fit",
        "A decimal int literal is at most 9223372036854775807, or 9223372036854775808 as the direct operand of a minus. Hex, binary and octal literals have at most 64 bits. A float literal must not overflow to infinity.",
        "// wrong\nfn main() { print(9223372036854775808); }\n// right\nfn main() { print(-9223372036854775808); }";
    E0012_NESTED_TOO_DEEPLY = "E0012", "nested too deeply",
        "Parentheses, brackets, blocks, unary operators, types, patterns and block comments nest at most 1,000 deep. Chains of operators, of calls and of `else if` have no limit.",
        "// wrong: 1,001 parentheses around a number\n// right: a variable for a part of the expression";

    E0101_UNEXPECTED = "E0101", "something else was expected here",
        "The text does not follow the grammar at this place; the message says what would fit.",
        "// wrong\nfn main() { print(5 6); }\n// right\nfn main() { print(5, 6); }";
    E0102_EXPRESSION_EXPECTED = "E0102", "an expression was expected here",
        "An operator, a comma, a keyword or the end of a construct stands where a value is needed.",
        "// wrong\nfn main() { print(1 + ); }\n// right\nfn main() { print(1 + 2); }";
    E0103_NOT_CLOSED = "E0103", "a bracket is not closed",
        "Each `(`, `[` and `{` needs its closing partner. The secondary place shows the one that is still open.",
        "// wrong\nfn main() { print((1 + 2); }\n// right\nfn main() { print((1 + 2)); }";
    E0104_SEMICOLON_MISSING = "E0104", "a `;` is missing",
        "Statements end with `;`, except those that end with a block. The last expression of a block without `;` is the block's value.",
        "// wrong\nfn main() { let a = 1 print(a); }\n// right\nfn main() { let a = 1; print(a); }";
    E0105_ASSIGNMENT_AS_EXPRESSION = "E0105", "an assignment is no expression",
        "`a = b` is a statement and has no value. To compare, write `==`; to assign in a match arm, use a block.",
        "// wrong\nfn main() { let a = 3; if a = 3 { print(a); } }\n// right\nfn main() { let a = 3; if a == 3 { print(a); } }";
    E0106_COMPARISON_CHAIN = "E0106", "comparisons can't be chained",
        "`a < b < c` would compare a bool with `c`. Join two comparisons with `&&`, or use parentheses.",
        "// wrong\nfn main() { let n = 5; print(0 < n < 9); }\n// right\nfn main() { let n = 5; print(0 < n && n < 9); }";
    E0107_RANGE_AS_VALUE = "E0107", "a range is no value",
        "`a..b` belongs to the head of `for`, or to a slice `x[a..b]`, where the end is never included.",
        "// wrong\nfn main() { let r = 1..5; }\n// right\nfn main() { for i in 1..5 { print(i); } }";
    E0108_STRUCT_LITERAL_IN_HEAD = "E0108", "a struct literal in a head needs parentheses",
        "In the head of `if`, `while`, `for` and `match` the first `{` begins the body. Put parentheses around a struct literal there.",
        "// wrong\nstruct P { x: int }\nfn main() { let p = P { x: 1 }; if p == P { x: 1 } { print(p.x); } }\n// right\nstruct P { x: int }\nfn main() { let p = P { x: 1 }; if p == (P { x: 1 }) { print(p.x); } }";
    E0109_LABEL_WITHOUT_LOOP = "E0109", "only loops carry labels",
        "A label `name:` stands before `while` or `for`, so that `break name` and `continue name` can mean that loop.",
        "// wrong\nfn main() { here: print(1); }\n// right\nfn main() { here: while true { break here; } }";
    E0110_LET_WITHOUT_TYPE = "E0110", "a variable without initialiser needs its type",
        "The type of a variable comes from its initialiser or is written; it is never guessed from later statements.",
        "// wrong\nfn main() { let x; x = 1; print(x); }\n// right\nfn main() { let x: int; x = 1; print(x); }";
    E0111_MATCH_ARM = "E0111", "a malformed match arm",
        "An arm is `pattern => expression,` or `pattern => { block }`, with an optional guard `if condition` before the `=>`. Alternatives are joined by `|`.",
        "// wrong\nfn main() { match args().len() { 0, 1 -> print(0), _ => print(1) } }\n// right\nfn main() { match args().len() { 0 | 1 => print(0), _ => print(1) } }";
    E0112_NAME_EXPECTED = "E0112", "a name was expected here",
        "A name begins with a letter or `_`. Keywords, and the names of the built-in types `int float bool byte string`, can't be declared.",
        "// wrong\nfn match() {}\nfn main() {}\n// right\nfn matches() {}\nfn main() { matches(); }";
    E0113_ITEM_IN_BLOCK = "E0113", "a declaration inside a function",
        "Functions, structs, enums, constants and imports stand at the top level of a file. Inside a function, use `let` and closures.",
        "// wrong\nfn main() { fn f() {} }\n// right\nfn f() {}\nfn main() { let g = fn() { f(); }; g(); }";
    E0114_NOT_A_PLACE = "E0114", "this can't be assigned to",
        "On the left of `=` stands a variable, an element `a[i]` or a field `x.f`.",
        "// wrong\nfn main() { 1 = 2; }\n// right\nfn main() { let a = 1; a = 2; print(a); }";
    E0115_BAD_PATTERN = "E0115", "a malformed pattern",
        "Patterns are literals, ranges `1..=9`, `null`, `_`, names, variants with their payload's patterns, `p | q`, and parentheses.",
        "// wrong\nfn main() { match args().len() { 1..9 => print(1), _ => print(2) } }\n// right\nfn main() { match args().len() { 1..=8 => print(1), _ => print(2) } }";
    E0116_TYPE_EXPECTED = "E0116", "a type was expected here",
        "A type is a name such as `int` or `List<int>`, an array `[T]`, an optional `T?`, or a function type `fn(A) -> R`.",
        "// wrong\nfn f(x: ) { print(x); }\nfn main() { f(1); }\n// right\nfn f(x: int) { print(x); }\nfn main() { f(1); }";
    E0117_ITEM_EXPECTED = "E0117", "a declaration was expected here",
        "At the top level of a file stand `import`, `const`, `let`, `struct`, `enum`, `impl`, `fn` and `extern fn`. Statements belong into a function.",
        "// wrong\nprint(1);\n// right\nfn main() { print(1); }";
    E0118_UNMATCHED_CLOSE = "E0118", "a closing bracket without an opening one",
        "There is a `)`, `]` or `}` too many, or its partner was closed earlier than meant.",
        "// wrong\nfn main() { print(1)); }\n// right\nfn main() { print(1); }";
    E0119_MISPLACED_MODIFIER = "E0119", "`pub` can't stand here",
        "`pub` goes before `fn`, `struct`, `enum`, `const` and `let`, and before the functions of an `impl`.",
        "// wrong\nstruct P { x: int }\npub impl P { fn get(self) -> int { self.x } }\nfn main() { print((P { x: 1 }).get()); }\n// right\nstruct P { x: int }\nimpl P { pub fn get(self) -> int { self.x } }\nfn main() { print((P { x: 1 }).get()); }";
}

/// Textual IR that can't be read.
pub const E0601_TEXTUAL_IR: &str = "E0601";
/// Textual IR that breaks a rule of the verifier.
pub const E0602_BROKEN_RULE: &str = "E0602";

/// The rows of textual IR.
static TEXTUAL_IR: &[CodeInfo] = &[
    CodeInfo {
        code: E0601_TEXTUAL_IR,
        title: "textual IR that can't be read",
        explanation: "A `.ir` file holds functions in the notation that `minic emit tac`, `ssa` and `cssa` print; docs/ir.md has its grammar and the table of operations. The message says what would fit at this place.",
        example: "; wrong: there is no operation `plus`\nfunc main() -> int {\nentry1:\n  %1 = const 1\n  %2 = plus %1, %1\n  ret %2\n}\n; right\n  %2 = add %1, %1",
    },
    CodeInfo {
        code: E0602_BROKEN_RULE,
        title: "textual IR that breaks a rule of the verifier",
        explanation: "The text can be read, but the function is not one that its phase allows: a value is used where its definition has not been run, an operand has another type than its operation wants, a block does not end in a terminator. The rules are numbered at the head of crates/ir/src/verify.rs.",
        example: "; wrong: %2 is used before it is defined\nfunc main() -> int {\nentry1:\n  %1 = add %2, %2\n  %2 = const 1\n  ret %1\n}\n; right\n  %2 = const 1\n  %1 = add %2, %2",
    },
];

/// The row of a code, if there is one.
pub fn find(code: &str) -> Option<&'static CodeInfo> {
    all().find(|row| row.code == code)
}

/// All rows: lexer, parser, checker, textual IR.
pub fn all() -> impl Iterator<Item = &'static CodeInfo> {
    SYNTAX.iter().chain(CHECKER).chain(TEXTUAL_IR)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_is_there_once_and_complete() {
        let mut codes: Vec<_> = all().map(|row| row.code).collect();
        codes.sort_unstable();
        let count = codes.len();
        codes.dedup();
        assert_eq!(codes.len(), count);
        for row in all() {
            assert!(row.code.len() == 5 && (row.code.starts_with('E') || row.code.starts_with('W')), "{}", row.code);
            assert!(!row.title.is_empty() && !row.explanation.is_empty() && !row.example.is_empty(), "{}", row.code);
        }
        assert!(find("E0004").is_some_and(|row| row.code == E0004_STRING_NOT_CLOSED));
        assert!(find("E9999").is_none());
    }
}
