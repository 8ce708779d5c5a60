# libsluice.a from src/, the program from cli/. The program sees only the public header.
LIBRARY := $(BUILD)/libsluice.a
SLUICE := $(BUILD)/sluice

LIBRARY_OBJECTS := $(patsubst %.c,$(BUILD)/%.o,$(wildcard src/*/*.c))
CLI_OBJECTS := $(patsubst %.c,$(BUILD)/%.o,$(wildcard cli/*.c))

$(BUILD)/src/%.o: src/%.c
	@mkdir -p $(@D)
	$(call quiet,CC)$(CC) $(ALL_CFLAGS) $(INCLUDES) -c -o $@ $<

$(BUILD)/cli/%.o: cli/%.c
	@mkdir -p $(@D)
	$(call quiet,CC)$(CC) $(ALL_CFLAGS) -Iinclude -c -o $@ $<

$(LIBRARY): $(LIBRARY_OBJECTS)
	@rm -f $@
	$(call quiet,AR)ar rcs $@ $^

$(SLUICE): $(CLI_OBJECTS) $(LIBRARY)
	$(call quiet,CC)$(CC) $(SANFLAGS) -o $@ $(CLI_OBJECTS) $(LIBRARY) $(LIBS)

-include $(LIBRARY_OBJECTS:.o=.d) $(CLI_OBJECTS:.o=.d)
