/* SPDX-License-Identifier: MIT */
/* Unit tests of the lookup of recent loads and stores by address in the out-of-order core
 * (sl_recent in out_of_order_state.h), compared with a simple list. An address is found if it is
 * among the last entries, and its latest entry is returned. */
#include "out_of_order_state.h"

#include "random.h"
#include "tap.h"

#define N 20000u

static uint64_t address[N], when[N];

int main(void)
{
    for (uint64_t capacity = 2; capacity <= 256; capacity *= 8) {
        struct sl_recent recent;
        void *memory = calloc(1, sl_recent_bytes(capacity));
        uint64_t seed = capacity, last = 0;
        unsigned wrong = 0, found = 0, missing = 0;
        sl_recent_init(&recent, capacity, memory);
        for (unsigned n = 0; n < N; n++) {
            uint64_t wanted = sl_random_below(&seed, 2 * capacity);
            const struct sl_recent_entry *e = sl_recent_find(&recent, wanted);
            unsigned i = n;
            while (i && n - i < capacity && address[i - 1] != wanted)
                i--;
            bool there = i && n - i < capacity;
            wrong += there ? !e || e->when[0] != i - 1 || e->when[1] != when[i - 1] : e != NULL;
            found += there;
            missing += !there;
            address[n] = sl_random_below(&seed, 2 * capacity);
            last = when[n] = sl_random_below(&seed, 1000);
            sl_recent_add(&recent, address[n], n, when[n]);
            wrong += sl_recent_slot(&recent, address[n])->last < last;
        }
        ok(!wrong && found && missing, "the last %llu entries are found, and no older ones",
           (unsigned long long)capacity);
        free(memory);
    }
    return done_testing();
}
