/*
 * The options of the program and of the library, and their values.
 *
 * The table of options (options/table.h) says which member an option sets. The command line takes
 * precedence over the settings file, and the settings file over defaults. Values that
 * need no conversion are set in `plan` directly; options_make_plan() (options/make.h) completes a
 * copy of it. Rooms below this one do not know struct options.
 *
 * Texts are borrowed, from argv, from the settings or from the options' arena.
 */
#ifndef OPTIONS_OPTIONS_H
#define OPTIONS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/vec.h"
#include "batch/plan.h"
#include "compare/comparison.h"
#include "match/search.h"
#include "report/report.h"
#include "text/fonts.h"

enum command_id {
    COMMAND_REPORT = 1 << 0,
    COMMAND_GRAPH = 1 << 1,
    COMMAND_FOLD = 1 << 2,
    COMMAND_TOP = 1 << 3,
    COMMAND_FORMATS = 1 << 4,
    COMMAND_DIFF = 1 << 5,
    COMMAND_LIBRARY = 1 << 6, /* a setting of libflamepress */
    COMMAND_CHECK = 1 << 7,
    COMMAND_ARCHIVE = 1 << 8,
    COMMAND_DIGEST = 1 << 9,
    COMMAND_CONVERT = 1 << 10,
    COMMAND_TRENDS = 1 << 11,
    COMMAND_INDEX = 1 << 12,
    COMMANDS_DRAWING = COMMAND_REPORT | COMMAND_GRAPH | COMMAND_DIFF | COMMAND_LIBRARY,
    COMMANDS_OF_STACKS = COMMAND_FOLD | COMMAND_CONVERT, /* write stacks, for other programs */
    COMMANDS_READING = COMMANDS_DRAWING | COMMANDS_OF_STACKS | COMMAND_TOP | COMMAND_CHECK |
                       COMMAND_ARCHIVE | COMMAND_DIGEST,
    COMMANDS_COMPARING = COMMAND_REPORT | COMMAND_DIFF | COMMAND_CHECK | COMMAND_DIGEST,
    COMMANDS_ALL = COMMANDS_READING | COMMAND_FORMATS | COMMAND_TRENDS | COMMAND_INDEX,
};

/* The words of --format, in this order in the table. */
enum options_format {
    FORMAT_NONE, /* decided by the ending of the output's name */
    FORMAT_SVG,
    FORMAT_PNG,
    FORMAT_FOLDED,
    FORMAT_TEXT,
    FORMAT_CSV,
    FORMAT_JSON,
    FORMAT_DIGEST, /* a digest as text; then as Markdown, HTML and mail */
    FORMAT_DIGEST_MARKDOWN,
    FORMAT_DIGEST_HTML,
    FORMAT_DIGEST_MAIL,
    FORMAT_CONVERTED, /* the first of convert/writer.h; the others follow in their order */
};

/* Values for several options at once (options/preset.h). */
enum options_preset { PRESET_NONE, PRESET_TICKET };

enum options_split { SPLIT_EVENT, SPLIT_PROCESS, SPLIT_THREAD, SPLIT_CPU, SPLIT_CGROUP };

struct strings VEC_OF(const char *);

/* How weeks are compared, as options give it: shares in percent, changes in points. */
struct options_compare {
    enum compare_measure measure;
    double min_change, min_share, fdr;
    unsigned min_samples, min_runs;
};

/* Which comparisons make a report fail. */
enum options_fail { FAIL_ON_NOTHING, FAIL_ON_WORSE };

/* Words of a set with a bit for each row of the table. */
enum { OPTIONS_WORDS = 3 };

struct options {
    enum command_id command; /* the command that the options are for */

    /* running */
    bool help, version, csp, quiet, verbose, force, follow, no_fsync, no_sandbox, fresh, watch;
    const char *help_group; /* of --help=GROUP, "all" included; NULL for --help alone */
    const char *config;
    struct strings outputs; /* where to write; only graph and diff take several */
    unsigned threads;       /* 0: the number of CPUs */

    /* what a command writes */
    enum options_format format;
    bool tree;  /* top: print a call tree */
    bool folds; /* library: one graph is read and prepared as for folded stacks */
    bool single_file, dark_images, common_scale, each_run;
    unsigned list_below; /* graphs with fewer samples are listed only */
    enum report_site site;
    const char *part, *parts, *stitch; /* for reports that several machines make */
    enum report_pages pages;
    bool slurm, wait, dry_run;
    const char *templates;
    struct slice date;
    const char *alt, *link; /* of a picture: a file for its text, an address that it opens */
    const char *to;         /* archive: the directory of the history */
    unsigned keep;          /* archive: labels whose stacks stay; 0: all */
    const char *codeowners;
    struct strings budgets, accepted; /* entries of flamepress.yml's lists, unparsed */
    struct slice label, commit, note;
    struct fonts_options fonts;
    const char *color_map, *name_attributes;

    /* completed by options_make_plan() */
    struct strings excluded; /* globs of paths */
    struct strings events, processes, thread_names, states, tags;
    struct strings filters[FILTER_ROLES], renames, marks;
    VEC(struct search) searches; /* not compiled */
    bool ignore_case, literal, annotate_all, random, by_name_hash;
    enum options_split split;
    enum options_preset preset;
    struct plan plan;

    /* comparing with earlier runs */
    const char *baseline;
    struct options_compare compare;
    const char *json, *junit, *sarif; /* files that check writes */
    const char *digest;               /* formats: of the graphs to look for; or NULL */
    bool github, strict, confirm;
    bool all_changes;
    enum options_fail fail_on;
    struct strings news; /* diff: the new side, if --with names it */

    struct strings paths;
    struct arena memory;
    struct strings words; /* "--name=value": options that all parts of a report share */
    const char *said;     /* the options of the command line that a graph may depend on; or NULL */
    uint64_t given[OPTIONS_WORDS]; /* bit n set: row n was set by the command line */
};

/* Returns the last --output; NULL for standard output, which "-" also means. */
const char *options_output(const struct options *o);

/* Returns the number of threads to use: --threads, or the number of CPUs. */
unsigned options_threads(const struct options *o);

/* Sets all options to their defaults. */
void options_init(struct options *o);
/* Fills `o` with a copy of `from`. The copy has its own lists, but borrows the texts of `from`. */
void options_copy(struct options *o, const struct options *from);
void options_release(struct options *o);

#endif
