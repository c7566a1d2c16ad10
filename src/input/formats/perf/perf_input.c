#include "input/formats/perf/perf_input.h"

bool perf_input_init(struct perf_input *in, struct content *content)
{
    *in = (struct perf_input){.content = content, .plain = source_is_plain(content->source)};
    if (in->plain) {
        in->size = content->source->file_size;
        return true;
    }
    if (!content_load(content, &in->bytes))
        return false;
    in->size = in->bytes.len;
    return true;
}

void perf_input_release(struct perf_input *in)
{
    buf_release(&in->bytes);
}

/* Reads ahead, so that the records that follow are at hand. */
static bool fill(struct perf_input *in, uint64_t offset, size_t len)
{
    enum { AHEAD = 1 << 20 };
    size_t all = len > AHEAD ? len : AHEAD;

    if (all > in->size - offset)
        all = (size_t)(in->size - offset);
    buf_clear(&in->bytes);
    if (!source_read_at(in->content->source, offset, buf_reserve(&in->bytes, all), all,
                        in->content->diag))
        return false;
    in->bytes.len = all;
    in->at = offset;
    return true;
}

struct slice perf_input_get(struct perf_input *in, uint64_t offset, size_t len)
{
    if (offset >= in->size)
        return slice_make(NULL, 0);
    if (len > in->size - offset)
        len = (size_t)(in->size - offset);
    if (in->plain && (offset < in->at || offset - in->at + len > in->bytes.len) &&
        !fill(in, offset, len))
        return slice_make(NULL, 0);
    return slice_make(in->bytes.ptr + (offset - in->at), len);
}
