# SPDX-License-Identifier: MIT
# sluice-lab, the program that `sluice lab` executes, from study/experiments/. It includes internal
# headers of the library, because experiments read tables and sessions. The tests link lab.a, which
# contains the lab without its main().
LAB := $(BUILD)/sluice-lab
LAB_ARCHIVE := $(BUILD)/lab.a
LAB_OBJECTS := $(patsubst %.c,$(BUILD)/%.o,$(wildcard study/experiments/*.c))

$(BUILD)/study/experiments/%.o: study/experiments/%.c
	@mkdir -p $(@D)
	$(call quiet,CC)$(CC) $(ALL_CFLAGS) $(STUDY_INCLUDES) -c -o $@ $<

# The commit that measurements are stored with. The file is rewritten only if the commit changed.
LAB_COMMIT = $(or $(if $(wildcard .git),$(shell git rev-parse --short=12 HEAD 2>/dev/null)$(shell \
    git diff --quiet HEAD 2>/dev/null || echo ' with changes')),no commit)
$(BUILD)/study/experiments/lab_store.o: $(BUILD)/study/experiments/commit
$(BUILD)/study/experiments/lab_store.o: ALL_CFLAGS += '-DLAB_COMMIT="$(shell cat $(BUILD)/study/experiments/commit)"'
$(BUILD)/study/experiments/commit: always
	@mkdir -p $(@D)
	@echo '$(LAB_COMMIT)' >$@.new
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi
.PHONY: always
always:

$(LAB_ARCHIVE): $(filter-out %/lab_main.o,$(LAB_OBJECTS))
	@rm -f $@
	$(call quiet,AR)ar rcs $@ $^

$(LAB): $(BUILD)/study/experiments/lab_main.o $(LAB_ARCHIVE) $(STUDY_LIBRARY) $(LIBRARY)
	$(call quiet,CC)$(CC) $(SANFLAGS) -o $@ $^ $(LIBS)

all: $(LAB)

# Builds one HTML page from all result pages, in the style of `-f html`. The page is not in git.
.PHONY: site
site:
	sh study/experiments/site/make.sh docs/results >docs/results/index.html.new
	mv docs/results/index.html.new docs/results/index.html

-include $(LAB_OBJECTS:.o=.d)
