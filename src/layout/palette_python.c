/*
 * The palette of Python: the program's own code, installed packages, the
 * standard library. The rules are inferno's. They apply to the name and, for
 * profilers that record the file separately, to the module.
 */
#include <stddef.h>

#include "layout/palette.h"
#include "layout/palette_name.h"
#include "profile/package.h"

enum { PYTHON_OWN, PYTHON_PACKAGE, PYTHON_STANDARD };

/* True for directories of the standard library: "python3.11", "Python27", "python". */
static bool is_python_directory(struct slice part)
{
    return slice_is_any(part, "python", "Python") || package_is_python(part);
}

static bool has_part(struct slice path, bool (*is)(struct slice part))
{
    struct slice part;

    while (package_next_part(&path, &part))
        if (is(part))
            return true;
    return false;
}

/*
 * Classifies a name that Python gives its code for perf, "py::main:/srv/app/main.py", by the file.
 * A directory "python" without a version may belong to anybody.
 */
static unsigned classify_trampoline(struct slice name)
{
    if (has_part(name, package_is_directory))
        return PYTHON_PACKAGE;
    return has_part(name, package_is_python) || slice_has(name, SLICE(":<frozen "))
               ? PYTHON_STANDARD
               : PYTHON_OWN;
}

static unsigned python(const struct palette_subject *s)
{
    if (slice_starts(s->name, SLICE("py::")))
        return classify_trampoline(s->name);
    if (has_part(s->name, package_is_directory) || has_part(s->module, package_is_directory))
        return PYTHON_PACKAGE;
    if (has_part(s->name, is_python_directory) || has_part(s->module, is_python_directory) ||
        palette_name_begins(s->name, "<built-in <method <frozen") ||
        palette_name_begins(s->module, "<built-in <frozen"))
        return PYTHON_STANDARD;
    return PYTHON_OWN;
}

const struct palette palette_python = {
    .name = "python",
    .about = "installed packages, Python's own library, everything else",
    .background = "yellow",
    .classes =
        (const struct palette_class[]){
            [PYTHON_OWN] = {"own code", &hue_red},
            [PYTHON_PACKAGE] = {"packages", &hue_aqua},
            [PYTHON_STANDARD] = {"Python itself", &hue_yellow},
            {NULL, NULL},
        },
    .classify = python,
};
