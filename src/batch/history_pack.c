#include "batch/history_pack.h"

#include "report/graph_codec.h"

static void pack_names(const struct slice *names, size_t count, struct buf *out)
{
    graph_codec_write_number(out, count);
    for (size_t i = 0; i < count; i++)
        graph_codec_write_text(out, file_name_of(names[i]));
}

void history_pack(const struct history *h, bool ok, const struct diag *messages, struct buf *out)
{
    graph_codec_write_number(out, ok);
    graph_codec_write_number(out, messages->messages.count);
    vec_each (const struct diag_message, m, &messages->messages) {
        graph_codec_write_number(out, m->level);
        graph_codec_write_text(out, m->text);
    }
    graph_codec_write_number(out, h->labels.count);
    vec_each (const struct history_label, label, &h->labels) {
        graph_codec_write_text(out, label->name);
        graph_codec_write_text(out, label->date);
        graph_codec_write_text(out, label->commit);
        graph_codec_write_text(out, label->note);
        graph_codec_write_number(out, label->has_stacks);
    }
    pack_names(h->damaged.items, h->damaged.count, out);
    pack_names(h->unlisted.items, h->unlisted.count, out);
}

/* The bytes that are left, and whether they were as history_pack() writes them. */
struct packed {
    struct slice in;
    struct history *history;
    const char *directory;
    bool good;
};

static uint64_t take_number(struct packed *p)
{
    uint64_t value = 0;

    p->good = p->good && graph_codec_read_number(&p->in, &value);
    return p->good ? value : 0;
}

static struct slice take_text(struct packed *p)
{
    struct slice text = SLICE("");

    p->good = p->good && graph_codec_read_text(&p->in, &text);
    return p->good ? arena_copy(&p->history->memory, text) : SLICE("");
}

/* Takes the name of a directory, which leads nowhere else. */
static struct slice take_name(struct packed *p)
{
    struct slice name = take_text(p);

    p->good = p->good && name.len && slice_find(name, '/') == name.len &&
              slice_find(name, '\0') == name.len && !slice_is_any(name, ".", "..");
    return name;
}

static const char *path_of(const struct packed *p, struct slice name)
{
    return arena_printf(&p->history->memory, "%s/%.*s", p->directory, SLICE_ARG(name));
}

static void take_messages(struct packed *p, struct diag *diag)
{
    for (uint64_t i = take_number(p); p->good && i; i--) {
        uint64_t level = take_number(p);
        struct slice text = take_text(p);

        if (p->good)
            diag_add(diag, level < DIAG_ERROR ? (enum diag_level)level : DIAG_ERROR, DIAG_AT_FILE,
                     "%.*s", SLICE_ARG(text));
    }
}

static void take_labels(struct packed *p)
{
    for (uint64_t i = take_number(p); p->good && i; i--) {
        struct slice name = take_name(p);
        struct history_label label = {.name = name, .path = path_of(p, name)};

        label.date = take_text(p);
        label.commit = take_text(p);
        label.note = take_text(p);
        label.has_stacks = take_number(p);
        if (p->good)
            *vec_add(&p->history->labels) = label;
    }
}

bool history_pack_read(struct history *h, const char *directory, struct slice bytes,
                       struct diag *diag)
{
    struct packed p = {bytes, h, directory, true};
    bool ok;

    *h = (struct history){0};
    ok = take_number(&p);
    take_messages(&p, diag);
    take_labels(&p);
    for (uint64_t i = take_number(&p); p.good && i; i--)
        *vec_add(&h->damaged) = take_name(&p);
    for (uint64_t i = take_number(&p); p.good && i; i--)
        *vec_add(&h->unlisted) = slice_str(path_of(&p, take_name(&p)));
    if (!p.good || (!ok && !diag->counts[DIAG_ERROR]))
        return diag_error(diag, "%s: the process that reads histories failed", directory);
    return ok;
}
