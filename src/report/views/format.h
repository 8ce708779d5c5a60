/* SPDX-License-Identifier: MIT */
/* Formatting common to text, JSON and page: numbers, headings, warnings. */
#ifndef SL_FORMAT_H
#define SL_FORMAT_H

#include "delivery.h"
#include "db.h"

/* 1234567 as "1,234,567". */
#define SL_WORDING_ROOM 32
const char *sl_format_number(uint64_t number, char capacity[SL_WORDING_ROOM]);

/* Bits as "9 B", "2.0 KB", "1.5 MB": bytes, in powers of 1024. */
const char *sl_format_storage(uint64_t bits, char capacity[SL_WORDING_ROOM]);

/* A ratio as "36.3%", "0.65%", "102%", "<0.01%" if it is not 0; with `sign` as "-36.3%", "+0.65%".
 * NAN is "-". */
const char *sl_format_percent(double part, bool sign, char capacity[SL_WORDING_ROOM]);

/* Picojoules as "512 pJ", "7.04 mJ". */
const char *sl_format_energy(uint64_t picojoules, char capacity[SL_WORDING_ROOM]);

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
void sl_format_heading(const struct sl_db_profile *profile, char *out, size_t capacity);

/* "function", "edges": name of n entries of a profile. */
const char *sl_format_entries(const struct sl_db_profile *profile, uint64_t n);

/* "messages" if the table sends messages, else "events": the things that status->drops counts. */
const char *sl_format_dropped(const struct sl_table_status *status);

/* The command line, with quotes where needed, printable. The caller frees it; NULL if out of
 * memory. */
char *sl_format_command(const struct sl_db_program *program);

/* Sets the message for lack of memory and returns SL_ENOMEM. */
int sl_report_no_memory(struct sl_failure *f);

/* Warnings that come before the results. */
struct sl_warnings {
    char **note;
    size_t n, capacity;
};

/* Adds a warning, as by printf(3). Returns false if out of memory. */
bool sl_notes_add(struct sl_warnings *notes, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Collects the warnings about a run. Returns 0 or an error of reading. Call sl_notes_free() only
 * after success; zeroed notes are allowed. */
int sl_notes_collect(struct sl_warnings *notes, struct sl_database *database, struct sl_failure *f);
void sl_notes_free(struct sl_warnings *notes);

/* Denominator of the overhead of messages: cycles with a CPU model, else instructions. */
struct sl_overhead_whole sl_messages_whole(const struct sl_database *database);

#endif
