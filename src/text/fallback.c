#include "text/fallback.h"

#include <strings.h>

#include <fontconfig/fontconfig.h>

#include "base/die.h"

struct fallback {
    FcConfig *config;
    FcFontSet *sorted;  /* fonts in the system's order; NULL until needed */
    FcPattern *matched; /* result of fallback_find(); owns the path */
};

struct fallback *fallback_new(void)
{
    struct fallback *f = xcalloc(1, sizeof(*f));

    f->config = FcInitLoadConfigAndFonts();
    return f;
}

void fallback_free(struct fallback *f)
{
    if (!f)
        return;
    if (f->sorted)
        FcFontSetDestroy(f->sorted);
    if (f->matched)
        FcPatternDestroy(f->matched);
    if (f->config)
        FcConfigDestroy(f->config);
    free(f);
}

/* Replaces FcDefaultSubstitute(), which would take the languages from the locale. */
static void set_defaults(FcPattern *pattern)
{
    FcPatternDel(pattern, FC_LANG);
    FcPatternAddString(pattern, FC_LANG, (const FcChar8 *)"en");
    FcPatternDel(pattern, FC_NAMELANG);
    FcPatternAddString(pattern, FC_NAMELANG, (const FcChar8 *)"en");
    FcDefaultSubstitute(pattern);
}

static FcFontSet *sort(struct fallback *f)
{
    FcResult result;
    FcPattern *pattern = FcPatternBuild(NULL, FC_FAMILY, FcTypeString, "sans-serif", FC_OUTLINE,
                                        FcTypeBool, FcTrue, (char *)NULL);

    FcConfigSubstitute(f->config, pattern, FcMatchPattern);
    set_defaults(pattern);
    FcFontSet *set = FcFontSort(f->config, pattern, FcFalse, NULL, &result);

    FcPatternDestroy(pattern);
    return set ? set : FcFontSetCreate();
}

static bool get_place(FcPattern *font, struct fallback_place *place)
{
    FcChar8 *path;
    int index;

    if (FcPatternGetString(font, FC_FILE, 0, &path) != FcResultMatch ||
        FcPatternGetInteger(font, FC_INDEX, 0, &index) != FcResultMatch)
        return false;
    *place = (struct fallback_place){(const char *)path, (unsigned)index};
    return true;
}

static bool has_outlines(FcPattern *font)
{
    FcBool outline = FcFalse;
    FcBool color = FcFalse;
    FcBool variable = FcFalse;

    FcPatternGetBool(font, FC_OUTLINE, 0, &outline);
    FcPatternGetBool(font, FC_COLOR, 0, &color);
    FcPatternGetBool(font, FC_VARIABLE, 0, &variable);
    return outline && !color && !variable;
}

bool fallback_get(struct fallback *f, size_t rank, uint32_t c, bool *has,
                  struct fallback_place *place)
{
    FcCharSet *chars;

    if (!f->config)
        return false;
    if (!f->sorted)
        f->sorted = sort(f);
    if (rank >= (size_t)f->sorted->nfont)
        return false;
    FcPattern *font = f->sorted->fonts[rank];

    *has = has_outlines(font) && get_place(font, place) &&
           FcPatternGetCharSet(font, FC_CHARSET, 0, &chars) == FcResultMatch &&
           FcCharSetHasChar(chars, c);
    return true;
}

static bool is_generic(const char *family)
{
    static const char *const names[] = {"sans-serif", "sans",      "serif",  "monospace",
                                        "mono",       "system-ui", "cursive"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (strcasecmp(family, names[i]) == 0)
            return true;
    }
    return false;
}

static bool has_family(FcPattern *font, const char *family)
{
    FcChar8 *name;

    for (int i = 0; FcPatternGetString(font, FC_FAMILY, i, &name) == FcResultMatch; i++) {
        if (strcasecmp((const char *)name, family) == 0)
            return true;
    }
    return false;
}

bool fallback_find(struct fallback *f, const char *family, struct fallback_place *place)
{
    FcPattern *pattern = f->config ? FcNameParse((const FcChar8 *)family) : NULL;
    FcChar8 *wanted;
    FcResult result;
    bool found = false;

    if (!pattern)
        return false;
    if (FcPatternGetString(pattern, FC_FAMILY, 0, &wanted) == FcResultMatch) {
        char *name = xmalloc(strlen((char *)wanted) + 1);

        memcpy(name, wanted, strlen((char *)wanted) + 1);
        FcConfigSubstitute(f->config, pattern, FcMatchPattern);
        set_defaults(pattern);
        FcPattern *font = FcFontMatch(f->config, pattern, &result);

        if (font && (has_family(font, name) || is_generic(name)) && get_place(font, place)) {
            found = true;
            if (f->matched)
                FcPatternDestroy(f->matched);
            f->matched = font;
        } else if (font) {
            FcPatternDestroy(font);
        }
        free(name);
    }
    FcPatternDestroy(pattern);
    return found;
}

void fallback_families(struct fallback *f, fallback_name_fn *take, void *context)
{
    FcFontSet *fonts = f->config ? FcConfigGetFonts(f->config, FcSetSystem) : NULL;
    FcChar8 *name;

    for (int i = 0; fonts && i < fonts->nfont; i++) {
        for (int j = 0; FcPatternGetString(fonts->fonts[i], FC_FAMILY, j, &name) == FcResultMatch;
             j++)
            take(context, (const char *)name);
    }
}
