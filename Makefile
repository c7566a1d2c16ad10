# flamepress is built by GNU make alone. `make help` lists the targets; the settings are
#   MODE=release|debug|asan|fuzz|cover   what to build, into build/MODE
#   V=1                                  show the commands in full
#   WERROR=1                             warnings are errors (tests and CI build so)
#   LINK=static|shared                   link libraries statically where there is a static one
#   EMULATOR=qemu-aarch64-static         what runs the programs of the build, another machine's
#   PREFIX, LIBDIR, DESTDIR              where `make install` puts things
#   FUZZ_TIME=30                         seconds for each fuzz target of `make fuzz`
#   HOURS=8                              how long `make soak` runs
#   FILTER='base_*/*'                    which tests `make unit` runs; for golden, hostile, pixels,
#                                        readings, outputs, kinds, pairs, browser and valid: a
#                                        word of their names
#   CASE=name                            which golden case `make accept` rewrites, or, with
#   SUITE=pixels                         which picture or, with readings or outputs, which of them
#   SUITE=trixie                         the Debian that `make first-hour` installs (bookworm)
#   ROOT=DIR, TOOLS='perf go'            a root of Debian sid and some of its tools, of `make today`
#   PICTURE=report                       which pictures of samples/README.md `make pictures` makes
#   STATISTICS=full                      all cells of `make statistics`, for hours
#   PART=worlds                          which part of them
#   FORMATS='gdb jfr'                    which formats `make bench-formats` times

SHELL := /bin/bash
.SHELLFLAGS := -o pipefail -c
.DELETE_ON_ERROR:
.SUFFIXES:
.DEFAULT_GOAL := all

MODE ?= release
PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib
LINK ?= static
FUZZ_TIME ?= 30
HOURS ?= 8
SMOKE_TIME ?= 5
BUILD := build/$(MODE)
PROGRAM := $(BUILD)/flamepress
RESULTS := build/test-results
QUICK := build/quick-results
export LC_ALL := C.UTF-8
export EMULATOR
# Recipes begin with $(call say,WORD): one short line, and with V=1 the command itself.
ifneq ($(findstring s,$(firstword -$(MAKEFLAGS))),)
say = @
else ifneq ($(V),1)
say = @printf '%-8s %s\n' $(1) $@;
endif

# ---- packages: Debian 12's names, installed by `make deps` ------------------------------------

BUILD_PACKAGES := gcc libc6-dev binutils pkg-config libpng-dev libfreetype-dev libharfbuzz-dev \
    libfribidi-dev libcmark-dev libpcre2-dev libarchive-dev libyaml-dev libfontconfig-dev \
    libdw-dev libdebuginfod-dev libprotobuf-c-dev protobuf-c-compiler libexpat1-dev libiberty-dev \
    zlib1g-dev liblzma-dev libzstd-dev libbz2-dev liblz4-dev fonts-roboto-unhinted \
    fonts-dejavu-extra
# Fonts: Droid Sans Fallback has the Chinese of the text tests, Noto the Arabic and Devanagari.
TEST_PACKAGES := clang llvm clang-format universal-ctags valgrind shellcheck \
    libclang-rt-dev libharfbuzz-bin \
    fonts-noto-core fonts-droid-fallback 'chromium|chromium-browser' \
    'chromium-headless-shell|chromium|chromium-browser' 'firefox-esr|firefox' nodejs \
    'default-jre-headless|openjdk-17-jre-headless|openjdk-21-jre-headless' \
    jq python3-yaml python3-jsonschema poppler-utils \
    jekyll python3-sphinx python3-myst-parser \
    libxml2-utils cmark-gfm hugo mkdocs zsh fish groff-base gzip bzip2 xz-utils zstd lz4 patchelf \
    'linux-perf|linux-tools-generic' golang-go
# For the suite slurm, which is skipped without them: some start daemons of their own.
MACHINES_PACKAGES := slurmctld slurmd slurm-client munge parallel python3

# ---- compiler and flags ------------------------------------------------------------------------

ifeq ($(MODE),fuzz)
CC := clang
else ifeq ($(origin CC),default)
CC := gcc
endif

# Backtraces, profiles and reports of the sanitizers need functions, inlined ones too, and lines of
# the debug information, which -g1 has; it compiles in less time. MODE=debug has the variables.
FLAGS_release := -O2 -g1 -fno-plt
FLAGS_debug := -O0 -g3
# Without -fno-sanitize-recover UBSan prints its finding and the test passes all the same.
# Programs at a fixed address need not be relocated at each start. -O1 of gcc compiles for longer
# than it saves the tests; clang's -Og is its -O1.
FLAGS_asan := -Og -g1 -fno-omit-frame-pointer -fsanitize=address,undefined \
    -fno-sanitize-recover=all -fno-pie
