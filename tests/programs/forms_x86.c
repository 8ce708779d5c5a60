/* Test program for x86-64 instructions that have memory operands, in every form that the tap, the
 * part of sluice in QEMU, decodes (tap/loads_x86.c), and in many forms that it does not decode. It
 * has instructions of every size: loads, stores, instructions that load and store, string
 * instructions, stack instructions, jumps through memory, scalar and packed SSE, AVX2, BMI and x87
 * instructions. It prints sums of the results.
 *
 * If the tap does not decode an instruction, the loads of its whole block are uncertain. Each of
 * these instructions is therefore in its own block. Compile with -fcf-protection=none -no-pie. */
#include <stdint.h>
#include <stdio.h>

static union {
    uint64_t q[64];
    double d[64];
    float f[128];
    uint8_t b[512];
} memory __attribute__((aligned(64)));
extern char moffs[];
__asm__(".data\n.balign 8\nmoffs: .quad 0x1122334455667788\n.text\n");

static void fill(void)
{
    uint64_t x = 88172645463325252u;
    for (int i = 0; i < 64; i++) {
        x ^= x << 13, x ^= x >> 7, x ^= x << 17;
        memory.q[i] = x;
    }
}

/* A block of instructions on memory at %rdi; the second half of that memory is at %rsi. */
#define RUN(text)                                                                                  \
    __asm__ volatile("jmp 8f\n 8: lea 256(%%rdi), %%rsi\n mov $3, %%ecx\n"                         \
                     "mov $0x4142434445464748, %%rax\n mov %%rax, %%rdx\n xor %%ebx, %%ebx\n"     \
                     text "\n jmp 9f\n 9:"                                                         \
                     : "=a"(rax), "=d"(rdx), "=b"(rbx)                                             \
                     : "D"(&memory)                                                                \
                     : "rcx", "rsi", "r8", "r9", "r10", "r11", "cc", "memory", "xmm0", "xmm1",     \
                       "xmm2", "xmm3");                                                            \
    sum += rax ^ rdx * 3 ^ rbx * 5

/* The same, followed by a load that the tap decodes: a wrong load before it would misplace its value. */
#define ALONE(text) RUN(text "\n mov 504(%%rdi), %%r8\n")

#define SIZES(op, tail) op "b" tail "\n" op "w" tail "\n" op "l" tail "\n" op "q" tail "\n"
#define ALU(op)                                                                                    \
    RUN(op "b %%al, 1(%%rdi)\n" op "w %%ax, 2(%%rdi)\n" op "l %%eax, 4(%%rdi)\n"                   \
        op "q %%rax, 8(%%rdi)\n" op "b 1(%%rdi), %%ah\n" op "w 3(%%rdi), %%dx\n"                   \
        op "l 5(%%rdi), %%edx\n" op "q 9(%%rdi), %%rdx\n" SIZES(op, " $5, 24(%%rdi)")              \
        op "w $0x1234, 32(%%rdi)\n" op "l $0x12345678, 36(%%rdi)\n"                                \
        op "q $0x12345678, 40(%%rdi)\n" op "b %%al, %%dl\n" op "l $0x77777777, %%eax\n")
#define SHIFT(op)                                                                                  \
    RUN(SIZES(op, " $1, 48(%%rdi)") SIZES(op, " $5, 56(%%rdi)") SIZES(op, " $0, 64(%%rdi)")        \
        SIZES(op, " %%cl, 72(%%rdi)"))

