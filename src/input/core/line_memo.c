#include "input/core/line_memo.h"

enum {
    WORD = 8,
    MOST_BYTES = 64 << 20,
    FIRST_PATIENCE = 1 << 15,
};

void line_memo_init(struct line_memo *m)
{
    *m = (struct line_memo){.patience = FIRST_PATIENCE};
    /* Longer than any line, so that it never matches. */
    *vec_add(&m->lines) = (struct line_known){.text = "", .len = UINT32_MAX};
}

void line_memo_release(struct line_memo *m)
{
    release_each(m, (arena, texts), (map, index), (vec, lines));
}

static bool same_text(const void *context, uint32_t id, const void *key)
{
    const struct line_known *line = &((const struct line_memo *)context)->lines.items[id];
    const struct slice *text = key;

    return line->len == text->len && memcmp(line->text, text->ptr, text->len) == 0;
}

static void note_follower(struct line_memo *m, uint32_t id)
{
    struct line_known *before = &m->lines.items[m->last];

    before->next[1] = before->next[0];
    before->next[0] = id;
    m->last = id;
}

const struct line_known *line_memo_find(struct line_memo *m, struct slice text)
{
    uint32_t id;

    if (m->patience <= 0 || text.len > LINE_MEMO_LONGEST)
        return NULL;
    m->hash = map_hash_bytes(&m->index, text);
    id = map_find(&m->index, m->hash, same_text, m, &text);
    if (id == MAP_NONE) {
        m->patience--;
        return NULL;
    }
    m->patience += m->patience < LINE_MEMO_PATIENCE;
    note_follower(m, id);
    return &m->lines.items[id];
}

static size_t bytes_of(struct slice text)
{
    return text.len + WORD + sizeof(struct line_known);
}

bool line_memo_keeps(const struct line_memo *m, struct slice text)
{
    return m->patience > 0 && text.len <= LINE_MEMO_LONGEST &&
           bytes_of(text) <= MOST_BYTES - m->bytes;
}

const struct line_known *line_memo_add(struct line_memo *m, struct slice text,
                                       const struct line_meaning *meaning)
{
    struct line_known line = {.len = (uint32_t)text.len, .meaning = *meaning};
    char *copy;

    if (!line_memo_keeps(m, text))
        return NULL;
    m->bytes += bytes_of(text);
    copy = arena_calloc(&m->texts, text.len + WORD, 1);
    memcpy(copy, text.ptr, text.len);
    line.text = copy;
    *vec_add(&m->lines) = line;
    map_add(&m->index, m->hash, (uint32_t)m->lines.count - 1);
    note_follower(m, (uint32_t)m->lines.count - 1);
    return &m->lines.items[m->last];
}
