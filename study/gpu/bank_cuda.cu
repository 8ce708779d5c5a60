/* SPDX-License-Identifier: MIT */
/* Accelerator library for NVIDIA GPUs: memory management with CUDA, and the kernels that process
 * events in banks of tables. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern "C" {
#include "byte_hash.h"
}
#include "bank_step.h"

#define THREADS 256u

static cudaError_t last_error = cudaSuccess;

static bool succeeded(cudaError_t error)
{
    if (error != cudaSuccess)
        last_error = error;
    return error == cudaSuccess;
}

static const char *bank_error_text(void)
{
    static char text[200];
    snprintf(text, sizeof text, "CUDA error: %s", cudaGetErrorString(last_error));
    return text;
}

/* ---- memory ---------------------------------------------------------------- */

static void *bank_alloc(size_t bytes)
{
    void *memory = NULL;
    return succeeded(cudaMalloc(&memory, bytes ? bytes : 1)) ? memory : NULL;
}

static void bank_free(void *memory)
{
    cudaFree(memory);
}

static bool bank_zero(void *memory, size_t bytes)
{
    return succeeded(cudaMemset(memory, 0, bytes));
}

static bool bank_up(void *to, const void *from, size_t bytes)
{
    return succeeded(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice));
}

static bool bank_down(void *to, const void *from, size_t bytes)
{
    return succeeded(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost));
}

static size_t bank_memory(void)
{
    size_t free_bytes = 0, all = 0;
    return succeeded(cudaMemGetInfo(&free_bytes, &all)) ? free_bytes : 0;
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

/* A block is one warp; the state of its table is in shared memory. One kernel per kind, so that a
 * kind does not reserve registers that only another kind needs. */
template <uint32_t KIND>
__global__ static void __launch_bounds__(32, 32) take_shared(const struct sl_bank_table *table,
                                                             uint32_t *state, struct sl_bank_in in,
                                                             struct sl_bank_out out)
{
    extern __shared__ __align__(16) uint32_t local[];
    struct sl_bank_table t = table[blockIdx.x];
    uint32_t *global = state + t.state;
    t.kind = KIND;
    for (uint32_t i = threadIdx.x; i < t.words; i += SL_WARP)
        local[i] = global[i];
    sl_meet();
    sl_bank_process(&t, local, &in, &out);
    sl_meet();
    for (uint32_t i = threadIdx.x; i < t.words; i += SL_WARP)
        global[i] = local[i];
}

/* For tables whose state does not fit into shared memory. */
template <uint32_t KIND>
__global__ static void __launch_bounds__(32, 32) take_global(const struct sl_bank_table *table, uint32_t *state,
                                                          struct sl_bank_in in, struct sl_bank_out out)
{
    struct sl_bank_table t = table[blockIdx.x];
    t.kind = KIND;
    sl_bank_process(&t, state + t.state, &in, &out);
}

static bool finished(void)
{
    return succeeded(cudaGetLastError()) && succeeded(cudaDeviceSynchronize());
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
    return succeeded(cudaGetLastError());
}

/* Runs in a CUDA stream of its own, which is released when it is empty. It begins after the
 * hashes. */
template <uint32_t KIND>
static bool run_process(const struct sl_bank_table *table, uint32_t n, size_t bytes, uint32_t *state,
                     const struct sl_bank_in *in, const struct sl_bank_out *out)
{
    int device = 0, most = 0;
    cudaStream_t queue;
    if (!succeeded(cudaGetDevice(&device)) ||
        !succeeded(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device)) ||
        !succeeded(cudaFuncSetAttribute(take_shared<KIND>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                        most)) ||
        !succeeded(cudaFuncSetAttribute(take_shared<KIND>, cudaFuncAttributePreferredSharedMemoryCarveout,
                                        cudaSharedmemCarveoutMaxShared)) ||
        !succeeded(cudaStreamCreate(&queue)))
        return false;
    if (bytes > (size_t)most)
        take_global<KIND><<<n, SL_WARP, 0, queue>>>(table, state, *in, *out);
    else
        take_shared<KIND><<<n, SL_WARP, bytes, queue>>>(table, state, *in, *out);
    bool begun = succeeded(cudaGetLastError());
    return succeeded(cudaStreamDestroy(queue)) && begun;
}

static bool bank_run_process(const struct sl_bank_table *table, uint32_t n, const struct sl_bank_table *largest,
                          uint32_t *state, const struct sl_bank_in *in, const struct sl_bank_out *out)
{
    size_t bytes = largest->words * sizeof *state;
    if (largest->kind == SL_BANK_INTERVAL)
        return run_process<SL_BANK_INTERVAL>(table, n, bytes, state, in, out);
    if (largest->kind == SL_BANK_COMPRESSOR)
        return run_process<SL_BANK_COMPRESSOR>(table, n, bytes, state, in, out);
    return run_process<SL_BANK_HPT>(table, n, bytes, state, in, out);
}

static bool bank_wait(void)
{
    return finished();
}

extern "C" {
#include "bank_host.h"
}

static int bank_describe(char *words, size_t capacity)
{
    struct cudaDeviceProp gpu;
    int n = 0;
    if (!succeeded(cudaGetDeviceCount(&n)) || !n || !succeeded(cudaGetDeviceProperties(&gpu, 0))) {
        snprintf(words, capacity, "no GPU found: %s", cudaGetErrorString(last_error));
        return -1;
    }
    snprintf(words, capacity, "%s, %d multiprocessors", gpu.name, gpu.multiProcessorCount);
    return 0;
}

extern "C" {
extern const struct sl_bank sl_bank;
__attribute__((visibility("default"))) const struct sl_bank sl_bank = {SL_BANK_VERSION, bank_describe,
                                                                       bank_run};
}
