/* SPDX-License-Identifier: MIT */
/* Unit tests of the source for branch stacks of perf (perf_source.c). A sample of n branches gives
 * n + 1 blocks in the order of execution. Each block between two branches extends from the target
 * of the first branch to the second branch. Words of a line that are not branches are ignored. */
#include <string.h>
#include <unistd.h>

#include "source.h"
#include "tap.h"

static char path[64];
static struct sl_failure f;

static struct sl_source *open_text(const char *text)
{
    char name[80];
    struct sl_source *source = NULL;
    snprintf(path, sizeof path, "/tmp/sluice-perf-%d", (int)getpid());
    FILE *file = fopen(path, "w");
    if (file) {
        fputs(text, file);
        fclose(file);
    }
    snprintf(name, sizeof name, "perf:%s", path);
    if (sl_source_open(&source, name, &f) < 0)
        printf("# %s\n", f.text);
    return source;
}

static void close_text(struct sl_source *source)
{
    sl_source_close(source);
    unlink(path);
}

static const struct sl_block *block_of(const struct sl_source *s, const struct sl_chunk *c,
                                       uint32_t i)
{
    return &s->statics.block[c->block[i]];
}

/* perf prints the latest branch first. */
static void samples(void)
{
    struct sl_source *s = open_text("prog 12 [001] 0.5: 0x1140/0x1200/M/-/-/3/CALL  "
                                    "0x1120(/bin/prog)/0x1130/P/-/-/1/COND\n"
                                    "a line without branches, 0x10/x\n"
                                    "0x2000/0x1000/P/-/-/1/RET\n");
    struct sl_chunk c;
    if (!ok(s && sl_source_next(s, &c, &f) == 1, "a sample is a chunk"))
        return;
    ok(c.n_blocks == 3 && c.flags == SL_CHUNK_START, "two branches give three blocks");
    ok(block_of(s, &c, 0)->pc == 0x1120, "only the branch of the first block is known");
    ok(block_of(s, &c, 1)->pc == 0x1130 && block_of(s, &c, 1)->n_bytes == 0x11,
       "a block extends from the target of a branch to the next branch");
    ok(block_of(s, &c, 2)->pc == 0x1200 && block_of(s, &c, 2)->n_insns == 1,
       "only the start of the last block is known");
    ok(sl_source_next(s, &c, &f) == 1 && c.flags == SL_CHUNK_GAP && c.n_blocks == 2,
       "there is a gap before the next sample, and the line between them is ignored");
    ok(sl_source_next(s, &c, &f) == 0, "the stream ends with the file");
    ok(strstr(s->warning, "2 samples with 3 taken branches: counts refer to the samples") ==
           s->warning,
       "a warning says what was sampled: %s", s->warning);
    close_text(s);
}

/* A branch that lies before the target of the previous one cannot end its block. */
static void interrupted(void)
{
    struct sl_source *s = open_text(
        "0x1000/0x5000/P/-/-/1/COND 0x2000/0x3000/P/-/-/1/COND 0x10/0x20/P/-/-/1\n");
    struct sl_chunk c;
    ok(s && sl_source_next(s, &c, &f) == 1 && c.n_blocks == 4, "every branch has its block");
    ok(block_of(s, &c, 2)->pc == 0x1000 && block_of(s, &c, 2)->n_bytes == 1,
       "if the code is not sequential, the block has only its branch");
    ok(sl_source_next(s, &c, &f) == 0 && strstr(s->warning, "the code between some branches"),
       "a warning says so");
    close_text(s);
}

static void refused(void)
{
    struct sl_chunk c;
    struct sl_source *s = open_text("no branches here\n0x/0x12/P\n0x12/0x13/Q\n");
    ok(s && sl_source_next(s, &c, &f) == SL_EFORMAT && strstr(f.text, "perf record -b"),
       "a file without branch stacks is refused, and the message names the command");
    close_text(s);
    size_t size = 70000;
    char *line = malloc(size + 1);
    memset(line, 'x', size);
    line[size] = '\0';
    s = open_text(line);
    ok(s && sl_source_next(s, &c, &f) == SL_EFORMAT && strstr(f.text, "line 1 is longer"),
       "a line that is too long is refused with its number");
    close_text(s);
    free(line);
}

int main(void)
{
    samples();
    interrupted();
    refused();
    return done_testing();
}
