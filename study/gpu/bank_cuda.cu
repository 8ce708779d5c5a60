/* SPDX-License-Identifier: MIT */
/* The banks on a card, by CUDA: its memory, and the steps of interval_bank.h as kernels. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern "C" {
#include "byte_hash.h"
}
#include "bank_step.h"

#define THREADS 256u

static cudaError_t trouble = cudaSuccess;

static bool went_well(cudaError_t error)
{
    if (error != cudaSuccess)
        trouble = error;
    return error == cudaSuccess;
}

static const char *bank_trouble(void)
{
    static char text[200];
    snprintf(text, sizeof text, "the card says: %s", cudaGetErrorString(trouble));
    return text;
}

/* ---- memory ---------------------------------------------------------------- */

static void *bank_alloc(size_t bytes)
{
    void *memory = NULL;
    return went_well(cudaMalloc(&memory, bytes ? bytes : 1)) ? memory : NULL;
}

static void bank_free(void *memory)
{
    cudaFree(memory);
}

static bool bank_zero(void *memory, size_t bytes)
{
    return went_well(cudaMemset(memory, 0, bytes));
}

static bool bank_up(void *to, const void *from, size_t bytes)
{
    return went_well(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice));
}

static bool bank_down(void *to, const void *from, size_t bytes)
{
    return went_well(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost));
}

static size_t bank_memory(void)
{
    size_t free_bytes = 0, all = 0;
    return went_well(cudaMemGetInfo(&free_bytes, &all)) ? free_bytes : 0;
}

/* ---- kernels --------------------------------------------------------------- */

__global__ static void identify(struct sl_bank_events e, uint32_t n, uint32_t *first, unsigned bits,
                                uint32_t *tuple)
{
    uint32_t i = blockIdx.x * THREADS + threadIdx.x;
    if (i < n)
        tuple[i] = sl_bank_identify(&e, i, first, bits);
}

__global__ static void hash_events(struct sl_bank_events e, uint32_t from, uint32_t n, const uint64_t *hash,
                                   uint64_t *packed)
{
    uint32_t i = blockIdx.x * THREADS + threadIdx.x;
    if (i < n)
        packed[i] = sl_bank_hash(&e, from + i, hash);
}

/* A block is a warp, with the state of its table in shared memory. By kind, as registers that one kind
 * needs would be missing for warps of another. */
template <uint32_t KIND>
__global__ static void __launch_bounds__(32, 32) take_shared(const struct sl_bank_table *table,
                                                             uint32_t *state, struct sl_bank_in in,
                                                             struct sl_bank_out out)
{
    extern __shared__ __align__(16) uint32_t here[];
    struct sl_bank_table t = table[blockIdx.x];
    uint32_t *there = state + t.state;
    t.kind = KIND;
    for (uint32_t i = threadIdx.x; i < t.words; i += SL_WARP)
        here[i] = there[i];
    sl_meet();
    sl_bank_take(&t, here, &in, &out);
    sl_meet();
    for (uint32_t i = threadIdx.x; i < t.words; i += SL_WARP)
        there[i] = here[i];
}

/* One that is too large for that. */
template <uint32_t KIND>
__global__ static void __launch_bounds__(32, 32) take_far(const struct sl_bank_table *table, uint32_t *state,
                                                          struct sl_bank_in in, struct sl_bank_out out)
{
    struct sl_bank_table t = table[blockIdx.x];
    t.kind = KIND;
    sl_bank_take(&t, state + t.state, &in, &out);
}

static bool finished(void)
{
    return went_well(cudaGetLastError()) && went_well(cudaDeviceSynchronize());
}

static bool bank_run_identify(const struct sl_bank_events *e, uint32_t n, uint32_t *first, unsigned bits,
                              uint32_t *tuple)
{
    identify<<<(n + THREADS - 1) / THREADS, THREADS>>>(*e, n, first, bits, tuple);
    return finished();
}

static bool bank_run_hash(const struct sl_bank_events *e, uint32_t from, uint32_t n, const uint64_t *hash,
                          uint64_t *packed)
{
    hash_events<<<(n + THREADS - 1) / THREADS, THREADS>>>(*e, from, n, hash, packed);
    return went_well(cudaGetLastError());
}

/* In a queue of its own, which goes when it is empty; it begins behind the hashes. */
template <uint32_t KIND>
static bool run_take(const struct sl_bank_table *table, uint32_t n, size_t bytes, uint32_t *state,
                     const struct sl_bank_in *in, const struct sl_bank_out *out)
{
    int device = 0, most = 0;
    cudaStream_t queue;
    if (!went_well(cudaGetDevice(&device)) ||
        !went_well(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device)) ||
        !went_well(cudaFuncSetAttribute(take_shared<KIND>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                        most)) ||
        !went_well(cudaFuncSetAttribute(take_shared<KIND>, cudaFuncAttributePreferredSharedMemoryCarveout,
                                        cudaSharedmemCarveoutMaxShared)) ||
        !went_well(cudaStreamCreate(&queue)))
        return false;
    if (bytes > (size_t)most)
        take_far<KIND><<<n, SL_WARP, 0, queue>>>(table, state, *in, *out);
    else
        take_shared<KIND><<<n, SL_WARP, bytes, queue>>>(table, state, *in, *out);
    bool begun = went_well(cudaGetLastError());
    return went_well(cudaStreamDestroy(queue)) && begun;
}

static bool bank_run_take(const struct sl_bank_table *table, uint32_t n, const struct sl_bank_table *largest,
                          uint32_t *state, const struct sl_bank_in *in, const struct sl_bank_out *out)
{
    size_t bytes = largest->words * sizeof *state;
    if (largest->kind == SL_BANK_INTERVAL)
        return run_take<SL_BANK_INTERVAL>(table, n, bytes, state, in, out);
    if (largest->kind == SL_BANK_COMPRESSOR)
        return run_take<SL_BANK_COMPRESSOR>(table, n, bytes, state, in, out);
    return run_take<SL_BANK_HPT>(table, n, bytes, state, in, out);
}

static bool bank_wait(void)
{
    return finished();
}

extern "C" {
#include "bank_host.h"
}

static int bank_look(char *words, size_t capacity)
{
    struct cudaDeviceProp card;
    int n = 0;
    if (!went_well(cudaGetDeviceCount(&n)) || !n || !went_well(cudaGetDeviceProperties(&card, 0))) {
        snprintf(words, capacity, "no card answers: %s", cudaGetErrorString(trouble));
        return -1;
    }
    snprintf(words, capacity, "%s, %d multiprocessors", card.name, card.multiProcessorCount);
    return 0;
}

extern "C" {
extern const struct sl_bank sl_bank;
__attribute__((visibility("default"))) const struct sl_bank sl_bank = {SL_BANK_VERSION, bank_look,
                                                                       bank_run};
}