LDFLAGS_asan := -no-pie
FLAGS_fuzz := $(FLAGS_asan) -fsanitize=fuzzer-no-link
LDFLAGS_fuzz := $(LDFLAGS_asan)
FLAGS_cover := -O0 -g --coverage
ifeq ($(FLAGS_$(MODE)),)
$(error MODE=$(MODE) is none of release, debug, asan, fuzz, cover)
endif

WARNINGS := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith \
    -Wcast-qual -Wvla -Wundef -Wformat=2
# With the sanitizers' checks in the code gcc sees ways to these that there are not; release judges.
ifeq ($(MODE),asan)
WARNINGS += -Wno-format-overflow -Wno-maybe-uninitialized
endif
# clang wants the format attribute on static functions too.
ifeq ($(MODE),fuzz)
WARNINGS += -Wno-format-nonliteral
endif
ifeq ($(WERROR),1)
WARNINGS += -Werror
endif

LIBRARIES := libpng freetype2 harfbuzz harfbuzz-subset fribidi libcmark libpcre2-8 yaml-0.1 \
    fontconfig zlib libprotobuf-c expat libdw libelf libzstd liblzma libarchive
# Those that are linked; the others are opened when a text needs them (src/text/hb.c).
LINKED := $(filter-out harfbuzz%,$(LIBRARIES))
# Asked once, at first use: pkg-config may not be there before `make deps` has run.
LIB_CFLAGS = $(eval LIB_CFLAGS := $$(shell pkg-config --cflags $(LIBRARIES)))$(LIB_CFLAGS)
LINK_static = CC='$(CC)' packaging/link-libraries
LINK_shared = pkg-config --libs
ifeq ($(LINK_$(LINK)),)
$(error LINK=$(LINK) is none of static, shared)
endif
LIB_LIBS = $(eval LIB_LIBS := $$(shell $(LINK_$(LINK)) $(LINKED)))$(LIB_LIBS)
# libarchive's shared library brings XML, ICU and ACLs along, which cost more at each start than a
# small profile does.
ARCHIVE_LIBS = $(eval ARCHIVE_LIBS := $$(shell $(LINK_$(LINK)) libarchive))$(ARCHIVE_LIBS)
# 12,000 pointers are relocated at each start. In this form, which C libraries from 2.36 on read,
# their table has 4 KB, not 290 KB.
RELOCATIONS = $(eval RELOCATIONS := $$(shell grep -qs GLIBC_ABI_DT_RELR \
    "$$$$($(CC) -print-file-name=libc.so.6)" && \
    echo -Wl,-z,pack-relative-relocs))$(RELOCATIONS)
# Without fused operations, floating-point results are the same on every machine.
ALL_CFLAGS = -std=c11 -ffp-contract=off -D_GNU_SOURCE -Isrc -pthread $(FLAGS_$(MODE)) $(WARNINGS) \
    $(LIB_CFLAGS) $(CPPFLAGS) $(CFLAGS)
ALL_LDFLAGS = -pthread $(FLAGS_$(MODE)) $(LDFLAGS_$(MODE)) -Wl,--as-needed \
    -Wl,--build-id=sha1 $(RELOCATIONS) $(LDFLAGS)
ALL_LIBS = $(LIB_LIBS) -liberty -lm

# ---- the program -------------------------------------------------------------------------------
# Everything but main() is in one static library, which the program, the unit tests and the fuzz
# targets link.

SOURCES := $(sort $(shell find src -name '*.c'))
MAIN := src/cli/main.c
OBJECTS := $(SOURCES:%.c=$(BUILD)/%.o)
LIBRARY := $(BUILD)/libflamepress.a
LIBRARY_OBJECTS := $(filter-out $(MAIN:%.c=$(BUILD)/%.o),$(OBJECTS)) $(BUILD)/assets.o

.PHONY: all debug
all: $(PROGRAM)
debug:
	@+$(MAKE) --no-print-directory MODE=$@ all

$(PROGRAM): $(MAIN:%.c=$(BUILD)/%.o) $(LIBRARY) | $(BUILD)/flags
	$(call say,link)$(CC) $(ALL_LDFLAGS) -o $@ $(MAIN:%.c=$(BUILD)/%.o) $(LIBRARY) $(ALL_LIBS)

