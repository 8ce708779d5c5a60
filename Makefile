# SPDX-License-Identifier: MIT
# sluice. `make help` lists what can be made.
.DEFAULT_GOAL := all
MAKEFLAGS += --no-builtin-rules

include mk/config.mk
include mk/packages.mk
include mk/study.mk
include mk/library.mk
include mk/lab.mk
include mk/tap.mk
include mk/engine.mk
include mk/tests.mk
include mk/fuzz.mk
include mk/rtl.mk
include mk/gpu.mk
include mk/bench.mk
include mk/workloads.mk
include mk/install.mk
include mk/systems.mk

.PHONY: all demo format clean help flags
all: $(SLUICE) $(STUDY_LIBRARY) $(SHARED_LIBRARY) $(TAPS)

# Profiles a program of a screenful that a newcomer can read: demo/primes.c.
demo: needed-engine
	@$(MAKE) --no-print-directory -j2 all $(BUILD)/demo/primes
	@echo '$$ sluice run ./primes'
	@cd $(BUILD)/demo && $(abspath $(SLUICE)) run ./primes

$(BUILD)/demo/primes: demo/primes.c
	@mkdir -p $(@D)
	$(call quiet,CC)$(CC) -g -O1 -o $@ $<

# What tests compile the sources with once more.
flags:
	@echo $(filter-out -MMD -MP,$(ALL_CFLAGS)) $(STUDY_INCLUDES)

# The style of .clang-format, for every C file but guest programs, whose line numbers are quoted.
format:
	git ls-files '*.[ch]' | grep -vE '^(tests/programs|demo|bench/workloads|tests/golden)/' | xargs clang-format -i

clean:
	rm -rf build

help:
	@echo 'make            build sluice, its library and its QEMU plugins in build/'
	@echo 'make demo       install packages, build, profile a small program'
	@echo 'make check      install packages, build, run all tests'
	@echo 'make engine     build a QEMU with the tap in it, once a machine, from Debian'"'"'s source'
	@echo 'make bare       make demo and make check in a new system, SUITE=trixie or bookworm'
	@echo 'make fuzz       fuzzers for FUZZ_SECONDS each; guided-fuzz: led by coverage; fuzz-coverage'
	@echo 'make torture    TORTURE=660 deaths of either side at random moments'
	@echo 'make check-valgrind  the unit tests under valgrind'
	@echo 'make check-aarch64  build for AArch64, run the unit tests under QEMU'
	@echo 'make rtl-long   the hardware of all tables beside their models, millions of events'
	@echo 'make rtl-faults deliberate faults in the hardware, each to be found in lockstep'
	@echo 'make rtl-proofs what is proved of the hardware, and that broken hardware fails'
	@echo 'make gpu        tables on a GPU, where nvcc is: for sluice sweep --on gpu'
	@echo 'make site       docs/results/index.html, from the pages of results'
	@echo 'make workloads  build the programs of bench/workloads for their guests'
	@echo 'make bench      print measured ratios (bench/)'
	@echo 'make install    into PREFIX (default /usr/local), below DESTDIR if set'
	@echo 'make uninstall  take that away again'
	@echo 'make deb        Debian packages, in build/deb'
	@echo 'make results    docs/results, every experiment: an hour or more'
	@echo 'make format     apply .clang-format to the C files'
	@echo 'make clean      remove build/'
	@echo 'V=1             show the commands'
	@echo 'SAN=1           with address and undefined-behaviour sanitizers, in build/san'
	@echo 'SAN=thread      with ThreadSanitizer, in build/tsan; check runs the tests of threaded code'
