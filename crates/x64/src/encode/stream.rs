//! The byte stream before branches have a size: raw bytes, and notes of what belongs where.
//!
//! A *place* is an offset in the raw bytes and the number of branches before it; when the sizes of branches are known,
//! it becomes an offset in the function.

use crate::code::{RelocationKind, Target};
use crate::op::Cond;
use iced_x86::{Encoder, Instruction};
use mini_base::ids::{Id, IdVec};
use mini_base::source::Pos;

mini_base::define_id! {
    /// A place to jump to. The blocks of the function come first, with their own numbers.
    pub(super) struct Label, "l";
}

/// Where something is, as far as is known.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place {
    pub raw: u32,
    pub branches: u32,
}

/// A branch, not in the raw bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Branch {
    pub raw: u32,
    pub cond: Cond,
    pub to: Label,
}

/// A place that holds the address of a target.
#[derive(Clone, Copy, Debug)]
pub(super) struct Note {
    pub place: Place,
    pub kind: RelocationKind,
    pub target: Target,
    pub addend: i32,
}

/// A place of 32 bits that holds a distance within the function.
#[derive(Clone, Copy, Debug)]
pub(super) struct Distance {
    pub place: Place,
    /// From where: the end of the instruction, or the start of the table.
    pub from: Place,
    pub to: Label,
}

/// The stream.
pub(super) struct Stream {
    pub encoder: Encoder,
    pub raw: u32,
    pub labels: IdVec<Label, Option<Place>>,
    pub branches: Vec<Branch>,
    pub notes: Vec<Note>,
    pub distances: Vec<Distance>,
    pub sites: Vec<(Place, Pos)>,
}

impl Stream {
    pub fn new(blocks: usize) -> Stream {
        Stream {
            encoder: Encoder::try_with_capacity(64, 256).expect("64 is a bitness"),
            raw: 0,
            labels: IdVec::filled(None, blocks),
            branches: Vec::new(),
            notes: Vec::new(),
            distances: Vec::new(),
            sites: Vec::new(),
        }
    }

    pub fn place(&self) -> Place {
        Place { raw: self.raw, branches: self.branches.len() as u32 }
    }

    pub fn new_label(&mut self) -> Label {
        self.labels.push(None)
    }

    /// The label is here.
    pub fn bind(&mut self, label: Label) {
        self.labels[label] = Some(self.place());
    }

    pub fn branch(&mut self, cond: Cond, to: Label) {
        self.branches.push(Branch { raw: self.raw, cond, to });
    }

    /// An instruction without symbols.
    #[inline]
    pub fn inst(&mut self, inst: &Instruction) {
        match self.encoder.encode(inst, 0) {
            Ok(length) => self.raw += length as u32,
            Err(error) => panic!("{inst} can't be encoded: {error}"),
        }
    }

    /// An instruction whose displacement is relative to the instruction pointer: to a target or, without one, to nothing yet. Returns the
    /// displacement's place.
    pub fn inst_relative(&mut self, inst: &Instruction) -> Place {
        let start = self.place();
        self.inst(inst);
        let offset = self.encoder.get_constant_offsets().displacement_offset() as u32;
        Place { raw: start.raw + offset, branches: start.branches }
    }

    pub fn inst_with_target(&mut self, inst: &Instruction, target: Target, disp: i32) {
        let place = self.inst_relative(inst);
        let addend = disp - (self.raw - place.raw) as i32;
        self.notes.push(Note { place, kind: RelocationKind::Pc32, target, addend });
    }

    pub fn inst_with_label(&mut self, inst: &Instruction, to: Label) {
        let place = self.inst_relative(inst);
        self.distances.push(Distance { place, from: self.place(), to });
    }

    pub fn bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.encoder.write_u8(byte);
        }
        self.raw += bytes.len() as u32;
    }

    /// `call target`
    pub fn call(&mut self, target: Target, pos: Pos) {
        self.bytes(&[0xe8, 0, 0, 0, 0]);
        let place = Place { raw: self.raw - 4, branches: self.branches.len() as u32 };
        self.notes.push(Note { place, kind: RelocationKind::Pc32, target, addend: -4 });
        self.site(pos);
    }

    /// Here is a return address.
    pub fn site(&mut self, pos: Pos) {
        self.sites.push((self.place(), pos));
    }

    /// Whether the last thing was a call.
    pub fn ends_in_call(&self) -> bool {
        let here = self.place();
        self.sites.last().is_some_and(|(place, _)| place.raw == here.raw && place.branches == here.branches)
    }

    /// A table of distances from its start to labels.
    pub fn table(&mut self, label: Label, targets: impl Iterator<Item = Label>) {
        self.bind(label);
        let from = self.place();
        for to in targets {
            let place = self.place();
            self.bytes(&[0; 4]);
            self.distances.push(Distance { place, from, to });
        }
    }
}

impl Label {
    pub fn new(index: usize) -> Label {
        Id::new(index)
    }
}
