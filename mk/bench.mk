# SPDX-License-Identifier: MIT
# Measured ratios; nothing here can fail a test.
BENCHES := $(patsubst bench/%.c,$(BUILD)/bench/%,$(wildcard bench/*.c))

$(BUILD)/bench/%: bench/%.c $(STUDY_LIBRARY) $(LIBRARY)
	@mkdir -p $(@D)
	$(call quiet,CC)$(CC) $(ALL_CFLAGS) $(STUDY_INCLUDES) -o $@ $< $(STUDY_LIBRARY) $(LIBRARY) $(LIBS)

# The worked example of docs/embed.md, which measures what an event costs.
$(BUILD)/demo/interpreter: demo/interpreter.c $(LIBRARY)
	@mkdir -p $(@D)
	$(call quiet,CC)$(CC) $(ALL_CFLAGS) $(INCLUDES) -o $@ $< $(LIBRARY) $(LIBS) -lpthread

.PHONY: bench
bench: bench-packages wanted-engine
	@$(MAKE) --no-print-directory -j2 all $(BENCHES) $(BUILD)/demo/interpreter
	$(BUILD)/bench/cost
	$(BUILD)/bench/ring
	$(BUILD)/bench/trace
	$(BUILD)/bench/tables
	$(BUILD)/bench/machine
	$(BUILD)/bench/sequitur
	$(BUILD)/demo/interpreter cost

# docs/results: every experiment of the lab, with the programs that it takes; an hour or so.
# What was measured stays in the build directory, and is not measured again. Pages and pictures
# go into the tree, pictures in a compact form (mk/compact-svg.sh).
.PHONY: results
results: results-packages
	@$(MAKE) --no-print-directory -j2 all
	$(SLUICE) lab -o $(BUILD)/lab all
	rm -f docs/results/*.md docs/results/*.svg
	cp $(BUILD)/lab/*.md docs/results/
	for picture in $(BUILD)/lab/*.svg; do \
	    sh mk/compact-svg.sh <$$picture >docs/results/$${picture##*/} || exit 1; done

-include $(BENCHES:=.d)
