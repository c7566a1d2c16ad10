/*
 * The palette of Perl, by flamegraph.pl's rules.
 */
#include <stddef.h>

#include "layout/palette.h"
#include "layout/palette_name.h"

enum { PERL_CPP, PERL_OWN, PERL_KERNEL, PERL_NATIVE };

static unsigned perl(const struct palette_subject *s)
{
    if (palette_name_has(s->name, "::"))
        return PERL_CPP;
    if (palette_name_has(s->name, "Perl") || palette_name_has(s->name, ".pl") ||
        palette_name_ends(s->module, ".pl .pm .t"))
        return PERL_OWN;
    return s->class == SYMBOL_KERNEL ? PERL_KERNEL : PERL_NATIVE;
}

const struct palette palette_perl = {
    .name = "perl",
    .about = "Perl, C++, kernel, native code",
    .background = "yellow",
    .classes =
        (const struct palette_class[]){
            [PERL_CPP] = {"C++", &hue_yellow},
            [PERL_OWN] = {"Perl", &hue_green},
            [PERL_KERNEL] = {"kernel", &hue_orange},
            [PERL_NATIVE] = {"native", &hue_red},
            {NULL, NULL},
        },
    .classify = perl,
};
