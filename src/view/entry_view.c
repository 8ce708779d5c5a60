#include "entry_view.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "event_set.h"
#include "path_words.h"
#include "utf8.h"

int sl_entry_view_open(struct sl_entry_view *view, struct sl_database *database,
                       const struct sl_saved_profile *profile, struct sl_failure *f)
{
    *view = (struct sl_entry_view){.profile = profile};
    int result = sl_path_view_open(&view->paths, database, profile, f);
    if (!result && profile->detector->second.reads == SL_READS_CALLERS)
        result = sl_context_tree_load(&view->contexts, database, &profile, 1, f);
    return result;
}

void sl_entry_view_close(struct sl_entry_view *view)
{
    sl_path_view_close(&view->paths);
    sl_context_tree_free(&view->contexts);
}

int sl_entry_view_look(struct sl_entry_view *view, const struct sl_saved_entry *entry,
                       struct sl_failure *f)
{
    return sl_path_view_look(&view->paths, entry, f);
}

int sl_entry_views_look(struct sl_entry_views *views, int64_t of,
                        const struct sl_saved_profile *usual, const struct sl_saved_entry *entry,
                        const struct sl_entry_view **view, struct sl_failure *f)
{
    const struct sl_saved_profiles *all = views->profiles;
    size_t i = of >= 0 && (uint64_t)of < all->n ? (size_t)of : (size_t)(usual - all->profile);
    int result = 0;
    if (!views->view && !(views->view = calloc(all->n + 1, sizeof *views->view)))
        return sl_saved_fail_memory(f);
    *view = &views->view[i];
    if (!views->view[i].profile)
        result = sl_entry_view_open(&views->view[i], views->database, &all->profile[i], f);
    return result ? result : sl_entry_view_look(&views->view[i], entry, f);
}

void sl_entry_views_close(struct sl_entry_views *views)
{
    for (size_t i = 0; views->view && i < views->profiles->n; i++)
        sl_entry_view_close(&views->view[i]);
    free(views->view);
    views->view = NULL;
}

char *sl_entry_symbol(const struct sl_saved_profile *profile, const struct sl_saved_entry *entry)
{
    char events[200];
    switch (profile->detector->first) {
    case SL_READS_EVENTS:
        sl_event_set_name(entry->at.address, events, sizeof events);
        return strdup(events);
    case SL_READS_FUNCTION:
        if (!entry->at.address)
            return strdup("(code without a symbol)");
        /* fall through */
    default:
        return sl_saved_symbol(&entry->at);
    }
}

/* ---- how second words read ------------------------------------------------ */

/* Where facts go. */
struct telling {
    void (*tell)(void *context, const char *name, const struct sl_fact *fact);
    void *context;
};

static void tell(const struct telling *t, const char *name, struct sl_fact fact)
{
    t->tell(t->context, name, &fact);
}

static void tell_text(const struct telling *t, const char *name, char *text)
{
    tell(t, name, (struct sl_fact){.is = SL_FACT_TEXT, .text = text});
    free(text);
}

/* All that there is to a way of reading; what is NULL adds nothing. */
struct form {
    const char *more; /* heading of a second column */
    bool unknown_0;   /* 0 stands for nothing */
    void (*say)(const struct sl_entry_view *view, const struct sl_saved_entry *entry,
                struct sl_entry_said *said);
    void (*cells)(const struct sl_entry_view *view, const struct sl_saved_entry *entry,
                  char *cell[SL_ENTRY_CELLS]);
    /* `name` is the word's. */
    void (*facts)(const struct sl_entry_view *view, const struct sl_saved_entry *entry,
                  const char *name, const struct telling *t);
    void (*word)(uint64_t value, char room[SL_ENTRY_WORD_ROOM]); /* NULL: hexadecimal */
};

/* Numbers and addresses. */

static void say_number(const struct sl_entry_view *view, const struct sl_saved_entry *entry,
                       struct sl_entry_said *said)
{
    int64_t number = (int64_t)entry->value;
    (void)view;
    /* Small ones also as people write them. */
    if (number > -1000000 && number < 1000000 && (number < 0 || number > 9))
        said->second = sl_own_format("0x%" PRIx64 " (%" PRId64 ")", entry->value, number);
    else
        said->second = sl_own_format("0x%" PRIx64, entry->value);
}

