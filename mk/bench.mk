# Measured ratios; nothing here can fail a test.
BENCHES := $(patsubst bench/%.c,$(BUILD)/bench/%,$(wildcard bench/*.c))

$(BUILD)/bench/%: bench/%.c $(LIBRARY)
	@mkdir -p $(@D)
	$(call quiet,CC)$(CC) $(ALL_CFLAGS) $(INCLUDES) -o $@ $< $(LIBRARY) $(LIBS)

.PHONY: bench
bench: all $(BENCHES)
	$(BUILD)/bench/cost
	$(BUILD)/bench/trace
	$(BUILD)/bench/tables
	$(BUILD)/bench/machine

-include $(BENCHES:=.d)
