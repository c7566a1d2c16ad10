/*
 * Runs the program: main() without the process.
 */
#ifndef CLI_RUN_H
#define CLI_RUN_H

/* Runs one command line and returns the exit status. */
int run(int count, char *const *words);

#endif
