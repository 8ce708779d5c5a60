/* SPDX-License-Identifier: MIT */
/* A compressor's configuration, written as the document writes it:
 *
 *     H[P256]2048+A16(seed=7)
 *
 *     compressor := first { "+A" k } [ "(" options ")" ]
 *     first      := x | "H[" x "]" n | "T" tagbits "/" r "x" n [ "w" ways ]
 *                 | "G" tagbits "/" r "x" n [ "k" k ]
 *     x          := "P" r | "R" r | "RD" r | "CR" r | "A" k
 *
 * Numbers are decimal digits. What else could be written, and means nothing, is refused
 * with a sentence that says why. */
#ifndef SL_PIPELINE_H
#define SL_PIPELINE_H

#include "options.h"
#include "sampler.h"
#include "tagged.h"

#define SL_PIPELINE_LEVELS 4u

/* What a tuple's messages say of it:
 *
 *     sum     their counts, added up
 *     ratio   its share of its substream's samples, times the events that these stand for
 *
 * The two differ only for samplers that count (CR). */
enum sl_estimate { SL_ESTIMATE_SUM, SL_ESTIMATE_RATIO };

struct sl_pipeline_config {
    enum sl_component first;
    bool split;                           /* it is in H[...] */
    uint64_t streams;                     /* n of H; 1 without */
    uint64_t rate;                        /* of a sampler; 1 for A, T and G, which miss nothing */
    uint64_t entries;                     /* of the first component, if it is A */
    struct sl_tagged_config tagged;       /* the first component, if it is T */
    struct sl_gathering_config gathering; /* if it is G */
    uint64_t level[SL_PIPELINE_LEVELS];   /* k of each A behind it */
    size_t n_levels;
    uint64_t seed;
    unsigned estimate; /* enum sl_estimate */
    uint64_t width;
    uint64_t word;                 /* bits of a tuple's words that are hashed */
    unsigned quotient, first_miss; /* of T: how its figure is read; 0 as by default */
    uint64_t input, pick;          /* the queue of tuples, and the time that one takes */
    uint64_t service, queue;       /* the time that a message takes; those that may wait */
    double converge;               /* percent; 0: nobody checks */
    uint64_t check, filter;        /* messages between two checks; entries of the filter */
};

extern const struct sl_option sl_pipeline_options[];
extern const struct sl_option sl_pipeline_written[]; /* what the notation says, field by field */

/* As sl_table_kind has them. */
int sl_pipeline_parse(const char *text, size_t from, size_t *end, void *config,
                      struct sl_failure *f);
void sl_pipeline_notation(const void *config, char *out, size_t room);
void sl_pipeline_list(FILE *out);
uint64_t sl_pipeline_storage_bits(const void *config);

/* Whether the first component goes by the hash, H's substreams, T's sets or G's entries, and the
 * bits of it that it takes. */
bool sl_pipeline_is_hashed(const struct sl_pipeline_config *config);
unsigned sl_pipeline_hash_bits(const struct sl_pipeline_config *config);

#endif
