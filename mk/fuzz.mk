# SPDX-License-Identifier: MIT
# Fuzzers: programs that test hostile inputs for FUZZ_SECONDS each, always built with sanitizers. `make
# check` runs them briefly. `make fuzz` runs JOBS of them in parallel and prints how many inputs they
# tested. `make guided-fuzz` runs them with clang's libFuzzer, guided by coverage, from their corpora.
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

# The library with clang's coverage instrumentation. The check pointer-overflow is off, because clang
# also reports NULL + 0; gcc's sanitizer finds real overflows in the plain fuzzers.
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

# New inputs are stored in build/fuzz/NAME, failing inputs in build/fuzz.
guided-fuzz: $(GUIDED)
	sh tests/fuzz/guided.sh $(JOBS) $(FUZZ_SECONDS) $(FUZZ_NAMES)

# Measures how much of src/ the fuzzers reach, by gcov; prints one line per folder.
fuzz-coverage:
	@$(MAKE) --no-print-directory BUILD=build/coverage CFLAGS='-O1 -g --coverage' build/coverage/libsluice.a
	@LIBS="$(LIBS)" CC="$(CC)" sh tests/fuzz/coverage.sh build/coverage $(wildcard tests/fuzz/*.c)
