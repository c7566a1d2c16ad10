/*
 * Folded stacks, the form that most tools of flame graphs read; without a head, which only this
 * program reads.
 */
#include "convert/writer.h"

#include "output/folded.h"

static bool take(void *context, struct slice bytes)
{
    struct convert_stream *out = context;

    buf_add_slice(&out->bytes, bytes);
    return convert_stream_pass(out);
}

static void write(const struct conversion *c, struct convert_stream *out, struct diag *diag)
{
    (void)diag;
    folded_write(c->profile, c->series[c->count - 1], NULL, take, out);
}

const struct convert_writer convert_folded = {
    .name = "folded",
    .title = "folded stacks",
    .endings = ".folded .collapsed",
    .about = "folded stacks, as flamegraph.pl, inferno and speedscope read them",
    .write = write,
};
