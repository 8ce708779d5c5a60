/* SPDX-License-Identifier: MIT */
/* Fuzzer for the readers of files from other tools: traces of ChampSim and branch stacks of perf
 * (usage: foreign.t [SECONDS]).
 *
 * ChampSim records with few distinct addresses and registers, so that they repeat, with changed
 * bytes, truncated, and sometimes with a file of values; perf's branch stacks with arbitrary words
 * between them; lists of slices. Each is read to its end: nothing may crash, chunks keep their
 * guarantees, instructions are consecutive, and a refused file has a message. */
#define TAPE_MAX 1024u
#include "fuzz.h"

#include "chunk_bounds.h"
#include "stored_slices.h"
#include "scratch.h"

const char fuzz_name[] = "foreign";
static struct tape tape;
static char path[64], values[80], stream[80];

static uint64_t below(uint64_t n)
{
    return draw(&tape, n);
}

static FILE *begin(const char *prefix)
{
    snprintf(stream, sizeof stream, "%s%s", prefix, path);
    return fopen(path, "wb");
}

static void put_address(uint8_t *at, bool absurd)
{
    uint64_t address = absurd ? take(&tape, 8) : 0x401000 + below(40) * (1 + below(7));
    memcpy(at, &address, sizeof address);
}

static void make_champsim(void)
{
    static const uint8_t regs[] = {0, 6, 25, 26, 3, 32, 64, 200};
    FILE *out = begin("champsim:");
    uint64_t n = below(300), loads = 0;
    for (uint64_t i = 0; i < n; i++) {
        uint8_t r[64] = {0};
        put_address(r, !below(50));
        r[8] = r[9] = (uint8_t)below(2);
        for (int k = 10; k < 16; k++)
            r[k] = regs[below(sizeof regs)];
        for (int k = 16; k < 64; k += 8)
            if (!below(3))
                put_address(r + k, !below(9)), loads += k >= 32;
        if (!below(100))
            memset(r + below(60), (int)below(256), 4);
        fwrite(r, 1, i + 1 < n || below(4) ? 64 : (size_t)below(64), out);
    }
    fclose(out);
    unlink(values);
    if (below(3))
        return;
    out = fopen(values, "wb");
    fputs(below(9) ? "sluice-values 1\n" : "sluice", out);
    for (uint64_t i = below(loads + 2); i-- && below(300);)
        fwrite(&tape.beyond, 8, 1, out);
    fclose(out);
}

static void make_perf(void)
{
    static const char *const word[] = {"/P/-/-/1",
                                       "/M/-/-/0/COND/-",
                                       "/-/",
                                       "/CALL",
                                       "(/bin/x)/",
                                       "//",
                                       "\n",
                                       " ",
                                       "\t",
                                       "0x",
                                       "/0x",
                                       "RET",
                                       "\r\n",
                                       ":",
                                       "0xffffffffffffffffff/"};
    FILE *out = begin("perf:");
    for (uint64_t i = below(400); i--;) {
        if (below(3))
            fprintf(out, " 0x%llx/0x%llx/P/-/-/%llu%s", (unsigned long long)(0x401000 + below(900)),
                    (unsigned long long)(below(20) ? 0x401000 + below(900) : take(&tape, 8)),
                    (unsigned long long)below(9), below(3) ? "" : "/COND");
        else
            fputs(word[below(sizeof word / sizeof *word)], out);
        if (!below(200))
            putc(0, out);
    }
    if (!below(50))
        for (int i = 0; i < 70000; i++)
            putc('x', out);
    fclose(out);
}

/* Reads it as chunks, or as instructions. */
static bool read_stream(bool whole)
{
    struct sl_source *source;
    struct sl_instructions *it = NULL;
    struct sl_instruction instruction;
    struct sl_chunk chunk;
    struct sl_failure f = {0};
    bool good = true;
    int more = sl_source_open(&source, stream, &f);
    if (more < 0)
        return f.text[0] != 0;
    if (whole)
        more = sl_instructions_open(&it, source, &f);
    do {
        more = whole ? sl_instructions_next(it, &instruction, &f)
                     : sl_source_next(source, &chunk, &f);
        if (more > 0 && !whole)
            good &= chunk_in_bounds(&chunk, source, SL_MEM_INSN_MASK);
    } while (more > 0 && good);
    sl_instructions_close(it);
    sl_source_close(source);
    return good && (more >= 0 || f.text[0]);
}

static bool read_list(void)
{
    static const char *const word[] = {"sluice-slices 2\n",
                                       "trace ",
                                       "warm-up ",
                                       "instructions ",
                                       "interval ",
                                       "slice ",
                                       "a.slt ",
                                       "start ",
                                       "length ",
                                       "weight ",
                                       "1",
                                       "0.5",
                                       "\n",
                                       "#",
                                       "nan",
                                       "-1",
                                       "99999999999999999999",
                                       " "};
    struct sl_stored_slices slices;
    struct sl_failure f = {0};
    FILE *out = begin("");
    fputs(below(9) ? "sluice-slices 2\ntrace a.slt\ninstructions 9\n" : "", out);
    for (uint64_t i = below(60); i--;)
        if (below(4))
            fputs(word[below(sizeof word / sizeof *word)], out);
        else
            fprintf(out, "slice start %d length 3 weight %.1f\n", 300 - 5 * (int)i,
                    (double)below(11) / 10);
    if (!below(20))
        putc(0, out);
    fclose(out);
    int error = sl_slices_read(&slices, path, &f);
    sl_slices_free(&slices);
    return error >= 0 || f.text[0];
}

void fuzz_begin(void)
{
    make_scratch();
    snprintf(path, sizeof path, "%s/a", scratch_folder);
    snprintf(values, sizeof values, "%s/a.values", scratch_folder);
}

void fuzz_one(const uint8_t *data, size_t size)
{
    tape = endless_tape(data, size);
    unsigned kind = (unsigned)below(5);
    if (kind < 2)
        make_champsim();
    else if (kind < 4)
        make_perf();
    if (!(kind == 4 ? read_list() : read_stream(kind & 1)))
        fuzz_wrong("a stream or a list is read or refused with a message");
}

void fuzz_figures(void)
{
    unlink(path);
    unlink(values);
    fclose(nowhere);
}
