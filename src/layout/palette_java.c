/*
 * The palette of Java: methods, inlined methods, the virtual machine's C++, the
 * kernel.
 *
 * The symbol's class decides, if the profiler recorded it; else its name, by
 * flamegraph.pl's patterns, and inferno's for dotted names and Objective-C.
 */
#include <stddef.h>

#include "layout/palette.h"
#include "base/ascii.h"
#include "layout/palette_name.h"

enum { JAVA_METHOD, JAVA_INLINED, JAVA_CPP, JAVA_KERNEL, JAVA_NATIVE };

/* "java/util/List::add", "Lorg/x/App;::run", "LCompile;:::run". */
static bool is_java_name(struct slice name)
{
    static const char packages[] = "java/ javax/ jdk/ net/ org/ com/ io/ sun/";
    struct slice rest = slice_starts(name, SLICE("L")) ? slice_skip(name, 1) : name;

    return palette_name_begins(rest, packages) || palette_name_has(name, ":::");
}

/* True for names without "::" that have a package or begin like a class. */
static bool is_java_class(struct slice name)
{
    struct slice rest = slice_starts(name, SLICE("L")) ? slice_skip(name, 1) : name;

    return palette_name_has(rest, "/") || (palette_name_has(rest, ".") && rest.ptr[0] != '[') ||
           (rest.len && ascii_is_capital(rest.ptr[0]));
}

static unsigned java(const struct palette_subject *s)
{
    if (s->class == SYMBOL_JIT || s->class == SYMBOL_INTERPRETED || s->class == SYMBOL_BASELINE)
        return JAVA_METHOD;
    if (s->class == SYMBOL_INLINED)
        return JAVA_INLINED;
    if (s->class == SYMBOL_KERNEL)
        return JAVA_KERNEL;
    if (is_java_name(s->name))
        return JAVA_METHOD;
    if (palette_name_has(s->name, "::") || palette_name_begins(s->name, "-[ +["))
        return JAVA_CPP;
    /* A shared library contains no Java, whatever its functions are called. */
    return is_java_class(s->name) && !palette_name_has(s->module, ".so") ? JAVA_METHOD
                                                                         : JAVA_NATIVE;
}

const struct palette palette_java = {
    .name = "java",
    .about = "Java, inlined Java, C++, kernel, native code",
    .background = "yellow",
    .classes =
        (const struct palette_class[]){
            [JAVA_METHOD] = {"Java", &hue_green},
            [JAVA_INLINED] = {"inlined", &hue_aqua},
            [JAVA_CPP] = {"C++", &hue_yellow},
            [JAVA_KERNEL] = {"kernel", &hue_orange},
            [JAVA_NATIVE] = {"native", &hue_red},
            {NULL, NULL},
        },
    .classify = java,
};
