/*
 * Labels of series that an event was split into by process, thread or CPU: "app (101)" of the
 * series "cpu-clock, app (101)", whose event is "cpu-clock".
 */
#ifndef CONVERT_LABELS_H
#define CONVERT_LABELS_H

#include "profile/profile.h"

/* Returns what a series adds to the name of its event, or nothing. */
struct slice labels_of(const struct series *s);

/* A label taken apart: "app (101)" has the number 101. */
struct labels_parts {
    struct slice name;
    bool numbered;
    uint64_t number;
};

struct labels_parts labels_split(struct slice label);

#endif
