#include "cli/font_places.h"

#include <stdlib.h>

#include "base/file.h"

enum { SETTINGS_MOST = 256 << 10 }; /* bytes of a settings file */

/* A path below a directory that a variable names, or its default below the home directory. */
static const struct {
    const char *variable, *below, *otherwise;
    bool is_settings; /* a file that can name directories of fonts */
} places[] = {
    {NULL, "/etc/fonts", NULL, false},
    {NULL, "/etc/fonts/fonts.conf", NULL, true},
    {NULL, "/etc/fonts/local.conf", NULL, true},
    {NULL, "/usr/share/fontconfig", NULL, false},
    {NULL, "/usr/share/fonts", NULL, false},
    {NULL, "/usr/local/share/fonts", NULL, false},
    {NULL, "/var/cache/fontconfig", NULL, false},
    {"FONTCONFIG_FILE", "", NULL, true},
    {"FONTCONFIG_PATH", "", NULL, false},
    {"XDG_CONFIG_HOME", "/fontconfig", ".config/fontconfig", false},
    {"XDG_CONFIG_HOME", "/fontconfig/fonts.conf", ".config/fontconfig/fonts.conf", true},
    {"XDG_DATA_HOME", "/fonts", ".local/share/fonts", false},
    {"XDG_CACHE_HOME", "/fontconfig", ".cache/fontconfig", false},
    {"HOME", "/.fonts", NULL, false},
    {"HOME", "/.fonts.conf", NULL, true},
    {"HOME", "/.fontconfig", NULL, false},
};

/* Appends the absolute paths of the elements <dir> of a settings file. */
static void add_named(const char *settings, struct strings *out, struct arena *memory)
{
    struct buf text = {0}, ignored = {0};
    struct slice rest;

    if (!file_read(settings, SETTINGS_MOST, &text, &ignored))
        buf_clear(&text);
    rest = buf_slice(&text);
    while (rest.len) {
        struct slice path;

        rest = slice_skip(rest, slice_search(rest, SLICE("<dir")));
        rest = slice_skip(rest, slice_find(rest, '>'));
        path = slice_take(rest, slice_find(rest, '<'));
        path = slice_trim(slice_skip(path, path.len > 0));
        if (slice_starts(path, SLICE("/")))
            *vec_add(out) = arena_strdup(memory, path);
    }
    buf_release(&ignored);
    buf_release(&text);
}

void font_places_add(struct strings *out, struct arena *memory)
{
    const char *home = getenv("HOME");

    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        const char *base = places[i].variable ? getenv(places[i].variable) : "";
        const char *path = NULL;

        if (base)
            path = arena_printf(memory, "%s%s", base, places[i].below);
        else if (home && places[i].otherwise)
            path = arena_printf(memory, "%s/%s", home, places[i].otherwise);
        if (!path)
            continue;
        *vec_add(out) = path;
        if (places[i].is_settings)
            add_named(path, out, memory);
    }
}
