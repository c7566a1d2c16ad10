/*
 * The members of a struct that own memory, released by kind.
 *
 *     release_all(s, vec, frames, samples);     vec_release(&s->frames), vec_release(&s->samples)
 *     release_each(s, (vec, frames, samples), (intern, names));      several kinds
 *
 * A kind is the name before "_release". Up to ten members follow, which may be nested, as
 * current.texts. release_each() takes up to eight kinds.
 *
 * STATE_RELEASE() defines the function that releases the state of a reader of text. After
 *
 *     STATE_RELEASE(wpa, (builder, builder), (vec, rows, cells));
 *
 * wpa_release(void *state) releases these members of a struct wpa.
 */
#ifndef BASE_RELEASE_H
#define BASE_RELEASE_H

#define RELEASE_1(s, kind, a) kind##_release(&(s)->a)
#define RELEASE_2(s, kind, a, ...) (RELEASE_1(s, kind, a), RELEASE_1(s, kind, __VA_ARGS__))
#define RELEASE_3(s, kind, a, ...) (RELEASE_1(s, kind, a), RELEASE_2(s, kind, __VA_ARGS__))
#define RELEASE_4(s, kind, a, ...) (RELEASE_1(s, kind, a), RELEASE_3(s, kind, __VA_ARGS__))
#define RELEASE_5(s, kind, a, ...) (RELEASE_1(s, kind, a), RELEASE_4(s, kind, __VA_ARGS__))
#define RELEASE_6(s, kind, a, ...) (RELEASE_1(s, kind, a), RELEASE_5(s, kind, __VA_ARGS__))
#define RELEASE_7(s, kind, a, ...) (RELEASE_1(s, kind, a), RELEASE_6(s, kind, __VA_ARGS__))
#define RELEASE_8(s, kind, a, ...) (RELEASE_1(s, kind, a), RELEASE_7(s, kind, __VA_ARGS__))
#define RELEASE_9(s, kind, a, ...) (RELEASE_1(s, kind, a), RELEASE_8(s, kind, __VA_ARGS__))
#define RELEASE_10(s, kind, a, ...) (RELEASE_1(s, kind, a), RELEASE_9(s, kind, __VA_ARGS__))
#define RELEASE_NTH(_1, _2, _3, _4, _5, _6, _7, _8, _9, _10, which, ...) which
#define RELEASE_BY(...)                                                                            \
    RELEASE_NTH(__VA_ARGS__, RELEASE_10, RELEASE_9, RELEASE_8, RELEASE_7, RELEASE_6, RELEASE_5,    \
                RELEASE_4, RELEASE_3, RELEASE_2, RELEASE_1, )

#define release_all(s, kind, ...) RELEASE_BY(__VA_ARGS__)(s, kind, __VA_ARGS__)

#define RELEASE_PART(s, ...) release_all(s, __VA_ARGS__)
#define RELEASE_OPEN(...) __VA_ARGS__
#define RELEASE_EACH_1(s, g) RELEASE_PART(s, RELEASE_OPEN g)
#define RELEASE_EACH_2(s, g, ...) (RELEASE_EACH_1(s, g), RELEASE_EACH_1(s, __VA_ARGS__))
#define RELEASE_EACH_3(s, g, ...) (RELEASE_EACH_1(s, g), RELEASE_EACH_2(s, __VA_ARGS__))
#define RELEASE_EACH_4(s, g, ...) (RELEASE_EACH_1(s, g), RELEASE_EACH_3(s, __VA_ARGS__))
#define RELEASE_EACH_5(s, g, ...) (RELEASE_EACH_1(s, g), RELEASE_EACH_4(s, __VA_ARGS__))
#define RELEASE_EACH_6(s, g, ...) (RELEASE_EACH_1(s, g), RELEASE_EACH_5(s, __VA_ARGS__))
#define RELEASE_EACH_7(s, g, ...) (RELEASE_EACH_1(s, g), RELEASE_EACH_6(s, __VA_ARGS__))
#define RELEASE_EACH_8(s, g, ...) (RELEASE_EACH_1(s, g), RELEASE_EACH_7(s, __VA_ARGS__))
#define RELEASE_KIND(_1, _2, _3, _4, _5, _6, _7, _8, which, ...) which
#define RELEASE_KINDS(...)                                                                         \
    RELEASE_KIND(__VA_ARGS__, RELEASE_EACH_8, RELEASE_EACH_7, RELEASE_EACH_6, RELEASE_EACH_5,      \
                 RELEASE_EACH_4, RELEASE_EACH_3, RELEASE_EACH_2, RELEASE_EACH_1, )

#define release_each(s, ...) RELEASE_KINDS(__VA_ARGS__)(s, __VA_ARGS__)

#define STATE_RELEASE(name, ...)                                                                   \
    static void name##_release(void *state)                                                        \
    {                                                                                              \
        struct name *members = state;                                                              \
                                                                                                   \
        release_each(members, __VA_ARGS__);                                                        \
    }                                                                                              \
    struct name

#endif
