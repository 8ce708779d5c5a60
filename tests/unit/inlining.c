/* SPDX-License-Identifier: MIT */
/* Unit tests of source lines and inlined calls in debug information (debug_info.h). The test looks
 * up addresses of its own functions, whose lines and calls are known. */
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "symbol.h"
#include "tap.h"

static volatile int sink;

static void *address_here(void) __attribute__((noinline));
static void *address_here(void)
{
    return __builtin_return_address(0);
}

static void *inside;
static int leaf_line, leaf_call, middle_call;

__attribute__((always_inline)) static inline void leaf(void)
{
    leaf_line = __LINE__ + 1;
    inside = address_here();
    sink += 3;
}

__attribute__((always_inline)) static inline void middle(void)
{
    sink += 5;
    leaf_call = __LINE__ + 1;
    leaf();
    sink *= 7;
}

__attribute__((noinline)) static void outer(void)
{
    sink += 11;
    middle_call = __LINE__ + 1;
    middle();
    sink *= 13;
}

static char file[4096];
static struct sl_object objects[256];
static struct sl_statics statics = {.object = objects};

static void map_self(void)
{
    char line[4096], path[4096];
    uint64_t start, end, offset;
    FILE *maps = fopen("/proc/self/maps", "r");
    ssize_t n = readlink("/proc/self/exe", file, sizeof file - 1);
    file[n > 0 ? n : 0] = '\0';
    while (maps && fgets(line, sizeof line, maps) && statics.n_objects < 256)
        if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64 " %*s %*s %4095[^\n]", &start, &end,
                   &offset, path) == 4 &&
            !strcmp(path, file))
            objects[statics.n_objects++] = (struct sl_object){start, end, offset, file};
    if (maps)
        fclose(maps);
}

static void lines(struct sl_symbols *symbols, uint64_t at)
{
    struct sl_db_location place;
    sl_symbols_place(symbols, at, &place);
    ok(place.function && !strcmp(place.function, "outer"),
       "inlined code belongs to the symbol that contains it");
    ok(place.file && strstr(place.file, "inlining.c") && place.line == leaf_line,
       "an address has its source line: %d, expected %d", place.line, leaf_line);
    sl_symbols_place(symbols, 16, &place);
    ok(!place.file && !place.line && !place.function, "an address in no object has none");
}

static void calls(struct sl_symbols *symbols, uint64_t at)
{
    uint64_t outside, parent, none, id = sl_symbols_inlined(symbols, at);
    if (!ok(id != 0, "the address is in an inlined call"))
        return;
    struct sl_inlined innermost = sl_symbols_frame(symbols, id, &parent);
    ok(!strcmp(innermost.name, "leaf") && innermost.call_line == leaf_call,
       "the innermost call comes first, with the line of the call: %s, %d", innermost.name,
       innermost.call_line);
    if (!ok(parent != 0, "it is in another inlined call"))
        return;
    struct sl_inlined around = sl_symbols_frame(symbols, parent, &none);
    ok(!strcmp(around.name, "middle") && around.call_line == middle_call && !none,
       "which is the outermost one: %s, %d", around.name, around.call_line);
    uint64_t start[4], other[4];
    size_t n = sl_symbols_inlined_starts(symbols, at, start, 4);
    ok(n == 2 && start[0] <= start[1] && start[1] <= at,
       "both have a start, the outermost comes first");
    ok(sl_symbols_inlined_starts(symbols, start[1], other, 4) == 2 && other[0] == start[0] &&
           other[1] == start[1],
       "the start is the same for every address of the call");
    ok(sl_symbols_inlined_starts(symbols, at, other, 1) == 1 && other[0] == start[0],
       "fewer are returned if there is space for fewer");
    outside = (uint64_t)(uintptr_t)address_here;
    ok(!sl_symbols_inlined(symbols, outside), "a function that is not inlined has no such call");
}

int main(void)
{
    outer();
    map_self();
    struct sl_symbols *symbols = sl_symbols_open(&statics);
    uint64_t at = (uint64_t)(uintptr_t)inside - 1; /* in the call instruction */
    lines(symbols, at);
    calls(symbols, at);
    sl_symbols_close(symbols);
    return done_testing();
}
