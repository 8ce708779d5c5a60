# SPDX-License-Identifier: MIT
# The engine: QEMU's user mode with the tap in it. `make engine`, `make check` and `make bench` build
# it, and `make demo` if the installed QEMU has no plugins. Without a source package of the
# distribution, set QEMU_SOURCE= to a source of QEMU, or ENGINE= to go without an engine.
ENGINE ?= yes
ENGINE_GUESTS := x86_64 aarch64 riscv64 riscv32 mips mipsel
QEMU_SOURCE ?=
# True if the installed QEMU has plugins: then it lists the option -plugin. The shell runs the compiler
# when the recipe runs, because `make packages` may have just installed it.
has_plugins = qemu-$$($(CC) -dumpmachine | cut -d - -f 1) -h 2>/dev/null | grep -q '^-plugin'

.PHONY: engine optional-engine engine-without-plugins link-cached-engine
engine: engine-packages
	@CC='$(CC)' QEMU_SOURCE='$(QEMU_SOURCE)' sh mk/engine.sh $(BUILD)/engine $(ENGINE_GUESTS)

# A changed tree may need another engine. If that one is in the cache, the link is updated.
all: link-cached-engine
link-cached-engine:
	@[ ! -L $(BUILD)/engine ] || CC='$(CC)' QEMU_SOURCE='$(QEMU_SOURCE)' CACHED_ONLY=yes \
	    sh mk/engine.sh $(BUILD)/engine $(ENGINE_GUESTS)

# The engine, unless ENGINE= is empty.
optional-engine: $(if $(ENGINE),engine)

# The engine, only if the installed QEMU has no plugins. `packages` installs that QEMU first.
engine-without-plugins: packages
	@$(has_plugins) || $(MAKE) --no-print-directory engine
