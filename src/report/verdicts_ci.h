/*
 * Writes a comparison for programs that run checks.
 *
 * JUnit: a suite for each service, a test case for the service and one for each finding and
 * budget. A finding that counts and a broken budget fail; an undecided service is skipped. SARIF
 * 2.1.0: a result for each of these findings and budgets, with a fingerprint that does not depend
 * on numbers, so that a finding of last week is the same one this week. GitHub: workflow commands
 * that become annotations.
 */
#ifndef REPORT_VERDICTS_CI_H
#define REPORT_VERDICTS_CI_H

#include "base/buf.h"
#include "compare/comparison.h"

void report_write_junit(const struct comparison *c, struct buf *out);
/* `version` is the program's. */
void report_write_sarif(const struct comparison *c, struct slice version, struct buf *out);
void report_write_github(const struct comparison *c, struct buf *out);

#endif
