#include "batch/part.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/build_id.h"
#include "base/num.h"
#include "base/version.h"
#include "batch/reuse.h"
#include "batch/partition.h"
#include "report/graph_codec.h"

#define HEADER "flamepress-part/1\n"

/* What a graph costs besides reading its files, in bytes that are read in that time. */
enum { GRAPH_COST = 256 << 10 };

static struct slice as_slice(const unsigned char digest[BLAKE_SIZE])
{
    return slice_make((const char *)digest, BLAKE_SIZE);
}

/* Reads a number without sign and leading zeros. */
static bool read_count(struct slice text, unsigned *out)
{
    unsigned value = 0;

    if (!text.len || text.len > 6 || text.ptr[0] == '0')
        return false;
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] < '0' || text.ptr[i] > '9')
            return false;
        value = value * 10 + (unsigned)(text.ptr[i] - '0');
    }
    *out = value;
    return true;
}

bool part_number_read(struct slice text, const char *between, struct part_number *out)
{
    size_t at = slice_search(text, slice_str(between));

    return at < text.len && read_count(slice_take(text, at), &out->number) &&
           read_count(slice_skip(text, at + strlen(between)), &out->count) &&
           out->number <= out->count && out->count <= PARTS_MOST;
}

/* ---- shares ---------------------------------------------------------------------------------- */

/* Adds the size of a file to the digest and returns it; that of a missing file is 0. */
static uint64_t add_size(struct blake *digest, const char *path)
{
    struct stat st;
    uint64_t size = path && stat(path, &st) == 0 && S_ISREG(st.st_mode) ? (uint64_t)st.st_size : 0;
    const uint64_t numbers[] = {path != NULL, size};

    blake_add(digest, slice_make((const char *)numbers, sizeof(numbers)));
    return size;
}

void part_plan_init(struct part_plan *plan, const struct batch *b, unsigned parts)
{
    size_t count = b->grouping.items.count, inputs = b->inputs->items.count;
    uint64_t *sizes = xcalloc(inputs + 1, sizeof(*sizes));
    uint64_t *weights = xcalloc(count + 1, sizeof(*weights));
    struct blake digest;

    blake_init(&digest);
    for (size_t i = 0; i < inputs; i++) {
        const struct input_file *input = &b->inputs->items.items[i];
        const char flags[] = {(char)input->named, (char)input->pictures};

        blake_add_text(&digest, slice_str(input->shown));
        blake_add_text(&digest, slice_make(flags, sizeof(flags)));
        sizes[i] = add_size(&digest, input->path);
        add_size(&digest, input->commentary);
        add_size(&digest, input->meta);
    }
    blake_end(&digest, plan->inputs);
    for (size_t i = 0; i < count; i++) {
        weights[i] = GRAPH_COST;
        vec_each (const size_t, member, &b->grouping.items.items[i].members)
            weights[i] += sizes[*member];
    }
    plan->part = xcalloc(count + 1, sizeof(*plan->part));
    partition_divide(weights, count, parts, plan->part);
    free(weights);
    free(sizes);
}

void part_plan_release(struct part_plan *plan)
{
    free(plan->part);
    plan->part = NULL;
}

void part_begin(struct part *p, const struct batch *b)
{
    part_plan_init(&p->plan, b, p->id.count);
}

bool part_has(const struct part *p, size_t group)
{
    return p->plan.part[group] == p->id.number - 1;
}

void part_release(struct part *p)
{
    part_plan_release(&p->plan);
}

/* ---- writing --------------------------------------------------------------------------------- */

static void write_words(struct buf *out, const struct part_words *words)
{
    graph_codec_write_number(out, words->count);
    vec_each (const char *const, word, words)
        graph_codec_write_text(out, slice_str(*word));
}

void part_head_set_program(struct part_head *head, struct arena *memory)
{
    struct buf id = {0};

    build_id_write(&id);
    head->program = SLICE(FLAMEPRESS_VERSION);
    head->build = arena_copy(memory, buf_slice(&id));
    buf_release(&id);
}