static void say_data(const struct sl_entry_view *view, const struct sl_saved_entry *entry,
                     struct sl_entry_said *said)
{
    (void)view;
    said->second = entry->value ? sl_own_format("0x%" PRIx64, entry->value) : NULL;
}

static void number_cells(const struct sl_entry_view *view, const struct sl_saved_entry *entry,
                         char *cell[SL_ENTRY_CELLS])
{
    (void)view;
    cell[0] = sl_own_format("0x%" PRIx64, entry->value);
}

static void number_facts(const struct sl_entry_view *view, const struct sl_saved_entry *entry,
                         const char *name, const struct telling *t);

/* Places in code. */

static void say_target(const struct sl_entry_view *view, const struct sl_saved_entry *entry,
                       struct sl_entry_said *said)
{
    char *symbol = sl_saved_symbol(&entry->to);
    (void)view;
    said->second = symbol ? sl_own_format("-> %s", symbol) : NULL;
    said->second_line = sl_saved_line(&entry->to);
    free(symbol);
}

/* "main+0x14..+0x30". */
static void say_end(const struct sl_entry_view *view, const struct sl_saved_entry *entry,
                    struct sl_entry_said *said)
{
    const struct sl_saved_place *at = &entry->at, *to = &entry->to;
    char *where = said->where, *end = NULL;
    (void)view;
    if (!where || to->address == at->address || !entry->value)
        return;
    if (at->function && to->function && at->function_start == to->function_start)
        said->where = sl_own_format("%s..+0x%" PRIx64, where, to->address - to->function_start);
    else
        said->where = (end = sl_saved_symbol(to)) ? sl_own_format("%s..%s", where, end) : NULL;
    free(end);
    free(where);
}

static void say_back(const struct sl_entry_view *view, const struct sl_saved_entry *entry,
                     struct sl_entry_said *said)
{
    say_end(view, entry, said);
    if (!entry->value) {
        said->second = strdup(sl_saved_overlaps(view->profile) ? "(all of the function)"
                                                               : "(in no loop)");
        return;
    }
    free(said->line);
    said->line = sl_saved_lines(&entry->at, &entry->to);
}

static void place_cells(const struct sl_entry_view *view, const struct sl_saved_entry *entry,
                        char *cell[SL_ENTRY_CELLS])
{
    (void)view;
    cell[0] = sl_saved_symbol(&entry->to);
    cell[1] = sl_saved_line(&entry->to);
}

static void back_cells(const struct sl_entry_view *view, const struct sl_saved_entry *entry,
                       char *cell[SL_ENTRY_CELLS])
{
    if (entry->value)
        place_cells(view, entry, cell);
}

static void target_facts(const struct sl_entry_view *view, const struct sl_saved_entry *entry,
                         const char *name, const struct telling *t)
{
    char key[64];
    number_facts(view, entry, name, t);
    snprintf(key, sizeof key, "%s_symbol", name);
    tell_text(t, key, sl_saved_symbol(&entry->to));
    snprintf(key, sizeof key, "%s_line", name);
    tell_text(t, key, sl_saved_line(&entry->to));
}

static void back_facts(const struct sl_entry_view *view, const struct sl_saved_entry *entry,
                       const char *name, const struct telling *t)
{
    number_facts(view, entry, name, t);
    tell_text(t, "lines", entry->value ? sl_saved_lines(&entry->at, &entry->to) : NULL);
}

/* Paths: the one that was looked at last. */

static void say_path(const struct sl_entry_view *view, const struct sl_saved_entry *entry,
                     struct sl_entry_said *said)
{
    char outcomes[SL_PATH_OUTCOMES_ROOM];
    char *start = said->where;
    said->where = start ? sl_path_span(&view->paths, start) : NULL;
    said->branches = sl_own_format("%u", sl_path_length(entry->value));
    said->second = strdup(sl_path_outcomes(entry->value, outcomes));
    free(start);
}

static void path_cells(const struct sl_entry_view *view, const struct sl_saved_entry *entry,
                       char *cell[SL_ENTRY_CELLS])
{
    char outcomes[SL_PATH_OUTCOMES_ROOM];
    cell[0] = strdup(sl_path_outcomes(entry->value, outcomes));
    cell[1] = sl_path_lines_whole(&view->paths);
}

