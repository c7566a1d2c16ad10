/*
 * Texts that are known and of no use here, told from those that are read.
 *
 * A predicate stands in the table of format.c beside the hint that the user
 * gets. The table is asked before any format, so each holds only where the
 * content cannot be anything else.
 */
#ifndef INPUT_REFUSED_H
#define INPUT_REFUSED_H

#include <stdbool.h>

#include "input/parse/head.h"

/* perf report --stdio: a table of percentages, with call graphs as trees or none. */
bool refused_perf_report(const struct head *head);
/* uftrace replay: "1.332 us [ 18834] | main();" below a line of column names. */
bool refused_uftrace_replay(const struct head *head);
/* Xdebug's traces for people, text and HTML (trace_format=0 and 2). */
bool refused_xdebug_trace(const struct head *head);
/* AIX tprof: a table of processes with the columns FREQ, Total, Kernel, User. */
bool refused_aix_tprof(const struct head *head);
/* gprof of GNU, BSD, Darwin and AIX: functions with their callers, or a flat table. */
bool refused_gprof(const struct head *head);
/* VTune's report gprof-cc: the same with columns of its own. */
bool refused_vtune_gprof(const struct head *head);
/* node --prof-process: ticks by function, and by callers from the leaf up. */
bool refused_v8_report(const struct head *head);
/* Scalene's JSON: shares of lines. */
bool refused_scalene(const struct head *head);
/* Go's execution trace: "go 1.19 trace" and bytes. */
bool refused_go_trace(const struct head *head);
/* A zip archive of Very Sleepy. */
bool refused_sleepy(const struct head *head);
/* pprof -top, -tree and -peek, and the --text of the older pprof. */
bool refused_pprof_table(const struct head *head);

#endif
