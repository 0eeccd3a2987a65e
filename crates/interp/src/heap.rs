//! Objects, and the collector: mark and sweep over a table of handles.
//!
//! A reference is the index of an object in the table; 0 is null. The first objects, string constants, function values and
//! the variants without fields (one place a layout), are permanent. Every field and element is one word, but for arrays of bools and bytes, which are packed.
//! *Cost:* a collection takes time in proportion to the table; it runs when as much was allocated as
//! was live after the last one, and at least a step.

use mini_ir::func::Func;
use mini_ir::module::Module;
use mini_ir::types::{Layout, Type};
use std::sync::Arc;

/// What an object holds.
#[derive(Debug)]
pub(crate) enum Object {
    /// A place for a new object; the next such place.
    Free(u32),
    /// A struct: its layout, a word for each field.
    Fields(u32, Box<[u64]>),
    /// An array of wide elements: its layout, one word a part.
    Words(u32, Box<[u64]>),
    /// An array of bools or bytes: its layout, one byte a part.
    Bytes(u32, Box<[u8]>),
    /// A string.
    Str(Arc<[u8]>),
    /// The value of a named function.
    Func(u32),
}

/// The layouts of the module, as the interpreter needs them.
#[derive(Clone, Debug)]
pub(crate) struct LayoutFacts {
    /// Fields of a struct that are references; for arrays of references, 0.
    pub refs: Vec<u32>,
    /// Fields of a struct, parts of an array's element.
    pub parts: u32,
    /// The tag of a variant of an enum.
    pub tag: Option<u32>,
    pub element: Option<Type>,
}

pub(crate) struct Heap {
    objects: Vec<Object>,
    free: u32,
    permanent: u32,
    marks: Vec<u64>,
    layouts: Vec<LayoutFacts>,
    strings_at: u32,
    statics_at: u32,
    /// Bytes of all objects that are not permanent.
    bytes: u64,
    /// A collection is due when `bytes` gets here.
    threshold: u64,
    limit: u64,
    step: u64,
    ref_array: u32,
    byte_array: u32,
}

/// The heap is exhausted.
#[derive(Debug)]
pub(crate) struct OutOfMemory;

const OBJECT_BYTES: u64 = size_of::<Object>() as u64;

impl Heap {
    /// A heap with the permanent objects of a module.
    pub fn new(module: &Module, limit: u64, step: u64) -> Heap {
        let mut layouts: Vec<LayoutFacts> = module.info.layouts.iter().map(facts).collect();
        let mut find = |layout: Layout| {
            let known = module.info.layouts.iter().position(|l| *l == layout);
            known.unwrap_or_else(|| {
                layouts.push(facts(&layout));
                layouts.len() - 1
            }) as u32
        };
        let ref_array = find(Layout::Array { element: Type::Ref, optional: false });
        let byte_array = find(Layout::Array { element: Type::Byte, optional: false });
        let mut objects = vec![Object::Free(0)];
        objects.extend(module.info.strings.iter().map(|s| Object::Str(s.clone())));
        objects.extend(module.funcs.iter().enumerate().map(|(n, _): (usize, &Func)| Object::Func(n as u32)));
        let statics_at = objects.len() as u32;
        objects.extend((0..layouts.len() as u32).map(|layout| Object::Fields(layout, Box::default())));
        let permanent = objects.len() as u32;
        Heap {
            objects,
            free: 0,
            permanent,
            marks: Vec::new(),
            layouts,
            strings_at: 1,
            statics_at,
            bytes: 0,
            threshold: step.min(limit),
            limit,
            step,
            ref_array,
            byte_array,
        }
    }

    /// The reference of a string constant.
    pub fn string_ref(&self, index: usize) -> u64 {
        u64::from(self.strings_at) + index as u64
    }

    /// The reference of a function's value.
    pub fn func_ref(&self, index: usize, module: &Module) -> u64 {
        u64::from(self.strings_at) + (module.info.strings.len() + index) as u64
    }

    /// The only object of a layout without fields.
    pub fn static_ref(&self, layout: u32) -> u64 {
        u64::from(self.statics_at + layout)
    }

    /// The tag of a variant of an enum.
    pub fn tag(&self, reference: u64) -> Option<u32> {
        match self.get(reference)? {
            Object::Fields(layout, _) => self.layouts[*layout as usize].tag,
            _ => None,
        }
    }

    #[inline]
    pub fn get(&self, reference: u64) -> Option<&Object> {
        self.objects.get(reference as usize)
    }

