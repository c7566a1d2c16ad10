#include "input/formats/go/pprof_frame.h"

#include "input/build/names.h"

struct frame pprof_frame_named(const struct input_options *options, struct slice name,
                               struct slice file, uint64_t line)
{
    bool reference = options->names == NAMES_REFERENCE;

    return (struct frame){
        .name = name,
        .file = file,
        .line = line,
        .kind = reference ? FRAME_PLAIN : frame_kind_of(file),
    };
}

struct frame pprof_frame_address(struct buf *text, const struct pprof_map *map, uint64_t address)
{
    struct frame frame = {.module = map ? map->file : SLICE(""), .kind = FRAME_PLAIN};
    struct slice base = names_module_base(frame.module);

    if (!address)
        return frame;
    if (base.len && address >= map->start)
        address = address - map->start + map->offset;
    buf_clear(text);
    if (base.len)
        buf_printf(text, "%.*s+", SLICE_ARG(base));
    buf_printf(text, "0x%llx", (unsigned long long)address);
    frame.name = buf_slice(text);
    return frame;
}
