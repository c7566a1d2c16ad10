# ---- install -----------------------------------------------------------------------------------
# The man pages and the completions are written by the program from its own table of options. All
# paths are quoted where they are used, since PREFIX and DESTDIR may contain blanks.

INTO = $(DESTDIR)$(PREFIX)
SHARE = $(INTO)/share
LIB = $(DESTDIR)$(LIBDIR)
generate = $(EMULATOR) $(PROGRAM) --generate=$(1) > "$(2)"
VERSION = $(shell sed -n 's/^\#define FLAMEPRESS_VERSION "\(.*\)"/\1/p' src/base/version.h)

# pkg-config reads its file in other directories than this one.
absolute = $(if $(filter-out /%,$(firstword $(1))),$(CURDIR)/)$(1)

# What programs need that link the library: those of LIBRARIES that have no pkg-config files, too.
define PKG_CONFIG_FILE
prefix=$(call absolute,$(PREFIX))
libdir=$(call absolute,$(LIBDIR))
includedir=$${prefix}/include

Name: flamepress
Description: Reads profiles and draws flame graphs
Version: $(VERSION)
Requires.private: $(filter-out libarchive,$(LINKED))
Cflags: -I"$${includedir}"
Libs: -L"$${libdir}" -lflamepress
Libs.private: $(ARCHIVE_LIBS) -liberty -lm -pthread
endef

.PHONY: install install-strip uninstall
install-strip: STRIP := --strip-program=strip -s
#: install          program, library, man pages, completions (PREFIX, DESTDIR)
#: install-strip    the same, with a stripped program
# Only here: its value asks the compiler, which is not there before `make deps` has run.
install install-strip: export PKG_CONFIG_TEXT = $(PKG_CONFIG_FILE)
install install-strip: $(PROGRAM) $(PUBLIC)
	install -d "$(INTO)/bin" "$(INTO)/include" "$(LIB)/pkgconfig" "$(SHARE)/man/man1" \
	    "$(SHARE)/doc/flamepress" "$(SHARE)/bash-completion/completions" \
	    "$(SHARE)/zsh/site-functions" "$(SHARE)/fish/vendor_completions.d"
	install -m 755 $(STRIP) $(PROGRAM) "$(INTO)/bin/flamepress"
	$(call generate,man,$(SHARE)/man/man1/flamepress.1)
	for page in $$($(EMULATOR) $(PROGRAM) --generate=commands); do \
	    $(EMULATOR) $(PROGRAM) --generate=man-$$page \
	        > "$(SHARE)/man/man1/flamepress-$$page.1" || exit 1; \
	done
	$(call generate,bash,$(SHARE)/bash-completion/completions/flamepress)
	$(call generate,zsh,$(SHARE)/zsh/site-functions/_flamepress)
	$(call generate,fish,$(SHARE)/fish/vendor_completions.d/flamepress.fish)
	install -m 644 LICENSE fonts/*.txt "$(SHARE)/doc/flamepress"
	install -m 644 src/flamepress.h "$(INTO)/include/flamepress.h"
	install -m 644 $(PUBLIC) "$(LIB)/libflamepress.a"
	printf '%s\n' "$$PKG_CONFIG_TEXT" > "$(LIB)/pkgconfig/flamepress.pc"

#: uninstall        removes what make install wrote (the same PREFIX, DESTDIR)
# Removes the files that `make install` wrote, and of the directories only its own.
uninstall:
	rm -f "$(INTO)/bin/flamepress" "$(SHARE)/man/man1/flamepress.1" \
	    "$(SHARE)"/man/man1/flamepress-*.1 \
	    "$(SHARE)/bash-completion/completions/flamepress" \
	    "$(SHARE)/zsh/site-functions/_flamepress" \
	    "$(SHARE)/fish/vendor_completions.d/flamepress.fish" \
	    "$(INTO)/include/flamepress.h" "$(LIB)/libflamepress.a" \
	    "$(LIB)/pkgconfig/flamepress.pc" $(foreach file,LICENSE $(notdir $(wildcard \
	    fonts/*.txt)),"$(SHARE)/doc/flamepress/$(file)")
	if [ -d "$(SHARE)/doc/flamepress" ]; then rmdir "$(SHARE)/doc/flamepress"; fi

# ---- packages to hand out ----------------------------------------------------------------------
# Each is made from a copy of the source in build/, and the results are in build/packages.

#: dist             a source archive in build/packages
#: deb              Debian packages
#: bundle           an archive that runs without packages
.PHONY: dist deb bundle test-packages blanks first-hour release other-machines today
dist deb bundle:
	@CC='$(CC)' LINK='$(LINK)' packaging/$@ '$(VERSION)' build/packages
# In clean roots of Debian 12 and 13; needs root and a mirror of Debian.
test-packages: deb bundle
	@packaging/test build/packages
# In a checkout whose path has blanks. The suite installed leaves out the Debian packages, for which
# all sources are compiled.
blanks:
	@.ci/deps 'to package' debhelper dpkg-dev fakeroot lintian patchelf
	@+$(submake) MODE=release all
	@tests/installed/blanks program install bundle deb
#: first-hour       what CONTRIBUTING.md says, from nothing in a root of Debian
first-hour:
	@packaging/first-hour '$(or $(SUITE),bookworm)'
#: today            records with the newest tools, in ROOT=DIR, and compares totals
# With the newest tools, in a root of Debian sid; the head of tests/today/run says how it is made.
today:
	@+$(submake) MODE=release all
	@FLAMEPRESS='$(RELEASE)' tests/today/run '$(ROOT)' $(TOOLS)
# Machines with other words: arm64, and s390x, whose numbers begin with the highest byte.
other-machines:
	@+$(submake) MODE=release all
	@for arch in arm64 s390x; do \
	    packaging/other-machine $$arch $(BUILD_PACKAGES) || exit 1; done
#: release          checks tests, versions and changelog, and makes all archives
# After `make test` of the same commit.
release:
	@packaging/release '$(VERSION)'
