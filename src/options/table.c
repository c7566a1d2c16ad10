#include "options/table.h"

#include <stddef.h>
#include <string.h>

#include "base/file.h"

const struct option_group_row options_groups[OPTION_GROUPS] = {
    [GROUP_OUTPUT] = {"output", "Output", COMMANDS_ALL,
                      "output to keep commit note format config force single-file site pages "
                      "pixel-ratio rows tree"},
    [GROUP_INPUT] = {"input", "Input (events, kinds, processes, times)", COMMANDS_ALL,
                     "exclude event kind process merge"},
    [GROUP_FILTERS] = {"filters", "Filters and searches", COMMANDS_ALL,
                       "focus ignore hide group search"},
    [GROUP_LOOK] = {"look", "Look (shape, size, colours)", COMMANDS_ALL,
                    "around zoom crop reverse inverted flamechart width minwidth colors"},
    [GROUP_TEXT] = {"text", "Text (titles, labels, fonts)", COMMANDS_ALL, "title subtitle"},
    [GROUP_DIFFERENTIAL] = {"differential", "Differential graphs", COMMAND_DIFF, NULL},
    [GROUP_COMPARISON] = {"comparison", "Comparison with earlier runs",
                          COMMAND_CHECK | COMMAND_REPORT,
                          "baseline json junit sarif github strict"},
    [GROUP_SVG] = {"svg", "SVG files", 0, NULL},
    [GROUP_NAMES] = {"names", "Function names", COMMANDS_OF_STACKS, NULL},
    [GROUP_LIMITS] = {"limits", "Limits for large or hostile input", 0, NULL},
    [GROUP_RUNNING] = {"running", "Running", COMMANDS_ALL, "quiet help"},
};

/* Options that a program has and a library has not: they name files that are written or read. */
enum {
    PROGRAM_DRAWING = COMMANDS_DRAWING & ~COMMAND_LIBRARY,
    PROGRAM_READING = COMMANDS_READING & ~COMMAND_LIBRARY,
    COMMANDS_TIMING = COMMANDS_READING & ~COMMAND_ARCHIVE,              /* whose --to is a time */
    COMMANDS_JUDGING = COMMAND_REPORT | COMMAND_CHECK | COMMAND_DIGEST, /* with settings */
};

/* Choices are stored by their places. */
_Static_assert(COMPARE_REFERENCE == 0 && COMPARE_SHARE == 1 && COMPARE_RATE == 2, "--measure");
_Static_assert(PRESET_NONE == 0 && PRESET_TICKET == 1, "--preset");
_Static_assert(GROUP_NOT == 0 && GROUP_MODULE == 1 && GROUP_PACKAGE == 2, "--group");
_Static_assert(MERGE_OFF == 0 && MERGE_PLAIN == 1 && MERGE_FILE == 2 && MERGE_HOST == 3, "--merge");
_Static_assert(LABEL_SMART == 0 && LABEL_HEAD == 1 && LABEL_TAIL == 2, "--label");
_Static_assert(LAYOUT_BY_NAME == 0 && LAYOUT_BY_WEIGHT == 1, "--sort");
_Static_assert(THEME_LIGHT == 0 && THEME_DARK == 1 && THEME_AUTO_NEUTRAL == 2, "--theme");
_Static_assert(CHANGE_BY_NEW == 0 && CHANGE_BY_BASE == 1 && CHANGE_BY_BOTH == 2, "--width-by");
_Static_assert(NAMES_CLEAN == 0 && NAMES_REFERENCE == 1, "--names");
_Static_assert(INLINING_AUTO == 0 && INLINING_ON == 1 && INLINING_OFF == 2, "--inline");
_Static_assert(REPORT_PAGE == 0, "--site");
_Static_assert(REPORT_PAGES_AUTO == 0 && REPORT_PAGES_ONE == 1 && REPORT_PAGES_EACH == 2,
               "--pages");
_Static_assert(EMBED_AUTO == 0 && EMBED_ALWAYS == 1 && EMBED_NEVER == 2, "--embed");
_Static_assert(SVG_SCRIPT_INLINE == 0 && SVG_SCRIPT_EXTERNAL == 1 && SVG_SCRIPT_NONE == 2,
               "--svg-script");

#define AT(member) offsetof(struct options, member)
#define FLAG(group, name, letter, aliases, member, commands, scope, about)                         \
    {                                                                                              \
        group, name, letter, aliases, OPTION_FLAG, AT(member), commands, scope, NULL, about, NULL, \
            0, 0                                                                                   \
    }
#define TEXT(group, name, letter, aliases, member, commands, scope, value, about)                  \
    OTHER(group, name, letter, aliases, OPTION_TEXT, member, commands, scope, value, about, 0)
#define STRING(group, name, letter, aliases, member, commands, scope, value, about)                \
    OTHER(group, name, letter, aliases, OPTION_STRING, member, commands, scope, value, about, 0)
#define WORDS(group, name, kind, member, commands, scope, value, about, choices, first)            \
    {                                                                                              \
        group, name, 0, NULL, kind, AT(member), commands, scope, value, about, choices, first, 0   \
    }
#define CHOICE(group, name, member, commands, scope, value, about, choices)                        \
    WORDS(group, name, OPTION_CHOICE, member, commands, scope, value, about, choices, 0)
#define SWITCH(group, name, member, commands, scope, value, about, choices)                        \
    WORDS(group, name, OPTION_SWITCH, member, commands, scope, value, about, choices, 0)
#define FORMAT(commands, choices, first)                                                           \
    WORDS(GROUP_OUTPUT, "format", OPTION_CHOICE, format, commands, SCOPE_COMMAND_LINE, "FORMAT",   \
          "format of what is written to standard output", choices, first)
#define COUNT(group, name, letter, member, commands, scope, value, about, low, high)               \
    {                                                                                              \
        group, name, letter, NULL, OPTION_COUNT, AT(member), commands, scope, value, about, NULL,  \
            low, high                                                                              \
    }
#define SIZE(group, name, member, commands, value, about)                                          \
    {                                                                                              \
        group, name, 0, NULL, OPTION_SIZE, AT(member), commands, SCOPE_PROFILE, value, about,      \
            NULL, 0, 0                                                                             \
    }
