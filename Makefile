# SPDX-License-Identifier: MIT
# Main Makefile of sluice. `make help` lists the targets.
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

# Builds sluice and profiles a small program, demo/primes.c.
demo: engine-without-plugins
	@$(MAKE) --no-print-directory -j2 all $(BUILD)/demo/primes
	@echo '$$ sluice run ./primes'
	@cd $(BUILD)/demo && $(abspath $(SLUICE)) run ./primes

$(BUILD)/demo/primes: demo/primes.c
	@mkdir -p $(@D)
	$(call quiet,CC)$(CC) -g -O1 -o $@ $<

# Prints the compiler flags, for tests that compile single source files.
flags:
	@echo $(filter-out -MMD -MP,$(ALL_CFLAGS)) $(STUDY_INCLUDES)

# Applies .clang-format to every C file except guest programs, whose line numbers appear in documents.
format:
	git ls-files '*.[ch]' | grep -vE '^(tests/programs|demo|bench/workloads|tests/golden)/' | xargs clang-format -i

clean:
	rm -rf build

help:
	@echo 'make            build sluice, its library and its QEMU plugins in build/'
	@echo 'make demo       install packages, build, profile a small program'
	@echo 'make check      install packages, build, run all tests'
	@echo 'make check-src  run only the unit tests of src/, which do not need study/'
	@echo 'make engine     build the engine, QEMU with the tap, from Debian'"'"'s source and cache it'
	@echo 'make bare       run make demo and make check in a new Debian system (SUITE=trixie or bookworm)'
	@echo 'make fuzz       run each fuzzer for FUZZ_SECONDS'
	@echo 'make guided-fuzz    run the fuzzers with coverage feedback (libFuzzer)'
	@echo 'make fuzz-coverage  show how much of src/ the fuzzers reach'
	@echo 'make torture    kill guest or sluice TORTURE times at random moments (default 660)'
	@echo 'make check-valgrind  run the unit tests under valgrind'
	@echo 'make check-aarch64   build for AArch64 and run the unit tests under QEMU'
	@echo 'make rtl-long   compare the RTL of all tables with their models, millions of events'
	@echo 'make rtl-faults check that lockstep finds each deliberate fault in the RTL'
	@echo 'make rtl-proofs run the formal proofs of the RTL'
	@echo 'make gpu        build the GPU library for sluice sweep --on gpu; needs nvcc'
	@echo 'make site       build docs/results/index.html from the result pages'
	@echo 'make workloads  build the programs of bench/workloads for their guests'
	@echo 'make bench      run the benchmarks of bench/'
	@echo 'make install    install into PREFIX (default /usr/local), below DESTDIR if set'
	@echo 'make uninstall  remove the installed files'
	@echo 'make deb        build Debian packages in build/deb'
	@echo 'make dist       pack the committed files as build/sluice-VERSION.tar.xz'
	@echo 'make results    run every experiment and update docs/results; an hour or more'
	@echo 'make format     apply .clang-format to the C files'
	@echo 'make clean      remove build/'
	@echo 'V=1             show the commands'
	@echo 'SAN=1           build with AddressSanitizer and UBSan, in build/san'
	@echo 'SAN=thread      build with ThreadSanitizer, in build/tsan; check runs the threaded tests'
