/* SPDX-License-Identifier: MIT */
/* Helpers that print the parameters and memories of the generated hardware as Verilog. */
#ifndef SL_RTL_PARAMETERS_H
#define SL_RTL_PARAMETERS_H

#include <stdint.h>
#include <stdio.h>

/* Part of a format of fprintf(): one parameter in a module instance, with the comma before it. */
#define SL_RTL_PARAMETER(name, value) ",\n    ." name "(" value ")"

/* Number of bits for values up to `most`; at least 1. */
static inline unsigned sl_rtl_bits(uint64_t most)
{
    unsigned bits = 1;
    while (bits < 64 && most >> bits)
        bits++;
    return bits;
}

/* Prints the parameter BYTES: n byte tables, the first one in the lowest bits. */
static inline void sl_rtl_byte_tables(FILE *out, const uint8_t (*table)[256], unsigned n)
{
    fprintf(out, ",\n    .BYTES(%u'h", 2048 * n);
    for (unsigned k = n; k--;)
        for (unsigned i = 256; i--;)
            fprintf(out, "%02x", table[k][i]);
    fprintf(out, ")");
}

/* Prints a module with a read-only memory: inputs clk and address, output word one cycle later. */
static inline void sl_rtl_memory(FILE *out, const char *name, unsigned address_bits,
                                 unsigned word_bits, const uint64_t *word, size_t n)
{
    fprintf(out,
            "module %s (\n    input clk,\n    input [%u:0] address,\n    output reg [%u:0] word\n"
            ");\nreg [%u:0] words [0:%u];\nalways @(posedge clk)\n    word <= words[address];\n"
            "initial begin\n",
            name, address_bits - 1, word_bits - 1, word_bits - 1, (1u << address_bits) - 1);
    for (size_t i = 0; i < n; i++)
        fprintf(out, "    words[%zu] = %u'h%llx;\n", i, word_bits, (unsigned long long)word[i]);
    fprintf(out, "end\nendmodule\n");
}

#endif