# Removed first, for ar would keep the members whose source is gone.
$(LIBRARY): $(LIBRARY_OBJECTS) $(BUILD)/members
	@rm -f $@
	$(call say,archive)ar rcs $@ $(LIBRARY_OBJECTS)

# The library as it is installed: all rooms but cli in one object file, whose only global names are
# those of src/flamepress.h.
PUBLIC := $(BUILD)/public/libflamepress.a
$(PUBLIC): $(filter-out $(BUILD)/src/cli/%,$(LIBRARY_OBJECTS)) $(BUILD)/members
	@mkdir -p $(@D) && rm -f $@
	$(call say,archive)$(LD) -r -o $(@D)/flamepress.o $(filter %.o,$^)
	@objcopy --wildcard --keep-global-symbol='flamepress_*' $(@D)/flamepress.o
	@ar rcs $@ $(@D)/flamepress.o

# The debug information names the directory of the compiler as PWD has it: one that is the same
# wherever the source is, so that builds in two directories give the same bytes.
$(BUILD)/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,compile)PWD=/proc/self/cwd $(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

# Files whose content is a setting, touched only when it changes, so that changed flags or a
# removed source rebuild what they must.
.PHONY: force
FLAGS = $(CC) $(FLAGS_$(MODE)) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) $(LIBRARIES)
$(BUILD)/flags: force
	@mkdir -p $(@D)
	@echo '$(FLAGS)' | cmp -s - $@ || echo '$(FLAGS)' > $@
$(BUILD)/members: force
	@mkdir -p $(@D)
	@echo '$(LIBRARY_OBJECTS)' | cmp -s - $@ || echo '$(LIBRARY_OBJECTS)' > $@

-include $(OBJECTS:.o=.d)

# ---- assets: the templates and the fonts of fonts/manifest, embedded in the program ------------

