/*
 * The records of a report about one graph: each of their members once.
 *
 * REPORT_FACT(M, A, S) lists the members of `struct report_fact`, where S is the struct's name:
 *
 *     M(S, kind, name, json)          a member; `json` says how report.json has it
 *     A(S, FIELD, member, "name")     a name under which templates reach the member
 *
 * The structs (report/graph.h), their bytes (report/graph_codec.c), their release and what a packed
 * graph gets from the report (report/records.c), report.json (report/json.c) and the names of
 * templates (report/fields.c) are made of these lists, so a new member is one line here. Members
 * are in the order in which report.json has them.
 *
 * Kinds of members:
 *
 *     TEXT          struct slice, in the graph's arena
 *     WORD          a string that is not owned
 *     NUMBER        uint64_t
 *     UNSIGNED      unsigned
 *     FLAG          bool
 *     SCALE         struct unit_scale
 *     FILES         a struct report_file for each of enum report_picture
 *     RECORD(r)     struct report_r
 *     LIST(r)       a VEC of struct report_r
 *     OMISSIONS     struct report_omissions
 *     MEMORY        the arena of the graph; not in its bytes
 *     PACKED        the packed graph (batch/graph_pack.h); not in its bytes
 *
 * In report.json:
 *
 *     NONE             not there
 *     TEXT("key")      a string; OR_NULL("key") if an empty one is null, IF_ANY("key") if an empty
 *                      one is left out
 *     DECIMAL("key")   a text that is a number
 *     COUNT("key")     a number; COUNT_OR_NULL("key") if 0 is null
 *     WEIGHT("key")    a weight in the unit of the graph, as a string
 *     FLAG("key")      true or false
 *     OBJECT("key", r) a record; OBJECTS("key", r) a list of records
 *     BY(function)     what that function of report/json.c writes
 *
 * The list of the graph has a third macro, L(S, kind, name, json), for members that the report
 * changes when it takes the graph over, which may be after the graph was packed.
 */
#ifndef REPORT_RECORDS_H
#define REPORT_RECORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/slice.h"
#include "base/vec.h"

/* clang-format off */

/* A part of a graph's total. `other` and `ratio` are those of graphs of two counters. */
#define REPORT_AMOUNT(M, A, S) \
    M(S, NUMBER, weight, WEIGHT("weight"))  /* in the graph's unit times 10^-decimals */ \
    M(S, TEXT, percent, DECIMAL("percent")) /* "12.34", of the graph's total */ \
    M(S, NUMBER, base, BY(put_base))        /* the weight in the base, or of the second counter */ \
    M(S, TEXT, number, NONE) /* "272,959"; the heading of the column names the unit */ \
    M(S, TEXT, before, NONE)                /* the number in the base */ \
    M(S, TEXT, difference, NONE)            /* "-1,234": number - before */ \
    M(S, TEXT, other, NONE)                 /* what the second counter counted */ \
    M(S, TEXT, ratio, NONE) /* "1.22" (IPC), "45.30%" stalled, "1.20 × average", or "-" */

#define REPORT_FACT(M, A, S) \
    M(S, TEXT, key, TEXT("key")) A(S, TEXT, key, "key") \
    M(S, TEXT, value, TEXT("value")) A(S, TEXT, value, "value") A(S, CODE, value, "value_code")

/* One run of the service that a graph shows. Texts are empty if they are unknown. */
#define REPORT_RUN(M, A, S) \
    M(S, TEXT, name, TEXT("name")) A(S, CODE, name, "run") \
    M(S, NUMBER, samples, COUNT_OR_NULL("samples")) \
    M(S, NUMBER, duration_ns, COUNT_OR_NULL("duration_ns")) \
    M(S, NUMBER, lost, COUNT("lost")) A(S, COUNT, lost, "lost") \
    M(S, TEXT, host, OR_NULL("host")) A(S, TEXT, host, "host") \
    M(S, TEXT, date, OR_NULL("date")) A(S, TEXT, date, "run_date") \
    M(S, LIST(fact), facts, OBJECTS("facts", fact)) \
    M(S, TEXT, samples_text, NONE) A(S, TEXT, samples_text, "run_samples")    /* "1,125" */ \
    M(S, TEXT, duration_text, NONE) A(S, TEXT, duration_text, "run_duration") /* "2.25 s" */ \
    M(S, TEXT, remark, NONE) A(S, TEXT, remark, "run_remark") \
    /* "commit 3f0c1e2, 125,000 requests" */

