/* A session: one stream through any number of profiles.
 *
 * For every chunk: new static facts are decoded, each metric in use weighs the
 * chunk's blocks once, and each profile gets the chunk, or with --marked the
 * slices of it that lie between marks. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "database.h"
#include "failure.h"
#include "grow.h"
#include "profile.h"
#include "source.h"

#define KEEP_DEFAULT 100000u
#define PROGRESS_EVERY 64u /* chunks */

struct sl_session {
    struct sl_profile *profile;
    size_t n_profiles;
    char *range, *only;
    bool marked;
    uint64_t memory_bytes, keep;

    const struct sl_source *source;
    struct sl_code code;
    struct sl_symbols *symbols;
    struct sl_selection selection;
    struct sl_watch watch;
    bool watching;
    size_t n_blocks_seen;

    uint64_t instructions, blocks, loads;
    uint32_t *mark_depth; /* by thread */
    size_t room_mark_depth;
    bool mark_seen;
    struct sl_events buffer;
    uint64_t *weight; /* of the chunk's blocks, by the metric below */
    const struct sl_metric *weighed; /* NULL: by none yet */
    char warning[1024];
};

/* ---- opening ------------------------------------------------------------- */

#define MEMORY_DEFAULT (UINT64_C(2) << 30)

/* 2 GiB, or half of what is free if that is less. */
static uint64_t usual_memory(void)
{
    long pages = sysconf(_SC_AVPHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    char line[256];
    uint64_t bytes = pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : UINT64_C(1) << 30;
    FILE *file = fopen("/proc/meminfo", "re");
    while (file && fgets(line, sizeof line, file)) {
        unsigned long long kilobytes;
        if (sscanf(line, "MemAvailable: %llu kB", &kilobytes) == 1)
            bytes = (uint64_t)kilobytes * 1024;
    }
    if (file)
        fclose(file);
    return bytes / 2 < MEMORY_DEFAULT ? bytes / 2 : MEMORY_DEFAULT;
}

static int check_class(const struct sl_session *s, struct sl_failure *f)
{
    for (size_t i = 0; s->only && i < s->n_profiles; i++)
        if (s->profile[i].detector->no_class)
            return sl_fail(f, SL_EUSAGE, "--only does not go with %s: %s",
                           s->profile[i].detector->name, s->profile[i].detector->no_class);
    return 0;
}

static int fill(struct sl_session *s, const struct sl_session_config *config, struct sl_failure *f)
{
    s->profile = calloc(config->n_specs ? config->n_specs : 1, sizeof *s->profile);
    s->buffer.number = malloc(SL_EVENTS_MAX * sizeof *s->buffer.number);
    s->buffer.value = malloc(SL_EVENTS_MAX * sizeof *s->buffer.value);
    s->buffer.weight = malloc(SL_EVENTS_MAX * sizeof *s->buffer.weight);
    s->weight = malloc(SL_CHUNK_BLOCKS * sizeof *s->weight);
    s->range = config->range ? strdup(config->range) : NULL;
    s->only = config->only ? strdup(config->only) : NULL;
    if (!s->profile || !s->buffer.number || !s->buffer.value || !s->buffer.weight || !s->weight ||
        (config->range && !s->range) || (config->only && !s->only))
        return sl_fail(f, SL_ENOMEM, "out of memory");
    s->marked = config->marked;
    s->keep = config->keep ? config->keep : KEEP_DEFAULT;
    s->memory_bytes = config->memory_bytes ? config->memory_bytes : usual_memory();
    for (; s->n_profiles < config->n_specs; s->n_profiles++) {
        int error = sl_profile_parse(&s->profile[s->n_profiles], config->spec[s->n_profiles], f);
        if (error < 0) {
            s->n_profiles++; /* what it has so far is to be freed */
            return error;
        }
    }
    int error = check_class(s, f);
    return error < 0 ? error : sl_selection_init(&s->selection, s->range, s->only, f);
}

int sl_session_open(struct sl_session **session, const struct sl_session_config *config,
                    struct sl_failure *f)
{
    struct sl_session *s = calloc(1, sizeof *s);
    if (!s)
        return sl_fail(f, SL_ENOMEM, "out of memory");
    int error = fill(s, config, f);
    if (error < 0)
        sl_session_close(s);
    else
        *session = s;
    return error < 0 ? error : 0;
}

unsigned sl_session_wants(const struct sl_session *s)
{
    unsigned wants = 0;
    for (size_t i = 0; i < s->n_profiles; i++)
        wants |= s->profile[i].detector->wants;
    return wants;
}

/* ---- running ------------------------------------------------------------- */

static int check_wants(const struct sl_session *s, const struct sl_source *source,
                       struct sl_failure *f)
{
    unsigned has = sl_source_wants(source);
    for (size_t i = 0; i < s->n_profiles; i++) {
        unsigned missing = s->profile[i].detector->wants & ~has;
        if (missing)
            return sl_fail(f, SL_EUSAGE, "%s needs the %s of loads, which this stream does not carry; "
                           "record it with -p %s", s->profile[i].detector->name,
                           missing & SL_WANT_VALUES ? "values" : "addresses",
                           s->profile[i].detector->name);
    }
    return 0;
}

static int begin(struct sl_session *s, struct sl_source *source, struct sl_failure *f)
{
    int error = check_wants(s, source, f);
    if (error >= 0)
        error = sl_code_init(&s->code, &source->statics, f);
    if (error < 0)
        return error;
    s->source = source;
    s->watching = true;
    if (!(s->symbols = sl_symbols_open(&source->statics)))
        return sl_fail(f, SL_ENOMEM, "out of memory");
    s->watch = (struct sl_watch){&source->statics, &s->code, s->symbols, &s->selection};
    for (size_t i = 0; i < s->n_profiles && error >= 0; i++)
        error = sl_profile_open(&s->profile[i], &s->watch, s->memory_bytes / s->n_profiles, f);
    return error;
}

/* Decodes what is new, so that everybody knows each block and instruction. */
static int catch_up(struct sl_session *s, struct sl_failure *f)
{
    if (s->n_blocks_seen == s->source->statics.n_blocks)
        return 0;
    s->n_blocks_seen = s->source->statics.n_blocks;
    int error = sl_code_sync(&s->code, f);
    if (error >= 0)
        error = sl_selection_sync(&s->selection, &s->code, s->symbols, f);
    for (size_t i = 0; i < s->n_profiles && error >= 0; i++)
        error = s->profile[i].detector->sync(s->profile[i].detector_state, f);
    return error;
}

static void add_totals(struct sl_session *s, const struct sl_chunk *chunk)
{
    const uint16_t *size = s->source->statics.block_size;
    uint64_t instructions = 0;
    for (uint32_t i = 0; i < chunk->n_blocks; i++)
        instructions += size[chunk->block[i]];
    s->instructions += instructions;
    s->blocks += chunk->n_blocks;
    if (!chunk->mem_addr) {
        s->loads += chunk->n_mems;
        return;
    }
    for (uint32_t i = 0; i < chunk->n_mems; i++)
        s->loads += !(chunk->mem_insn[i] & (SL_MEM_STORE | SL_MEM_MORE));
}

static int feed_slice(struct sl_session *s, const struct sl_slice *slice, struct sl_failure *f)
{
    for (size_t i = 0; i < s->n_profiles; i++) {
        struct sl_profile *p = &s->profile[i];
        struct sl_slice mine = *slice;
        if (p->metric->weigh && p->metric != s->weighed) {
            p->metric->weigh(&s->source->statics, slice->chunk, s->weight);
            s->weighed = p->metric;
        }
        mine.block_weight = p->metric->weigh ? s->weight : NULL;
        int error = sl_profile_feed(p, &mine, &s->buffer, f);
        if (error < 0)
            return error;
    }
    return 0;
}

/* The blocks up to `high` from where the last slice ended, if there are any. */
static int cut_slice(struct sl_session *s, struct sl_slice *slice, uint32_t high, bool active,
                     struct sl_failure *f)
{
    const struct sl_chunk *chunk = slice->chunk;
    slice->block_high = high;
    slice->mem_high = high < chunk->n_blocks && chunk->block_mem ? chunk->block_mem[high]
                                                                 : chunk->n_mems;
    slice->active = active;
    if (slice->block_low == slice->block_high && slice->mem_low == slice->mem_high)
        return 0;
    int error = feed_slice(s, slice, f);
    slice->block_low = slice->block_high;
    slice->mem_low = slice->mem_high;
    slice->joined = true;
    return error;
}

/* A block that a begin mark ends is still outside, one that an end mark ends
 * still inside: marks are instructions, and they end their blocks. */
static int feed_marked(struct sl_session *s, struct sl_slice *slice, struct sl_failure *f)
{
    const struct sl_chunk *chunk = slice->chunk;
    const struct sl_block *block = s->source->statics.block;
    if (!SL_GROW(s->mark_depth, s->room_mark_depth, (size_t)chunk->thread + 1))
        return sl_fail(f, SL_ENOMEM, "out of memory");
    uint32_t *depth = &s->mark_depth[chunk->thread];
    if (chunk->flags & SL_CHUNK_GAP)
        *depth = 0; /* marks may have been dropped: wait for the next that begins */
    int error = 0;
    for (uint32_t i = 0; i < chunk->n_blocks && error >= 0; i++) {
        int mark = block[chunk->block[i]].mark;
        if (mark == SL_MARK_NONE)
            continue;
        s->mark_seen = true;
        if (mark == SL_MARK_BEGIN) {
            if (*depth == 0)
                error = cut_slice(s, slice, i + 1, false, f);
            ++*depth;
        } else if (*depth > 0 && --*depth == 0) {
            error = cut_slice(s, slice, i + 1, true, f);
        }
    }
    return error < 0 ? error : cut_slice(s, slice, chunk->n_blocks, *depth > 0, f);
}

static int feed_chunk(struct sl_session *s, const struct sl_chunk *chunk, struct sl_failure *f)
{
    struct sl_slice slice = {.chunk = chunk,
                             .joined = !(chunk->flags & (SL_CHUNK_START | SL_CHUNK_GAP))};
    int error = catch_up(s, f);
    if (error < 0)
        return error;
    add_totals(s, chunk);
    s->weighed = NULL;
    return s->marked ? feed_marked(s, &slice, f)
                     : cut_slice(s, &slice, chunk->n_blocks, true, f);
}

/* Why a selection left nothing, if it did. */
static void explain_emptiness(struct sl_session *s)
{
    bool chosen = false;
    for (size_t i = 0; i < s->selection.n_chosen && !chosen; i++)
        chosen = s->selection.chosen[i];
    if (s->marked && !s->mark_seen)
        snprintf(s->warning, sizeof s->warning,
                 "no mark was executed, so nothing counts: is SLUICE_BEGIN() in the program?");
    else if (!chosen && s->selection.n_chosen)
        snprintf(s->warning, sizeof s->warning,
                 "no instruction that was executed is among those selected by --range and --only");
}

int sl_session_run(struct sl_session *s, struct sl_source *source,
                   void (*progress)(void *context, uint64_t events, uint64_t instructions),
                   void *context, struct sl_failure *f)
{
    struct sl_chunk chunk;
    int more = begin(s, source, f);
    for (unsigned chunks = 0; more >= 0 && (more = sl_source_next(source, &chunk, f)) > 0; chunks++) {
        int error = feed_chunk(s, &chunk, f);
        if (error < 0)
            more = error;
        if (progress && chunks % PROGRESS_EVERY == 0)
            progress(context, s->blocks + s->loads, s->instructions);
    }
    snprintf(s->warning, sizeof s->warning, "%s", more < 0 && f ? f->text : source->warning);
    if (!s->warning[0])
        explain_emptiness(s);
    for (size_t i = 0; i < s->n_profiles && s->profile[i].opened; i++)
        sl_profile_finish(&s->profile[i], &s->buffer);
    return more < 0 ? more : sl_selection_check(&s->selection, f);
}

/* ---- results ------------------------------------------------------------- */

static int describe(struct sl_session *s, struct sl_profile *p, struct sl_result_profile *out,
                    struct sl_table_status *status, struct sl_entry **entries, struct sl_failure *f)
{
    sl_table_status(p->kept, status);
    int64_t n = sl_profile_entries(p, s->keep, entries, f);
    if (n < 0)
        return (int)n;
    *out = (struct sl_result_profile){
        .spec = p->spec,
        .detector = p->detector->name,
        .metric = p->metric->name,
        .table = p->table->name,
        .second = p->detector->second,
        .events = status->events,
        .weight = status->weight,
        .distinct = status->distinct,
        .storage_bits = status->storage_bits,
        .drops = status->drops,
        .drops_weight = status->drops_weight,
        .note = status->note[0] ? status->note : NULL,
        .entry = *entries,
        .n_entries = (size_t)n,
    };
    return 0;
}

int sl_session_save(struct sl_session *s, const char *path, struct sl_failure *f)
{
    if (!s->source)
        return sl_fail(f, SL_EUSAGE, "nothing has been run that could be saved");
    size_t n = s->n_profiles ? s->n_profiles : 1;
    struct sl_result_profile *profile = calloc(n, sizeof *profile);
    struct sl_table_status *status = calloc(n, sizeof *status);
    struct sl_entry **entries = calloc(n, sizeof *entries);
    int error = profile && status && entries ? 0 : sl_fail(f, SL_ENOMEM, "out of memory");
    for (size_t i = 0; i < s->n_profiles && error >= 0; i++)
        error = describe(s, &s->profile[i], &profile[i], &status[i], &entries[i], f);
    if (error >= 0) {
        struct sl_results results = {
            .statics = &s->source->statics,
            .instructions = s->instructions,
            .blocks = s->blocks,
            .loads = s->loads,
            .range = s->range,
            .only = s->only,
            .marked = s->marked,
            .warning = s->warning,
            .profile = profile,
            .n_profiles = s->n_profiles,
        };
        error = sl_database_write(path, &results, f);
    }
    for (size_t i = 0; entries && i < s->n_profiles; i++)
        free(entries[i]);
    free(entries);
    free(status);
    free(profile);
    return error;
}

int sl_session_can_save(const char *path, struct sl_failure *f)
{
    return sl_database_replaceable(path, f);
}

void sl_session_close(struct sl_session *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->n_profiles; i++)
        sl_profile_close(&s->profile[i]);
    free(s->profile);
    if (s->watching) {
        sl_code_free(&s->code);
        sl_symbols_close(s->symbols);
    }
    sl_selection_free(&s->selection);
    free(s->mark_depth);
    free(s->buffer.number);
    free(s->buffer.value);
    free(s->buffer.weight);
    free(s->weight);
    free(s->range);
    free(s->only);
    free(s);
}
