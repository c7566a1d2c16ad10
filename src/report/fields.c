#include "report/fields.h"

#include "report/report.h"

#define FIELD(kind, type, name, member)                                                            \
    {                                                                                              \
        SLICE(name), FIELD_##kind, offsetof(struct type, member), NULL                             \
    }
#define LIST(type, alias, member, items)                                                           \
    {                                                                                              \
        .name = SLICE(alias), .offset = offsetof(struct type, member), .kind = FIELD_LIST(items)   \
    }
#define RECORD(what, type, fields)                                                                 \
    {                                                                                              \
        what, sizeof(struct type), fields, sizeof(fields) / sizeof(fields[0])                      \
    }

/* The fields of a record by its list (report/records.h). */
#define ALIAS(S, field, member, alias)                                                             \
    {.name = SLICE(alias), .offset = offsetof(struct S, member), .kind = FIELD_##field},
#define FIELD_LIST(items) FIELD_LIST, .record = &items
#define RECORD_FIELDS(name_, list)                                                                 \
    static const struct field name_##_fields[] = {list(RECORD_NOTHING, ALIAS, report_##name_)}

/* A link to a graph (FIELD_GRAPH) is made of its name and its anchor, which follows the name. */
#define ADJACENT(type, name, anchor)                                                               \
    _Static_assert(offsetof(struct type, anchor) ==                                                \
                       offsetof(struct type, name) + sizeof(struct slice),                         \
                   "the anchor follows the name")
ADJACENT(report_graph, name, anchor);
ADJACENT(report_graph, notes_name, notes_anchor);
ADJACENT(report_finding, graph_name, graph_anchor);
ADJACENT(report_verdict, graph_name, graph_anchor);

RECORD_FIELDS(fact, REPORT_FACT);
static const struct record fact = RECORD("a fact", report_fact, fact_fields);

RECORD_FIELDS(export, REPORT_EXPORT);
static const struct record export = RECORD("a converted file", report_export, export_fields);

RECORD_FIELDS(run, REPORT_RUN);
static const struct record run = RECORD("a run", report_run, run_fields);

/* A table is by `amount`: its rows have that value under names that tables share. */
#define FUNCTION_FIELDS(amount)                                                                    \
    REPORT_FUNCTION(RECORD_NOTHING, ALIAS, report_function)                                        \
    ALIAS(report_function, TEXT, amount.number, "value")                                           \
    ALIAS(report_function, TEXT, amount.percent, "share")                                          \
    ALIAS(report_function, TEXT, amount.change, "share_change")                                    \
    ALIAS(report_function, TEXT, amount.before, "value_before")                                    \
    ALIAS(report_function, TEXT, amount.difference, "value_difference")

static const struct field self_fields[] = {FUNCTION_FIELDS(self)};
static const struct record by_self = RECORD("a function", report_function, self_fields);

static const struct field total_fields[] = {FUNCTION_FIELDS(total)};
static const struct record by_total = RECORD("a function", report_function, total_fields);

static const struct field search_fields[] = {
    FIELD(TEXT, report_search, "name", name),
    FIELD(CODE, report_search, "pattern", pattern),
    FIELD(LINK, report_search, "expression", expression),
    FIELD(FLAG, report_search, "ignore_case", ignore_case),
};
static const struct record search = RECORD("a search", report_search, search_fields);

RECORD_FIELDS(match, REPORT_MATCH);
static const struct record match = RECORD("a match", report_match, match_fields);

RECORD_FIELDS(gap, REPORT_GAP);
static const struct record gap = RECORD("a gap", report_gap, gap_fields);

RECORD_FIELDS(area, REPORT_AREA);
static const struct record area = RECORD("an area", report_area, area_fields);

static const struct field finding_fields[] = {
    FIELD(TEXT, report_finding, "what", what),
    FIELD(CODE, report_finding, "found_function", function),
    FIELD(LINK, report_finding, "found_address", address),
    FIELD(CODE, report_finding, "function", function),
    FIELD(LINK, report_finding, "function_address", address),
    FIELD(TEXT, report_finding, "found_search", search),
    FIELD(TEXT, report_finding, "found_percent", percent),
    FIELD(TEXT, report_finding, "how", how),
    FIELD(TEXT, report_finding, "graph_title", graph_title),
    FIELD(LINK, report_finding, "graph_name", graph_name),
    FIELD(LINK, report_finding, "graph_anchor", graph_anchor),
    FIELD(GRAPH, report_finding, "graph_page", graph_name),
    FIELD(OPEN, report_finding, "graph_link", graph_name),
    FIELD(CLOSE, report_finding, "graph_link_end", graph_name),
    FIELD(FILE, report_finding, "graph_svg", graph_svg),
    FIELD(LINK, report_finding, "graph_id", graph_name),
    FIELD(FILE, report_finding, "svg", graph_svg),
};
static const struct record finding = RECORD("a finding", report_finding, finding_fields);

static const struct field graph_fields[] = {
    REPORT_GRAPH(RECORD_NOTHING, RECORD_NOTHING, ALIAS, report_graph)};
const struct record fields_graph = RECORD("a graph", report_graph, graph_fields);

static const struct field text_fields[] = {FIELD(TEXT, report_text, ".", text)};
static const struct record text = RECORD("a text", report_text, text_fields);

static const struct field failure_fields[] = {
    FIELD(CODE, report_failure, "path", path),
    LIST(report_failure, "messages", messages, text),
};
static const struct record failure = RECORD("a failure", report_failure, failure_fields);

static const struct field incomplete_fields[] = {
    FIELD(CODE, report_incomplete, "path", path),
    LIST(report_incomplete, "gaps", gaps, gap),
};
static const struct record incomplete = RECORD("a file", report_incomplete, incomplete_fields);

static const struct field verdict_fields[] = {
    FIELD(TEXT, report_verdict, "service", service),
    FIELD(TEXT, report_verdict, "event", event),
    FIELD(TEXT, report_verdict, "owner", owner),
    FIELD(TEXT, report_verdict, "verdict", verdict),
    FIELD(CODE, report_verdict, "worst", function),
    FIELD(TEXT, report_verdict, "points", points),
    FIELD(TEXT, report_verdict, "interval", interval),
    FIELD(TEXT, report_verdict, "since", since),
    FIELD(LINK, report_verdict, "card", card),
    FIELD(TEXT, report_verdict, "runs", runs),
    FIELD(TEXT, report_verdict, "samples", samples),
    FIELD(TEXT, report_verdict, "smallest", smallest),
    FIELD(TEXT, report_verdict, "levels", levels),
    FIELD(TEXT, report_verdict, "levels_about", levels_about),
    FIELD(LINK, report_verdict, "graph_name", graph_name),
    FIELD(LINK, report_verdict, "graph_anchor", graph_anchor),
    FIELD(GRAPH, report_verdict, "graph_page", graph_name),
    FIELD(OPEN, report_verdict, "graph_link", graph_name),
    FIELD(CLOSE, report_verdict, "graph_link_end", graph_name),
};
static const struct record verdict = RECORD("a service", report_verdict, verdict_fields);

static const struct field change_fields[] = {
    FIELD(LINK, report_change, "id", id),
    FIELD(TEXT, report_change, "service", service),
    FIELD(TEXT, report_change, "owner", owner),
    FIELD(TEXT, report_change, "verdict", verdict),
    FIELD(CODE, report_change, "function", function),
    FIELD(LINK, report_change, "function_address", function_address),
    FIELD(CODE, report_change, "module", module),
    FIELD(CODE, report_change, "source_line", source),
    FIELD(TEXT, report_change, "source_link", link),
    FIELD(TEXT, report_change, "scope", scope),
    FIELD(TEXT, report_change, "base", base),
    FIELD(TEXT, report_change, "new", new),
    FIELD(TEXT, report_change, "points", points),
    FIELD(TEXT, report_change, "interval", interval),
    FIELD(TEXT, report_change, "weight", weight),
    FIELD(TEXT, report_change, "bar", bar),
    FIELD(TEXT, report_change, "mark", mark),
    FIELD(TEXT, report_change, "since", since),
    FIELD(TEXT, report_change, "age", age),
    FIELD(CODE, report_change, "renamed_from", renamed_from),
    FIELD(TEXT, report_change, "accepted", accepted),
    FIELD(CODE, report_change, "through", through),
    FIELD(TEXT, report_change, "runs", runs),
    FIELD(TEXT, report_change, "samples", samples),
    FIELD(TEXT, report_change, "ticket", ticket),
    FIELD(QUOTED, report_change, "service_quoted", name),
    FIELD(QUOTED, report_change, "function_quoted", function),
    FIELD(FILE, report_change, "graph", graph.path),
    FIELD(FILE, report_change, "crop", crop.path),
    FIELD(TEXT, report_change, "crop_inside", crop.inside),
    FIELD(UNSIGNED, report_change, "crop_width", crop.width),
    FIELD(UNSIGNED, report_change, "crop_height", crop.height),
};
static const struct record change = RECORD("a finding", report_change, change_fields);

static const struct field note_fields[] = {
    FIELD(TEXT, report_note, "service", service),
    FIELD(TEXT, report_note, "text", text),
};
static const struct record note = RECORD("a note", report_note, note_fields);

static const struct field stranger_fields[] = {
    FIELD(CODE, report_stranger, "path", path),
    FIELD(TEXT, report_stranger, "reason", reason),
};
static const struct record stranger = RECORD("a file", report_stranger, stranger_fields);

static const struct field report_fields[] = {
    FIELD(TEXT, report, "title", title),
    FIELD(TEXT, report, "subtitle", subtitle),
    FIELD(MARKDOWN, report, "introduction", introduction),
    FIELD(TEXT, report, "date", date),
    FIELD(TEXT, report, "calendar_date", calendar_date),
    FIELD(QUOTED, report, "title_quoted", title),
    FIELD(QUOTED, report, "subtitle_quoted", subtitle),
    FIELD(QUOTED, report, "measured_quoted", measured),
#define SITE_FIELD(id, variable, word) FIELD(FLAG, report, word, is_site[REPORT_##id]),
    REPORT_SITES(SITE_FIELD) /* a flag for each value of --site */
    FIELD(TEXT, report, "front_matter", front_matter),
    FIELD(FLAG, report, "titled", titled),
    FIELD(FLAG, report, "html_links", html_links),
    FIELD(FLAG, report, "paged", paged),
    FIELD(FLAG, report, "svg_images", svg_images),
    FIELD(TEXT, report, "version", version),
    FIELD(TEXT, report, "missing_glyphs", missing_glyphs),
    FIELD(TEXT, report, "measured", measured),
    LIST(report, "findings", findings, finding),
    FIELD(ANY, report, "has_findings", findings),
    LIST(report, "searches", searches, search),
    LIST(report, "graphs", graphs, fields_graph),
    LIST(report, "failures", failures, failure),
    LIST(report, "not_profiles", strangers, stranger),
    LIST(report, "incomplete", incomplete, incomplete),
    FIELD(TEXT, report, "headline", comparison.headline),
    FIELD(TEXT, report, "base_label", comparison.base),
    FIELD(TEXT, report, "new_label", comparison.new),
    FIELD(TEXT, report, "measure", comparison.measure),
    FIELD(TEXT, report, "exact_measure", comparison.exact_measure),
    FIELD(FLAG, report, "quiet", comparison.quiet),
    LIST(report, "services", comparison.services, verdict),
    FIELD(SIZE, report, "service_count", comparison.services),
    FIELD(FLAG, report, "has_owners", comparison.has_owners),
    FIELD(FLAG, report, "has_since", comparison.has_since),
    FIELD(FLAG, report, "has_levels", comparison.has_levels),
    LIST(report, "changes", comparison.cards, change),
    FIELD(ANY, report, "has_cards", comparison.cards),
    FIELD(TEXT, report, "more_changes", comparison.more_text),
    LIST(report, "budgets", comparison.budgets, note),
    FIELD(ANY, report, "has_budgets", comparison.budgets),
    LIST(report, "comparison_notes", comparison.notes, note),
    FIELD(ANY, report, "has_comparison_notes", comparison.notes),
    LIST(report, "not_compared", comparison.not_compared, note),
    FIELD(ANY, report, "has_not_compared", comparison.not_compared),
    FIELD(FLAG, report, "has_samples", has_samples),
    FIELD(FLAG, report, "has_hottest", has_hottest),
    FIELD(TEXT, report, "small_graphs", small_graphs),
    FIELD(LINK, report, "small_anchor", small_anchor),
    FIELD(ANY, report, "has_searches", searches),
    FIELD(ANY, report, "has_graphs", graphs),
    FIELD(ANY, report, "has_failures", failures),
    FIELD(ANY, report, "has_not_profiles", strangers),
    FIELD(ANY, report, "has_incomplete", incomplete),
    FIELD(SIZE, report, "graph_count", graphs),
    FIELD(SIZE, report, "failure_count", failures),
    FIELD(SIZE, report, "not_profile_count", strangers),
};
const struct record fields_report = RECORD("the report", report, report_fields);

static const struct field page_fields[] = {
    FIELD(TEXT, fields_page, "style", style),
    FIELD(TEXT, fields_page, "script", script),
    FIELD(TEXT, fields_page, "content", content),
    FIELD(TEXT, fields_page, "policy", policy),
    FIELD(FILE, fields_page, "style_file", style_file),
    FIELD(FILE, fields_page, "script_file", script_file),
    FIELD(TEXT, fields_page, "page_title", title),
};
const struct record fields_page = RECORD("the page", fields_page, page_fields);

static const struct field neighbours_fields[] = {
    FIELD(TEXT, fields_neighbours, "report_title", report_title),
    FIELD(TEXT, fields_neighbours, "front_matter", front_matter),
    FIELD(QUOTED, fields_neighbours, "graph_title_quoted", title),
    FIELD(LINK, fields_neighbours, "index", index),
    FIELD(TEXT, fields_neighbours, "previous_title", previous.title),
    FIELD(GRAPH, fields_neighbours, "previous", previous.name),
    FIELD(TEXT, fields_neighbours, "next_title", next.title),
    FIELD(GRAPH, fields_neighbours, "next", next.name),
};
const struct record fields_neighbours =
    RECORD("the page of a graph", fields_neighbours, neighbours_fields);
