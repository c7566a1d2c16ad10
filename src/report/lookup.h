/*
 * Which field each record has under each name that templates use.
 *
 * A page looks some hundred names up, each in up to three records of up to ninety fields. So the
 * names of all templates get numbers once, and each record a table of its fields by these numbers.
 */
#ifndef REPORT_LOOKUP_H
#define REPORT_LOOKUP_H

#include "base/intern.h"
#include "base/vec.h"

struct record;
struct field;

struct lookup {
    struct intern names;                /* of all values and sections */
    VEC(const struct record *) records; /* those of pages and graphs, and of their lists */
    VEC(const struct field *) fields;   /* of a record: a field or NULL for each name */
};

void lookup_release(struct lookup *l);

/*
 * Makes the tables of the records of whole templates, and of those of their lists, after the last
 * name was added to `names`.
 */
void lookup_fill(struct lookup *l, const struct record *const *whole, size_t count);

/* Returns the fields of a record by the numbers of names: NULL for a name that it does not have. */
const struct field *const *lookup_fields(const struct lookup *l, const struct record *record);

#endif
