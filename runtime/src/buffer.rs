//! Growable memory beside the heap: a vector of plain values in its own mapping.

use crate::sys;
use core::mem::size_of;

/// A vector; empty ones own no memory. Growing moves it, so pointers into it last until the next growth.
pub struct Buffer<T: Copy> {
    at: *mut T,
    len: usize,
    capacity: usize,
}

/// Buffers of this many bytes are not counted against the heap's limit.
const ALWAYS: usize = 1 << 20;

/// The system has no more memory, or the heap's limit forbids it.
pub struct NoMemory;

impl<T: Copy> Buffer<T> {
    /// An empty one.
    pub const fn new() -> Buffer<T> {
        Buffer { at: core::ptr::null_mut(), len: 0, capacity: 0 }
    }

    /// How many values it holds.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Makes room for `more` values.
    pub fn reserve(&mut self, more: usize) -> Result<(), NoMemory> {
        let want = self.len.checked_add(more).ok_or(NoMemory)?;
        if want <= self.capacity {
            return Ok(());
        }
        let bytes = want.max(self.capacity * 2).checked_mul(size_of::<T>()).ok_or(NoMemory)?;
        let bytes = bytes.max(64 << 10).checked_next_multiple_of(4096).ok_or(NoMemory)?;
        // What is read and built here becomes an object, if it becomes anything: the heap's limit holds for it too.
        if bytes > ALWAYS && !crate::heap::allows(bytes) {
            return Err(NoMemory);
        }
        let at = if self.capacity == 0 {
            sys::map(0, bytes)
        } else {
            // SAFETY: the mapping is ours, and `&mut self` says that no slices of it are alive.
            unsafe { sys::remap(self.at as usize, self.mapped(), bytes) }
        };
        self.at = at.ok_or(NoMemory)? as *mut T;
        self.capacity = bytes / size_of::<T>();
        Ok(())
    }

    /// The bytes of the mapping.
    fn mapped(&self) -> usize {
        (self.capacity * size_of::<T>()).next_multiple_of(4096)
    }

    /// Appends a value.
    #[inline]
    pub fn push(&mut self, value: T) -> Result<(), NoMemory> {
        if self.len == self.capacity {
            self.reserve(1)?;
        }
        // SAFETY: there is room.
        unsafe { self.at.add(self.len).write(value) };
        self.len += 1;
        Ok(())
    }

    /// Takes the last value away.
    #[inline]
    pub fn pop(&mut self) -> Option<T> {
        self.len = self.len.checked_sub(1)?;
        // SAFETY: it was within.
        Some(unsafe { self.at.add(self.len).read() })
    }

    /// Appends values.
    pub fn extend(&mut self, values: &[T]) -> Result<(), NoMemory> {
        self.reserve(values.len())?;
        // SAFETY: there is room, and the slice is not ours, since we are borrowed mutably.
        unsafe { core::ptr::copy_nonoverlapping(values.as_ptr(), self.at.add(self.len), values.len()) };
        self.len += values.len();
        Ok(())
    }

    /// Keeps the first `len` values.
    pub fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }

    /// Makes the length `len`.
    ///
    /// # Safety
    /// That many values are there and written.
    pub unsafe fn set_len(&mut self, len: usize) {
        self.len = len;
    }

    /// Where the value behind the last would be.
    pub fn end(&mut self) -> *mut T {
        self.at.wrapping_add(self.len)
    }

    /// How many values fit without growing.
    pub fn room(&self) -> usize {
        self.capacity - self.len
    }

    /// The values.
    pub fn as_slice(&self) -> &[T] {
        if self.len == 0 {
            return &[];
        }
        // SAFETY: they are written.
        unsafe { core::slice::from_raw_parts(self.at, self.len) }
    }

    /// The values, to change.
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        if self.len == 0 {
            return &mut [];
        }
        // SAFETY: they are written, and we are borrowed mutably.
        unsafe { core::slice::from_raw_parts_mut(self.at, self.len) }
    }

    /// Empties it; gives the memory back if there is much of it.
    pub fn clear(&mut self) {
        self.len = 0;
        if self.capacity * size_of::<T>() > (1 << 20) {
            self.free();
        }
    }

    /// Gives the memory back.
    pub fn free(&mut self) {
        if self.capacity != 0 {
            // SAFETY: the mapping is ours.
            unsafe { sys::unmap(self.at as usize, self.mapped()) };
        }
        *self = Buffer::new();
    }
}

impl<T: Copy> Default for Buffer<T> {
    fn default() -> Self {
        Buffer::new()
    }
}
