#include "cli/option_table.h"

#include <stddef.h>

#include "cli/option_table.h"

#define AT(member) offsetof(struct options, member)
#define FLAG(name, letter, aliases, member, commands, scope, about)                                \
    {                                                                                              \
        name, letter, aliases, OPTION_FLAG, AT(member), commands, scope, NULL, about, NULL, 0, 0   \
    }
#define TEXT(name, letter, aliases, member, commands, scope, value, about)                         \
    {                                                                                              \
        name, letter, aliases, OPTION_STRING, AT(member), commands, scope, value, about, NULL, 0,  \
            0                                                                                      \
    }
#define CHOICE(name, aliases, member, commands, scope, value, about, choices)                      \
    {                                                                                              \
        name, 0, aliases, OPTION_CHOICE, AT(member), commands, scope, value, about, choices, 0, 0  \
    }
#define COUNT(name, letter, member, commands, scope, value, about, low, high)                      \
    {                                                                                              \
        name, letter, NULL, OPTION_COUNT, AT(member), commands, scope, value, about, NULL, low,    \
            high                                                                                   \
    }
#define SIZE(name, member, value, about)                                                           \
    {                                                                                              \
        name, 0, NULL, OPTION_SIZE, AT(member), COMMANDS_READING, SCOPE_PROFILE, value, about,     \
            NULL, 0, 0                                                                             \
    }
#define NUMBER(name, member, commands, value, about, low, high)                                    \
    {                                                                                              \
        name, 0, NULL, OPTION_NUMBER, AT(member), commands, SCOPE_PROFILE, value, about, NULL,     \
            low, high                                                                              \
    }
#define FILTER(name, role, about)                                                                  \
    {                                                                                              \
        name, 0, NULL, OPTION_PATTERNS, AT(filters[role]), COMMANDS_READING, SCOPE_PROFILE,        \
            "REGEX", about, NULL, 0, 0                                                             \
    }
#define OTHER(name, letter, aliases, kind, member, commands, scope, value, about, high)            \
    {                                                                                              \
        name, letter, aliases, kind, AT(member), commands, scope, value, about, NULL, 0, high      \
    }

