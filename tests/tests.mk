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
IN_HOSTILE := intruder.so without forge
HELPERS := limit compare_png readings mutate fail_malloc.so fail_calls.so $(IN_HOSTILE)
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
#: test             packages, build, and every suite; a suite by its name
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
#: quick            after a change: the unit tests that see it, golden, lint
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
# Criterion starts the program anew for each test: the sanitizers' libraries take long to load.
UNIT_LINK := tests/unit/support/criterion.link
UNIT_LDFLAGS_asan := -static-libasan -static-libubsan
$(BUILD)/unit-tests: $(UNIT_OBJECTS) $(LIBRARY) $(UNIT_LINK)
	$(call say,link)$(CC) $(ALL_LDFLAGS) $(UNIT_LDFLAGS_$(MODE)) -o $@ $(UNIT_OBJECTS) $(LIBRARY) \
	    @$(UNIT_LINK) $(ALL_LIBS)

unit:
	$(call built,asan,build/asan/unit-tests)
	@$(suite) build/asan/unit-tests '--xml=$(RESULTS)/unit.xml' $(if $(FILTER),'--filter=$(FILTER)')

STATISTICS_OBJECTS := $(patsubst %.c,$(BUILD)/%.o,$(sort $(wildcard tests/statistics/*.c)))
-include $(STATISTICS_OBJECTS:.o=.d)
$(BUILD)/statistics: $(STATISTICS_OBJECTS) $(LIBRARY)
	$(call say,link)$(CC) $(ALL_LDFLAGS) -o $@ $(STATISTICS_OBJECTS) $(LIBRARY) $(ALL_LIBS)

#: statistics       simulations of the statistics; STATISTICS=full for all of them
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

#: readme           the tables of formats and pictures in READMEs
# The table of formats and the lists of pictures, each in the README.md of its directory.
.PHONY: readme
readme:
	@+$(submake) MODE=release all
	@tests/support/formats-table '$(RELEASE)' src/input/README.md
	@tests/support/picture-lists samples/README.md

#: files            src/FILES.md, the list of the source files
# src/FILES.md: each source file with the first sentence of its header.
.PHONY: files
files:
	@tests/support/file-list src/FILES.md

#: pictures         samples/pictures, from the rows of tests/pictures/table.js
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
# `make test` has built them before: a suite whose helper is looked at once more begins late.
ifeq ($(BUILT),)
pixels: build/release/helpers/compare_png
readings: build/release/helpers/readings
faults: build/release/helpers/fail_malloc.so build/release/helpers/fail_calls.so
hostile: $(IN_HOSTILE:%=build/release/helpers/%)
endif
build/release/helpers/fail_%.so: tests/faults/fail_%.c
	@mkdir -p $(@D)
	$(call say,link)$(CC) -std=c11 -D_GNU_SOURCE -O1 $(WARNINGS) -shared -fPIC -o $@ $<
build/release/helpers/%.so: tests/support/%.c
	@mkdir -p $(@D)
	$(call say,link)$(CC) -std=c11 -D_GNU_SOURCE -O1 $(WARNINGS) -fPIC -shared -o $@ $<

build/release/bench/pair: tests/bench/pair.c
	@mkdir -p $(@D)
	$(call say,compile)$(CC) -std=c11 -D_GNU_SOURCE -O1 $(WARNINGS) -o $@ $<
build/release/bench/draw: tests/bench/draw.c $(LIBRARY)
	@mkdir -p $(@D)
	$(call say,link)$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $< $(LIBRARY) $(ALL_LIBS)

#: asan             golden and hostile cases under the sanitizers
# The same cases, by the program with its sanitizers on.
.PHONY: asan accept compare-text bench bench-formats
asan: build/release/helpers/limit
	@+$(submake) MODE=asan all
	@FLAMEPRESS='$(ASAN)' tests/golden/run
	@FLAMEPRESS='$(ASAN)' SANITIZED=1 tests/hostile/run

valgrind:
	$(call built,release,all)
	@FLAMEPRESS='$(RELEASE)' $(suite) tests/support/valgrind

#: accept           shows and takes over what a golden CASE now gives
accept:
	@+$(submake) MODE=release all $(if $(filter readings,$(SUITE)),build/release/helpers/readings)
	@set -f; FLAMEPRESS='$(RELEASE)' tests/$(or $(SUITE),golden)/run --accept $(CASE)

READINGS_OBJECTS := $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/readings/*.c))
-include $(READINGS_OBJECTS:.o=.d)
build/release/helpers/readings: $(READINGS_OBJECTS) $(LIBRARY)
	@mkdir -p $(@D)
	$(call say,link)$(CC) $(ALL_LDFLAGS) -o $@ $(READINGS_OBJECTS) $(LIBRARY) $(ALL_LIBS)

build/release/helpers/compare-text: tests/pixels/compare_text.c $(LIBRARY)
build/release/helpers/forge: tests/support/forge.c $(LIBRARY)
build/release/helpers/compare-text build/release/helpers/forge:
	@mkdir -p $(@D)
	$(call say,link)$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $< $(LIBRARY) $(ALL_LIBS)
#: compare-text     our labels beside the browser's, as pictures
compare-text:
	@+$(submake) MODE=release build/release/helpers/compare-text
	@tests/pixels/compare-text build/release/helpers/compare-text build/compare-text

#: bench            time and memory of the workloads
bench: build/release/bench/pair
	@+$(submake) MODE=release all build/release/bench/draw
	@FLAMEPRESS='$(RELEASE)' tests/bench/run
#: bench-formats    time of each format
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
    formats/*/*.c parse/*.c build/frame.c build/line_table.c build/names.c build/trace_*.c \
    core/source.c) \
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

#: fuzz             each fuzz target for FUZZ_TIME seconds
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
#: soak             mutants of all corpora and the fuzz targets, for HOURS
soak: build/release/helpers/mutate build/release/helpers/limit
	@+$(submake) MODE=asan all
	@+$(submake) MODE=fuzz fuzz-programs
	@FLAMEPRESS='$(ASAN)' FUZZ_TARGETS='$(FUZZ_TARGETS)' tests/soak/run '$(HOURS)'

#: mutants          MUTANTS=60 SEED=1: breaks the sources; says what no suite noticed
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
#: cover            lines covered, per file
cover: $(IN_HOSTILE:%=build/release/helpers/%) build/release/helpers/limit
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
