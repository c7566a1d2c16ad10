#include "input/formats/go/pprof_labels.h"

#include "base/utf8.h"

void pprof_labels_init(struct pprof_labels *l)
{
    *l = (struct pprof_labels){0};
    intern_init(&l->keys);
}

void pprof_labels_release(struct pprof_labels *l)
{
    intern_release(&l->keys);
    vec_release(&l->uses);
}

static enum pprof_role role_of(struct slice key)
{
    static const struct {
        struct slice key;
        enum pprof_role role;
    } roles[] = {
        {{"thread", 6}, PPROF_THREAD},
        {{"thread_name", 11}, PPROF_THREAD},
        {{"thread name", 11}, PPROF_THREAD},
        {{"thread_id", 9}, PPROF_TID},
        {{"thread id", 9}, PPROF_TID},
        {{"tid", 3}, PPROF_TID},
        {{"process", 7}, PPROF_PROCESS},
        {{"process_name", 12}, PPROF_PROCESS},
        {{"process name", 12}, PPROF_PROCESS},
        {{"comm", 4}, PPROF_PROCESS},
        {{"process_id", 10}, PPROF_PID},
        {{"process id", 10}, PPROF_PID},
        {{"pid", 3}, PPROF_PID},
    };

    for (size_t i = 0; i < sizeof(roles) / sizeof(roles[0]); i++)
        if (slice_equal(roles[i].key, key))
            return roles[i].role;
    return PPROF_ROLE_NONE;
}

uint32_t pprof_labels_key(struct pprof_labels *l, struct slice key)
{
    uint32_t id = intern_add(&l->keys, key);

    if (id == l->uses.count)
        *vec_add(&l->uses) = (struct pprof_label_use){.role = role_of(key)};
    return id;
}

bool pprof_labels_count(struct pprof_labels *l, uint32_t key)
{
    l->uses.items[key].count++;
    return l->uses.items[key].role != PPROF_ROLE_NONE;
}

void pprof_labels_put(const struct pprof_labels *l, uint32_t key, struct slice value,
                      struct origin *origin)
{
    struct slice *const places[] = {
        [PPROF_PROCESS] = &origin->process,
        [PPROF_PID] = &origin->pid,
        [PPROF_THREAD] = &origin->thread,
        [PPROF_TID] = &origin->tid,
    };

    *places[l->uses.items[key].role] = value;
}

void pprof_labels_take(struct pprof_labels *l, struct slice key, struct slice value,
                       struct origin *origin)
{
    uint32_t id = pprof_labels_key(l, key);

    if (pprof_labels_count(l, id))
        pprof_labels_put(l, id, value, origin);
}

void pprof_labels_tell(const struct pprof_labels *l, struct profile *profile)
{
    enum { SHOWN = 10 };
    size_t shown = 0;
    struct buf text;

    buf_init(&text);
    for (uint32_t i = 0; i < l->uses.count && shown < SHOWN; i++) {
        if (l->uses.items[i].role != PPROF_ROLE_NONE)
            continue;
        buf_add_str(&text, shown++ ? ", " : "");
        utf8_add_clean(&text, intern_get(&l->keys, i));
        buf_printf(&text, " (%llu)", (unsigned long long)l->uses.items[i].count);
    }
    if (text.len)
        profile_add_fact(profile, SLICE("labels not used"), buf_slice(&text));
    buf_release(&text);
}