static void path_facts(const struct sl_entry_view *view, const struct sl_saved_entry *entry,
                       const char *name, const struct telling *t)
{
    const struct sl_path_walk *walk = &view->paths.walk;
    char outcomes[SL_PATH_OUTCOMES_ROOM];
    const char *line[SL_PATH_LINES_MAX];
    uint64_t block[SL_PATH_WALK_MAX];
    size_t n = sl_path_view_lines(&view->paths, line);
    for (size_t i = 0; i < walk->n; i++)
        block[i] = view->paths.code.statics.block[walk->block[i]].pc;
    tell(t, name, (struct sl_fact){.is = SL_FACT_GROUP});
    tell(t, "start", (struct sl_fact){.is = SL_FACT_HEX, .number = entry->at.address});
    tell(t, "branches",
         (struct sl_fact){.is = SL_FACT_NUMBER, .number = sl_path_length(entry->value)});
    sl_path_outcomes(entry->value, outcomes);
    tell(t, "outcomes", (struct sl_fact){.is = SL_FACT_TEXT, .text = outcomes});
    tell(t, "blocks", (struct sl_fact){.is = SL_FACT_HEXES, .numbers = block, .n = walk->n});
    tell(t, "lines", (struct sl_fact){.is = SL_FACT_TEXTS, .texts = line, .n = n});
    tell(t, "whole", (struct sl_fact){.is = SL_FACT_TRUTH, .number = walk->whole});
    tell(t, name, (struct sl_fact){.is = SL_FACT_GROUP_END});
}

static void path_word(uint64_t value, char room[SL_ENTRY_WORD_ROOM])
{
    _Static_assert(SL_PATH_OUTCOMES_ROOM <= SL_ENTRY_WORD_ROOM, "all branches of a path");
    sl_path_outcomes(value, room);
}

/* Calling contexts: the callers, the nearest first. */

static uint32_t caller_of(const struct sl_context_tree *tree, uint32_t at)
{
    return at == SL_NO_INDEX ? at : tree->context[at].parent;
}

static const char *caller_name(const struct sl_context_tree *tree, uint32_t at)
{
    return tree->function[tree->context[at].function].name;
}

static void callers_cells(const struct sl_entry_view *view, const struct sl_saved_entry *entry,
                          char *cell[SL_ENTRY_CELLS])
{
    const struct sl_context_tree *tree = &view->contexts;
    uint32_t at = sl_context_find(tree, entry->at.address, entry->value);
    size_t size;
    bool first = true;
    FILE *out = open_memstream(&cell[0], &size);
    if (!out)
        return;
    for (; (at = caller_of(tree, at)) != SL_NO_INDEX; first = false)
        fprintf(out, "%s< %s", first ? "" : " ", caller_name(tree, at));
    fclose(out);
}

static void say_callers(const struct sl_entry_view *view, const struct sl_saved_entry *entry,
                        struct sl_entry_said *said)
{
    char *cell[SL_ENTRY_CELLS] = {NULL};
    callers_cells(view, entry, cell);
    said->second = cell[0];
}

static void callers_facts(const struct sl_entry_view *view, const struct sl_saved_entry *entry,
                          const char *name, const struct telling *t)
{
    const struct sl_context_tree *tree = &view->contexts;
    uint32_t first = sl_context_find(tree, entry->at.address, entry->value), at = first;
    size_t n = 0;
    while ((at = caller_of(tree, at)) != SL_NO_INDEX)
        n++;
    const char **names = malloc((n + 1) * sizeof *names);
    at = first;
    for (size_t i = 0; names && i < n; i++)
        names[i] = caller_name(tree, at = caller_of(tree, at));
    tell(t, name, (struct sl_fact){.is = SL_FACT_TEXTS, .texts = names, .n = n});
    free(names);
}

static const struct form forms[SL_READS] = {
    [SL_READS_NUMBER] = {NULL, false, say_number, number_cells, number_facts, NULL},
    [SL_READS_DATA] = {NULL, true, say_data, number_cells, number_facts, NULL},
    [SL_READS_TARGET] = {"line", false, say_target, place_cells, target_facts, NULL},
    [SL_READS_END] = {"line", false, say_end, place_cells, number_facts, NULL},
    [SL_READS_BACK] = {"line", true, say_back, back_cells, back_facts, NULL},
    [SL_READS_OUTCOMES] = {"along", false, say_path, path_cells, path_facts, path_word},
    [SL_READS_CALLERS] = {NULL, false, say_callers, callers_cells, callers_facts, NULL},
};

