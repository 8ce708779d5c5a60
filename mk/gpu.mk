# SPDX-License-Identifier: MIT
# Tables on a GPU: build/libsluice-gpu.so, which `sluice sweep --on gpu` loads; built if nvcc is found.
# For tests, the same sources are also compiled for the CPU (libsluice-lanes.so).
NVCC ?= $(firstword $(wildcard /usr/local/cuda/bin/nvcc) $(shell command -v nvcc 2>/dev/null))
# Code for the A100 and newer GPUs (sm_80, with PTX for later ones), and for the H100 (sm_90).
GPU_CODE ?= -gencode arch=compute_80,code=[sm_80$(comma)compute_80] -gencode arch=compute_90,code=sm_90
GPU_LIBRARY := $(BUILD)/libsluice-gpu.so
LANES_LIBRARY := $(BUILD)/tests/libsluice-lanes.so
GPU_INCLUDES := -Iinclude -Istudy/gpu -Istudy/sweep -Isrc/tables/compress -Isrc/base

.PHONY: gpu
ifeq ($(NVCC),)
gpu:
	@echo 'make gpu: nvcc not found: set NVCC=PATH' >&2; exit 1
else
gpu: $(GPU_LIBRARY)
endif

$(GPU_LIBRARY): study/gpu/bank_cuda.cu $(wildcard study/gpu/*.h) study/sweep/bank.h $(BUILD)/src/base/byte_hash.o
	$(call quiet,NVCC)$(NVCC) -O3 $(GPU_CODE) -DSL_GPU_INLINE='__host__ __device__ static inline' -Xcompiler -fPIC,-fvisibility=hidden --shared -Xlinker -z,defs $(GPU_INCLUDES) -o $@ $< $(BUILD)/src/base/byte_hash.o

$(LANES_LIBRARY): study/gpu/bank_lanes.c $(wildcard study/gpu/*.h) study/sweep/bank.h $(BUILD)/src/base/byte_hash.o
	@mkdir -p $(@D)
	$(call quiet,CC)$(CC) $(filter-out -MMD -MP,$(ALL_CFLAGS)) -fPIC -shared $(GPU_INCLUDES) -o $@ $< $(BUILD)/src/base/byte_hash.o

# The unit test bank.t loads it.
tests unit-tests: $(LANES_LIBRARY)

# The files that bench/gpu.sh needs on a computer with a GPU. TRACE is a trace with load values.
.PHONY: gpu-bundle
gpu-bundle: $(SLUICE) $(GPU_LIBRARY)
	rm -rf $(BUILD)/gpu-bundle && mkdir -p $(BUILD)/gpu-bundle/lib
	strip -o $(BUILD)/gpu-bundle/sluice $(SLUICE)
	cp $(GPU_LIBRARY) bench/gpu.sh $(BUILD)/gpu-bundle
	$(if $(TRACE),cp $(TRACE) $(BUILD)/gpu-bundle/stream.slt)
	ldd $(SLUICE) | awk '$$3 ~ /^\// && $$3 !~ /\/lib(c|m)\.so/ {print $$3}' | xargs -I{} cp -L {} $(BUILD)/gpu-bundle/lib/
