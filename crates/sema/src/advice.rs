//! Advice: what was probably meant, in Mini's forms.
//!
//! *In:* what was reported, and the typed expressions it speaks of. *Out:* the text of a help, if there is a good one.
//! *Keeps:* a help names a form that fits the types at hand; where none is known, nothing is said.
//! *Cost:* constant. *Example:* for `"n = " + n` it says `string(n)`.

use crate::body::BodyChecker;
use crate::typed::{ExprId, ExprKind};
use crate::types::{Ty, TyKind};
use mini_base::names::quoted;
use mini_base::source::Span;

/// An operand of an operator that does not fit.
#[derive(Clone, Copy)]
pub(crate) struct Operand {
    /// Its type.
    pub ty: Ty,
    /// Where.
    pub span: Span,
    /// The operand, unless it is all that stands on the left of an operator further right.
    pub id: Option<ExprId>,
}

/// How deep an expression is written out in an advice.
const SHOWN_DEPTH: usize = 3;

impl BodyChecker<'_, '_> {
    /// An expression as it may be written, for examples; `…` for what is long.
    pub fn written(&self, id: ExprId) -> String {
        self.written_to(id, SHOWN_DEPTH)
    }

    fn written_to(&self, id: ExprId, depth: usize) -> String {
        let more = "…".to_string();
        if depth == 0 {
            return more;
        }
        match &self.body.exprs[id].kind {
            ExprKind::Int(value) => value.to_string(),
            ExprKind::Float(value) => format!("{value:?}"),
            ExprKind::Byte(value) => format!("'{}'", value.escape_ascii()),
            ExprKind::String(value) if value.len() <= 12 => quoted(value),
            ExprKind::Local(local) => self.body.locals[*local].name.to_string(),
            ExprKind::Global(global) => self.cx.text(self.cx.globals[*global].syntax.name.name).into(),
            ExprKind::Narrow(inner) => self.written_to(*inner, depth),
            ExprKind::Unwrap(inner) => format!("{}!", self.written_to(*inner, depth - 1)),
            ExprKind::Index(base, index) => {
                format!("{}[{}]", self.written_to(*base, depth - 1), self.written_to(*index, depth - 1))
            }
            ExprKind::Field(base, index) => {
                let base_ty = self.body.exprs[*base].ty;
                let TyKind::Struct(owner, _) = self.kind(base_ty) else { return more };
                let field = self.cx.structs[owner].fields[*index as usize].name.name;
                format!("{}.{}", self.written_to(*base, depth - 1), self.cx.text(field))
            }
            ExprKind::Call(function, args) if self.cx.functions[function.function].receiver.is_none() => {
                let name = self.cx.function_text(function.function);
                format!("{name}({})", if args.is_empty() { "" } else { "…" })
            }
            _ => more, // everything else is too long for an example
        }
    }

    /// What to do with a value that may be null where it must not be.
    pub fn null_help(&self, id: Option<ExprId>) -> String {
        let usual =
            "the value may be null: test it with `!= null`, give another value with `??`, or unwrap it with `!`";
        let Some(id) = id else { return usual.into() };
        let what = match &self.body.exprs[id].kind {
            ExprKind::Field(..) => "fields",
            ExprKind::Index(..) => "elements",
            ExprKind::Global(_) => "globals",
            ExprKind::Local(local) if self.infos[*local].captured => "variables that closures use",
            _ => return usual.into(), // a variable, or a value that nobody could have tested
        };
        let written = self.written(id);
        format!(
            "the value may be null, and tests don't narrow {what}: copy it to a variable and test that, use `if let x = {written} {{ … }}`, or unwrap it with `!`"
        )
    }

