/* SPDX-License-Identifier: MIT */
/* Unit tests of perfect hashes, which map the address of each function of a program to a different
 * index: no generated hash has a collision. */
#include "perfect_hash.h"

#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "image.h"
#include "random.h"
#include "tap.h"

#define N_MAX 70000u

static uint64_t address[N_MAX];
static uint32_t tab[1u << 17], tab_again[1u << 17];

/* The document's figure, word for word. */
static unsigned do_hash(const struct sl_perfect_hash *h, unsigned function)
{
    unsigned a, b;
    function += h->v;
    function += (function << 8);
    function ^= (function >> 4);
    b = (function >> h->b1) & h->b2;
    a = (function + (function << h->a1)) >> h->a2;
    return a ^ h->tab[b];
}

static bool is_perfect(const struct sl_perfect_hash *h, const uint64_t *of, size_t n)
{
    static uint8_t taken[1u << 17];
    size_t size = (size_t)1 << h->size_log2, i = 0;
    memset(taken, 0, size);
    for (; i < n; i++) {
        unsigned index = do_hash(h, (unsigned)of[i]);
        if (index >= size || taken[index]++ || index != sl_perfect_hash_index(h, of[i]))
            break;
    }
    return i == n;
}

/* As hardware has it: shifts below 32, a table of N words that are wide enough. */
static bool is_hardware(const struct sl_perfect_hash *h, size_t n)
{
    uint64_t size = UINT64_C(1) << h->size_log2;
    unsigned width = sl_perfect_hash_word_bits(h->size_log2);
    bool fits = h->a1 < 32 && h->a2 < 32 && h->b1 < 32 && h->b2 < size && size >= n &&
                (size < 2 * n || size == 2) && (n > 256 || width == 8) &&
                (n > 65536 || width <= 16);
    for (size_t i = 0; i < size; i++)
        fits = fits && h->tab[i] < size && (width == 32 || !(h->tab[i] >> width));
    return fits;
}

static void make(const char *what, const uint64_t *of, size_t n)
{
    struct sl_perfect_hash h, again;
    struct sl_failure f = {0};
    int error = sl_perfect_hash_make(&h, of, n, tab, &f);
    ok(error >= 0 && is_perfect(&h, of, n) && is_hardware(&h, n), "%zu functions, %s: perfect", n,
       what);
    if (error < 0)
        printf("# %s\n", f.text);
    else if (sl_perfect_hash_make(&again, of, n, tab_again, &f) < 0 || again.v != h.v ||
             memcmp(tab, tab_again, sizeof *tab << h.size_log2))
        ok(0, "%zu functions, %s: the same again", n, what);
}

static void made_up(size_t n)
{
    uint64_t seed = n;
    for (size_t i = 0; i < n; i++)
        address[i] = 0x400000 + 16 * i;
    make("16 bytes apart", address, n);
    for (size_t i = 0; i < n; i++)
        address[i] = (i ? address[i - 1] : 0x4000001000) + 16 * (1 + sl_random_below(&seed, 60));
    make("a few instructions to a page each", address, n);
    for (size_t i = 0; i < n; i++)
        address[i] = (i ? address[i - 1] : 0x10000) + 4 * (1 + sl_random_below(&seed, 60));
    make("aligned to 4 bytes", address, n);
    for (size_t i = 0; i < n; i++)
        address[i] = (uint32_t)(i * 0x9e3779b1u);
    make("all over", address, n);
    for (size_t i = 0; i < n && n <= 256; i++)
        address[i] = i << 24;
    if (n <= 256)
        make("apart in their highest byte alone", address, n);
}

/* The C library that this program runs with. */
static const char *library(char *path, size_t capacity)
{
    char line[4096];
    FILE *maps = fopen("/proc/self/maps", "re");
    path[0] = '\0';
    while (maps && !path[0] && fgets(line, sizeof line, maps))
        if (strstr(line, "/libc.so") || strstr(line, "/libc-"))
            snprintf(path, capacity, "%.*s", (int)strcspn(strchr(line, '/'), "\n"),
                     strchr(line, '/'));
    if (maps)
        fclose(maps);
    return path[0] ? path : NULL;
}

static void real(const char *what, const char *file, size_t least)
{
    struct sl_elf_reader reader = {0};
    struct sl_image *image = file ? sl_image_open(&reader, file) : NULL;
    struct sl_function_table *functions = image ? sl_image_functions(image) : NULL;
    struct sl_function_list list = {0};
    if (!functions || !sl_functions_list(functions, 0x4000000000, &list) || !list.n) {
        printf("# there is no %s with functions\n", what);
    } else if (list.n >= least) {
        make(what, list.start, list.n);
    } else {
        ok(0, "%s has %zu functions or more, and not %zu", what, least, list.n);
    }
    sl_function_list_free(&list);
    sl_image_close(image);
    sl_elf_reader_free(&reader);
}

static void refused(const char *what, size_t n, const char *why)
{
    struct sl_perfect_hash h;
    struct sl_failure f = {0};
    int error = sl_perfect_hash_make(&h, address, n, tab, &f);
    ok(error == SL_EUSAGE && strstr(f.text, why), "%s: refused, and said why", what);
}

int main(void)
{
    static const size_t sizes[] = {1,   2,   3,   4,   5,    7,    8,    31,   32,    63,    64,
                                   255, 256, 257, 511, 1000, 4096, 4097, 9999, 65535, 65536, 65537};
    char path[4096];
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        made_up(sizes[i]);
    real("this program", "/proc/self/exe", 100);
    real("the C library", library(path, sizeof path), 1000);
    real("python", realpath("/usr/bin/python3", path), 100);

    struct sl_perfect_hash h;
    for (size_t i = 0; i < 100; i++)
        address[i] = 0x1000 + 32 * i;
    sl_perfect_hash_make(&h, address, 100, tab, NULL);
    uint64_t seed = 3, i = 0;
    while (i < 100000 && sl_perfect_hash_index(&h, sl_random_next(&seed)) < 128)
        i++;
    ok(i == 100000, "any other address has some index below N, too");

    refused("no functions", 0, "1 to");
    refused("more than there are indices", (size_t)SL_PERFECT_HASH_MAX + 1, "1 to");
    address[99] = address[3] + (UINT64_C(1) << 32);
    refused("two that agree in their low 32 bits", 100, "end in 00001060");
    return done_testing();
}
