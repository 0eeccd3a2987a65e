//! Marking: roots, then everything reachable from them.
//!
//! In: the registers and the stack, the globals. Out: the mark bits of the new parity, `marked` of each block.
//! Cost: O(stack + globals + live objects). An explicit stack in its own mapping, no recursion; arrays of references go
//! onto it in slices, so that it holds a few entries for an array of any length.

use super::blocks::{Block, HEAP, Heap, Kind, block_at, block_of, mark_word, memory_of};
use super::collect::parity;
use super::out_of_memory;
use crate::buffer::Buffer;
use crate::object::{ARRAY, DATA, FIXED, Object, STRING, Sequence, TypeDesc};
use crate::program;
use crate::state::{Global, PROCESS};

/// Objects whose references are still to be followed: an address; or an index, doubled plus 1, above the address of the
/// array that is followed from there on.
static PENDING: Global<Buffer<usize>> = Global::new(Buffer::new());

/// Elements of an array that are followed at a time.
const SLICE: usize = 256;

struct Marker<'a> {
    heap: &'a Heap,
    pending: &'a mut Buffer<usize>,
    parity: usize,
    lowest: usize,
    span: usize,
}

/// Marks everything reachable. `sp` is below all that the program and the library have on the stack, registers included.
pub fn run(sp: usize) {
    // SAFETY: one thread, and nothing called here uses them otherwise.
    let (heap, pending, process) = unsafe { (&*HEAP.get(), &mut *PENDING.get(), &*PROCESS.get()) };
    let info = program::info();
    let (lowest, span) = (heap.lowest, heap.highest.saturating_sub(heap.lowest));
    let mut marker = Marker { heap, pending, parity: parity(), lowest, span };
    // SAFETY: the globals and the stack are readable words.
    unsafe {
        marker.conservatively(info.globals_start as usize, info.globals_end as usize);
        marker.conservatively(sp, process.stack_top);
    }
    pending.clear();
}

/// Whether an object begins at an address.
#[cfg(feature = "library")]
pub fn is_object(address: usize) -> bool {
    // SAFETY: as above.
    let (heap, pending) = unsafe { (&*HEAP.get(), &mut *PENDING.get()) };
    let (lowest, span) = (heap.lowest, heap.highest.saturating_sub(heap.lowest));
    // Between collections the marks of the last one count.
    let marker = Marker { heap, pending, parity: parity() ^ 1, lowest, span };
    address.wrapping_sub(lowest) < span && marker.object_at(address) == Some(address)
}

impl Marker<'_> {
    /// Marks what the words of a range may refer to, and all that is reachable from there.
    unsafe fn conservatively(&mut self, start: usize, end: usize) {
        let mut at = start;
        while at + 8 <= end {
            let word = unsafe { *(at as *const usize) };
            at += 8;
            if word.wrapping_sub(self.lowest) < self.span
                && let Some(object) = self.object_at(word)
            {
                self.reach(object);
                self.drain();
            }
        }
    }

    /// The allocated object that an address points to or into.
    fn object_at(&self, address: usize) -> Option<usize> {
        let chunk = self.heap.chunk_of(address);
        if chunk == 0 {
            return None;
        }
        let mut block = block_of(address);
        if block as usize & !((4 << 20) - 1) != chunk {
            // Behind the first 4 MiB of a mapping for one object.
            let object = chunk + super::blocks::CHUNK_HEAD;
            // SAFETY: the chunk's first block.
            return (address < chunk + unsafe { (*block_of(object)).mapped }).then_some(object);
        }
        // SAFETY: each chunk begins with its blocks.
        unsafe {
            match (*block).kind {
                Kind::Free => self.own_mapping(chunk, address),
                Kind::Object => Some(memory_of(block)),
                Kind::Inside => {
                    block = block_at(block, 0).wrapping_byte_sub((*block).blocks as usize * 64);
                    Some(memory_of(block))
                }
                Kind::Cells => allocated_cell(block, address, self.parity ^ 1),
            }
        }
    }

    /// The object of a chunk that is a mapping for one object, if the address is in it.
    fn own_mapping(&self, chunk: usize, address: usize) -> Option<usize> {
        let object = chunk + super::blocks::CHUNK_HEAD;
        // SAFETY: each chunk begins with its blocks.
        let mapped = unsafe { (*block_of(object)).mapped };
        (object..chunk + mapped).contains(&address).then_some(object)
    }

    /// Marks an object and remembers to follow it, unless that was done.
    #[inline(always)]
    fn reach(&mut self, object: usize) {
        let word = mark_word(object, self.parity);
        let bit = 1u64 << (object / 16 % 64);
        // SAFETY: an object in the heap.
        unsafe {
            if *word & bit != 0 {
                return;
            }
            *word |= bit;
            (*block_of(object)).marked += 1;
            core::arch::x86_64::_mm_prefetch::<{ core::arch::x86_64::_MM_HINT_T0 }>(object as *const i8);
        }
        self.push(object);
    }

    fn push(&mut self, entry: usize) {
        if self.pending.push(entry).is_err() {
            out_of_memory();
        }
    }

    /// Follows what a field of an object holds: a reference into the heap, or null, or something static.
    #[inline(always)]
    unsafe fn follow(&mut self, field: usize) {
        let value = unsafe { *(field as *const usize) };
        if value.wrapping_sub(self.lowest) < self.span {
            self.reach(value);
        }
    }

    /// Follows everything that is pending.
    fn drain(&mut self) {
        while let Some(mut entry) = self.pending.pop() {
            let mut from = 0;
            if entry & 1 != 0 {
                from = entry >> 1;
                let Some(array) = self.pending.pop() else { return };
                entry = array;
            }
            // SAFETY: an object in the heap, whose header is its type descriptor.
            unsafe {
                let desc: *const TypeDesc = (*(entry as *const Object)).desc;
                if desc.is_null() || (*desc).pointer_count == 0 {
                    continue;
                }
                match (*desc).kind {
                    FIXED => {
                        for i in 0..(*desc).pointer_count as usize {
                            self.follow(entry + TypeDesc::offset(desc, i));
                        }
                    }
                    ARRAY => {
                        let len = (*(entry as *const Sequence)).len as usize;
                        let to = len.min(from + SLICE);
                        if to < len {
                            self.push(entry);
                            self.push(to << 1 | 1);
                        }
                        for i in from..to {
                            self.follow(entry + DATA + i * 8);
                        }
                    }
                    STRING => {}
                    _ => crate::trap::internal(b"an object has no type"),
                }
            }
        }
    }
}

/// The cell of a block of cells that an address lies in, if that cell is allocated: it was marked by the last collection, or
/// handed out since.
unsafe fn allocated_cell(block: *mut Block, address: usize, old_parity: usize) -> Option<usize> {
    let start = memory_of(block);
    unsafe {
        let size = (*block).cell;
        let index = (address - start) as u32 / size;
        if index >= super::blocks::BLOCK as u32 / size {
            return None;
        }
        let cell = start + (index * size) as usize;
        let (from, to) = (*block).free;
        let handed_out = cell < (*block).swept && !(from..to).contains(&cell);
        let marked = *mark_word(cell, old_parity) & (1 << (cell / 16 % 64)) != 0;
        if handed_out || marked { Some(cell) } else { None }
    }
}
