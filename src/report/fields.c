#include "report/fields.h"

#include "report/report.h"

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
static const struct record fact = RENDER_RECORD("a fact", report_fact, fact_fields);

RECORD_FIELDS(export, REPORT_EXPORT);
static const struct record export = RENDER_RECORD("a converted file", report_export, export_fields);

RECORD_FIELDS(run, REPORT_RUN);
static const struct record run = RENDER_RECORD("a run", report_run, run_fields);

/* A table is sorted by `amount`: its rows have that value under names that tables share. */
#define FUNCTION_FIELDS(amount)                                                                    \
    REPORT_FUNCTION(RECORD_NOTHING, ALIAS, report_function)                                        \
    ALIAS(report_function, TEXT, amount.number, "value")                                           \
    ALIAS(report_function, TEXT, amount.percent, "share")                                          \
    ALIAS(report_function, TEXT, amount.before, "value_before")                                    \
    ALIAS(report_function, TEXT, amount.difference, "value_difference")

static const struct field self_fields[] = {FUNCTION_FIELDS(self)};
static const struct record by_self = RENDER_RECORD("a function", report_function, self_fields);

static const struct field total_fields[] = {FUNCTION_FIELDS(total)};
static const struct record by_total = RENDER_RECORD("a function", report_function, total_fields);

static const struct field search_fields[] = {
    RENDER_FIELD(TEXT, report_search, "name", name),
    RENDER_FIELD(CODE, report_search, "pattern", pattern),
    RENDER_FIELD(LINK, report_search, "expression", expression),
    RENDER_FIELD(FLAG, report_search, "ignore_case", ignore_case),
};
static const struct record search = RENDER_RECORD("a search", report_search, search_fields);

RECORD_FIELDS(match, REPORT_MATCH);
static const struct record match = RENDER_RECORD("a match", report_match, match_fields);

RECORD_FIELDS(omission, REPORT_OMISSION);
static const struct record omission =
    RENDER_RECORD("an omission", report_omission, omission_fields);

RECORD_FIELDS(area, REPORT_AREA);
static const struct record area = RENDER_RECORD("an area", report_area, area_fields);

static const struct field finding_fields[] = {
    RENDER_FIELD(TEXT, report_finding, "what", what),
    RENDER_FIELD(CODE, report_finding, "found_function", function),
    RENDER_FIELD(LINK, report_finding, "found_address", address),
    RENDER_FIELD(CODE, report_finding, "function", function),
    RENDER_FIELD(LINK, report_finding, "function_address", address),
    RENDER_FIELD(TEXT, report_finding, "found_search", search),
    RENDER_FIELD(TEXT, report_finding, "found_percent", percent),
    RENDER_FIELD(TEXT, report_finding, "how", how),
    RENDER_FIELD(TEXT, report_finding, "graph_title", graph_title),
    RENDER_FIELD(LINK, report_finding, "graph_name", graph_name),
    RENDER_FIELD(LINK, report_finding, "graph_anchor", graph_anchor),
    RENDER_FIELD(GRAPH, report_finding, "graph_page", graph_name),
    RENDER_FIELD(OPEN, report_finding, "graph_link", graph_name),
    RENDER_FIELD(CLOSE, report_finding, "graph_link_end", graph_name),
    RENDER_FIELD(FILE, report_finding, "graph_svg", graph_svg),
    RENDER_FIELD(LINK, report_finding, "graph_id", graph_name),
    RENDER_FIELD(FILE, report_finding, "svg", graph_svg),
};
static const struct record finding = RENDER_RECORD("a finding", report_finding, finding_fields);

static const struct field graph_fields[] = {
    REPORT_GRAPH(RECORD_NOTHING, RECORD_NOTHING, ALIAS, report_graph)};
const struct record fields_graph = RENDER_RECORD("a graph", report_graph, graph_fields);

static const struct field text_fields[] = {RENDER_FIELD(TEXT, report_text, ".", text)};
static const struct record text = RENDER_RECORD("a text", report_text, text_fields);

static const struct field failure_fields[] = {
    RENDER_FIELD(CODE, report_failure, "path", path),
    RENDER_LIST(report_failure, "messages", messages, text),
};
static const struct record failure = RENDER_RECORD("a failure", report_failure, failure_fields);

static const struct field incomplete_fields[] = {
    RENDER_FIELD(CODE, report_incomplete, "path", path),
    RENDER_LIST(report_incomplete, "gaps", omissions, omission),
};
static const struct record incomplete =
    RENDER_RECORD("a file", report_incomplete, incomplete_fields);