    /// What to do where one type stands and another is wanted.
    pub fn mismatch_help(&mut self, wanted: Ty, found: Ty, id: Option<ExprId>) -> Option<String> {
        let (wanted, found) = (self.resolve(wanted), self.resolve(found));
        let written = id.map_or("…".into(), |id| self.written(id));
        let types = &self.cx.types;
        if wanted == types.unit && id.is_some() {
            return Some("to drop the value, put it into a block: `{ …; }`".into());
        }
        if let TyKind::Optional(inner) = types.kind(found)
            && matches!(types.kind(*inner), TyKind::Infer(_))
        {
            if wanted == types.unit || types.has_variables(wanted) {
                return None;
            }
            let text = self.cx.type_text(wanted);
            let text = if matches!(types.kind(wanted), TyKind::Function(..)) { format!("({text})") } else { text };
            return Some(format!("only optionals can be null: make the type `{text}?`"));
        }
        if types.optional_inner(found) == Some(wanted) {
            if wanted == types.bool {
                return Some(format!("for a test, write `{written} != null` or `{written} == true`"));
            }
            return Some(self.null_help(id));
        }
        if let (TyKind::Struct(x, xs), TyKind::Struct(y, ys)) = (types.kind(wanted), types.kind(found))
            && x == y
            && xs.iter().zip(ys).any(|(&wanted, &found)| types.optional_inner(wanted) == Some(found))
        {
            let text = self.cx.type_text(wanted).replacen('<', "::<", 1);
            return Some(format!("the values inside say what the type is, unless it is written: `{text}`"));
        }
        let number = [types.float, types.byte, types.bool].contains(&found);
        let help = match types.kind(wanted) {
            TyKind::String if found == types.byte => self.byte_as_string(id),
            TyKind::String if found != types.unit && self.cx.has_show(found) => {
                format!("convert it with `string({written})`")
            }
            TyKind::Int if number => format!("convert it with `int({written})`"),
            TyKind::Int if found == types.string => format!("`parse_int({written})` reads an int from text"),
            TyKind::Float if found == types.string => format!("`parse_float({written})` reads a float from text"),
            TyKind::Float if found == types.int => self.int_as_float(id),
            TyKind::Byte if found == types.int => format!("convert it with `byte({written})`"),
            TyKind::Byte if found == types.string => self.string_as_byte(id)?,
            TyKind::Bool => match types.kind(found) {
                TyKind::Int => format!("for a test, write `{written} != 0`"),
                TyKind::Float => format!("for a test, write `{written} != 0.0`"),
                TyKind::Optional(_) => format!("for a test, write `{written} != null`"),
                TyKind::String | TyKind::Array(_) => format!("for a test, write `{written}.len() > 0`"),
                _ => return None, // nothing to test
            },
            TyKind::Struct(id, _) if self.cx.is_list(*id) => match types.kind(found) {
                TyKind::Array(element) if matches!(types.kind(*element), TyKind::Infer(_)) => {
                    "`[]` is an array: an empty list is `List::new()`".into()
                }
                TyKind::Array(_) => "an array has a fixed length: `List::from_array(…)` makes a list of it".into(),
                _ => return None, // nothing that lists are made of
            },
            TyKind::Array(_) => match types.kind(found) {
                TyKind::Struct(id, _) if self.cx.is_list(*id) => {
                    format!("`{written}.to_array()` is its elements as an array")
                }
                _ => return None, // nothing that arrays are made of
            },
            _ => return None, // no conversion, nothing to add
        };
        Some(help)
    }

    /// How an int becomes a float: a literal by its point, others by conversion.
    fn int_as_float(&self, id: Option<ExprId>) -> String {
        let Some(id) = id else { return "convert it with `float(…)`".into() };
        let written = self.written(id);
        let span = self.body.exprs[id].span;
        let literal = matches!(self.body.exprs[id].kind, ExprKind::Int(_))
            && (span.end.0 - span.start.0) as usize == written.len();
        if literal { format!("write `{written}.0`") } else { format!("convert it with `float({written})`") }
    }

    /// How a byte becomes a string: a literal by its quotes, others by a call.
    fn byte_as_string(&self, id: Option<ExprId>) -> String {
        let Some(id) = id else { return "`byte_string(…)` makes a string of a byte".into() };
        let written = self.written(id);
        match self.body.exprs[id].kind {
            ExprKind::Byte(b'"') => "strings are written with `\"`: `\"\\\"\"`, or `byte_string('\"')`".into(),
            ExprKind::Byte(value) => {
                format!("strings are written with `\"`: `\"{}\"`, or `byte_string({written})`", value.escape_ascii())
            }
            _ => format!("`byte_string({written})` makes a string of a byte"), // no literal
        }
    }

    /// How a string of one byte becomes that byte, if it is a literal.
    fn string_as_byte(&self, id: Option<ExprId>) -> Option<String> {
        match &self.body.exprs[id?].kind {
            ExprKind::String(text) if text.len() == 1 => {
                let byte = if text[0] == b'"' { "\"".into() } else { text[0].escape_ascii().to_string() };
                Some(format!("bytes are written with `'`: `'{byte}'`"))
            }
            _ => None, // a longer text, or no literal: an element of it may be meant, or not
        }
    }

