# SPDX-License-Identifier: MIT
# The static and the shared library, from src/, and the program, from cli/, which includes only the
# public headers. Both libraries consist of the same objects. The shared library exports what the
# public headers declare. Assertions are compiled in only with SAN=1, because an embedded library
# must not end its program.
version = $(shell sed -n 's/^.define SL_VERSION_$(1) //p' include/sluice.h)
VERSION_MAJOR := $(call version,MAJOR)
VERSION_MINOR := $(call version,MINOR)
VERSION := $(VERSION_MAJOR).$(VERSION_MINOR).$(call version,PATCH)
# Before version 1.0, each minor version has its own interface, so it is part of the soname.
SONAME := libsluice.so.$(VERSION_MAJOR)$(if $(filter 0,$(VERSION_MAJOR)),.$(VERSION_MINOR))

LIBRARY := $(BUILD)/libsluice.a
SHARED_LIBRARY := $(BUILD)/libsluice.so.$(VERSION)
SLUICE := $(BUILD)/sluice

LIBRARY_OBJECTS := $(patsubst %.c,$(BUILD)/%.o,$(wildcard src/*/*.c src/*/*/*.c)) $(BUILD)/page/page_text.o
CLI_OBJECTS := $(patsubst %.c,$(BUILD)/%.o,$(wildcard cli/*.c))
LIBRARY_CFLAGS := -fPIC -fvisibility=hidden $(if $(SAN),,-DNDEBUG)

$(BUILD)/src/%.o: src/%.c
	@mkdir -p $(@D)
	$(call quiet,CC)$(CC) $(ALL_CFLAGS) $(LIBRARY_CFLAGS) $(INCLUDES) -c -o $@ $<

# The HTML page of `-f html` is built from the files in src/report/page/assets.
$(BUILD)/page/page_text.c: $(wildcard src/report/page/assets/*) mk/page.sh
	@mkdir -p $(@D)
	$(call quiet,GEN)sh mk/page.sh src/report/page/assets >$@.new && mv $@.new $@

$(BUILD)/page/%.o: $(BUILD)/page/%.c
	$(call quiet,CC)$(CC) $(ALL_CFLAGS) $(LIBRARY_CFLAGS) $(INCLUDES) -c -o $@ $<

$(BUILD)/cli/%.o: cli/%.c
	@mkdir -p $(@D)
	$(call quiet,CC)$(CC) $(ALL_CFLAGS) -Iinclude -c -o $@ $<

$(LIBRARY): $(LIBRARY_OBJECTS)
	@rm -f $@
	$(call quiet,AR)$(AR) rcs $@ $^

$(SHARED_LIBRARY): $(LIBRARY_OBJECTS)
	$(call quiet,LD)$(CC) $(SANFLAGS) -shared -Wl,-soname,$(SONAME) $(if $(SAN),,-Wl,-z,defs) -Wl,--as-needed -Wl,--exclude-libs,libiberty.a -o $@ $^ $(LIBS)
	@ln -sfn $(@F) $(BUILD)/$(SONAME)
	@ln -sfn $(SONAME) $(BUILD)/libsluice.so

$(SLUICE): $(CLI_OBJECTS) $(STUDY_LIBRARY) $(LIBRARY)
	$(call quiet,CC)$(CC) $(SANFLAGS) -o $@ $(CLI_OBJECTS) $(STUDY_LIBRARY) $(LIBRARY) $(LIBS)

-include $(LIBRARY_OBJECTS:.o=.d) $(CLI_OBJECTS:.o=.d)
