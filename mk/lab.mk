# The lab is a program on top, from lab/: `sluice lab` becomes it. Its experiments look into
# tables and sessions, so it sees the library's own headers. What tests try of it is in an
# archive beside the program.
LAB := $(BUILD)/sluice-lab
LAB_ARCHIVE := $(BUILD)/lab.a
LAB_OBJECTS := $(patsubst %.c,$(BUILD)/%.o,$(wildcard lab/*.c))

$(BUILD)/lab/%.o: lab/%.c
	@mkdir -p $(@D)
	$(call quiet,CC)$(CC) $(ALL_CFLAGS) $(INCLUDES) -Ilab -c -o $@ $<

$(LAB_ARCHIVE): $(filter-out %/lab_main.o,$(LAB_OBJECTS))
	@rm -f $@
	$(call quiet,AR)ar rcs $@ $^

$(LAB): $(BUILD)/lab/lab_main.o $(LAB_ARCHIVE) $(LIBRARY)
	$(call quiet,CC)$(CC) $(SANFLAGS) -o $@ $^ $(LIBS)

all: $(LAB)

# The pages of results as one page for a browser, with the style of `-f html`.
.PHONY: site
site:
	sh lab/site/make.sh docs/results >docs/results/index.html.new
	mv docs/results/index.html.new docs/results/index.html

-include $(LAB_OBJECTS:.o=.d)
