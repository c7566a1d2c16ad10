/*
 * The palette of accelerators: instructions and symbols of the device, the kernel,
 * Python, C++ and other code of the CPU.
 *
 * The colours are those of Brendan Gregg's AI flame graphs (the flamegraph.pl that comes
 * with intel/iaprof); Python is recognised by the names that PyTorch writes, too.
 */
#include <stddef.h>

#include "base/ascii.h"
#include "layout/palette.h"
#include "layout/palette_name.h"

enum { GPU_INSTRUCTION, GPU_DEVICE, GPU_KERNEL, GPU_PYTHON, GPU_CPP, GPU_OTHER };

static const struct hue pink = {"pink", 0, {245, 10, 0}, {138, 40, 0}, {148, 40, 0}};

/* "py::f", "train.py(88): step", "nn.Module: Linear_0", "<built-in method mm>". */
static bool is_python(struct slice name)
{
    size_t at = slice_search(name, SLICE(".py("));

    return palette_name_begins(name, "py:: nn.Module: <built-in") ||
           (at + 4 < name.len && ascii_is_digit(name.ptr[at + 4]));
}

static unsigned gpu(const struct palette_subject *s)
{
    if (s->class == SYMBOL_DEVICE_INSTRUCTION)
        return GPU_INSTRUCTION;
    if (s->class == SYMBOL_DEVICE || palette_name_begins(s->name, "NEO"))
        return GPU_DEVICE;
    if (s->class == SYMBOL_KERNEL)
        return GPU_KERNEL;
    if (is_python(s->name))
        return GPU_PYTHON;
    return palette_name_has(s->name, "::") ? GPU_CPP : GPU_OTHER;
}

const struct palette palette_gpu = {
    .name = "gpu",
    .about = "code of an accelerator, its instructions, kernel, Python, C++, other code",
    .background = "yellow",
    .classes =
        (const struct palette_class[]){
            [GPU_INSTRUCTION] = {"device instruction", &hue_green},
            [GPU_DEVICE] = {"device", &hue_aqua},
            [GPU_KERNEL] = {"kernel", &hue_orange},
            [GPU_PYTHON] = {"Python", &pink},
            [GPU_CPP] = {"C++", &hue_yellow},
            [GPU_OTHER] = {"other", &hue_red},
            {NULL, NULL},
        },
    .classify = gpu,
    .roles = true,
};