    #[inline]
    pub fn get_mut(&mut self, reference: u64) -> Option<&mut Object> {
        self.objects.get_mut(reference as usize)
    }

    /// A string's bytes.
    #[inline]
    pub fn string(&self, reference: u64) -> Option<&Arc<[u8]>> {
        match self.get(reference) {
            Some(Object::Str(bytes)) => Some(bytes),
            _ => None,
        }
    }

    /// The length of a string or array.
    #[inline]
    pub fn length(&self, reference: u64) -> Option<i64> {
        let (length, layout) = match self.get(reference)? {
            Object::Words(layout, words) => (words.len(), *layout),
            Object::Bytes(layout, bytes) => (bytes.len(), *layout),
            Object::Str(bytes) => return Some(bytes.len() as i64),
            Object::Free(_) | Object::Fields(..) | Object::Func(_) => return None,
        };
        Some(if self.layouts[layout as usize].parts == 2 { length / 2 } else { length } as i64)
    }

    /// Whether a collection should come before the next allocation.
    #[inline]
    pub fn is_full(&self) -> bool {
        self.bytes >= self.threshold
    }

    fn place(&mut self, object: Object, bytes: u64) -> u64 {
        self.bytes += bytes + OBJECT_BYTES;
        if self.free != 0 {
            let at = self.free as usize;
            if let Object::Free(next) = self.objects[at] {
                self.free = next;
            }
            self.objects[at] = object;
            return at as u64;
        }
        self.objects.push(object);
        self.objects.len() as u64 - 1
    }

    /// Whether so many bytes fit beside what is there; the caller collects and asks again if not.
    pub fn fits(&self, bytes: u64) -> bool {
        self.bytes.saturating_add(bytes) <= self.limit && self.objects.len() < u32::MAX as usize - 1
    }

    /// Bytes of a struct's fields.
    #[inline]
    pub fn struct_bytes(&self, layout: u32) -> u64 {
        8 * u64::from(self.layouts[layout as usize].parts)
    }

    /// A struct, all fields zero.
    #[inline]
    pub fn new_struct(&mut self, layout: u32) -> u64 {
        let count = self.layouts[layout as usize].parts as usize;
        self.place(Object::Fields(layout, vec![0; count].into_boxed_slice()), 8 * count as u64)
    }

    /// Bytes of an array, or `None` if that is beyond all bounds.
    pub fn array_bytes(&self, layout: u32, length: i64) -> Option<u64> {
        let facts = &self.layouts[layout as usize];
        let size = u64::from(facts.element.map_or(8, Type::size)) * u64::from(facts.parts);
        u64::try_from(length).ok()?.checked_mul(size).filter(|&b| b < 1 << 47)
    }

    /// An array, all elements zero. The length was checked to fit.
    pub fn new_array(&mut self, layout: u32, length: i64) -> Result<u64, OutOfMemory> {
        let bytes = self.array_bytes(layout, length).ok_or(OutOfMemory)?;
        let facts = &self.layouts[layout as usize];
        let count = length as usize * facts.parts as usize;
        let object = match facts.element.map_or(8, Type::size) {
            1 => Object::Bytes(layout, zeroed(count)?),
            _ => Object::Words(layout, zeroed(count)?),
        };
        Ok(self.place(object, bytes))
    }

    /// A string.
    pub fn new_string(&mut self, bytes: &[u8]) -> u64 {
        self.place(Object::Str(bytes.into()), bytes.len() as u64)
    }

    /// An array of references.
    pub fn new_ref_array(&mut self, refs: Vec<u64>) -> u64 {
        let bytes = 8 * refs.len() as u64;
        self.place(Object::Words(self.ref_array, refs.into_boxed_slice()), bytes)
    }

    /// An array of bytes.
    pub fn new_byte_array(&mut self, elements: &[u8]) -> u64 {
        self.place(Object::Bytes(self.byte_array, elements.into()), elements.len() as u64)
    }

