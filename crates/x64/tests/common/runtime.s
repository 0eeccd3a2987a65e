# A stand-in for the run-time library: enough of it for tests of generated code. The process ends with what `main` returns, or
# with 100 and more in a trap: the trap's number, plus its arguments folded in where it has any.
    .intel_syntax noprefix
    .text
    .globl _start
_start:
    call mini.main
    mov edi, eax
leave:
    mov eax, 60
    syscall

    .globl mini_trap_bounds, mini_trap_slice, mini_trap_null, mini_trap_division, mini_trap_length, mini_trap_step, mini_exit
mini_trap_bounds:               # 100 + 10 * index + length
    test rsp, 8
    jz misaligned
    imul edi, edi, 10
    lea edi, [rdi + rsi + 100]
    jmp leave
mini_trap_slice:                # 100 + 25 * i + 5 * j + n
    test rsp, 8
    jz misaligned
    imul edi, edi, 25
    lea eax, [rsi + 4*rsi]
    add edi, eax
    lea edi, [rdi + rdx + 100]
    jmp leave
mini_trap_null:
    mov edi, 101
    jmp leave
mini_trap_division:
    mov edi, 102
    jmp leave
mini_trap_length:               # 110 + n
    add edi, 110
    jmp leave
mini_trap_step:
    mov edi, 103
    jmp leave
mini_exit:
    jmp leave
misaligned:
    mov edi, 99
    jmp leave

# Results in pairs: the argument and whether it is odd; the same of a float from a reference to an int.
    .globl mini_find, mini_parse_float, mini_hash_int, mini_fmod
mini_find:
    test rsp, 8
    jz misaligned
    mov rax, [rdi + 8]
    mov rdx, rax
    and edx, 1
    call scribble
    ret
mini_parse_float:
    mov rax, [rdi + 8]
    cvtsi2sd xmm0, rax
    and eax, 1
    ret
mini_hash_int:
    lea rax, [rdi + 1]
    call scribble
    ret
mini_fmod:                      # the difference
    subsd xmm0, xmm1
    ret

# Changes everything that a call may change, results apart.
scribble:
    mov rcx, -1
    mov rsi, rcx
    mov rdi, rcx
    mov r8, rcx
    mov r9, rcx
    mov r10, rcx
    mov r11, rcx
    movq xmm1, rcx
    movq xmm2, rcx
    movq xmm3, rcx
    movq xmm4, rcx
    movq xmm5, rcx
    movq xmm6, rcx
    movq xmm7, rcx
    movq xmm8, rcx
    movq xmm9, rcx
    movq xmm10, rcx
    movq xmm11, rcx
    movq xmm12, rcx
    movq xmm13, rcx
    movq xmm14, rcx
    movq xmm15, rcx
    ret

# The type descriptor in rdi, the object in rax; everything else stays but rcx.
    .globl mini_alloc_slow, mini_alloc_array, mini_alloc_table
mini_alloc_slow:
    mov rax, [rip + heap_next]
    mov ecx, [rdi + 4]
    lea rcx, [rax + rcx]
    mov [rip + heap_next], rcx
    mov [rax], rdi
    mov rcx, -1
    ret
mini_alloc_array:
    mov r8d, [rdi + 4]
    imul r8, rsi
    lea r8, [r8 + 31]
    and r8, -8
    mov rax, [rip + heap_next]
    add r8, rax
    mov [rip + heap_next], r8
    mov [rax], rdi
    mov [rax + 8], rsi
    mov rdi, -1
    mov rsi, rdi
    mov rdx, rdi
    mov rcx, rdi
    ret

    .data
    .balign 16
# Every class has room for 100 bytes.
mini_alloc_table:
    .set n, 0
    .rept 43
    .quad windows + 4096 * n
    .quad windows + 4096 * n + 100
    .set n, n + 1
    .endr
heap_next:
    .quad heap
    .bss
    .balign 16
windows:
    .zero 4096 * 43
heap:
    .zero 16 << 20
    .section .note.GNU-stack,"",@progbits
