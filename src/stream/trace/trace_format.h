/* SPDX-License-Identifier: MIT */
/* Fixed-size parts of a trace file: header, frame heads, index entries, trailer.
 * docs/trace-format.md uses the same names. */
#ifndef SL_TRACE_FORMAT_H
#define SL_TRACE_FORMAT_H

#include <endian.h>
#include <string.h>

#include "sluice.h"

#define SL_TRACE_MAGIC "\x89SLT\r\n\x1a\n"
#define SL_TRACE_END_MAGIC "SLT-end\n"
#define SL_TRACE_VERSION 2u
#define SL_TRACE_FRAME_MAGIC UINT32_C(0x534c5446)

#define SL_TRACE_HEADER_SIZE 32u
#define SL_TRACE_HEAD_SIZE 56u
#define SL_TRACE_TRAILER_SIZE 32u
#define SL_TRACE_ENTRY_SIZE 32u

#define SL_TRACE_FRAME_CHUNKS (UINT32_C(1) << 16)
#define SL_TRACE_FRAME_EVENTS (UINT32_C(1) << 20)
#define SL_TRACE_RECORDS_MAX (UINT32_C(2) << 20)
#define SL_TRACE_EVENTS_MAX (UINT32_C(32) << 20)
#define SL_TRACE_INDEX_MAX (UINT32_C(64) << 20)

#define SL_TRACE_NEEDS ((unsigned)(SL_NEED_VALUES | SL_NEED_ADDRESSES | SL_NEED_STORES))

enum sl_trace_kind { SL_TRACE_RECORDS = 1, SL_TRACE_EVENTS = 2, SL_TRACE_INDEX = 3 };

struct sl_trace_head {
    uint32_t kind, number, stored_size, raw_size, items, blocks, mems;
    uint64_t instructions, checksum;
};

static inline bool sl_trace_has_values(unsigned needs)
{
    return needs & SL_NEED_VALUES;
}

static inline bool sl_trace_has_addresses(unsigned needs)
{
    return needs & (SL_NEED_ADDRESSES | SL_NEED_STORES);
}

static inline uint32_t sl_trace_stored_max(uint32_t raw_size)
{
    return raw_size + raw_size / 128 + 1024;
}

static inline void sl_put32(uint8_t *at, uint32_t value)
{
    value = htole32(value);
    memcpy(at, &value, sizeof value);
}

static inline void sl_put64(uint8_t *at, uint64_t value)
{
    value = htole64(value);
    memcpy(at, &value, sizeof value);
}

static inline uint32_t sl_get32(const uint8_t *at)
{
    uint32_t value;
    memcpy(&value, at, sizeof value);
    return le32toh(value);
}

static inline uint64_t sl_get64(const uint8_t *at)
{
    uint64_t value;
    memcpy(&value, at, sizeof value);
    return le64toh(value);
}

/* Write and read a frame's head with its checksum. sl_trace_get_head() returns false if the
 * checksum or the magic number is wrong. */
void sl_trace_put_head(uint8_t out[SL_TRACE_HEAD_SIZE], const struct sl_trace_head *head);
bool sl_trace_get_head(const uint8_t in[SL_TRACE_HEAD_SIZE], struct sl_trace_head *head);

/* Returns NULL if the head is within the format's limits, else what is wrong. */
const char *sl_trace_check_head(const struct sl_trace_head *head);

/* Writes the index entry of the frame whose head is at `offset` in the file. */
void sl_trace_put_entry(uint8_t out[SL_TRACE_ENTRY_SIZE], uint64_t offset,
                        const struct sl_trace_head *head);

#endif
