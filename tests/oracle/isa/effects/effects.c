/* SPDX-License-Identifier: MIT */
/* Test program that executes instructions and compares their effects with the registers that
 * sluice's decoder reports as read and written. It is built for the architecture under test and
 * runs under QEMU.
 *
 * Reads lines `bytes reads writes flags name`: bytes in memory order, register sets as isa_dump
 * prints them (general:vector), flags with l and s for loads and stores. Each instruction is run
 * from random states:
 *
 *   - a register that changes must be in `writes`;
 *   - if all registers outside `reads` get other values (and memory, unless it is
 *     reported to load), the registers it writes must get the same values;
 *   - if one register of `reads` gets another value, the result must differ in at
 *     least one of many trials; each of `writes` must change in one.
 *
 * Prints for each instruction its name and `ok`, or the error, or `fault` if it could not be run.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "effects.h"

struct state {
    unsigned long general[36];
    uint64_t vector[32][2];
};
struct sets {
    uint64_t general, vector;
};
struct subject {
    uint8_t bytes[16];
    size_t size;
    struct sets reads, writes;
    bool loads, stores;
};

#define ROUNDS 20
#define PATIENCE 400 /* rounds to wait for what has not been seen yet */
#define MEMORY 8192

/* The registers point here, mostly with space on both sides. */
static uint8_t memory[3 * MEMORY] __attribute__((aligned(4096)));
static uint8_t memory_in[sizeof memory], memory_out[sizeof memory];

extern uint8_t effects_slot[], effects_back[], effects_back_end[];
void effects_enter(void);
struct state effects_in, effects_out;

static sigjmp_buf escape;

static void on_signal(int number)
{
    siglongjmp(escape, number);
}

