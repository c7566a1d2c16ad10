#include "input/formats/go/pprof_raw_rows.h"

#include "base/ascii.h"
#include "base/num.h"

void pprof_raw_rows_release(struct pprof_raw_rows *r)
{
    vec_release(&r->items);
    vec_release(&r->values);
    vec_release(&r->locations);
    vec_release(&r->large);
}

/* Blanks, and then a number of up to 19 digits; NULL where that is not what comes. */
static const char *take_number(const char *p, const char *end, uint64_t *number)
{
    enum { SAFE_DIGITS = 19 };
    unsigned digits;

    while (p < end && slice_is_blank(*p))
        p++;
    digits = p < end ? num_take_digits(p, number) : 0;
    for (p += digits; digits >= 8 && digits < SAFE_DIGITS && ascii_is_digit(*p); digits++)
        *number = *number * 10 + (uint64_t)(*p++ - '0');
    return digits && !ascii_is_digit(*p) ? p : NULL;
}

/* The values of a row up to its colon; NULL where they are not as many as there are columns. */
static const char *take_values(struct pprof_raw_rows *r, const char *p, const char *end,
                               size_t columns)
{
    for (size_t i = 0; i < columns; i++) {
        uint64_t number;
        bool negative;

        while (p < end && slice_is_blank(*p))
            p++;
        negative = p < end && *p == '-';
        if (negative && (++p == end || slice_is_blank(*p)))
            return NULL;
        p = take_number(p, end, &number);
        if (!p || number > INT64_MAX || p == end || (!slice_is_blank(*p) && *p != ':'))
            return NULL;
        *vec_add(&r->values) = negative ? -(int64_t)number : (int64_t)number;
    }
    while (p < end && slice_is_blank(*p))
        p++;
    return p < end && *p == ':' ? p + 1 : NULL;
}

static void push_number(struct pprof_raw_rows *r, uint64_t number)
{
    if (number >= PPROF_RAW_LARGE) {
        *vec_add(&r->large) = number;
        number = PPROF_RAW_LARGE | (r->large.count - 1);
    }
    *vec_add(&r->locations) = (uint32_t)number;
}

bool pprof_raw_rows_read(struct pprof_raw_rows *r, struct slice line, size_t columns)
{
    size_t values = r->values.count, locations = r->locations.count;
    const char *end, *p;
    uint64_t number;

    line = slice_trim_right(line);
    end = line.ptr + line.len;
    p = take_values(r, line.ptr, end, columns);
    while (p && p < end && (slice_is_blank(*p) || p[-1] == ':')) {
        p = take_number(p, end, &number);
        if (p)
            push_number(r, number);
    }
    if (p != end) {
        r->values.count = values;
        r->locations.count = locations;
        return false;
    }
    r->last = r->items.count;
    r->repeated = false;
    *vec_add(&r->items) = (struct pprof_raw_row){locations, r->locations.count - locations, 0, 1};
    return true;
}

bool pprof_raw_rows_again(struct pprof_raw_rows *r, size_t row)
{
    if (r->items.items[row].origin)
        return false;
    r->items.items[row].times++;
    r->last = row;
    r->repeated = true;
    return true;
}

struct pprof_raw_row *pprof_raw_rows_own(struct pprof_raw_rows *r, size_t columns)
{
    struct pprof_raw_row row = r->items.items[r->last];

    if (!r->repeated)
        return &r->items.items[r->last];
    r->items.items[r->last].times--;
    vec_reserve(&r->values, r->values.count + columns);
    for (size_t i = 0; i < columns; i++)
        r->values.items[r->values.count++] = r->values.items[r->last * columns + i];
    r->last = r->items.count;
    r->repeated = false;
    row.times = 1;
    *vec_add(&r->items) = row;
    return &r->items.items[r->last];
}
