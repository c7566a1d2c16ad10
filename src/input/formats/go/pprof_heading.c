#include "input/formats/go/pprof_heading.h"

#include "base/num.h"

bool pprof_heading_numbers(struct slice text, int64_t *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        bool negative;
        uint64_t value;
        size_t n = 0;

        while (text.len && memchr(" \t:[]", text.ptr[0], 5))
            text = slice_skip(text, 1);
        negative = slice_starts(text, SLICE("-"));
        text = slice_skip(text, negative);
        while (n < text.len && text.ptr[n] >= '0' && text.ptr[n] <= '9')
            n++;
        if (!num_parse_u64(slice_take(text, n), &value) || value > INT64_MAX)
            return false;
        numbers[i] = negative ? -(int64_t)value : (int64_t)value;
        text = slice_skip(text, n);
    }
    while (text.len && memchr(" \t]", text.ptr[0], 3))
        text = slice_skip(text, 1);
    return !text.len;
}

/* "@ heapz_v2/524288": whether it is a heap, and its period; 1 where nothing was sampled. */
static bool heap_period(struct slice kind, uint64_t *period)
{
    static const struct {
        struct slice name;
        uint64_t divisor; /* of the number behind it; 0 for 1 whatever it is */
    } kinds[] = {
        {{"heapz_v2", 8}, 1},        {{"heap_v2", 7}, 1}, {{"heap", 4}, 2},
        {{"heapprofile", 11}, 0},    {{"growthz", 7}, 0}, {{"growth", 6}, 0},
        {{"fragmentationz", 14}, 0},
    };
    struct slice name;

    kind = slice_trim(kind);
    slice_cut(&kind, '/', &name);
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (!slice_equal(kinds[i].name, name))
            continue;
        *period = 1;
        if (!kinds[i].divisor || !kind.len)
            return true;
        if (!num_parse_u64(kind, period))
            return false;
        *period /= kinds[i].divisor;
        return true;
    }
    return false;
}

/* "heap profile: 1: 96 [4: 384] @ heap/524288" */
static bool parse_heap(struct slice line, uint64_t *period, int64_t *numbers)
{
    const struct slice start = SLICE("heap profile:");
    size_t at = slice_find(line, '@');

    return slice_starts(line, start) && at < line.len &&
           pprof_heading_numbers(slice_skip(slice_take(line, at), start.len), numbers,
                                 PPROF_HEAP_NUMBERS) &&
           heap_period(slice_skip(line, at + 1), period);
}

/* "goroutine profile: total 7" */
static bool parse_count(struct slice line, struct slice *name, int64_t *total)
{
    const struct slice middle = SLICE(" profile: total ");
    size_t at = slice_search(line, middle);

    *name = slice_take(line, at);
    return at > 0 && at < line.len && slice_find(*name, '\t') == name->len &&
           pprof_heading_numbers(slice_skip(line, at + middle.len), total, 1);
}

bool pprof_heading_parse(struct slice line, struct pprof_heading *out)
{
    enum { PERIOD_OF_JAVA = 512 * 1024 };
    static const struct {
        struct slice start;
        enum pprof_kind kind;
    } headings[] = {
        {{"--- contentionz ", 16}, PPROF_CONTENTION},
        {{"--- contention:", 15}, PPROF_CONTENTION},
        {{"--- mutex:", 10}, PPROF_CONTENTION},
        {{"--- heapz ", 10}, PPROF_JAVA_HEAP},
    };

    *out = (struct pprof_heading){.period = 1};
    for (size_t i = 0; i < sizeof(headings) / sizeof(headings[0]); i++) {
        if (!slice_starts(line, headings[i].start))
            continue;
        out->kind = headings[i].kind;
        if (out->kind == PPROF_JAVA_HEAP)
            out->period = PERIOD_OF_JAVA;
        return true;
    }
    out->kind = PPROF_HEAP;
    if (parse_heap(line, &out->period, out->declared)) {
        out->all = (out->declared[2] && out->declared[2] != out->declared[0]) ||
                   (out->declared[3] && out->declared[3] != out->declared[1]);
        return true;
    }
    out->kind = PPROF_COUNT;
    return parse_count(line, &out->name, out->declared);
}
