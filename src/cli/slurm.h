/*
 * report --slurm: has the nodes of a Slurm cluster make a report.
 *
 * An array job makes the parts (batch/part.h), each as a task, and another job stitches them. That
 * job runs after all tasks have succeeded, or after one has failed for good: the report names the
 * parts that are missing. Slurm itself runs the tasks of a lost node again. The directory of
 * the parts, OUT.parts, also has the two scripts, and what each task printed.
 */
#ifndef CLI_SLURM_H
#define CLI_SLURM_H

#include "cli/command.h"

/* Submits the jobs; with --wait also waits for the report. `job->options` asks for --slurm. */
void slurm_report(const struct command_job *job);

#endif
