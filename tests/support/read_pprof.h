/* SPDX-License-Identifier: MIT */
/* Test helper that converts a pprof profile, which is a protocol buffer, to text. In the text,
 * each field has its number, for example 6 "text" for a string and 1 { 2:3 } for a nested message.
 * The encoding does not show which fields are messages, so this file lists them. */
#ifndef SL_TESTS_READ_PPROF_H
#define SL_TESTS_READ_PPROF_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

/* Unpacks; returns the number of bytes, -1 if it is no gzip. */
static inline long pprof_unpack(const void *packed, size_t n, uint8_t *out, size_t capacity)
{
    z_stream z = {.next_in = (Bytef *)(uintptr_t)packed,
                  .avail_in = (uInt)n,
                  .next_out = out,
                  .avail_out = (uInt)capacity};
    if (inflateInit2(&z, 15 + 16) != Z_OK)
        return -1;
    int rc = inflate(&z, Z_FINISH);
    long size = (long)z.total_out;
    inflateEnd(&z);
    return rc == Z_STREAM_END && !z.avail_in ? size : -1;
}

static inline uint64_t pprof_varint(const uint8_t **at, const uint8_t *end)
{
    uint64_t number = 0;
    for (unsigned shift = 0; *at < end; shift += 7) {
        uint8_t byte = *(*at)++;
        number |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            break;
    }
    return number;
}

/* Prints the fields in a row; false if they do not come out even. `inside` is 0, or the
 * fields that this message is in: 44 is field 4 of a field 4. */
static inline bool pprof_print(const uint8_t *at, const uint8_t *end, unsigned inside, FILE *out)
{
    while (at < end) {
        uint64_t key = pprof_varint(&at, end);
        unsigned here = 10 * inside + (unsigned)(key >> 3);
        fprintf(out, "%s%" PRIu64, inside ? " " : "", key >> 3);
        if ((key & 7) == 0) {
            fprintf(out, ":%" PRIu64, pprof_varint(&at, end));
        } else {
            uint64_t n = pprof_varint(&at, end);
            if ((key & 7) != 2 || n > (uint64_t)(end - at))
                return false;
            const uint8_t *inner = at;
            at += n;
            if (here == 22) {
                while (inner < at)
                    fprintf(out, ":%" PRIu64, pprof_varint(&inner, at));
            } else if ((here >= 1 && here <= 5) || here == 44) {
                fputs(" {", out);
                if (!pprof_print(inner, at, here, out))
                    return false;
                fputs(" }", out);
            } else {
                fprintf(out, " \"%.*s\"", (int)n, (const char *)inner);
            }
        }
        if (!inside)
            putc('\n', out);
    }
    return at == end;
}

#endif
