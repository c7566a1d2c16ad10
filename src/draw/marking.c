#include "draw/marking.h"

#include <string.h>

#include "tree/share.h"

const struct picture_note *marking_make(const struct recipe *r, const struct profile *p,
                                        struct arena *memory, struct diag *diag)
{
    size_t count = symbols_count(&p->symbols);
    struct picture_note *notes;

    if (!r->marks.count)
        return NULL;
    notes = arena_alloc(memory, r->marks.count * sizeof(*notes));
    for (size_t i = 0; i < r->marks.count; i++) {
        const struct mark *mark = &r->marks.items[i];
        bool *hit = arena_alloc(memory, count + 1);

        memset(hit, 0, count + 1);
        if (share_match(mark->search, &p->symbols, hit))
            diag_warn(diag,
                      "gave up --mark '%.*s': matching it takes too much work; nothing is marked",
                      SLICE_ARG(mark->search->pattern));
        notes[i] = (struct picture_note){hit, mark->note};
    }
    return notes;
}

/* Whether a function that a mark matches is in the tree that the picture shows. */
static bool is_in_tree(const struct picture_note *note, const struct tree *t)
{
    for (uint32_t id = 1; id < t->count; id++)
        if (note->hit[t->symbol[id]] && (t->total[id] || (t->base && t->base[id])))
            return true;
    return false;
}

void marking_warn(const struct recipe *r, const struct picture *p, struct diag *diag)
{
    for (size_t i = 0; i < p->options.note_count; i++) {
        const struct picture_note *note = &p->options.notes[i];

        if (notes_are_seen(p, note))
            continue;
        diag_warn(
            diag,
            is_in_tree(note, p->layout->tree)
                ? "--mark '%.*s': all frames that match are too thin, or too deep, to be drawn"
                : "--mark '%.*s' matches no function of the graph",
            SLICE_ARG(r->marks.items[i].search->pattern));
    }
}
