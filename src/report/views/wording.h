/* SPDX-License-Identifier: MIT */
/* What reports say in words, in text and JSON alike. */
#ifndef SL_WORDING_H
#define SL_WORDING_H

#include "overhead.h"
#include "saved.h"

/* 1234567 as "1,234,567". */
#define SL_WORDING_ROOM 32
const char *sl_wording_number(uint64_t number, char room[SL_WORDING_ROOM]);

/* Bits as "9 B", "2.0 KB", "1.5 MB": bytes, and powers of 1024 of them. */
const char *sl_wording_storage(uint64_t bits, char room[SL_WORDING_ROOM]);

/* A part of 1 as "36.3%", "0.65%", "102%", "<0.01%" but for 0; with its sign, if that is wanted,
 * as "-36.3%", "+0.65%". NAN is "-". */
const char *sl_wording_percent(double part, bool sign, char room[SL_WORDING_ROOM]);

/* Picojoules as "512 pJ", "7.04 mJ". */
const char *sl_wording_energy(uint64_t picojoules, char room[SL_WORDING_ROOM]);

/* part / whole, and the same in percent; 0 if `whole` is 0. */
static inline double sl_ratio(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : 0;
}

static inline double sl_percent(uint64_t part, uint64_t whole)
{
    return whole ? 100 * (double)part / (double)whole : 0;
}

/* The last part of a path, "primes.c" of "/src/primes.c"; NULL for NULL. */
const char *sl_file_name(const char *path);

/* "Functions by instructions". */
void sl_wording_heading(const struct sl_saved_profile *profile, char *out, size_t room);

/* "function", "edges": what n of a profile's entries are. */
const char *sl_wording_entries(const struct sl_saved_profile *profile, uint64_t n);

/* "messages", "events": what a table drops; of a compressor it is the software that does. */
const char *sl_wording_dropped(const struct sl_table_status *status);

/* The command, as it could be typed; to be freed, NULL when memory ran out. */
char *sl_wording_command(const struct sl_saved_program *program);

/* "there is not enough memory for the report" */
int sl_report_no_memory(struct sl_failure *f);

/* What the reader has to know before the figures: sentences. */
struct sl_notes {
    char **note;
    size_t n, room;
};

/* Adds one, as by printf(3); false when memory ran out. */
bool sl_notes_add(struct sl_notes *notes, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Those about a run; to be freed, not after an error. */
int sl_notes_collect(struct sl_notes *notes, struct sl_database *database, struct sl_failure *f);
void sl_notes_free(struct sl_notes *notes);

/* What the overhead of messages is a share of. */
struct sl_overhead_whole sl_messages_whole(const struct sl_database *database);

#endif
