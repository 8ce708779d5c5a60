/* SPDX-License-Identifier: MIT */
/* Test program that reads a trace (or any other source) with the library and prints all records and
 * events, one per line (usage: dump_slt NAME). */
#include <stdio.h>

#include "source.h"

static int print_records(void *context, const uint8_t *data, size_t size, struct sl_failure *f)
{
    (void)context, (void)f;
    for (size_t at = 0; at < size;) {
        uint32_t length = 0, type = 0;
        for (int i = 3; i >= 0; i--) {
            length = length << 8 | data[at + (size_t)i];
            type = type << 8 | data[at + 4 + (size_t)i];
        }
        printf("record %u ", type);
        for (uint32_t i = 0; i < length; i++)
            printf("%02x", data[at + SL_RECORD_HEAD + i]);
        printf("\n");
        at += SL_RECORD_HEAD + length;
    }
    return 0;
}

static void print_mems(const struct sl_chunk *c, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++) {
        printf("m %08x", c->mem_insn[i]);
        if (c->mem_value)
            printf(" v %llx", (unsigned long long)c->mem_value[i]);
        if (c->mem_addr)
            printf(" a %llx", (unsigned long long)c->mem_addr[i]);
        printf("\n");
    }
}

static void print_chunk(const struct sl_chunk *c)
{
    printf("chunk thread %u flags %u blocks %u mems %u\n", c->thread, c->flags, c->n_blocks,
           c->n_mems);
    print_mems(c, 0, c->block_mem && c->n_blocks ? c->block_mem[0] : c->n_mems);
    for (uint32_t i = 0; i < c->n_blocks; i++) {
        printf("b %u\n", c->block[i]);
        if (c->block_mem)
            print_mems(c, c->block_mem[i], i + 1 < c->n_blocks ? c->block_mem[i + 1] : c->n_mems);
    }
}

/* It was applied on opening. */
static void print_program(const struct sl_source *source)
{
    static uint8_t record[SL_RECORD_HEAD + SL_RECORD_MAX];
    if (source->statics.program.path)
        print_records(NULL, record,
                      sl_statics_program_record(&source->statics, record, sizeof record), NULL);
}

int main(int argc, char **argv)
{
    struct sl_source *source;
    struct sl_chunk chunk;
    struct sl_failure f;
    if (argc != 2) {
        fprintf(stderr, "usage: dump_slt NAME\n");
        return 2;
    }
    int result = sl_source_open(&source, argv[1], &f);
    if (result < 0) {
        printf("%s\n", f.text);
        return 1;
    }
    source->on_records = print_records;
    printf("needs %u\n", sl_source_contents(source));
    print_program(source);
    while ((result = sl_source_next(source, &chunk, &f)) > 0)
        print_chunk(&chunk);
    printf("%s\n", result < 0 ? f.text : source->warning[0] ? source->warning : "end");
    sl_source_close(source);
    return result < 0;
}
