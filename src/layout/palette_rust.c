/*
 * The palette of Rust: the program's own code and the standard library, by
 * inferno's rules.
 */
#include <stddef.h>

#include "layout/palette.h"
#include "layout/palette_name.h"

enum { RUST_OWN, RUST_STANDARD, RUST_NATIVE };

static unsigned rust(const struct palette_subject *s)
{
    static const char standard[] = "core:: std:: alloc:: <core:: <std:: <alloc::";
    size_t tick = slice_find(s->name, '`');
    struct slice name = tick < s->name.len ? slice_skip(s->name, tick + 1) : s->name;

    /* Compilers up to 2022 gave the program's own async functions this name. */
    if (slice_starts(name, SLICE("<core::future::from_generator::GenFuture<T>")))
        return RUST_OWN;
    if (palette_name_begins(name, standard))
        return RUST_STANDARD;
    return palette_name_has(name, "::") ? RUST_OWN : RUST_NATIVE;
}

const struct palette palette_rust = {
    .name = "rust",
    .about = "Rust, its standard library, other code",
    .background = "yellow",
    .classes =
        (const struct palette_class[]){
            [RUST_OWN] = {"Rust", &hue_aqua},
            [RUST_STANDARD] = {"standard library", &hue_orange},
            [RUST_NATIVE] = {"other code", &hue_yellow},
            {NULL, NULL},
        },
    .classify = rust,
};
