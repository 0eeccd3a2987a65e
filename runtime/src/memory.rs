//! `memcpy` and its kin, which compiled Rust code calls by these names.
//!
//! Short copies go through overlapping 16-byte moves, long ones through the string instructions, which processors of the
//! last decade run at full memory speed. In assembly, because a loop in Rust may be compiled into a call of itself.

use core::arch::naked_asm;

/// C's `memcpy`.
///
/// # Safety
/// As in C.
#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "sysv64" fn memcpy(to: *mut u8, from: *const u8, len: usize) -> *mut u8 {
    naked_asm!(
        "mov rax, rdi",
        "cmp rdx, 16",
        "jae 2f",
        // Below 16: two overlapping moves of the largest power of two that fits.
        "cmp edx, 8",
        "jae 3f",
        "cmp edx, 4",
        "jae 4f",
        "test edx, edx",
        "je 5f",
        "movzx ecx, byte ptr [rsi]",
        "movzx r8d, byte ptr [rsi + rdx - 1]",
        "cmp edx, 3",
        "jne 6f",
        "movzx r9d, byte ptr [rsi + 1]",
        "mov byte ptr [rdi + 1], r9b",
        "6:",
        "mov byte ptr [rdi], cl",
        "mov byte ptr [rdi + rdx - 1], r8b",
        "5:",
        "ret",
        "4:",
        "mov ecx, dword ptr [rsi]",
        "mov r8d, dword ptr [rsi + rdx - 4]",
        "mov dword ptr [rdi], ecx",
        "mov dword ptr [rdi + rdx - 4], r8d",
        "ret",
        "3:",
        "mov rcx, qword ptr [rsi]",
        "mov r8, qword ptr [rsi + rdx - 8]",
        "mov qword ptr [rdi], rcx",
        "mov qword ptr [rdi + rdx - 8], r8",
        "ret",
        "2:",
        "cmp rdx, 1024",
        "ja 8f",
        // 16 bytes at a time; the last, overlapping, 16 are read first, so that this serves `memmove` downwards too.
        "movups xmm1, xmmword ptr [rsi + rdx - 16]",
        "lea r8, [rdi + rdx - 16]",
        "7:",
        "cmp rdi, r8",
        "jae 9f",
        "movups xmm0, xmmword ptr [rsi]",
        "movups xmmword ptr [rdi], xmm0",
        "add rsi, 16",
        "add rdi, 16",
        "jmp 7b",
        "9:",
        "movups xmmword ptr [r8], xmm1",
        "ret",
        "8:",
        "mov rcx, rdx",
        "rep movsb",
        "ret",
    )
}

/// C's `memmove`.
///
/// # Safety
/// As in C.
#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "sysv64" fn memmove(to: *mut u8, from: *const u8, len: usize) -> *mut u8 {
    naked_asm!(
        // Upwards is right unless the target begins inside the source.
        "mov rax, rdi",
        "sub rax, rsi",
        "cmp rax, rdx",
        "jae {memcpy}",
        "mov rax, rdi",
        "2:",
        "cmp rdx, 8",
        "jb 3f",
        "mov rcx, qword ptr [rsi + rdx - 8]",
        "mov qword ptr [rdi + rdx - 8], rcx",
        "sub rdx, 8",
        "jmp 2b",
        "3:",
        "test rdx, rdx",
        "je 4f",
        "movzx ecx, byte ptr [rsi + rdx - 1]",
        "mov byte ptr [rdi + rdx - 1], cl",
        "dec rdx",
        "jmp 3b",
        "4:",
        "ret",
        memcpy = sym memcpy,
    )
}

/// C's `memset`.
///
/// # Safety
/// As in C.
#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "sysv64" fn memset(to: *mut u8, value: i32, len: usize) -> *mut u8 {
    naked_asm!(
        "mov r8, rdi",
        "movzx eax, sil",
        "cmp rdx, 16",
        "jb 3f",
        "cmp rdx, 512",
        "ja 3f",
        "movd xmm0, eax",
        "punpcklbw xmm0, xmm0",
        "pshuflw xmm0, xmm0, 0",
        "punpcklqdq xmm0, xmm0",
        "lea r9, [rdi + rdx - 16]",
        "2:",
        "movups xmmword ptr [rdi], xmm0",
        "add rdi, 16",
        "cmp rdi, r9",
        "jb 2b",
        "movups xmmword ptr [r9], xmm0",
        "mov rax, r8",
        "ret",
        "3:",
        "mov rcx, rdx",
        "rep stosb",
        "mov rax, r8",
        "ret",
    )
}

/// C's `memcmp`.
///
/// # Safety
/// As in C.
#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "sysv64" fn memcmp(a: *const u8, b: *const u8, len: usize) -> i32 {
    naked_asm!(
        "xor ecx, ecx",
        "2:",
        "lea r8, [rcx + 8]",
        "cmp r8, rdx",
        "ja 3f",
        "mov rax, qword ptr [rdi + rcx]",
        "mov r9, qword ptr [rsi + rcx]",
        "cmp rax, r9",
        "jne 5f",
        "mov rcx, r8",
        "jmp 2b",
        "3:",
        "cmp rcx, rdx",
        "jae 4f",
        "movzx eax, byte ptr [rdi + rcx]",
        "movzx r9d, byte ptr [rsi + rcx]",
        "inc rcx",
        "sub eax, r9d",
        "je 3b",
        "ret",
        "4:",
        "xor eax, eax",
        "ret",
        // The first byte that differs decides: make it the highest.
        "5:",
        "bswap rax",
        "bswap r9",
        "cmp rax, r9",
        "sbb eax, eax",
        "or eax, 1",
        "ret",
    )
}

/// C's `bcmp`.
///
/// # Safety
/// As in C.
#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "sysv64" fn bcmp(a: *const u8, b: *const u8, len: usize) -> i32 {
    naked_asm!("jmp {memcmp}", memcmp = sym memcmp)
}

/// C's `strlen`.
///
/// # Safety
/// As in C.
#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "sysv64" fn strlen(text: *const u8) -> usize {
    naked_asm!("mov rax, rdi", "2:", "cmp byte ptr [rax], 0", "je 3f", "inc rax", "jmp 2b", "3:", "sub rax, rdi", "ret")
}
