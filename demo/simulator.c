/* Example: a small simulator that reads instruction streams through sluice's library, and models a
 * 32 KB cache and a branch predictor.
 *
 *     cc simulator.c -o simulator $(pkg-config --cflags --libs sluice)     (or c++)
 *     sluice record -m rocket -o prog.slt ./prog
 *     ./simulator prog.slt
 *
 * It accepts any stream that sluice reads: a trace, "champsim:FILE", "perf:FILE". */
#include <inttypes.h>
#include <stdio.h>

#include <sluice.h>

#define LINE_LOG2 6
#define SETS 512u
#define COUNTERS 4096u

static struct {
    uint64_t line[SETS];
    uint8_t counter[COUNTERS];
    uint64_t instructions, loads, stores, misses, branches, taken, mispredicted;
} simulator;

static void access_memory(const struct sl_instruction_access *access)
{
    uint64_t line = access->address >> LINE_LOG2, *place = &simulator.line[line % SETS];
    simulator.loads += !access->store;
    simulator.stores += access->store;
    simulator.misses += *place != line;
    *place = line;
}

static void predict(const struct sl_instruction *instruction)
{
    uint8_t *counter = &simulator.counter[instruction->pc % COUNTERS];
    simulator.branches++;
    simulator.taken += instruction->taken;
    simulator.mispredicted += (*counter >= 2) != instruction->taken;
    if (instruction->taken && *counter < 3)
        ++*counter;
    if (!instruction->taken && *counter > 0)
        --*counter;
}

static void step(const struct sl_instruction *instruction)
{
    simulator.instructions++;
    for (size_t i = 0; i < instruction->n_accesses; i++)
        access_memory(&instruction->access[i]);
    if (instruction->branch == SL_BRANCH_CONDITIONAL && instruction->followed)
        predict(instruction);
}

int main(int argc, char **argv)
{
    struct sl_failure failure;
    struct sl_source *source = NULL;
    struct sl_instructions *instructions = NULL;
    struct sl_instruction instruction;
    if (argc != 2) {
        fprintf(stderr, "usage: simulator STREAM\n");
        return 2;
    }
    int more = sl_source_open(&source, argv[1], &failure);
    if (more >= 0)
        more = sl_instructions_open(&instructions, source, &failure);
    while (more >= 0 && (more = sl_instructions_next(instructions, &instruction, &failure)) > 0)
        step(&instruction);
    if (more < 0)
        fprintf(stderr, "simulator: %s\n", failure.text);
    else
        printf("instructions %" PRIu64 "\nloads %" PRIu64 "\nstores %" PRIu64 "\nmisses %" PRIu64
               "\nbranches %" PRIu64 "\ntaken %" PRIu64 "\nmispredicted %" PRIu64 "\n",
               simulator.instructions, simulator.loads, simulator.stores, simulator.misses,
               simulator.branches, simulator.taken, simulator.mispredicted);
    sl_instructions_close(instructions);
    sl_source_close(source);
    return more < 0;
}
/* SPDX-License-Identifier: MIT */
