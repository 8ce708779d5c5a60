# SPDX-License-Identifier: MIT
# Installation and Debian packages. The program finds plugins and data relative to its own directory:
# bin/../lib/sluice and bin/../share/sluice; in a build directory both are next to the program.
DATA := $(wildcard data/*/*.txt data/lab/* data/rtl/*.v data/rtl/bench/*)

all: $(BUILD)/data
$(BUILD)/data:
	@mkdir -p $(@D)
	@ln -sfn $(abspath data) $@

# Directory of the libraries and of sluice.pc (pkg-config --cflags --libs sluice).
LIBDIR ?= $(PREFIX)/lib

# sluice(1) contains the list of commands, in the groups of cli/main.c: the NAME line of each command's
# page.
all: $(BUILD)/man/sluice.1
$(BUILD)/man/sluice.1: docs/man/sluice.1 $(wildcard docs/man/sluice-*.1) cli/main.c
	@mkdir -p $(@D)
	@{ sed '/^\.\\" COMMANDS/,$$d' $<; \
	    sed -n 's/^    ROW(\([a-z]*\), "\([A-Za-z]*\)").*/\1 \2/p' cli/main.c | while read -r name group; do \
	        [ "$$group" = "$$last" ] || echo ".SS $$group"; \
	        last=$$group; \
	        sed -n 's/^sluice-\([a-z]*\) \\- \(.*\)/.TP\n.BR "sluice \1" "  (" sluice-\1 (1))\n\2./p' \
	            docs/man/sluice-$$name.1; \
	    done; \
	    sed '1,/^\.\\" COMMANDS/d' $<; } >$@

.PHONY: install
install: all
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib/sluice \
	    $(DESTDIR)$(LIBDIR)/pkgconfig $(DESTDIR)$(PREFIX)/include $(DESTDIR)$(PREFIX)/share/man/man1 \
	    $(DESTDIR)$(PREFIX)/share/man/man5 $(DESTDIR)$(PREFIX)/share/man/man7
	install -m 755 $(SLUICE) $(LAB) $(DESTDIR)$(PREFIX)/bin/
	install -m 644 $(TAPS) $(DESTDIR)$(PREFIX)/lib/sluice/
	if [ -e $(GPU_LIBRARY) ]; then install -m 644 $(GPU_LIBRARY) $(DESTDIR)$(PREFIX)/lib/sluice/; fi
	if [ -d $(BUILD)/engine ]; then install -d $(DESTDIR)$(PREFIX)/lib/sluice/engine && \
	    install -m 755 $(BUILD)/engine/qemu-* $(DESTDIR)$(PREFIX)/lib/sluice/engine/ && \
	    install -m 644 $(BUILD)/engine/COPYING $(BUILD)/engine/README \
	        $(DESTDIR)$(PREFIX)/lib/sluice/engine/; fi
	install -m 644 $(LIBRARY) $(STUDY_LIBRARY) $(SHARED_LIBRARY) $(DESTDIR)$(LIBDIR)/
	ln -sfn libsluice.so.$(VERSION) $(DESTDIR)$(LIBDIR)/$(SONAME)
	ln -sfn $(SONAME) $(DESTDIR)$(LIBDIR)/libsluice.so
	sed 's|@PREFIX@|$(PREFIX)|; s|@LIBDIR@|$(LIBDIR)|; s|@VERSION@|$(VERSION)|; s|@LIBS@|$(LIBS)|' \
	    mk/sluice.pc.in >$(DESTDIR)$(LIBDIR)/pkgconfig/sluice.pc
	chmod 644 $(DESTDIR)$(LIBDIR)/pkgconfig/sluice.pc
	install -m 644 include/sluice.h include/sluice-table.h include/sluice-source.h include/sluice-study.h include/sluice-insn.h include/sluice-needs.h include/sluice-mark.h $(DESTDIR)$(PREFIX)/include/
	install -d $(DESTDIR)$(PREFIX)/share/doc/sluice/tutorials
	install -m 644 README.md $(filter-out docs/README.md,$(wildcard docs/*.md)) \
	    $(DESTDIR)$(PREFIX)/share/doc/sluice/
	install -m 644 docs/tutorials/*.md $(DESTDIR)$(PREFIX)/share/doc/sluice/tutorials/
	install -m 644 docs/man/sluice-*.1 $(BUILD)/man/sluice.1 $(DESTDIR)$(PREFIX)/share/man/man1/
	install -m 644 docs/man/*.5 $(DESTDIR)$(PREFIX)/share/man/man5/
	install -m 644 docs/man/*.7 $(DESTDIR)$(PREFIX)/share/man/man7/
	install -d $(DESTDIR)$(PREFIX)/share/sluice/workloads
	install -m 644 bench/workloads/*.c bench/workloads/*.h \
	    $(DESTDIR)$(PREFIX)/share/sluice/workloads/
	for file in $(DATA); do install -D -m $$(sed -n '1s/^#!.*/755/p; 1q' $$file | grep 7 || echo 644) $$file \
	    $(DESTDIR)$(PREFIX)/share/sluice/$${file#data/} || exit 1; done

# Removes the installed files. Directories that other packages may use stay.
.PHONY: uninstall
uninstall:
	rm -f $(addprefix $(DESTDIR)$(PREFIX)/bin/,$(notdir $(SLUICE) $(LAB))) $(DESTDIR)$(LIBDIR)/libsluice.a $(DESTDIR)$(LIBDIR)/libsluice-study.a \
	    $(DESTDIR)$(LIBDIR)/libsluice.so* $(DESTDIR)$(LIBDIR)/pkgconfig/sluice.pc \
	    $(addprefix $(DESTDIR)$(PREFIX)/include/,sluice.h sluice-table.h sluice-source.h sluice-study.h sluice-insn.h sluice-needs.h sluice-mark.h) \
	    $(addprefix $(DESTDIR)$(PREFIX)/share/man/man1/,$(notdir $(wildcard docs/man/*.1))) \
	    $(addprefix $(DESTDIR)$(PREFIX)/share/man/man5/,$(notdir $(wildcard docs/man/*.5))) \
	    $(addprefix $(DESTDIR)$(PREFIX)/share/man/man7/,$(notdir $(wildcard docs/man/*.7)))
	rm -rf $(addprefix $(DESTDIR)$(PREFIX)/,lib/sluice share/sluice share/doc/sluice)

# Builds Debian packages in build/deb (mk/deb.sh).
.PHONY: deb
deb: all
	@rm -rf $(BUILD)/deb
	@$(MAKE) --no-print-directory install DESTDIR=$(abspath $(BUILD))/deb/stage PREFIX=/usr \
	    LIBDIR=/usr/lib/$$(dpkg-architecture -qDEB_HOST_MULTIARCH) >/dev/null
	@sh mk/deb.sh $(abspath $(BUILD))/deb/stage $(abspath $(BUILD))/deb $(VERSION) $(SONAME)
	@rm -rf $(BUILD)/deb/stage

# Packs the committed files as a source distribution. It needs git, and builds without it.
DIST := $(BUILD)/sluice-$(VERSION).tar.xz
.PHONY: dist
dist:
	@mkdir -p $(BUILD)
	git archive --prefix=sluice-$(VERSION)/ HEAD | xz -T0 >$(DIST).new
	@mv $(DIST).new $(DIST)
	@echo $(DIST)
