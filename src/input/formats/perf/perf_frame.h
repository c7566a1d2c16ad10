/*
 * Frame lines of perf script, each distinct one parsed once.
 *
 *     TAB address blank symbol+0x1f blank (module)
 *
 * A profile repeats few distinct lines many times, mostly in the same order. So the text
 * after the address is the key of a table, and each entry remembers the entries that
 * followed it last. Comparing the text with those finds the end of the line too, without a
 * hash or a search. The table never changes what a line means, only how fast it is found.
 */
#ifndef INPUT_FORMATS_PERF_PERF_FRAME_H
#define INPUT_FORMATS_PERF_PERF_FRAME_H

#include <stdbool.h>
#include <stdint.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/slice.h"
#include "base/vec.h"
#include "input/build/frame.h"
#include "input/core/options.h"
#include "profile/profile.h"

/* A line taken apart. */
struct perf_frame {
    struct slice address, symbol, module; /* module is empty if it is not printed */
};

/* Meaning of the text after an address. */
struct perf_line {
    const char *text;
    uint32_t len;     /* the line end included */
    uint32_t next[2]; /* the entries that followed last, the latest first */
    uint32_t symbols; /* the symbol if `count` is 1, else the place of the symbols in `chains` */
    uint32_t count;   /* symbols, leaf first: several if functions were inlined */
    bool by_address;  /* the name contains the address, so the text alone does not decide it */
};

struct perf_frames {
    struct profile *profile;
    const struct input_options *options;
    bool java; /* names by the rule for Java processes of the reference */
    struct arena texts;
    struct map index;
    VEC(struct perf_line) lines; /* items[0] is the start of the input */
    uint32_t last;               /* the entry of the frame line before */
    VEC(uint32_t) chains;
    struct frame_symbols found; /* of the current frame, leaf first */
    struct buf name;
};

void perf_frames_init(struct perf_frames *f, struct profile *profile,
                      const struct input_options *options, bool java);
void perf_frames_release(struct perf_frames *f);

/* Length of the indentation and the address at the start of a line, if a blank follows; else 0. */
size_t perf_frame_address(const char *line, const char *end);

/*
 * Fast path of perf_frame_address() for the padded form that perf writes, TAB and sixteen
 * columns; 0 for any other form. Reads 18 bytes, wherever the line ends.
 */
static inline size_t perf_frame_padded(const char *line)
{
#ifdef __SSE2__
    __m128i c = _mm_loadu_si128((const __m128i *)(const void *)(line + 1));
    __m128i digit = _mm_sub_epi8(c, _mm_set1_epi8('0'));
    __m128i letter = _mm_sub_epi8(_mm_or_si128(c, _mm_set1_epi8(0x20)), _mm_set1_epi8('a'));
    __m128i is_digit = _mm_cmpeq_epi8(_mm_min_epu8(digit, _mm_set1_epi8(9)), digit);
    __m128i is_letter = _mm_cmpeq_epi8(_mm_min_epu8(letter, _mm_set1_epi8(5)), letter);
    unsigned hex = (unsigned)_mm_movemask_epi8(_mm_or_si128(is_digit, is_letter));
    unsigned blank = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(c, _mm_set1_epi8(' ')));

    /* Blanks, then digits to the end: the mask of the blanks is one less than a power of two. */
    if (line[0] == '\t' && line[17] == ' ' && (hex ^ blank) == 0xffff &&
        (blank & (blank + 1)) == 0 && hex)
        return 17;
#else
    (void)line;
#endif
    return 0;
}

/* Texts that are longer are resolved each time; they are not worth the memory. */
enum { PERF_FRAMES_MOST_TEXT = 64 * 1024 };

/*
 * Returns the entry of `text`, which follows an address and includes the line end, or 0 if
 * it is new. `last` is the entry of the line before.
 */
uint32_t perf_frames_find(struct perf_frames *f, uint32_t last, struct slice text);

/* Adds a text that perf_frames_find() did not find. */
uint32_t perf_frames_add(struct perf_frames *f, uint32_t last, struct slice text);

/* The symbols of a frame that was taken apart, leaf first, into f->found. */
void perf_frames_resolve_parts(struct perf_frames *f, const struct perf_frame *frame);

/* The symbol of an inlined function with the name of another symbol. */
uint32_t perf_frames_inlined(struct perf_frames *f, uint32_t symbol);

/*
 * Notes where a symbol is in the source, if it has no place yet. With --srcline the place is part
 * of its name, with the last part of the path. Returns the symbol, which may be another one.
 */
uint32_t perf_frames_place(struct perf_frames *f, uint32_t symbol, struct slice file,
                           uint64_t line);

/* The symbols of a frame, leaf first, into f->found, without the table. */
void perf_frames_resolve(struct perf_frames *f, struct slice address, struct slice text);

static inline bool perf_line_is(const struct perf_line *line, const char *text, const char *end)
{
    return line->len <= (size_t)(end - text) && memcmp(text, line->text, line->len) == 0;
}

/*
 * Returns the entry of the line at `text` if it is one of the two that followed `last`
 * before, else 0.
 */
static inline uint32_t perf_frames_guess(struct perf_frames *f, uint32_t last, const char *text,
                                         const char *end)
{
    struct perf_line *line = &f->lines.items[last];
    uint32_t guess = line->next[0];

    if (perf_line_is(&f->lines.items[guess], text, end))
        return guess;
    guess = line->next[1];
    if (!perf_line_is(&f->lines.items[guess], text, end))
        return 0;
    line->next[1] = line->next[0];
    line->next[0] = guess;
    return guess;
}

#endif
