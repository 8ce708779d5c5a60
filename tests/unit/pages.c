/* SPDX-License-Identifier: MIT */
/* Unit tests of large memory blocks: a new block is zeroed and aligned to huge pages, and a block
 * keeps its contents when it grows. */
#include "pages.h"

#include <stdbool.h>
#include <stdint.h>

#include "tap.h"

#define HUGE_PAGE ((size_t)2 << 20)
#define STEP 4096u

int main(void)
{
    size_t bytes = 3 * HUGE_PAGE / 2, more = 5 * HUGE_PAGE;
    bool zero = true, kept = true, added = true;
    unsigned char *block = sl_pages_new(bytes);
    ok(block && (uintptr_t)block % HUGE_PAGE == 0, "a block begins on a huge page boundary");
    if (!block)
        return done_testing();
    for (size_t i = 0; i < bytes; i += STEP) {
        zero &= !block[i];
        block[i] = (unsigned char)(i / STEP + 1);
    }
    ok(zero, "a new block is zero");
    unsigned char *grown = sl_pages_grow(block, bytes, more);
    ok(grown && (uintptr_t)grown % HUGE_PAGE == 0, "a block that has grown is aligned, too");
    if (!grown)
        return done_testing();
    for (size_t i = 0; i < bytes; i += STEP)
        kept &= grown[i] == (unsigned char)(i / STEP + 1);
    for (size_t i = bytes; i < bytes + more; i += STEP)
        added &= !grown[i];
    ok(kept, "growing keeps the contents");
    ok(added, "the added bytes are zero");
    ok(!sl_pages_grow(grown, bytes + more, SIZE_MAX / 4) && grown[STEP] == 2,
       "a block that cannot grow is unchanged");
    sl_pages_free(grown, HUGE_PAGE);
    ok(grown[HUGE_PAGE] == (unsigned char)(HUGE_PAGE / STEP + 1),
       "freeing the first pages leaves the others");
    sl_pages_free(grown + HUGE_PAGE, bytes + more - HUGE_PAGE);
    sl_pages_free(NULL, 0);
    return done_testing();
}
