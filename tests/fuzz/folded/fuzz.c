/*
 * Reads any bytes as folded stacks. The first byte says how the lines are divided
 * into blocks; the rest is the file.
 */
#include <stddef.h>
#include <stdint.h>

#include "../../support/formats.h"
#include "support/tree_check.h"
#include "tree/tree.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool read_blocks(struct text *t, void *state, struct slice rest, size_t lines)
{
    const struct text_readahead *ahead = format_folded.text.ahead;
    void *lane = xcalloc(1, ahead->lane_size), *found = xcalloc(1, ahead->found_size);
    struct slice line;
    bool ok = true;

    ahead->begin(t, state, lane);
    while (ok && rest.len) {
        struct buf block = {0};

        for (size_t i = 0; i < lines && slice_cut(&rest, '\n', &line); i++) {
            buf_add_slice(&block, line);
            buf_add_char(&block, '\n');
        }
        memset(buf_reserve(&block, TEXT_SLACK), ';', TEXT_SLACK);
        ahead->scan(lane, buf_slice(&block), found);
        ok = ahead->take(t, state, found);
        buf_release(&block);
    }
    ahead->release_found(found);
    ahead->release(lane);
    free(found);
    free(lane);
    return ok && format_folded.text.end(t, state);
}

static void check_trees(const struct profile *p)
{
    struct buf why = {0};

    for (uint32_t series = 0; series < p->series.count; series++) {
        for (int reverse = 0; reverse < 2; reverse++) {
            struct tree t;

            tree_init(&t, p, series, &(struct tree_options){.reverse = reverse == 1});
            if (!tree_check(&t, &why))
                BUG("%s", buf_string(&why));
            tree_release(&t);
        }
    }
    buf_release(&why);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct text_reader *reader = &format_folded.text;
    struct input_options options = input_options_default();
    struct text t = {.options = &options};
    struct slice file;
    struct profile p;
    struct diag diag;
    struct head head;
    void *state;

    if (!size)
        return 0;
    file = t.start = slice_make((const char *)data + 1, size - 1);
    profile_init(&p);
    diag_init(&diag, SLICE("fuzz"));
    t.profile = &p;
    t.diag = &diag;
    options.limits.max_depth = 1000;
    options.limits.max_name = 100;
    head_init(&head, file, data[0] & 1);
    format_folded.claims(&head);
    head_release(&head);
    state = xcalloc(1, reader->state_size);
    if (reader->begin(&t, state) && read_blocks(&t, state, file, 1 + data[0] / 2))
        check_trees(&p);
    reader->release(state);
    free(state);
    diag_release(&diag);
    profile_release(&p);
    return 0;
}
