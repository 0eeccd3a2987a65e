//! Dense typed ids and the vectors that they index.
//!
//! An id is a `u32` in a type of its own, so that a block can't be taken for a value. Ids are handed out densely from 0
//! by the vector that holds what they name. `NonMaxU32`-like packing: `Option<Id>` costs no extra space, since the
//! largest `u32` is never an id.

use std::fmt;
use std::hash::Hash;
use std::marker::PhantomData;
use std::num::NonZeroU32;
use std::ops::{Index, IndexMut};

/// A dense id. Implemented by [`define_id!`](crate::define_id) only.
pub trait Id: Copy + Eq + Ord + Hash + fmt::Debug {
    /// The id of the thing at `index`. Panics past 2^32 - 2 things, which every producer's limits exclude.
    fn new(index: usize) -> Self;
    /// Where the thing is in its vector.
    fn index(self) -> usize;
}

/// The packed form inside every id: `index + 1`, so that `Option` needs no extra word.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RawId(NonZeroU32);

impl RawId {
    /// Packs an index.
    #[inline]
    pub fn new(index: usize) -> RawId {
        let packed = u32::try_from(index + 1).ok().and_then(NonZeroU32::new);
        RawId(packed.expect("fewer than 2^32 - 1 things of a kind; the source size limit sees to it"))
    }

    /// Unpacks the index.
    #[inline]
    pub fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// Defines id types: `define_id! { /// A basic block. pub struct Block, "b" }`; the text is the prefix for `Debug` and `Display`.
#[macro_export]
macro_rules! define_id {
    ($($(#[$meta:meta])* $vis:vis struct $name:ident, $prefix:literal;)*) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $vis struct $name($crate::ids::RawId);

        impl $crate::ids::Id for $name {
            #[inline]
            fn new(index: usize) -> Self { $name($crate::ids::RawId::new(index)) }
            #[inline]
            fn index(self) -> usize { self.0.index() }
        }

        impl ::std::fmt::Debug for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                write!(f, concat!($prefix, "{}"), $crate::ids::Id::index(*self))
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                ::std::fmt::Debug::fmt(self, f)
            }
        }
    )*};
}

/// A vector indexed by an id type.
#[derive(Clone, PartialEq, Eq)]
pub struct IdVec<I, T> {
    items: Vec<T>,
    id: PhantomData<fn(I)>,
}

impl<I: Id, T> IdVec<I, T> {
    /// An empty vector.
    pub const fn new() -> Self {
        IdVec { items: Vec::new(), id: PhantomData }
    }

    /// `len` copies of `value`: a side table for a vector of that length.
    pub fn filled(value: T, len: usize) -> Self
    where
        T: Clone,
    {
        IdVec { items: vec![value; len], id: PhantomData }
    }

    /// Adds a thing and returns its id.
    #[inline]
    pub fn push(&mut self, item: T) -> I {
        let id = I::new(self.items.len());
        self.items.push(item);
        id
    }

    /// The id that the next `push` will return.
    pub fn next_id(&self) -> I {
        I::new(self.items.len())
    }

    /// How many things there are.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The things in order.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.items.iter()
    }

    /// The things in order, to be changed.
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.items.iter_mut()
    }

    /// All ids in order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator + use<I, T> {
        (0..self.items.len()).map(I::new)
    }

    /// Ids with their things, in order.
    pub fn iter_enumerated(&self) -> impl DoubleEndedIterator<Item = (I, &T)> + ExactSizeIterator {
        self.items.iter().enumerate().map(|(i, t)| (I::new(i), t))
    }

    /// The thing, if the id is in range.
    pub fn get(&self, id: I) -> Option<&T> {
        self.items.get(id.index())
    }

    /// Grows with `value` until `len` things are there.
    pub fn grow(&mut self, len: usize, value: T)
    where
        T: Clone,
    {
        if self.items.len() < len {
            self.items.resize(len, value);
        }
    }

    /// The things as a slice.
    pub fn as_slice(&self) -> &[T] {
        &self.items
    }

    /// The things as a plain vector.
    pub fn into_vec(self) -> Vec<T> {
        self.items
    }
}

impl<I: Id, T> Default for IdVec<I, T> {
    fn default() -> Self {
        IdVec::new()
    }
}

impl<I: Id, T> Index<I> for IdVec<I, T> {
    type Output = T;
    #[inline]
    fn index(&self, id: I) -> &T {
        &self.items[id.index()]
    }
}

impl<I: Id, T> IndexMut<I> for IdVec<I, T> {
    #[inline]
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.items[id.index()]
    }
}

impl<I: Id, T> FromIterator<T> for IdVec<I, T> {
    fn from_iter<It: IntoIterator<Item = T>>(items: It) -> Self {
        IdVec { items: items.into_iter().collect(), id: PhantomData }
    }
}

impl<I: Id, T> From<Vec<T>> for IdVec<I, T> {
    fn from(items: Vec<T>) -> Self {
        IdVec { items, id: PhantomData }
    }
}

impl<I: Id, T> IntoIterator for IdVec<I, T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;
    fn into_iter(self) -> Self::IntoIter {
        self.items.into_iter()
    }
}

impl<'a, I: Id, T> IntoIterator for &'a IdVec<I, T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;
    fn into_iter(self) -> Self::IntoIter {
        self.items.iter()
    }
}

impl<I: Id + fmt::Debug, T: fmt::Debug> fmt::Debug for IdVec<I, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter_enumerated()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    define_id! { struct Thing, "t"; }

    #[test]
    fn an_optional_id_is_one_word() {
        assert_eq!(size_of::<Option<Thing>>(), 4);
    }

    #[test]
    fn ids_are_dense_and_print_with_their_prefix() {
        let mut things: IdVec<Thing, &str> = IdVec::new();
        let first = things.push("a");
        let second = things.push("b");
        assert_eq!((first.index(), second.index()), (0, 1));
        assert_eq!(things[second], "b");
        assert_eq!(format!("{second}"), "t1");
    }
}
