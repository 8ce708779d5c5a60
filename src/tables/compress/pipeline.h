/* SPDX-License-Identifier: MIT */
/* Configuration of a stream compressor, and the notation in which users write it, for example
 * H[P256]2048+A16.
 *
 *     H[P256]2048+A16(seed=7)
 *
 *     compressor := first { "+A" k } [ "(" options ")" ]
 *     first      := x | "H[" x "]" n | "T" tagbits "/" r "x" n [ "w" ways ]
 *                 | "G" tagbits "/" r "x" n [ "k" k ]
 *     x          := "P" r | "R" r | "RD" r | "CR" r | "A" k
 *
 * Numbers are decimal. Combinations without a meaning are refused with a message that says why. */
#ifndef SL_PIPELINE_H
#define SL_PIPELINE_H

#include "options.h"
#include "sampler.h"
#include "tagged.h"

#define SL_PIPELINE_LEVELS 4u

/* Estimate of a tuple's count:
 *
 *     sum     the sum of the counts of its messages
 *     ratio   its fraction of the samples of its substream, times the events that these denote
 *
 * They differ only for CR. */
enum sl_estimate { SL_ESTIMATE_SUM, SL_ESTIMATE_RATIO };

struct sl_pipeline_config {
    enum sl_component first;
    bool split;                           /* in H[...] */
    uint64_t streams;                     /* n of H; 1 without H */
    uint64_t rate;                        /* of a sampler; 1 for A, T and G */
    uint64_t entries;                     /* of the first component, if it is A */
    struct sl_tagged_config tagged;       /* the first component, if it is T */
    struct sl_gathering_config gathering; /* if it is G */
    uint64_t level[SL_PIPELINE_LEVELS];   /* k of each A after it */
    size_t n_levels;
    uint64_t seed;
    unsigned estimate; /* enum sl_estimate */
    uint64_t width;
    uint64_t word;                 /* bits of each field that are hashed */
    unsigned quotient, first_miss; /* of T: readings of figure 6; 0: default */
    uint64_t input, pick;          /* length and service time of the input queue */
    uint64_t service, queue;       /* service time and length of the output queue */
    double converge;               /* percent; 0: no convergence checks */
    uint64_t check, filter;        /* messages between two checks; entries of the filter */
};

extern const struct sl_option sl_pipeline_options[];
extern const struct sl_option sl_pipeline_written[]; /* the fields of the notation, as options */

/* Members of sl_table_compressor. */
int sl_pipeline_parse(const char *text, size_t from, size_t *end, void *config,
                      struct sl_failure *f);
void sl_pipeline_notation(const void *config, char *out, size_t capacity);
void sl_pipeline_list(FILE *out);
uint64_t sl_pipeline_storage_bits(const void *config);

/* Whether the first component uses the hash (substreams of H, sets of T, entries of G), and how
 * many bits of it. */
bool sl_pipeline_is_hashed(const struct sl_pipeline_config *config);
unsigned sl_pipeline_hash_bits(const struct sl_pipeline_config *config);

#endif
