# SPDX-License-Identifier: MIT
# libsluice-study.a, the library for designers of tables: compare, sweep, simpoint, RTL. It includes
# internal headers of libsluice.a and needs that library; its public header is sluice-study.h.
STUDY_LIBRARY := $(BUILD)/libsluice-study.a
STUDY_OBJECTS := $(patsubst %.c,$(BUILD)/%.o,$(wildcard study/compare/*.c study/sweep/*.c study/simpoint/*.c study/hardware/*.c))

$(STUDY_OBJECTS): $(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(call quiet,CC)$(CC) $(ALL_CFLAGS) $(LIBRARY_CFLAGS) $(STUDY_INCLUDES) -c -o $@ $<

$(STUDY_LIBRARY): $(STUDY_OBJECTS)
	@rm -f $@
	$(call quiet,AR)$(AR) rcs $@ $^

-include $(STUDY_OBJECTS:.o=.d)
