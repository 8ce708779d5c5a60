/* SPDX-License-Identifier: MIT */
/* Options of the detector `path` that define, for each class of branch, which operations a branch
 * applies to the stack of unfinished paths. path_control.h documents the options. */
#include "path_control.h"

#include <stdio.h>
#include <string.h>

#include "path_descriptor.h"

static const char *const kinds[] = {"bl", "wpp", "loop", "procedure", NULL};
static const char *const overflows[] = {"ring", "spill", NULL};
static const char *const class_names[SL_PATH_CLASSES] = {"call", "return", "forward", "backward",
                                                         "indirect"};

#define OPERATIONS(class, name_, what)                                                             \
    {                                                                                              \
        .name = name_, .kind = SL_OPTION_TEXT, .initial = "auto", .low = 1,                        \
        .high = sizeof((struct sl_path_config *)0)->operations[class] - 1,                         \
        .offset = offsetof(struct sl_path_config, operations[class]),                              \
        .help = "operations at " what ": "                                                         \
                "none, or operations joined by + in this order: update or update_count, pop, push" \
    }

const struct sl_option sl_path_options[] = {
    SL_CHOICE_FLAGS(struct sl_path_config, kind, "bl", kinds, SL_OPTION_POSITIONAL,
                    "kind of path: Ball-Larus (bl), whole-program (wpp), or extended through loops "
                    "(loop) or calls (procedure)"),
    SL_UNSIGNED(struct sl_path_config, extend, "1", 1, SL_PATH_EXTEND_MAX,
                "kind=loop: maximum number of backward branches in a path; kind=procedure: maximum "
                "depth of calls"),
    SL_UNSIGNED(struct sl_path_config, length, "32", 1, SL_PATH_LENGTH_MAX,
                "maximum length of a path, in branches"),
    SL_UNSIGNED(struct sl_path_config, stack, "32", 1, 65536, "size of the path stack, in entries"),
    SL_CHOICE(struct sl_path_config, overflow, "ring", overflows,
              "what a full path stack does: drop the oldest entry (ring) or move entries to memory "
              "(spill)"),
    SL_BOOL(struct sl_path_config, repair, "1",
            "1: a return unwinds the path stack to the entry of the matching call"),
    SL_UNSIGNED(struct sl_path_config, bits, "64", 1, 64,
                "width in bits of a path's event counter, which saturates"),
    OPERATIONS(SL_PATH_CALL, "call", "calls"),
    OPERATIONS(SL_PATH_RETURN, "return", "returns"),
    OPERATIONS(SL_PATH_FORWARD, "forward", "direct branches forward"),
    OPERATIONS(SL_PATH_BACKWARD, "backward", "direct branches backward"),
    OPERATIONS(SL_PATH_INDIRECT, "indirect", "indirect jumps"),
    SL_OPTIONS_END,
};

static const struct {
    const char *word;
    enum sl_path_operation operation;
} words[] = {{"update", SL_PATH_UPDATE},
             {"update_count", SL_PATH_UPDATE_COUNT},
             {"pop", SL_PATH_POP},
             {"push", SL_PATH_PUSH}};
#define N_WORDS (sizeof words / sizeof *words)

/* The operation with this name; 0 if there is none. */
static unsigned operation_of(const char *text, size_t size)
{
    for (size_t i = 0; i < N_WORDS; i++)
        if (strlen(words[i].word) == size && !memcmp(words[i].word, text, size))
            return words[i].operation;
    return 0;
}

/* Parses operations. On an error, *at is its position in the text. */
static const char *read_operations(const char *text, unsigned *operations, size_t *at)
{
    *operations = 0;
    *at = 0;
    if (!strcmp(text, "none"))
        return NULL;
    for (size_t next = 0;; next++) {
        *at = next;
        next += strcspn(text + next, "+");
        unsigned operation = operation_of(text + *at, next - *at);
        if (!operation)
            return "unknown operation; use update, update_count, pop or push";
        if (*operations & operation)
            return "the operation is given twice";
        if (operation < SL_PATH_POP && *operations & (SL_PATH_UPDATE | SL_PATH_UPDATE_COUNT))
            return "update and update_count cannot be combined: use one of them";
        if (*operations > operation)
            return "wrong order of the operations: write update or update_count first, then pop, "
                   "then push";
        *operations |= operation;
        if (!text[next])
            return NULL;
    }
}

static const char *published(unsigned kind, enum sl_path_class class)
{
    switch (class) {
    case SL_PATH_CALL:
        return kind == SL_PATH_WPP ? "update_count+pop+push" : "update_count+push";
    case SL_PATH_RETURN:
        return kind == SL_PATH_WPP ? "update_count+pop+push" : "update_count+pop";
    case SL_PATH_FORWARD:
        return "update";
    default:
        return "update+pop+push";
    }
}

int sl_path_check(void *config, struct sl_failure *f)
{
    struct sl_path_config *c = config;
    for (int class = 0; class < SL_PATH_CLASSES; class ++) {
        char *text = c->operations[class];
        unsigned operations;
        size_t at;
        if (!strcmp(text, "auto"))
            snprintf(text, sizeof c->operations[class], "%s", published(c->kind, class));
        const char *wrong = read_operations(text, &operations, &at);
        if (wrong)
            return sl_text_fail(f, text, at, "path: option %s: %s", class_names[class], wrong);
    }
    return 0;
}

unsigned sl_path_operations(const struct sl_path_config *config, enum sl_path_class class)
{
    unsigned operations;
    size_t at;
    read_operations(config->operations[class], &operations, &at);
    return operations;
}

uint64_t sl_path_storage_bits(const void *config)
{
    const struct sl_path_config *c = config;
    bool extended = c->kind == SL_PATH_LOOP || c->kind == SL_PATH_PROCEDURE;
    unsigned extension = 0;
    while (extended && c->extend >> extension)
        extension++;
    return c->stack * (SL_PATH_DESCRIPTOR_BITS + c->bits + extension);
}
