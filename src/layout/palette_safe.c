/*
 * The palette for colour-blind readers: hues and brightnesses of the classes
 * stay distinct with each of the three kinds of colour blindness. The hues are
 * near those that Okabe and Ito propose.
 */
#include <stddef.h>

#include "layout/palette.h"

enum { SAFE_USER, SAFE_KERNEL, SAFE_INLINED, SAFE_JIT, SAFE_WAKER };

static const struct hue user = {"sky", 0, {70, 40, 0}, {165, 30, 0}, {215, 30, 0}};
static const struct hue kernel = {"amber", 0, {215, 30, 0}, {125, 30, 0}, {0, 0, 0}};
static const struct hue inlined = {"lemon", 0, {235, 20, 0}, {215, 25, 0}, {60, 60, 0}};
static const struct hue jit = {"jade", 0, {0, 40, 0}, {150, 30, 0}, {105, 40, 0}};
static const struct hue waker = {"mauve", 0, {195, 35, 0}, {105, 30, 0}, {155, 30, 0}};

static unsigned safe(const struct palette_subject *s)
{
    static const uint8_t classes[SYMBOL_CLASSES] = {
        [SYMBOL_KERNEL] = SAFE_KERNEL, [SYMBOL_INLINED] = SAFE_INLINED,
        [SYMBOL_JIT] = SAFE_JIT,       [SYMBOL_INTERPRETED] = SAFE_JIT,
        [SYMBOL_BASELINE] = SAFE_JIT,  [SYMBOL_WAKER] = SAFE_WAKER,
    };

    return classes[s->class];
}

const struct palette palette_safe = {
    .name = "safe",
    .about = "user, kernel, inlined and compiled code, for colour-blind readers too",
    .background = "white",
    .classes =
        (const struct palette_class[]){
            [SAFE_USER] = {"user", &user},
            [SAFE_KERNEL] = {"kernel", &kernel},
            [SAFE_INLINED] = {"inlined", &inlined},
            [SAFE_JIT] = {"jit", &jit},
            [SAFE_WAKER] = {"waker", &waker},
            {NULL, NULL},
        },
    .classify = safe,
};
