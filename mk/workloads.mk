# SPDX-License-Identifier: MIT
# The programs of bench/workloads, linked statically, for each guest that has a compiler here:
# build/workloads/GUEST/NAME. Tests and experiments run them. They have no tail calls, so that calls
# and returns determine the current function.
WORKLOAD_FLAGS := -std=gnu11 -O2 -g -static -fno-optimize-sibling-calls
WORKLOADS := $(patsubst bench/workloads/%.c,%,$(wildcard bench/workloads/*.c))
WORKLOAD_PROGRAMS :=

# MIPS programs are compiled as in the paper on LEAP: for MIPS I, without filled delay slots.
WORKLOAD_FLAGS_mipsel := -O1 -mips1 -mfp32 -fno-delayed-branch

define workload_guest # GUEST, COMPILER
ifneq ($(shell command -v $(2)),)
WORKLOAD_PROGRAMS += $(patsubst %,$(BUILD)/workloads/$(1)/%,$(WORKLOADS))
$(BUILD)/workloads/$(1)/%: bench/workloads/%.c
	@mkdir -p $$(@D)
	$$(call quiet,CC)$(2) $$(WORKLOAD_FLAGS) $$(WORKLOAD_FLAGS_$(1)) $$(WARNINGS) -MMD -MP -o $$@ $$<
else
workloads: workloads-without-$(1)
.PHONY: workloads-without-$(1)
workloads-without-$(1):
	@echo '$(2) is not installed: workloads for $(1) are skipped'
endif
endef
$(eval $(call workload_guest,host,$(CC)))
$(eval $(call workload_guest,riscv64,riscv64-linux-gnu-gcc))
$(eval $(call workload_guest,mipsel,mipsel-linux-gnu-gcc))

.PHONY: workloads
workloads: $(WORKLOAD_PROGRAMS)
tests: workloads

-include $(WORKLOAD_PROGRAMS:=.d)