__attribute__((noinline)) static uint64_t integers(void)
{
    uint64_t sum = 0, rax, rdx, rbx;
    ALU("add"); ALU("or"); ALU("adc"); ALU("sbb"); ALU("and"); ALU("sub"); ALU("xor"); ALU("cmp");
    SHIFT("shl"); SHIFT("shr"); SHIFT("sar"); SHIFT("rol"); SHIFT("ror"); SHIFT("rcl"); SHIFT("rcr");
    RUN(SIZES("inc", " 80(%%rdi)") SIZES("dec", " 88(%%rdi)") SIZES("not", " 96(%%rdi)")
        SIZES("neg", " 104(%%rdi)"));
    RUN("test %%al, 1(%%rdi)\n test %%ax, 2(%%rdi)\n setc 3(%%rdi)\n test %%eax, 4(%%rdi)\n"
        "sets 4(%%rdi)\n test %%rax, 8(%%rdi)\n setz 5(%%rdi)\n" SIZES("test", " $0x11, 9(%%rdi)"));
    RUN("mov (%%rdi), %%al\n mov 1(%%rdi), %%dx\n mov 2(%%rdi), %%ebx\n mov 3(%%rdi), %%r8\n"
        "mov %%r8b, 11(%%rdi)\n mov %%r8w, 12(%%rdi)\n mov %%r8d, 14(%%rdi)\n mov %%r8, 20(%%rdi)\n"
        SIZES("mov", " $0x12, 28(%%rdi)") "mov %%ds, 40(%%rdi)\n lea 8(%%rdi,%%rcx,4), %%r9\n"
        "mov (%%r9,%%rcx,8), %%rax\n mov %%fs:0, %%r10\n mov %%fs:0x28, %%r11d\n");
    RUN("movabs moffs, %%al\n add %%rax, %%rdx\n movabs moffs, %%ax\n add %%rax, %%rdx\n"
        "movabs moffs, %%eax\n add %%rax, %%rdx\n movabs moffs, %%rax\n inc %%rax\n"
        "movabs %%al, moffs\n movabs %%eax, moffs\n movabs %%rax, moffs\n");
    RUN("movzbw 1(%%rdi), %%ax\n movzbl 2(%%rdi), %%edx\n movzbq 3(%%rdi), %%rbx\n"
        "movzwl 4(%%rdi), %%r8d\n movzwq 5(%%rdi), %%r9\n movsbw 1(%%rdi), %%ax\n"
        "movsbl 2(%%rdi), %%edx\n movsbq 3(%%rdi), %%rbx\n movswl 4(%%rdi), %%r8d\n"
        "movswq 5(%%rdi), %%r9\n movslq 7(%%rdi), %%r10\n add %%r10, %%rax\n");
    RUN("cmp %%rax, %%rdx\n cmovz 8(%%rdi), %%ax\n cmovnz 16(%%rdi), %%edx\n cmovc 24(%%rdi), %%rbx\n"
        "cmovnc 32(%%rdi), %%rbx\n");
    RUN("mulb 3(%%rdi)\n mulw 4(%%rdi)\n mull 8(%%rdi)\n mulq 16(%%rdi)\n imulb 3(%%rdi)\n"
        "imulw 4(%%rdi)\n imull 8(%%rdi)\n imulq 16(%%rdi)\n imul 24(%%rdi), %%dx\n"
        "imul 28(%%rdi), %%edx\n imul 32(%%rdi), %%rdx\n imul $5, 40(%%rdi), %%bx\n"
        "imul $5, 44(%%rdi), %%r8d\n imul $0x12345, 48(%%rdi), %%r9\n add %%r9, %%rax\n");
    RUN("movl $7, 120(%%rdi)\n movl $0, 124(%%rdi)\n mov $100, %%eax\n divb 120(%%rdi)\n cwtl\n"
        "xor %%edx, %%edx\n divw 120(%%rdi)\n xor %%edx, %%edx\n divl 120(%%rdi)\n xor %%edx, %%edx\n"
        "divq 120(%%rdi)\n mov $-100, %%eax\n idivb 120(%%rdi)\n cwtd\n idivw 120(%%rdi)\n cltd\n"
        "idivl 120(%%rdi)\n cqto\n idivq 120(%%rdi)\n");
    RUN("btw $3, (%%rdi)\n adc %%ebx, %%ebx\n btl $30, 4(%%rdi)\n adc %%ebx, %%ebx\n btq $60, 8(%%rdi)\n"
        "adc %%ebx, %%ebx\n btsw $3, 16(%%rdi)\n btrl $9, 20(%%rdi)\n btcq $40, 24(%%rdi)\n"
        "bsf 40(%%rdi), %%ax\n bsr 40(%%rdi), %%edx\n bsf 48(%%rdi), %%r8\n popcnt 50(%%rdi), %%r9w\n"
        "popcnt 52(%%rdi), %%r9d\n popcnt 56(%%rdi), %%r10\n tzcnt 60(%%rdi), %%r11d\n"
        "lzcnt 64(%%rdi), %%rdx\n add %%r10, %%rdx\n");
    ALONE("mov $77, %%eax\n bt %%eax, 32(%%rdi)\n adc %%ebx, %%ebx");
    ALONE("mov $77, %%eax\n bts %%rax, 32(%%rdi)");
    ALONE("shld $3, %%eax, 72(%%rdi)");
    ALONE("shrd %%cl, %%rax, 80(%%rdi)");
    ALONE("xchg %%al, 1(%%rdi)");
    ALONE("xchg %%rax, 8(%%rdi)");
    ALONE("lock addl $3, 16(%%rdi)");
    ALONE("lock xadd %%rdx, 24(%%rdi)");
    ALONE("xadd %%edx, 32(%%rdi)");
    ALONE("lock incb 40(%%rdi)");
    ALONE("lock cmpxchg %%rdx, 48(%%rdi)");
    ALONE("cmpxchg %%rdx, 56(%%rdi)");
    ALONE("lock btsl $2, 64(%%rdi)");
    ALONE("lock notq 72(%%rdi)");
    ALONE("lock negl 80(%%rdi)");
    ALONE("cmpxchg8b 88(%%rdi)");
    ALONE("cmpxchg16b 96(%%rdi)");
    ALONE("lfence\n mfence");
    ALONE("lea 8(%%rdi), %%r9\n mov (%%r9d), %%r9d\n");
    RUN("prefetcht0 (%%rdi)\n prefetchw (%%rdi)\n prefetcht0 0\n nopl 0\n nopw (%%rdi)\n"
        "movnti %%rax, 112(%%rdi)\n bswap %%eax\n");
    return sum;
}

