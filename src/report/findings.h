/*
 * What stands out in a report: the few lines that a reader in a hurry gets.
 *
 * Each is a superlative in shares of a graph's total, for weights of different
 * units do not compare. Functions are those of the commonest measure, and
 * searches where they match anything there: that all context switches are in
 * the scheduler stands out nowhere.
 * What says little is left out: a search that matches nothing, less than a
 * hundredth that is not seen.
 */
#ifndef REPORT_FINDINGS_H
#define REPORT_FINDINGS_H

#include "report/report.h"

/* Fills r->findings, r->measured and r->has_samples; comes after the last graph. */
void report_add_findings(struct report *r);

#endif