TEMPLATES := $(sort $(wildcard templates/*.mustache templates/*.css) templates/page.js)
GRAPH_PARTS := $(wildcard templates/*.js templates/*.css)
GRAPH_MADE := script program style policy
GRAPH_ASSETS := $(foreach part,$(GRAPH_MADE),graph/$(part)=$(BUILD)/graph.$(part))
FONT_FILES := $(wildcard $(shell awk -F'\t' 'NF > 2 { print $$3 }' fonts/manifest))

GRAPH_HELPERS := $(BUILD)/helpers/minify $(BUILD)/helpers/pack
$(GRAPH_HELPERS): $(BUILD)/helpers/%: $(BUILD)/templates/%.o \
    $(filter $(BUILD)/src/base/%,$(OBJECTS))
	@mkdir -p $(@D)
	$(call say,link)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(ALL_LIBS)
-include $(BUILD)/templates/minify.d $(BUILD)/templates/pack.d
$(GRAPH_MADE:%=$(BUILD)/graph.%) &: src/assets/graph.sh $(GRAPH_PARTS) $(GRAPH_HELPERS)
	@mkdir -p $(@D)
	$(call say,assemble)HELPERS=$(BUILD)/helpers bash src/assets/graph.sh all $(BUILD)/graph
$(BUILD)/about: force
	@mkdir -p $(@D)
	@about=$$(packaging/about '$(LIB_LIBS)' $(LIBRARIES)) && \
	    { printf '%s\n' "$$about" | cmp -s - $@ || printf '%s\n' "$$about" > $@; }
# What most graphs need of the first font, found out by a program of the same source.
PLAIN_OBJECTS := $(filter $(BUILD)/src/base/% $(BUILD)/src/compress/%,$(OBJECTS)) \
    $(addprefix $(BUILD)/src/,text/hb.o text/plain.o text/shape.o text/subset.o \
    text/unicode.o output/deflate.o)
PLAIN_MADE := $(BUILD)/plain $(BUILD)/plain.packed
$(BUILD)/helpers/plain: $(BUILD)/fonts/plain.o $(PLAIN_OBJECTS)
	@mkdir -p $(@D)
	$(call say,link)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(ALL_LIBS)
$(PLAIN_MADE) &: $(BUILD)/helpers/plain fonts/manifest $(FONT_FILES)
	$(call say,learn)$(EMULATOR) $(BUILD)/helpers/plain \
	    "$$(awk -F'\t' '/^[^#]/ { print $$3; exit }' fonts/manifest)" $(PLAIN_MADE)
-include $(BUILD)/fonts/plain.d

$(BUILD)/assets.S: src/assets/embed.sh fonts/manifest $(TEMPLATES) $(FONT_FILES) $(BUILD)/about \
    $(GRAPH_MADE:%=$(BUILD)/graph.%) $(PLAIN_MADE) $(BUILD)/members
	@mkdir -p $(@D)
	$(call say,embed)bash src/assets/embed.sh fonts/manifest $(TEMPLATES) $(GRAPH_ASSETS) \
	    fonts/plain=$(BUILD)/plain fonts/plain.packed=$(BUILD)/plain.packed \
	    about=$(BUILD)/about > $@
$(BUILD)/assets.o: $(BUILD)/assets.S
	$(call say,compile)PWD=/proc/self/cwd $(CC) -c -o $@ $<

# ---- from nothing ------------------------------------------------------------------------------
# The packages come first and the build second, in a make of its own: before the first there may
# be neither a compiler nor pkg-config. The stamps keep apt out of later runs.

JOBS := $(shell nproc)
submake = $(MAKE) --no-print-directory $(if $(findstring -j,$(MAKEFLAGS)),,-j$(JOBS))

# What the tests take from npm is pinned in tests/browser and, for generators of sites, in
# tests/valid; it is left out, loudly, where its registry cannot be reached.
# Make splits a path with a blank, so that rules name this directory relative to the top.
export NPM := $(CURDIR)/build/npm
export NPM_SITES := $(CURDIR)/build/npm-sites

.PHONY: deps deps-machines demo
deps: build/deps-build build/deps-test build/npm/installed build/npm-sites/installed
build/deps-build: .ci/deps Makefile
	@.ci/deps 'to build' $(BUILD_PACKAGES)
	@mkdir -p $(@D) && touch $@
build/deps-test: .ci/deps Makefile
	@.ci/deps 'to test' $(TEST_PACKAGES)
	@mkdir -p $(@D) && touch $@
deps-machines: .ci/deps
	@.ci/deps 'to test several machines' $(MACHINES_PACKAGES)
build/npm/installed: .ci/npm tests/browser/package-lock.json | build/deps-test
	@.ci/npm tests/browser $(@D) 'tests in browsers and with vnu'
build/npm-sites/installed: .ci/npm tests/valid/package-lock.json | build/deps-test
	@.ci/npm tests/valid $(@D) 'sites of Docusaurus and VitePress'

demo: build/deps-build
	@+$(submake) MODE=release all
	build/release/flamepress report samples -o out
	@echo "The report is $(CURDIR)/out/index.html"

# ---- install -----------------------------------------------------------------------------------
# The man pages and the completions are written by the program from its own table of options.

# All paths are quoted where they are used, since PREFIX and DESTDIR may contain blanks.

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
first-hour:
	@packaging/first-hour '$(or $(SUITE),bookworm)'
# With the newest tools, in a root of Debian sid; the head of tests/today/run says how it is made.
today:
	@+$(submake) MODE=release all
	@FLAMEPRESS='$(RELEASE)' tests/today/run '$(ROOT)' $(TOOLS)
# Machines with other words: arm64, and s390x, whose numbers begin with the highest byte.
other-machines:
	@+$(submake) MODE=release all
	@for arch in arm64 s390x; do \
	    packaging/other-machine $$arch $(BUILD_PACKAGES) || exit 1; done
# After `make test` of the same commit.
release:
	@packaging/release '$(VERSION)'

# ---- tests -------------------------------------------------------------------------------------
# Each suite prints a closing line `N passed, N failed`; tests/support/suite writes the numbers to
# build/test-results and tests/support/tally adds them up.

SUITES := selftest lint unit statistics golden hostile faults perf pixels readings outputs kinds \
    pairs tickets convert browser firefox valid weekly ci slurm library installed valgrind smoke
# The others run side by side, and those that take longest begin. They wait for a third of their
# time, so that there is one more than processors, whatever the number of jobs of this make.
# perf records what all processes do, and waits most of the time: beside it runs only a suite that
# is one process and computes.
ALONE := perf
BESIDE := statistics
# Built before: a suite that waits for its helper begins last.
HELPERS := limit compare_png readings mutate fail_malloc.so fail_calls.so intruder.so
LONGEST := browser smoke unit hostile firefox valid pairs lint
lanes = MAKEFLAGS= $(MAKE) --no-print-directory -j$$(($(JOBS) + 1)) --output-sync=target
suite = LIMIT='$(CURDIR)/build/release/helpers/limit' tests/support/suite $(RESULTS) $@
# $(call built,MODE,TARGET...) builds what a suite needs. `make test` has built everything before
# its suites run side by side, and sets BUILT=1: otherwise two of them could write the same file.
built = $(if $(BUILT),@:,@+$(submake) MODE=$(1) $(2))
RELEASE := $(CURDIR)/build/release/flamepress
ASAN := $(CURDIR)/build/asan/flamepress
# A leak is found at exit, after the test has passed: only an abort makes it a failure.
export ASAN_OPTIONS := abort_on_error=1:detect_leaks=1
export UBSAN_OPTIONS := print_stacktrace=1

.PHONY: test check tests $(SUITES)
$(SUITES): build/release/helpers/limit
test check: build/deps-build build/deps-test
	@+$(submake) WERROR=1 tests
# What npm installs it mostly waits for, so that it comes beside the build.
tests:
	@rm -rf "$(RESULTS)" && mkdir -p "$(RESULTS)"
	@[ -n "$$(git status --porcelain 2>&1)" ] || git rev-parse HEAD > $(RESULTS)/commit
	@+. tests/support/took; \
	    $(submake) build/npm/installed build/npm-sites/installed & packed=$$!; \
	    $(submake) MODE=asan build/asan/unit-tests fuzz-programs & sanitized=$$!; \
	    $(submake) MODE=release all build/release/statistics \
	        build/release/public/libflamepress.a $(HELPERS:%=build/release/helpers/%); \
	    released=$$?; \
	    wait $$sanitized || released=1; \
	    wait $$packed || released=1; \
	    took $(RESULTS)/build.took; \
	    [ $$released -eq 0 ] || \
	    { echo 'the build failed'; echo '0 passed, 1 failed'; exit 1; }
	@+$(submake) BUILT=1 --output-sync=target $(BESIDE) & \
	    $(submake) BUILT=1 $(ALONE); \
	    $(lanes) BUILT=1 -k $(filter-out $(ALONE) $(BESIDE),$(LONGEST) $(SUITES)); \
	    wait
	@tests/support/tally $(RESULTS) $(SUITES)

# What is worth running after each change: a minute, if the change is in few files. Runs the unit
# tests that see what changed since the commit of the last `make test`, or since SINCE.
.PHONY: quick
SINCE ?= $(shell cat $(RESULTS)/commit 2> /dev/null || echo HEAD)
quick: build/deps-build build/deps-test
	@+$(submake) MODE=release all build/release/public/libflamepress.a && \
	    $(submake) MODE=asan build/asan/unit-tests
	@rm -rf $(QUICK) && mkdir -p $(QUICK)
	@+filter=$$(tests/support/changed '$(SINCE)' build/asan) && \
	    if [ -n "$$filter" ]; then \
	        $(submake) BUILT=1 RESULTS=$(QUICK) FILTER="$$filter" unit; fi; \
	    $(submake) BUILT=1 -k --output-sync=target RESULTS=$(QUICK) golden lint; \
	    tests/support/tally $(QUICK) $${filter:+unit} golden lint

UNIT_SOURCES := $(sort $(shell find tests/unit -name '*.c') tests/support/tree_check.c \
    tests/support/inflate.c)
UNIT_OBJECTS := $(UNIT_SOURCES:%.c=$(BUILD)/%.o)
-include $(UNIT_OBJECTS:.o=.d)
$(BUILD)/tests/%.o: ALL_CFLAGS += -Itests
# The tests run once: optimizing them takes longer than it saves.
$(BUILD)/tests/unit/%.o: ALL_CFLAGS += -O0
$(BUILD)/unit-tests: $(UNIT_OBJECTS) $(LIBRARY)
	$(call say,link)$(CC) $(ALL_LDFLAGS) -o $@ $(UNIT_OBJECTS) $(LIBRARY) $(ALL_LIBS)

unit:
	$(call built,asan,build/asan/unit-tests)
	@$(suite) build/asan/unit-tests $(if $(FILTER),'--filter=$(FILTER)')

STATISTICS_OBJECTS := $(patsubst %.c,$(BUILD)/%.o,$(sort $(wildcard tests/statistics/*.c)))
-include $(STATISTICS_OBJECTS:.o=.d)
$(BUILD)/statistics: $(STATISTICS_OBJECTS) $(LIBRARY)
	$(call say,link)$(CC) $(ALL_LDFLAGS) -o $@ $(STATISTICS_OBJECTS) $(LIBRARY) $(ALL_LIBS)

statistics:
	$(call built,release,build/release/statistics)
	@$(suite) build/release/statistics $(if $(filter full,$(STATISTICS)),--full) $(PART)

# The table of src/stats/README.md: what can be found with how many runs and samples.
.PHONY: statistics-table
statistics-table:
	@+$(submake) MODE=release build/release/statistics
	@tests/statistics/table build/release/statistics src/stats/README.md

# The runners and the lint checks, each given a planted fault.
selftest: build/release/helpers/compare_png build/release/helpers/mutate
	@$(suite) tests/support/selftest

lint:
	$(call built,release,all build/release/public/libflamepress.a)
	@$(suite) tests/lint/run build/release

# The table of formats and the lists of pictures, each in the README.md of its directory.
.PHONY: readme
readme:
	@+$(submake) MODE=release all
	@tests/support/formats-table '$(RELEASE)' src/input/README.md
	@tests/support/picture-lists samples/README.md

# src/FILES.md: each source file with the first sentence of its header.
.PHONY: files
files:
	@tests/support/file-list src/FILES.md

# The pictures of samples/README.md; the rows of tests/pictures/table.js say what they show.
.PHONY: pictures
pictures: build/deps-build build/deps-test
	@+$(submake) MODE=release all
	@FLAMEPRESS='$(RELEASE)' node tests/pictures/make.js $(PICTURE)

golden hostile faults perf pixels readings outputs kinds pairs tickets convert browser valid \
    weekly ci slurm library installed:
	$(call built,release,all)
	@FLAMEPRESS='$(RELEASE)' $(suite) tests/$@/run $(if $(FILTER),'$(FILTER)')

# Drawing, zoom, search, keys and the page in Firefox; FILTER= names other tests of `browser`.
.PHONY: firefox
IN_FIREFOX := zoom keyboard "1440 px" "next and previous" matches shares details
firefox: build/release/helpers/limit
	$(call built,release,all)
	@FLAMEPRESS='$(RELEASE)' BROWSER=firefox $(suite) tests/browser/run \
	    $(if $(FILTER),'$(FILTER)',$(IN_FIREFOX))

# Helpers of the runners, written in C because the tools that do their work may be missing.
build/release/helpers/%: tests/support/%.c
	@mkdir -p $(@D)
	$(call say,link)$(CC) -std=c11 -D_GNU_SOURCE -O1 $(WARNINGS) $(LIB_CFLAGS) -o $@ $< \
	    -Wl,--as-needed $(LIB_LIBS) -lm
pixels: build/release/helpers/compare_png
readings: build/release/helpers/readings
faults: build/release/helpers/fail_malloc.so build/release/helpers/fail_calls.so
build/release/helpers/fail_%.so: tests/faults/fail_%.c
	@mkdir -p $(@D)
	$(call say,link)$(CC) -std=c11 -D_GNU_SOURCE -O1 $(WARNINGS) -shared -fPIC -o $@ $<
hostile: build/release/helpers/intruder.so
build/release/helpers/%.so: tests/support/%.c
	@mkdir -p $(@D)
	$(call say,link)$(CC) -std=c11 -D_GNU_SOURCE -O1 $(WARNINGS) -fPIC -shared -o $@ $<

build/release/bench/pair: tests/bench/pair.c
	@mkdir -p $(@D)
	$(call say,compile)$(CC) -std=c11 -D_GNU_SOURCE -O1 $(WARNINGS) -o $@ $<
build/release/bench/draw: tests/bench/draw.c $(LIBRARY)
	@mkdir -p $(@D)
	$(call say,link)$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $< $(LIBRARY) $(ALL_LIBS)

# The same cases, by the program with its sanitizers on.
.PHONY: asan accept compare-text bench bench-formats
asan: build/release/helpers/limit
	@+$(submake) MODE=asan all
	@FLAMEPRESS='$(ASAN)' tests/golden/run
	@FLAMEPRESS='$(ASAN)' SANITIZED=1 tests/hostile/run

valgrind:
	$(call built,release,all)
	@FLAMEPRESS='$(RELEASE)' $(suite) tests/support/valgrind

accept:
	@+$(submake) MODE=release all $(if $(filter readings,$(SUITE)),build/release/helpers/readings)
	@set -f; FLAMEPRESS='$(RELEASE)' tests/$(or $(SUITE),golden)/run --accept $(CASE)

READINGS_OBJECTS := $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/readings/*.c))
-include $(READINGS_OBJECTS:.o=.d)
build/release/helpers/readings: $(READINGS_OBJECTS) $(LIBRARY)
	@mkdir -p $(@D)
	$(call say,link)$(CC) $(ALL_LDFLAGS) -o $@ $(READINGS_OBJECTS) $(LIBRARY) $(ALL_LIBS)

build/release/helpers/compare-text: tests/pixels/compare_text.c $(LIBRARY)
	@mkdir -p $(@D)
	$(call say,link)$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $< $(LIBRARY) $(ALL_LIBS)
compare-text:
	@+$(submake) MODE=release build/release/helpers/compare-text
	@tests/pixels/compare-text build/release/helpers/compare-text build/compare-text

bench: build/release/bench/pair
	@+$(submake) MODE=release all build/release/bench/draw
	@FLAMEPRESS='$(RELEASE)' tests/bench/run
bench-formats: build/release/bench/pair
	@+$(submake) MODE=release all
	@FLAMEPRESS='$(RELEASE)' tests/bench/formats $(FORMATS)

# ---- fuzzing: tests/fuzz/TARGET/fuzz.c ----------------------------------------------------------

# `make fuzz` searches long, and compiles everything by clang for libFuzzer. `make test` takes the
# objects of the unit tests, and compiles those of FUZZED_asan, which read the bytes, once more by
# gcc: they tell libFuzzer which code it reaches, through tests/support/edges.c.
FUZZ_TARGETS := $(sort $(patsubst tests/fuzz/%/fuzz.c,%,$(wildcard tests/fuzz/*/fuzz.c)))
FUZZ_PROGRAMS := $(FUZZ_TARGETS:%=$(BUILD)/targets/%)
FUZZED_asan := $(patsubst %.c,%.o,$(wildcard $(addprefix src/,$(addprefix input/,formats/*.c \
    formats/*/*.c parse/*.c build/frame.c build/line_table.c build/names.c core/source.c) \
    match/*.c options/*.c compress/packer.c cli/config.c batch/part.c compare/table.c \
    report/graph_codec.c report/render.c report/template.c text/label.c)))
EDGES_asan := -fsanitize-coverage=trace-pc,trace-cmp
# Gives a pattern that takes long up earlier.
FUZZED_fuzz := src/match/search.o
FUZZED := $(FUZZED_$(MODE):%=$(BUILD)/fuzzed/%)
FUZZ_LIBRARY := $(BUILD)/fuzzed/libflamepress.a
FUZZ_OBJECTS := $(addprefix $(BUILD)/tests/support/,tree_check.o inflate.o \
    $(if $(EDGES_$(MODE)),edges.o))
FUZZER_fuzz := -fsanitize=fuzzer
# libFuzzer has a __sanitizer_cov_trace_pc() that does nothing; that of edges.c comes first.
COMMANDS := -\#\#\#
LIBFUZZER = $(shell clang -fsanitize=fuzzer '$(COMMANDS)' -x c /dev/null 2>&1 | \
    grep -o '[^" ]*libclang_rt[.]fuzzer[-.][^" ]*a' | head -n 1)
FUZZER_asan = -Wl,--allow-multiple-definition '$(LIBFUZZER)' -lstdc++

.PHONY: fuzz fuzz-programs
$(BUILD)/tests/support/edges.o: ALL_CFLAGS += -O2
$(BUILD)/fuzzed/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,compile)PWD=/proc/self/cwd $(CC) $(ALL_CFLAGS) $(EDGES_$(MODE)) \
	    -DFUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION -MMD -MP -c -o $@ $<
$(FUZZ_LIBRARY): $(FUZZED) $(filter-out $(FUZZED_$(MODE):%=$(BUILD)/%),$(LIBRARY_OBJECTS)) \
    $(BUILD)/members
	@rm -f $@
	$(call say,archive)ar rcs --thin $@ $(filter %.o,$^)
$(BUILD)/targets/%: $(BUILD)/tests/fuzz/%/fuzz.o $(FUZZ_OBJECTS) $(FUZZ_LIBRARY)
	@mkdir -p $(@D)
	$(call say,link)$(CC) $(ALL_LDFLAGS) -o $@ $< $(FUZZ_OBJECTS) $(FUZZ_LIBRARY) \
	    $(FUZZER_$(MODE)) $(ALL_LIBS)
.PRECIOUS: $(BUILD)/%.o
-include $(wildcard $(BUILD)/tests/fuzz/*/fuzz.d) $(FUZZED:.o=.d)
fuzz-programs: $(FUZZ_PROGRAMS)

fuzz:
	@+$(submake) MODE=fuzz fuzz-programs
	@tests/support/fuzz run $(FUZZ_TIME) $(FUZZ_TARGETS)

# What `make test` runs of it: every seed once, and a short search.
smoke:
	$(call built,asan,fuzz-programs)
	@$(suite) tests/support/fuzz smoke $(SMOKE_TIME) $(FUZZ_TARGETS)

# A night of it: half of the time for mutants of all corpora, half for the fuzz targets.
.PHONY: soak
build/release/helpers/mutate: tests/soak/mutate.c
	@mkdir -p $(@D)
	$(call say,link)$(CC) -std=c11 -D_GNU_SOURCE -O1 $(WARNINGS) -o $@ $<
soak: build/release/helpers/mutate build/release/helpers/limit
	@+$(submake) MODE=asan all
	@+$(submake) MODE=fuzz fuzz-programs
	@FLAMEPRESS='$(ASAN)' FUZZ_TARGETS='$(FUZZ_TARGETS)' tests/soak/run '$(HOURS)'

# Breaks the sources in small ways, one at a time, and says what no suite noticed: hours. A stopped
# run goes on where it ended.
.PHONY: mutants
mutants: build/release/helpers/limit build/npm/installed
	@node tests/mutants/run.js $(MUTANTS) $(SEED)

# ---- coverage ----------------------------------------------------------------------------------

# Counters are written at exit, which the sandbox would refuse, to files below /proc/self/cwd, the
# directory of the compiler.
.PHONY: cover
COVERED_BY := golden kinds pairs tickets convert weekly hostile
cover: build/release/helpers/limit build/release/helpers/intruder.so
	@+$(submake) MODE=cover all build/cover/unit-tests
	@find build/cover -name '*.gcda' -delete
	-build/cover/unit-tests -j2 > build/cover/unit.log
	@printf '%s\n' '#!/bin/sh' \
	    'export GCOV_PREFIX="$(CURDIR)" GCOV_PREFIX_STRIP=3' \
	    'case $$1 in -* | formats | "") ;; *) set -- "$$@" --no-sandbox ;; esac' \
	    'exec "$(CURDIR)/build/cover/flamepress" "$$@"' > build/cover/unrestricted
	@chmod +x build/cover/unrestricted
	@for suite in $(COVERED_BY); do LIMIT='$(CURDIR)/build/release/helpers/limit' \
	    FLAMEPRESS='$(CURDIR)/build/cover/unrestricted' tests/$$suite/run \
	    > build/cover/$$suite.log 2>&1; tail -n 1 build/cover/$$suite.log; done
	@tests/support/cover build/cover

# ---- small change ------------------------------------------------------------------------------

.PHONY: check-headers format clean help
check-headers:
	@tests/lint/check-headers

format:
	find src tests -name '*.[ch]' -print0 | xargs -0 clang-format -i

clean:
	rm -rf build

help:
	@echo 'make              build/release/flamepress; MODE=debug|asan|fuzz|cover for the others'
	@echo 'make demo         packages, build, and a report of samples/ in out/'
	@echo 'make test         packages, build, and every suite: $(SUITES)'
	@echo 'make quick        after a change: the unit tests that see it, golden, lint'
	@echo 'make deps         install the missing Debian packages'
	@echo 'make install      program, library, man pages, completions (PREFIX, DESTDIR)'
	@echo 'make install-strip  the same, with a stripped program'
	@echo 'make dist         a source archive; make deb: Debian packages; make bundle: an archive'
	@echo '                  that runs without packages; all in build/packages'
	@echo 'make release      checks tests, versions and changelog, and makes all archives'
	@echo 'make uninstall    removes what make install wrote (the same PREFIX, DESTDIR)'
	@echo 'make statistics   simulations of the statistics; STATISTICS=full for all of them'
	@echo 'make asan         golden and hostile cases under the sanitizers'
	@echo 'make fuzz         each fuzz target for FUZZ_TIME seconds'
	@echo 'make today        records with the newest tools, in ROOT=DIR, a root of Debian sid, and'
	@echo '                  compares totals with the tools'"'"' own text'
	@echo 'make soak         mutants of all corpora and the fuzz targets, for HOURS'
	@echo 'make mutants      MUTANTS=60 SEED=1: breaks the sources; says what no suite noticed;'
	@echo '                  goes on where a stopped run of the same sources ended'
	@echo 'make files        src/FILES.md, the list of the source files'
	@echo 'make readme       src/input/README.md and samples/README.md: formats and pictures'
	@echo 'make pictures     samples/pictures, from the rows of tests/pictures/table.js'
	@echo 'make accept       show and take over what a golden CASE now gives'
	@echo 'make bench        time and memory of the workloads; make bench-formats: of each format'
	@echo 'make compare-text our labels beside the browser'"'"'s, as pictures'
	@echo 'make cover        lines covered, per file'
	@echo 'make check-headers, format, clean'