__attribute__((noinline)) static uint64_t stack_and_jumps(void)
{
    uint64_t sum = 0, rax, rdx, rbx;
    RUN("sub $256, %%rsp\n pushq 8(%%rdi)\n pushw 16(%%rdi)\n pushq $5\n push %%rax\n pushw %%dx\n"
        "pop %%r8w\n pop %%rbx\n pop %%r9\n pop %%r10w\n pop %%rdx\n push %%fs\n pop %%r11\n"
        "add $256, %%rsp\n");
    RUN("sub $256, %%rsp\n push %%rbp\n mov %%rsp, %%rbp\n sub $64, %%rsp\n mov %%rax, (%%rsp)\n leave\n"
        "add $256, %%rsp\n");
    ALONE("sub $256, %%rsp\n push %%rax\n popq 24(%%rdi)\n add $256, %%rsp");
    ALONE("sub $256, %%rsp\n push %%rax\n .byte 0x8f, 0xc3\n add $256, %%rsp"); /* pop %rbx */
    ALONE("sub $256, %%rsp\n pushfq\n popfq\n add $256, %%rsp");
    ALONE("sub $256, %%rsp\n enter $16, $0\n leave\n add $256, %%rsp");
    ALONE("sub $256, %%rsp\n push %%rbp\n mov %%rsp, %%rbp\n enter $32, $2\n leave\n pop %%rbp\n"
          "add $256, %%rsp");
    RUN("sub $256, %%rsp\n lea 1f(%%rip), %%r8\n mov %%r8, 8(%%rdi)\n call *8(%%rdi)\n"
        "lea 2f(%%rip), %%r9\n mov %%r9, 16(%%rdi)\n push $9\n push $8\n call *16(%%rdi)\n"
        "call 1f\n lea 3f(%%rip), %%r10\n mov %%r10, 24(%%rdi)\n jmp *24(%%rdi)\n"
        "1: inc %%rbx\n mov 40(%%rdi), %%rax\n ret\n 2: add $7, %%rbx\n ret $16\n"
        "3: add $256, %%rsp\n mov $3, %%ecx\n 4: mov (%%rdi,%%rcx,8), %%rdx\n loop 4b\n");
    return sum;
}

