/* SPDX-License-Identifier: MIT */
/* An entry of a profile as it is shown, by what its detector says of its two words (detector.h):
 * the one place that knows how words read, for text, pages and JSON alike. */
#ifndef SL_ENTRY_VIEW_H
#define SL_ENTRY_VIEW_H

#include "context_tree.h"
#include "path_view.h"
#include "saved_lines.h"

struct sl_entry_view {
    const struct sl_saved_profile *profile;
    uint64_t shown; /* entries that a reader gets, so that others are not referred to; 0: all */
    struct sl_path_view paths;       /* of paths, else empty */
    struct sl_context_tree contexts; /* likewise */
    struct sl_saved_lines lines;     /* where first words are code: what was inlined there */
};

/* SL_EFORMAT if the database is damaged, or SL_ENOMEM; to be closed all the same. */
int sl_entry_view_open(struct sl_entry_view *view, struct sl_database *database,
                       const struct sl_saved_profile *profile, struct sl_failure *f);
void sl_entry_view_close(struct sl_entry_view *view);

/* To be called for an entry before any of the functions below. */
int sl_entry_view_look(struct sl_entry_view *view, const struct sl_saved_entry *entry,
                       struct sl_failure *f);

/* Views of all profiles of a table that several share, each opened when it is first needed. */
struct sl_entry_views {
    struct sl_database *database;
    struct sl_entry_view *view; /* by profile; NULL: none yet */
};

/* Looks at an event of the profile with this id, or of `usual` if there is none. The view that
 * has is in `view`. */
int sl_entry_views_look(struct sl_entry_views *views, int64_t of,
                        const struct sl_saved_profile *usual, const struct sl_saved_entry *entry,
                        const struct sl_entry_view **view, struct sl_failure *f);
void sl_entry_views_close(struct sl_entry_views *views);

/* In a line of text: printable, to be freed; NULL where there is nothing to say. */
struct sl_entry_said {
    char *where;       /* "main+0x1c", "main+0x14..+0x30", "main+0x1c (is_prime)" if inlined */
    char *line;        /* "primes.c:12", "primes.c:12-15" */
    char *branches;    /* of a path: how many */
    char *second;      /* "0x2a (42)", "-> is_prime", "NT", "< main < _start" */
    char *second_line; /* of where it went */
};

/* False when memory ran out; to be freed all the same. */
bool sl_entry_say(const struct sl_entry_view *view, const struct sl_saved_entry *entry,
                  struct sl_entry_said *said);
void sl_entry_said_free(struct sl_entry_said *said);

/* All of it as one text, without lines: "main+0x1c -> is_prime". To be freed; NULL when memory
 * ran out. */
char *sl_entry_text(const struct sl_entry_view *view, const struct sl_saved_entry *entry);

/* Where it is: "main+0x1c", a machine's events, "(code without a symbol)". Likewise, and not
 * printable yet. */
char *sl_entry_symbol(const struct sl_saved_profile *profile, const struct sl_saved_entry *entry);

/* The same with what was inlined there, "main+0x1c (is_prime)", or of a context that is inlined
 * "is_prime [inlined]"; and its line, NULL if unknown. */
char *sl_entry_where(const struct sl_entry_view *view, const struct sl_saved_entry *entry);
char *sl_entry_line(const struct sl_entry_view *view, const struct sl_saved_entry *entry);

/* The function that was inlined at an address of code; NULL: none, or nothing is known of it. */
const char *sl_entry_inlined_at(const struct sl_entry_view *view, uint64_t address);

/* The inlined function that a context is; NULL: it is none. */
const struct sl_context_function *sl_entry_inlined(const struct sl_entry_view *view,
                                                   const struct sl_saved_entry *entry);

/* In columns behind those of the place: headings and texts, which are to be freed and may be
 * NULL. Returns how many there are. */
#define SL_ENTRY_CELLS 2
size_t sl_entry_headings(const struct sl_saved_profile *profile,
                         const char *heading[SL_ENTRY_CELLS]);
size_t sl_entry_cells(const struct sl_entry_view *view, const struct sl_saved_entry *entry,
                      char *cell[SL_ENTRY_CELLS]);

/* For programs: what is known, by name. Inside of a group from its beginning to its end. */
struct sl_fact {
    enum {
        SL_FACT_NONE,
        SL_FACT_HEX,
        SL_FACT_NUMBER,
        SL_FACT_SIGNED,
        SL_FACT_TRUTH,
        SL_FACT_TEXT,
        SL_FACT_HEXES,
        SL_FACT_TEXTS,
        SL_FACT_GROUP,
        SL_FACT_GROUP_END
    } is;
    uint64_t number;         /* hex, number, truth */
    const char *text;        /* NULL: none */
    const uint64_t *numbers; /* n of them, as are the texts */
    const char *const *texts;
    size_t n;
};

void sl_entry_facts(const struct sl_entry_view *view, const struct sl_saved_entry *entry,
                    void (*tell)(void *context, const char *name, const struct sl_fact *fact),
                    void *context);

/* The second word as a word of its own, without the code around it: "NT", "0x2a"; "" if there
 * is none. */
#define SL_ENTRY_WORD_ROOM 64
const char *sl_entry_word(const struct sl_word *word, uint64_t value,
                          char room[SL_ENTRY_WORD_ROOM]);

#endif