#define NUMBER(group, name, member, commands, value, about, low, high)                             \
    {                                                                                              \
        group, name, 0, NULL, OPTION_NUMBER, AT(member), commands, SCOPE_PROFILE, value, about,    \
            NULL, low, high                                                                        \
    }
#define COMPARISON_NUMBER(name, member, value, about, low, high)                                   \
    {                                                                                              \
        GROUP_COMPARISON, name, 0, NULL, OPTION_NUMBER, AT(member), COMMANDS_COMPARING,            \
            SCOPE_REPORT, value, about, NULL, low, high                                            \
    }
#define FILTER(name, role, about)                                                                  \
    {                                                                                              \
        GROUP_FILTERS, name, 0, NULL, OPTION_STRINGS, AT(filters[role]), COMMANDS_READING,         \
            SCOPE_PROFILE, "REGEX", about, NULL, 0, 0                                              \
    }
#define OTHER(group, name, letter, aliases, kind, member, commands, scope, value, about, high)     \
    {                                                                                              \
        group, name, letter, aliases, kind, AT(member), commands, scope, value, about, NULL, 0,    \
            high                                                                                   \
    }

/* What `convert` and `report --with` write, in the order of convert_writers. */
#define CONVERTED_FORMATS "pprof pprof-raw speedscope firefox folded cpuprofile d3 otlp otlp-json"

