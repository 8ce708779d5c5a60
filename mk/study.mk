# SPDX-License-Identifier: MIT
# The designers' library, from study/ (sweeps, slices, hardware): on top of libsluice.a, whose own
# headers it includes. sluice-study.h declares what the program uses of it.
STUDY_LIBRARY := $(BUILD)/libsluice-study.a
STUDY_OBJECTS := $(patsubst %.c,$(BUILD)/%.o,$(wildcard study/sweep/*.c study/simpoint/*.c study/hardware/*.c))

$(STUDY_OBJECTS): $(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(call quiet,CC)$(CC) $(ALL_CFLAGS) $(LIBRARY_CFLAGS) $(STUDY_INCLUDES) -c -o $@ $<

$(STUDY_LIBRARY): $(STUDY_OBJECTS)
	@rm -f $@
	$(call quiet,AR)$(AR) rcs $@ $^

-include $(STUDY_OBJECTS:.o=.d)
