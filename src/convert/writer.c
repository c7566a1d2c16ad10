#include "convert/writer.h"

#include <string.h>

const struct convert_writer *const convert_writers[] = {
    &convert_pprof,      &convert_pprof_raw,
    &convert_speedscope, &convert_firefox,
    &convert_folded,     &convert_cpuprofile,
    &convert_d3,         &convert_otlp,
    &convert_otlp_json,  NULL,
};

/* Returns the length of the longest ending of a writer that the path has, or 0. */
static size_t match_length(const struct convert_writer *writer, struct slice path)
{
    struct slice rest = slice_str(writer->endings);
    size_t longest = 0;

    while (rest.len) {
        struct slice ending = slice_take(rest, slice_find(rest, ' '));

        if (slice_ends(path, ending) && ending.len > longest)
            longest = ending.len;
        rest = slice_skip(rest, ending.len + (ending.len < rest.len));
    }
    return longest;
}

void convert_add_ending(struct buf *out, const struct convert_writer *writer)
{
    struct slice endings = slice_str(writer->endings);

    buf_add_slice(out, slice_take(endings, slice_find(endings, ' ')));
}

const struct convert_writer *convert_writer_for_path(struct slice path)
{
    const struct convert_writer *found = NULL;
    size_t longest = 0;

    for (size_t i = 0; convert_writers[i]; i++) {
        size_t length = match_length(convert_writers[i], path);

        if (length > longest) {
            found = convert_writers[i];
            longest = length;
        }
    }
    return found;
}

bool convert_write(const struct convert_writer *writer, const struct conversion *c,
                   convert_sink *sink, void *context, struct diag *diag)
{
    struct convert_stream out;

    convert_stream_begin(&out, writer->compressed, sink, context);
    writer->write(c, &out, diag);
    return convert_stream_end(&out);
}
