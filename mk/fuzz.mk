# Fuzzers: programs that try hostile inputs for FUZZ_SECONDS each, sanitized in any case. `make
# check` runs them for a little, `make fuzz` for as long as one likes, JOBS of them at a time, and
# says how many inputs they tried. Those of tapes (tests/fuzz/fuzz.h) have a corpus, which clang's libFuzzer leads from and
# adds to where it is installed.
FUZZ_SECONDS ?= 30
export FUZZ_SECONDS
JOBS ?= $(shell nproc)
TAPE_FUZZERS := $(patsubst tests/fuzz/%.c,%,$(shell grep -l '^void fuzz_one' tests/fuzz/*.c))
FUZZ_LIBRARY := build/fuzz/libsluice.a
GUIDED := $(TAPE_FUZZERS:%=build/fuzz/guided/%)

.PHONY: fuzz guided-fuzz fuzz-coverage
fuzz: $(FUZZERS)
	sh tests/fuzz/many.sh $(JOBS) $(FUZZ_SECONDS) $(FUZZERS)

# A library with clang's coverage in it, and the fuzzers led by it.
FUZZ_FLAGS := -fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=undefined \
    -fno-sanitize=function -fno-omit-frame-pointer
.PHONY: fuzz-library
fuzz-library:
	@$(MAKE) --no-print-directory CC=clang SAN=1 BUILD=build/fuzz SANFLAGS='$(FUZZ_FLAGS)' \
	    CFLAGS='-O1 -g' $(FUZZ_LIBRARY)

build/fuzz/guided/%: tests/fuzz/%.c fuzz-library
	@mkdir -p $(@D)
	$(call quiet,CC)clang -std=gnu11 -D_GNU_SOURCE -DSL_LIBFUZZER -O1 -g $(subst fuzzer-no-link,fuzzer,$(FUZZ_FLAGS)) \
	    $(INCLUDES) -Itests -o $@ $< $(FUZZ_LIBRARY) $(LIBS)

# What it finds new goes into build/fuzz/NAME; inputs that fail into build/fuzz.
guided-fuzz: $(GUIDED)
	@for name in $(TAPE_FUZZERS); do \
	    mkdir -p build/fuzz/$$name; \
	    echo "== $$name"; \
	    build/fuzz/guided/$$name -max_total_time=$(FUZZ_SECONDS) -max_len=4096 -rss_limit_mb=4096 \
	        -timeout=60 -artifact_prefix=build/fuzz/$$name- -print_final_stats=1 -verbosity=0 \
	        build/fuzz/$$name tests/fuzz/corpus/$$name || exit 1; done

# How much of src/ the fuzzers reach, by gcov: a line for each folder.
fuzz-coverage:
	@$(MAKE) --no-print-directory BUILD=build/coverage CFLAGS='-O1 -g --coverage' build/coverage/libsluice.a
	@LIBS="$(LIBS)" CC="$(CC)" sh tests/fuzz/coverage.sh build/coverage $(wildcard tests/fuzz/*.c)
