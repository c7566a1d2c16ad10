#include "input/parse/json.h"

#include <string.h>

#include "base/pipeline.h"
#include "input/parse/json_parser.h"

/* ---- feeding the parser ---------------------------------------------------------------------- */

struct reader {
    struct content *content;
    const struct slice *text; /* in place of the source of the content; or NULL */
    struct json_parser parser;
    uint64_t heard_at; /* offset after the last value or key that was met */
};

/*
 * Returns false after reporting that a text, or the blanks between two values, goes on and on.
 * `left` bytes at the end of the block before come again.
 */
static bool is_within_limit(struct reader *r, size_t left)
{
    struct json_parser *p = &r->parser;
    uint64_t most = r->content->options->limits.max_line;

    if (p->heard)
        r->heard_at = p->before;
    if (p->before + left - r->heard_at <= most)
        return true;
    diag_add(r->content->diag, DIAG_ERROR, DIAG_AT_BYTE(r->heard_at),
             "a JSON text is longer than %llu bytes; --max-line N raises the limit",
             (unsigned long long)most);
    return false;
}

/*
 * Returns the size of the next block. A text that has not ended is scanned anew in the next block,
 * which holds it whole; so blocks must grow, but not beyond the limit.
 */
static size_t next_room(const struct reader *r, size_t left, size_t room)
{
    const struct json_parser *p = &r->parser;
    uint64_t most = r->content->options->limits.max_line;
    uint64_t more = most - (p->before + left - r->heard_at) + SOURCE_BLOCK;

    if (p->heard)
        return left + SOURCE_BLOCK;
    return left + (2 * room < more ? 2 * room : (size_t)more);
}

static bool feed_blocks(struct reader *r)
{
    size_t room = SOURCE_BLOCK, left = 0;
    bool good, more;
    struct buf block = {0};

    do {
        more = content_fill(r->content, room, &block);
        r->parser.heard = false;
        good = json_parser_feed(&r->parser, buf_slice(&block), !more, &left);
        if (good && more)
            good = is_within_limit(r, left);
        memmove(block.ptr, block.ptr + block.len - left, left);
        block.len = left;
        room = good ? next_room(r, left, room) : 0;
    } while (good && more);
    buf_release(&block);
    return good && !r->content->source->failed;
}

/* ---- elements, parsed ahead of their turn ---------------------------------------------------- */

/*
 * Several threads parse pieces of the content, each of which seems to begin with an element of
 * the array that is wanted one by one. The parser that has come there by itself knows whether it
 * does: if so, it passes on what was collected; if not, it parses the piece as well. It always
 * parses what comes after the last element. So values, messages and places are those of one
 * thread.
 */

enum {
    LEAST_LANE = 1024 * 1024,       /* bytes of a file that are worth a thread */
    MOST_PIECE = 16 * SOURCE_BLOCK, /* without the end of an element */
    SLOTS_PER_LANE = 2,
};

struct piece {
    struct buf bytes;
    bool begins; /* with an element, it seems */
    bool last;
    struct diag reading, collecting; /* what they report */
    struct json_parser parser;
    struct json_batch batch;
};

struct readahead {
    struct reader *reader;
    struct slice brackets; /* around the elements */
    struct buf rest;       /* bytes that were read and begin the next piece */
    bool begins, ended;    /* the next piece; the content */
    struct buf pending;    /* bytes that the parser wants again */
};

static size_t skip_blanks_back(struct slice s, size_t at)
{
    while (at > 0 && slice_is_blank(s.ptr[at - 1]))
        at--;
    return at;
}

/* Returns the offset after the last comma that seems to be between two objects, or 0. */
static size_t find_element(struct slice s)
{
    const char *brace;

    while (s.len && (brace = memrchr(s.ptr, '{', s.len))) {
        size_t comma = skip_blanks_back(s, (size_t)(brace - s.ptr)), end;

        s.len = (size_t)(brace - s.ptr);
        if (!comma || s.ptr[comma - 1] != ',')
            continue;
        end = skip_blanks_back(s, comma - 1);
        if (end && s.ptr[end - 1] == '}')
            return comma;
    }
    return 0;
}

static bool read_piece(void *context, void *slot)
{
    struct readahead *a = context;
    struct content *content = a->reader->content;
    struct piece *p = slot;
    size_t end;

    if (a->ended)
        return false;
    buf_clear(&p->bytes);
    buf_add_slice(&p->bytes, buf_slice(&a->rest));
    p->begins = a->begins;
    content->source->diag = &p->reading;
    do {
        a->ended = !content_fill(content, p->bytes.len + SOURCE_BLOCK, &p->bytes);
        end = a->ended ? p->bytes.len : find_element(buf_slice(&p->bytes));
    } while (!a->ended && !end && p->bytes.len < MOST_PIECE);
    p->last = a->ended;
    a->begins = end > 0;
    if (!end)
        end = p->bytes.len;
    buf_clear(&a->rest);
    buf_add_slice(&a->rest, slice_skip(buf_slice(&p->bytes), end));
    buf_cut(&p->bytes, end);
    return true;
}

static void collect_piece(void *context, void *slot, size_t lane)
{
    struct readahead *a = context;
    struct piece *p = slot;

    (void)lane;
    if (p->begins)
        json_parser_collect(&p->parser, a->brackets, buf_slice(&p->bytes), &p->batch);
}

