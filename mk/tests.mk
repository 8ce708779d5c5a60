# SPDX-License-Identifier: MIT
# TAP through prove. tests/unit and tests/fuzz are C programs against the
# library; tests/cli, tests/oracle and tests/rtl are shell scripts around the program.
UNIT_TESTS := $(patsubst tests/unit/%.c,$(BUILD)/tests/unit/%.t,$(wildcard tests/unit/*.c))
FUZZERS := $(patsubst tests/fuzz/%.c,build/san/fuzz/%.t,$(wildcard tests/fuzz/*.c))
SUPPORT := $(patsubst tests/support/%.c,$(BUILD)/tests/support/%,$(wildcard tests/support/*.c))
TEST_SCRIPTS := $(wildcard tests/cli/*.t tests/oracle/*.t tests/rtl/*.t)
# Tests of everything that has threads, for ThreadSanitizer: `make check SAN=thread`.
THREADED := $(patsubst %,$(BUILD)/tests/unit/%.t,image_prefetch session_threads trace_roundtrip value_tables report_database \
    export_formats) $(patsubst %,tests/cli/%.t,live top threads sweep stops forks lab_trace plans) tests/oracle/ring.t
TESTS ?= $(if $(filter thread,$(SAN)),$(THREADED),$(UNIT_TESTS) $(FUZZERS) $(TEST_SCRIPTS))

$(BUILD)/tests/unit/%.t: tests/unit/%.c $(LIBRARY) $(STUDY_LIBRARY) $(LAB_ARCHIVE) tests/tap.h
	@mkdir -p $(@D)
	$(call quiet,CC)$(CC) $(ALL_CFLAGS) $(STUDY_INCLUDES) -Itests -o $@ $< $(LAB_ARCHIVE) $(STUDY_LIBRARY) $(LIBRARY) $(LIBS)

# Programs that the scripts use.
$(BUILD)/tests/support/%: tests/support/%.c $(STUDY_LIBRARY) $(LIBRARY)
	@mkdir -p $(@D)
	$(call quiet,CC)$(CC) $(ALL_CFLAGS) $(STUDY_INCLUDES) -Itests -o $@ $< $(STUDY_LIBRARY) $(LIBRARY) $(LIBS)

# Fuzzers are sanitized in any case, so their library is the one of SAN=1. It is
# made by one sub-make for all of them, which knows what is out of date.
ifneq ($(SAN),1)
.PHONY: sanitized-library
sanitized-library:
	@$(MAKE) --no-print-directory SAN=1 build/san/libsluice.a build/san/libsluice-study.a
build/san/libsluice.a build/san/libsluice-study.a: sanitized-library ;
endif

build/san/fuzz/%.t: tests/fuzz/%.c tests/tap.h build/san/libsluice.a build/san/libsluice-study.a
	@mkdir -p $(@D)
	$(call quiet,CC)$(CC) -std=gnu11 -D_GNU_SOURCE $(WARNINGS) -O2 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined \
	    -MMD -MP $(STUDY_INCLUDES) -Itests -o $@ $< build/san/libsluice-study.a build/san/libsluice.a $(LIBS)

.PHONY: check tests
tests: all $(UNIT_TESTS) $(SUPPORT) $(if $(filter thread,$(SAN)),,$(FUZZERS))

# Programs whose lines are compared with another profiler's (tests/oracle/real_lines.t); SOURCES= does without.
SOURCES ?= bzip2 zlib lz4 lua5.4 tcc xxhash cjson tinyxml2
.PHONY: real-sources speedscope
real-sources:
	@[ -z "$(SOURCES)" ] || sh mk/real-sources.sh $(SOURCES)
# A viewer that our files are opened in (tests/oracle/viewers.t), where there is npm.
speedscope:
	@[ "$(NO_PACKAGES)" ] || sh mk/speedscope.sh

# The compiler runs of a parallel build and the tests share two cores: one job a core.
check: test-packages wanted-engine real-sources speedscope
	@$(MAKE) --no-print-directory -j2 tests
	@BUILD=$(abspath $(BUILD)) sh mk/prove.sh $(TESTS)

# Kills of either side at random moments (tests/torture/deaths.sh): TORTURE of them.
TORTURE ?= 660
.PHONY: torture check-valgrind
torture: test-packages wanted-engine
	@$(MAKE) --no-print-directory -j2 all
	BUILD=$(abspath $(BUILD)) TORTURE=$(TORTURE) sh tests/torture/deaths.sh

# The unit tests under valgrind, which sees reads of what was never written. (SAN=1 has the
# whole suite under sanitizers; QEMU and the taps inside it are what they are in both.)
check-valgrind: test-packages
	@$(MAKE) --no-print-directory -j2 all unit-tests
	TESTS_STEP_SLOWLY=1 prove -j2 -e 'valgrind -q --error-exitcode=9 --leak-check=full' $(UNIT_TESTS)

-include $(UNIT_TESTS:.t=.d) $(SUPPORT:=.d) $(FUZZERS:.t=.d)
