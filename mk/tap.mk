# The QEMU plugin, once for each family of plugin interfaces (tap/qemu_api.h).
# Never sanitized: QEMU, which loads it, is not.
# Prefetching for writing is an instruction of its own, a no-op where it is not known.
TAP_CFLAGS := $(if $(filter x86_64,$(shell uname -m)),-mprfchw)

TAPS := $(patsubst %,$(BUILD)/sluice-tap-%.so,1 2 7)

$(BUILD)/sluice-tap-%.so: $(wildcard tap/*.c tap/*.h) src/stream/ring.h src/stream/event.h src/stream/statics.h src/core/index_map.c src/core/grow.c include/sluice.h
	@mkdir -p $(@D)
	$(call quiet,CC)$(CC) -std=gnu11 -D_GNU_SOURCE $(WARNINGS) -O2 -fno-tree-slp-vectorize -g -fPIC -fvisibility=hidden -ftls-model=initial-exec $(TAP_CFLAGS) -DSL_QEMU_API=$* \
	    -Iinclude -Isrc/core -Isrc/stream -Itap -shared -o $@ $(wildcard tap/*.c) src/core/index_map.c src/core/grow.c -lpthread
