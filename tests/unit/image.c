/* SPDX-License-Identifier: MIT */
/* Unit tests of images, the ELF files that a program has mapped (image.h). The test program reads
 * its own file as an image. The functions, source lines and inlined calls found there must be those
 * of this source file. */
#include "image.h"

#include <link.h>
#include <string.h>
#include <unistd.h>

#include "tap.h"

static volatile int sink;

enum { INNER_LINE = __LINE__ + 1 };
__attribute__((always_inline)) static inline void inner(int i)
{
    sink += i;
    sink ^= 3 * i;
}

enum { MIDDLE_LINE = __LINE__ + 1, INNER_CALL = MIDDLE_LINE + 3 };
__attribute__((always_inline)) static inline void middle(int i)
{
    sink -= i;
    inner(i + sink);
    sink *= 3;
}

enum { OUTER_LINE = __LINE__ + 1, MIDDLE_CALL = OUTER_LINE + 3 };
__attribute__((noinline)) static void outer(void)
{
    for (int i = 0; i < 100; i++) {
        middle(i);
        sink++;
    }
}
enum { END_LINE = __LINE__ - 1 };

/* The address at which the program itself is loaded. */
static int find_base(struct dl_phdr_info *info, size_t size, void *base)
{
    (void)size;
    *(uint64_t *)base = info->dlpi_addr;
    return 1; /* the program is the first object */
}

static struct sl_elf_reader reader;
static struct sl_image *image;
static struct sl_function *function;

static void test_function(uint64_t address)
{
    struct sl_function_table *table = sl_image_functions(image);
    size_t capacity = 1000;
    function = table ? sl_function_at(table, address) : NULL;
    if (!ok(function && !strcmp(sl_function_name(function, &capacity), "outer") &&
                function->start == address && function->end > address + 8,
            "a function has its name and its range"))
        return;
    bool same = true;
    for (uint64_t at = function->start; at < function->end; at++)
        same &= sl_function_at(table, at) == function;
    ok(same && sl_function_at(table, function->end) != function &&
           sl_function_at(table, function->start - 1) != function,
       "each address of the range belongs to it, and no other address does");
    ok(!sl_image_stripped(image), "a file with a symbol table is not stripped");
}

static void test_lines(void)
{
    bool seen[END_LINE + 1] = {false}, right = true;
    for (uint64_t at = function->start; at < function->end; at++) {
        int line = 0;
        const char *file = sl_image_line(image, at, &line);
        if (!file)
            continue;
        right &= strstr(file, "tests/unit/image.c") && line >= INNER_LINE && line <= END_LINE;
        if (line >= 0 && line <= END_LINE)
            seen[line] = true;
    }
    int line = 0;
    const char *file = sl_image_line(image, function->start, &line);
    ok(file && line >= OUTER_LINE && line <= END_LINE,
       "the first instruction has a line of the function: %d", line);
    ok(right, "all lines are lines of the function and of what is inlined in it");
    ok(seen[INNER_LINE + 2] && seen[MIDDLE_LINE + 2] && seen[MIDDLE_CALL + 1],
       "each of them has instructions");
    ok(!sl_image_line(image, 0, &line), "an address without code has no line");
}

static void test_inlined(void)
{
    unsigned outermost = 0, nested = 0, none = 0, wrong = 0, differ = 0;
    uint64_t first[2] = {0, 0}, start[4];
    for (uint64_t at = function->start; at < function->end; at++) {
        uint32_t index = sl_image_inlined(image, at);
        size_t n = sl_image_inlined_starts(image, at, start, 4);
        if (index == SL_NO_INDEX) {
            none++;
            wrong += n != 0;
            continue;
        }
        struct sl_inlined frame = *sl_image_frame(image, index);
        if (frame.parent == SL_NO_INDEX) {
            outermost++;
            wrong += n != 1 || strcmp(frame.name, "middle") || frame.line != MIDDLE_LINE ||
                     frame.call_line != MIDDLE_CALL;
        } else {
            nested++;
            wrong += n != 2 || strcmp(frame.name, "inner") || frame.line != INNER_LINE ||
                     frame.call_line != INNER_CALL ||
                     strcmp(sl_image_frame(image, frame.parent)->name, "middle");
        }
        for (size_t i = 0; i < n && i < 2; i++) {
            first[i] = first[i] ? first[i] : start[i];
            differ += start[i] != first[i] || start[i] < function->start ||
                      start[i] >= function->end;
        }
    }
    ok(none && outermost && nested, "code of the function, and of both inlined calls (%u, %u, %u)",
       none, outermost, nested);
    ok(!wrong, "an inlined call has its name, its line, its call and the call around it");
    ok(!differ, "the start of an inlined call is the same for each of its addresses");
    ok(sl_image_inlined_starts(image, first[1], start, 1) == 1 && start[0] == first[0],
       "a limit on the number of calls leaves out the innermost");
}

static void test_no_elf(void)
{
    struct sl_image *other = sl_image_open(&reader, "/nonexistent");
    int line;
    ok(other && !sl_image_functions(other) && !sl_image_line(other, 0x1000, &line) &&
           sl_image_inlined(other, 0x1000) == SL_NO_INDEX && !other->n_segments,
       "a file that cannot be opened is an empty image");
    sl_image_close(other);
}

int main(void)
{
    char path[4096];
    uint64_t base = 0;
    size_t capacity = 1 << 20;
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    path[n > 0 ? n : 0] = '\0';
    outer();
    dl_iterate_phdr(find_base, &base);
    image = sl_image_open(&reader, path);
    if (!image)
        return 1;
    image->names_capacity = &capacity;
    test_function((uintptr_t)outer - base);
    if (function) {
        test_lines();
        test_inlined();
    }
    sl_image_close(image);
    test_no_elf();
    sl_elf_reader_free(&reader);
    return done_testing();
}