const struct option_row option_table[] = {
    OTHER("output", 'o', "out", OPTION_STRINGS, outputs, COMMANDS_READING, SCOPE_COMMAND_LINE,
          "PATH",
          "where to write: a directory for report, a file elsewhere (- is stdout); graph and diff "
          "take several",
          0),
    TEXT("config", 'c', NULL, config, COMMAND_REPORT, SCOPE_COMMAND_LINE, "FILE",
         "settings file instead of flamepress.yml in the profile directory"),
    FLAG("force", 'f', NULL, force, COMMAND_REPORT, SCOPE_COMMAND_LINE,
         "replace OUT even where it is no earlier report"),
    CHOICE("format", NULL, format, COMMAND_GRAPH | COMMAND_DIFF | COMMAND_TOP, SCOPE_COMMAND_LINE,
           "FORMAT",
           "what to write to stdout: svg or png; text, csv or json for top; folded for diff",
           "svg png folded text csv json"),

    OTHER("event", 'e', "event-filter sample-type", OPTION_STRINGS, events, COMMANDS_READING,
          SCOPE_PROFILE, "NAME",
          "draw this event, counter or map of a file that holds several; all for all", 0),
    OTHER("process", 0, NULL, OPTION_STRINGS, processes, COMMANDS_READING, SCOPE_PROFILE, "PROCESS",
          "only the samples of processes with this name or number (repeatable)", 0),
    OTHER("thread", 0, NULL, OPTION_STRINGS, thread_names, COMMANDS_READING, SCOPE_PROFILE,
          "THREAD", "only the samples of threads with this name or number (repeatable)", 0),
    OTHER("state", 0, NULL, OPTION_STRINGS, states, COMMANDS_READING, SCOPE_PROFILE, "STATE",
          "only threads in this state: D or uninterruptible, involuntary, WAITING (repeatable)", 0),
    CHOICE("split", NULL, split, COMMANDS_READING, SCOPE_PROFILE, "BY",
           "a graph for each event, or also for each process, thread or CPU of it",
           "event process thread cpu"),
    CHOICE("merge", NULL, merge, COMMAND_REPORT | COMMAND_GRAPH | COMMAND_FOLD | COMMAND_TOP,
           SCOPE_REPORT, "BY",
           "one graph of all files, with a root frame for each file or host, or plain",
           "off plain file host"),
    OTHER("search", 's', NULL, OPTION_SEARCH, searches, COMMANDS_DRAWING, SCOPE_COMMAND_LINE,
          "NAME=REGEX", "a named search whose share every graph reports (repeatable)", 0),
    FLAG("ignore-case", 0, NULL, ignore_case, COMMANDS_READING, SCOPE_REPORT,
         "named searches and filters do not tell capitals from small letters"),
    FILTER("focus", FILTER_FOCUS, "only stacks with a function that matches"),
    FILTER("ignore", FILTER_IGNORE, "no stacks with a function that matches"),
    FILTER("hide", FILTER_HIDE, "leave out functions that match; their weight is their callers'"),
    FILTER("show", FILTER_SHOW, "leave out all functions but those that match"),
    FILTER("show-from", FILTER_SHOW_FROM,
           "start stacks at the first function that matches, without those that have none"),
    FILTER("prune-from", FILTER_PRUNE_FROM, "leave out what the last function that matches calls"),
    CHOICE("group", NULL, group, COMMANDS_READING, SCOPE_PROFILE, "BY",
           "frames are functions, or the modules or packages that they are in",
           "function module package"),
    FLAG("collapse-recursion", 0, NULL, collapse_recursion, COMMANDS_READING, SCOPE_PROFILE,
         "a function that calls itself directly is one frame"),
    TEXT("around", 0, "peek", around, COMMANDS_DRAWING | COMMAND_TOP, SCOPE_PROFILE, "FUNCTION",
         "this function alone, with its callers (below) and its callees (above) over all places"),
    FLAG("tree", 0, NULL, tree, COMMAND_TOP, SCOPE_COMMAND_LINE,
         "the call tree, indented: its heaviest frames"),
    COUNT("rows", 'n', rows, COMMAND_REPORT | COMMAND_TOP | COMMAND_DIFF, SCOPE_PROFILE, "N",
          "functions in each top table (15)", 1, 1000000),

    TEXT("title", 0, "titletext", title, COMMANDS_DRAWING, SCOPE_PROFILE, "TEXT",
         "title of the picture or the report"),
    TEXT("subtitle", 0, NULL, subtitle, COMMANDS_DRAWING, SCOPE_PROFILE, "TEXT",
         "second title line"),
    COUNT("width", 0, width, COMMANDS_DRAWING, SCOPE_PROFILE, "PIXELS",
          "width of the picture (1200)", 100, 20000),
    COUNT("height", 0, height, COMMANDS_DRAWING, SCOPE_PROFILE, "PIXELS",
          "height of one frame, its gap included (16); no labels below the font size", 4, 200),
    OTHER("minwidth", 0, "min-width", OPTION_WIDTH, min_width, COMMANDS_DRAWING, SCOPE_PROFILE,
          "WIDTH", "leave out frames narrower than this many pixels, or per cent with % (0.1)",
          1000),
    CHOICE("svg-script", NULL, svg_script, COMMANDS_DRAWING, SCOPE_REPORT, "WHERE",
           "the SVG's script and style: in the file, beside it, or no script",
           "inline external none"),
    CHOICE("svg-font", NULL, svg_font, COMMANDS_DRAWING, SCOPE_REPORT, "WHENCE",
           "the SVG's fonts: what its texts need of them embedded, or the reader's own",
           "embed system"),
    {"svg-max-size", 0, NULL, OPTION_SIZE, AT(svg_max_size), COMMANDS_DRAWING, SCOPE_PROFILE,
     "BYTES", "leave the lightest frames out of an SVG that would be larger", NULL, 0, 0},
    COUNT("max-depth", 0, max_depth, COMMANDS_DRAWING, SCOPE_PROFILE, "ROWS",
          "draw at most this many rows (1000)", 1, 10000),
    TEXT("font", 0, "fonttype", font, COMMANDS_DRAWING, SCOPE_REPORT, "FONT",
         "font family or font file for labels"),
    TEXT("font-dir", 0, NULL, font_directory, COMMANDS_DRAWING, SCOPE_REPORT, "DIR",
         "a directory of fonts for characters that the built-in ones lack"),
    NUMBER("fontsize", font_size, COMMANDS_DRAWING, "PIXELS",
           "font size (12); frames have no labels below 6", 4, 100),
    CHOICE("label", NULL, label, COMMANDS_DRAWING, SCOPE_PROFILE, "HOW",
           "how a label that does not fit is shortened", "smart head tail"),
    TEXT("countname", 0, "count-name", count_name, COMMANDS_DRAWING | COMMAND_TOP, SCOPE_PROFILE,
         "TEXT", "what the weights count, instead of what the profile says"),
    TEXT("nametype", 0, "name-type", name_type, COMMANDS_DRAWING, SCOPE_PROFILE, "TEXT",
         "what the frames are, in the details line (Function:)"),
    NUMBER("factor", factor, COMMANDS_DRAWING | COMMAND_TOP, "NUMBER",
           "multiply the weights that are shown", 1e-12, 1e12),
    OTHER("total", 0, NULL, OPTION_WEIGHT, total, COMMANDS_DRAWING, SCOPE_PROFILE, "WEIGHT",
          "weight that fills the width, to draw several graphs to one scale", 0),
    CHOICE("scale", NULL, scale, COMMAND_REPORT, SCOPE_REPORT, "SCALE",
           "the width of graphs: each its own, or by weight, the heaviest of a unit the full one",
           "own common"),
    OTHER("kind", 'k', NULL, OPTION_KIND, kind, COMMANDS_READING, SCOPE_PROFILE, "KIND",
          "what the graph is of: cpu, off-cpu, wakeup, malloc, ... (recognised)", 0),
    CHOICE("idle", NULL, idle, COMMANDS_READING, SCOPE_PROFILE, "WHAT",
           "stacks of idle CPUs, event loops and pools that wait for work: kept or left out",
           "keep drop"),
    FLAG("pair", 0, NULL, pair, COMMANDS_READING, SCOPE_PROFILE,
         "hotcold: on-CPU and off-CPU side by side instead of thread by thread"),
    COUNT("frequency", 0, frequency, COMMANDS_READING, SCOPE_PROFILE, "HZ",
          "hotcold: samples a second, where the time on the CPU is in samples", 1, 1000000000),
    OTHER("colors", 0, "color palette", OPTION_PALETTE, colors, COMMANDS_DRAWING, SCOPE_PROFILE,
          "PALETTE", "the palette (that of the kind: hot for the CPU, mem for memory, ...)", 0),
    OTHER("bgcolors", 0, "background", OPTION_GROUND, background, COMMANDS_DRAWING, SCOPE_PROFILE,
          "COLOR", "background: white grey yellow blue green or #rrggbb (the palette's own)", 0),
    FLAG("hash", 0, NULL, by_name_hash, COMMANDS_DRAWING, SCOPE_PROFILE,
         "similar names get similar colours"),
    FLAG("random", 0, NULL, random, COMMANDS_DRAWING, SCOPE_PROFILE,
         "colours by chance, the same for the same --seed"),
    COUNT("seed", 0, seed, COMMANDS_DRAWING, SCOPE_PROFILE, "N", "another chance for --random", 0,
          4294967295.0),
    TEXT("cp", 0, "palette-map", color_map, COMMANDS_DRAWING, SCOPE_REPORT, "FILE",
         "colours of names: those in this file are used, new ones added to it"),
    TEXT("nameattr", 0, NULL, name_attributes, COMMANDS_DRAWING, SCOPE_REPORT, "FILE",
         "links, tooltips and classes of functions in the SVG: NAME, tab, key=value"),
    CHOICE("theme", NULL, theme, COMMANDS_DRAWING, SCOPE_PROFILE, "THEME", "background of the PNG",
           "light dark"),
    CHOICE("sort", NULL, sort, COMMANDS_DRAWING, SCOPE_PROFILE, "ORDER", "order of sibling frames",
           "name weight"),
    FLAG("reverse", 0, NULL, reverse, COMMANDS_DRAWING | COMMAND_TOP, SCOPE_PROFILE,
         "merge stacks from the leaf: what calls the hot functions"),
    FLAG("flamechart", 0, NULL, flamechart, COMMANDS_DRAWING, SCOPE_PROFILE,
         "samples in the order of time, merged only where they follow each other"),
    OTHER("from", 0, NULL, OPTION_WEIGHT, from, COMMANDS_READING, SCOPE_PROFILE, "SECONDS",
          "only what was sampled from then on, counted from the first sample", 0),
    OTHER("to", 0, NULL, OPTION_WEIGHT, to, COMMANDS_READING, SCOPE_PROFILE, "SECONDS",
          "only what was sampled up to then", 0),
    FLAG("inverted", 'i', NULL, inverted, COMMANDS_DRAWING, SCOPE_PROFILE,
         "icicle: the root at the top"),
    FLAG("normalize", 0, NULL, normalize, COMMANDS_DRAWING, SCOPE_PROFILE,
         "differential: scale the base to the total of the new one"),
    CHOICE("width-by", NULL, width_by, COMMANDS_DRAWING, SCOPE_PROFILE, "SIDE",
           "differential: the side that widths are of", "new base both"),
    CHOICE("delta", NULL, delta, COMMANDS_DRAWING, SCOPE_PROFILE, "WEIGHT",
           "differential: colours show the change of a function itself, or with all it calls",
           "self total"),
    FLAG("triple", 0, NULL, triple, COMMANDS_DRAWING, SCOPE_PROFILE,
         "differential: base, new and difference under each other in one picture"),
    FLAG("hatch", 0, NULL, hatch, COMMANDS_DRAWING, SCOPE_PROFILE,
         "differential: hatch what grew and what shrank, for print without colours"),
    FLAG("negate", 0, NULL, negate, COMMANDS_DRAWING, SCOPE_PROFILE,
         "differential: the first file is the new one; the widths stay as they are"),
    OTHER("pixel-ratio", 0, NULL, OPTION_RATIOS, pixel_ratios, COMMANDS_DRAWING, SCOPE_PROFILE,
          "LIST", "draw PNGs at these pixel ratios (report: 1,2; graph: 1)", 0),
    FLAG("single-file", 0, NULL, single_file, COMMAND_REPORT, SCOPE_REPORT,
         "one HTML file with all pictures in it, for mail or a ticket"),
    CHOICE("site", NULL, site, COMMAND_REPORT, SCOPE_REPORT, "GENERATOR",
           "what that generator of sites expects instead of a page: index.md and graphs/",
           "none hugo mkdocs"),
    FLAG(
        "dark-images", 0, NULL, dark_images, COMMAND_REPORT, SCOPE_REPORT,
        "draw the PNGs for dark pages, too; Markdown and page show what the reader's setting asks"),
    TEXT("templates", 0, NULL, templates, COMMAND_REPORT, SCOPE_REPORT, "DIR",
         "templates that replace the built-in ones of the same name"),
    TEXT("date", 0, NULL, date, COMMAND_REPORT, SCOPE_REPORT, "TEXT",
         "a date to show in the report"),

    CHOICE("names", NULL, names, COMMANDS_READING, SCOPE_PROFILE, "RULES",
           "how names are tidied: clean, or as the format's reference converter does",
           "clean reference"),
    CHOICE("demangle", NULL, demangle, COMMANDS_READING, SCOPE_PROFILE, "WHEN",
           "C++, Rust and D names as the source has them (auto) or as linkers do", "auto off"),
    FLAG("strip-address", 0, "strip-hex", input.strip_addresses, COMMANDS_READING, SCOPE_PROFILE,
         "addresses in names become 0x..., so that runs and builds compare"),
    FLAG("pid", 0, NULL, input.pid, COMMANDS_READING, SCOPE_PROFILE,
         "process ids in the process frame"),
    FLAG("tid", 0, NULL, input.tid, COMMANDS_READING, SCOPE_PROFILE,
         "process and thread ids in the process frame"),
    FLAG("kernel", 0, NULL, input.kernel, COMMANDS_READING, SCOPE_PROFILE,
         "tell kernel functions from others (always on in pictures)"),
    FLAG("jit", 0, NULL, input.jit, COMMANDS_READING, SCOPE_PROFILE,
         "tell functions compiled at run time from others (always on in pictures)"),
    FLAG("all", 0, NULL, annotate_all, COMMANDS_READING, SCOPE_PROFILE, "--kernel and --jit"),
    FLAG("addrs", 0, NULL, input.addrs, COMMANDS_READING, SCOPE_PROFILE,
         "addresses of functions without a name"),
    SIZE("max-size", input.limits.max_size, "BYTES",
         "refuse inputs larger than this once decompressed"),
    SIZE("max-line", input.limits.max_line, "BYTES", "refuse inputs with a longer line"),
    COUNT("max-name", 0, input.limits.max_name, COMMANDS_READING, SCOPE_PROFILE, "BYTES",
          "cut function names longer than this", 16, 1 << 30),
    COUNT("max-frames", 0, input.limits.max_depth, COMMANDS_READING, SCOPE_PROFILE, "FRAMES",
          "cut stacks deeper than this", 1, 1u << 31),
    COUNT("max-stacks", 0, input.limits.max_stacks, COMMANDS_READING, SCOPE_PROFILE, "N",
          "refuse inputs with more distinct stack prefixes", 1, 2000000000.0),

    COUNT("threads", 'j', threads, COMMANDS_READING, SCOPE_COMMAND_LINE, "N",
          "threads to use; never changes a byte of output", 1, 1024),
    FLAG("quiet", 'q', NULL, quiet, COMMANDS_ALL, SCOPE_COMMAND_LINE, "errors only"),
    FLAG("verbose", 'v', NULL, verbose, COMMANDS_ALL, SCOPE_COMMAND_LINE,
         "say what was recognised and why"),
    FLAG("help", 'h', NULL, help, COMMANDS_ALL, SCOPE_COMMAND_LINE, "this help"),
    FLAG("csp", 0, NULL, csp, COMMANDS_ALL, SCOPE_COMMAND_LINE,
         "the content security policy that what is written needs"),
    FLAG("version", 'V', NULL, version, COMMANDS_ALL, SCOPE_COMMAND_LINE, "the version"),
    {NULL, 0, NULL, OPTION_FLAG, 0, 0, SCOPE_COMMAND_LINE, NULL, NULL, NULL, 0, 0},
};
