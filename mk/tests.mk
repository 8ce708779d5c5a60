# SPDX-License-Identifier: MIT
# Tests, which print TAP and run under prove. tests/unit and tests/fuzz are C programs that use the
# library; tests/cli, tests/oracle and tests/rtl are shell scripts that run the program.
UNIT_TESTS := $(patsubst tests/unit/%.c,$(BUILD)/tests/unit/%.t,$(wildcard tests/unit/*.c))
STUDY_TESTS := $(patsubst tests/study/%.c,$(BUILD)/tests/study/%.t,$(wildcard tests/study/*.c))
FUZZERS := $(patsubst tests/fuzz/%.c,build/san/fuzz/%.t,$(wildcard tests/fuzz/*.c))
SUPPORT := $(patsubst tests/support/%.c,$(BUILD)/tests/support/%,$(wildcard tests/support/*.c))
TEST_SCRIPTS := $(wildcard tests/cli/*.t tests/oracle/*.t tests/rtl/*.t)
# Tests of threaded code, for ThreadSanitizer: `make check SAN=thread`.
THREADED := $(patsubst %,$(BUILD)/tests/unit/%.t,symbols_ahead session_threads trace_roundtrip value_tables report_database \
    export_formats) $(patsubst %,tests/cli/%.t,live top threads sweep stops forks lab_trace plans) tests/oracle/ring.t
# A snapshot is saved by a child process of a threaded program, which ThreadSanitizer refuses by
# default.
ifeq ($(SAN),thread)
export TSAN_OPTIONS := die_after_fork=0
endif
TESTS ?= $(if $(filter thread,$(SAN)),$(THREADED),$(UNIT_TESTS) $(STUDY_TESTS) $(FUZZERS) $(TEST_SCRIPTS))

$(BUILD)/tests/unit/%.t: tests/unit/%.c $(LIBRARY) tests/tap.h
	@mkdir -p $(@D)
	$(call quiet,CC)$(CC) $(ALL_CFLAGS) $(INCLUDES) -Itests -o $@ $< $(LIBRARY) $(LIBS)

# Unit tests of study/. Those in tests/unit link only libsluice, so src/ passes its tests without study/.
$(BUILD)/tests/study/%.t: tests/study/%.c $(LIBRARY) $(STUDY_LIBRARY) $(LAB_ARCHIVE) tests/tap.h
	@mkdir -p $(@D)
	$(call quiet,CC)$(CC) $(ALL_CFLAGS) $(STUDY_INCLUDES) -Itests -o $@ $< $(LAB_ARCHIVE) $(STUDY_LIBRARY) $(LIBRARY) $(LIBS)

# Programs that the test scripts use.
$(BUILD)/tests/support/%: tests/support/%.c $(STUDY_LIBRARY) $(LIBRARY)
	@mkdir -p $(@D)
	$(call quiet,CC)$(CC) $(ALL_CFLAGS) $(STUDY_INCLUDES) -Itests -o $@ $< $(STUDY_LIBRARY) $(LIBRARY) $(LIBS)

# Fuzzers are always built with sanitizers and link the libraries of SAN=1. One recursive make builds
# these libraries and knows which objects are out of date.
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
tests: all $(UNIT_TESTS) $(STUDY_TESTS) $(SUPPORT) $(if $(filter thread,$(SAN)),,$(FUZZERS))

# Packages whose line profiles tests/oracle/real_lines.t compares with callgrind's; SOURCES= skips them.
SOURCES ?= bzip2 zlib lz4 lua5.4 tcc xxhash cjson tinyxml2
.PHONY: real-sources speedscope
real-sources:
	@[ -z "$(SOURCES)" ] || sh mk/real-sources.sh $(SOURCES)
# speedscope, in which tests/oracle/viewers.t opens exported profiles; needs npm.
speedscope:
	@[ "$(NO_PACKAGES)" ] || sh mk/speedscope.sh

# Builds and runs all tests, for two cores: two jobs.
check: test-packages optional-engine real-sources speedscope
	@$(MAKE) --no-print-directory -j2 tests
	@BUILD=$(abspath $(BUILD)) sh mk/prove.sh $(TESTS)

# Builds only src/ and runs its unit tests, which need nothing of study/ and cli/.
.PHONY: check-src
check-src:
	@$(MAKE) --no-print-directory -j2 $(UNIT_TESTS)
	@BUILD=$(abspath $(BUILD)) sh mk/prove.sh $(UNIT_TESTS)

# Kills the guest or sluice TORTURE times at random moments (tests/torture/sigkill.sh).
TORTURE ?= 660
.PHONY: torture check-valgrind
torture: test-packages optional-engine
	@$(MAKE) --no-print-directory -j2 all
	BUILD=$(abspath $(BUILD)) TORTURE=$(TORTURE) sh tests/torture/sigkill.sh

# The unit tests under valgrind, which finds reads of uninitialized memory. (SAN=1 runs the whole suite
# with sanitizers. QEMU and the taps in it are instrumented in neither case.)
check-valgrind: test-packages
	@$(MAKE) --no-print-directory -j2 all unit-tests
	TESTS_STEP_SLOWLY=1 prove -j2 -e 'valgrind -q --error-exitcode=9 --leak-check=full' $(UNIT_TESTS) $(STUDY_TESTS)

-include $(UNIT_TESTS:.t=.d) $(STUDY_TESTS:.t=.d) $(SUPPORT:=.d) $(FUZZERS:.t=.d)
