/* The lab's inside: for the files lab*.c only. */
#ifndef LAB_INSIDE_H
#define LAB_INSIDE_H

#include <sqlite3.h>

#include "lab.h"

struct lab_step {
    struct lab *lab;
    const struct experiment *experiment;
    struct lab_program *program; /* NULL: none */
    char *name, *machine, *argument;
    char *stream; /* made up; NULL: the program's trace */
    uint64_t every, window;
    struct lab_labelled {
        char *label, *spec;
    } *profile;
    size_t n_profiles, room_profiles;
    lab_perform *perform;
    char *key;                /* all that decides its figures */
    char *trace, *scratch;    /* while it is performed */
    char *failure;            /* NULL, or why it failed */
    bool done;
};

struct lab {
    const struct lab_config *config;
    char *directory; /* absolute */
    char *database;  /* path of lab.db */
    char *script;    /* of the programs */
    char *sluice;    /* the program that records, beside this one */
    sqlite3 *store;
    struct lab_program *program;
    size_t n_programs, room_programs;
    const struct experiment **chosen;
    size_t n_chosen;
    struct lab_step **step; /* all that is planned */
    size_t n_steps, room_steps;
    const struct experiment *planning;
    bool out_of_memory;
    double started, spent; /* seconds of steps that were done in this run */
    size_t n_done, n_todo;
};

/* lab_program.c */
int lab_programs_read(struct lab *lab, struct sl_failure *f);
void lab_programs_free(struct lab *lab);
const char *lab_kind_name(enum lab_kind kind); /* "real" */
/* Path, to be freed, of the program's trace. */
char *lab_trace_path(const struct lab *lab, const struct lab_program *program);
/* A perform of its own: records the program. And whether that was done: key and trace have
 * to be there. */
lab_perform lab_record;
bool lab_is_recorded(sqlite3 *store, const struct lab_step *recording);

/* lab_plan.c */
int lab_plan_all(struct lab *lab, struct sl_failure *f);
struct lab_step *lab_recording(struct lab *lab, struct lab_program *program);
void lab_step_free(struct lab_step *step);

/* lab_store.c: the database. All that is saved of a step is saved at once. */
int lab_store_open(sqlite3 **store, const char *path, struct sl_failure *f);
int lab_store_programs(struct lab *lab, struct sl_failure *f);
/* Whether the step was done, exactly as it is now. */
bool lab_store_has(sqlite3 *store, const struct lab_step *step);
/* Fails if it has figures of another size, which would be lost or mixed up with these. */
int lab_store_size(struct lab *lab, struct sl_failure *f);
/* Forgets steps of the chosen experiments that are not planned any more; but not those of
 * programs that were not asked for, or are not there now. */
int lab_store_tidy(struct lab *lab, struct sl_failure *f);
int lab_store_step(sqlite3 *store, const struct lab_step *step,
                      const struct lab_results *results, double seconds, struct sl_failure *f);

struct lab_results {
    struct lab_one {
        char *label, *measure, *item; /* item NULL: by x */
        double x, value;
    } *figure;
    size_t n, room;
    bool out_of_memory;
};
void lab_results_free(struct lab_results *results);

/* lab_crew.c: performs steps in processes of their own. Those that fail say so in
 * themselves; negative only if nothing can be done at all. */
int lab_crew(struct lab *lab, struct lab_step *const *step, size_t n,
                struct sl_failure *f);
/* Removes what steps that were interrupted have left in the scratch directory. */
void lab_clear_scratch(const struct lab *lab);

/* lab_spawn.c: a command, found in PATH, without a shell; what it says on standard output
 * and, apart from that, its last words on standard error. Both to be freed. */
struct lab_said {
    char *out, *err;
    int status; /* as a shell has it: 128 and more for a signal, 127 if there is none such */
};
extern const char *const lab_size_names[];
int lab_spawn(const char *const *argv, const char *directory, enum lab_size size,
                 struct lab_said *said, struct sl_failure *f);
void lab_said_free(struct lab_said *said);
/* A failure that quotes the end of what it said on standard error. */
int lab_said_why(const char *const *argv, const struct lab_said *said, struct sl_failure *f);

/* lab_files.c */
int lab_make_directory(const char *path, struct sl_failure *f); /* with those above it */
int lab_remove_tree(const char *path);
/* A file under a name of its own, to get its right one only when it is whole: of one that is
 * not, nothing stays. */
struct lab_fresh {
    char *name;
    FILE *out;
};
FILE *lab_fresh(const char *path, struct lab_fresh *file);
int lab_replace(struct lab_fresh *file, const char *path, bool whole, struct sl_failure *f);
char *lab_read_file(const char *path, struct sl_failure *f); /* to be freed */
char *lab_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* lab_page.c: the words of a page ("md") or its queries ("sql"), to be freed; and the page,
 * written from them. */
char *lab_words(const char *name, const char *ending, struct sl_failure *f);
int lab_page(struct lab *lab, const char *name, const char *experiment,
                struct sl_failure *f);

#endif