    /// What to do where an operator takes each of two types but not both, or not these.
    pub fn operand_help(&mut self, left: Operand, right: Operand, comparison: IsComparison) -> Option<String> {
        let (l, r) = (self.kind(left.ty), self.kind(right.ty));
        let compares = comparison == IsComparison::Yes;
        let written = |this: &Self, operand: Operand| operand.id.map_or("…".into(), |id| this.written(id));
        Some(match (&l, &r) {
            (TyKind::Optional(_), _) if !compares || !self.is_null_type(right.ty) => self.null_help(left.id),
            (_, TyKind::Optional(_)) => self.null_help(right.id),
            (TyKind::Int, TyKind::Float) => self.int_as_float(left.id),
            (TyKind::Float, TyKind::Int) => self.int_as_float(right.id),
            (TyKind::String, TyKind::Byte) if compares => {
                self.string_as_byte(left.id).unwrap_or_else(|| self.byte_as_string(right.id))
            }
            (TyKind::Byte, TyKind::String) if compares => {
                self.string_as_byte(right.id).unwrap_or_else(|| self.byte_as_string(left.id))
            }
            (TyKind::String, TyKind::Byte) => self.byte_as_string(right.id),
            (TyKind::Byte, TyKind::String) => self.byte_as_string(left.id),
            (TyKind::String, TyKind::Int | TyKind::Float | TyKind::Bool | TyKind::Enum(..) | TyKind::Array(_))
                if self.has_show(right.ty) =>
            {
                format!("convert it with `string({})`", written(self, right))
            }
            (TyKind::Int | TyKind::Float | TyKind::Bool | TyKind::Enum(..) | TyKind::Array(_), TyKind::String)
                if self.has_show(left.ty) =>
            {
                format!("convert it with `string({})`", written(self, left))
            }
            (TyKind::Byte, TyKind::Byte | TyKind::Int) if !compares => {
                format!("bytes have comparisons only: convert with `int({})`", written(self, left))
            }
            (TyKind::Byte, TyKind::Int) => format!("convert it with `int({})`", written(self, left)),
            (TyKind::Int, TyKind::Byte) => format!("convert it with `int({})`", written(self, right)),
            _ => return None, // no conversion leads from one to the other
        })
    }

    fn is_null_type(&self, ty: Ty) -> bool {
        self.optional_inner(ty).is_some_and(|inner| matches!(self.kind(inner), TyKind::Infer(_)))
    }

    /// What a method of other languages is called here, on a value of this type.
    pub fn foreign_method(&mut self, receiver: ExprId, name: &str) -> Option<String> {
        let ty = self.body.exprs[receiver].ty;
        let kind = self.kind(ty);
        let written = self.written(receiver);
        let sequence = matches!(kind, TyKind::String | TyKind::Array(_));
        Some(match (name, &kind) {
            ("length" | "size" | "count" | "len", _) if sequence => format!("the length is `{written}.len()`"),
            ("push" | "append" | "add" | "pop" | "insert" | "remove" | "extend" | "push_back", TyKind::Array(_)) => {
                "arrays have a fixed length: `List` grows, as in `let xs: List<int> = List::new();`".into()
            }
            ("to_int" | "to_i" | "parse_int" | "parse" | "toInt" | "int", TyKind::String) => {
                format!("`parse_int({written})` reads an int from text")
            }
            ("to_float" | "to_f" | "parse_float" | "toFloat" | "float", TyKind::String) => {
                format!("`parse_float({written})` reads a float from text")
            }
            ("to_string" | "toString" | "str" | "string" | "to_s", _) if self.has_show(ty) => {
                format!("the text of a value is `string({written})`")
            }
            ("to_int" | "toInt" | "as_int", TyKind::Float | TyKind::Byte | TyKind::Bool) => {
                format!("convert it with `int({written})`")
            }
            ("to_float" | "toFloat" | "as_float", TyKind::Int) => format!("convert it with `float({written})`"),
            ("chars" | "bytes" | "iter", TyKind::String) => {
                format!("`for b in {written}` runs over its bytes, `{written}.to_bytes()` makes an array of them")
            }
            ("iter", TyKind::Array(_)) => format!("`for x in {written}` runs over its elements"),
            ("substring" | "substr" | "slice" | "sub", TyKind::String) => {
                format!("a part of it is `{written}[from..to]`")
            }
            ("slice", TyKind::Array(_)) => format!("a part of it is `{written}[from..to]`"),
            ("charAt" | "char_at" | "at" | "get", _) if sequence => format!("an element of it is `{written}[i]`"),
            ("indexOf" | "index_of" | "index", TyKind::String) => {
                format!("`{written}.find(t)` gives the place of a text")
            }
            ("strip", TyKind::String) => format!("write `{written}.trim()`"),
            ("unwrap" | "get" | "value", TyKind::Optional(_)) => format!("write `{written}!`"),
            ("unwrap_or" | "or" | "get_or", TyKind::Optional(_)) => format!("write `{written} ?? other`"),
            ("is_null" | "is_none", TyKind::Optional(_)) => format!("write `{written} == null`"),
            ("is_some", TyKind::Optional(_)) => format!("write `{written} != null`"),
            _ if self.cx.library_name(&kind).is_some() => return self.foreign_library_method(&kind, name, &written),
            _ => {
                // `x.sqrt()` for `sqrt(x)`
                if crate::builtins::function_names().any(|function| function == name)
                    && matches!(kind, TyKind::Int | TyKind::Float | TyKind::Byte | TyKind::Bool)
                {
                    return Some(format!("`{name}` is a function: write `{name}({written})`"));
                }
                return None;
            }
        })
    }