static uint64_t next_random(void)
{
    static uint64_t seed = 1;
    uint64_t z = (seed += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static unsigned long random_general(unsigned number)
{
    uint64_t r = next_random();
#if defined(__x86_64__)
    if (number == FLAGS)
        return 0x202 | (r & 0x8d5);
#elif defined(__aarch64__)
    if (number == FLAGS)
        return r & 0xf0000000;
    if (number == 31)
        return (unsigned long)(memory + MEMORY + (r >> 8) % MEMORY / 16 * 16);
#endif
    (void)number;
    switch (r % 8) {
    case 0:
        return (unsigned long)(r >> 8);
    case 1:
        return r >> 8 & 3;
    case 2:
        return -(unsigned long)(r >> 8 & 15);
    default:
        return (unsigned long)(memory + MEMORY + (r >> 8) % MEMORY / 16 * 16);
    }
}

/* Bits, or numbers as floats and doubles have them. */
static void random_vector(uint64_t *vector)
{
    uint64_t r = next_random(), kind = next_random() % 4;
    for (int i = 0; i < 2; i++, r = next_random()) {
        float f[2] = {(float)(int16_t)r / 256, (float)(int16_t)(r >> 16) / 256};
        double d = (double)(int32_t)r / 65536;
#if defined(__riscv)
        memset(&f[1], 0xff, 4); /* so that it counts as a float */
#endif
        if (kind < 2)
            vector[i] = kind ? r : (r & 1) * (r >> 32);
        else
            memcpy(&vector[i], kind == 2 ? (void *)f : (void *)&d, 8);
    }
}

/* Other values for what is not in `fixed`. */
static void randomize(struct state *state, const struct sets *fixed)
{
    for (unsigned i = 0; i < GENERAL_REGISTERS; i++)
        if (!(fixed->general >> i & 1))
            state->general[i] = random_general(i);
    for (unsigned i = 0; i < VECTOR_REGISTERS; i++)
        if (!(fixed->vector >> i & 1))
            random_vector(state->vector[i]);
}

static bool run(const struct state *state, struct state *out)
{
    effects_in = effects_out = *state;
    memcpy(memory, memory_in, sizeof memory);
    if (sigsetjmp(escape, 1))
        return false;
    effects_enter();
    *out = effects_out;
    memcpy(memory_out, memory, sizeof memory);
    return true;
}

/* The registers that differ. */
static struct sets changes(const struct state *a, const struct state *b)
{
    struct sets set = {0, 0};
    for (unsigned i = 0; i < GENERAL_REGISTERS; i++)
        if (a->general[i] != b->general[i])
            set.general |= UINT64_C(1) << i;
    for (unsigned i = 0; i < VECTOR_REGISTERS; i++)
        if (memcmp(a->vector[i], b->vector[i], VECTOR_BYTES))
            set.vector |= UINT64_C(1) << i;
    set.general &= ~(uint64_t)RESERVED;
#if defined(__mips__)
    set.general &= ~UINT64_C(1);
    set.vector &= 0x55555555; /* doubles are pairs */
#elif defined(__riscv)
    set.general &= ~UINT64_C(1);
#endif
    return set;
}

/* A flag that is left as it was is no result, nor is the other half of a pair of
 * 32-bit registers: makes them the same in both results. */
static void forget_untouched(const struct state *in, const struct state *out,
                             const struct state *other_in, struct state *other_out)
{
    other_out->general[FLAGS] ^= (in->general[FLAGS] ^ other_in->general[FLAGS]) &
                                 ~(in->general[FLAGS] ^ out->general[FLAGS]) &
                                 ~(other_in->general[FLAGS] ^ other_out->general[FLAGS]);
#if defined(__mips__)
    for (unsigned i = 0; i < 64; i++) {
        size_t at = offsetof(struct state, vector) + 16 * (i / 2) + 4 * (i % 2);
        const char *a = (const char *)in + at, *b = (const char *)out + at;
        char *c = (char *)other_in + at, *d = (char *)other_out + at;
        if (memcmp(a, b, 4) == 0 && memcmp(c, d, 4) == 0)
            memcpy(d, b, 4);
    }
#endif
}

static const char *evaluate(const struct subject *s)
{
    static struct state state, other, out, other_out;
    static uint8_t first_memory[sizeof memory];
    struct sets seen_written = {0, 0}, seen_read = {0, 0}, none = {0, 0}, set;
    bool stored = false;
    unsigned runs = 0;
    for (unsigned round = 0; round < PATIENCE; round++) {
        bool all_seen = !(s->reads.general & ~seen_read.general ||
                          s->reads.vector & ~seen_read.vector ||
                          s->writes.general & ~seen_written.general ||
                          s->writes.vector & ~seen_written.vector || (s->stores && !stored));
        if (runs >= ROUNDS && all_seen)
            break;
        randomize(&state, &none);
        for (size_t i = 0; i < sizeof memory_in; i += 8) {
            uint64_t r = next_random();
            r = r & 3 ? r : 0; /* something to compare equal with */
            memcpy(memory_in + i, &r, 8);
        }
        if (!run(&state, &out))
            continue;
        runs++;
        memcpy(first_memory, memory_out, sizeof memory);
        set = changes(&state, &out);
        seen_written.general |= set.general;
        seen_written.vector |= set.vector;
        stored = stored || memcmp(memory_in, memory_out, sizeof memory);
        if (set.general & ~s->writes.general || set.vector & ~s->writes.vector)
            return "writes more";
        if (stored && !s->stores)
            return "stores";

        other = state;
        randomize(&other, &s->reads);
        if (!s->loads && !s->stores)
            for (size_t i = 0; i < sizeof memory_in; i++)
                memory_in[i] ^= 0x55;
        if (!run(&other, &other_out))
            return "reads more";
        forget_untouched(&state, &out, &other, &other_out);
        set = changes(&out, &other_out);
        if (set.general & s->writes.general || set.vector & s->writes.vector ||
            (s->stores && memcmp(first_memory, memory_out, sizeof memory)))
            return "reads more";

        for (unsigned i = 0; i < GENERAL_REGISTERS + VECTOR_REGISTERS; i++) {
            bool vector = i >= GENERAL_REGISTERS;
            uint64_t bit = UINT64_C(1) << (vector ? i - GENERAL_REGISTERS : i);
            struct sets all_but = {vector ? ~UINT64_C(0) : ~bit, vector ? ~bit : ~UINT64_C(0)};
            if (!((vector ? s->reads.vector & ~seen_read.vector
                          : s->reads.general & ~seen_read.general) &
                  bit))
                continue;
            other = state;
            randomize(&other, &all_but);
            bool ran = run(&other, &other_out);
            set = changes(&out, &other_out);
            /* That a register it leaves alone still differs is no effect. */
            if (!ran || set.general & s->writes.general || set.vector & s->writes.vector ||
                (s->stores && memcmp(first_memory, memory_out, sizeof memory)))
                *(vector ? &seen_read.vector : &seen_read.general) |= bit;
        }
    }
    if (runs == 0)
        return "fault";
    if (s->stores && !stored)
        return "stores nothing";
    if (s->writes.general & ~seen_written.general || s->writes.vector & ~seen_written.vector)
        return "writes less";
    if (s->reads.general & ~seen_read.general || s->reads.vector & ~seen_read.vector)
        return "reads less";
    return "ok";
}

int main(void)
{
    static uint8_t signal_stack[65536];
    stack_t stack = {.ss_sp = signal_stack, .ss_size = sizeof signal_stack};
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK | SA_NODEFER};
    char line[256], hex[40], flags[8], name[64];
    sigaltstack(&stack, NULL);
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
    sigaction(SIGILL, &action, NULL);
    sigaction(SIGFPE, &action, NULL);
    sigaction(SIGTRAP, &action, NULL);
    while (fgets(line, sizeof line, stdin)) {
        struct subject s = {.size = 0};
        unsigned long long set[4];
        if (sscanf(line, "%39s %llx:%llx %llx:%llx %7s %63[^\n]", hex, &set[0], &set[1], &set[2],
                   &set[3], flags, name) != 7)
            continue;
        for (; hex[2 * s.size]; s.size++)
            sscanf(hex + 2 * s.size, "%2hhx", &s.bytes[s.size]);
        s.reads = (struct sets){set[0], set[1] & UINT32_MAX}; /* the FP status is not compared */
        s.writes = (struct sets){set[2], set[3] & UINT32_MAX};
        s.loads = strchr(flags, 'l');
        s.stores = strchr(flags, 's');
        memcpy(effects_slot, s.bytes, s.size);
        memcpy(effects_slot + s.size, effects_back, (size_t)(effects_back_end - effects_back));
        __builtin___clear_cache((char *)effects_slot, (char *)effects_slot + 64);
        printf("%s: %s", evaluate(&s), line);
    }
    return 0;
}