static const struct form *form_of(const struct sl_saved_profile *profile)
{
    return &forms[profile->detector->second.reads];
}

static void number_facts(const struct sl_entry_view *view, const struct sl_saved_entry *entry,
                         const char *name, const struct telling *t)
{
    bool none = form_of(view->profile)->unknown_0 && !entry->value;
    tell(t, name, (struct sl_fact){.is = none ? SL_FACT_NONE : SL_FACT_HEX, .number = entry->value});
}

/* ---- entries ---------------------------------------------------------------- */

bool sl_entry_say(const struct sl_entry_view *view, const struct sl_saved_entry *entry,
                  struct sl_entry_said *said)
{
    const struct form *form = form_of(view->profile);
    *said = (struct sl_entry_said){.where = sl_entry_symbol(view->profile, entry),
                                   .line = sl_saved_line(&entry->at)};
    if (form->say)
        form->say(view, entry, said);
    said->where = sl_own_printable(said->where);
    said->line = sl_own_printable(said->line);
    said->second = sl_own_printable(said->second);
    said->second_line = sl_own_printable(said->second_line);
    return said->where;
}

void sl_entry_said_free(struct sl_entry_said *said)
{
    free(said->where);
    free(said->line);
    free(said->branches);
    free(said->second);
    free(said->second_line);
    *said = (struct sl_entry_said){0};
}

char *sl_entry_text(const struct sl_entry_view *view, const struct sl_saved_entry *entry)
{
    struct sl_entry_said said;
    bool whole = sl_entry_say(view, entry, &said);
    bool more = said.second && said.second[0];
    char *text = whole ? sl_own_format("%s%s%s", said.where, more ? " " : "",
                                       more ? said.second : "")
                       : NULL;
    sl_entry_said_free(&said);
    return text;
}

size_t sl_entry_headings(const struct sl_saved_profile *profile,
                         const char *heading[SL_ENTRY_CELLS])
{
    const struct sl_word *word = &profile->detector->second;
    if (!form_of(profile)->cells)
        return 0;
    heading[0] = word->heading ? word->heading : word->name;
    heading[1] = form_of(profile)->more;
    return heading[1] ? 2 : 1;
}

size_t sl_entry_cells(const struct sl_entry_view *view, const struct sl_saved_entry *entry,
                      char *cell[SL_ENTRY_CELLS])
{
    const struct form *form = form_of(view->profile);
    cell[0] = cell[1] = NULL;
    if (!form->cells)
        return 0;
    form->cells(view, entry, cell);
    return form->more ? 2 : 1;
}

void sl_entry_facts(const struct sl_entry_view *view, const struct sl_saved_entry *entry,
                    void (*to)(void *context, const char *name, const struct sl_fact *fact),
                    void *context)
{
    const struct sl_detector_kind *detector = view->profile->detector;
    const struct form *form = form_of(view->profile);
    const struct telling t = {to, context};
    bool of_function = detector->first == SL_READS_FUNCTION ||
                       detector->first == SL_READS_LOOP;
    tell(&t, "pc", (struct sl_fact){.is = SL_FACT_HEX, .number = entry->at.address});
    tell_text(&t, "symbol", detector->first == SL_READS_EVENTS
                                ? sl_entry_symbol(view->profile, entry)
                                : sl_saved_symbol(&entry->at));
    tell(&t, "object", (struct sl_fact){.is = SL_FACT_TEXT, .text = entry->at.object});
    tell_text(&t, "line", sl_saved_line(&entry->at));
    if (of_function)
        tell(&t, "function", (struct sl_fact){.is = SL_FACT_TEXT, .text = entry->at.function});
    if (form->facts)
        form->facts(view, entry, detector->second.name, &t);
}

const char *sl_entry_word(const struct sl_word *word, uint64_t value,
                          char room[SL_ENTRY_WORD_ROOM])
{
    room[0] = '\0';
    if (forms[word->reads].word)
        forms[word->reads].word(value, room);
    else if (word->reads != SL_READS_NOTHING)
        snprintf(room, SL_ENTRY_WORD_ROOM, "0x%" PRIx64, value);
    return room;
}
