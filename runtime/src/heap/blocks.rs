//! Where memory comes from: chunks of blocks, and the block of an address.
//!
//! A chunk is 4 MiB at a multiple of 4 MiB: two blocks of 64 KiB for what is known of the chunk's blocks (their
//! `Block`s, then two mark bitmaps for each), then 62 blocks. So the knowledge about an object is found from its address by
//! arithmetic. An object too large for a chunk gets a mapping of its own with the same beginning. A two-level table
//! says for any address which chunk it is in, if any.
//!
//! Keeps: a block that is not `used` holds zeros, unless it is `dirty`. Of the two bitmaps of a block, the one of the current
//! parity holds the marks of the last collection; the other is overwritten by the next.

use crate::buffer::{Buffer, NoMemory};
use crate::state::Global;
use crate::sys;
use mini_prim::classes::BLOCK_BYTES;

pub const BLOCK: usize = BLOCK_BYTES as usize;
pub const CHUNK: usize = 4 << 20;
const BLOCKS: usize = CHUNK / BLOCK;
/// The first block that holds objects.
const FIRST: usize = 2;
/// Bytes of a chunk before its objects.
pub const CHUNK_HEAD: usize = FIRST * BLOCK;
/// Blocks of a chunk that can hold objects: the largest object in a chunk.
pub const MAX_RUN: usize = BLOCKS - FIRST;
/// All blocks of a chunk free.
const ALL_FREE: u64 = !0 << FIRST;
/// A mark bit for 16 bytes, the smallest cell.
pub const MARK_WORDS: usize = BLOCK / 16 / 64;

/// What a block is used for.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// Nothing (zero, as in fresh memory).
    Free = 0,
    /// Cells of a size class.
    Cells,
    /// The first of one or several blocks that hold one object.
    Object,
    /// The others of them.
    Inside,
}

/// What is known of a block.
#[repr(C)]
pub struct Block {
    pub kind: Kind,
    /// The size class.
    pub class: u8,
    /// Whether its memory may hold something else than zeros.
    pub dirty: bool,
    /// `Object`: how many blocks (0 in a mapping of its own). `Inside`: how many blocks before this one the object begins.
    pub blocks: u32,
    /// `Cells`: bytes of a cell.
    pub cell: u32,
    /// `Cells`: how many of them were marked by the last collection.
    pub marked: u32,
    /// `Cells`: addresses below were swept: there, all cells are allocated but those in `free`.
    pub swept: usize,
    /// `Cells`, during a collection: the window that was open in this block.
    pub free: (usize, usize),
    /// The next block to be swept of the same class.
    pub next: *mut Block,
    /// `Object` in a mapping of its own: bytes of the mapping.
    pub mapped: usize,
}

const BLOCK_INFO: usize = 64;
const _: () = assert!(size_of::<Block>() <= BLOCK_INFO);

/// What is known of the block that an address in the heap lies in.
#[inline(always)]
pub fn block_of(address: usize) -> *mut Block {
    ((address & !(CHUNK - 1)) + ((address / BLOCK) % BLOCKS) * BLOCK_INFO) as *mut Block
}

/// The memory of a block.
pub fn memory_of(block: *mut Block) -> usize {
    let at = block as usize;
    (at & !(CHUNK - 1)) + (at & (CHUNK - 1)) / BLOCK_INFO * BLOCK
}

/// The word of the mark bitmap, of that parity, that has the bit of an address; the bit's number is `address / 16 % 64`.
#[inline(always)]
pub fn mark_word(address: usize, parity: usize) -> *mut u64 {
    let bitmaps = (address & !(CHUNK - 1)) + BLOCKS * BLOCK_INFO;
    let bitmap = bitmaps + (((address / BLOCK) % BLOCKS) * 2 + parity) * MARK_WORDS * 8;
    (bitmap + (address / 1024) % MARK_WORDS * 8) as *mut u64
}

const LEAF_BITS: usize = 13;
const TOP_BITS: usize = 47 - 22 - LEAF_BITS;

/// All memory of the heap.
pub struct Heap {
    /// The chunks, in the order they were made; `free` beside it has a bit for each free block.
    pub chunks: Buffer<usize>,
    pub free: Buffer<u64>,
    /// Chunks before this one have no free block.
    first_free: usize,
    /// The objects that have a mapping of their own.
    pub large: Buffer<usize>,
    /// Bytes in used blocks and own mappings.
    pub used: usize,
    /// Free blocks that are dirty.
    pub dirty: usize,
    /// All objects lie between these.
    pub lowest: usize,
    pub highest: usize,
}

/// The table of chunks: for each slot of 4 MiB of addresses, the beginning of the chunk or mapping that has it; a leaf has 2^13 slots.
static LEAVES: Global<[*mut usize; 1 << TOP_BITS]> = Global::new([core::ptr::null_mut(); 1 << TOP_BITS]);

