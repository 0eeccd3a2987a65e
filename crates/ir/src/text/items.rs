//! Text to modules: the items around the functions.
//!
//! *In:* the tokens. *Out:* layouts, globals and C functions in the module's tables; functions as lists of names. *Cost:* linear.

use super::parse::{Parsed, Parser};
use super::scan::Kind;
use crate::module::{Global, Signature};
use crate::types::{Layout, Type};
use rustc_hash::FxHashMap;
use std::borrow::Cow;

impl<'a> Parser<'a> {
    /// `variant 2`
    fn variant_tag(&mut self) -> Parsed<u32> {
        self.next();
        let token = self.next();
        self.index(self.slice(token), token)
    }

    pub(super) fn items(&mut self) -> Parsed<()> {
        let mut structs: FxHashMap<Cow<'a, str>, ()> = FxHashMap::default();
        let mut globals: FxHashMap<Cow<'a, str>, ()> = FxHashMap::default();
        let mut names: FxHashMap<Cow<'a, str>, ()> = FxHashMap::default();
        let mut externs: FxHashMap<String, ()> = FxHashMap::default();
        while self.peek().kind != Kind::End {
            let token = self.peek();
            let variant = self.slice(token) == "variant";
            if variant || self.accept_word("struct") {
                let tag = if variant { Some(self.variant_tag()?) } else { None };
                let place = self.peek();
                let name = self.name("the struct's name")?;
                if structs.insert(name.clone(), ()).is_some() {
                    return self.error(place, format!("there is a struct `{name}` already"));
                }
                let fields = self.fields()?;
                self.info.layout(Layout::Struct { name: name.as_ref().into(), tag, fields });
            } else if self.accept_word("global") {
                let place = self.peek();
                let name = self.name("the global's name")?;
                if globals.insert(name.clone(), ()).is_some() {
                    return self.error(place, format!("there is a global `{name}` already"));
                }
                self.expect(b':')?;
                let ty = self.ty()?;
                self.info.globals.push(Global { name: name.as_ref().into(), ty });
            } else if self.accept_word("extern") {
                let place = self.peek();
                let head = self.extern_head()?;
                if externs.insert(head.name.to_string(), ()).is_some() {
                    return self.error(place, format!("there is a C function `{}` already", head.name));
                }
                self.info.externs.push(head);
            } else if self.accept_word("start") {
                let place = self.peek();
                let name = self.name("the name of the function that runs the program")?;
                self.start = Some((name, place.start));
            } else if ["hidden", "flat", "ssa", "cssa", "func"].iter().any(|w| self.is_word(w)) {
                let func = self.func()?;
                if names.insert(func.name.clone(), ()).is_some() {
                    return self.error(token, format!("there is a function `{}` already", func.name));
                }
                self.funcs.push(func);
            } else {
                return self.expected("`struct`, `variant`, `global`, `extern`, `start`, or a function");
            }
        }
        Ok(())
    }

    /// `puts(ref) -> int`, behind `extern`.
    fn extern_head(&mut self) -> Parsed<Signature> {
        let name = self.name("the C function's name")?.as_ref().into();
        let mut params = Vec::new();
        self.expect(b'(')?;
        while !self.accept(b')') {
            params.push(self.ty()?);
            if !self.accept(b',') && !self.is(b')') {
                return self.expected("`,` or `)`");
            }
        }
        let place = self.peek();
        let results = self.arrow()?;
        if results.len() > 1 || results.contains(&Type::Ref) {
            return self.error(place, "a C function has at most one result, which is no ref".into());
        }
        Ok(Signature { name, params, results })
    }

    fn fields(&mut self) -> Parsed<Vec<(std::sync::Arc<str>, Type)>> {
        let mut fields = Vec::new();
        self.expect(b'{')?;
        while !self.accept(b'}') {
            let name = self.name("a field's name, or `}`")?;
            self.expect(b':')?;
            fields.push((name.as_ref().into(), self.ty()?));
            if !self.accept(b',') && !self.is(b'}') {
                return self.expected("`,` or `}`");
            }
        }
        Ok(fields)
    }
}
