/*
 * The report as data: JSON, schema "flamepress-report/2".
 *
 * The file is UTF-8. Keys come in the order below and are always present (null
 * or an empty list if there is no value), so two reports compare line by line.
 * A schema of the same number may gain keys but never lose or change one.
 *
 *   schema      "flamepress-report/2"; in 1, ledgers of graphs had counts of the input,
 *               `samples` were lines if the input has sums of samples, and findings had a
 *               `change`
 *   generator   {name, version}
 *   title, subtitle, introduction (Markdown), date     strings or null
 *   searches    [{name, pattern}]
 *   comparison  as in flamepress-comparison/1 (report/verdicts_json.h); null without a baseline
 *   finding_files [{service, function, scope, svg, png}]: the pictures of findings
 *   measured    "14 graphs: 10 of cpu-clock, 4 of page-faults"
 *   findings    [{key, what, function, search, percent, samples, graph}]: what stands out;
 *               `graph` is a graph's name and `samples` its number of samples or null; of
 *               function and search one may be null, or both; `elsewhere`, if it is there, is
 *               the largest share in other graphs
 *   graphs      [graph], in the order of the report
 *   missing_glyphs "U+4E2D U+65E5": characters that no font has, or null
 *   failures    [{path, messages: [string]}]
 *   incomplete  [{path, ledger}]: inputs of which some content is in no graph
 *   not_profiles [{path, reason}]
 *
 *   graph       {name, title, subtitle, source, format, event, kind,
 *                unit: {word, kind, exponent}, total: amount, samples, records, functions,
 *                duration_ns, differential, facts: [{key, value}],
 *                files: {svg, png, png_2x, png_dark, png_dark_2x, runs, and with --with
 *                converted: {FORMAT: path}}, width, height,
 *                top_self: [function], top_total: [function],
 *                self_changes: [function], total_changes: [function],
 *                searches: [{name, pattern, functions, exhausted, amount}]; if a search
 *                took too much work, `exhausted` is the number of names left when it was
 *                given up, and `functions` and the amount's members are null,
 *                ledger, alt, commentary}; `samples` is null if the number is not known, as
 *                of folded stacks; `records` is what it counts ("samples", "threads" of
 *                dumps, "waits", "events"), or null
 *   ledger      [{key, what, value, percent}], of the graph or of the input alone; percent is
 *               null if it is not known of how many
 *   function    {name, class, module, state, self: amount, total: amount}; in a differential
 *               graph the state is "new" or "gone" if only one side has the function, else null
 *   amount      {weight, percent, base, other}
 *
 * If each graph has a page (report/pages.h), report.json has the schema
 * "flamepress-report-index/1": the same, but its graphs have only the members from `name` to
 * `differential`, then service, owner, searches and file, the path of a file "pages/NAME.json" with
 * the schema "flamepress-graph/1": {schema, generator, and the members of graph}.
 *
 * A weight is a string that holds an exact decimal number, "4361808500" or
 * "334.618": JSON readers that keep numbers as doubles would round it. It
 * counts the graph's unit: kind "count" (things called `word`), "seconds"
 * (10^exponent seconds each) or "bytes"; --factor is not applied. A percentage
 * is a number with two decimals, a share of the graph's total. `base` is the
 * weight in the base; null unless the graph is differential. Only graphs of two
 * counters have an `other_unit`, and in amounts `other`: what the second counter
 * counted.
 */
#ifndef REPORT_JSON_H
#define REPORT_JSON_H

#include "base/buf.h"
#include "base/flush.h"
#include "report/pages.h"
#include "report/report.h"

/* Appends report.json. Finished parts go to `flush` and are removed from `out`. */
void report_write_json(const struct report *r, struct buf *out, const struct flush *flush);
/* Appends pages/NAME.json. */
void report_write_graph_json(const struct graph_page *page, struct buf *out);

#endif
