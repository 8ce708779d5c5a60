/* SPDX-License-Identifier: MIT */
/* Unit tests of the reader of the shared-memory ring. The test acts as the QEMU plugin: it writes
 * records and slots, and compares the output of the reader with them. Then it overwrites fields
 * that only the reader may write, or leaves incomplete data, as a killed thread does. */
#include "ring_reader.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../support/synthetic_stream.h"
#include "source.h"
#include "tap.h"

enum { BLOCKS = 20 };

struct test {
    struct sl_source source;
    struct sl_ring_reader reader;
    struct sl_ring *ring; /* the tap's mapping */
    struct made *made;
    uint32_t next_slot;
};

static void put_records(struct test *t, const uint8_t *data, size_t size)
{
    uint64_t at = atomic_load(&t->ring->records_written);
    for (size_t i = 0; i < size; i++)
        t->ring->records[(at + i) % SL_RING_RECORD_BYTES] = data[i];
    atomic_store(&t->ring->records_written, at + size);
}

static struct test *begin(unsigned needs)
{
    static const struct sl_source_ops ops;
    struct test *t = calloc(1, sizeof *t);
    struct sl_guest guest = {.size = sizeof guest, .needs = needs};
    struct sl_failure f;
    int fd = -1;
    t->source.ops = &ops;
    if (sl_ring_open(&t->reader, &t->source, &guest, &fd, &f) < 0)
        abort();
    t->ring = mmap(NULL, sizeof *t->ring, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    t->made = made_new(3, needs);
    made_program(t->made);
    made_blocks(t->made, BLOCKS);
    put_records(t, t->made->records, t->made->n_records);
    return t;
}

static void end(struct test *t)
{
    munmap(t->ring, sizeof *t->ring);
    made_free(t->made);
    sl_ring_close(&t->reader);
    sl_source_close(&t->source); /* frees `t` */
}

/* Publishes a slot of `n` blocks without data, numbered from `first` on. */
static void publish(struct test *t, uint32_t first, uint32_t n)
{
    uint32_t number = t->next_slot++ % SL_RING_SLOTS;
    struct sl_slot *slot = &t->ring->slot[number];
    for (uint32_t i = 0; i < n; i++)
        slot->word[i] = (first + i) % BLOCKS;
    slot->thread = first % 3;
    slot->flags = first == 0 ? SL_CHUNK_START : 0;
    atomic_store(&slot->n_words, n);
    atomic_store(&slot->n_data, 0);
    atomic_store(&slot->state, SL_SLOT_FULL);
    uint32_t at = atomic_fetch_add(&t->ring->published, 1);
    atomic_store(&t->ring->order[at % SL_RING_ORDER], number + 1);
}

static int look(struct test *t)
{
    struct sl_failure f;
    return sl_ring_next(&t->reader, &f);
}

/* The next chunk of what the reader has found. */
static bool is_chunk(struct test *t, uint32_t first, uint32_t n)
{
    struct sl_chunk chunk;
    struct sl_failure f;
    if (!sl_ring_more(&t->reader.words) ||
        sl_ring_decode(&t->reader.decoder, &t->reader.words, NULL, &chunk, &f) != 1)
        return false;
    bool same = chunk.n_blocks == n && chunk.thread == first % 3;
    for (uint32_t i = 0; i < chunk.n_blocks && same; i++)
        same = chunk.block[i] == (first + i) % BLOCKS;
    return same;
}

static void in_order(void)
{
    struct test *t = begin(0);
    bool right = true;
    uint32_t written = 0, read = 0;
    ok(look(t) == 0 && t->source.statics.n_blocks == BLOCKS,
       "records are applied although no slot is published");
    for (unsigned round = 0; round < 100; round++) {
        for (uint32_t i = 0; i < 1 + round % SL_RING_IN_FLIGHT; i++, written++)
            publish(t, written, 1 + written % 50);
        for (; read < written; read++)
            right &= look(t) == 1 && is_chunk(t, read, 1 + read % 50);
        right &= look(t) == 0 && atomic_load(&t->ring->consumed) == written;
    }
    ok(right, "slots are read in the order of publication, and given back");
    bool free_slots = true;
    for (uint32_t i = 0; i < SL_RING_SLOTS; i++)
        free_slots &= atomic_load(&t->ring->slot[i].state) != SL_SLOT_FULL;
    ok(free_slots, "all slots are free again");
    end(t);
}

/* Records go round the byte ring, whatever their sizes. */
static void many_records(void)
{
    struct test *t = begin(0);
    bool right = look(t) == 0;
    size_t reported = t->made->n_records;
    uint64_t all = reported;
    while (all < 3 * (uint64_t)SL_RING_RECORD_BYTES && right) {
        if (t->made->n_blocks == MADE_BLOCKS_MAX) {
            uint8_t object[8 + 24 + 200] = {24 + 200, 0, 0, 0, SL_RECORD_OBJECT};
            object[16] = 1; /* end: not 0 */
            memset(object + 8 + 24, 'x', 200);
            for (unsigned i = 0; i < 1000; i++)
                put_records(t, object, sizeof object);
            all += 1000 * sizeof object;
        } else {
            made_blocks(t->made, 1000);
            put_records(t, t->made->records + reported, t->made->n_records - reported);
            all += t->made->n_records - reported;
            reported = t->made->n_records;
        }
        right = look(t) == 0 && atomic_load(&t->ring->records_read) == all;
    }
    ok(right && t->source.statics.n_blocks == MADE_BLOCKS_MAX,
       "%llu MB of records pass through the ring", (unsigned long long)(all >> 20));
    end(t);
}

/* The guest overwrites something. */
static void overwritten(const char *what, void (*change)(struct test *t))
{
    struct test *t = begin(0);
    look(t);
    publish(t, 0, 5);
    change(t);
    int result = look(t);
    struct sl_chunk chunk;
    struct sl_failure f;
    if (result == 1)
        result = sl_ring_decode(&t->reader.decoder, &t->reader.words, NULL, &chunk, &f);
    if (result == 1)
        result = look(t);
    ok(result == SL_EFORMAT, "%s: it is noticed", what);
    end(t);
}

static void change_terms(struct test *t)
{
    t->ring->needs ^= 1;
}
static void change_consumed(struct test *t)
{
    atomic_fetch_add(&t->ring->consumed, 1);
}
static void change_published(struct test *t)
{
    atomic_fetch_add(&t->ring->published, SL_RING_ORDER + 1);
}
static void change_records_read(struct test *t)
{
    atomic_fetch_add(&t->ring->records_read, 1);
}
static void change_records_written(struct test *t)
{
    atomic_fetch_add(&t->ring->records_written, SL_RING_RECORD_BYTES + 1);
}
static void change_order(struct test *t)
{
    atomic_store(&t->ring->order[0], SL_RING_SLOTS + 1);
}
static void change_n_words(struct test *t)
{
    atomic_store(&t->ring->slot[0].n_words, SL_SLOT_WORDS + 1);
}
static void change_word(struct test *t)
{
    t->ring->slot[0].word[2] = BLOCKS;
}
static void change_record(struct test *t)
{
    uint8_t record[8] = {0xff, 0xff, 0xff, 0xff, SL_RECORD_BLOCK};
    put_records(t, record, sizeof record);
}

/* A thread that was killed leaves words in its slot and then in its stage. */
static void left_over(void)
{
    struct test *t = begin(0);
    struct sl_stage *stage = &t->ring->stage[2];
    look(t);
    publish(t, 0, 4);
    struct sl_slot *slot = &t->ring->slot[7];
    for (uint32_t i = 0; i < 6; i++)
        slot->word[i] = (1 + i) % BLOCKS;
    slot->thread = stage->thread = 1;
    stage->slot = 8;
    atomic_store(&slot->n_words, 6);
    atomic_store(&slot->state, SL_SLOT_FILLING);
    for (uint32_t i = 0; i < 3; i++)
        stage->word[i] = (4 + i) % BLOCKS;
    sl_stage_set(stage, 3, SL_STAGE_DATA, 0);
    stage->flags = 0;
    atomic_store(&stage->used, 1);
    ok(look(t) == 1 && is_chunk(t, 0, 4) && look(t) == 0,
       "while the guest runs, only published slots are read");
    sl_ring_guest_stopped(&t->reader);
    ok(look(t) == 1 && is_chunk(t, 1, 6), "after its end, the slot that was being filled");
    ok(look(t) == 1 && is_chunk(t, 4, 3), "then the thread's stage");
    ok(look(t) == 0, "and nothing more");
    end(t);
}

/* A place in the queue that a killed thread has left empty. */
static void empty_place(void)
{
    struct test *t = begin(0);
    look(t);
    atomic_fetch_add(&t->ring->published, 1);
    publish(t, 5, 3);
    ok(look(t) == 0, "an empty place in the queue holds up a running guest");
    sl_ring_guest_stopped(&t->reader);
    ok(look(t) == 1 && is_chunk(t, 5, 3), "after the guest's end it is passed over");
    end(t);
}

int main(void)
{
    in_order();
    many_records();
    overwritten("the terms", change_terms);
    overwritten("the number of consumed slots", change_consumed);
    overwritten("the number of published slots", change_published);
    overwritten("the reader's position in the records", change_records_read);
    overwritten("the tap's position in the records", change_records_written);
    overwritten("a slot's number", change_order);
    overwritten("a slot's size", change_n_words);
    overwritten("a block's number", change_word);
    overwritten("a record's length", change_record);
    left_over();
    empty_place();
    return done_testing();
}