const struct option_row options_table[] = {
    OTHER(GROUP_OUTPUT, "output", 'o', "out", OPTION_STRINGS, outputs,
          (PROGRAM_READING | COMMAND_TRENDS) & ~(COMMAND_CHECK | COMMAND_ARCHIVE),
          SCOPE_COMMAND_LINE, "PATH",
          "write to PATH: a directory for report and trends, a file otherwise; '-' is standard "
          "output; graph and diff accept several, and a snippet for a ticket (NAME.md), which has "
          "the picture, its text and the top functions",
          0),
    FORMAT(COMMAND_GRAPH, "svg png", FORMAT_SVG),
    FORMAT(COMMAND_DIFF, "svg png folded text csv json", FORMAT_SVG),
    FORMAT(COMMAND_TOP, "text csv json", FORMAT_TEXT),
    FORMAT(COMMAND_CONVERT, CONVERTED_FORMATS, FORMAT_CONVERTED),
    FORMAT(COMMAND_DIGEST, "text markdown html eml", FORMAT_DIGEST),
    STRING(GROUP_OUTPUT, "config", 'c', NULL, config,
           COMMAND_REPORT | COMMAND_CHECK | COMMAND_ARCHIVE | COMMAND_DIGEST, SCOPE_COMMAND_LINE,
           "FILE", "read settings from FILE, not from flamepress.yml in the directory of profiles"),
    SWITCH(GROUP_OUTPUT, "command", folds, COMMAND_LIBRARY, SCOPE_COMMAND_LINE, "COMMAND",
           "the command whose result is wanted: a picture, or folded stacks", "graph fold"),
    FLAG(GROUP_OUTPUT, "force", 'f', NULL, force,
         COMMAND_REPORT | COMMAND_ARCHIVE | COMMAND_TRENDS | COMMAND_INDEX, SCOPE_COMMAND_LINE,
         "replace OUT even if it is not an earlier report, or an archived label"),
    FLAG(GROUP_OUTPUT, "fresh", 0, NULL, fresh, COMMAND_REPORT, SCOPE_COMMAND_LINE,
         "draw everything again, also what has not changed since the earlier report in OUT"),
    FLAG(GROUP_OUTPUT, "watch", 0, NULL, watch, COMMAND_REPORT, SCOPE_COMMAND_LINE,
         "make the report again whenever profiles, their notes or the settings change, until "
         "Ctrl-C; "
         "what has not changed is not drawn again"),
    FLAG(GROUP_OUTPUT, "no-fsync", 0, NULL, no_fsync,
         COMMAND_REPORT | COMMAND_ARCHIVE | COMMAND_TRENDS, SCOPE_COMMAND_LINE,
         "do not wait until the report is on the disk before it replaces the old one"),
    FLAG(GROUP_OUTPUT, "single-file", 0, NULL, single_file, COMMAND_REPORT, SCOPE_REPORT,
         "write one HTML file that contains all graphs, for mail or a ticket"),
    CHOICE(GROUP_OUTPUT, "site", site, COMMAND_REPORT, SCOPE_REPORT, "GENERATOR",
           "write index.md for this site generator, and no page of its own", SITE_WORDS),
    SWITCH(GROUP_OUTPUT, "source", plan.look.whole_path, COMMANDS_DRAWING, SCOPE_PROFILE, "HOW",
           "what pictures call their input: its name, or its path as it was given", "name path"),
    STRING(GROUP_OUTPUT, "alt", 0, NULL, alt, COMMAND_GRAPH | COMMAND_DIFF, SCOPE_COMMAND_LINE,
           "FILE",
           "write a text for readers who do not see the picture to FILE ('-': standard "
           "output)"),
    STRING(GROUP_OUTPUT, "link", 0, NULL, link, COMMAND_GRAPH | COMMAND_DIFF | COMMAND_DIGEST,
           SCOPE_COMMAND_LINE, "URL",
           "link the picture in a snippet (-o NAME.md) to URL, by default to the SVG that is "
           "written with it; in a digest, link the report"),
    STRING(GROUP_OUTPUT, "digest", 0, NULL, digest, COMMAND_FORMATS, SCOPE_COMMAND_LINE, "DIGEST",
           "print which of the profiles named has the graph of a PNG whose text Digest is DIGEST"),
    STRING(GROUP_OUTPUT, "part", 0, NULL, part, COMMAND_REPORT, SCOPE_COMMAND_LINE, "I/N",
           "make only part I of N of the report, into PARTS; the parts are equally large"),
    STRING(GROUP_OUTPUT, "parts", 0, NULL, parts, COMMAND_REPORT, SCOPE_COMMAND_LINE, "PARTS",
           "the directory of all parts; with --slurm the number of parts"),
    STRING(GROUP_OUTPUT, "stitch", 0, NULL, stitch, COMMAND_REPORT, SCOPE_COMMAND_LINE, "PARTS",
           "make the report of the parts in PARTS, with the options that the parts were made with; "
           "those that say which files are read are given again"),
    CHOICE(GROUP_OUTPUT, "pages", pages, COMMAND_REPORT, SCOPE_REPORT, "WHICH",
           "all graphs on one page, or a page of each and a summary; auto: a page of each above 50 "
           "graphs, unless there are --templates",
           "auto one each"),
    FLAG(GROUP_OUTPUT, "slurm", 0, NULL, slurm, COMMAND_REPORT, SCOPE_COMMAND_LINE,
         "make the report on a Slurm cluster: an array job makes its parts in OUT.parts, and "
         "another "
         "job makes the report of them"),
    FLAG(GROUP_OUTPUT, "wait", 0, NULL, wait, COMMAND_REPORT, SCOPE_COMMAND_LINE,
         "with --slurm: wait for the report, show what runs, and take over its exit status"),
    FLAG(GROUP_OUTPUT, "dry-run", 0, NULL, dry_run, COMMAND_REPORT, SCOPE_COMMAND_LINE,
         "with --slurm: print the scripts and the commands, and submit nothing"),
    WORDS(
        GROUP_OUTPUT, "with", OPTION_SET, plan.exports, COMMAND_REPORT, SCOPE_PROFILE, "FORMATS",
        "also write each graph's stacks in these formats of convert, with commas between, and link "
        "them",
        CONVERTED_FORMATS, 0),
    FLAG(GROUP_OUTPUT, "crops", 0, NULL, plan.crops, COMMAND_REPORT, SCOPE_PROFILE,
         "also draw the three functions with the most self weight, each as graph --crop "
         "--preset=ticket does, and link them in the table of functions"),
    FLAG(GROUP_OUTPUT, "dark-images", 0, NULL, dark_images, COMMAND_REPORT, SCOPE_REPORT,
         "also draw PNGs for dark pages; page and Markdown show the one that matches the reader's "
         "colour scheme"),
    OTHER(GROUP_OUTPUT, "pixel-ratio", 0, NULL, OPTION_RATIOS, plan.look.pixel_ratios,
          COMMANDS_DRAWING, SCOPE_PROFILE, "LIST",
          "pixel ratios at which to draw PNGs, such as 1,2; the default is 1,2 for report and 1 "
          "for graph",
          0),
    CHOICE(
        GROUP_OUTPUT, "embed", plan.look.picture.embed, COMMANDS_DRAWING, SCOPE_PROFILE, "WHEN",
        "put the profile into the PNG, so that flamepress can read it again: if it takes at most "
        "40 KB (auto), always or never",
        "auto always never"),
    STRING(GROUP_OUTPUT, "templates", 0, NULL, templates, COMMAND_REPORT, SCOPE_REPORT, "DIR",
           "use the templates in DIR in place of the built-in ones with the same names"),
    TEXT(GROUP_OUTPUT, "date", 0, NULL, date, COMMAND_REPORT | COMMAND_LIBRARY | COMMAND_ARCHIVE,
         SCOPE_REPORT, "TEXT",
         "the date that the report shows, or that orders the labels of a history"),
    STRING(GROUP_OUTPUT, "to", 0, NULL, to, COMMAND_ARCHIVE, SCOPE_COMMAND_LINE, "DIR",
           "directory of the history"),
    COUNT(GROUP_OUTPUT, "keep", 0, keep, COMMAND_ARCHIVE, SCOPE_COMMAND_LINE, "N",
          "then remove the stacks of all labels but the newest N; their tables of functions stay",
          1, 1000000),
    TEXT(GROUP_OUTPUT, "label", 0, NULL, label, COMMAND_ARCHIVE, SCOPE_COMMAND_LINE, "NAME",
         "name of the label; the default is --date, or the name of the directory of profiles"),
    TEXT(GROUP_OUTPUT, "commit", 0, NULL, commit, COMMAND_ARCHIVE, SCOPE_COMMAND_LINE, "ID",
         "commit that the profiled programs were built from"),
    TEXT(GROUP_OUTPUT, "note", 0, NULL, note, COMMAND_ARCHIVE, SCOPE_COMMAND_LINE, "TEXT",
         "a note about the label"),
    COUNT(GROUP_OUTPUT, "list-below", 0, list_below, COMMAND_REPORT, SCOPE_REPORT, "SAMPLES",
          "list graphs with fewer than SAMPLES samples at the end, unless all have fewer; 0: never",
          0, 1000000),
    COUNT(GROUP_OUTPUT, "rows", 'n', plan.rows,
          COMMAND_REPORT | COMMAND_LIBRARY | COMMAND_TOP | COMMAND_DIFF, SCOPE_PROFILE, "N",
          "number of functions in each table of top functions", 1, 1000000),
    FLAG(GROUP_OUTPUT, "tree", 0, NULL, tree, COMMAND_TOP, SCOPE_COMMAND_LINE,
         "print the heaviest frames as an indented call tree"),

    FLAG(GROUP_INPUT, "follow", 0, NULL, follow, COMMAND_REPORT, SCOPE_COMMAND_LINE,
         "follow all symbolic links in a directory, not only those to its own files"),
    OTHER(GROUP_INPUT, "exclude", 0, NULL, OPTION_GLOBS, excluded,
          COMMANDS_JUDGING | COMMAND_ARCHIVE, SCOPE_REPORT, "GLOB",
          "leave out files whose path below DIR matches GLOB (repeatable)", 0),
    OTHER(
        GROUP_INPUT, "event", 'e', "event-filter sample-type", OPTION_STRINGS, events,
        COMMANDS_READING, SCOPE_PROFILE, "NAME",
        "take this event, counter or sample type, if the file contains several (repeatable); 'all' "
        "takes all; report draws each, and other commands add them up",
        0),
    OTHER(GROUP_INPUT, "kind", 'k', NULL, OPTION_KIND, plan.recipe.kind, COMMANDS_READING,
          SCOPE_PROFILE, "KIND", "say what was measured, if the input does not say it", 0),
    OTHER(GROUP_INPUT, "process", 0, NULL, OPTION_STRINGS, processes, COMMANDS_READING,
          SCOPE_PROFILE, "PROCESS",
          "keep only samples of processes with this name or number (repeatable)", 0),
    OTHER(GROUP_INPUT, "thread", 0, NULL, OPTION_STRINGS, thread_names, COMMANDS_READING,
          SCOPE_PROFILE, "THREAD",
          "keep only samples of threads with this name or number (repeatable)", 0),
    OTHER(GROUP_INPUT, "state", 0, NULL, OPTION_STRINGS, states, COMMANDS_READING, SCOPE_PROFILE,
          "STATE",
          "keep only samples of threads in this state, such as D, uninterruptible, involuntary or "
          "WAITING (repeatable)",
          0),
    OTHER(GROUP_INPUT, "tag", 0, "tagfocus", OPTION_STRINGS, tags, COMMANDS_READING, SCOPE_PROFILE,
          "KEY=VALUE",
          "keep only samples with this label, of profiles and goroutine dumps of Go (repeatable)",
          0),
    OTHER(GROUP_INPUT, "from", 0, NULL, OPTION_TIME, plan.recipe.from, COMMANDS_TIMING,
          SCOPE_PROFILE, "SECONDS",
          "keep only samples at or after this time, counted from the first sample", 0),
    OTHER(GROUP_INPUT, "to", 0, NULL, OPTION_TIME, plan.recipe.to, COMMANDS_TIMING, SCOPE_PROFILE,
          "SECONDS", "keep only samples at or before this time, counted from the first sample", 0),
    SWITCH(GROUP_INPUT, "idle", plan.recipe.drop_idle, COMMANDS_READING, SCOPE_PROFILE, "WHAT",
           "keep or drop stacks of idle CPUs, event loops and worker threads that wait for work",
           "keep drop"),
    CHOICE(GROUP_INPUT, "split", split, COMMANDS_READING, SCOPE_PROFILE, "BY",
           "draw one graph for each event, process, thread, CPU or control group",
           "event process thread cpu cgroup"),
    STRING(GROUP_INPUT, "split-tag", 0, NULL, plan.reading.split_tag, COMMANDS_READING,
           SCOPE_PROFILE, "KEY", "draw one graph for each value of this label of samples"),
    CHOICE(GROUP_INPUT, "merge", plan.recipe.merge,
           COMMAND_REPORT | COMMAND_GRAPH | COMMANDS_OF_STACKS | COMMAND_TOP, SCOPE_REPORT, "BY",
           "merge all files into one graph; file and host add a root frame for each",
           "off plain file host"),
    FLAG(GROUP_INPUT, "each-run", 0, NULL, each_run, COMMAND_REPORT, SCOPE_REPORT,
         "draw a graph for each file, not for the files of a service together"),
    FLAG(GROUP_INPUT, "pair", 0, NULL, plan.recipe.side_by_side, COMMANDS_READING, SCOPE_PROFILE,
         "in hotcold graphs, draw on-CPU and off-CPU time side by side, not thread by thread"),
    COUNT(GROUP_INPUT, "frequency", 0, plan.recipe.frequency, COMMANDS_READING, SCOPE_PROFILE, "HZ",
          "samples per second of a hotcold graph whose on-CPU weights are numbers of samples", 1,
          1000000000),

    FILTER("focus", FILTER_FOCUS, "keep only stacks with a matching function"),
    FILTER("ignore", FILTER_IGNORE, "drop stacks with a matching function"),
    FILTER("hide", FILTER_HIDE,
           "remove matching functions; their self weight goes to their callers"),
    FILTER("show", FILTER_SHOW,
           "remove all functions that do not match; their self weight goes to their callers"),
    FILTER("show-from", FILTER_SHOW_FROM,
           "start each stack at its first matching function; drop stacks without one"),
    FILTER("prune-from", FILTER_PRUNE_FROM, "end each stack at its last matching function"),
    OTHER(GROUP_FILTERS, "rename", 0, NULL, OPTION_STRINGS, renames,
          COMMANDS_READING | COMMAND_TRENDS, SCOPE_PROFILE, "REGEX=TEXT",
          "replace each match in the names of frames by TEXT, in which $1 is a group (repeatable); "
          "filters and searches see the new names",
          0),
    CHOICE(GROUP_FILTERS, "group", plan.recipe.filter.group, COMMANDS_READING, SCOPE_PROFILE, "BY",
           "draw functions, or the modules or packages that contain them",
           "function module package"),
    FILTER("collapse-module", FILTER_COLLAPSE_MODULE,
           "draw consecutive functions of a matching module, such as libc, as one frame"),
    FLAG(GROUP_FILTERS, "collapse-recursion", 0, NULL, plan.recipe.filter.collapse_recursion,
         COMMANDS_READING, SCOPE_PROFILE,
         "draw a function that calls itself directly as one frame"),
    OTHER(GROUP_FILTERS, "search", 's', NULL, OPTION_SEARCH, searches,
          COMMANDS_DRAWING | COMMAND_TOP, SCOPE_COMMAND_LINE, "[NAME=]REGEX",
          "report the share of stacks with a matching function, under this name (repeatable)", 0),
    FLAG(GROUP_FILTERS, "ignore-case", 0, NULL, ignore_case, COMMANDS_READING, SCOPE_REPORT,
         "ignore case in searches and filters"),
    FLAG(GROUP_FILTERS, "literal", 0, NULL, literal, COMMANDS_READING, SCOPE_REPORT,
         "match searches and filters as text, not as regular expressions"),

    CHOICE(GROUP_LOOK, "preset", preset, COMMAND_GRAPH | COMMAND_DIFF, SCOPE_COMMAND_LINE,
           "PURPOSE",
           "options for a picture in a ticket: --width=700 --pixel-ratio=2 --max-height=600 "
           "--label-percent --origin, unless they are given",
           "none ticket"),
    TEXT(GROUP_LOOK, "around", 0, "peek", plan.recipe.around, COMMANDS_DRAWING | COMMAND_TOP,
         SCOPE_PROFILE, "FUNCTION",
         "draw one function with its callers below and its callees above, merged over all its call "
         "sites"),
    TEXT(GROUP_LOOK, "zoom", 0, NULL, plan.recipe.zoom, COMMANDS_DRAWING, SCOPE_PROFILE, "FUNCTION",
         "draw only the stacks through one function, with all its callers, over the full width"),
    TEXT(GROUP_LOOK, "crop", 0, NULL, plan.recipe.crop, COMMANDS_DRAWING, SCOPE_PROFILE, "FUNCTION",
         "draw only one function, what it calls and a row of its callers, for a ticket"),
    FLAG(GROUP_LOOK, "reverse", 0, NULL, plan.recipe.reverse, COMMANDS_DRAWING | COMMAND_TOP,
         SCOPE_PROFILE, "merge stacks from the leaf, to show who calls the hot functions"),
    FLAG(GROUP_LOOK, "inverted", 'i', NULL, plan.look.picture.inverted, COMMANDS_DRAWING,
         SCOPE_PROFILE, "draw an icicle graph, with the root at the top"),
    FLAG(GROUP_LOOK, "flamechart", 0, NULL, plan.look.flamechart, COMMANDS_DRAWING, SCOPE_PROFILE,
         "draw samples in order of time, and merge only neighbours"),
    CHOICE(GROUP_LOOK, "sort", plan.look.sort, COMMANDS_DRAWING, SCOPE_PROFILE, "ORDER",
           "order of sibling frames", "name weight"),
    COUNT(GROUP_LOOK, "width", 0, plan.look.picture.width, COMMANDS_DRAWING, SCOPE_PROFILE,
          "PIXELS", "width of the picture", 100, 20000),
    COUNT(GROUP_LOOK, "height", 0, plan.look.picture.frame_height, COMMANDS_DRAWING, SCOPE_PROFILE,
          "PIXELS",
          "height of one frame including the gap; a frame lower than the font size has no label", 4,
          200),
    OTHER(GROUP_LOOK, "minwidth", 0, "min-width", OPTION_WIDTH, plan.look.min_width,
          COMMANDS_DRAWING, SCOPE_PROFILE, "WIDTH",
          "leave out frames narrower than this, in pixels or as a percentage such as 0.5%", 1000),
    COUNT(GROUP_LOOK, "max-height", 0, plan.look.max_height, COMMANDS_DRAWING, SCOPE_PROFILE,
          "PIXELS", "if the picture is higher, leave out narrow frames, or else the highest rows",
          100, 100000),
    COUNT(GROUP_LOOK, "max-depth", 0, plan.look.max_depth, COMMANDS_DRAWING, SCOPE_PROFILE, "ROWS",
          "maximum number of rows to draw", 1, 10000),
    OTHER(GROUP_LOOK, "total", 0, NULL, OPTION_WEIGHT, plan.look.has_total, COMMANDS_DRAWING,
          SCOPE_PROFILE, "WEIGHT",
          "weight that fills the width, to draw several graphs on one scale", 0),
    SWITCH(GROUP_LOOK, "scale", common_scale, COMMAND_REPORT, SCOPE_REPORT, "SCALE",
           "width of graphs: each fills the width (own), or proportional to weight, and the "
           "heaviest of a unit fills the width (common)",
           "own common"),
    NUMBER(GROUP_LOOK, "factor", plan.recipe.factor, COMMANDS_DRAWING | COMMAND_TOP, "NUMBER",
           "multiply all weights by this", 1e-12, 1e12),
    OTHER(GROUP_LOOK, "colors", 0, "color palette", OPTION_PALETTE, plan.look.palette,
          COMMANDS_DRAWING, SCOPE_PROFILE, "PALETTE",
          "colour palette; the default depends on the kind of graph", 0),
    OTHER(GROUP_LOOK, "bgcolors", 0, "background", OPTION_BACKGROUND, plan.look.has_background,
          COMMANDS_DRAWING, SCOPE_PROFILE, "COLOR",
          "background colour: one of these names, or #rrggbb; the default depends on the palette",
          0),
    CHOICE(GROUP_LOOK, "theme", plan.look.picture.theme, COMMANDS_DRAWING, SCOPE_PROFILE, "THEME",
           "background of the PNG; auto-neutral is a grey that suits light and dark pages",
           "light dark auto-neutral"),
    FLAG(GROUP_LOOK, "hash", 0, NULL, by_name_hash, COMMANDS_DRAWING, SCOPE_PROFILE,
         "give similar names similar colours"),
    FLAG(GROUP_LOOK, "random", 0, NULL, random, COMMANDS_DRAWING, SCOPE_PROFILE,
         "choose colours at random, always the same ones for one --seed"),
    COUNT(GROUP_LOOK, "seed", 0, plan.look.seed, COMMANDS_DRAWING, SCOPE_PROFILE, "N",
          "seed for --random", 0, 4294967295.0),
    STRING(GROUP_LOOK, "cp", 0, "palette-map", color_map, PROGRAM_DRAWING, SCOPE_REPORT, "FILE",
           "read the colours of functions from FILE, and add those of new functions to it"),

    TEXT(GROUP_TEXT, "title", 0, "titletext", plan.look.picture.title,
         COMMANDS_DRAWING | COMMAND_TRENDS | COMMAND_INDEX, SCOPE_PROFILE, "TEXT",
         "title of the picture or the report"),
    TEXT(GROUP_TEXT, "subtitle", 0, NULL, plan.look.picture.subtitle, COMMANDS_DRAWING,
         SCOPE_PROFILE, "TEXT", "second title line"),
    CHOICE(GROUP_TEXT, "label", plan.look.picture.label, COMMANDS_DRAWING, SCOPE_PROFILE, "HOW",
           "how to shorten a label: arguments and namespaces first (smart), or keep its head or "
           "its tail",
           "smart head tail"),
    FLAG(GROUP_TEXT, "label-percent", 0, NULL, plan.look.picture.label_percent, COMMANDS_DRAWING,
         SCOPE_PROFILE, "write the share of a frame after its name, if both fit"),
    OTHER(GROUP_TEXT, "mark", 0, NULL, OPTION_STRINGS, marks, COMMAND_GRAPH | COMMAND_DIFF,
          SCOPE_COMMAND_LINE, "REGEX[=NOTE]",
          "outline the frames of matching functions, with a note that a line leads to (repeatable)",
          0),
    FLAG(GROUP_TEXT, "origin", 0, NULL, plan.look.has_origin, COMMANDS_DRAWING, SCOPE_PROFILE,
         "without --subtitle, show the input's name, host, date and command, if it has them"),
    STRING(GROUP_TEXT, "font", 0, "fonttype", fonts.font, COMMANDS_DRAWING, SCOPE_REPORT, "FONT",
           "font family or font file for labels"),
    STRING(GROUP_TEXT, "font-dir", 0, NULL, fonts.directory, COMMANDS_DRAWING, SCOPE_REPORT, "DIR",
           "directory of fonts for characters that the built-in fonts lack"),
    NUMBER(GROUP_TEXT, "fontsize", plan.look.picture.font_size, COMMANDS_DRAWING, "PIXELS",
           "font size; below 6, frames have no labels", 4, 100),
    TEXT(GROUP_TEXT, "countname", 0, "count-name", plan.recipe.count_name,
         COMMANDS_DRAWING | COMMAND_TOP, SCOPE_PROFILE, "TEXT",
         "unit of the weights, in place of the one in the profile"),
    TEXT(GROUP_TEXT, "nametype", 0, "name-type", plan.look.picture.name_type, COMMANDS_DRAWING,
         SCOPE_PROFILE, "TEXT", "word before the function's name in the details line"),

    FLAG(GROUP_DIFFERENTIAL, "normalize", 0, NULL, plan.recipe.normalize, COMMANDS_DRAWING,
         SCOPE_PROFILE, "scale the base to the total of the new profile"),
    CHOICE(GROUP_DIFFERENTIAL, "width-by", plan.look.width_by, COMMANDS_DRAWING, SCOPE_PROFILE,
           "SIDE", "draw widths from the new profile, the base, or the sum of both",
           "new base both"),
    SWITCH(GROUP_DIFFERENTIAL, "delta", plan.look.delta_of_total, COMMANDS_DRAWING, SCOPE_PROFILE,
           "WEIGHT", "colour frames by the change of their self or their total weight",
           "self total"),
    FLAG(GROUP_DIFFERENTIAL, "triple", 0, NULL, plan.look.triple, COMMANDS_DRAWING, SCOPE_PROFILE,
         "draw base, new and difference below each other in one picture"),
    FLAG(GROUP_DIFFERENTIAL, "hatch", 0, NULL, plan.look.hatch, COMMANDS_DRAWING, SCOPE_PROFILE,
         "hatch frames that grew or shrank, for print without colours"),
    FLAG(GROUP_DIFFERENTIAL, "negate", 0, NULL, plan.recipe.negate, COMMANDS_DRAWING, SCOPE_PROFILE,
         "swap the sides: the first file is the new profile"),

    OTHER(GROUP_DIFFERENTIAL, "with", 0, NULL, OPTION_STRINGS, news, COMMAND_DIFF,
          SCOPE_COMMAND_LINE, "NEW",
          "the files or the directory of the new side; all names after it belong to that side", 0),

    STRING(GROUP_COMPARISON, "baseline", 0, NULL, baseline,
           COMMAND_CHECK | COMMAND_DIGEST | COMMAND_REPORT, SCOPE_REPORT, "BASE",
           "compare with these earlier runs: a directory of profiles, an earlier report, or "
           "HISTORY[:LABEL] (the newest label if none is named)"),
    STRING(
        GROUP_COMPARISON, "json", 0, NULL, json, COMMAND_CHECK, SCOPE_COMMAND_LINE, "FILE",
        "write the comparison to FILE as data; '-' is standard output, which then lacks the text"),
    STRING(GROUP_COMPARISON, "junit", 0, NULL, junit, COMMAND_CHECK, SCOPE_COMMAND_LINE, "FILE",
           "write the comparison to FILE as a JUnit report"),
    STRING(GROUP_COMPARISON, "sarif", 0, NULL, sarif, COMMAND_CHECK, SCOPE_COMMAND_LINE, "FILE",
           "write the findings to FILE in SARIF"),
    FLAG(GROUP_COMPARISON, "github", 0, NULL, github, COMMAND_CHECK, SCOPE_COMMAND_LINE,
         "print the findings as annotations of GitHub Actions, and add the digest to the step's "
         "summary"),
    FLAG(GROUP_COMPARISON, "strict", 0, NULL, strict, COMMAND_CHECK, SCOPE_COMMAND_LINE,
         "exit with status 5 if a service is undecided"),
    FLAG(GROUP_COMPARISON, "confirm", 0, NULL, confirm, COMMAND_CHECK, SCOPE_COMMAND_LINE,
         "fail only for findings that the newest label of the history has, too"),
    CHOICE(GROUP_COMPARISON, "fail-on", fail_on, COMMAND_REPORT, SCOPE_REPORT, "WHAT",
           "exit with status 4 if a finding counts or a budget is broken (worse)", "nothing worse"),
    OTHER(GROUP_COMPARISON, "budget", 0, NULL, OPTION_STRINGS, budgets, COMMANDS_JUDGING,
          SCOPE_COMMAND_LINE, "ENTRY",
          "add a budget, written as in flamepress.yml: 'service: orders, function: tax, max_share: "
          "5'; "
          "repeatable",
          0),
    OTHER(
        GROUP_COMPARISON, "accept", 0, NULL, OPTION_STRINGS, accepted, COMMANDS_JUDGING,
        SCOPE_COMMAND_LINE, "ENTRY",
        "accept a change: 'service: orders, function: tax, until: 2026-12-31, reason: new rules'; "
        "repeatable",
        0),
    STRING(GROUP_COMPARISON, "codeowners", 0, NULL, codeowners, COMMANDS_JUDGING, SCOPE_REPORT,
           "FILE",
           "read the owners of source files from FILE, a CODEOWNERS file of GitHub or GitLab"),
    FLAG(GROUP_COMPARISON, "all-changes", 0, NULL, all_changes, COMMAND_REPORT, SCOPE_REPORT,
         "colour every changed function in the graphs of findings, not only the findings"),
    CHOICE(GROUP_COMPARISON, "measure", compare.measure, COMMANDS_COMPARING, SCOPE_REPORT,
           "MEASURE",
           "compare shares of what did not change (reference), shares of everything (share), or "
           "weight per request or second (rate)",
           "reference share rate"),
    COMPARISON_NUMBER("min-change", compare.min_change, "POINTS",
                      "changes smaller than this are no findings", 0, 100),
    COMPARISON_NUMBER("min-share", compare.min_share, "PERCENT",
                      "test functions with this share of the samples of both sides", 0.01, 100),
    COMPARISON_NUMBER("fdr", compare.fdr, "PERCENT",
                      "part of the findings that may be false, on average", 0.01, 50),
    COUNT(GROUP_COMPARISON, "min-samples", 0, compare.min_samples, COMMANDS_COMPARING, SCOPE_REPORT,
          "N", "test functions with this number of samples on both sides", 1, 1000000000),
    COUNT(GROUP_COMPARISON, "min-runs", 0, compare.min_runs, COMMANDS_COMPARING, SCOPE_REPORT, "N",
          "number of runs that each side needs if there is no history", 2, 1000),

    CHOICE(GROUP_SVG, "svg-script", plan.look.picture.svg_script, PROGRAM_DRAWING, SCOPE_REPORT,
           "WHERE",
           "put script and style into the file (inline) or beside it (external), or leave them out "
           "(none)",
           "inline external none"),
    SWITCH(GROUP_SVG, "svg-font", plan.look.picture.svg_system_font, COMMANDS_DRAWING, SCOPE_REPORT,
           "WHENCE", "embed the glyphs that the labels need, or use the reader's fonts",
           "embed system"),
    SIZE(GROUP_SVG, "svg-max-size", plan.look.picture.svg_max_size, COMMANDS_DRAWING, "BYTES",
         "leave out the lightest frames of an SVG that would be larger; the default is 1 MB"),
    OTHER(GROUP_SVG, "source-url", 0, NULL, OPTION_SOURCE, plan.look.picture.source_url,
          COMMANDS_DRAWING, SCOPE_PROFILE, "URL",
          "let the menu of a frame open its source line at URL, in which {file} and {line} are "
          "replaced, and write whole paths of modules and files, not their last parts",
          0),
    STRING(GROUP_SVG, "nameattr", 0, NULL, name_attributes, PROGRAM_DRAWING, SCOPE_REPORT, "FILE",
           "read links, tooltips and classes of functions from FILE, with lines of NAME, tab, "
           "KEY=VALUE"),

    CHOICE(GROUP_NAMES, "names", plan.reading.names, COMMANDS_READING, SCOPE_PROFILE, "RULES",
           "clean up names, or write them as the reference converter of the format does",
           "clean reference"),
    SWITCH(GROUP_NAMES, "demangle", plan.reading.no_demangling, COMMANDS_READING, SCOPE_PROFILE,
           "WHEN", "demangle names of C++, Rust and D", "auto off"),
    FLAG(GROUP_NAMES, "strip-address", 0, "strip-hex", plan.reading.strip_addresses,
         COMMANDS_READING, SCOPE_PROFILE,
         "replace addresses in names by 0x..., to compare runs and builds"),
    FLAG(GROUP_NAMES, "pid", 0, NULL, plan.reading.pid, COMMANDS_READING, SCOPE_PROFILE,
         "add process ids to the process frames"),
    FLAG(GROUP_NAMES, "tid", 0, NULL, plan.reading.tid, COMMANDS_READING, SCOPE_PROFILE,
         "add process and thread ids to the process frames"),
    FLAG(GROUP_NAMES, "kernel", 0, NULL, plan.reading.kernel, COMMANDS_READING, SCOPE_PROFILE,
         "mark kernel functions with _[k]; pictures always tell them apart, and stacks read from "
         "a picture are always marked"),
    FLAG(
        GROUP_NAMES, "jit", 0, NULL, plan.reading.jit, COMMANDS_READING, SCOPE_PROFILE,
        "mark functions compiled at run time with _[j]; pictures then have a frame for each way in "
        "which a function was run"),
    FLAG(GROUP_NAMES, "all", 0, NULL, annotate_all, COMMANDS_READING, SCOPE_PROFILE,
         "--kernel and --jit"),
    FLAG(GROUP_NAMES, "srcline", 0, NULL, plan.reading.srcline, COMMANDS_READING, SCOPE_PROFILE,
         "add the source file and line to names, if the input or its binaries have them"),
    FLAG(GROUP_NAMES, "addrs", 0, NULL, plan.reading.addrs, COMMANDS_READING, SCOPE_PROFILE,
         "show the addresses of functions that have no name"),
    STRING(GROUP_NAMES, "symfs", 0, NULL, plan.reading.symfs, COMMANDS_READING, SCOPE_PROFILE,
           "DIR", "look for the binaries of a perf.data file below DIR, not below /"),
    STRING(GROUP_NAMES, "program", 0, NULL, plan.reading.program, COMMANDS_READING, SCOPE_PROFILE,
           "FILE", "take the symbols of a gmon.out file from FILE, not from a.out beside it"),
    STRING(GROUP_NAMES, "kallsyms", 0, NULL, plan.reading.kallsyms, COMMANDS_READING, SCOPE_PROFILE,
           "FILE",
           "take the kernel's symbols of a perf.data file from FILE, a copy of /proc/kallsyms"),
    FLAG(GROUP_NAMES, "debuginfod", 0, NULL, plan.reading.debuginfod, COMMANDS_READING,
         SCOPE_COMMAND_LINE,
         "fetch binaries and symbols of a perf.data file that are not here from the servers of "
         "$DEBUGINFOD_URLS"),
    CHOICE(GROUP_NAMES, "inline", plan.reading.inlining, COMMANDS_READING, SCOPE_PROFILE, "WHEN",
           "look up inlined functions for a perf.data file: for copied stacks, always or never",
           "auto on off"),

    SIZE(GROUP_LIMITS, "max-size", plan.reading.limits.max_size, COMMANDS_READING, "BYTES",
         "refuse inputs that are larger once decompressed"),
    SIZE(GROUP_LIMITS, "max-line", plan.reading.limits.max_line, COMMANDS_READING, "BYTES",
         "refuse inputs with a longer line"),
    SIZE(GROUP_LIMITS, "max-memory", plan.reading.limits.max_memory, COMMANDS_READING, "BYTES",
         "refuse inputs that need more memory to be read and drawn"),
    SIZE(GROUP_LIMITS, "max-work", plan.reading.limits.max_work, COMMANDS_READING, "STEPS",
         "refuse inputs that need more steps to read: one for each frame of a stack, and 32 for "
         "each byte of data that is compressed by more than a factor of 1,000"),
    COUNT(GROUP_LIMITS, "max-name", 0, plan.reading.limits.max_name, COMMANDS_READING,
          SCOPE_PROFILE, "BYTES", "cut function names longer than this", 16, 1 << 30),
    COUNT(GROUP_LIMITS, "max-frames", 0, plan.reading.limits.max_depth, COMMANDS_READING,
          SCOPE_PROFILE, "FRAMES", "cut stacks deeper than this", 1, 1u << 31),
    COUNT(GROUP_LIMITS, "max-stacks", 0, plan.reading.limits.max_stacks, COMMANDS_READING,
          SCOPE_PROFILE, "N", "refuse inputs with more distinct stacks", 1, 2000000000.0),
    COUNT(GROUP_LIMITS, "max-graphs", 0, plan.graphs, COMMAND_REPORT | COMMAND_LIBRARY,
          SCOPE_PROFILE, "N", "draw the heaviest N graphs of an input, and list the others", 1,
          1000000),

    COUNT(GROUP_RUNNING, "threads", 'j', threads, COMMANDS_READING | COMMAND_TRENDS,
          SCOPE_COMMAND_LINE, "N",
          "number of threads; has no effect on the output; the default is the number of CPUs", 1,
          1024),
    FLAG(GROUP_RUNNING, "no-sandbox", 0, NULL, no_sandbox,
         PROGRAM_READING | COMMAND_TRENDS | COMMAND_INDEX, SCOPE_COMMAND_LINE,
         "keep rights that are otherwise given up: to read other files, to use the network and to "
         "run programs"),
    FLAG(GROUP_RUNNING, "quiet", 'q', NULL, quiet, COMMANDS_ALL, SCOPE_COMMAND_LINE,
         "print errors only"),
    FLAG(GROUP_RUNNING, "verbose", 'v', NULL, verbose, COMMANDS_ALL, SCOPE_COMMAND_LINE,
         "say how each input was recognised"),
    OTHER(GROUP_RUNNING, "help", 'h', NULL, OPTION_HELP, help, COMMANDS_ALL, SCOPE_COMMAND_LINE,
          "GROUP", "print this help, or the options of one GROUP; 'all' prints every option", 0),
    FLAG(GROUP_RUNNING, "version", 'V', NULL, version, COMMANDS_ALL, SCOPE_COMMAND_LINE,
         "print the version and commit; with --verbose the libraries, too"),
    FLAG(GROUP_RUNNING, "csp", 0, NULL, csp, COMMANDS_ALL, SCOPE_COMMAND_LINE,
         "print the Content-Security-Policy that page and graphs need"),
    {GROUP_RUNNING, NULL, 0, NULL, OPTION_FLAG, 0, 0, SCOPE_COMMAND_LINE, NULL, NULL, NULL, 0, 0},
};

