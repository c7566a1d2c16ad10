/*
 * Nearly all lines of callgrind's files: decimal costs and names that are a
 * number, read without taking words apart.
 *
 * Each function returns where the next line begins, NULL where the line is no
 * such, having changed nothing that matters. TEXT_SLACK bytes can be read
 * behind the block's end.
 */
#ifndef INPUT_FORMATS_CALLGRIND_CALLGRIND_PLAIN_H
#define INPUT_FORMATS_CALLGRIND_CALLGRIND_PLAIN_H

#include "input/formats/callgrind/callgrind_file.h"

/* Costs behind positions, with a blank between them, into f->costs. */
const char *callgrind_plain_costs(struct callgrind_file *f, const char *p);

/*
 * "fn=(12)", "cfl=(12) a.c" and their kin, of a number that is known to mean
 * that: it is the function, file or object in hand.
 */
const char *callgrind_plain_name(struct callgrind_file *f, const char *p, const char *end);

#endif
