/*
 * The members of a struct that own memory, released by kind.
 *
 *     release_all(s, vec, frames, samples);     vec_release(&s->frames), vec_release(&s->samples)
 *     release_all(s, intern, names, texts);
 *
 * `kind` is the name before "_release"; up to ten members follow, which may be nested, as
 * current.texts.
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

#endif
