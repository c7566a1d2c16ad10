#include "report/graph_codec.h"

#include <string.h>

#include "unit/support/test.h"

struct filling {
    struct arena *memory; /* of the texts */
    unsigned next;
};

static void fill(struct filling *f, const struct record_type *type, char *record);

/* Gives a member a value that no other member has. Lists get two items. */
static void fill_member(struct filling *f, const struct record_member *m, char *at)
{
    static const char *const words[] = {"pprof", "speedscope"};
    struct record_list list = {0};

    f->next++;
    switch (m->kind) {
    case RECORD_TEXT:
        *(struct slice *)(void *)at = slice_str(arena_printf(f->memory, "%s %u", m->name, f->next));
        break;
    case RECORD_WORD:
        *(const char **)(void *)at = words[f->next % 2];
        break;
    case RECORD_NUMBER:
        *(uint64_t *)(void *)at = (uint64_t)f->next << (f->next % 50);
        break;
    case RECORD_UNSIGNED:
        *(unsigned *)(void *)at = f->next * 1000;
        break;
    case RECORD_FLAG:
        *(bool *)at = true;
        break;
    case RECORD_SCALE:
        *(struct unit_scale *)(void *)at =
            (struct unit_scale){{UNIT_SECONDS, -9, {"s", 1}}, 3, 0.25};
        break;
    case RECORD_PICTURES:
        for (size_t i = 0; i < REPORT_PICTURES; i++)
            fill(f, m->of, at + i * m->of->size);
        break;
    case RECORD_RECORD:
        fill(f, m->of, at);
        break;
    case RECORD_LIST:
        list.items = xcalloc(2, m->of->size);
        list.count = list.cap = 2;
        fill(f, m->of, list.items);
        fill(f, m->of, list.items + m->of->size);
        report_record_set_list(at, list);
        break;
    case RECORD_MEMORY:
    case RECORD_PACKED:
        break;
    }
}

static void fill(struct filling *f, const struct record_type *type, char *record)
{
    for (size_t i = 0; i < type->count; i++)
        fill_member(f, &type->members[i], record + type->members[i].offset);
}

static bool equal(const struct record_type *type, const char *one, const char *other);

static bool equal_member(const struct record_member *m, const char *a, const char *b)
{
    struct record_list one, other;
    bool same = true;

    switch (m->kind) {
    case RECORD_TEXT:
        return slice_equal(*(const struct slice *)(const void *)a,
                           *(const struct slice *)(const void *)b);
    case RECORD_WORD:
        return strcmp(*(const char *const *)(const void *)a,
                      *(const char *const *)(const void *)b) == 0;
    case RECORD_NUMBER:
        return memcmp(a, b, sizeof(uint64_t)) == 0;
    case RECORD_UNSIGNED:
        return memcmp(a, b, sizeof(unsigned)) == 0;
    case RECORD_FLAG:
        return *(const bool *)a == *(const bool *)b;
    case RECORD_SCALE:
        return ((const struct unit_scale *)(const void *)a)->factor ==
               ((const struct unit_scale *)(const void *)b)->factor;
    case RECORD_PICTURES:
        for (size_t i = 0; i < REPORT_PICTURES; i++)
            same = same && equal(m->of, a + i * m->of->size, b + i * m->of->size);
        return same;
    case RECORD_RECORD:
        return equal(m->of, a, b);
    case RECORD_LIST:
        one = report_record_get_list(a);
        other = report_record_get_list(b);
        for (size_t i = 0; i < one.count && i < other.count; i++)
            same = same && equal(m->of, one.items + i * m->of->size, other.items + i * m->of->size);
        return same && one.count == other.count;
    case RECORD_MEMORY:
    case RECORD_PACKED:
        break;
    }
    return true;
}

static bool equal(const struct record_type *type, const char *one, const char *other)
{
    bool same = true;

    for (const struct record_member *m = type->members; m < type->members + type->count; m++) {
        bool member = equal_member(m, one + m->offset, other + m->offset);

        cr_expect(member, "%s", m->name);
        same = same && member;
    }
    return same;
}

static void fill_graph(struct report_graph *g)
{
    struct filling f = {.memory = &g->memory};

    fill(&f, &report_record_graph, (char *)g);
}

Test(report_graph_codec, gives_back_every_member)
{
    struct report_graph g = {0}, read = {0};
    struct buf bytes = {0}, again = {0};
    struct slice in;

    fill_graph(&g);
    graph_codec_write(&g, &bytes);
    in = buf_slice(&bytes);
    cr_assert(graph_codec_read(&in, &read));
    cr_expect_eq(in.len, 0);
    cr_expect(equal(&report_record_graph, (const char *)&g, (const char *)&read));
    cr_expect(read.scale.unit.kind == UNIT_SECONDS && read.scale.unit.exponent == -9);
    cr_expect(slice_starts(read.runs.items[1].facts.items[1].value, SLICE("value ")));
    graph_codec_write(&read, &again);
    cr_expect(slice_equal(buf_slice(&bytes), buf_slice(&again)));
    report_graph_release(&read);
    report_graph_release(&g);
    buf_release(&again);
    buf_release(&bytes);
}

/* Bytes that end early are refused; changed bytes are never read beyond the end. */
Test(report_graph_codec, refuses_cut_bytes)
{
    struct report_graph g = {0};
    struct buf bytes = {0};

    fill_graph(&g);
    graph_codec_write(&g, &bytes);
    for (size_t len = 0; len < bytes.len; len++) {
        struct report_graph read = {0};
        char *copy = xmalloc(len + 1);
        struct slice in = slice_make(copy, len);

        memcpy(copy, bytes.ptr, len);
        cr_expect(!graph_codec_read(&in, &read), "%zu bytes", len);
        report_graph_release(&read);
        xfree(copy);
    }
    for (size_t at = 0; at < bytes.len; at++) {
        struct report_graph read = {0};
        char *copy = xmalloc(bytes.len);
        struct slice in = slice_make(copy, bytes.len);

        memcpy(copy, bytes.ptr, bytes.len);
        copy[at] = (char)(copy[at] ^ 0xff);
        graph_codec_read(&in, &read);
        report_graph_release(&read);
        xfree(copy);
    }
    report_graph_release(&g);
    buf_release(&bytes);
}
