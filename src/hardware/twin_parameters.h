/* What twins' parameters are made of. */
#ifndef SL_TWIN_PARAMETERS_H
#define SL_TWIN_PARAMETERS_H

#include <stdint.h>
#include <stdio.h>

/* Bits that hold numbers up to `most`; at least 1. */
static inline unsigned sl_twin_bits(uint64_t most)
{
    unsigned bits = 1;
    while (bits < 64 && most >> bits)
        bits++;
    return bits;
}

/* The parameter BYTES: n byte tables, the first lowest. */
static inline void sl_twin_byte_tables(FILE *out, const uint8_t (*table)[256], unsigned n)
{
    fprintf(out, ",\n    .BYTES(%u'h", 2048 * n);
    for (unsigned k = n; k--;)
        for (unsigned i = 256; i--;)
            fprintf(out, "%02x", table[k][i]);
    fprintf(out, ")");
}

#endif
