/* SPDX-License-Identifier: MIT */
/* What the text, JSON and HTML reports share: a report being written, and functions that format
 * numbers, headings and warnings. */
#ifndef SL_FORMAT_H
#define SL_FORMAT_H

#include "delivery.h"
#include "db.h"
#include "utf8.h"

/* A report that is being written. */
struct sl_output {
    struct sl_database *database;
    const struct sl_report_config *config;
    size_t width; /* columns of a line of text */
    FILE *out;
    struct sl_failure *f;
};

/* Formats 1234567 as "1,234,567". */
#define SL_FORMAT_SIZE 32
const char *sl_format_number(uint64_t number, char buffer[SL_FORMAT_SIZE]);

/* The same, in a buffer that lasts until the end of the block. */
#define SL_NUMBER(number) sl_format_number(number, (char[SL_FORMAT_SIZE]){""})

/* Formats 591712345 as "591.7 M", and numbers below 10,000 in full. */
const char *sl_format_short(uint64_t number, char buffer[SL_FORMAT_SIZE]);
#define SL_SHORT(number) sl_format_short(number, (char[SL_FORMAT_SIZE]){""})

/* Formats a number of bits in bytes, with powers of 1024: "9 B", "2.0 KB", "1.5 MB". */
const char *sl_format_storage(uint64_t bits, char buffer[SL_FORMAT_SIZE]);

/* Formats a ratio as "36.3%", "0.65%", "102%", "<0.01%" if it is not 0; with `sign` as "-36.3%",
 * "+0.65%". NAN is "-". */
const char *sl_format_percent(double part, bool sign, char buffer[SL_FORMAT_SIZE]);

/* Formats picojoules as "512 pJ", "7.04 mJ". */
const char *sl_format_energy(uint64_t picojoules, char buffer[SL_FORMAT_SIZE]);

/* part / whole, and the same in percent; 0 if `whole` is 0. */
static inline double sl_ratio(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : 0;
}

static inline double sl_percent(uint64_t part, uint64_t whole)
{
    return whole ? 100 * (double)part / (double)whole : 0;
}

/* Formats the heading of a profile, for example "Functions by instructions". */
void sl_format_heading(const struct sl_db_profile *profile, char *out, size_t capacity);

/* The name of n entries of a profile: "function", "edges". */
const char *sl_format_entries(const struct sl_db_profile *profile, uint64_t n);

/* "messages" if the table sends messages, else "events": the things that status->drops counts. */
const char *sl_format_dropped(const struct sl_table_status *status);

/* The command line, with quotes where needed, printable. The caller frees it; NULL if out of
 * memory. */
char *sl_format_command(const struct sl_db_program *program);

/* Sets the message for lack of memory and returns SL_ENOMEM. */
int sl_report_no_memory(struct sl_failure *f);

/* Warnings about a run, which reports show before the results. */
struct sl_warnings {
    char **text;
    size_t n, capacity;
};

/* Adds a warning, as by printf(3). Returns false if out of memory. */
bool sl_warnings_add(struct sl_warnings *warnings, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Collects the warnings about a run. Returns 0 or an error of reading. Call sl_warnings_free() only
 * after success; zeroed warnings are allowed. */
int sl_warnings_collect(struct sl_warnings *warnings, struct sl_database *database,
                        struct sl_failure *f);
void sl_warnings_free(struct sl_warnings *warnings);

/* Denominator of the overhead of messages: cycles with a CPU model, else instructions. */
struct sl_overhead_whole sl_messages_whole(const struct sl_database *database);

#endif
