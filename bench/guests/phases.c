/* A program with phases of known length, for profilers that work by intervals.
 *
 *     phases LENGTH TOTAL
 *
 * Of every four loads three are hot, from 16 places of a table of the phase's own, which
 * hold five different values (1/2, 1/4, 1/8, 1/16 and 1/16 of the places); the fourth
 * loads a value that hardly comes twice. After LENGTH loads the next of eight phases
 * begins, until there were TOTAL. Compiled with optimisation the loop has no other loads. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define PHASES 8u
#define PLACES 16u
#define NOISE (1u << 20)

static volatile uint64_t hot[PHASES][PLACES], noise[NOISE];

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    return *state ^= *state << 17;
}

int main(int argc, char **argv)
{
    uint64_t length = argc == 3 ? strtoull(argv[1], NULL, 10) : 0, state = 1, sum = 0;
    uint64_t total = length ? strtoull(argv[2], NULL, 10) : 0;
    if (!total) {
        fprintf(stderr, "usage: phases LENGTH TOTAL\n");
        return 2;
    }
    for (uint64_t phase = 0; phase < PHASES; phase++)
        for (uint64_t place = 0; place < PLACES; place++)
            hot[phase][place] = 1000 * phase + (place ? (uint64_t)__builtin_clzll(place) : 99);
    for (uint64_t i = 0; i < NOISE; i++)
        noise[i] = next_random(&state);
    for (uint64_t loads = 0; loads < total; loads += 4) {
        volatile uint64_t *table = hot[loads / length % PHASES];
        uint64_t random = next_random(&state);
        sum += table[random >> 60] + table[random >> 56 & 15] + table[random >> 52 & 15];
        sum += noise[random >> 30 & (NOISE - 1)];
    }
    printf("%llu\n", (unsigned long long)sum);
    return 0;
}