/* With the counts 0, 1 and 7, upwards and downwards. */
#define STRING(op)                                                                                 \
    RUN("mov %%rdi, %%r8\n mov %%rsi, %%r9\n mov $7, %%ecx\n" op "\n mov %%r8, %%rdi\n"            \
        "mov %%r9, %%rsi\n mov $1, %%ecx\n" op "\n xor %%ecx, %%ecx\n" op "\n mov %%r8, %%rdi\n"   \
        "mov %%r9, %%rsi\n add $64, %%rdi\n add $64, %%rsi\n mov $5, %%ecx\n std\n" op "\n cld\n"  \
        "mov %%r8, %%rdi\n add %%rcx, %%rdx\n")

__attribute__((noinline)) static uint64_t strings(void)
{
    uint64_t sum = 0, rax, rdx, rbx;
    STRING("rep movsb"); STRING("rep movsw"); STRING("rep movsl"); STRING("rep movsq");
    STRING("repe cmpsb"); STRING("repe cmpsq"); STRING("repne cmpsw"); STRING("repne cmpsl");
    STRING("repne scasb"); STRING("repne scasq"); STRING("repe scasw"); STRING("repe scasl");
    STRING("rep lodsb"); STRING("rep lodsq"); STRING("movsb\n movsq"); STRING("lodsl\n lodsb");
    STRING("cmpsl\n scasb"); STRING("stosb\n stosq");
    STRING("rep stosb"); STRING("rep stosw"); STRING("rep stosl"); STRING("rep stosq");
    fill();
    return sum;
}

#define SCALAR(op)                                                                                 \
    RUN("movsd 8(%%rdi), %%xmm0\n movss 8(%%rdi), %%xmm1\n" op "sd 16(%%rdi), %%xmm0\n"            \
        op "ss 20(%%rdi), %%xmm1\n movq %%xmm0, %%rax\n movd %%xmm1, %%edx\n"                      \
        "v" op "sd 24(%%rdi), %%xmm0, %%xmm2\n v" op "ss 28(%%rdi), %%xmm1, %%xmm3\n"              \
        "vmovsd %%xmm2, 64(%%rdi)\n vmovss %%xmm3, 72(%%rdi)\n")

