//! The next window of a size class: lazy sweeping.
//!
//! A class has one current block, in which everything below `swept` is used or in the window, and a list of blocks that are
//! still to be swept. A window in fresh memory reaches to the end of the block; in used memory it has to be cleared, and is kept
//! small enough to stay in the first-level cache until it is used.

use super::blocks::{BLOCK, Block, Kind, MARK_WORDS, mark_word, memory_of};
use super::{WINDOWS, Window, collect, settings};
use crate::state::Global;
use mini_prim::classes::{CLASS_COUNT, CLASS_SIZES};

/// The largest window that is cleared at once.
const CLEAR_BYTES: usize = 4 << 10;

/// The blocks of a size class that have free cells.
#[derive(Clone, Copy)]
struct Class {
    current: *mut Block,
    unswept: *mut Block,
}

static CLASSES: Global<[Class; CLASS_COUNT]> =
    Global::new([Class { current: core::ptr::null_mut(), unswept: core::ptr::null_mut() }; CLASS_COUNT]);

fn classes() -> &'static mut [Class; CLASS_COUNT] {
    // SAFETY: one thread; no reference is held across a call that uses it.
    unsafe { &mut *CLASSES.get() }
}

/// Finds new cells for a class whose window is used up.
#[cold]
pub fn refill(class: usize) {
    if settings().stress {
        collect::collect();
    }
    loop {
        let blocks = &mut classes()[class];
        if blocks.current.is_null() {
            blocks.current = blocks.unswept;
            if let Some(block) = core::ptr::NonNull::new(blocks.unswept) {
                // SAFETY: blocks in lists are blocks of the heap.
                blocks.unswept = unsafe { (*block.as_ptr()).next };
            }
        }
        if blocks.current.is_null() {
            // This may collect, and so bring blocks to sweep; then they come first.
            if let Some(block) = collect::take_block() {
                // SAFETY: a free block, now ours.
                unsafe { begin(block, class) };
                classes()[class].current = block;
            }
            continue;
        }
        let current = blocks.current;
        // SAFETY: a block of the heap.
        if let Some(window) = unsafe { sweep(current) } {
            collect::count(window.limit - window.cursor);
            // SAFETY: one thread.
            unsafe { (*WINDOWS.get())[class] = window };
            return;
        }
        classes()[class].current = core::ptr::null_mut();
    }
}

/// Makes a free block one of cells.
unsafe fn begin(block: *mut Block, class: usize) {
    let start = memory_of(block);
    unsafe {
        (*block).kind = Kind::Cells;
        (*block).class = class as u8;
        (*block).cell = CLASS_SIZES[class];
        (*block).marked = 0;
        (*block).swept = start;
        (*block).free = (0, 0);
        mark_word(start, collect::parity()).write_bytes(0, MARK_WORDS);
    }
}

/// The next free cells of a block, cleared; `None` at its end.
unsafe fn sweep(block: *mut Block) -> Option<Window> {
    unsafe {
        let size = (*block).cell as usize;
        let start = memory_of(block);
        let end = start + BLOCK / size * size;
        let parity = collect::parity();
        let is_free = |cell: usize| *mark_word(cell, parity) & (1 << (cell / 16 % 64)) == 0;
        let mut cursor = (*block).swept;
        while cursor < end && !is_free(cursor) {
            cursor += size;
        }
        if cursor == end {
            (*block).swept = end;
            return None;
        }
        let most = if settings().stress {
            size
        } else if (*block).dirty {
            CLEAR_BYTES
        } else {
            BLOCK
        };
        let mut limit = cursor + size;
        if (*block).marked == 0 {
            limit = end.min(cursor + (most / size).max(1) * size);
        } else {
            while limit < end && limit + size <= cursor + most && is_free(limit) {
                limit += size;
            }
        }
        if (*block).dirty {
            (cursor as *mut u8).write_bytes(0, limit - cursor);
        }
        (*block).swept = limit;
        if limit == end {
            // All of a fresh block has been handed out: from now on its free cells need clearing.
            (*block).dirty = true;
        }
        Some(Window { cursor, limit })
    }
}

/// Closes all windows before a collection: their blocks note what was not handed out.
pub fn close() {
    for (class, blocks) in classes().iter_mut().enumerate() {
        // SAFETY: one thread.
        let window = unsafe { &mut (*WINDOWS.get())[class] };
        if !blocks.current.is_null() {
            // SAFETY: a block of the heap.
            unsafe {
                (*blocks.current).free = (window.cursor, window.limit);
                (*blocks.current).dirty = true;
            }
        }
        *window = Window { cursor: 0, limit: 0 };
        *blocks = Class { current: core::ptr::null_mut(), unswept: core::ptr::null_mut() };
    }
}

/// Puts a block with free cells at the head of its class's list.
pub unsafe fn add_unswept(block: *mut Block) {
    unsafe {
        let blocks = &mut classes()[(*block).class as usize];
        (*block).swept = memory_of(block);
        (*block).free = (0, 0);
        (*block).next = blocks.unswept;
        blocks.unswept = block;
    }
}
