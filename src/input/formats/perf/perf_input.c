#include "input/formats/perf/perf_input.h"

bool perf_input_init(struct perf_input *in, struct content *content)
{
    enum { AHEAD = 1 << 20 };

    *in = (struct perf_input){.source = content->source,
                              .diag = content->diag,
                              .plain = source_is_plain(content->source),
                              .ahead = AHEAD};
    if (in->plain) {
        in->size = content->source->file_size;
        return true;
    }
    if (!content_load(content, &in->bytes))
        return false;
    in->size = in->bytes.len;
    return true;
}

void perf_input_init_plain(struct perf_input *in, struct source *source, struct diag *diag)
{
    enum { AHEAD = 1 << 17 };

    *in = (struct perf_input){
        .source = source, .diag = diag, .plain = true, .ahead = AHEAD, .size = source->file_size};
}

void perf_input_release(struct perf_input *in)
{
    buf_release(&in->bytes);
}

/* Reads ahead, so that the records that follow are at hand. */
static bool fill(struct perf_input *in, uint64_t offset, size_t len)
{
    size_t all = len > in->ahead ? len : in->ahead;

    if (all > in->size - offset)
        all = (size_t)(in->size - offset);
    buf_clear(&in->bytes);
    if (!source_read_at(in->source, offset, buf_reserve(&in->bytes, all), all, in->diag))
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
