//! Branch relaxation, and the final bytes.
//!
//! All branches start with two bytes. In each round those whose target is out of reach grow; growing moves others apart, never together, so
//! that this ends with the smallest sizes that fit.

use super::stream::{Branch, Label, Place, Stream};
use crate::code::{CallSite, Code, Relocation};
use crate::op::Cond;
use mini_base::ids::IdVec;

const SHORT: u32 = 2;

/// Bytes of a branch with a 32-bit distance.
fn long(cond: Cond) -> u32 {
    if cond == Cond::Always { 5 } else { 6 }
}

/// The bytes of all branches before the `n`th, for every `n`.
struct Sizes {
    before: Vec<u32>,
}

impl Sizes {
    fn new(stream: &Stream) -> Sizes {
        let Stream { branches, labels, .. } = stream;
        let mut grown = vec![false; branches.len()];
        loop {
            let sizes = Sizes::of(branches, &grown);
            let mut changed = false;
            for (i, grown) in grown.iter_mut().enumerate() {
                if !*grown && i8::try_from(sizes.distance(branches, labels, i)).is_err() {
                    *grown = true;
                    changed = true;
                }
            }
            if !changed {
                return sizes;
            }
        }
    }

    fn of(branches: &[Branch], grown: &[bool]) -> Sizes {
        let mut before = Vec::with_capacity(branches.len() + 1);
        let mut sum = 0;
        before.push(0);
        for (branch, &grown) in branches.iter().zip(grown) {
            sum += if grown { long(branch.cond) } else { SHORT };
            before.push(sum);
        }
        Sizes { before }
    }

    fn offset(&self, place: Place) -> u32 {
        place.raw + self.before[place.branches as usize]
    }

    /// From the end of a branch to its target.
    fn distance(&self, branches: &[Branch], labels: &IdVec<Label, Option<Place>>, i: usize) -> i32 {
        let end = branches[i].raw + self.before[i + 1];
        self.offset(labels[branches[i].to].expect("every label is bound")) as i32 - end as i32
    }
}

impl Stream {
    /// The function's code; without name and frame.
    pub fn finish(mut self) -> Code {
        let sizes = Sizes::new(&self);
        let raw = self.encoder.take_buffer();
        let mut bytes = Vec::with_capacity(raw.len() + 6 * self.branches.len());
        let mut copied = 0;
        for (i, branch) in self.branches.iter().enumerate() {
            bytes.extend_from_slice(&raw[copied..branch.raw as usize]);
            copied = branch.raw as usize;
            let distance = sizes.distance(&self.branches, &self.labels, i);
            put_branch(&mut bytes, branch.cond, sizes.before[i + 1] - sizes.before[i], distance);
        }
        bytes.extend_from_slice(&raw[copied..]);
        let mut put = |offset: u32, value: i32| {
            bytes[offset as usize..offset as usize + 4].copy_from_slice(&value.to_le_bytes());
        };
        for distance in &self.distances {
            let to = sizes.offset(self.labels[distance.to].expect("every label is bound"));
            put(sizes.offset(distance.place), to as i32 - sizes.offset(distance.from) as i32);
        }
        let mut relocations = Vec::with_capacity(self.notes.len());
        for note in &self.notes {
            let offset = sizes.offset(note.place);
            put(offset, 0);
            relocations.push(Relocation { offset, kind: note.kind, target: note.target, addend: note.addend });
        }
        let call_sites =
            self.sites.iter().map(|&(place, pos)| CallSite { return_offset: sizes.offset(place), pos }).collect();
        Code { bytes, relocations, call_sites, ..Code::default() }
    }
}

fn put_branch(bytes: &mut Vec<u8>, cond: Cond, size: u32, distance: i32) {
    match (size, cond) {
        (SHORT, Cond::Always) => bytes.extend([0xeb, distance as u8]),
        (SHORT, _) => bytes.extend([0x70 | condition_code(cond), distance as u8]),
        (_, Cond::Always) => {
            bytes.push(0xe9);
            bytes.extend(distance.to_le_bytes());
        }
        _ => {
            bytes.extend([0x0f, 0x80 | condition_code(cond)]);
            bytes.extend(distance.to_le_bytes());
        }
    }
}

/// The machine's number of a condition.
fn condition_code(cond: Cond) -> u8 {
    match cond {
        Cond::Always => unreachable!("it has no number"),
        Cond::O => 0,
        Cond::No => 1,
        Cond::B => 2,
        Cond::Ae => 3,
        Cond::E => 4,
        Cond::Ne => 5,
        Cond::Be => 6,
        Cond::A => 7,
        Cond::S => 8,
        Cond::Ns => 9,
        Cond::P => 10,
        Cond::Np => 11,
        Cond::L => 12,
        Cond::Ge => 13,
        Cond::Le => 14,
        Cond::G => 15,
    }
}
