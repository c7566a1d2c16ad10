#include "input/formats/desktop/xctrace_element.h"

#include "base/hash.h"

enum xctrace_tag xctrace_element_tag(struct slice name)
{
    static const struct {
        struct slice name;
        enum xctrace_tag tag;
    } tags[] = {
        {{"frame", 5}, TAG_FRAME},
        {{"backtrace", 9}, TAG_BACKTRACE},
        {{"weight", 6}, TAG_WEIGHT},
        {{"thread", 6}, TAG_THREAD},
        {{"process", 7}, TAG_PROCESS},
        {{"row", 3}, TAG_ROW},
        {{"sample-time", 11}, TAG_TIME},
        {{"binary", 6}, TAG_BINARY},
        {{"source", 6}, TAG_SOURCE},
        {{"path", 4}, TAG_PATH},
        {{"tagged-backtrace", 16}, TAG_TAGGED},
        {{"cycle-weight", 12}, TAG_CYCLES},
        {{"tid", 3}, TAG_TID},
        {{"pid", 3}, TAG_PID},
        {{"schema", 6}, TAG_SCHEMA},
    };

    for (size_t i = 0; i < sizeof(tags) / sizeof(tags[0]); i++)
        if (name.ptr[0] == tags[i].name.ptr[0] && slice_equal(name, tags[i].name))
            return tags[i].tag;
    return TAG_OTHER;
}

struct slice xctrace_element_process(struct slice fmt)
{
    size_t open = slice_find_last(fmt, '(');

    return slice_trim(slice_ends(fmt, SLICE(")")) ? slice_take(fmt, open) : fmt);
}

struct slice xctrace_element_thread(struct slice fmt)
{
    struct slice name = xctrace_element_process(fmt);
    size_t blank = slice_find_last(name, ' ');

    return slice_starts(slice_skip(name, blank + 1), SLICE("0x"))
               ? slice_trim(slice_take(name, blank))
               : name;
}

void xctrace_elements_init(struct xctrace_elements *ids)
{
    *ids = (struct xctrace_elements){0};
    map_init(&ids->index);
}

void xctrace_elements_release(struct xctrace_elements *ids)
{
    map_release(&ids->index);
    vec_release(&ids->items);
}

static bool same_id(const void *context, uint32_t index, const void *key)
{
    return ((const struct xctrace_elements *)context)->items.items[index].id ==
           *(const uint64_t *)key;
}

static uint32_t find(const struct xctrace_elements *ids, uint64_t id)
{
    return map_find(&ids->index, hash_mix(id, 1), same_id, ids, &id);
}

void xctrace_elements_add(struct xctrace_elements *ids, uint64_t id, enum xctrace_tag tag,
                          uint32_t value)
{
    if (find(ids, id) != MAP_NONE)
        return;
    map_add(&ids->index, hash_mix(id, 1), (uint32_t)ids->items.count);
    *vec_add(&ids->items) = (struct xctrace_element){id, tag, value};
}

uint32_t xctrace_elements_find(const struct xctrace_elements *ids, uint64_t id,
                               enum xctrace_tag tag)
{
    uint32_t index = find(ids, id);

    if (index == MAP_NONE || ids->items.items[index].tag != tag)
        return UINT32_MAX;
    return ids->items.items[index].value;
}
