/* SPDX-License-Identifier: MIT */
/* Prints the configuration of a stream compressor in its notation, prints the list of components
 * for `sluice list tables`, and computes the storage of a compressor in bits. */
#include "software.h"
#include "pipeline.h"

#include <string.h>

#include "table.h"

#define GENERATOR_BITS 64u
#define MISS_BITS 3u
#define TUPLE_BITS 128u

static const struct {
    const char *notation, *does, *storage;
} components[] = {
    {"P<r>", "selects every r-th event; each message has the count r",
     "ceil(log2 r) bits, at least 1"},
    {"R<r>", "selects each event with probability 1/r; each message has the count r",
     "a 64-bit random number generator"},
    {"RD<r>",
     "selects an event after a random countdown from 1..2r-1; each message has the count r",
     "a counter of ceil(log2(2r)) bits and a 64-bit random number generator"},
    {"CR<r>",
     "selects events like component R; a message counts the events since the previous message",
     "a 32-bit counter and a 64-bit random number generator"},
    {"A<k>", "exact counters of the k most recently used tuples; sends each evicted counter",
     "k * (128 + width + ceil(log2 k) + 1) bits (tuple, counter, order, valid)"},
    {"T<b>/<r>x<n>[w<ways>]",
     "n counters with b-bit tags; sends a message when a counter reaches r",
     "n * (b + ceil(log2 r) + 3 + 1) bits (tag, counter, misses, valid)"},
    {"G<b>/<r>x<n>[k<k>]",
     "selects every r-th event of each of n substreams; sends k samples of a tuple at once",
     "n * (b + ceil(log2 r) + ceil(log2 k)) bits (tag, counter, samples)"},
    {"H[X]<n>",
     "splits events by a hash into n substreams; X is the component of each: P, R, RD, CR or A",
     "n times the storage of X, but only one random number generator"},
    {"...+A<k>", "one to four tables A, which add up the messages of the component before them",
     "that of each A"},
};

/* The fields of the configuration. T has its own rate and entries. */
#define WRITTEN(name_, field)                                              \
    {                                                                      \
        .name = name_, .kind = SL_OPTION_UNSIGNED,                         \
        .offset = SL_OPTION_AT(struct sl_pipeline_config, field, uint64_t) \
    }
static const char *const letters[] = {"P", "R", "RD", "CR", "A", "T", "G", NULL};
const struct sl_option sl_pipeline_written[] = {
    {.name = "component",
     .kind = SL_OPTION_CHOICE,
     .choices = letters,
     .offset = offsetof(struct sl_pipeline_config, first)},
    WRITTEN("streams", streams),
    WRITTEN("rate", rate),
    WRITTEN("entries", entries),
    WRITTEN("tagged_rate", tagged.rate),
    WRITTEN("tagged_entries", tagged.entries),
    WRITTEN("tagged_ways", tagged.ways),
    WRITTEN("tag_bits", tagged.tag_bits),
    WRITTEN("gathering_rate", gathering.rate),
    WRITTEN("gathering_entries", gathering.entries),
    WRITTEN("gathering_tag_bits", gathering.tag_bits),
    WRITTEN("gathering_samples", gathering.samples),
    WRITTEN("level1", level[0]),
    WRITTEN("level2", level[1]),
    WRITTEN("level3", level[2]),
    WRITTEN("level4", level[3]),
    SL_OPTIONS_END,
};
_Static_assert(SL_PIPELINE_LEVELS == 4, "a row for each level");
_Static_assert(sizeof(enum sl_component) == sizeof(unsigned), "as a choice is stored");

void sl_pipeline_notation(const void *from, char *out, size_t capacity)
{
    const struct sl_pipeline_config *config = from;
    const struct sl_tagged_config *t = &config->tagged;
    const struct sl_gathering_config *g = &config->gathering;
    size_t used;
    if (config->first == SL_COMPONENT_T)
        used = (size_t)snprintf(out, capacity, "T%llu/%llux%lluw%llu",
                                (unsigned long long)t->tag_bits, (unsigned long long)t->rate,
                                (unsigned long long)t->entries, (unsigned long long)t->ways);
    else if (config->first == SL_COMPONENT_G)
        used = (size_t)snprintf(out, capacity, "G%llu/%llux%lluk%llu",
                                (unsigned long long)g->tag_bits, (unsigned long long)g->rate,
                                (unsigned long long)g->entries, (unsigned long long)g->samples);
    else
        used = (size_t)snprintf(
            out, capacity, "%s%s%llu", config->split ? "H[" : "", letters[config->first],
            (unsigned long long)(config->first == SL_COMPONENT_A ? config->entries : config->rate));
    if (config->split)
        used += (size_t)snprintf(out + used, capacity - used, "]%llu",
                                 (unsigned long long)config->streams);
    for (size_t i = 0; i < config->n_levels; i++)
        used += (size_t)snprintf(out + used, capacity - used, "+A%llu",
                                 (unsigned long long)config->level[i]);
}

void sl_pipeline_list(FILE *out)
{
    for (size_t i = 0; i < sizeof components / sizeof *components; i++) {
        const char *notation = components[i].notation;
        if (strlen(notation) > 10)
            fprintf(out, "%s\n%-10s", notation, "");
        else
            fprintf(out, "%-10s", notation);
        fprintf(out, " %s\n%-10s storage: %s\n", components[i].does, "", components[i].storage);
    }
    fprintf(out, "  options of all compressors, in parentheses after the components, for example "
                 "P100(seed=2):\n");
}

/* ---- storage ---- */

/* Bits of a counter with n states. */
static uint64_t bits_for(uint64_t n)
{
    return n > 2 ? sl_log2_up(n) : 1;
}

static uint64_t associative_bits(const struct sl_pipeline_config *config, uint64_t entries)
{
    uint64_t order = entries > 1 ? bits_for(entries) : 0;
    return entries * (128 + config->width + order + 1);
}

static uint64_t first_bits(const struct sl_pipeline_config *config)
{
    const struct sl_tagged_config *t = &config->tagged;
    const struct sl_gathering_config *g = &config->gathering;
    uint64_t n = config->streams;
    switch (config->first) {
    case SL_COMPONENT_P:
        return n * bits_for(config->rate);
    case SL_COMPONENT_R:
        return GENERATOR_BITS;
    case SL_COMPONENT_RD:
        return n * bits_for(2 * config->rate) + GENERATOR_BITS;
    case SL_COMPONENT_CR:
        return n * 32 + GENERATOR_BITS;
    case SL_COMPONENT_A:
        return n * associative_bits(config, config->entries);
    case SL_COMPONENT_T:
        return t->entries * (t->tag_bits + bits_for(t->rate) + MISS_BITS + 1);
    case SL_COMPONENT_G:
        return g->entries *
               (g->tag_bits + bits_for(g->rate) + (g->samples > 1 ? bits_for(g->samples) : 0));
    }
    return 0;
}

uint64_t sl_pipeline_storage_bits(const void *from)
{
    const struct sl_pipeline_config *config = from;
    uint64_t bits = first_bits(config);
    for (size_t i = 0; i < config->n_levels; i++)
        bits += associative_bits(config, config->level[i]);
    return bits + config->input * TUPLE_BITS + config->filter * SL_FILTER_ENTRY_BITS;
}
