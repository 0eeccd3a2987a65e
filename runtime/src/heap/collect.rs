//! When and how a collection runs.
//!
//! A collection is due when as many bytes were handed out since the last one as were live then (at least [`SMALLEST_CYCLE`]) and
//! new memory is wanted; cells that sweeping finds free are used up first. It also runs when the heap's limit or the system
//! refuses new memory. Memory that the next cycle will not need goes back to the system.

use super::blocks::{BLOCK, Block, HEAP, Heap, Kind, MARK_WORDS, MAX_RUN, block_at, mark_word, memory_of};
use super::{Contents, mark, out_of_memory, settings, window};
use crate::buffer::NoMemory;
use crate::state::Global;
use crate::sys;

/// Bytes between collections, at least: small live heaps cost nearly nothing to mark, and reused memory is still in the cache.
const SMALLEST_CYCLE: usize = 16 << 20;

struct Cycle {
    /// Which of the two bitmaps of each block has the last collection's marks.
    parity: usize,
    /// Bytes handed out since the last collection.
    handed_out: usize,
    /// Bytes to hand out before the next one is due.
    length: usize,
    /// Bytes live after the last one.
    live: usize,
    /// Whether the limit that nobody set was worked out from the machine's memory.
    knows_machine: bool,
}

static CYCLE: Global<Cycle> =
    Global::new(Cycle { parity: 0, handed_out: 0, length: SMALLEST_CYCLE, live: 0, knows_machine: false });

fn cycle() -> &'static mut Cycle {
    // SAFETY: one thread; no reference is held across a call that uses it.
    unsafe { &mut *CYCLE.get() }
}

fn heap() -> &'static mut Heap {
    // SAFETY: as above.
    unsafe { &mut *HEAP.get() }
}

/// Which of the two bitmaps of each block has the last collection's marks (during marking: this one's).
#[inline]
pub fn parity() -> usize {
    cycle().parity
}

/// Counts bytes that were handed out.
pub fn count(bytes: usize) {
    cycle().handed_out += bytes;
}

/// Whether the heap may take so many bytes more.
fn within_limit(bytes: usize) -> bool {
    heap().used.saturating_add(bytes) <= limit(bytes)
}

/// Whether the library may take so many bytes for itself, beside the heap: texts being built, lines, files.
pub fn allows(bytes: usize) -> bool {
    bytes <= limit(bytes)
}

/// The heap's limit: what was asked for; else, once the heap is large, most of the machine's memory, so that a program which
/// needs too much ends with a run-time error and not by the system's hand. `more` is what is wanted now.
fn limit(more: usize) -> usize {
    const LARGE: usize = 256 << 20;
    let (settings, cycle) = (settings(), cycle());
    if settings.limit == usize::MAX && !cycle.knows_machine && heap().used.saturating_add(more) > LARGE {
        cycle.knows_machine = true;
        if let Some(bytes) = sys::memory_bytes() {
            settings.limit = (bytes / 16 * 15).max(LARGE);
        }
    }
    settings.limit
}

/// Tries to get memory; collects before if that is due, and after if there is none. `None`: a collection ran, and nothing was
/// taken, so that the caller can look at what it freed.
fn take<T>(bytes: usize, get: impl Fn() -> Result<T, NoMemory>) -> Option<T> {
    if cycle().handed_out >= cycle().length {
        collect();
        return None;
    }
    if within_limit(bytes)
        && let Ok(memory) = get()
    {
        return Some(memory);
    }
    // What a collection can free is known only after it; when it is too little to go on for long, give up
    // rather than collect at every step.
    let before = cycle().handed_out;
    collect();
    let limit = limit(bytes);
    if before < limit / 64 && cycle().live.saturating_add(bytes) > limit - limit / 32 {
        out_of_memory();
    }
    if within_limit(bytes)
        && let Ok(memory) = get()
    {
        return Some(memory);
    }
    if before == 0 {
        out_of_memory();
    }
    None
}

/// A free block; `None` if a collection ran instead.
pub fn take_block() -> Option<*mut Block> {
    take(BLOCK, || heap().take(1))
}

