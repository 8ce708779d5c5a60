/* SPDX-License-Identifier: MIT */
/* What a killed thread has left in its slot: it may have died between any two stores of its last
 * block (ring.h, struct sl_stage). */
#include "ring_blocks.h"

/* How many words of data the block has, of `left` at `data`; UINT32_MAX if that makes no sense. */
static uint32_t length_of(const struct sl_ring_decoder *r, uint32_t word, const uint32_t *data,
                          size_t left)
{
    const struct sl_implied *list = sl_ring_list(r, word & SL_WORD_NAME);
    uint64_t length = UINT32_MAX;
    if (!(word & SL_WORD_OPEN) && list)
        length = sl_word_length(word) ? list->words : 0;
    else if (word & SL_WORD_OPEN && left)
        length = 1 + (data[0] & SL_WORD_CUT
                          ? data[0] & ~SL_WORD_CUT
                          : (uint64_t)data[0] * sl_event_words(r->statics->program.wants));
    return length <= left ? (uint32_t)length : UINT32_MAX;
}

/* Makes a block one without events, whose data it has none of yet, or may not have. */
static void without_events(uint32_t *word, uint32_t *data)
{
    data[0] = *word & SL_WORD_OPEN ? 0 : SL_WORD_CUT;
    *word |= SL_WORD_OPEN;
}

/* Of an open block whose events were counted before their place was taken, those that are there. */
static uint32_t recount(const struct sl_ring_decoder *r, uint32_t *data, uint32_t left)
{
    uint32_t size = sl_event_words(r->statics->program.wants);
    data[0] = (left - 1) / size;
    return 1 + data[0] * size;
}

void sl_ring_unfinished(const struct sl_ring_decoder *r, struct sl_ring_words *in, uint32_t *word,
                        uint32_t *data, bool running)
{
    uint32_t n = (uint32_t)(in->end - word), n_data = (uint32_t)(in->data_end - data), at = 0,
             length = 0;
    if (!r->statics->program.wants || !n)
        return;
    for (uint32_t i = 0; i < n; i++, at += length) {
        length = length_of(r, word[i], data + at, n_data - at);
        if (length == UINT32_MAX && i < n - 1)
            return; /* what makes no sense is for sl_ring_decode to say */
        if (length == UINT32_MAX)
            break;
    }
    uint32_t *last = &word[n - 1];
    if (length == UINT32_MAX && *last & SL_WORD_OPEN && at < n_data && !(data[at] & SL_WORD_CUT)) {
        at += recount(r, data + at, n_data - at);
    } else if (length == UINT32_MAX) {
        without_events(last, data + at);
        at++;
    } else if (running && length && *last != (SL_WORD_CONTINUED | SL_WORD_OPEN)) {
        at -= length;
        without_events(last, data + at);
        at++;
    }
    in->data_end = data + at;
}