    /// What a method of other languages is called on one of the library's types.
    fn foreign_library_method(&self, kind: &TyKind, name: &str, written: &str) -> Option<String> {
        let here = match (self.cx.library_name(kind)?, name) {
            (_, "length" | "size" | "count") => "len()",
            (_, "is_empty" | "isEmpty" | "empty") => return Some(format!("write `{written}.len() == 0`")),
            ("List", "append" | "add" | "push_back") => "push(x)",
            ("List", "get" | "at") => return Some(format!("an element of it is `{written}[i]`")),
            ("List", "set") => return Some(format!("write `{written}[i] = x`")),
            ("List", "first") => return Some(format!("the first element is `{written}[0]`")),
            ("List", "iter") => return Some(format!("`for x in {written}` runs over its elements")),
            ("List", "join") => return Some("a `StringBuilder` puts a text together".into()),
            ("List", "delete" | "remove_at" | "removeAt" | "erase") => "remove(i)",
            ("List", "indexOf" | "find") => "index_of(x)",
            ("List", "includes") => "contains(x)",
            ("Map", "insert" | "put" | "add") => "set(k, v)",
            ("Map", "getOrDefault" | "get_or_default" | "unwrap_or") => "get_or(k, other)",
            ("Map" | "Set", "contains_key" | "containsKey" | "contains" | "has_key" | "exists") => "has(k)",
            ("Map" | "Set", "delete" | "erase" | "discard") => "remove(k)",
            ("Map", "items" | "iter" | "entries") => {
                return Some(format!("write `for k in {written}.keys() {{ let v = {written}.get(k)!; … }}`"));
            }
            ("Set", "insert" | "push") => "add(k)",
            ("Set", "iter" | "values" | "to_array") => "items()",
            ("StringBuilder", "append" | "push" | "push_str" | "write") => "add(s)",
            ("StringBuilder", "build" | "finish" | "toString") => "to_string()",
            _ => return None, // not known from elsewhere
        };
        Some(format!("write `{written}.{here}`"))
    }

    /// How an element of one of the library's types is had that has no indices.
    pub fn library_index(&self, base: ExprId) -> Option<String> {
        let written = self.written(base);
        match self.cx.library_name(self.cx.types.kind(self.body.exprs[base].ty))? {
            "Map" => Some(format!(
                "write `{written}.set(k, v)`, and `{written}.get(k)`, which may be null, or `{written}.get_or(k, other)`"
            )),
            "Set" => Some(format!("write `{written}.add(k)`, and `{written}.has(k)`")),
            _ => None, // lists have indices
        }
    }

