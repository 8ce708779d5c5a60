# SPDX-License-Identifier: MIT
# Benchmarks. Their results never fail a test.
BENCHES := $(patsubst bench/%.c,$(BUILD)/bench/%,$(wildcard bench/*.c))

$(BUILD)/bench/%: bench/%.c $(STUDY_LIBRARY) $(LIBRARY)
	@mkdir -p $(@D)
	$(call quiet,CC)$(CC) $(ALL_CFLAGS) $(STUDY_INCLUDES) -o $@ $< $(STUDY_LIBRARY) $(LIBRARY) $(LIBS)

# The example of docs/embed.md, which also measures the cost of an event.
$(BUILD)/demo/interpreter: demo/interpreter.c $(LIBRARY)
	@mkdir -p $(@D)
	$(call quiet,CC)$(CC) $(ALL_CFLAGS) $(INCLUDES) -o $@ $< $(LIBRARY) $(LIBS) -lpthread

.PHONY: bench
bench: bench-packages optional-engine
	@$(MAKE) --no-print-directory -j2 all $(BENCHES) $(BUILD)/demo/interpreter
	$(BUILD)/bench/cost
	$(BUILD)/bench/ring
	$(BUILD)/bench/trace
	$(BUILD)/bench/tables
	$(BUILD)/bench/machine
	$(BUILD)/bench/sequitur
	$(BUILD)/demo/interpreter cost

# Runs every experiment of the lab and updates docs/results; about an hour. Measurements are cached in
# the build directory and not repeated. Pages and plots are copied to docs/results, plots in a
# compact form (mk/compact-svg.sh).
.PHONY: results
results: results-packages
	@$(MAKE) --no-print-directory -j2 all
	$(SLUICE) lab -o $(BUILD)/lab all
	rm -f docs/results/*.md docs/results/*.svg
	cp $(BUILD)/lab/*.md docs/results/
	for picture in $(BUILD)/lab/*.svg; do \
	    sh mk/compact-svg.sh <$$picture >docs/results/$${picture##*/} || exit 1; done

-include $(BENCHES:=.d)
