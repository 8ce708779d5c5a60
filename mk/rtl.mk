# SPDX-License-Identifier: MIT
# Tests of the Verilog modules in rtl/, which run in lockstep with their models. `make check` runs a
# few small configurations, `make rtl-long` all of tests/rtl/specs.txt with many events.
VERILATOR_INCLUDE := $(shell verilator --getenv VERILATOR_ROOT 2>/dev/null)/include
LOCKSTEP_OBJECTS := $(if $(shell command -v verilator 2>/dev/null),$(patsubst %,$(BUILD)/tests/rtl/%.o,lockstep verilated verilated_threads) $(BUILD)/tests/rtl/libs)

$(BUILD)/tests/rtl/libs: mk/config.mk
	@mkdir -p $(@D)
	@echo '$(SANFLAGS) $(LIBS)' >$@

$(BUILD)/tests/rtl/lockstep.o: tests/rtl/lockstep.c tests/rtl/rtl_ports.h $(LIBRARY)
	@mkdir -p $(@D)
	$(call quiet,CC)$(CC) $(ALL_CFLAGS) $(STUDY_INCLUDES) -Itests/rtl -c -o $@ $<

$(BUILD)/tests/rtl/%.o: $(VERILATOR_INCLUDE)/%.cpp
	@mkdir -p $(@D)
	$(call quiet,CXX)g++ -std=gnu++17 -O2 -w -I$(VERILATOR_INCLUDE) -c -o $@ $<

tests: $(LOCKSTEP_OBJECTS)

.PHONY: rtl-faults
rtl-faults: all $(LOCKSTEP_OBJECTS)
	BUILD=$(abspath $(BUILD)) sh tests/rtl/faults.sh

.PHONY: rtl-proofs
rtl-proofs:
	sh tests/rtl/proofs/prove.sh

.PHONY: rtl-long
rtl-long: all $(LOCKSTEP_OBJECTS)
	BUILD=$(abspath $(BUILD)) sh tests/rtl/lockstep-all.sh long
