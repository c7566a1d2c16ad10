/*
 * Findings of one service: which changes are findings, and which of them have one cause.
 *
 * If the total of a function changed because its self weight did, self and total are one finding.
 * If one callee has 80 % of the change of its caller, the caller is listed through the callee.
 */
#ifndef COMPARE_FINDINGS_H
#define COMPARE_FINDINGS_H

#include "compare/comparison.h"
#include "compare/trial.h"

/*
 * Adds the findings of a trial to its service. If `kernels_differ`, nothing is said about functions
 * of the kernel. Copies texts to `memory`.
 */
void findings_add(struct compared_service *s, const struct trial *t,
                  const struct compare_settings *settings, bool kernels_differ,
                  struct arena *memory);

#endif
