/* SPDX-License-Identifier: MIT */
/* Test program that expands a stored grammar, the compressed form of an event sequence, to tuple
 * ids, one per line (usage: naive_grammar FILE).
 *
 * Written from docs/database.md alone. FILE contains the concatenated parts of the table `grammar`.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

static unsigned char byte[64 << 20];
static size_t size, at;
static uint64_t first[1 << 20], n_symbols[1 << 20], symbol[8 << 20], n_rules;

static void die(const char *what)
{
    fprintf(stderr, "naive_grammar: %s\n", what);
    exit(1);
}

static void unpack(const char *name)
{
    static unsigned char packed[32 << 20];
    FILE *file = fopen(name, "rb");
    if (!file)
        die("cannot read it");
    size_t n = fread(packed, 1, sizeof packed, file);
    fclose(file);
    size = ZSTD_decompress(byte, sizeof byte, packed, n);
    if (ZSTD_isError(size))
        die(ZSTD_getErrorName(size));
}

static uint64_t number(void)
{
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
        if (at == size)
            die("it ends too early");
        value |= (uint64_t)(byte[at] & 127) << shift;
        if (byte[at++] < 128)
            return value;
    }
}

static void make(uint64_t rule)
{
    for (uint64_t i = 0; i < n_symbols[rule]; i++) {
        uint64_t code = symbol[first[rule] + i];
        if (code % 2)
            make(rule + (code + 1) / 2);
        else
            printf("%llu\n", (unsigned long long)code / 2);
    }
}

int main(int argc, char **argv)
{
    uint64_t used = 0;
    if (argc != 2)
        die("usage: naive_grammar FILE");
    unpack(argv[1]);
    if (size < 4 || memcmp(byte, "SLG1", 4))
        die("it is none");
    at = 4;
    n_rules = number();
    for (uint64_t r = 0; r < n_rules; r++) {
        n_symbols[r] = number();
        first[r] = used;
        for (uint64_t i = 0; i < n_symbols[r]; i++)
            symbol[used++] = number();
    }
    if (at != size)
        die("something is after it");
    if (n_rules)
        make(0);
    return 0;
}
