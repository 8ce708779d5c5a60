/* SPDX-License-Identifier: MIT */
/* Unit tests of the index of a program's memory mappings, which stores address ranges in layers. A
 * lookup finds the newest range at an address, for any order of insertion, also with many mappings
 * of few files, as in a program that repeatedly loads and unloads a library. */
#include <string.h>
#include <sys/resource.h>

#include "spans.h"
#include "random.h"
#include "symbol.h"
#include "tap.h"

#define N 400u

static struct sl_address_range ranges[N];

static struct sl_address_range range_of(const void *context, size_t number)
{
    (void)context;
    return ranges[number];
}

static uint32_t newest(size_t n, uint64_t address)
{
    while (n--)
        if (address >= ranges[n].start && address < ranges[n].end)
            return (uint32_t)n;
    return SL_NO_INDEX;
}

static void test_newest_wins(void)
{
    uint64_t seed = 5;
    size_t wrong = 0, deepest = 0;
    for (int round = 0; round < 50; round++) {
        struct sl_layers layers = {0};
        for (size_t n = 0; n < N;) {
            size_t more = 1 + sl_random_below(&seed, round % 2 ? 1 : 7);
            for (size_t i = n; i < n + more && i < N; i++) {
                ranges[i].start = sl_random_below(&seed, 1000);
                ranges[i].end = ranges[i].start + sl_random_below(&seed, 60); /* empty ones, too */
            }
            n = n + more < N ? n + more : N;
            wrong += !sl_layers_extend(&layers, n, range_of, NULL);
            for (int i = 0; i < 20; i++) {
                uint64_t address = sl_random_below(&seed, 1070);
                wrong += sl_layers_find(&layers, address) != newest(n, address);
            }
            deepest = layers.n_layers > deepest ? layers.n_layers : deepest;
        }
        sl_layers_free(&layers);
    }
    ok(wrong == 0, "the newest range at an address is found (%zu wrong)", wrong);
    ok(deepest > 1 && deepest <= 10, "in a logarithmic number of layers (%zu)", deepest);
}

/* Work that grew with the square of the mappings would need days for this. */
static void test_many_mappings(void)
{
    enum { MANY = 200000 };
    struct sl_object *objects = calloc(MANY, sizeof *objects);
    struct sl_statics statics = {.object = objects};
    struct sl_symbols *symbols = sl_symbols_open(&statics);
    size_t wrong = 0;
    setrlimit(RLIMIT_CPU, &(struct rlimit){300, 300});
    for (size_t i = 0; i < MANY; i++) {
        uint64_t start = UINT64_C(0x7f0000000000) - i * 0x2000;
        char *path = i % 2 ? "/proc/self/exe" : "";
        objects[i] = (struct sl_object){start, start + 0x1000, 0, path};
        struct sl_db_location place;
        statics.n_objects = i + 1;
        sl_symbols_place(symbols, start + 4, &place);
        wrong += place.object_number != i || !place.object ||
                 strcmp(place.object, i % 2 ? "exe" : "");
    }
    ok(wrong == 0, "each of %d mappings is known as soon as it is there (%zu wrong)", MANY, wrong);
    sl_symbols_close(symbols);
    free(objects);
}

int main(void)
{
    test_newest_wins();
    test_many_mappings();
    return done_testing();
}
