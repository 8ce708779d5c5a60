# SPDX-License-Identifier: MIT
# Debian packages that sluice needs. `make packages` installs missing ones. On other systems, install
# the corresponding packages by hand and set NO_PACKAGES=1.
BUILD_PACKAGES := gcc g++ make libc6-dev libzstd-dev zlib1g-dev liblzma-dev libxxhash-dev \
    libdw-dev libelf-dev libcapstone-dev libiberty-dev libsqlite3-dev \
    libjansson-dev qemu-user
TEST_PACKAGES := clang-format pkg-config perl procps groff-base man-db valgrind sqlite3 jq zstd bzip2 tcc libc6-dbg binutils \
    gcc-riscv64-linux-gnu libc6-dev-riscv64-cross gcc-aarch64-linux-gnu libc6-dev-arm64-cross \
    gcc-mipsel-linux-gnu libc6-dev-mipsel-cross gcc-mips-linux-gnu libc6-dev-mips-cross \
    protobuf-compiler gnuplot-nox verilator iverilog tmux nlohmann-json3-dev libdevel-nytprof-perl
# For fetching and building QEMU's user mode (mk/engine.sh).
ENGINE_PACKAGES := ninja-build pkg-config python3-venv meson libglib2.0-dev dpkg-dev
# Optimizers that read exported profiles, and tcl, which builds sqlite for the lab. They take half a
# gigabyte, so only `make optimizer-packages` installs them. Tests that need them are skipped
# if they are missing.
OPTIMIZER_PACKAGES := bolt-19 llvm-19 clang-19 tcl
# For fuzzing guided by coverage; only `make guided-fuzz` installs these.
FUZZ_PACKAGES := clang-19 libclang-rt-19-dev llvm-19
# The browser that tests/cli/page.t opens HTML pages in; only `make browser-packages` installs it.
BROWSER_PACKAGES := chromium
# Programs that the experiments profile (data/lab/programs.sh), and gnuplot for the plots.
RESULTS_PACKAGES := sqlite3 gnugo perl python3 gzip bzip2 clisp lua5.4 libjpeg-turbo-progs flac \
    tachyon-bin-nox libtachyon-serial-0 gnuplot-nox gcc-mipsel-linux-gnu libc6-dev-mipsel-cross \
    gcc-riscv64-linux-gnu libc6-dev-riscv64-cross
# Programs that the benchmarks run (bench/programs.h), and valgrind for comparison.
BENCH_PACKAGES := bzip2 lua5.4 verilator tachyon-bin-nox libtachyon-serial-0 valgrind
# Hardware tools: simulators, synthesis and a solver. `make check` installs the two simulators, which
# it needs. The other tools are for `make rtl-proofs`, `make rtl-long` and the hardware experiment.
# Tests that need them are skipped if they are missing.
RTL_PACKAGES := verilator iverilog yosys z3 nextpnr-ice40 yq
NO_PACKAGES ?=

.PHONY: packages test-packages engine-packages optimizer-packages browser-packages results-packages bench-packages rtl-packages fuzz-packages
packages:
	@$(if $(NO_PACKAGES),:,sh mk/install-packages.sh $(BUILD_PACKAGES))
test-packages:
	@$(if $(NO_PACKAGES),:,sh mk/install-packages.sh $(BUILD_PACKAGES) $(TEST_PACKAGES))
engine-packages:
	@$(if $(NO_PACKAGES),:,sh mk/install-packages.sh $(BUILD_PACKAGES) $(ENGINE_PACKAGES))
optimizer-packages:
	@$(if $(NO_PACKAGES),:,sh mk/install-packages.sh $(OPTIMIZER_PACKAGES))
browser-packages:
	@$(if $(NO_PACKAGES),:,sh mk/install-packages.sh $(BROWSER_PACKAGES))
results-packages:
	@$(if $(NO_PACKAGES),:,sh mk/install-packages.sh $(BUILD_PACKAGES) $(RESULTS_PACKAGES))
bench-packages:
	@$(if $(NO_PACKAGES),:,sh mk/install-packages.sh $(BUILD_PACKAGES) $(BENCH_PACKAGES))
fuzz-packages:
	@$(if $(NO_PACKAGES),:,sh mk/install-packages.sh $(FUZZ_PACKAGES))
rtl-packages:
	@$(if $(NO_PACKAGES),:,sh mk/install-packages.sh $(RTL_PACKAGES))
