#include "input/formats/web/speedscope_part.h"

#include "base/num.h"

void speedscope_part_init(struct speedscope_part *p)
{
    *p = (struct speedscope_part){0};
    number_list_init(&p->samples);
    number_list_init(&p->weights);
    number_list_init(&p->events);
    number_list_init(&p->start);
    number_list_init(&p->end);
}

void speedscope_part_release(struct speedscope_part *p)
{
    number_list_release(&p->samples);
    number_list_release(&p->weights);
    number_list_release(&p->events);
    number_list_release(&p->start);
    number_list_release(&p->end);
}

/* An amount: 0 for what is none, else 1 with its sign and its decimals, and then its digits. */
void speedscope_part_add_amount(struct number_list *list, const struct json_value *v)
{
    struct decimal d;
    bool negative;

    if (!json_decimal(v, &d, &negative)) {
        number_list_add(list, 0);
        return;
    }
    number_list_add(list, 1 + negative + 2 * (uint64_t)d.decimals);
    number_list_add(list, d.value);
}

bool speedscope_part_amount(const struct number_list *list, size_t *at, unsigned decimals,
                            i128 *number)
{
    uint64_t head = 0, digits = 0;
    unsigned own;
    i128 value;

    if (!number_list_next(list, at, &head) || !head)
        return false;
    number_list_next(list, at, &digits);
    own = (unsigned)(head - 1) / 2;
    value = (head - 1) % 2 ? -(i128)digits : (i128)digits;
    if (own <= decimals) {
        *number = value * (i128)num_pow10(decimals - own);
    } else {
        i128 by = (i128)num_pow10(own - decimals);

        value += by / 2;
        *number = value / by - (value % by < 0);
    }
    return true;
}

void speedscope_part_add_event(struct speedscope_part *p, const struct json_value *event)
{
    const struct json_value *at = NULL;
    enum speedscope_type type = SPEEDSCOPE_NEITHER;
    uint64_t frame = UINT64_MAX;

    if (event->type == JSON_OBJECT)
        json_each(v, event)
        {
            if (json_key_is(v, SLICE("type"))) {
                type = slice_equal(json_text(v), SLICE("O"))   ? SPEEDSCOPE_OPEN
                       : slice_equal(json_text(v), SLICE("C")) ? SPEEDSCOPE_CLOSE
                                                               : SPEEDSCOPE_NEITHER;
            } else if (json_key_is(v, SLICE("frame"))) {
                if (!json_u64(v, &frame))
                    frame = UINT64_MAX;
            } else if (json_key_is(v, SLICE("at"))) {
                at = v;
            }
        }
    number_list_add(&p->events, type);
    number_list_add(&p->events, frame + 1);
    speedscope_part_add_amount(&p->events, at);
}

bool speedscope_part_event(const struct speedscope_part *p, size_t *at, unsigned decimals,
                           struct speedscope_event *event)
{
    uint64_t type, frame;

    if (!number_list_next(&p->events, at, &type))
        return false;
    number_list_next(&p->events, at, &frame);
    event->type = (enum speedscope_type)type;
    event->frame = frame - 1;
    event->has_time = speedscope_part_amount(&p->events, at, decimals, &event->time);
    return true;
}
