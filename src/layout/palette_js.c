/*
 * The palette of JavaScript: functions of the program, of packages, of the
 * engine.
 *
 * The rules are flamegraph.pl's, with inferno's for packages. The path of the
 * script is looked for in the name, then in the module.
 */
#include <stddef.h>

#include "layout/palette.h"
#include "layout/palette_name.h"

enum { JS_SOURCE, JS_PACKAGE, JS_BUILTIN, JS_CPP, JS_KERNEL, JS_NATIVE };

/* True if the text has a slash and ".js" after the slash. */
static bool is_js_path(struct slice text)
{
    return palette_name_has(slice_skip(text, slice_find(text, '/')), ".js");
}

/* True if the module is a script, given by its path or URL. */
static bool is_script(struct slice module)
{
    return is_js_path(module) || palette_name_begins(module, "http:// https:// file://") ||
           palette_name_ends(module, ".mjs .cjs .jsx .ts .tsx .vue");
}

static unsigned js(const struct palette_subject *s)
{
    if (s->class == SYMBOL_KERNEL)
        return JS_KERNEL;
    if (palette_name_has(s->name, "node_modules/") || palette_name_has(s->module, "node_modules/"))
        return JS_PACKAGE;
    if (s->class == SYMBOL_JIT)
        return palette_name_has(s->name, "/") || is_script(s->module) ? JS_SOURCE : JS_BUILTIN;
    if (palette_name_has(s->name, "::"))
        return JS_CPP;
    if (is_js_path(s->name) || is_script(s->module))
        return JS_SOURCE;
    if (palette_name_has(s->name, ":") || slice_starts(s->module, SLICE("node:")))
        return JS_BUILTIN;
    return slice_equal(s->name, SLICE(" ")) ? JS_SOURCE : JS_NATIVE;
}

const struct palette palette_js = {
    .name = "js",
    .about = "JavaScript, its packages, built-in functions, C++, kernel, native code",
    .background = "yellow",
    .classes =
        (const struct palette_class[]){
            [JS_SOURCE] = {"JavaScript", &hue_green},
            [JS_PACKAGE] = {"packages", &hue_purple},
            [JS_BUILTIN] = {"built in", &hue_aqua},
            [JS_CPP] = {"C++", &hue_yellow},
            [JS_KERNEL] = {"kernel", &hue_orange},
            [JS_NATIVE] = {"native", &hue_red},
            {NULL, NULL},
        },
    .classify = js,
};