/* Gives bytes of a piece to the parser, after those that it wants again. */
static bool feed_piece(struct readahead *a, struct slice bytes, bool last)
{
    struct reader *r = a->reader;
    bool again = a->pending.len > 0;
    size_t left;

    if (again) {
        buf_add_slice(&a->pending, bytes);
        bytes = buf_slice(&a->pending);
    }
    if (!json_parser_feed(&r->parser, bytes, last, &left))
        return false;
    if (again) {
        memmove(a->pending.ptr, a->pending.ptr + a->pending.len - left, left);
        buf_cut(&a->pending, left);
    } else {
        buf_add_slice(&a->pending, slice_skip(bytes, bytes.len - left));
    }
    return last || is_within_limit(r, left);
}

static bool take_piece(void *context, void *slot)
{
    struct readahead *a = context;
    struct piece *p = slot;
    struct reader *r = a->reader;
    struct slice bytes = buf_slice(&p->bytes);

    diag_append(r->content->diag, &p->reading, 0);
    r->parser.heard = false;
    if (p->begins && !a->pending.len && json_parser_is_at_element(&r->parser, a->brackets)) {
        if (!json_parser_take(&r->parser, &p->parser))
            return false;
        bytes = slice_skip(bytes, p->batch.used);
    }
    return feed_piece(a, bytes, p->last);
}

/* A small file is not worth several threads. */
static size_t count_lanes(const struct reader *r, const struct json_handler *handler)
{
    const struct source *source = r->content->source;
    unsigned threads = r->content->threads;
    uint64_t most = (source->file_size - source->file_start) / LEAST_LANE;
    bool whole;

    if (!handler->many_elements || threads < 2)
        return 1;
    source_head(source, &whole);
    if (whole)
        return 1;
    return source_is_plain(source) && most < threads ? (size_t)most : threads;
}

static struct piece *new_piece(const struct content *content)
{
    static const struct json_handler none = {0};
    struct piece *p = xcalloc(1, sizeof(*p));

    diag_init(&p->reading, content->diag->path);
    diag_init(&p->collecting, content->diag->path);
    json_parser_init(&p->parser, &none, &p->collecting);
    return p;
}

static void release_piece(struct piece *p)
{
    release_each(p, (json_parser, parser), (vec, batch.elements), (diag, reading, collecting),
                 (buf, bytes));
    xfree(p);
}

static bool feed_readahead(struct reader *r, size_t lanes)
{
    struct content *content = r->content;
    struct diag *diag = content->source->diag;
    bool whole, good;
    struct slice head = slice_trim(source_head(content->source, &whole));
    struct readahead a = {.reader = r,
                          .brackets = slice_starts(head, SLICE("[")) ? SLICE("[") : SLICE("{[")};
    struct pipeline turns = {.context = &a,
                             .slot_count = SLOTS_PER_LANE * lanes,
                             .read = read_piece,
                             .work = collect_piece,
                             .take = take_piece};

    turns.slots = xcalloc(turns.slot_count, sizeof(*turns.slots));
    for (size_t i = 0; i < turns.slot_count; i++)
        turns.slots[i] = new_piece(content);
    good = pipeline_run(&turns, lanes);
    content->source->diag = diag;
    for (size_t i = 0; i < turns.slot_count; i++)
        release_piece(turns.slots[i]);
    xfree(turns.slots);
    release_all(&a, buf, rest, pending);
    return good && !content->source->failed;
}

/* ---- documents ------------------------------------------------------------------------------- */

static bool feed_all(struct reader *r, const struct json_handler *handler)
{
    size_t left, lanes;

    if (r->text)
        return json_parser_feed(&r->parser, *r->text, true, &left);
    lanes = count_lanes(r, handler);
    return lanes > 1 ? feed_readahead(r, lanes) : feed_blocks(r);
}

static bool read_with(struct reader *r, const struct json_handler *handler)
{
    bool good;

    json_parser_init(&r->parser, handler, r->content->diag);
    good = feed_all(r, handler) && json_parser_end(&r->parser) && !r->parser.stopped;
    if (r->parser.cut && r->content->profile)
        profile_note(r->content->profile, SERIES_NONE, NOTE_INPUT_CUT, 1);
    json_parser_release(&r->parser);
    return good;
}

bool json_read(struct content *c, const struct json_handler *handler)
{
    return read_with(&(struct reader){.content = c}, handler);
}

/* ---- whole documents ----------------------------------------------------------------------- */

struct loader {
    struct reader *reader;
    struct json_document *document;
};

static bool keep(void *context, struct slice parent, const struct json_value *v, uint64_t at)
{
    struct loader *l = context;

    (void)parent;
    (void)v;
    if (l->document->values.count) {
        diag_add(l->reader->content->diag, DIAG_ERROR, DIAG_AT_BYTE(at),
                 "a second JSON document ends here where one was expected");
        return false;
    }
    json_parser_keep_texts(&l->reader->parser);
    *l->document = l->reader->parser.hand.value;
    l->reader->parser.hand.value = (struct json_document){0};
    return true;
}

static bool load(struct content *c, const struct slice *text, struct json_document *d)
{
    struct loader loader = {.document = d};
    struct json_handler handler = {.context = &loader, .whole_documents = true, .value = keep};
    struct reader r = {.content = c, .text = text};

    *d = (struct json_document){0};
    loader.reader = &r;
    return read_with(&r, &handler);
}

bool json_load(struct content *c, struct json_document *d)
{
    return load(c, NULL, d);
}

bool json_load_text(struct slice text, struct diag *diag, struct json_document *d)
{
    return load(&(struct content){.diag = diag}, &text, d);
}

void json_release(struct json_document *d)
{
    release_each(d, (buf, texts), (vec, values));
}
