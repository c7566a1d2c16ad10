#include "input/build/busy.h"

#include "base/num.h"

enum { MOST_STREAMS = 8 }; /* named in a fact */

void busy_pass(struct busy *b, int64_t begin, int64_t end)
{
    if (b->seen && begin < b->until)
        begin = b->until;
    if (end > begin)
        b->ns += (uint64_t)end - (uint64_t)begin;
    if (!b->seen || end > b->until)
        b->until = end;
    b->seen = true;
}

static void add_percent(struct busy_fact *f, const struct busy *b)
{
    num_write_percent(&f->value, b->ns, f->length, PERCENT_CAPTION);
    buf_add_char(&f->value, '%');
}

void busy_begin(struct busy_fact *f, const struct busy *b, uint64_t length)
{
    const struct unit_scale scale = {.unit = unit_named(SLICE("ns")), .factor = 1};

    *f = (struct busy_fact){.length = length};
    add_percent(f, b);
    buf_add_str(&f->value, " of ");
    unit_write_short(&f->value, &scale, length);
}

void busy_stream(struct busy_fact *f, struct slice name, const struct busy *b)
{
    if (++f->streams > MOST_STREAMS)
        return;
    buf_printf(&f->value, "%s%.*s ", f->streams == 1 ? " (" : ", ", SLICE_ARG(name));
    add_percent(f, b);
}

void busy_end(struct busy_fact *f, struct profile *p, struct slice device)
{
    struct buf key = {0};

    if (f->streams > MOST_STREAMS)
        buf_printf(&f->value, ", and %u more", f->streams - MOST_STREAMS);
    if (f->streams)
        buf_add_str(&f->value, ")");
    buf_printf(&key, "%.*s busy", SLICE_ARG(device));
    profile_add_fact(p, buf_slice(&key), buf_slice(&f->value));
    buf_release(&key);
    buf_release(&f->value);
}

bool busy_is_communication(struct slice kernel)
{
    return slice_starts(kernel, SLICE("nccl")) || slice_starts(kernel, SLICE("rccl"));
}

void busy_communication(struct profile *p, uint64_t part, uint64_t total)
{
    struct buf share = {0};

    if (!part)
        return;
    num_write_percent(&share, part, total, PERCENT_CAPTION);
    profile_print_fact(p, SLICE("GPU communication"), "%s%% of GPU time", buf_string(&share));
    buf_release(&share);
}