#define REPORT_FUNCTION(M, A, S) \
    M(S, TEXT, name, TEXT("name"))      /* complete */ \
    M(S, TEXT, kind, OR_NULL("class"))  /* "kernel", "jit", ...; empty for user space */ \
    A(S, TEXT, kind, "kind") \
    M(S, TEXT, module, OR_NULL("module")) A(S, CODE, module, "module") \
    M(S, TEXT, state, OR_NULL("state")) /* "new" or "gone" if only one side has it; else empty */ \
    A(S, TEXT, state, "state") \
    M(S, RECORD(amount), self, OBJECT("self", amount)) \
    A(S, TEXT, self.number, "self") A(S, TEXT, self.percent, "self_percent") \
    A(S, TEXT, self.before, "self_before") A(S, TEXT, self.difference, "self_difference") \
    A(S, TEXT, self.other, "self_other") \
    A(S, TEXT, self.ratio, "self_ratio") \
    M(S, RECORD(amount), total, OBJECT("total", amount)) \
    A(S, TEXT, total.number, "total") A(S, TEXT, total.percent, "total_percent") \
    A(S, TEXT, total.before, "total_before") A(S, TEXT, total.difference, "total_difference") \
    A(S, TEXT, total.ratio, "total_ratio") \
    M(S, TEXT, shown, NONE) A(S, CODE, shown, "function") /* for display */ \
    M(S, TEXT, address, NONE) /* the complete name; empty if it is too long for an address */ \
    A(S, LINK, address, "function_address") \
    M(S, TEXT, crop, NONE) /* path of its crop (batch/crops.h), or empty; only in `by_self` */ \
    A(S, FILE, crop, "crop") \
    M(S, FLAG, idle, NONE) /* an idle CPU is in it */ \
    M(S, UNSIGNED, rank, NONE) A(S, UNSIGNED, rank, "rank") /* from 1 */

/* A function of `by_self`, for comparisons between graphs (report/outlier.h). */
#define REPORT_LEADING(M, A, S) \
    M(S, NUMBER, name_hash, NONE) /* the same on every machine */ \
    M(S, NUMBER, weight, NONE)    /* self */ \
    M(S, FLAG, idle, NONE)

/* What one search found in a graph. A graph has them in the order of the report's searches. */
#define REPORT_MATCH(M, A, S) \
    M(S, TEXT, name, TEXT("name")) A(S, TEXT, name, "name") \
    M(S, TEXT, pattern, TEXT("pattern")) A(S, CODE, pattern, "pattern") \
    M(S, NUMBER, symbols, BY(put_symbols)) A(S, COUNT, symbols, "functions") /* distinct ones */ \
    M(S, NUMBER, exhausted, COUNT("exhausted")) \
    /* names left when the search was given up, else 0 */ \
    A(S, COUNT, exhausted, "exhausted") \
    M(S, RECORD(amount), amount, BY(put_found)) /* empty if the search was given up */ \
    A(S, TEXT, amount.number, "weight") A(S, TEXT, amount.percent, "percent") \
    A(S, TEXT, amount.percent, "share") A(S, TEXT, amount.difference, "difference") \
    A(S, COUNT, amount.weight, "any") \
    M(S, TEXT, expression, NONE) A(S, LINK, expression, "expression") /* the complete pattern */ \
    M(S, FLAG, ignore_case, NONE) A(S, FLAG, ignore_case, "ignore_case")

/* A row of a ledger: something that neither picture nor tables show. */
#define REPORT_OMISSION(M, A, S) \
    M(S, TEXT, key, TEXT("key"))             /* stable word for JSON: "too_thin" */ \
    M(S, TEXT, what, TEXT("what"))           /* "in frames too thin to draw" */ \
    A(S, TEXT, what, "what") \
    M(S, TEXT, exact, TEXT("value"))         /* the exact number, without unit */ \
    M(S, TEXT, percent, DECIMAL("percent"))  /* of the total or of all lines; or empty */ \
    A(S, TEXT, percent, "percent") \
    M(S, TEXT, much, NONE) A(S, TEXT, much, "much") /* "1,234 samples", "12 lines" */ \
    M(S, NUMBER, weight, NONE)               /* 0 if the row counts things */

/* A part of the picture that a click opens. */
#define REPORT_AREA(M, A, S) \
    M(S, TEXT, coordinates, NONE) /* "10,40,300,55": left, top, right, bottom in CSS pixels */ \
    A(S, TEXT, coordinates, "coordinates") \
    M(S, TEXT, title, NONE) A(S, TEXT, title, "area_title") \
    /* "malloc (272,959 samples, 78.34%)" */ \
    M(S, TEXT, place, NONE) A(S, LINK, place, "place") /* the SVG's address "#zoom=" takes it */

