#include "input/core/options.h"

#include "base/die.h"

struct input_options input_options_default(void)
{
    return (struct input_options){
        .names = NAMES_CLEAN,
        .pictures = true,
        .limits =
            {
                .max_size = (uint64_t)16 << 30,
                .max_memory = (uint64_t)512 << 20,
                .max_work = (uint64_t)8 << 30,
                .max_line = (uint64_t)128 << 20,
                .max_name = 64 * 1024,
                .max_depth = 2 * 1000 * 1000,
                .max_stacks = 1000 * 1000 * 1000,
            },
    };
}