__attribute__((noinline)) static uint64_t floating_point(void)
{
    uint64_t sum = 0, rax, rdx, rbx;
    for (int i = 0; i < 8; i++)
        memory.d[i] = 1.5 * i + 0.25;
    SCALAR("add"); SCALAR("sub"); SCALAR("mul"); SCALAR("div"); SCALAR("min"); SCALAR("max");
    ALONE("rsqrtss 16(%%rdi), %%xmm2");
    ALONE("rcpss 16(%%rdi), %%xmm3");
    RUN("sqrtsd 8(%%rdi), %%xmm0\n sqrtss 8(%%rdi), %%xmm1\n cvtss2sd 8(%%rdi), %%xmm2\n cvtsd2ss 8(%%rdi), %%xmm3\n"
        "cmpltsd 16(%%rdi), %%xmm0\n cmpneqss 16(%%rdi), %%xmm1\n movq %%xmm0, %%rax\n"
        "ucomisd 24(%%rdi), %%xmm2\n adc %%ebx, %%ebx\n comiss 24(%%rdi), %%xmm3\n adc %%ebx, %%ebx\n"
        "vucomiss 24(%%rdi), %%xmm3\n adc %%ebx, %%ebx\n vcomisd 24(%%rdi), %%xmm3\n"
        "cvtsi2sdl 32(%%rdi), %%xmm0\n cvtsi2sdq 32(%%rdi), %%xmm1\n cvtsi2ssl 32(%%rdi), %%xmm2\n"
        "cvtsi2ssq 32(%%rdi), %%xmm3\n vcvtsi2sdl 36(%%rdi), %%xmm0, %%xmm0\n"
        "vcvtsi2sdq 36(%%rdi), %%xmm1, %%xmm1\n vcvtsi2ssq 36(%%rdi), %%xmm1, %%xmm2\n"
        "cvttsd2si 40(%%rdi), %%r8d\n cvttss2si 40(%%rdi), %%r9\n cvtsd2si 40(%%rdi), %%r10\n"
        "cvtss2si 40(%%rdi), %%r11d\n vcvttsd2si 40(%%rdi), %%rdx\n addsd %%xmm1, %%xmm0\n");
    RUN("movlps 8(%%rdi), %%xmm0\n movhps 16(%%rdi), %%xmm0\n movlpd 24(%%rdi), %%xmm1\n"
        "movhpd 32(%%rdi), %%xmm1\n vmovlps 8(%%rdi), %%xmm0, %%xmm2\n vmovhpd 8(%%rdi), %%xmm0, %%xmm3\n"
        "movlps %%xmm0, 64(%%rdi)\n movhps %%xmm1, 72(%%rdi)\n movd 40(%%rdi), %%xmm2\n"
        "movq 40(%%rdi), %%xmm3\n movd %%xmm2, 80(%%rdi)\n movq %%xmm3, 88(%%rdi)\n"
        ".byte 0x66, 0x48, 0x0f, 0x6e, 0x57, 40\n" /* movq 40(%rdi), %xmm2, the other encoding */
        ".byte 0xc4, 0xe1, 0xf9, 0x6e, 0x57, 40\n vmovd 44(%%rdi), %%xmm2\n vmovq 44(%%rdi), %%xmm3\n vmovq %%xmm3, 96(%%rdi)\n"
        "movaps %%xmm0, 128(%%rdi)\n movups %%xmm1, 145(%%rdi)\n movdqa %%xmm2, 160(%%rdi)\n"
        "movntdq %%xmm3, 176(%%rdi)\n vmovdqu %%ymm3, 193(%%rdi)\n pmovmskb %%xmm3, %%eax\n");
    ALONE("movddup 8(%%rdi), %%xmm0");
    ALONE("movsldup 16(%%rdi), %%xmm0");
    ALONE("movshdup 16(%%rdi), %%xmm0");
    ALONE("pinsrw $3, 50(%%rdi), %%xmm0");
    ALONE("pinsrd $1, 52(%%rdi), %%xmm0");
    ALONE("pextrw $1, %%xmm0, 104(%%rdi)");
    ALONE("extractps $2, %%xmm0, 120(%%rdi)");
    ALONE("insertps $0x10, 56(%%rdi), %%xmm1");
    ALONE("movaps 64(%%rdi), %%xmm0");
    ALONE("movups 9(%%rdi), %%xmm1");
    ALONE("movdqa 16(%%rdi), %%xmm2");
    ALONE("movdqu 17(%%rdi), %%xmm3");
    ALONE("addps 32(%%rdi), %%xmm0");
    ALONE("addpd 48(%%rdi), %%xmm1");
    ALONE("sqrtpd 48(%%rdi), %%xmm1");
    ALONE("cmpltps 48(%%rdi), %%xmm1");
    ALONE("paddd 64(%%rdi), %%xmm2");
    ALONE("pshufd $0x1b, 16(%%rdi), %%xmm3");
    ALONE("punpcklbw 32(%%rdi), %%xmm2");
    ALONE("cvtps2pd 8(%%rdi), %%xmm0");
    ALONE("cvtpd2ps 16(%%rdi), %%xmm0");
    ALONE("cvtdq2pd 8(%%rdi), %%xmm1");
    ALONE("cvtpi2ps 8(%%rdi), %%xmm1\n emms");
    ALONE("cvttps2pi 8(%%rdi), %%mm0\n emms");
    ALONE("movq 8(%%rdi), %%mm0\n paddb 16(%%rdi), %%mm0\n movd %%mm0, %%eax\n emms");
    ALONE("pmovzxbw 8(%%rdi), %%xmm2");
    ALONE("lddqu 9(%%rdi), %%xmm3");
    ALONE("pcmpistri $0, 16(%%rdi), %%xmm3");
    ALONE("maskmovdqu %%xmm1, %%xmm0");
    ALONE("ldmxcsr 252(%%rdi)\n stmxcsr 200(%%rdi)");
    ALONE("flds 8(%%rdi)\n fadds 24(%%rdi)\n fstps 128(%%rdi)");
    ALONE("fldl 16(%%rdi)\n fmull 32(%%rdi)\n fstpl 136(%%rdi)");
    ALONE("filds 40(%%rdi)\n fiadds 42(%%rdi)\n fistps 168(%%rdi)");
    ALONE("fildl 40(%%rdi)\n fisubl 44(%%rdi)\n fistpl 168(%%rdi)");
    ALONE("fildll 40(%%rdi)\n fistpll 168(%%rdi)");
    ALONE("fldl 8(%%rdi)\n fstpt 144(%%rdi)\n fldt 144(%%rdi)\n fstpl 160(%%rdi)");
    ALONE("fnstcw 168(%%rdi)\n fldcw 168(%%rdi)");
    RUN("fld1\n fldpi\n faddp\n fstp %%st\n mov 504(%%rdi), %%r8\n");
    return sum;
}

