/* SPDX-License-Identifier: MIT */
/* Test helper that makes a small but hostile SQLite file whose table seems to have an enormous
 * number of rows: all child pointers of a page in the table's B-tree refer to the same page.
 *
 *     root      1 1 1 1 1 ...      each 1 is the same page, and so on; the lowest is a page of rows
 *
 * SQLite reads it like any other tree; only its integrity check detects it. */
#ifndef SL_TESTS_REPEATED_PAGE_H
#define SL_TESTS_REPEATED_PAGE_H

#include <stdint.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REPEATED_CHILDREN 400u

static inline void put_big_endian(uint8_t *at, uint32_t value, unsigned n_bytes)
{
    for (unsigned i = 0; i < n_bytes; i++)
        at[i] = (uint8_t)(value >> 8 * (n_bytes - 1 - i));
}

/* A page of 4 KiB above `child`, which it has REPEATED_CHILDREN times. */
static inline void repeating_page(uint8_t *page, uint32_t child)
{
    memset(page, 0, 4096);
    page[0] = 5; /* inside of a table's tree */
    put_big_endian(page + 3, REPEATED_CHILDREN, 2);
    put_big_endian(page + 5, 4096 - 6 * REPEATED_CHILDREN, 2);
    put_big_endian(page + 8, child, 4);
    for (unsigned i = 0; i < REPEATED_CHILDREN; i++) {
        unsigned at = 4096 - 6 * (i + 1);
        put_big_endian(page + 12 + 2 * i, at, 2);
        put_big_endian(page + at, child, 4);
        page[at + 4] = (uint8_t)(0x80 | i >> 7); /* the row's number, as it grows */
        page[at + 5] = i & 0x7f;
    }
}

/* The file with `levels` levels above the table's rows, in new memory; pages have 4 KiB. */
static inline uint8_t *with_repeated_pages(const uint8_t *file, size_t *size, uint32_t root,
                                           unsigned levels)
{
    uint32_t n = (uint32_t)(*size / 4096), child = n + 1;
    uint8_t *out = malloc(*size + levels * 4096);
    memcpy(out, file, *size);
    memcpy(out + *size, file + (root - 1) * 4096, 4096);
    for (unsigned i = 1; i < levels; i++, child++)
        repeating_page(out + *size + i * 4096, child);
    repeating_page(out + (root - 1) * 4096, child);
    put_big_endian(out + 28, n + levels, 4);
    *size += levels * 4096;
    return out;
}

static inline uint32_t root_of(const char *path, const char *table)
{
    sqlite3 *sql;
    sqlite3_stmt *row;
    uint32_t root = 0;
    if (!sqlite3_open(path, &sql) &&
        !sqlite3_prepare_v2(sql, "SELECT rootpage FROM sqlite_schema WHERE name = ?", -1, &row,
                            NULL)) {
        sqlite3_bind_text(row, 1, table, -1, SQLITE_STATIC);
        if (sqlite3_step(row) == SQLITE_ROW)
            root = (uint32_t)sqlite3_column_int(row, 0);
        sqlite3_finalize(row);
    }
    sqlite3_close(sql);
    return root;
}

/* Copies the database at `path` to `to`, with pages of the table repeated. */
static inline void repeat_pages(const char *path, const char *to, const char *table)
{
    FILE *file = fopen(path, "rb");
    static uint8_t bytes[1 << 20];
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    uint8_t *repeated = with_repeated_pages(bytes, &size, root_of(path, table), 4);
    file = fopen(to, "wb");
    fwrite(repeated, 1, size, file);
    fclose(file);
    free(repeated);
}

#endif
