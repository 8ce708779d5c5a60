# SPDX-License-Identifier: MIT
# The engine: QEMU's user mode with the tap in it. Only `make engine`, `make demo` where QEMU has
# no plugins, and `make check` build it; without a source package in reach, name a source of QEMU
# (QEMU_SOURCE=), or go without (ENGINE=).
ENGINE ?= yes
ENGINE_GUESTS := x86_64 aarch64 riscv64 riscv32 mips mipsel
QEMU_SOURCE ?=
# A QEMU with plugins names them as an option. The compiler is asked here and not before, as it
# may have been installed just now.
has_plugins = qemu-$$($(CC) -dumpmachine | cut -d - -f 1) -h 2>/dev/null | grep -q '^-plugin'

.PHONY: engine wanted-engine needed-engine
engine: engine-packages
	@CC='$(CC)' QEMU_SOURCE='$(QEMU_SOURCE)' sh mk/engine.sh $(BUILD)/engine $(ENGINE_GUESTS)

# Of a tree that has changed, the engine too may be another one: if it was built already, it is used.
.PHONY: known-engine
all: known-engine
known-engine:
	@[ ! -L $(BUILD)/engine ] || CC='$(CC)' QEMU_SOURCE='$(QEMU_SOURCE)' KNOWN=yes \
	    sh mk/engine.sh $(BUILD)/engine $(ENGINE_GUESTS)

wanted-engine: $(if $(ENGINE),engine)

# Packages come first: only then it is seen whether the distribution's QEMU has plugins.
needed-engine: packages
	@$(has_plugins) || $(MAKE) --no-print-directory engine
