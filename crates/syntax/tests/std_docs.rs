//! docs/std.md has what the library's sources say of themselves: signatures and `///` comments, in the order of the source.
//! `BLESS=1 cargo test -p mini-syntax --test std_docs` writes it anew. Everything `pub` must have a comment.

use mini_base::ids::Id;
use mini_base::names::{Name, Names};
use mini_base::source::{FileId, SourceMap, Span};
use mini_diag::diagnostic::Diagnostics;
use mini_syntax::ast::{Generic, Item, ItemKind, Module};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The library's files in the order of the document.
const FILES: &[&str] = &["list", "map", "set", "string_builder", "stdin_lines", "math", "random", "text"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A parsed file, and the text that is made of it.
struct Document {
    map: SourceMap,
    names: Names,
    out: String,
}

fn parse(file: &str) -> (Module, Document) {
    let path = root().join("runtime/std").join(file).with_extension("mini");
    let text = std::fs::read_to_string(&path).expect("the library's file is there");
    let mut map = SourceMap::new();
    map.add(&path, text.into()).expect("a small file");
    let (mut names, mut diagnostics) = (Names::new(), Diagnostics::new());
    let module = mini_syntax::parser::parse_file(map.file(FileId::new(0)), &mut names, &mut diagnostics);
    assert!(!diagnostics.has_errors(), "{file} has errors");
    (module, Document { map, names, out: String::new() })
}

impl Document {
    fn module(&mut self, module: &Module) {
        let mut generics = Vec::new();
        for item in &module.items {
            match &item.kind {
                ItemKind::Struct(it) => generics.push((it.name.name, self.generics(&it.generics))),
                ItemKind::Enum(it) => generics.push((it.name.name, self.generics(&it.generics))),
                ItemKind::Import(_)
                | ItemKind::Const(_)
                | ItemKind::Global(_)
                | ItemKind::Impl(_)
                | ItemKind::Function(_)
                | ItemKind::Extern(_)
                | ItemKind::Error => {}
            }
        }
        for item in &module.items {
            self.item(item, &generics);
        }
    }

    fn item(&mut self, item: &Item, types: &[(Name, String)]) {
        match &item.kind {
            ItemKind::Impl(it) => {
                let own = types.iter().find(|(name, _)| *name == it.name.name).map(|(_, generics)| generics.as_str());
                let generics = self.generics(&it.generics);
                if own != Some(&generics) {
                    let bounds = generics.trim_start_matches('<').trim_end_matches('>').to_string();
                    let exists = it.items.iter().any(|item| item.public.is_some());
                    if exists && bounds.contains(':') {
                        writeln!(self.out, "Only if `{bounds}`:\n").expect("a string takes all text");
                    }
                }
                it.items.iter().for_each(|item| self.item(item, types));
            }
            _ if item.public.is_none() => {}
            ItemKind::Struct(it) => {
                self.entry("###", format!("struct {}", self.head(it.name.name, &it.generics)), item)
            }
            ItemKind::Enum(it) => self.entry("###", format!("enum {}", self.head(it.name.name, &it.generics)), item),
            ItemKind::Function(it) => self.entry("####", self.source(it.signature.span), item),
            ItemKind::Const(it) | ItemKind::Global(it) => {
                let text = self.source(it.name.span.to(it.value.span));
                self.entry("####", format!("const {text}"), item);
            }
            ItemKind::Import(_) | ItemKind::Extern(_) | ItemKind::Error => {
                panic!("the library has no such `pub` items")
            }
        }
    }

    fn entry(&mut self, heading: &str, title: String, item: &Item) {
        let doc = item.doc.as_deref().unwrap_or_else(|| panic!("`{title}` has no `///` comment"));
        writeln!(self.out, "{heading} `{title}`\n\n{}\n", fenced(doc)).expect("a string takes all text");
    }

    fn source(&self, span: Span) -> String {
        self.map.text(span).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn head(&self, name: Name, generics: &[Generic]) -> String {
        format!("{}{}", self.names.text(name), self.generics(generics))
    }

    fn generics(&self, generics: &[Generic]) -> String {
        let text = |generic: &Generic| {
            let bounds: Vec<&str> = generic.bounds.iter().map(|bound| self.names.text(bound.name)).collect();
            let name = self.names.text(generic.name.name);
            if bounds.is_empty() { name.to_string() } else { format!("{name}: {}", bounds.join(" + ")) }
        };
        match generics {
            [] => String::new(),
            _ => format!("<{}>", generics.iter().map(text).collect::<Vec<_>>().join(", ")),
        }
    }
}

/// Examples, which are indented by four, between fences.
fn fenced(doc: &str) -> String {
    let mut lines = Vec::new();
    let mut inside = false;
    for line in doc.lines() {
        let code = line.strip_prefix("    ");
        if code.is_some() != inside {
            lines.push(if inside { "```" } else { "```mini" });
            inside = !inside;
        }
        lines.push(code.unwrap_or(line).trim_end());
    }
    if inside {
        lines.push("```");
    }
    lines.join("\n")
}

#[test]
fn the_document_is_current() {
    let path = root().join("docs/std.md");
    let text = std::fs::read_to_string(&path).expect("docs/std.md is there");
    let mut want = text.clone();
    for file in FILES {
        let (module, mut document) = parse(file);
        document.module(&module);
        let (start, end) = (format!("<!-- library: {file} -->\n"), "<!-- end -->");
        let from = want.find(&start).unwrap_or_else(|| panic!("docs/std.md has no place for {file}")) + start.len();
        let to = from + want[from..].find(end).expect("the place has an end");
        want.replace_range(from..to, &format!("\n{}", document.out));
    }
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &want).expect("docs/std.md can be written");
    } else {
        assert!(text == want, "docs/std.md is not current; run this test with BLESS=1");
    }
}

#[test]
fn every_file_of_the_library_is_in_the_document() {
    let mut there: Vec<String> = std::fs::read_dir(root().join("runtime/std"))
        .expect("the library is there")
        .map(|entry| entry.expect("a file").path().file_stem().expect("a name").to_string_lossy().into_owned())
        .collect();
    let mut listed: Vec<String> = FILES.iter().map(|file| file.to_string()).collect();
    there.sort();
    listed.sort();
    assert_eq!(there, listed);
}
