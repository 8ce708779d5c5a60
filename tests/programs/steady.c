/* Test program that repeats the same work: `steady [ROUNDS]`. It writes a line after each round and
 * exits with status 7 after the last round. Without ROUNDS it never ends. Some of its loads are in
 * blocks that have a load layout (ring.h), others are not. It does not use the C library's streams, whose
 * state contains the process id, so that each run loads the same values. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
    char line[32];
    for (unsigned i = 0; i < sizeof text; i++)
        text[i] = (char)i;
    for (unsigned i = 0; !rounds || i < rounds; i++) {
        sum = work(sum);
        int n = snprintf(line, sizeof line, "%u %u\n", i, sum);
        if (write(1, line, (size_t)n) != n)
            return 1;
    }
    return 7;
}
/* SPDX-License-Identifier: MIT */