/* A file of the graph, relative to the report. */
#define REPORT_FILE(M, A, S) \
    M(S, TEXT, path, NONE)   /* empty if there is no such file */ \
    M(S, TEXT, inside, NONE) /* its bytes as text, if the report is a single file */ \
    M(S, UNSIGNED, width, NONE) \
    M(S, UNSIGNED, height, NONE)

/* A file with the graph's stacks in the format of another tool. */
#define REPORT_EXPORT(M, A, S) \
    M(S, TEXT, title, NONE) A(S, TEXT, title, "export_title") /* "pprof" */ \
    M(S, WORD, name, NONE) /* of the format, for JSON */ \
    M(S, TEXT, path, NONE) A(S, FILE, path, "export")

/* What identifies a graph, and its total: also in the index of a report with many graphs. */
#define REPORT_GRAPH_HEAD(M, L, A, S) \
    M(S, MEMORY, memory, NONE) \
    M(S, TEXT, name, TEXT("name")) /* file stem, unique in the report (report/names.h) */ \
    A(S, LINK, name, "name") A(S, LINK, name, "graph_id") A(S, GRAPH, name, "page") \
    A(S, OPEN, name, "link") A(S, CLOSE, name, "link_end") \
    L(S, TEXT, anchor, NONE) /* that of its heading in Markdown, as GitHub makes it */ \
    A(S, LINK, anchor, "anchor") A(S, BEFORE, anchor, "anchor_before") \
    A(S, INSIDE, anchor, "anchor_inside") A(S, AFTER, anchor, "anchor_after") \
    M(S, TEXT, title, TEXT("title")) A(S, TEXT, title, "title") \
    M(S, TEXT, subtitle, OR_NULL("subtitle")) A(S, TEXT, subtitle, "subtitle") \
    M(S, TEXT, source, TEXT("source")) A(S, CODE, source, "source") /* path below the directory */ \
    M(S, TEXT, format, TEXT("format")) A(S, TEXT, format, "format") /* the reader's name */ \
    M(S, TEXT, event, OR_NULL("event")) A(S, CODE, event, "event") /* or empty */ \
    M(S, TEXT, kind, OR_NULL("kind")) A(S, CODE, kind, "kind") /* "off-cpu"; empty: ordinary */ \
    M(S, TEXT, unit, BY(put_unit)) A(S, TEXT, unit, "unit") /* "samples", "seconds", "bytes" */ \
    M(S, TEXT, other_unit, IF_ANY("other_unit")) /* of the second counter: "stalled cycles" */ \
    A(S, TEXT, other_unit, "other_unit") \
    M(S, NUMBER, total, BY(put_total)) \
    M(S, NUMBER, samples, COUNT_OR_NULL("samples")) A(S, COUNT, samples, "sample_count") \
    M(S, TEXT, records, BY(put_records)) \
    /* what `samples` counts: "samples", "threads", "waits" */ \
    M(S, NUMBER, functions, COUNT("functions")) A(S, COUNT, functions, "functions") \
    M(S, NUMBER, duration_ns, BY(put_duration)) \
    M(S, FLAG, differential, FLAG("differential")) A(S, FLAG, differential, "differential")