    /// What a function of other languages is called here, or the method that was meant; `first` is its first argument.
    pub fn foreign_function(&mut self, name: &str, first: Option<ExprId>) -> Option<(Option<&'static str>, String)> {
        if let Some(first) = first {
            let kind = self.kind(self.body.exprs[first].ty);
            let known = crate::builtins::methods_of(&kind).iter().any(|row| row.name == name)
                || self.cx.method_named(&kind, name).is_some();
            if known {
                let written = self.written(first);
                return Some((
                    None,
                    format!("`{name}` is a method: write `{written}.{name}(…)`").replace("len(…)", "len()"),
                ));
            }
        }
        let written = first.map_or("x".into(), |id| self.written(id));
        let (replacement, help) = match name {
            "str" | "to_string" | "toString" | "String" | "itoa" => {
                (Some("string"), format!("the text of a value is `string({written})`"))
            }
            "println" | "printf" | "puts" | "echo" | "log_line" | "writeln" => {
                (Some("print"), "`print(…)` writes a line, `write(…)` no line break".into())
            }
            "input" | "readline" | "gets" | "readLine" => {
                (None, "`read_line()` gives the next line of the input, or `null`".into())
            }
            "parseInt" | "atoi" | "to_int" | "strtol" => {
                (Some("parse_int"), format!("`parse_int({written})` reads an int from text"))
            }
            "parseFloat" | "atof" | "to_float" => {
                (Some("parse_float"), format!("`parse_float({written})` reads a float from text"))
            }
            "fabs" => (Some("abs_float"), "write `abs_float(x)`".into()),
            "fmin" => (Some("min_float"), "write `min_float(a, b)`".into()),
            "fmax" => (Some("max_float"), "write `max_float(a, b)`".into()),
            "range" => (None, "a loop over numbers is `for i in 0..n`".into()),
            "len" | "length" | "size" | "sizeof" | "count" => (None, format!("the length is `{written}.len()`")),
            "ord" => (Some("int"), "the number of a byte is `int(b)`".into()),
            "chr" => (None, "the byte of a number is `byte(n)`, its string `byte_string(byte(n))`".into()),
            "ln" => (Some("log"), "the natural logarithm is `log(x)`".into()),
            "not" => (None, format!("write `!{written}`")),
            "throw" | "raise" | "error" | "abort" => (Some("panic"), "`panic(\"…\")` ends the program".into()),
            _ => return None, // not known from elsewhere
        };
        Some((replacement, help))
    }
}

/// Whether an operator compares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum IsComparison {
    /// One of the six.
    Yes,
    /// It computes.
    No,
}

/// What a value of other languages is called here.
pub(crate) fn foreign_value(name: &str) -> Option<&'static str> {
    Some(match name {
        "nil" | "None" | "NULL" | "nullptr" | "undefined" | "Null" => "null",
        "True" | "TRUE" => "true",
        "False" | "FALSE" => "false",
        "this" => "self",
        _ => return None, // not known from elsewhere
    })
}

/// What a type of other languages is called here.
pub(crate) fn foreign_type(name: &str) -> Option<(Option<&'static str>, &'static str)> {
    Some(match name {
        "integer" | "Integer" | "i8" | "i16" | "i32" | "i64" | "u16" | "u32" | "u64" | "usize" | "isize" | "long"
        | "short" | "int64" | "int32" | "number" => (Some("int"), "the integers are `int`, with 64 bits"),
        "boolean" | "Boolean" | "_Bool" => (Some("bool"), "write `bool`"),
        "str" | "text" | "Str" | "String" => (Some("string"), "write `string`"),
        "double" | "Double" | "f64" | "f32" | "real" | "Float64" | "float64" => {
            (Some("float"), "the floating-point numbers are `float`, with 64 bits")
        }
        "char" | "u8" | "uint8" | "rune" | "Char" => (Some("byte"), "the elements of strings are of type `byte`"),
        "void" | "unit" | "Void" | "Unit" | "None" => (None, "a function without a result has no `->`"),
        "Array" | "array" | "Slice" => (None, "an array of `T` is written `[T]`"),
        "Vec" | "vector" | "ArrayList" => {
            (Some("List"), "what grows is a `List<T>`; an array of fixed length is written `[T]`")
        }
        "HashMap" | "Dict" | "dict" | "map" | "BTreeMap" => (Some("Map"), "write `Map<K, V>`"),
        "HashSet" | "set" | "BTreeSet" => (Some("Set"), "write `Set<T>`"),
        "Option" | "Optional" | "Maybe" => (None, "a `T` or `null` is written `T?`"),
        _ => return None, // not known from elsewhere
    })
}
