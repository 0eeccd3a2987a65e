//! Names that Mini allows and C does not: C can't call a function of such a name.

/// Words of C as compilers take it by default, types of the header included, that are no words of Mini.
const C: &[&str] = &[
    "_Alignas",
    "_Alignof",
    "_Atomic",
    "_Bool",
    "_Complex",
    "_Generic",
    "_Imaginary",
    "_Noreturn",
    "_Static_assert",
    "_Thread_local",
    "asm",
    "auto",
    "case",
    "char",
    "default",
    "do",
    "double",
    "goto",
    "inline",
    "int64_t",
    "linux",
    "long",
    "register",
    "restrict",
    "short",
    "signed",
    "sizeof",
    "static",
    "switch",
    "typedef",
    "typeof",
    "uint8_t",
    "union",
    "unix",
    "unsigned",
    "void",
    "volatile",
];

/// Further words of C++, and of the newest C.
const CPP: &[&str] = &[
    "alignas",
    "alignof",
    "and",
    "and_eq",
    "bitand",
    "bitor",
    "catch",
    "char16_t",
    "char32_t",
    "char8_t",
    "class",
    "co_await",
    "co_return",
    "co_yield",
    "compl",
    "concept",
    "const_cast",
    "consteval",
    "constexpr",
    "constinit",
    "decltype",
    "delete",
    "dynamic_cast",
    "explicit",
    "export",
    "friend",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "not",
    "not_eq",
    "nullptr",
    "operator",
    "or",
    "or_eq",
    "private",
    "protected",
    "public",
    "reinterpret_cast",
    "requires",
    "static_assert",
    "static_cast",
    "template",
    "this",
    "thread_local",
    "throw",
    "try",
    "typeid",
    "typename",
    "using",
    "virtual",
    "wchar_t",
    "xor",
    "xor_eq",
];

/// Whether C can't declare a function of this name.
pub fn is_word_of_c(name: &str) -> bool {
    C.binary_search(&name).is_ok()
}

/// Whether C can, but C++ can't.
pub fn is_word_of_cpp(name: &str) -> bool {
    CPP.binary_search(&name).is_ok()
}

/// Whether a name looks like a macro of some C header: no small letter, or two underscores first.
pub fn may_be_macro(name: &str) -> bool {
    name.len() > 1 && !name.bytes().any(|b| b.is_ascii_lowercase()) || name.starts_with("__")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_are_sorted() {
        assert!(C.is_sorted() && CPP.is_sorted());
        assert!(is_word_of_c("switch") && !is_word_of_c("class") && is_word_of_cpp("class"));
        assert!(may_be_macro("INT64_MAX") && !may_be_macro("N") && !may_be_macro("total"));
    }
}