/// Memory for an object that is too large for the size classes.
pub fn alloc_large(bytes: usize, contents: Contents) -> usize {
    if settings().stress {
        collect();
    }
    let blocks = bytes.div_ceil(BLOCK);
    if blocks > MAX_RUN {
        loop {
            if let Some(object) = take(bytes, || heap().map_object(bytes)) {
                count(bytes);
                return object;
            }
        }
    }
    let block = loop {
        if let Some(block) = take(blocks * BLOCK, || heap().take(blocks)) {
            break block;
        }
    };
    count(blocks * BLOCK);
    let object = memory_of(block);
    // SAFETY: free blocks, now ours.
    unsafe {
        for j in 0..blocks {
            let inside = block_at(block, j);
            (*inside).kind = if j == 0 { Kind::Object } else { Kind::Inside };
            (*inside).blocks = if j == 0 { blocks } else { j } as u32;
            if (*inside).dirty && contents == Contents::Zero {
                let start = object + j * BLOCK;
                let len = BLOCK.min(object + bytes - start);
                (start as *mut u8).write_bytes(0, len);
            }
            (*inside).dirty = true;
        }
    }
    object
}

/// Frees everything that can't be reached.
pub fn collect() {
    // SAFETY: the registers that a function must keep may hold the program's references: they go onto the stack, from
    // where marking begins.
    unsafe {
        core::arch::asm!(
            "push rbx",
            "push rbp",
            "push r12",
            "push r13",
            "push r14",
            "push r15",
            "mov rdi, rsp",
            "mov rbp, rsp",
            "and rsp, -16",
            "call {run}",
            "mov rsp, rbp",
            "pop r15",
            "pop r14",
            "pop r13",
            "pop r12",
            "pop rbp",
            "pop rbx",
            run = sym run,
            clobber_abi("sysv64"),
        );
    }
}

extern "sysv64" fn run(sp: usize) {
    window::close();
    cycle().parity ^= 1;
    let parity = parity();
    heap().for_each_block(|_, _, block| {
        // SAFETY: a block of the heap.
        unsafe {
            (*block).marked = 0;
            match (*block).kind {
                Kind::Cells => mark_word(memory_of(block), parity).write_bytes(0, MARK_WORDS),
                Kind::Object => *mark_word(memory_of(block), parity) = 0,
                Kind::Free | Kind::Inside => {}
            }
        }
    });
    for &object in heap().large.as_slice() {
        // SAFETY: an object with its own mapping.
        unsafe { *mark_word(object, parity) = 0 };
    }
    mark::run(sp);
    free_unmarked();
}

/// Frees blocks and mappings without marked objects, and prepares the others for sweeping.
fn free_unmarked() {
    let parity = parity();
    let mut live = 0;
    heap().for_each_block(|heap, chunk, block| {
        // SAFETY: a block of the heap.
        unsafe {
            match (*block).kind {
                Kind::Cells if (*block).marked == 0 => heap.give(chunk, block, 1),
                Kind::Cells => {
                    live += (*block).marked as usize * (*block).cell as usize;
                    (*block).free = (0, 0);
                    (*block).swept = memory_of(block);
                    if (*block).marked < BLOCK as u32 / (*block).cell {
                        window::add_unswept(block);
                    }
                }
                Kind::Object => {
                    let blocks = (*block).blocks as usize;
                    if *mark_word(memory_of(block), parity) & 1 == 0 {
                        heap.give(chunk, block, blocks);
                    } else {
                        live += blocks * BLOCK;
                    }
                }
                Kind::Free | Kind::Inside => {}
            }
        }
    });
    for index in (0..heap().large.len()).rev() {
        let object = heap().large.as_slice()[index];
        // SAFETY: an object with its own mapping; unmapped if nothing refers to it.
        unsafe {
            if *mark_word(object, parity) & 1 == 0 {
                heap().unmap_object(index);
            } else {
                live += (*super::blocks::block_of(object)).mapped;
            }
        }
    }
    let cycle = cycle();
    cycle.live = live;
    cycle.handed_out = 0;
    cycle.length = live.max(SMALLEST_CYCLE);
    heap().release((cycle.length + cycle.length / 4) / BLOCK);
}
