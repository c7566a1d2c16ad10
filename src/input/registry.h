/*
 * The registry of input formats: all of them, and the one that claims a content.
 */
#ifndef INPUT_REGISTRY_H
#define INPUT_REGISTRY_H

#include "input/format.h"

/* The formats in the order of asking. */
extern const struct format *const registry_formats[];
extern const size_t registry_count;

/* "Java", the heading of a family. */
const char *registry_family_title(enum format_family family);

/*
 * The first format that claims the content, or NULL. Aborts with the name of
 * the format if one of them lacks a required member.
 */
const struct format *registry_find(const struct head *head);

/* Says what a format lacks of its required members, or returns NULL. */
const char *registry_lacks(const struct format *format);

/* Stops the program with the name of a format that lacks something. Called once, at the start. */
void registry_check(void);

/* Reads a source as this format. Returns false after reporting an error. */
bool registry_read(const struct format *format, struct source *source, const struct head *head,
                   const struct input_options *options, unsigned threads, struct profile *out,
                   struct diag *diag);

#endif