static const struct field verdict_fields[] = {
    RENDER_FIELD(TEXT, report_verdict, "service", service),
    RENDER_FIELD(TEXT, report_verdict, "event", event),
    RENDER_FIELD(TEXT, report_verdict, "owner", owner),
    RENDER_FIELD(TEXT, report_verdict, "verdict", verdict),
    RENDER_FIELD(CODE, report_verdict, "worst", function),
    RENDER_FIELD(TEXT, report_verdict, "points", points),
    RENDER_FIELD(TEXT, report_verdict, "interval", interval),
    RENDER_FIELD(TEXT, report_verdict, "since", since),
    RENDER_FIELD(LINK, report_verdict, "card", card),
    RENDER_FIELD(TEXT, report_verdict, "runs", runs),
    RENDER_FIELD(TEXT, report_verdict, "samples", samples),
    RENDER_FIELD(TEXT, report_verdict, "smallest", smallest),
    RENDER_FIELD(TEXT, report_verdict, "levels", levels),
    RENDER_FIELD(TEXT, report_verdict, "levels_about", levels_about),
    RENDER_FIELD(LINK, report_verdict, "graph_name", graph_name),
    RENDER_FIELD(LINK, report_verdict, "graph_anchor", graph_anchor),
    RENDER_FIELD(GRAPH, report_verdict, "graph_page", graph_name),
    RENDER_FIELD(OPEN, report_verdict, "graph_link", graph_name),
    RENDER_FIELD(CLOSE, report_verdict, "graph_link_end", graph_name),
};
static const struct record verdict = RENDER_RECORD("a service", report_verdict, verdict_fields);

static const struct field change_fields[] = {
    RENDER_FIELD(LINK, report_change, "id", id),
    RENDER_FIELD(TEXT, report_change, "service", service),
    RENDER_FIELD(TEXT, report_change, "owner", owner),
    RENDER_FIELD(TEXT, report_change, "verdict", verdict),
    RENDER_FIELD(CODE, report_change, "function", function),
    RENDER_FIELD(LINK, report_change, "function_address", function_address),
    RENDER_FIELD(CODE, report_change, "module", module),
    RENDER_FIELD(CODE, report_change, "source_line", source),
    RENDER_FIELD(TEXT, report_change, "source_link", link),
    RENDER_FIELD(TEXT, report_change, "scope", scope),
    RENDER_FIELD(TEXT, report_change, "base", base),
    RENDER_FIELD(TEXT, report_change, "new", new),
    RENDER_FIELD(TEXT, report_change, "points", points),
    RENDER_FIELD(TEXT, report_change, "interval", interval),
    RENDER_FIELD(TEXT, report_change, "weight", weight),
    RENDER_FIELD(TEXT, report_change, "bar", bar),
    RENDER_FIELD(TEXT, report_change, "mark", mark),
    RENDER_FIELD(TEXT, report_change, "since", since),
    RENDER_FIELD(TEXT, report_change, "age", age),
    RENDER_FIELD(CODE, report_change, "renamed_from", renamed_from),
    RENDER_FIELD(TEXT, report_change, "accepted", accepted),
    RENDER_FIELD(CODE, report_change, "through", through),
    RENDER_FIELD(TEXT, report_change, "runs", runs),
    RENDER_FIELD(TEXT, report_change, "samples", samples),
    RENDER_FIELD(TEXT, report_change, "ticket", ticket),
    RENDER_FIELD(TEXT, report_change, "about", about),
    RENDER_FIELD(QUOTED, report_change, "service_quoted", name),
    RENDER_FIELD(QUOTED, report_change, "function_quoted", function),
    RENDER_FIELD(FILE, report_change, "graph", graph.path),
    RENDER_FIELD(FILE, report_change, "crop", crop.path),
    RENDER_FIELD(TEXT, report_change, "crop_inside", crop.inside),
    RENDER_FIELD(UNSIGNED, report_change, "crop_width", crop.width),
    RENDER_FIELD(UNSIGNED, report_change, "crop_height", crop.height),
};
static const struct record change = RENDER_RECORD("a finding", report_change, change_fields);

static const struct field note_fields[] = {
    RENDER_FIELD(TEXT, report_note, "service", service),
    RENDER_FIELD(TEXT, report_note, "text", text),
};
static const struct record note = RENDER_RECORD("a note", report_note, note_fields);

static const struct field unrecognised_fields[] = {
    RENDER_FIELD(CODE, report_unrecognised, "path", path),
    RENDER_FIELD(TEXT, report_unrecognised, "reason", reason),
};
static const struct record unrecognised =
    RENDER_RECORD("a file", report_unrecognised, unrecognised_fields);

