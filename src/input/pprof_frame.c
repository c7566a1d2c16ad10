#include "input/pprof_frame.h"

#include "input/names.h"

/* Names of these languages need no cleaning, or that of Java; all others are compiled. */
static enum frame_kind kind_of(struct slice file)
{
    static const struct {
        struct slice ending;
        enum frame_kind kind;
    } languages[] = {
        {{".java", 5}, FRAME_JAVA}, {{".kt", 3}, FRAME_JAVA},     {{".scala", 6}, FRAME_JAVA},
        {{".clj", 4}, FRAME_JAVA},  {{".groovy", 7}, FRAME_JAVA}, {{".py", 3}, FRAME_PLAIN},
        {{".js", 3}, FRAME_PLAIN},  {{".mjs", 4}, FRAME_PLAIN},   {{".cjs", 4}, FRAME_PLAIN},
        {{".ts", 3}, FRAME_PLAIN},  {{".tsx", 4}, FRAME_PLAIN},   {{".jsx", 4}, FRAME_PLAIN},
        {{".rb", 3}, FRAME_PLAIN},  {{".php", 4}, FRAME_PLAIN},   {{".lua", 4}, FRAME_PLAIN},
        {{".pl", 3}, FRAME_PLAIN},  {{".ex", 3}, FRAME_PLAIN},    {{".erl", 4}, FRAME_PLAIN},
    };

    for (size_t i = 0; i < sizeof(languages) / sizeof(languages[0]); i++)
        if (slice_ends(file, languages[i].ending))
            return languages[i].kind;
    return FRAME_NATIVE;
}

struct frame pprof_frame_named(const struct input_options *options, struct slice name,
                               struct slice file, uint64_t line)
{
    bool reference = options->names == NAMES_REFERENCE;

    return (struct frame){
        .name = name,
        .file = file,
        .line = line,
        .kind = reference ? FRAME_PLAIN : kind_of(file),
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