#define REPORT_GRAPH_TABLES(M, L, A, S) \
    M(S, LIST(fact), facts, OBJECTS("facts", fact)) A(S, LIST(fact), facts, "facts") \
    A(S, ANY, facts, "has_facts") \
    M(S, TEXT, service, OR_NULL("service")) A(S, TEXT, service, "service") \
    M(S, TEXT, owner, OR_NULL("owner")) A(S, TEXT, owner, "owner") \
    M(S, LIST(run), runs, OBJECTS("runs", run)) \
    /* that are merged; empty if the graph shows one file */ \
    A(S, LIST(run), runs, "runs") A(S, ANY, runs, "has_runs") \
    M(S, FILES, pictures, BY(put_files)) \
    A(S, FILE, pictures[REPORT_SVG].path, "svg") A(S, FILE, pictures[REPORT_PNG].path, "png") \
    A(S, FILE, pictures[REPORT_PNG_2X].path, "png_2x") \
    A(S, FILE, pictures[REPORT_PNG_DARK].path, "png_dark") \
    A(S, FILE, pictures[REPORT_PNG_DARK_2X].path, "png_dark_2x") \
    A(S, TEXT, pictures[REPORT_SVG].inside, "svg_inside") \
    A(S, TEXT, pictures[REPORT_PNG].inside, "png_inside") \
    A(S, TEXT, pictures[REPORT_PNG_DARK].inside, "png_dark_inside") \
    A(S, UNSIGNED, pictures[REPORT_SVG].width, "width") \
    A(S, UNSIGNED, pictures[REPORT_SVG].height, "height") \
    M(S, LIST(function), by_self, OBJECTS("top_self", function)) \
    A(S, LIST(by_self), by_self, "by_self") \
    M(S, LIST(function), by_total, OBJECTS("top_total", function)) \
    A(S, LIST(by_total), by_total, "by_total") \
    A(S, ANY, by_total, "has_functions") \
    M(S, LIST(function), self_changes, OBJECTS("self_changes", function)) \
    /* only if differential */ \
    A(S, LIST(by_self), self_changes, "self_changes") \
    M(S, LIST(function), total_changes, OBJECTS("total_changes", function)) \
    A(S, LIST(by_total), total_changes, "total_changes") A(S, ANY, total_changes, "has_changes") \
    M(S, LIST(match), matches, OBJECTS("searches", match)) A(S, LIST(match), matches, "matches") \
    A(S, ANY, matches, "has_matches") \
    M(S, OMISSIONS, omissions, OBJECTS("ledger", omission)) \
    A(S, LIST(omission), omissions, "gaps") \
    A(S, ANY, omissions, "has_gaps") \
    M(S, TEXT, alt, TEXT("alt")) /* what the picture shows, in one to three sentences */ \
    A(S, TEXT, alt, "alt") A(S, HTML, alt, "alt_html") A(S, CODE, alt, "alt_code") \
    A(S, QUOTED, alt, "alt_quoted") \
    L(S, TEXT, commentary, OR_NULL("commentary")) /* Markdown that is safe to include */ \
    A(S, MARKDOWN, commentary, "commentary") \
    M(S, OMISSIONS, file_omissions, NONE) /* of its input, for all graphs */ \
    M(S, LIST(export), exports, NONE) A(S, LIST(export), exports, "exports") \
    /* the path of the runs' exact stacks, or empty */ \
    M(S, TEXT, runs_path, NONE) A(S, FILE, runs_path, "kept") \
    M(S, LIST(leading), leading, NONE) \
    M(S, LIST(area), areas, NONE) A(S, LIST(area), areas, "areas") A(S, ANY, areas, "has_areas")

/* What only pages say. */
#define REPORT_GRAPH_TEXTS(M, L, A, S) \
    M(S, SCALE, scale, NONE) \
    M(S, NUMBER, base_total, NONE) \
    M(S, TEXT, kind_about, NONE) A(S, TEXT, kind_about, "kind_about") /* what the kind means */ \
    M(S, TEXT, total_text, NONE) A(S, TEXT, total_text, "weight") /* "12.345678901 seconds" */ \
    M(S, TEXT, total_plain, NONE) A(S, TEXT, total_plain, "weight_plain") /* "12.4 s" */ \
    M(S, TEXT, total_short, NONE) A(S, TEXT, total_short, "weight_short") /* "273.0k samples" */ \
    M(S, TEXT, total_sort, NONE) A(S, TEXT, total_sort, "weight_sort") /* without the word */ \
    M(S, TEXT, base_text, NONE) A(S, TEXT, base_text, "weight_before") /* only if differential */ \
    M(S, TEXT, difference, NONE) A(S, TEXT, difference, "weight_difference") \
    /* total - base_total */ \
    M(S, TEXT, other_text, NONE) A(S, TEXT, other_text, "other_weight") /* of two counters */ \
    M(S, TEXT, ratio, NONE) A(S, TEXT, ratio, "ratio") /* that of the totals of two counters */ \
    M(S, FLAG, stalls, NONE) A(S, FLAG, stalls, "stalls") /* the second counts stalled cycles */ \
    M(S, FLAG, relative, NONE) A(S, FLAG, relative, "relative") \
    /* ratios are multiples of `ratio` */ \
    M(S, FLAG, has_duration, NONE) \
    M(S, TEXT, duration_text, NONE) A(S, TEXT, duration_text, "duration") \
    /* "12.345 s", or empty */ \
    M(S, NUMBER, samples_apart, NONE) /* 0 if `samples` is the total, too */ \
    A(S, COUNT, samples_apart, "samples") \
    M(S, TEXT, records_label, NONE) A(S, TEXT, records_label, "records_label") /* "Samples" */ \
    M(S, TEXT, records_text, NONE) /* "1,844 samples"; empty if the number is not known */ \
    A(S, TEXT, records_text, "records_text") \
    M(S, TEXT, records_cell, NONE) /* below the heading "Samples": "1,844" or "427 waits" */ \
    A(S, TEXT, records_cell, "records_cell") \
    M(S, FLAG, exact, NONE) /* weights count all events */ \
    M(S, TEXT, run_count, NONE) A(S, TEXT, run_count, "run_count") \
    /* "3 runs"; empty for one file */ \
    M(S, FLAG, has_remarks, NONE) A(S, FLAG, has_remarks, "has_remarks") /* of runs */ \
    M(S, TEXT, hottest, NONE) \
    /* the function with the most self weight, without idle CPUs, or empty */ \
    A(S, CODE, hottest, "function") \
    M(S, TEXT, hottest_address, NONE) A(S, LINK, hottest_address, "function_address") \
    M(S, TEXT, hottest_percent, NONE) A(S, TEXT, hottest_percent, "hottest_percent") \
    L(S, FLAG, is_small, NONE) A(S, FLAG, is_small, "is_small") /* in the list of small graphs */ \
    L(S, TEXT, headings, NONE) /* those of the commentary, one per line */ \
    L(S, TEXT, notes_title, NONE) \
    /* the graph of the same input that has the commentary, or empty */ \
    A(S, TEXT, notes_title, "notes_title") \
    L(S, TEXT, notes_name, NONE) \
    A(S, LINK, notes_name, "notes_name") A(S, GRAPH, notes_name, "notes_page") \
    A(S, OPEN, notes_name, "notes_link") A(S, CLOSE, notes_name, "notes_link_end") \
    L(S, TEXT, notes_anchor, NONE) A(S, LINK, notes_anchor, "notes_anchor") \
    M(S, PACKED, packed, NONE)

