# SPDX-License-Identifier: MIT
# Fuzzers: programs that try hostile inputs for FUZZ_SECONDS each, sanitized in any case. `make
# check` runs them for a little, `make fuzz` for as long as one likes, JOBS of them at a time, and
# says how many inputs they tried. `make guided-fuzz` has them led by coverage, with clang's libFuzzer, from
# the corpus that each has.
FUZZ_SECONDS ?= 30
export FUZZ_SECONDS
JOBS ?= $(shell nproc)
FUZZ_NAMES := $(patsubst tests/fuzz/%.c,%,$(wildcard tests/fuzz/*.c))
FUZZ_CC := clang-19
FUZZ_LIBRARY := build/fuzz/libsluice.a
GUIDED := $(FUZZ_NAMES:%=build/fuzz/guided/%)

.PHONY: fuzz guided-fuzz fuzz-coverage
fuzz: $(FUZZERS)
	sh tests/fuzz/many.sh $(JOBS) $(FUZZ_SECONDS) $(FUZZERS)

# A library with clang's coverage in it, and the fuzzers led by it. Clang takes an offset of 0 from no address for an
# overflow, which is no flaw; overflows that are, gcc's sanitizer finds in the plain fuzzers.
FUZZ_FLAGS := -fsanitize=address,undefined,float-cast-overflow,fuzzer-no-link -fno-sanitize-recover=undefined,float-cast-overflow \
    -fno-sanitize=function,pointer-overflow -fno-omit-frame-pointer
.PHONY: fuzz-library
fuzz-library: fuzz-packages
	@$(MAKE) --no-print-directory CC=$(FUZZ_CC) SAN=1 BUILD=build/fuzz SANFLAGS='$(FUZZ_FLAGS)' \
	    CFLAGS='-O1 -g' $(FUZZ_LIBRARY) build/fuzz/libsluice-study.a

build/fuzz/guided/%: tests/fuzz/%.c fuzz-library
	@mkdir -p $(@D)
	$(call quiet,CC)$(FUZZ_CC) -std=gnu11 -D_GNU_SOURCE -DSL_LIBFUZZER -O1 -g $(subst fuzzer-no-link,fuzzer,$(FUZZ_FLAGS)) \
	    $(STUDY_INCLUDES) -Itests -o $@ $< build/fuzz/libsluice-study.a $(FUZZ_LIBRARY) $(LIBS)

# What it finds new goes into build/fuzz/NAME; inputs that fail into build/fuzz.
guided-fuzz: $(GUIDED)
	sh tests/fuzz/guided.sh $(JOBS) $(FUZZ_SECONDS) $(FUZZ_NAMES)

# How much of src/ the fuzzers reach, by gcov: a line for each folder.
fuzz-coverage:
	@$(MAKE) --no-print-directory BUILD=build/coverage CFLAGS='-O1 -g --coverage' build/coverage/libsluice.a
	@LIBS="$(LIBS)" CC="$(CC)" sh tests/fuzz/coverage.sh build/coverage $(wildcard tests/fuzz/*.c)