/// The leaf that has a slot; null if nothing was ever there.
#[inline]
fn leaf_of(slot: usize) -> *mut *mut usize {
    LEAVES.get().cast::<*mut usize>().wrapping_add((slot >> LEAF_BITS) & ((1 << TOP_BITS) - 1))
}

pub static HEAP: Global<Heap> = Global::new(Heap {
    chunks: Buffer::new(),
    free: Buffer::new(),
    first_free: 0,
    large: Buffer::new(),
    used: 0,
    dirty: 0,
    lowest: usize::MAX,
    highest: 0,
});

/// Chunks from this number on get huge pages: before, a program is too small for the time it takes to clear one.
const HUGE_FROM: usize = 4;

impl Heap {
    /// The beginning of the chunk (or own mapping) that an address lies in; 0 if in none.
    #[inline]
    pub fn chunk_of(&self, address: usize) -> usize {
        let slot = address / CHUNK;
        // SAFETY: one thread; the table has that entry.
        let leaf = unsafe { *leaf_of(slot) };
        if leaf.is_null() {
            return 0;
        }
        // SAFETY: a leaf has that many entries.
        unsafe { *leaf.add(slot & ((1 << LEAF_BITS) - 1)) }
    }

    /// Says that the addresses from `start` up to `end` belong to the chunk `chunk` (0: to none).
    fn set_chunk(&mut self, start: usize, end: usize, chunk: usize) -> Result<(), NoMemory> {
        for slot in start / CHUNK..end.div_ceil(CHUNK) {
            // SAFETY: one thread; the table has that entry.
            let leaf = unsafe { &mut *leaf_of(slot) };
            if leaf.is_null() {
                let bytes = size_of::<usize>() << LEAF_BITS;
                *leaf = sys::map(0, bytes).ok_or(NoMemory)? as *mut usize;
            }
            // SAFETY: as above.
            unsafe { *leaf.add(slot & ((1 << LEAF_BITS) - 1)) = chunk };
        }
        Ok(())
    }

    /// New zeroed memory at a multiple of the chunk size.
    fn map_aligned(&mut self, bytes: usize) -> Result<usize, NoMemory> {
        // Mappings grow downwards, so the place below the lowest is probably free, and aligned.
        let hint = if self.lowest == usize::MAX {
            0
        } else {
            (self.lowest & !(CHUNK - 1)).saturating_sub(bytes) & !(CHUNK - 1)
        };
        let wide = bytes + CHUNK;
        let mut start = 0;
        if hint != 0 {
            start = sys::map(hint, bytes).ok_or(NoMemory)?;
            if start % CHUNK != 0 {
                // SAFETY: just made.
                unsafe { sys::unmap(start, bytes) };
                start = 0;
            }
        }
        if start == 0 {
            let all = sys::map(0, wide).ok_or(NoMemory)?;
            start = all.next_multiple_of(CHUNK);
            // SAFETY: just made; what is cut off is unused.
            unsafe {
                if start > all {
                    sys::unmap(all, start - all);
                }
                if all + wide > start + bytes {
                    sys::unmap(start + bytes, all + wide - (start + bytes));
                }
            }
        }
        if let Err(error) = self.set_chunk(start, start + bytes, start) {
            // SAFETY: just made.
            unsafe { sys::unmap(start, bytes) };
            return Err(error);
        }
        self.lowest = self.lowest.min(start);
        self.highest = self.highest.max(start + bytes);
        Ok(start)
    }

    fn add_chunk(&mut self) -> Result<(), NoMemory> {
        self.chunks.reserve(1)?;
        self.free.reserve(1)?;
        let chunk = self.map_aligned(CHUNK)?;
        let advice = if self.chunks.len() < HUGE_FROM { sys::Advice::SmallPages } else { sys::Advice::HugePages };
        // SAFETY: changes no contents. The head is touched sparsely, so it keeps small pages.
        unsafe { sys::advise(chunk + CHUNK_HEAD, CHUNK - CHUNK_HEAD, advice) };
        self.chunks.push(chunk)?;
        self.free.push(ALL_FREE)?;
        Ok(())
    }

    /// A run of free blocks, taken: the first. The caller says what they are used for.
    pub fn take(&mut self, blocks: usize) -> Result<*mut Block, NoMemory> {
        let mut first = self.first_free;
        loop {
            let found = self.free.as_slice().iter().enumerate().skip(first).find_map(|(i, &free)| {
                let at = run_of(free, blocks);
                if at < 64 { Some((i, at)) } else { None }
            });
            let Some((i, at)) = found else {
                first = self.chunks.len();
                self.add_chunk()?;
                continue;
            };
            if blocks == 1 {
                self.first_free = i;
            }
            self.free.as_mut_slice()[i] &= !(run_mask(blocks) << at);
            self.used += blocks * BLOCK;
            let chunk = self.chunks.as_slice()[i];
            let block = block_of(chunk + at * BLOCK);
            for j in 0..blocks {
                // SAFETY: blocks of this chunk.
                self.dirty -= usize::from(unsafe { (*block_at(block, j)).dirty });
            }
            return Ok(block);
        }
    }

