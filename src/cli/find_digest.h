/*
 * Finds the profiles from which a picture was drawn, by the text Digest of its PNG (tree/digest.h).
 */
#ifndef CLI_FIND_DIGEST_H
#define CLI_FIND_DIGEST_H

#include "cli/command.h"

/*
 * Reads the profiles that the options name, those of the present directory if they name none, and
 * prints each that has a graph with the digest of the options. Files that were found in a directory
 * and are no profiles are passed over. Counts failures in the outcome, also that there is no such
 * graph.
 */
void find_digest(const struct command_job *job);

#endif
