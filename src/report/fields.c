#include "report/fields.h"

#include "report/report.h"

#define FIELD(kind, type, name, member)                                                            \
    {                                                                                              \
        SLICE(name), FIELD_##kind, offsetof(struct type, member), NULL                             \
    }
#define LIST(type, name, member, record)                                                           \
    {                                                                                              \
        SLICE(name), FIELD_LIST, offsetof(struct type, member), &record                            \
    }
#define RECORD(what, type, fields)                                                                 \
    {                                                                                              \
        what, sizeof(struct type), fields, sizeof(fields) / sizeof(fields[0])                      \
    }

/* A link to a graph (FIELD_GRAPH) is made of its name and its anchor, which follows the name. */
#define ADJACENT(type, name, anchor)                                                               \
    _Static_assert(offsetof(struct type, anchor) ==                                                \
                       offsetof(struct type, name) + sizeof(struct slice),                         \
                   "the anchor follows the name")
ADJACENT(report_graph, name, anchor);
ADJACENT(report_graph, notes_name, notes_anchor);
ADJACENT(report_finding, graph_name, graph_anchor);
ADJACENT(report_verdict, graph_name, graph_anchor);

static const struct field fact_fields[] = {
    FIELD(TEXT, report_fact, "key", key),
    FIELD(TEXT, report_fact, "value", value),
    FIELD(CODE, report_fact, "value_code", value),
};
static const struct record fact = RECORD("a fact", report_fact, fact_fields);

static const struct field export_fields[] = {
    FIELD(TEXT, report_export, "export_title", title),
    FIELD(FILE, report_export, "export", path),
};
static const struct record export = RECORD("a converted file", report_export, export_fields);

static const struct field run_fields[] = {
    FIELD(CODE, report_run, "run", name),
    FIELD(TEXT, report_run, "host", host),
    FIELD(TEXT, report_run, "run_date", date),
    FIELD(TEXT, report_run, "run_remark", remark),
    FIELD(TEXT, report_run, "run_samples", samples_text),
    FIELD(TEXT, report_run, "run_duration", duration_text),
    FIELD(COUNT, report_run, "lost", lost),
};
static const struct record run = RECORD("a run", report_run, run_fields);

/* A table is by `amount`: its rows have that value under names that tables share. */
#define FUNCTION_FIELDS(amount)                                                                    \
    FIELD(UNSIGNED, report_function, "rank", rank),                                                \
        FIELD(CODE, report_function, "function", shown),                                           \
        FIELD(LINK, report_function, "function_address", address),                                 \
        FIELD(TEXT, report_function, "kind", kind),                                                \
        FIELD(CODE, report_function, "module", module),                                            \
        FIELD(TEXT, report_function, "self", self.number),                                         \
        FIELD(TEXT, report_function, "self_percent", self.percent),                                \
        FIELD(FILE, report_function, "crop", crop), FIELD(TEXT, report_function, "state", state),  \
        FIELD(TEXT, report_function, "self_change", self.change),                                  \
        FIELD(TEXT, report_function, "self_before", self.before),                                  \
        FIELD(TEXT, report_function, "self_difference", self.difference),                          \
        FIELD(TEXT, report_function, "self_other", self.other),                                    \
        FIELD(TEXT, report_function, "self_ratio", self.ratio),                                    \
        FIELD(TEXT, report_function, "total_ratio", total.ratio),                                  \
        FIELD(TEXT, report_function, "total", total.number),                                       \
        FIELD(TEXT, report_function, "total_percent", total.percent),                              \
        FIELD(TEXT, report_function, "total_change", total.change),                                \
        FIELD(TEXT, report_function, "total_before", total.before),                                \
        FIELD(TEXT, report_function, "total_difference", total.difference),                        \
        FIELD(TEXT, report_function, "value", amount.number),                                      \
        FIELD(TEXT, report_function, "share", amount.percent),                                     \
        FIELD(TEXT, report_function, "share_change", amount.change),                               \
        FIELD(TEXT, report_function, "value_before", amount.before),                               \
        FIELD(TEXT, report_function, "value_difference", amount.difference)

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

static const struct field match_fields[] = {
    FIELD(TEXT, report_match, "name", name),
    FIELD(CODE, report_match, "pattern", pattern),
    FIELD(LINK, report_match, "expression", expression),
    FIELD(FLAG, report_match, "ignore_case", ignore_case),
    FIELD(TEXT, report_match, "weight", amount.number),
    FIELD(TEXT, report_match, "percent", amount.percent),
    FIELD(TEXT, report_match, "share", amount.percent),
    FIELD(TEXT, report_match, "change", amount.change),
    FIELD(COUNT, report_match, "any", amount.weight),
    FIELD(COUNT, report_match, "functions", symbols),
    FIELD(COUNT, report_match, "exhausted", exhausted),
};
static const struct record match = RECORD("a match", report_match, match_fields);

static const struct field gap_fields[] = {
    FIELD(TEXT, report_gap, "what", what),
    FIELD(TEXT, report_gap, "much", much),
    FIELD(TEXT, report_gap, "percent", percent),
};
static const struct record gap = RECORD("a gap", report_gap, gap_fields);

