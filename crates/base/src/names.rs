//! Interned identifiers: equal text, equal id.

use crate::ids::{Id, IdVec};
use rustc_hash::FxHashMap;
use std::sync::Arc;

crate::define_id! {
    /// An interned identifier. Compared by id; ordered by first appearance, never by text.
    pub struct Name, "name";
}

/// The table of identifiers of one compilation.
#[derive(Default)]
pub struct Names {
    texts: IdVec<Name, Arc<str>>,
    ids: FxHashMap<Arc<str>, Name>,
}

impl Names {
    /// An empty table.
    pub fn new() -> Self {
        Names::default()
    }

    /// The id of `text`, made if it is new. O(length).
    pub fn intern(&mut self, text: &str) -> Name {
        if let Some(&name) = self.ids.get(text) {
            return name;
        }
        let shared: Arc<str> = text.into();
        let name = self.texts.push(shared.clone());
        self.ids.insert(shared, name);
        name
    }

    /// The id of `text`, if it was interned.
    pub fn find(&self, text: &str) -> Option<Name> {
        self.ids.get(text).copied()
    }

    /// The text of a name.
    pub fn text(&self, name: Name) -> &str {
        &self.texts[name]
    }

    /// The text of a name, shared.
    pub fn shared(&self, name: Name) -> Arc<str> {
        self.texts[name].clone()
    }

    /// How many names there are.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }
}

impl std::fmt::Debug for Names {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.texts.ids().map(|n| (n.index(), self.text(n)))).finish()
    }
}

/// A function's name as call stacks show it: what tells the instances of a generic function apart (`<int>`), and functions
/// and closures of the same name (`$2`), is left out.
pub fn shown_name(name: &str) -> &str {
    name.split_once(['<', '$']).map_or(name, |(shown, _)| shown)
}

/// A string as a literal of the language: text as it is, control characters and what is no UTF-8 escaped.
pub fn quoted(bytes: &[u8]) -> String {
    let Ok(text) = std::str::from_utf8(bytes) else { return format!("\"{}\"", bytes.escape_ascii()) };
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\0' => out.push_str("\\0"),
            c if c.is_control() => out.push_str(&format!("\\u{{{:x}}}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn call_stacks_show_plain_names() {
        for (name, shown) in [
            ("main", "main"),
            ("f$2", "f"),
            ("List::map<int, [string]>", "List::map"),
            ("closure in f<int>$2", "closure in f"),
            ("global größe", "global größe"),
        ] {
            assert_eq!(shown_name(name), shown);
        }
    }

    #[test]
    fn literals_keep_their_text() {
        assert_eq!(quoted("größe\t\"日本\"\u{1b}".as_bytes()), "\"größe\\t\\\"日本\\\"\\u{1b}\"");
        assert_eq!(quoted(b"a\xff"), "\"a\\xff\"");
    }

    #[test]
    fn equal_text_is_one_name() {
        let mut names = Names::new();
        let a = names.intern("größe");
        let b = names.intern("b");
        assert_ne!(a, b);
        assert_eq!(names.intern("größe"), a);
        assert_eq!(names.text(a), "größe");
        assert_eq!(names.find("c"), None);
    }
}
