/*
 * One of speedscope's profiles as it was read, in few bytes. Its unit, and the
 * table of frames, may stand behind it, so its samples and events wait.
 */
#ifndef INPUT_FORMATS_WEB_SPEEDSCOPE_PART_H
#define INPUT_FORMATS_WEB_SPEEDSCOPE_PART_H

#include <stdbool.h>
#include <stdint.h>

#include "input/parse/json.h"
#include "input/parse/number_list.h"

__extension__ typedef __int128 i128;

struct speedscope_part {
    struct slice type, name, unit;
    bool has_samples, has_weights;
    uint64_t weight_count;
    struct number_list samples;    /* stacks of numbers of frames */
    struct number_list weights;    /* amounts */
    struct number_list events;     /* of each its type, the number of its frame + 1, an amount */
    struct number_list start, end; /* an amount, or nothing */
};

/* What an event is. */
enum speedscope_type { SPEEDSCOPE_NEITHER, SPEEDSCOPE_OPEN, SPEEDSCOPE_CLOSE };

struct speedscope_event {
    enum speedscope_type type;
    uint64_t frame; /* UINT64_MAX for none */
    bool has_time;
    i128 time;
};

void speedscope_part_init(struct speedscope_part *p);
void speedscope_part_release(struct speedscope_part *p);

void speedscope_part_add_amount(struct number_list *list, const struct json_value *v);
void speedscope_part_add_event(struct speedscope_part *p, const struct json_value *event);

/* The next amount in units of 10^-decimals, rounded half up; false where it is none. */
bool speedscope_part_amount(const struct number_list *list, size_t *at, unsigned decimals,
                            i128 *number);
/* The next event; false behind the last one. */
bool speedscope_part_event(const struct speedscope_part *p, size_t *at, unsigned decimals,
                           struct speedscope_event *event);

#endif