static const struct field report_fields[] = {
    RENDER_FIELD(TEXT, report, "title", title),
    RENDER_FIELD(TEXT, report, "subtitle", subtitle),
    RENDER_FIELD(MARKDOWN, report, "introduction", introduction),
    RENDER_FIELD(TEXT, report, "date", date),
    RENDER_FIELD(TEXT, report, "calendar_date", calendar_date),
    RENDER_FIELD(QUOTED, report, "title_quoted", title),
    RENDER_FIELD(QUOTED, report, "subtitle_quoted", subtitle),
    RENDER_FIELD(QUOTED, report, "measured_quoted", measured),
#define SITE_FIELD(id, variable, word) RENDER_FIELD(FLAG, report, word, is_site[REPORT_##id]),
    REPORT_SITES(SITE_FIELD) /* a flag for each value of --site */
    RENDER_FIELD(TEXT, report, "front_matter", front_matter),
    RENDER_FIELD(FLAG, report, "titled", titled),
    RENDER_FIELD(FLAG, report, "html_links", html_links),
    RENDER_FIELD(FLAG, report, "paged", paged),
    RENDER_FIELD(FLAG, report, "svg_images", svg_images),
    RENDER_FIELD(TEXT, report, "version", version),
    RENDER_FIELD(TEXT, report, "missing_glyphs", missing_glyphs),
    RENDER_FIELD(TEXT, report, "measured", measured),
    RENDER_LIST(report, "findings", findings, finding),
    RENDER_FIELD(ANY, report, "has_findings", findings),
    RENDER_LIST(report, "searches", searches, search),
    RENDER_LIST(report, "graphs", graphs, fields_graph),
    RENDER_LIST(report, "failures", failures, failure),
    RENDER_LIST(report, "not_profiles", unrecognised, unrecognised),
    RENDER_LIST(report, "incomplete", incomplete, incomplete),
    RENDER_FIELD(TEXT, report, "headline", comparison.headline),
    RENDER_FIELD(TEXT, report, "base_label", comparison.base),
    RENDER_FIELD(TEXT, report, "new_label", comparison.new),
    RENDER_FIELD(TEXT, report, "measure", comparison.measure),
    RENDER_FIELD(TEXT, report, "exact_measure", comparison.exact_measure),
    RENDER_FIELD(FLAG, report, "quiet", comparison.quiet),
    RENDER_FIELD(FLAG, report, "budgets_hold", comparison.budgets_hold),
    RENDER_LIST(report, "services", comparison.services, verdict),
    RENDER_FIELD(SIZE, report, "service_count", comparison.services),
    RENDER_FIELD(FLAG, report, "has_owners", comparison.has_owners),
    RENDER_FIELD(FLAG, report, "has_since", comparison.has_since),
    RENDER_FIELD(FLAG, report, "has_levels", comparison.has_levels),
    RENDER_LIST(report, "changes", comparison.cards, change),
    RENDER_FIELD(ANY, report, "has_cards", comparison.cards),
    RENDER_FIELD(TEXT, report, "more_changes", comparison.more_text),
    RENDER_LIST(report, "budgets", comparison.budgets, note),
    RENDER_FIELD(ANY, report, "has_budgets", comparison.budgets),
    RENDER_LIST(report, "costs", comparison.costs, note),
    RENDER_FIELD(ANY, report, "has_costs", comparison.costs),
    RENDER_LIST(report, "comparison_notes", comparison.notes, note),
    RENDER_FIELD(ANY, report, "has_comparison_notes", comparison.notes),
    RENDER_LIST(report, "not_compared", comparison.not_compared, note),
    RENDER_FIELD(ANY, report, "has_not_compared", comparison.not_compared),
    RENDER_FIELD(FLAG, report, "has_samples", has_samples),
    RENDER_FIELD(FLAG, report, "has_hottest", has_hottest),
    RENDER_FIELD(TEXT, report, "small_graphs", small_graphs),
    RENDER_FIELD(LINK, report, "small_anchor", small_anchor),
    RENDER_FIELD(ANY, report, "has_searches", searches),
    RENDER_FIELD(ANY, report, "has_graphs", graphs),
    RENDER_FIELD(ANY, report, "has_failures", failures),
    RENDER_FIELD(ANY, report, "has_not_profiles", unrecognised),
    RENDER_FIELD(ANY, report, "has_incomplete", incomplete),
    RENDER_FIELD(SIZE, report, "graph_count", graphs),
    RENDER_FIELD(SIZE, report, "failure_count", failures),
    RENDER_FIELD(SIZE, report, "not_profile_count", unrecognised),
};
const struct record fields_report = RENDER_RECORD("the report", report, report_fields);

static const struct field page_fields[] = {
    RENDER_FIELD(TEXT, fields_page, "style", style),
    RENDER_FIELD(TEXT, fields_page, "script", script),
    RENDER_FIELD(TEXT, fields_page, "content", content),
    RENDER_FIELD(TEXT, fields_page, "policy", policy),
    RENDER_FIELD(FILE, fields_page, "style_file", style_file),
    RENDER_FIELD(FILE, fields_page, "script_file", script_file),
    RENDER_FIELD(TEXT, fields_page, "page_title", title),
};
const struct record fields_page = RENDER_RECORD("the page", fields_page, page_fields);

static const struct field neighbours_fields[] = {
    RENDER_FIELD(TEXT, fields_neighbours, "report_title", report_title),
    RENDER_FIELD(TEXT, fields_neighbours, "front_matter", front_matter),
    RENDER_FIELD(QUOTED, fields_neighbours, "graph_title_quoted", title),
    RENDER_FIELD(LINK, fields_neighbours, "index", index),
    RENDER_FIELD(TEXT, fields_neighbours, "previous_title", previous.title),
    RENDER_FIELD(GRAPH, fields_neighbours, "previous", previous.name),
    RENDER_FIELD(TEXT, fields_neighbours, "next_title", next.title),
    RENDER_FIELD(GRAPH, fields_neighbours, "next", next.name),
};
const struct record fields_neighbours =
    RENDER_RECORD("the page of a graph", fields_neighbours, neighbours_fields);
