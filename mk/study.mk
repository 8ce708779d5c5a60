# SPDX-License-Identifier: MIT
# libsluice-study.a, the library for designers of tables: compare, sweep, slices, RTL. It is built on
# libsluice.a and includes its internal headers; sluice-study.h is its public interface.
STUDY_LIBRARY := $(BUILD)/libsluice-study.a
STUDY_OBJECTS := $(patsubst %.c,$(BUILD)/%.o,$(wildcard study/compare/*.c study/sweep/*.c study/simpoint/*.c study/hardware/*.c))

$(STUDY_OBJECTS): $(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(call quiet,CC)$(CC) $(ALL_CFLAGS) $(LIBRARY_CFLAGS) $(STUDY_INCLUDES) -c -o $@ $<

$(STUDY_LIBRARY): $(STUDY_OBJECTS)
	@rm -f $@
	$(call quiet,AR)$(AR) rcs $@ $^

-include $(STUDY_OBJECTS:.o=.d)
