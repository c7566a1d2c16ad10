/*
 * The files that pictures are drawn by: colours of names (--cp) and attributes
 * of names (--nameattr).
 */
#ifndef CLI_RESOURCES_H
#define CLI_RESOURCES_H

#include <stdbool.h>

#include "cli/console.h"
#include "cli/options.h"
#include "layout/color_map.h"
#include "output/attributes.h"
#include "output/picture.h"

struct resources {
    const char *colors_path; /* NULL where colours are not remembered */
    struct color_map colors; /* as the file had them; empty where it is not there yet */
    struct attributes attributes;
};

/* False, told, where a file cannot be used; release it then, too. */
bool resources_init(struct resources *r, const struct options *o, struct console *console);
void resources_release(struct resources *r);

/* Notes the colours that a picture has and the file has not. */
void resources_collect(const struct resources *r, const struct picture *p, struct color_map *added);

/* Writes the file of colours, where `added` has any that it has not. False, told. */
bool resources_save(struct resources *r, const struct color_map *added, struct console *console);

#endif
