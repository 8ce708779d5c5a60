/* Test program with loads of the last 1, 2, 4, 8 and 16 bytes of a page that is followed by an
 * unmapped page, so that reading one more byte causes a fault. The program uses aligned and
 * unaligned loads and string functions. It prints a sum. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct __attribute__((packed, may_alias)) h { uint16_t v; };
struct __attribute__((packed, may_alias)) w { uint32_t v; };
struct __attribute__((packed, may_alias)) l { uint64_t v; };
struct __attribute__((packed, may_alias)) f { float v; };
struct __attribute__((packed, may_alias)) d { double v; };
typedef uint32_t four __attribute__((vector_size(16), aligned(1), may_alias));

int main(void)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    unsigned char *memory = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
                                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED || mprotect(memory + page, page, PROT_NONE) < 0)
        return 1;
    for (size_t i = 0; i < page; i++)
        memory[i] = (unsigned char)(i * 7 % 61 + 1);
    unsigned char *volatile at = memory + page;
    uint64_t sum = 0;
    for (int i = 0; i < 100; i++) {
        unsigned char *end = at;
        sum += end[-1] + ((struct h *)(end - 2))->v + ((struct w *)(end - 4))->v;
        sum += ((struct l *)(end - 8))->v + (uint64_t)((struct h *)(end - 3))->v;
        sum += (uint64_t)((struct w *)(end - 5))->v + ((struct l *)(end - 11))->v;
        sum += (uint64_t)((struct f *)(end - 4))->v > 0;
        sum += (uint64_t)((struct d *)(end - 8))->v > 0;
        four v = *(four *)(end - 16);
        sum += v[0] + v[3];
        if (i % 10 == 0) {
            char copy[64];
            memcpy(copy, end - 33, 33);
            sum += (unsigned char)copy[32] + (memchr(end - 20, 200, 20) != NULL);
            sum += (uint64_t)memcmp(end - 20, end - 40, 20) & 1;
        }
    }
    memory[page - 1] = 0;
    sum += strlen((char *)memory + page - 30);
    printf("%llu\n", (unsigned long long)sum);
    return 0;
}
/* SPDX-License-Identifier: MIT */
