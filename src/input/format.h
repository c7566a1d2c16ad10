/*
 * The registry of input formats.
 *
 * A format is a file in this folder and a row in the table of format.c. The
 * order of the rows is the order in which they are asked, strong signatures
 * first and folded stacks last, because "anything, a blank, a number" fits
 * lines of many other formats.
 */
#ifndef INPUT_FORMAT_H
#define INPUT_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/slice.h"
#include "input/parse/content.h"
#include "input/parse/head.h"
#include "input/core/text.h"

/* Whose tools write it; the order of the list that users see. */
enum format_family {
    FORMAT_NO_FAMILY,
    FORMAT_ANY,
    FORMAT_LINUX,
    FORMAT_SYSTEMS,
    FORMAT_JAVA,
    FORMAT_GO,
    FORMAT_BROWSERS,
    FORMAT_LANGUAGES,
    FORMAT_MEMORY,
    FORMAT_FAMILIES,
};

struct format {
    const char *name; /* one word, shown and put into the profile */
    enum format_family family;
    const char *description; /* one line */
    const char *recognised;  /* by what, one line */
    const char *example;     /* a command that produces it */
    /* What to do where a file holds samples and no stacks; NULL where that cannot be. */
    const char *without_stacks;
    bool in_order; /* what it has stands in the order of time, though no times are told */
    /* Says whether the content is of this format. */
    bool (*claims)(const struct head *head);
    /* One of the two: line by line, or from the content as a whole. False where told. */
    const struct text_reader *reader;
    bool (*read)(struct content *content);
};

/* The formats in the order of asking. */
extern const struct format *const formats[];
extern const size_t format_count;

/* "Java", the heading of a family. */
const char *format_family_title(enum format_family family);

/* The first format that claims the content, or NULL. */
const struct format *format_find(const struct head *head);

/*
 * What the program knows and does not read: its name and what to run instead,
 * or NULL. "perf.data, the recording itself; run: perf script -i FILE > ...".
 */
const char *format_refused(const struct head *head);

/* All that the program may say so, by number from 0; NULL behind the last. */
const char *format_refusal(size_t number);

/* One per format, in its own file. */
extern const struct format format_cpuprofile;
extern const struct format format_heapprofile;
extern const struct format format_safari;
extern const struct format format_jfr;
extern const struct format format_trace_event;
extern const struct format format_mojo;
extern const struct format format_heaptrack;
extern const struct format format_v8_log;
extern const struct format format_v8_ticks;
extern const struct format format_austin;
extern const struct format format_pmcstat;
extern const struct format format_xctrace;
extern const struct format format_stap;
extern const struct format format_dtrace;
extern const struct format format_macos_sample;
extern const struct format format_instruments;
extern const struct format format_papyrus;
extern const struct format format_sysprof;
extern const struct format format_sleepy;
extern const struct format format_perf_script;
extern const struct format format_bcc;
extern const struct format format_bpftrace;
extern const struct format format_bpftrace_json;
extern const struct format format_gdb;
extern const struct format format_faulthandler;
extern const struct format format_wall_clock;
extern const struct format format_pstack;
extern const struct format format_phpspy;
extern const struct format format_memleak;
extern const struct format format_perf_report;
extern const struct format format_eu_stack;
extern const struct format format_xdebug_profile;
extern const struct format format_callgrind;
extern const struct format format_goroutines;
extern const struct format format_pprof;
extern const struct format format_xdebug_trace;
extern const struct format format_massif;
extern const struct format format_ghc_prof;
extern const struct format format_ghc_json;
extern const struct format format_dhat;
extern const struct format format_speedscope;
extern const struct format format_firefox;
extern const struct format format_stackprof;
extern const struct format format_d3_json;
extern const struct format format_pprof_cpu;
extern const struct format format_pprof_raw;
extern const struct format format_pprof_text;
extern const struct format format_pprof_threadz;
extern const struct format format_pprof_traces;
extern const struct format format_folded;
extern const struct format format_honest;
extern const struct format format_hprof_text;
extern const struct format format_java_exceptions;
extern const struct format format_java_json;
extern const struct format format_javacore;
extern const struct format format_jstack;
extern const struct format format_ljp;
extern const struct format format_visual_studio;
extern const struct format format_vtune;
extern const struct format format_wpa;
extern const struct format format_xperf;

#endif