    /// Gives a run of blocks back; `chunk` is the number of their chunk.
    ///
    /// # Safety
    /// Nothing in them is used.
    pub unsafe fn give(&mut self, chunk: usize, block: *mut Block, blocks: usize) {
        for j in 0..blocks {
            unsafe {
                let block = block_at(block, j);
                (*block).kind = Kind::Free;
                (*block).dirty = true;
            }
        }
        self.dirty += blocks;
        self.used -= blocks * BLOCK;
        self.first_free = self.first_free.min(chunk);
        let at = (memory_of(block) / BLOCK) % BLOCKS;
        self.free.as_mut_slice()[chunk] |= run_mask(blocks) << at;
    }

    /// A mapping for one object of `bytes` bytes, zeroed: the object's address.
    pub fn map_object(&mut self, bytes: usize) -> Result<usize, NoMemory> {
        self.large.reserve(1)?;
        let mapped = (CHUNK_HEAD + bytes).next_multiple_of(4096);
        let start = self.map_aligned(mapped)?;
        let object = start + CHUNK_HEAD;
        // SAFETY: just mapped.
        unsafe {
            sys::advise(object, mapped - CHUNK_HEAD, sys::Advice::HugePages);
            let block = block_of(object);
            (*block).kind = Kind::Object;
            (*block).mapped = mapped;
        }
        self.large.push(object)?;
        self.used += mapped;
        Ok(object)
    }

    /// Unmaps an object that has a mapping of its own, and forgets it; `index` is its place in `large`.
    ///
    /// # Safety
    /// Nothing uses it.
    pub unsafe fn unmap_object(&mut self, index: usize) {
        let object = self.large.as_slice()[index];
        let mapped = unsafe { (*block_of(object)).mapped };
        let start = object - CHUNK_HEAD;
        // Forgetting makes no new leaf, so it can't fail.
        let _ = self.set_chunk(start, start + mapped, 0);
        unsafe { sys::unmap(start, mapped) };
        self.used -= mapped;
        if let Some(last) = self.large.pop()
            && let Some(slot) = self.large.as_mut_slice().get_mut(index)
        {
            *slot = last;
        }
    }

    /// Gives the memory of dirty free blocks back to the system until at most `keep` of them are left; from the newest chunk on.
    pub fn release(&mut self, keep: usize) {
        for i in (0..self.chunks.len()).rev() {
            if self.dirty <= keep {
                return;
            }
            let chunk = self.chunks.as_slice()[i];
            let mut free = self.free.as_slice()[i];
            while free != 0 && self.dirty > keep {
                // A whole run at once costs one call.
                let at = free.trailing_zeros() as usize;
                let count = (free >> at).trailing_ones() as usize;
                free &= !(run_mask(count) << at);
                let first = block_of(chunk + at * BLOCK);
                let mut dirty = 0;
                for j in 0..count {
                    // SAFETY: free blocks of this chunk.
                    dirty += usize::from(core::mem::take(unsafe { &mut (*block_at(first, j)).dirty }));
                }
                if dirty > 0 {
                    self.dirty -= dirty;
                    // SAFETY: they are free.
                    unsafe { sys::advise(chunk + at * BLOCK, count * BLOCK, sys::Advice::Drop) };
                }
            }
        }
    }

    /// Calls `visit` with the chunk's number and each used block (of objects of several blocks, the first only).
    pub fn for_each_block(&mut self, mut visit: impl FnMut(&mut Heap, usize, *mut Block)) {
        for i in 0..self.chunks.len() {
            let chunk = self.chunks.as_slice()[i];
            let mut used = !self.free.as_slice()[i] & ALL_FREE;
            while used != 0 {
                let at = used.trailing_zeros() as usize;
                used &= used - 1;
                let block = block_of(chunk + at * BLOCK);
                // SAFETY: a block of this chunk.
                if unsafe { (*block).kind } != Kind::Inside {
                    visit(self, i, block);
                }
            }
        }
    }
}

/// The `j`-th block behind a block of the same chunk.
pub fn block_at(block: *mut Block, j: usize) -> *mut Block {
    block.wrapping_byte_add(j * BLOCK_INFO)
}

/// `count` ones.
fn run_mask(count: usize) -> u64 {
    if count >= 64 { !0 } else { (1 << count) - 1 }
}

/// The lowest place where `count` ones begin; 64 if there is none. O(log count).
fn run_of(bits: u64, count: usize) -> usize {
    // After the step with `have`, bit i of `x` says that `have` ones begin at i.
    let mut x = bits;
    let mut have = 1;
    while have < count {
        let step = have.min(count - have);
        x &= x >> step;
        have += step;
    }
    x.trailing_zeros() as usize
}