    /// A new array with the elements `start..end` of another; `None` if that is no array or has no such elements.
    pub fn slice(&mut self, array: u64, start: i64, end: i64) -> Option<u64> {
        let (start, end) = (usize::try_from(start).ok()?, usize::try_from(end).ok()?);
        let part = |layout: &u32, facts: &[LayoutFacts]| {
            let parts = facts[*layout as usize].parts as usize;
            Some(start.checked_mul(parts)?..end.checked_mul(parts)?)
        };
        let (object, bytes) = match self.get(array)? {
            Object::Words(layout, words) => {
                let words = words.get(part(layout, &self.layouts)?)?;
                (Object::Words(*layout, words.into()), 8 * words.len())
            }
            Object::Bytes(layout, bytes) => {
                let bytes = bytes.get(part(layout, &self.layouts)?)?;
                (Object::Bytes(*layout, bytes.into()), bytes.len())
            }
            Object::Free(_) | Object::Fields(..) | Object::Str(_) | Object::Func(_) => return None,
        };
        Some(self.place(object, bytes as u64))
    }

    /// The present elements of an array of bytes.
    pub fn present_bytes(&self, array: u64) -> Option<Vec<u8>> {
        match self.get(array)? {
            Object::Bytes(layout, bytes) if self.layouts[*layout as usize].parts == 2 => {
                Some(bytes.chunks_exact(2).filter(|pair| pair[1] != 0).map(|pair| pair[0]).collect())
            }
            Object::Bytes(_, bytes) => Some(bytes.to_vec()),
            Object::Free(_) | Object::Fields(..) | Object::Words(..) | Object::Str(_) | Object::Func(_) => None,
        }
    }

    /// Frees every object that the roots don't lead to.
    pub fn collect(&mut self, roots: impl Iterator<Item = u64>) {
        self.marks.clear();
        self.marks.resize(self.objects.len().div_ceil(64), 0);
        let mut work: Vec<u32> = Vec::new();
        for root in roots {
            mark(&mut self.marks, &mut work, self.permanent, self.objects.len(), root);
        }
        while let Some(at) = work.pop() {
            let mut visit = |word: u64| mark(&mut self.marks, &mut work, self.permanent, self.objects.len(), word);
            match &self.objects[at as usize] {
                Object::Fields(layout, words) => {
                    for &field in &self.layouts[*layout as usize].refs {
                        visit(words[field as usize]);
                    }
                }
                Object::Words(layout, words) if !self.layouts[*layout as usize].refs.is_empty() => {
                    words.iter().for_each(|&word| visit(word));
                }
                Object::Words(..) | Object::Bytes(..) | Object::Str(_) | Object::Func(_) | Object::Free(_) => {}
            }
        }
        self.sweep();
        let next = if self.step == 0 { 0 } else { (2 * self.bytes).max(self.bytes + self.step) };
        self.threshold = next.min(self.limit.max(self.bytes));
    }

    fn sweep(&mut self) {
        self.free = 0;
        self.bytes = 0;
        for at in (self.permanent as usize..self.objects.len()).rev() {
            if self.marks[at / 64] >> (at % 64) & 1 != 0 {
                self.bytes += OBJECT_BYTES + payload(&self.objects[at]);
            } else {
                self.objects[at] = Object::Free(self.free);
                self.free = at as u32;
            }
        }
    }
}

fn payload(object: &Object) -> u64 {
    match object {
        Object::Fields(_, words) | Object::Words(_, words) => 8 * words.len() as u64,
        Object::Bytes(_, bytes) => bytes.len() as u64,
        Object::Str(bytes) => bytes.len() as u64,
        Object::Func(_) | Object::Free(_) => 0,
    }
}

fn mark(marks: &mut [u64], work: &mut Vec<u32>, permanent: u32, count: usize, word: u64) {
    // Words that IR without rules took for references may be anything.
    if word < u64::from(permanent) || word >= count as u64 {
        return;
    }
    let (at, bit) = (word as usize / 64, 1 << (word % 64));
    if marks[at] & bit == 0 {
        marks[at] |= bit;
        work.push(word as u32);
    }
}

fn zeroed<T: Clone + Default>(count: usize) -> Result<Box<[T]>, OutOfMemory> {
    let mut elements = Vec::new();
    elements.try_reserve_exact(count).map_err(|_| OutOfMemory)?;
    elements.resize(count, T::default());
    Ok(elements.into_boxed_slice())
}

fn facts(layout: &Layout) -> LayoutFacts {
    match layout {
        Layout::Struct { fields, tag, .. } => LayoutFacts {
            tag: *tag,
            refs: (0..fields.len() as u32).filter(|&n| fields[n as usize].1 == Type::Ref).collect(),
            parts: fields.len() as u32,
            element: None,
        },
        Layout::Array { element, optional } => LayoutFacts {
            tag: None,
            refs: if *element == Type::Ref { vec![0] } else { vec![] },
            parts: 1 + u32::from(*optional),
            element: Some(*element),
        },
    }
}
