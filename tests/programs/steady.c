/* steady [ROUNDS]: the same work again and again, a line after each, then exit
 * status 7. Without rounds it never ends. Loads both implied and not. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned table[1024];
static char text[600], copy[600];

__attribute__((noinline, noclone)) static unsigned work(unsigned sum)
{
    for (unsigned i = 0; i < 20000; i++) {
        unsigned *slot = &table[(i * 7 + sum) % 1024];
        *slot += i ^ table[sum % 1024];
        sum = sum * 31 + *slot;
        if (i % 64 == 0) {
            memcpy(copy, text, sizeof text - i % 100);
            sum += (unsigned char)copy[i % 500];
        }
    }
    return sum;
}

int main(int argc, char **argv)
{
    unsigned rounds = argc > 1 ? (unsigned)atoi(argv[1]) : 0, sum = 1;
    for (unsigned i = 0; i < sizeof text; i++)
        text[i] = (char)i;
    for (unsigned i = 0; !rounds || i < rounds; i++) {
        sum = work(sum);
        printf("%u %u\n", i, sum);
        fflush(stdout);
    }
    return 7;
}
