/* SPDX-License-Identifier: MIT */
/* Formatter of profile entries for the text, HTML and JSON reports. The types of a tuple's two
 * fields (detector.h) determine the format. Only entry_view.c and field_forms.c format fields. */
#ifndef SL_ENTRY_VIEW_H
#define SL_ENTRY_VIEW_H

#include <jansson.h>

#include "context_tree.h"
#include "path_view.h"

struct sl_entry_view {
    const struct sl_db_profile *profile;
    const struct sl_db_entry *entry; /* the one last looked at; the functions below format it */
    uint64_t shown; /* number of entries in the report, which entries may refer to; 0: all */
    struct sl_path_view paths;       /* for paths; otherwise empty */
    struct sl_context_tree contexts; /* for contexts; otherwise empty */
    struct sl_db_lines lines;        /* if first fields are code: functions inlined there */
};

/* Returns 0, SL_EFORMAT if the database is damaged, or SL_ENOMEM. Call sl_entry_view_close() in
 * either case. */
int sl_entry_view_open(struct sl_entry_view *view, struct sl_database *database,
                       const struct sl_db_profile *profile, struct sl_failure *f);
void sl_entry_view_close(struct sl_entry_view *view);

/* Sets view->entry, which must stay valid while the functions below format it. Returns 0 or an
 * error of reading. */
int sl_entry_view_look(struct sl_entry_view *view, const struct sl_db_entry *entry,
                       struct sl_failure *f);

/* Views of all profiles that share a table, each opened when it is first needed. */
struct sl_entry_views {
    struct sl_database *database;
    struct sl_entry_view *view; /* by profile; NULL: none opened yet */
};

/* Looks at an entry of the profile with the id `of`, or of `default_profile` if there is no such
 * profile. Sets *view to the view of that profile. Returns 0 or an error of reading. */
int sl_entry_views_look(struct sl_entry_views *views, int64_t of,
                        const struct sl_db_profile *default_profile,
                        const struct sl_db_entry *entry, const struct sl_entry_view **view,
                        struct sl_failure *f);
void sl_entry_views_close(struct sl_entry_views *views);

/* An entry as printable texts; a text is NULL if it does not apply. */
struct sl_entry_strings {
    char *where;       /* "main+0x1c", "main+0x14..+0x30", "main+0x1c (is_prime)" if inlined */
    char *line;        /* "primes.c:12", "primes.c:12-15" */
    char *branches;    /* number of branches of a path */
    char *second;      /* "0x2a (42)", "-> is_prime", "NT", "< main < _start" */
    char *second_line; /* line of the target */
};

/* Returns false if out of memory. Call sl_entry_strings_free() in either case. */
bool sl_entry_format(const struct sl_entry_view *view, struct sl_entry_strings *strings);
void sl_entry_strings_free(struct sl_entry_strings *strings);

/* An entry as one text, without lines: "main+0x1c -> is_prime". The caller frees it; NULL if out
 * of memory. */
char *sl_entry_text(const struct sl_entry_view *view);

/* The first field: "main+0x1c", events of a CPU model, "(code without a symbol)". Not yet
 * printable. The caller frees it; NULL if out of memory. */
char *sl_entry_symbol(const struct sl_db_profile *profile, const struct sl_db_entry *entry);

/* The first field with the function inlined there, "main+0x1c (is_prime)", or for an inlined
 * context "is_prime [inlined]"; and its line, NULL if unknown. The caller frees them. */
char *sl_entry_where(const struct sl_entry_view *view);
char *sl_entry_line(const struct sl_entry_view *view);

/* The function inlined at an address of code; NULL if there is none. */
const char *sl_entry_inlined_at(const struct sl_entry_view *view, uint64_t address);

/* Columns of the second field: headings, and texts, which the caller frees and which may be NULL.
 * Both return the number of columns. */
#define SL_ENTRY_CELLS 2
size_t sl_entry_headings(const struct sl_db_profile *profile, const char *heading[SL_ENTRY_CELLS]);
size_t sl_entry_cells(const struct sl_entry_view *view, char *cell[SL_ENTRY_CELLS]);

/* Sets the keys of the entry in JSON reports, as sl_json_set() does. */
void sl_entry_set_json(const struct sl_entry_view *view, json_t **object);

/* Formats a second field alone, without names of code: "NT", "0x2a"; "" if there is none. */
#define SL_ENTRY_FIELD_SIZE 64
const char *sl_entry_field(const struct sl_field *field, uint64_t value,
                           char buffer[SL_ENTRY_FIELD_SIZE]);

struct sl_live_view {
    struct sl_db_profile profile;
    struct sl_entry_view view;
    struct sl_db_entry entry;
};

/* Makes a view of a heavy hitter of a running program, without facts that only a database has:
 * blocks of a path, callers of a context. Nothing is to be freed. `view` must not be moved. */
void sl_live_view_look(struct sl_live_view *view, const struct sl_live_candidate *candidate);

/* ---- second fields (field_forms.c) ---- */

/* Formats of the second field of a tuple, one row per field type (enum sl_field_type). */

/* How a field type is formatted; NULL members add nothing. The view must have looked at the
 * entry. */
struct sl_field_format {
    const char *more; /* heading of the second column; NULL: one column */
    void (*strings)(const struct sl_entry_view *view, struct sl_entry_strings *strings);
    void (*cells)(const struct sl_entry_view *view, char *cell[SL_ENTRY_CELLS]);
    /* Sets keys of `object`; `name` is the field's name. */
    void (*json)(const struct sl_entry_view *view, const char *name, json_t **object);
    void (*text)(uint64_t value,
                 char buffer[SL_ENTRY_FIELD_SIZE]); /* the field alone; NULL: hexadecimal */
};

extern const struct sl_field_format sl_field_formats[SL_FIELD_TYPES];

#endif
