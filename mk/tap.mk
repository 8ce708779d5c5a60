# SPDX-License-Identifier: MIT
# The QEMU plugin, one for each group of compatible plugin interfaces (tap/qemu_api.h). It is built without
# sanitizers, because QEMU, which loads it, has none. -mprfchw: prefetchw is a no-op on CPUs that
# do not support it.
TAP_CFLAGS := -std=gnu11 -D_GNU_SOURCE $(WARNINGS) -O2 -fno-tree-slp-vectorize -g -fPIC \
    -fvisibility=hidden -ftls-model=initial-exec $(if $(filter x86_64,$(HOST_MACHINE)),-mprfchw)
TAP_SOURCES := $(wildcard tap/*.c) src/base/index_map.c src/base/grow.c \
    src/code/isa/aarch64_word.c src/code/isa/mips.c src/code/isa/riscv.c
TAP_INTERFACES := 1 2 7

TAPS := $(patsubst %,$(BUILD)/sluice-tap-%.so,$(TAP_INTERFACES))

define tap_interface # INTERFACE
$(BUILD)/tap-$(1)/%.o: %.c
	@mkdir -p $$(@D)
	$$(call quiet,CC)$$(CC) $$(TAP_CFLAGS) -MMD -MP -DSL_QEMU_API=$(1) \
	    -Iinclude -Isrc/base -Isrc/code -Isrc/code/isa -Isrc/stream -Itap -c -o $$@ $$<

$(BUILD)/sluice-tap-$(1).so: $(patsubst %.c,$(BUILD)/tap-$(1)/%.o,$(TAP_SOURCES))
	$$(call quiet,LD)$$(CC) -shared -o $$@ $$^ -lpthread

-include $(patsubst %.c,$(BUILD)/tap-$(1)/%.d,$(TAP_SOURCES))
endef
$(foreach interface,$(TAP_INTERFACES),$(eval $(call tap_interface,$(interface))))
