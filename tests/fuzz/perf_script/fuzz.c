/*
 * The reader of perf script. The first byte gives the options, the rest is the
 * input. The input is read twice: as one block; then line by line, and cut in two
 * at the start of a record if it has one. Both readings must give the same profile.
 */
#include <stdint.h>
#include <stdlib.h>

#include "base/buf.h"
#include "../../support/formats.h"

struct fuzz_run {
    struct text text;
    struct profile profile;
    struct diag diag;
    void *state;
    bool ok;
};

static const struct text_reader *reader(void)
{
    return &format_perf_script.text;
}

static void start(struct fuzz_run *r, const struct input_options *options, struct slice input)
{
    profile_init(&r->profile);
    diag_init(&r->diag, SLICE("in"));
    r->text = (struct text){.options = options,
                            .profile = &r->profile,
                            .diag = &r->diag,
                            .start = slice_take(input, SOURCE_HEAD)};
    r->state = xcalloc(1, reader()->state_size);
    r->ok = reader()->begin(&r->text, r->state);
}

/* Copies a block, with room after it, as the driver does. */
static void feed(struct fuzz_run *r, struct slice lines)
{
    char *copy = xcalloc(1, lines.len + TEXT_SLACK);

    memcpy(copy, lines.ptr, lines.len);
    r->ok = r->ok && reader()->lines(&r->text, r->state, slice_make(copy, lines.len));
    free(copy);
}

static void finish(struct fuzz_run *r)
{
    r->ok = r->ok && reader()->end(&r->text, r->state);
    reader()->release(r->state);
    free(r->state);
}

static void release(struct fuzz_run *r)
{
    profile_release(&r->profile);
    diag_release(&r->diag);
}

static void compare(const struct profile *a, const struct profile *b)
{
    BUG_ON(symbols_count(&a->symbols) != symbols_count(&b->symbols));
    BUG_ON(a->stacks.count != b->stacks.count);
    BUG_ON(memcmp(a->stacks.parent, b->stacks.parent, a->stacks.count * sizeof(uint32_t)) != 0);
    BUG_ON(memcmp(a->stacks.symbol, b->stacks.symbol, a->stacks.count * sizeof(uint32_t)) != 0);
    BUG_ON(a->series.count != b->series.count);
    for (size_t i = 0; i < a->series.count; i++) {
        const struct series *x = &a->series.items[i], *y = &b->series.items[i];

        BUG_ON(x->total != y->total || x->count != y->count || x->samples != y->samples);
        BUG_ON(x->first_ns != y->first_ns || x->last_ns != y->last_ns);
        if (!x->count)
            continue;
        BUG_ON(memcmp(x->stack, y->stack, x->count * sizeof(*x->stack)) != 0);
        BUG_ON(memcmp(x->weight, y->weight, x->count * sizeof(*x->weight)) != 0);
    }
    BUG_ON(memcmp(&a->ledger, &b->ledger, sizeof(a->ledger)) != 0);
    BUG_ON(a->facts.count != b->facts.count);
}

static void read_in_parts(struct slice input, const struct input_options *options,
                          struct fuzz_run *first, struct fuzz_run *second)
{
    struct slice rest = input;
    struct fuzz_run *now = first;

    start(first, options, input);
    start(second, options, input);
    while (rest.len > 0) {
        size_t len = slice_find(rest, '\n');

        if (now == first && rest.len < input.len / 2 && !reader()->stays_whole(&first->text) &&
            reader()->starts_record(slice_take(rest, len)))
            now = second;
        feed(now, slice_take(rest, len + 1));
        rest = slice_skip(rest, len + 1);
    }
    finish(first);
    finish(second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input_options options = input_options_default();
    struct fuzz_run whole, first, second;
    struct buf input = {0};

    if (size == 0)
        return 0;
    options.names = data[0] & 1 ? NAMES_REFERENCE : NAMES_CLEAN;
    options.pid = data[0] & 2;
    options.tid = data[0] & 4;
    options.kernel = options.jit = options.inlined = data[0] & 8;
    options.addrs = data[0] & 16;
    options.srcline = data[0] & 32;
    options.split_process = data[0] & 64;
    options.split_thread = data[0] & 128;
    buf_add(&input, data + 1, size - 1);
    for (int all = 0; all < 2; all++) {
        struct head head;

        head_init(&head, buf_slice(&input), all);
        registry_find(&head);
        head_release(&head);
    }
    buf_add_char(&input, '\n');

    start(&whole, &options, buf_slice(&input));
    feed(&whole, buf_slice(&input));
    finish(&whole);
    read_in_parts(buf_slice(&input), &options, &first, &second);
    /* A sum may exceed 64 bits only when the parts are merged. */
    if (whole.ok) {
        BUG_ON(!first.ok || !second.ok);
        BUG_ON(!profile_merge(&first.profile, &second.profile));
        compare(&whole.profile, &first.profile);
    }
    release(&whole);
    release(&first);
    release(&second);
    buf_release(&input);
    return 0;
}
