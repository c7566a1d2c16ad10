/*
 * Sentences about a comparison, as plain text: what every form of it says.
 *
 * Texts of profiles are valid UTF-8 and not escaped: whoever writes them to a file escapes them.
 */
#ifndef REPORT_VERDICTS_H
#define REPORT_VERDICTS_H

#include <stdbool.h>

#include "base/buf.h"
#include "compare/comparison.h"

/* Appends a text that comes from profiles or settings. */
typedef void verdicts_add_fn(struct buf *out, struct slice text);

/*
 * "2 of 6 services worse, 1 on one side only, 1 better, 2 undecided", or "No change found; of 3.5
 * points or more, four in five would have shown in a typical function".
 */
void verdicts_headline(struct buf *out, const struct comparison *c);

/*
 * "w46: orders worse, key_compare +11.25 points": the new label, and the first service with its
 * finding; or, if nothing is worse or better, the label and the beginning of the headline.
 */
void verdicts_subject(struct buf *out, const struct comparison *c, verdicts_add_fn *add);

struct verdicts_list VEC_OF(const struct compared_service *);

/*
 * Appends all services in the order in which they are shown: those that only one side has, since
 * one of them may be another one under a wrong name; then by verdict, what needs attention first.
 */
void verdicts_order(const struct comparison *c, struct verdicts_list *out);

/*
 * The function and its change: "slugger is new: +13.59 points (+10.43 to +16.96)", or, of exact
 * counts, "audit is new: +3,400,006 instructions (+39.03 points)".
 */
void verdicts_finding(struct buf *out, const struct compared_service *s, const struct finding *f);
/* Writes verdicts_finding() with `add` for each text that comes from profiles or settings. */
void verdicts_finding_with(struct buf *out, const struct compared_service *s,
                           const struct finding *f, verdicts_add_fn *add);

/*
 * The label with which a finding came, its interval, and what it undoes: "w12", or "w16 (w15 to
 * w17); came with w12, went with w16".
 */
void verdicts_since(struct buf *out, const struct finding *f, verdicts_add_fn *add);

/* The change of exact counts in their unit: "+3,400,006 instructions". */
void verdicts_weight(struct buf *out, const struct compared_service *s, const struct finding *f);

/* Why a service is undecided, or which changes of a typical function its runs would have shown. */
void verdicts_service(struct buf *out, const struct compared_service *s);

/* "2 functions are compared under one name although ..."; nothing if there are none. */
void verdicts_normalized(struct buf *out, const struct compared_service *s);

/*
 * What the service costs: "cost: 1.23 ms a request, was 1.09 ms (+12.84 %, +9.10 to +16.71); of it
 * key_compare +110 us", or "alone" if the change of the function is no part of that of the service;
 * nothing if it is not known.
 */
void verdicts_cost(struct buf *out, const struct compared_service *s, verdicts_add_fn *add);
/* Whether a digest has that line: a function changed, or the cost did beyond doubt. */
bool verdicts_tells_cost(const struct compared_service *s);

/* "3 and 3 runs, 4,143 and 4,121 samples" */
void verdicts_runs(struct buf *out, const struct compared_service *s);

/* "search "locks" of orders has 12.40 %, its limit is 10.00 %" */
void verdicts_budget(struct buf *out, const struct budget_result *b);
/* Writes verdicts_budget() with `add` for each text that comes from profiles or settings. */
void verdicts_budget_with(struct buf *out, const struct budget_result *b, verdicts_add_fn *add);

/*
 * Returns the finding that decides the verdict of a service: the largest one that counts, or that
 * is better, or accepted. Returns NULL if the service is unchanged or undecided.
 */
const struct finding *verdicts_decisive(const struct compared_service *s);

/*
 * What the picture of a finding shows: "orders: key_compare, total share 9.76 % before and 21.01 %
 * after, +11.25 points".
 */
void verdicts_picture(struct buf *out, const struct compared_service *s, const struct finding *f);

/* Whether there are budgets, and it is known that each of them holds. */
bool verdicts_budgets_hold(const struct comparison *c);

/* Whether a finding is shown as one of its service: it has no other cause. */
static inline bool verdicts_shows(const struct finding *f)
{
    return !f->through.len || finding_is_inlined(f);
}

/* A number that is the same for the same finding in all builds: for tools that track findings. */
uint64_t verdicts_fingerprint(const struct compared_service *s, const struct finding *f);

#endif
