# SPDX-License-Identifier: MIT
# Tests in other systems: a new Debian, and AArch64.

# Runs the README's commands in a new Debian system of the suite (mk/bare.sh).
SUITE ?= trixie
.PHONY: bare bare-deb
bare:
	@sh mk/bare.sh $(SUITE)

# Builds the Debian packages in a new system, installs them with its apt, and uses them.
bare-deb:
	@sh mk/bare.sh $(SUITE) 'make engine-packages' 'make engine' 'make -j2 deb' \
	    'apt-get install -y ./build/deb/*.deb && rm -rf build' \
	    'cd /tmp && sluice run -p function -p value true && sluice report sluice.db && man -w sluice-run' \
	    'cc -o /tmp/p demo/primes.c && cd /tmp && sluice run -n 3 ./p'

# Builds for AArch64 with the libraries of this system's release, which are unpacked in the cache and
# not installed, and runs the unit tests under QEMU.
AARCH64_PACKAGES := mmdebstrap g++-aarch64-linux-gnu binutils-aarch64-linux-gnu perl qemu-user
AARCH64_LIBRARIES := $(filter %-dev,$(BUILD_PACKAGES))
SYSROOTS := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/sluice/sysroot
AARCH64_SYSROOT := $(SYSROOTS)/arm64-$(shell . /etc/os-release && echo $$VERSION_CODENAME)
AARCH64_MAKE = $(MAKE) --no-print-directory BUILD=build/aarch64 AR=aarch64-linux-gnu-ar \
    CC='aarch64-linux-gnu-gcc --sysroot=$(AARCH64_SYSROOT)'
space := $(subst ,, )

$(AARCH64_SYSROOT):
	@echo '  SYSROOT  $@'
	@mkdir -p $(@D) && rm -rf $@.new
	@sh mk/debian.sh $$(. /etc/os-release && echo $$VERSION_CODENAME) $@.new --variant=extract \
	    --architecture=arm64 --skip=check/qemu --include=$(subst $(space),$(comma),$(AARCH64_LIBRARIES))
	@mv -T $@.new $@

.PHONY: check-aarch64 aarch64-packages unit-tests
aarch64-packages:
	@$(if $(NO_PACKAGES),:,sh mk/install-packages.sh $(BUILD_PACKAGES) $(AARCH64_PACKAGES))
check-aarch64: aarch64-packages
	@$(MAKE) --no-print-directory $(AARCH64_SYSROOT)
	@$(AARCH64_MAKE) -j2 all unit-tests
	@prove -j2 -e 'qemu-aarch64 -L $(AARCH64_SYSROOT)' $(patsubst $(BUILD)/%,build/aarch64/%,$(UNIT_TESTS) $(STUDY_TESTS))
unit-tests: $(UNIT_TESTS) $(STUDY_TESTS)
