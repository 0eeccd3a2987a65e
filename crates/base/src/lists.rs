//! Many lists in one array: for each id, the things that belong to it.
//!
//! *In:* pairs of id and thing, in any order. *Out:* [`Lists`]; each list is in the order of its pairs. *Cost:* linear. *Source:* counting sort (D. Knuth, The Art of Computer Programming, volume 3, section 5.2, algorithm D).

use crate::ids::Id;
use std::marker::PhantomData;

/// For each key a list; all lists lie one behind the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lists<K, T> {
    /// Where the list of each key starts; one more at the end.
    start: Vec<u32>,
    items: Vec<T>,
    key: PhantomData<fn(K)>,
}

impl<K: Id, T: Copy> Lists<K, T> {
    /// Sorts the pairs by key, for so many keys.
    pub fn new(keys: usize, pairs: impl Iterator<Item = (K, T)>) -> Lists<K, T> {
        let pairs: Vec<(K, T)> = pairs.collect();
        let mut start = vec![0u32; keys + 1];
        for (key, _) in &pairs {
            start[key.index() + 1] += 1;
        }
        for i in 1..start.len() {
            start[i] += start[i - 1];
        }
        let mut next = start.clone();
        let mut items: Vec<T> = pairs.iter().map(|&(_, item)| item).collect(); // as many; now each to its place
        for (key, item) in pairs {
            let place = &mut next[key.index()];
            items[*place as usize] = item;
            *place += 1;
        }
        Lists { start, items, key: PhantomData }
    }

    /// Lists for no keys, to be filled by [`Lists::push`].
    pub fn empty() -> Lists<K, T> {
        Lists { start: vec![0], items: Vec::new(), key: PhantomData }
    }

    /// Adds the list of the next key.
    pub fn push(&mut self, list: &[T]) {
        self.items.extend_from_slice(list);
        self.start.push(self.items.len() as u32);
    }
}

impl<K: Id, T> Lists<K, T> {
    /// The list of a key.
    #[inline]
    pub fn of(&self, key: K) -> &[T] {
        &self.items[self.start[key.index()] as usize..self.start[key.index() + 1] as usize]
    }

    /// How many keys there are.
    pub fn key_count(&self) -> usize {
        self.start.len() - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    crate::define_id! { struct Key, "k"; }

    #[test]
    fn each_list_keeps_the_order_of_its_pairs() {
        let pairs = [(2, 'a'), (0, 'b'), (2, 'c'), (0, 'd'), (2, 'a')].map(|(k, c)| (Key::new(k), c));
        let lists = Lists::new(4, pairs.into_iter());
        let all: Vec<String> = (0..4).map(|k| lists.of(Key::new(k)).iter().collect()).collect();
        assert_eq!(all, ["bd", "", "aca", ""]);
        let mut pushed = Lists::empty();
        for list in &all {
            pushed.push(&list.chars().collect::<Vec<_>>());
        }
        assert_eq!(pushed, lists);
        assert_eq!(lists.key_count(), 4);
    }
}
