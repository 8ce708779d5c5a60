/* SPDX-License-Identifier: MIT */
/* A second reader of ChampSim traces, written from the definition of the format (64 bytes per
 * record, branch kinds derived from registers). It shares no code with sluice's reader.
 *
 *     naive_champsim TRACE [VALUES]
 *
 * Prints the output of demo/simulator.c: the number of branches of each kind, and the sum of the
 * values. The last record is left out, because nothing shows whether its branch was taken. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t line[512], instructions, loads, stores, misses, branches, taken, mispredicted;
static uint8_t counter[4096];
static uint64_t jump, indirect, conditional, call, indirect_call, ret, odd, values, sum;

static uint64_t number(const uint8_t *at)
{
    uint64_t n = 0;
    for (int i = 7; i >= 0; i--)
        n = n << 8 | at[i];
    return n;
}

static void touch(uint64_t address)
{
    misses += line[(address / 64) % 512] != address / 64;
    line[(address / 64) % 512] = address / 64;
}

static bool has(const uint8_t *at, int n, uint8_t what)
{
    return memchr(at, what, (size_t)n) != NULL;
}

static void read_record(const uint8_t *r, bool last)
{
    const uint8_t *written = r + 10, *read = r + 12;
    bool others = false;
    instructions++;
    /* In the order of the accesses of one instruction, as we write them, loads come first. */
    for (int i = 0; i < 4; i++)
        if (number(r + 32 + 8 * i))
            loads++, touch(number(r + 32 + 8 * i));
    for (int i = 0; i < 2; i++)
        if (number(r + 16 + 8 * i))
            stores++, touch(number(r + 16 + 8 * i));
    for (int i = 0; i < 4; i++)
        others |= read[i] && read[i] != 6 && read[i] != 25 && read[i] != 26;
    bool sp = has(read, 4, 6), flags = has(read, 4, 25), ip = has(read, 4, 26);
    bool to_sp = has(written, 2, 6), to_ip = has(written, 2, 26);
    if (!to_ip)
        return;
    if (!sp && !flags && !others)
        jump++;
    else if (!sp && !ip && !flags && others)
        indirect++;
    else if (!sp && ip && !to_sp && (flags || others)) {
        bool went = r[9];
        uint8_t *c = &counter[number(r) % 4096];
        conditional++;
        if (last)
            return;
        branches++;
        taken += went;
        mispredicted += (*c >= 2) != went;
        *c = (uint8_t)(went ? (*c < 3 ? *c + 1 : 3) : (*c ? *c - 1 : 0));
    } else if (sp && ip && to_sp && !flags)
        *(others ? &indirect_call : &call) += 1;
    else if (sp && !ip && to_sp)
        ret++;
    else
        odd++;
}

int main(int argc, char **argv)
{
    uint8_t r[64], next[64];
    FILE *in = argc > 1 ? fopen(argv[1], "rb") : NULL;
    if (!in || fread(r, 64, 1, in) != 1)
        return 1;
    while (fread(next, 64, 1, in) == 1) {
        read_record(r, false);
        memcpy(r, next, 64);
    }
    read_record(r, true);
    fclose(in);
    if (argc > 2) {
        char head[16];
        in = fopen(argv[2], "rb");
        if (!in || fread(head, 16, 1, in) != 1 || memcmp(head, "sluice-values 1\n", 16))
            return 1;
        while (fread(r, 8, 1, in) == 1)
            values++, sum += number(r);
        fclose(in);
    }
    printf("instructions %" PRIu64 "\nloads %" PRIu64 "\nstores %" PRIu64 "\nmisses %" PRIu64
           "\nbranches %" PRIu64 "\ntaken %" PRIu64 "\nmispredicted %" PRIu64 "\n",
           instructions, loads, stores, misses, branches, taken, mispredicted);
    fprintf(stderr,
            "jump %" PRIu64 "\nindirect %" PRIu64 "\nconditional %" PRIu64 "\ncall %" PRIu64
            "\nindirect-call %" PRIu64 "\nreturn %" PRIu64 "\nodd %" PRIu64 "\nvalues %" PRIu64
            "\nsum %" PRIu64 "\n",
            jump, indirect, conditional, call, indirect_call, ret, odd, values, sum);
    return 0;
}