__attribute__((noinline)) static uint64_t avx2(void)
{
    uint64_t sum = 0, rax, rdx, rbx;
    fill();
    ALONE("vmovdqu 1(%%rdi), %%ymm0");
    ALONE("vpaddd 32(%%rdi), %%ymm0, %%ymm1");
    ALONE("vbroadcastss 8(%%rdi), %%ymm2");
    ALONE("vbroadcastsd 8(%%rdi), %%ymm3");
    ALONE("vpbroadcastb 9(%%rdi), %%xmm2");
    ALONE("vmovddup 8(%%rdi), %%ymm2");
    ALONE("vaddps 8(%%rdi), %%xmm2, %%xmm2");
    ALONE("vpcmpeqb 64(%%rdi), %%ymm0, %%ymm3");
    ALONE("vpmaskmovd 96(%%rdi), %%ymm3, %%ymm2");
    ALONE("vpmaskmovd %%ymm2, %%ymm3, 128(%%rdi)");
    ALONE("vextracti128 $1, %%ymm1, 200(%%rdi)");
    ALONE("vpxor %%xmm2, %%xmm2, %%xmm2\n vpcmpeqd %%xmm3, %%xmm3, %%xmm3\n"
          "vpgatherdd %%xmm3, 8(%%rdi,%%xmm2,4), %%xmm0\n vmovd %%xmm0, %%edx");
    RUN("vpmovmskb %%ymm0, %%eax\n vmovdqu %%ymm1, 161(%%rdi)\n vzeroupper\n mov 8(%%rdi), %%rdx\n");
    RUN("andn 8(%%rdi), %%eax, %%edx\n andn 16(%%rdi), %%rax, %%rdx\n bzhi %%ecx, 24(%%rdi), %%ebx\n"
        "bzhi %%rcx, 24(%%rdi), %%r8\n sarx %%ecx, 32(%%rdi), %%eax\n shlx %%rcx, 32(%%rdi), %%r9\n"
        "shrx %%ecx, 36(%%rdi), %%r10d\n rorx $3, 40(%%rdi), %%r11d\n rorx $9, 40(%%rdi), %%r11\n"
        "bextr %%ecx, 48(%%rdi), %%edx\n blsr 56(%%rdi), %%r8\n blsi 56(%%rdi), %%r9d\n"
        "blsmsk 60(%%rdi), %%r10d\n pext 64(%%rdi), %%rax, %%rbx\n pdep 64(%%rdi), %%eax, %%edx\n"
        "mulx 72(%%rdi), %%r8, %%r9\n mulx 72(%%rdi), %%r10d, %%r11d\n add %%r9, %%rax\n");
    ALONE("adcx 80(%%rdi), %%rax");
    ALONE("adox 88(%%rdi), %%edx");
    ALONE("crc32b 90(%%rdi), %%ebx\n crc32q 96(%%rdi), %%rbx");
    ALONE("movbe 104(%%rdi), %%r8\n movbe %%r8d, 112(%%rdi)");
    ALONE("vfmadd213sd 24(%%rdi), %%xmm1, %%xmm0");
    ALONE("vfmadd231ss 28(%%rdi), %%xmm1, %%xmm0");
    return sum;
}

int main(void)
{
    fill();
    memory.q[31] = 0x1f8000000000; /* for ldmxcsr */
    uint64_t sums[5];
    sums[0] = integers();
    sums[1] = stack_and_jumps();
    sums[2] = strings();
    memory.q[31] = 0x1f8000000000;
    sums[3] = floating_point();
    sums[4] = avx2();
    for (int i = 0; i < 5; i++)
        printf("%d\n", (int)(sums[i] & 0xff)); /* some of the other sums contain addresses */
    return 0;
}
/* SPDX-License-Identifier: MIT */
