/*
 * The findings of a report: a few lines for a reader in a hurry.
 *
 * Each line names the graph with the largest share of something. Shares are
 * compared because weights have different units. Functions, and searches if
 * they match there, are compared among graphs of the most frequent event: all
 * context switches are in the scheduler, which is no finding. Searches without
 * a match and omissions below one per cent are left out. A function that has a much
 * larger share in one graph than in all others is a finding, too (report/outlier.h).
 *
 * Each line gives the number of samples. Graphs with fewer than 20 samples give no
 * finding: one sample more or less would change their shares by five points. Idle
 * CPUs are no finding. Nothing is said of changes, as that needs a test of whether
 * they are more than chance.
 */
#ifndef REPORT_FINDINGS_H
#define REPORT_FINDINGS_H

#include "report/report.h"

/*
 * Fills r->findings, r->measured, r->has_samples, r->has_hottest and the hottest function of each
 * graph. Call it after the last graph is added.
 */
void report_add_findings(struct report *r);

#endif