static const struct field area_fields[] = {
    FIELD(TEXT, report_area, "coordinates", coordinates),
    FIELD(TEXT, report_area, "area_title", title),
    FIELD(LINK, report_area, "place", place),
};
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
    FIELD(LINK, report_graph, "name", name),
    FIELD(LINK, report_graph, "graph_id", name),
    FIELD(LINK, report_graph, "anchor", anchor),
    FIELD(GRAPH, report_graph, "page", name),
    FIELD(OPEN, report_graph, "link", name),
    FIELD(CLOSE, report_graph, "link_end", name),
    FIELD(BEFORE, report_graph, "anchor_before", anchor),
    FIELD(INSIDE, report_graph, "anchor_inside", anchor),
    FIELD(AFTER, report_graph, "anchor_after", anchor),
    FIELD(TEXT, report_graph, "title", title),
    FIELD(TEXT, report_graph, "subtitle", subtitle),
    FIELD(CODE, report_graph, "source", source),
    FIELD(TEXT, report_graph, "format", format),
    FIELD(CODE, report_graph, "event", event),
    FIELD(CODE, report_graph, "kind", kind),
    FIELD(TEXT, report_graph, "kind_about", kind_about),
    FIELD(TEXT, report_graph, "unit", unit),
    FIELD(TEXT, report_graph, "weight", total_text),
    FIELD(TEXT, report_graph, "weight_plain", total_plain),
    FIELD(TEXT, report_graph, "weight_short", total_short),
    FIELD(TEXT, report_graph, "weight_sort", total_sort),
    FIELD(TEXT, report_graph, "weight_before", base_text),
    FIELD(TEXT, report_graph, "weight_difference", difference),
    FIELD(TEXT, report_graph, "other_unit", other_unit),
    FIELD(TEXT, report_graph, "other_weight", other_text),
    FIELD(TEXT, report_graph, "ratio", ratio),
    FIELD(FLAG, report_graph, "stalls", stalls),
    FIELD(FLAG, report_graph, "relative", relative),
    FIELD(TEXT, report_graph, "duration", duration_text),
    FIELD(COUNT, report_graph, "samples", samples_apart),
    FIELD(TEXT, report_graph, "records_label", records_label),
    FIELD(TEXT, report_graph, "records_text", records_text),
    FIELD(TEXT, report_graph, "records_cell", records_cell),
    FIELD(COUNT, report_graph, "functions", functions),
    FIELD(FLAG, report_graph, "differential", differential),
    FIELD(FLAG, report_graph, "is_small", is_small),
    FIELD(COUNT, report_graph, "sample_count", samples),
    FIELD(TEXT, report_graph, "alt", alt),
    FIELD(HTML, report_graph, "alt_html", alt),
    FIELD(CODE, report_graph, "alt_code", alt),
    FIELD(QUOTED, report_graph, "alt_quoted", alt),
    FIELD(MARKDOWN, report_graph, "commentary", commentary),
    FIELD(CODE, report_graph, "function", hottest),
    FIELD(LINK, report_graph, "function_address", hottest_address),
    FIELD(TEXT, report_graph, "hottest_percent", hottest_percent),
    FIELD(TEXT, report_graph, "notes_title", notes_title),
    FIELD(LINK, report_graph, "notes_name", notes_name),
    FIELD(LINK, report_graph, "notes_anchor", notes_anchor),
    FIELD(GRAPH, report_graph, "notes_page", notes_name),
    FIELD(OPEN, report_graph, "notes_link", notes_name),
    FIELD(CLOSE, report_graph, "notes_link_end", notes_name),
    FIELD(FILE, report_graph, "svg", pictures[REPORT_SVG].path),
    FIELD(FILE, report_graph, "png", pictures[REPORT_PNG].path),
    FIELD(FILE, report_graph, "png_2x", pictures[REPORT_PNG_2X].path),
    FIELD(FILE, report_graph, "png_dark", pictures[REPORT_PNG_DARK].path),
    FIELD(FILE, report_graph, "png_dark_2x", pictures[REPORT_PNG_DARK_2X].path),
    FIELD(TEXT, report_graph, "svg_inside", pictures[REPORT_SVG].inside),
    FIELD(TEXT, report_graph, "png_inside", pictures[REPORT_PNG].inside),
    FIELD(TEXT, report_graph, "png_dark_inside", pictures[REPORT_PNG_DARK].inside),
    FIELD(UNSIGNED, report_graph, "width", pictures[REPORT_SVG].width),
    FIELD(UNSIGNED, report_graph, "height", pictures[REPORT_SVG].height),
    LIST(report_graph, "facts", facts, fact),
    LIST(report_graph, "by_self", by_self, by_self),
    LIST(report_graph, "by_total", by_total, by_total),
    LIST(report_graph, "self_changes", self_changes, by_self),
    LIST(report_graph, "total_changes", total_changes, by_total),
    FIELD(ANY, report_graph, "has_changes", total_changes),
    LIST(report_graph, "matches", matches, match),
    LIST(report_graph, "gaps", gaps, gap),
    LIST(report_graph, "areas", areas, area),
    FIELD(ANY, report_graph, "has_areas", areas),
    FIELD(ANY, report_graph, "has_functions", by_total),
    FIELD(ANY, report_graph, "has_matches", matches),
    FIELD(ANY, report_graph, "has_gaps", gaps),
    FIELD(ANY, report_graph, "has_facts", facts),
    FIELD(TEXT, report_graph, "service", service),
    FIELD(TEXT, report_graph, "owner", owner),
    FIELD(TEXT, report_graph, "run_count", run_count),
    FIELD(FILE, report_graph, "kept", kept),
    LIST(report_graph, "runs", runs, run),
    LIST(report_graph, "exports", exports, export),
    FIELD(ANY, report_graph, "has_runs", runs),
    FIELD(FLAG, report_graph, "has_remarks", has_remarks),
};
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
