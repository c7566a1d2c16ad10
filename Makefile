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
    libdw-dev libdebuginfod-dev libprotobuf-c-dev protobuf-c-compiler libexpat1-dev libsqlite3-dev \
    libiberty-dev zlib1g-dev liblzma-dev libzstd-dev libbz2-dev liblz4-dev fonts-roboto-unhinted \
    fonts-dejavu-extra
# Fonts: Droid Sans Fallback has the Chinese of the text tests, Noto the Arabic and Devanagari.
TEST_PACKAGES := libcriterion-dev g++ clang llvm clang-format universal-ctags valgrind shellcheck \
    libclang-rt-dev libharfbuzz-bin \
    fonts-noto-core fonts-droid-fallback 'chromium|chromium-browser' \
    'chromium-headless-shell|chromium|chromium-browser' 'firefox-esr|firefox' nodejs \
    eslint esbuild \
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
    fontconfig zlib libprotobuf-c expat sqlite3 libdw libelf libzstd liblzma libarchive
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

#:                  build/release/flamepress; MODE=debug, asan, fuzz or cover for the others
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

#: deps             the packages of Debian and npm that are missing
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

#: demo             packages, build, and a report of samples/ in out/
demo: build/deps-build
	@+$(submake) MODE=release all
	build/release/flamepress report samples -o out
	@echo "The report is $(CURDIR)/out/index.html"
# ---- the rest ----------------------------------------------------------------------------------

include src/assets/assets.mk packaging/packaging.mk tests/tests.mk

.PHONY: format clean help
#: format           src and tests, by clang-format
format:
	find src tests -name '*.[ch]' -print0 | xargs -0 clang-format -i

#: clean            removes build
clean:
	rm -rf build

help:
	@sed -n 's/^#: /make /p' $(MAKEFILE_LIST)
	@echo 'Suites: $(SUITES)'