#define REPORT_GRAPH(M, L, A, S) \
    REPORT_GRAPH_HEAD(M, L, A, S) \
    REPORT_GRAPH_TABLES(M, L, A, S) \
    REPORT_GRAPH_TEXTS(M, L, A, S)

/* clang-format on */

#define RECORD_NOTHING(...)

/* Declares `struct report_...` with the members of a list. */
#define RECORD_STRUCT(name, list)                                                                  \
    struct report_##name {                                                                         \
        list(RECORD_DECLARE, RECORD_NOTHING, report_##name)                                        \
    }
#define RECORD_DECLARE(S, kind, name, ...) RECORD_TYPE_##kind name;

#define RECORD_TYPE_TEXT struct slice
#define RECORD_TYPE_WORD const char *
#define RECORD_TYPE_NUMBER uint64_t
#define RECORD_TYPE_UNSIGNED unsigned
#define RECORD_TYPE_FLAG bool
#define RECORD_TYPE_SCALE struct unit_scale
#define RECORD_TYPE_FILES __typeof__(struct report_file[REPORT_PICTURES])
#define RECORD_TYPE_RECORD(record) struct report_##record
#define RECORD_TYPE_LIST(record) VEC(struct report_##record)
#define RECORD_TYPE_OMISSIONS struct report_omissions
#define RECORD_TYPE_MEMORY struct arena
#define RECORD_TYPE_PACKED struct report_packed

/* The bytes of a complete graph (batch/graph_pack.h). */
struct report_packed {
    struct slice bytes; /* empty if it is not packed */
    bool only;          /* the graph itself lacks its tables */
};

/* How the bytes of a member are written, and what of it is released. */
enum record_kind {
    RECORD_TEXT,
    RECORD_WORD,
    RECORD_NUMBER,
    RECORD_UNSIGNED,
    RECORD_FLAG,
    RECORD_SCALE,
    RECORD_PICTURES,
    RECORD_RECORD,
    RECORD_LIST,
    RECORD_MEMORY,
    RECORD_PACKED,
};

struct record_type;

struct record_member {
    const char *name;
    enum record_kind kind;
    size_t offset;
    const struct record_type *of; /* of a record or of the items of a list; else NULL */
};

struct record_type {
    size_t size;
    const struct record_member *members;
    size_t count;
};

/* The layout that every VEC shares. */
struct record_list VEC_OF(char);

struct report_graph;

/* Every record can be reached from that of a graph. */
extern const struct record_type report_record_graph;

struct record_list report_record_get_list(const void *member);
void report_record_set_list(void *member, struct record_list list);

/* Releases all memory of a record, which the caller may then free. */
void report_record_release(const struct record_type *type, void *record);

/* Copies what the report has set in a graph since it was packed, without its texts. */
void report_record_copy_report(struct report_graph *to, const struct report_graph *from);

#endif
