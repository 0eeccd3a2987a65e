//! The size classes of the heap.
//!
//! The collector carves its blocks into cells of one class each; generated code allocates a fixed-size object of `n`
//! bytes from class `size_class(n)`, whose allocation window is entry `index` of the table at the run-time symbol
//! `mini_alloc_table`: two words, `cursor` at 16 × index and `limit` at 16 × index + 8. Memory from the cursor up to the
//! limit is zero. The inline path is
//!
//! ```text
//!   mov rax, [cursor]
//!   lea rcx, [rax + class size]
//!   cmp rcx, [limit]
//!   ja  slow                      ; mov edi, desc; call mini_alloc_slow   (keeps every register but rax and rcx)
//!   mov [cursor], rcx
//!   mov qword [rax], desc
//! ```
//!
//! Small classes are 8 bytes apart, those up to 4 KiB a quarter of a power of two, and the largest divide a block of
//! 64 KiB evenly, so that at most a fifth of a small cell and a third of a large one is lost. Objects above the last class are not in the
//! table; they are allocated by `mini_alloc_slow` or `mini_alloc_array` alone.

/// A block of cells: 64 KiB.
pub const BLOCK_BYTES: u32 = 1 << 16;

/// Cell sizes in bytes, ascending, multiples of 8.
pub static CLASS_SIZES: [u32; CLASS_COUNT] = [
    16, 24, 32, 40, 48, 56, 64, 72, 80, 88, 96, 104, 112, 120, 128, // steps of 8
    160, 192, 224, 256, 320, 384, 448, 512, 640, 768, 896, 1024, 1280, 1536, 1792, 2048, 2560, 3072, 3584,
    4096, // four per doubling
    5040, 6544, 8192, 10912, 13104, 16384, 21840, 32768, // 13, 10, 8, 6, 5, 4, 3, 2 per block
];

/// How many classes there are.
pub const CLASS_COUNT: usize = 43;

/// The largest object that has a class.
pub const MAX_CLASS_BYTES: u32 = 32768;

/// The class of objects of `bytes` bytes (header included): its index and the size of its cells. `None` if the object is too large for
/// any class.
pub fn size_class(bytes: u32) -> Option<(usize, u32)> {
    let index = if bytes <= 128 {
        (bytes.max(16).div_ceil(8) - 2) as usize
    } else {
        15 + CLASS_SIZES[15..].partition_point(|&size| size < bytes)
    };
    CLASS_SIZES.get(index).map(|&size| (index, size))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_class_of_a_size_is_the_smallest_that_holds_it() {
        for bytes in 0..=MAX_CLASS_BYTES {
            let want = CLASS_SIZES.iter().position(|&size| size >= bytes).expect("within the last class");
            assert_eq!(size_class(bytes), Some((want, CLASS_SIZES[want])), "{bytes}");
        }
        assert_eq!(size_class(MAX_CLASS_BYTES + 1), None);
        assert_eq!(size_class(u32::MAX), None);
    }

    #[test]
    fn classes_ascend_are_aligned_and_fit_a_block() {
        assert!(CLASS_SIZES.windows(2).all(|w| w[0] < w[1]));
        assert!(CLASS_SIZES.iter().all(|s| s % 8 == 0 && BLOCK_BYTES / s >= 2));
    }
}
