    .intel_syntax noprefix
    .text

    .p2align 4
    .globl mini.sum_to
    .type mini.sum_to, @function
mini.sum_to:
    mov eax, 0
    mov ecx, 0
.Lsum_to.10:
    cmp rcx, rdi
    jge .Lsum_to.24
    add rax, rcx
    lea rcx, [rcx+1]
    jmp .Lsum_to.10
.Lsum_to.24:
    ret
    .size mini.sum_to, . - mini.sum_to

    .p2align 4
    .globl mini.main
    .type mini.main, @function
mini.main:
    sub rsp, 8
    mov edi, 0xa
    call mini.sum_to                                     # sum_to.mini:11:11
    mov rdi, rax
    call mini_out_int                                    # sum_to.mini:11:5
    mov edi, 0xa
    call mini_out_char                                   # sum_to.mini:11:5
    add rsp, 8
    ret
    .size mini.main, . - mini.main

    .p2align 4
    .globl mini..24start
    .type mini..24start, @function
mini..24start:
    sub rsp, 8
    call mini.main                                       # sum_to.mini:10:4
    mov eax, 0
    add rsp, 8
    ret
    .size mini..24start, . - mini..24start

    .section .rodata,"a",@progbits

    .bss

    .section .note.GNU-stack,"",@progbits