static void write_head(const struct part *p, const struct batch *b, struct buf *out)
{
    struct arena memory = {0};
    struct fonts_chars missing = {0};
    struct part_head head;

    part_head_set_program(&head, &memory);
    graph_codec_write_text(out, head.program);
    graph_codec_write_text(out, head.build);
    graph_codec_write_number(out, p->id.number);
    graph_codec_write_number(out, p->id.count);
    graph_codec_write_text(out, as_slice(p->plan.inputs));
    graph_codec_write_text(out, as_slice(b->reuse->setting));
    write_words(out, p->words);
    write_words(out, p->paths);
    graph_codec_write_number(out, fonts_are_embedded(b->fonts));
    fonts_missing(b->fonts, &missing);
    graph_codec_write_number(out, missing.count);
    vec_each (const uint32_t, c, &missing)
        graph_codec_write_number(out, *c);
    vec_release(&missing);
    arena_release(&memory);
}

void part_write(const struct part *p, struct batch *b)
{
    unsigned char digest[BLAKE_SIZE];
    struct buf out = {0}, record = {0};
    struct blake all;

    buf_add_str(&out, HEADER);
    write_head(p, b, &out);
    for (size_t i = 0; i < b->grouping.items.count; i++) {
        if (!part_has(p, i))
            continue;
        buf_clear(&record);
        reuse_read_record(b->reuse, i, &record);
        graph_codec_write_number(&out, i);
        graph_codec_write_number(&out, b->reuse->lasting[i]);
        graph_codec_write_text(&out, buf_slice(&record));
    }
    blake_init(&all);
    blake_add(&all, buf_slice(&out));
    blake_end(&all, digest);
    buf_add(&out, digest, BLAKE_SIZE);
    stage_write(b->stage, PART_NAME, buf_slice(&out));
    buf_release(&record);
    buf_release(&out);
}

/* ---- reading --------------------------------------------------------------------------------- */

static bool read_words(struct slice *in, struct arena *memory, struct part_words *words)
{
    uint64_t count;

    if (!graph_codec_read_number(in, &count) || count > in->len)
        return false;
    for (uint64_t i = 0; i < count; i++) {
        struct slice text;

        if (!graph_codec_read_text(in, &text) || slice_find(text, '\0') < text.len)
            return false;
        *vec_add(words) = arena_strdup(memory, text);
    }
    return true;
}

static bool read_fonts(struct slice *in, struct part_head *head)
{
    uint64_t embedded, count, c;

    if (!graph_codec_read_number(in, &embedded) || !graph_codec_read_number(in, &count) ||
        count > in->len)
        return false;
    head->embedded = embedded != 0;
    for (uint64_t i = 0; i < count; i++) {
        if (!graph_codec_read_number(in, &c) || c > UINT32_MAX)
            return false;
        *vec_add(&head->missing) = (uint32_t)c;
    }
    return true;
}

/* Checks the digest at the end and cuts it. */
static bool cut_digest(struct slice *in)
{
    unsigned char digest[BLAKE_SIZE];
    struct slice written;
    struct blake all;

    if (in->len < BLAKE_SIZE)
        return false;
    in->len -= BLAKE_SIZE;
    written = slice_make(in->ptr + in->len, BLAKE_SIZE);
    blake_init(&all);
    blake_add(&all, *in);
    blake_end(&all, digest);
    return slice_equal(as_slice(digest), written);
}

bool part_head_read(struct slice *in, struct arena *memory, struct part_head *head)
{
    uint64_t number, count;

    if (!cut_digest(in) || !slice_starts(*in, SLICE(HEADER)))
        return false;
    *in = slice_skip(*in, sizeof(HEADER) - 1);
    if (!graph_codec_read_text(in, &head->program) || !graph_codec_read_text(in, &head->build) ||
        !graph_codec_read_number(in, &number) || !graph_codec_read_number(in, &count) || !number ||
        number > count || count > PARTS_MOST || !graph_codec_read_text(in, &head->inputs) ||
        !graph_codec_read_text(in, &head->setting))
        return false;
    head->id = (struct part_number){(unsigned)number, (unsigned)count};
    return read_words(in, memory, &head->words) && read_words(in, memory, &head->paths) &&
           read_fonts(in, head);
}

void part_head_release(struct part_head *head)
{
    release_all(head, vec, words, paths, missing);
}

bool part_record_read(struct slice *in, struct part_record *out)
{
    uint64_t group, lasting;

    if (!graph_codec_read_number(in, &group) || !graph_codec_read_number(in, &lasting) ||
        !graph_codec_read_text(in, &out->record))
        return false;
    out->group = group;
    out->lasting = lasting != 0;
    return true;
}