const struct option_group_row *options_find_group(const char *name)
{
    for (size_t i = 0; i < OPTION_GROUPS; i++)
        if (strcmp(options_groups[i].name, name) == 0)
            return &options_groups[i];
    return NULL;
}

/* ---- rows of the table ----------------------------------------------------------------------- */

/* True if `name` is in `list`, words separated by blanks, which may be NULL. */
static bool is_listed(const char *list, const char *name)
{
    struct slice rest = slice_str(list), word;

    while (slice_word(&rest, &word))
        if (slice_equal(word, slice_str(name)))
            return true;
    return false;
}

bool options_is_main(const struct option_row *row, unsigned command)
{
    const struct option_group_row *group = &options_groups[row->group];

    return (group->shown & command) && (!group->main || is_listed(group->main, row->name));
}

const struct option_row *options_find(const char *name, unsigned commands)
{
    const struct option_row *found = NULL;

    for (const struct option_row *row = options_table; row->name; row++) {
        /* conflicts_check() looks up hundreds of names: most rows differ in the first letter */
        if ((row->name[0] != name[0] || strcmp(row->name, name) != 0) &&
            !(row->aliases && strchr(row->aliases, name[0]) && is_listed(row->aliases, name)))
            continue;
        if (row->commands & commands)
            return row;
        found = found ? found : row;
    }
    return found;
}

enum option_files options_files(const struct option_row *row, const char *value)
{
    if (!row->value)
        return FILES_NONE;
    if (strcmp(row->value, "FONT") == 0)
        return strchr(value, '/') || file_kind(value) != FILE_ABSENT ? FILES_READ : FILES_NONE;
    if (!is_listed("FILE DIR BASE", row->value))
        return FILES_NONE;
    return strcmp(row->name, "cp") == 0 ? FILES_WRITTEN : FILES_READ;
}

bool options_given(const struct options *o, const struct option_row *row)
{
    size_t n = (size_t)(row - options_table);

    return o->given[n / 64] >> n % 64 & 1;
}

void options_mark_given(struct options *o, const struct option_row *row)
{
    size_t n = (size_t)(row - options_table);

    BUG_ON(n >= sizeof(o->given) * 8);
    o->given[n / 64] |= (uint64_t)1 << n % 64;
}
