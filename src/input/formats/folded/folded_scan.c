#include "input/formats/folded/folded_scan.h"

#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/die.h"
#include "base/hash.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* ---- weights --------------------------------------------------------------------------------- */

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

struct slice folded_weight_trim(struct slice line)
{
    while (line.len && is_blank(line.ptr[line.len - 1]))
        line.len--;
    return line;
}

static size_t skip_digits(struct slice word, size_t i)
{
    while (i < word.len && ascii_is_digit(word.ptr[i]))
        i++;
    return i;
}

/* Whether a word is [0-9]+(\.[0-9]*)?([eE][+-]?[0-9]+)?. */
static bool is_weight(struct slice word)
{
    size_t i = skip_digits(word, 0), exponent;

    if (i == 0)
        return false;
    if (i < word.len && word.ptr[i] == '.')
        i = skip_digits(word, i + 1);
    if (i == word.len)
        return true;
    if (word.ptr[i] != 'e' && word.ptr[i] != 'E')
        return false;
    i++;
    exponent = i + (i < word.len && (word.ptr[i] == '+' || word.ptr[i] == '-'));
    i = skip_digits(word, exponent);
    return i == word.len && i > exponent;
}

/* A quick test: whether the last word of a line has only characters that weights have. */
static bool may_end_with_weight(struct slice line)
{
    size_t at = line.len;

    while (at > 0 && ((unsigned)line.ptr[at - 1] - '0' < 10 ||
                      memchr(".eE+-", line.ptr[at - 1], sizeof(".eE+-") - 1)))
        at--;
    return at > 0 && is_blank(line.ptr[at - 1]);
}

struct slice folded_weight_word(struct slice line)
{
    size_t at = line.len;

    while (at > 0 && !is_blank(line.ptr[at - 1]))
        at--;
    return slice_skip(line, at);
}

enum folded_weight folded_weight_cut(struct slice *line, struct decimal *weight)
{
    enum { SAFE_DIGITS = 19 };
    struct slice word;
    uint64_t value = 0;
    uint64_t unit = 1;
    size_t at = line->len;

    while (at > 0 && line->len - at < SAFE_DIGITS && (unsigned)line->ptr[at - 1] - '0' < 10) {
        value += ((unsigned)line->ptr[--at] - '0') * unit;
        unit *= 10;
    }
    if (at > 0 && at < line->len && is_blank(line->ptr[at - 1])) {
        *weight = (struct decimal){value, 0, false};
    } else {
        if (!may_end_with_weight(*line))
            return FOLDED_WEIGHT_MISSING;
        word = folded_weight_word(*line);
        at = line->len - word.len;
        if (!is_weight(word))
            return FOLDED_WEIGHT_MISSING;
        if (!num_parse_decimal(word, weight))
            return FOLDED_WEIGHT_TOO_LARGE;
    }
    *line = slice_take(*line, at - 1);
    return FOLDED_WEIGHT_OK;
}

bool folded_weight_cut_base(struct slice *line, struct decimal *weight)
{
    struct slice rest = folded_weight_trim(*line);

    if (folded_weight_cut(&rest, weight) != FOLDED_WEIGHT_OK)
        return false;
    *line = rest;
    return true;
}

bool folded_weight_is_comment(struct slice line)
{
    return line.ptr[0] == '#' && slice_find(line, ';') == line.len;
}

/* ---- names ----------------------------------------------------------------------------------- */

enum { WORD = 8, FIRST_SLOTS = 256 };

static void folded_names_init(struct folded_names *n)
{
    *n = (struct folded_names){.mask = FIRST_SLOTS - 1, .key = hash_key()};
    n->slots = xcalloc(FIRST_SLOTS, sizeof(*n->slots));
}

static void folded_names_release(struct folded_names *n)
{
    xfree(n->slots);
    arena_release(&n->rests);
    vec_release(&n->items);
}

/* ---- a frame ------------------------------------------------------------------------------- */

/* A bit for each of FOLDED_START bytes that is a ';'. */
static uint32_t separators(const char *p)
{
#ifdef __SSE2__
    const __m128i wanted = _mm_set1_epi8(';');
    __m128i low = _mm_loadu_si128((const __m128i *)(const void *)p);
    __m128i high = _mm_loadu_si128((const __m128i *)(const void *)(p + 16));

    return (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(low, wanted)) |
           (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(high, wanted)) << 16;
#else
    uint32_t bits = 0;

    for (unsigned i = 0; i < FOLDED_START; i++)
        bits |= (uint32_t)(p[i] == ';') << i;
    return bits;
#endif
}

/* The bytes up to the next ';', or all that are left. */
static size_t frame_length(const char *text, size_t left)
{
    uint32_t bits = separators(text);
    size_t len = 0;

    while (!bits && left - len > FOLDED_START) {
        len += FOLDED_START;
        bits = separators(text + len);
    }
    len = bits ? len + (size_t)__builtin_ctz(bits) : left;
    return len < left ? len : left;
}

static uint64_t load(const char *p)
{
    return hash_load((const unsigned char *)p, WORD);
}

/* Fills in the name that is the first `len` bytes of a text, and returns its hash. */
static uint64_t look_at(const char *text, size_t len, uint64_t key, struct folded_name *name)
{
    /* Read from its middle less n, it keeps n bytes of a start. */
    static const unsigned char keep[2 * FOLDED_START] = {
        0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
        0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
        0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
    };
    const unsigned char *mask = keep + FOLDED_START - (len < FOLDED_START ? len : FOLDED_START);
    uint64_t *start = name->start;
    uint64_t hash;

    for (size_t i = 0; i < FOLDED_START / WORD; i++)
        start[i] = load(text + i * WORD) & hash_load(mask + i * WORD, WORD);
    name->rest = text + FOLDED_START;
    name->len = len;
    hash = hash_keyed(key, hash_keyed(key, start[0], start[1]) + len,
                      hash_keyed(key, start[2], start[3]));
    if (len <= FOLDED_START)
        return hash;
    return hash_keyed(key, hash, hash_keyed_bytes(key, name->rest, len - FOLDED_START));
}

static bool same_name(const struct folded_name *a, const struct folded_name *b)
{
    uint64_t differ = a->len ^ b->len;

    for (size_t i = 0; i < FOLDED_START / WORD; i++)
        differ |= a->start[i] ^ b->start[i];
    return !differ &&
           (a->len <= FOLDED_START || memcmp(a->rest, b->rest, a->len - FOLDED_START) == 0);
}

/* ---- the table ----------------------------------------------------------------------------- */

static size_t place(const struct folded_names *n, uint64_t hash)
{
    return (size_t)(hash >> 32) & n->mask;
}

static void put(struct folded_names *n, uint64_t slot)
{
    size_t at = place(n, slot);

    while (n->slots[at])
        at = (at + 1) & n->mask;
    n->slots[at] = slot;
}

static void grow_slots(struct folded_names *n)
{
    uint64_t *old = n->slots;
    size_t count = n->mask + 1;

    n->slots = xcalloc(2 * count, sizeof(*n->slots));
    n->mask = 2 * count - 1;
    for (size_t i = 0; i < count; i++)
        if (old[i])
            put(n, old[i]);
    xfree(old);
}

static uint32_t add(struct folded_names *n, struct folded_name name, uint64_t hash)
{
    size_t rest = name.len > FOLDED_START ? name.len - FOLDED_START : 0;

    if (n->items.count >= n->mask / 2)
        grow_slots(n);
    name.rest = arena_copy(&n->rests, slice_make(name.rest, rest)).ptr;
    *vec_add(&n->items) = name;
    put(n, (hash & 0xffffffff00000000u) | n->items.count);
    return (uint32_t)n->items.count - 1;
}

static uint32_t find_or_add(struct folded_names *n, const struct folded_name *name, uint64_t hash)
{
    uint64_t slot;

    for (size_t i = place(n, hash); (slot = n->slots[i]); i = (i + 1) & n->mask) {
        uint32_t number = (uint32_t)slot - 1;

        if ((slot ^ hash) >> 32 == 0 && same_name(&n->items.items[number], name))
            return number;
    }
    return add(n, *name, hash);
}

/* ---- several at once ------------------------------------------------------------------------- */

/*
 * MANY names are more than a small cache holds: then the slots and the names of several frames are
 * fetched before the first is compared, so that one does not wait for the other.
 */
enum { MANY = 4096, TOGETHER = 16 };

struct sought {
    struct folded_name name;
    uint64_t hash;
    const char *end; /* of the frame */
};

/* Takes the next frames, each of which ends at a ';' or at `end`. Returns their number. */
static unsigned seek(const struct folded_names *n, const char *at, const char *end,
                     struct sought frames[TOGETHER])
{
    unsigned most = n->items.count < MANY ? 1 : TOGETHER, count = 0;

    do {
        size_t len = frame_length(at, (size_t)(end - at));
        struct sought *f = &frames[count++];

        f->hash = look_at(at, len, n->key, &f->name);
        f->end = at + len;
        __builtin_prefetch(&n->slots[place(n, f->hash)]);
        at = f->end + 1;
    } while (at <= end && count < most);
    for (unsigned i = 0; count > 1 && i < count; i++) {
        uint64_t slot = n->slots[place(n, frames[i].hash)];

        if (slot)
            __builtin_prefetch(&n->items.items[(uint32_t)slot - 1]);
    }
    return count;
}

/* ---- lines of a block ------------------------------------------------------------------------ */

void folded_scan_lane_init(struct folded_lane *lane, const struct input_limits *limits,
                           bool differential)
{
    *lane = (struct folded_lane){.limits = limits, .differential = differential};
    folded_names_init(&lane->names);
}

void folded_scan_lane_release(struct folded_lane *lane)
{
    folded_names_release(&lane->names);
    vec_release(&lane->symbols);
}

void folded_scan_release(struct folded_scan *scan)
{
    release_all(scan, vec, lines, frames, path);
}

/* ---- one stack and the one before ---------------------------------------------------------- */

static size_t common_prefix(struct slice a, struct slice b)
{
    size_t len = a.len < b.len ? a.len : b.len;
    size_t i = 0;

    for (; i < len; i += WORD) {
        uint64_t differ = hash_load((const unsigned char *)a.ptr + i, WORD) ^
                          hash_load((const unsigned char *)b.ptr + i, WORD);

        if (differ) {
            i += (size_t)__builtin_ctzll(differ) / 8;
            break;
        }
    }
    return i < len ? i : len;
}

struct folded_match folded_scan_match(struct slice before, struct slice text)
{
    size_t same = common_prefix(before, text);
    enum folded_order order = FOLDED_ASCENDS;

    if (same == before.len)
        order = same < text.len && text.ptr[same] != ';' ? FOLDED_BESIDE : FOLDED_EXTENDS;
    else if (same == text.len || (unsigned char)text.ptr[same] < (unsigned char)before.ptr[same])
        order = FOLDED_DESCENDS;
    return (struct folded_match){same, order};
}

/* Cuts the path to the frames that `text` begins with. */
static void keep_common_frames(struct folded_scan *scan, struct slice text, size_t same)
{
    bool boundary = same == text.len || text.ptr[same] == ';';
    size_t depth = scan->path.count;

    while (depth > 0 && (scan->path.items[depth - 1] > same ||
                         (scan->path.items[depth - 1] == same && !boundary)))
        depth--;
    scan->path.count = depth;
}

/* ---- lines --------------------------------------------------------------------------------- */

/* The frames next to the leaf, as many as the limit lets through. */
static struct slice limit_depth(const struct input_limits *limits, struct folded_line *line)
{
    struct slice text = line->text, rest = text;
    size_t left = limits->max_depth;
    size_t cut;

    if (text.len < left)
        return text;
    do {
        cut = slice_find_last(rest, ';');
        if (cut == rest.len)
            return text;
        rest = slice_take(rest, cut);
    } while (--left > 0);
    line->truncated = true;
    return slice_skip(text, cut + 1);
}

static bool has_long_name(const struct input_limits *limits, struct slice text)
{
    struct slice name;

    if (text.len <= limits->max_name)
        return false;
    while (slice_cut(&text, ';', &name))
        if (name.len > limits->max_name)
            return true;
    return false;
}

/* Adds the frames of a text that are not in the path. */
static void add_frames(struct folded_scan *scan, struct slice text)
{
    struct folded_names *names = &scan->lane->names;
    size_t depth = scan->path.count;
    size_t from = depth ? scan->path.items[depth - 1] + 1 : 0;
    const char *end = text.ptr + text.len;
    struct sought frames[TOGETHER];

    while (text.len && from <= text.len) {
        unsigned count = seek(names, text.ptr + from, end, frames);

        vec_reserve(&scan->frames, scan->frames.count + count);
        vec_reserve(&scan->path, scan->path.count + count);
        for (unsigned i = 0; i < count; i++) {
            uint32_t name = find_or_add(names, &frames[i].name, frames[i].hash);
            size_t to = (size_t)(frames[i].end - text.ptr);

            scan->frames.items[scan->frames.count++] = (struct folded_frame){to, name};
            scan->path.items[scan->path.count++] = to;
            from = to + 1;
        }
    }
}

static void add_stack(struct folded_scan *scan, struct folded_line line)
{
    const struct folded_lane *lane = scan->lane;

    line.text = limit_depth(lane->limits, &line);
    line.cut_name = has_long_name(lane->limits, line.text);
    line.alone = !scan->before.ptr;
    if (!line.alone) {
        line.match = folded_scan_match(scan->before, line.text);
        keep_common_frames(scan, line.text, line.match.same);
    }
    line.depth = scan->path.count;
    line.frames = scan->frames.count;
    add_frames(scan, line.text);
    line.frame_count = scan->frames.count - line.frames;
    scan->before = line.text;
    *vec_add(&scan->lines) = line;
}

/* The next stack is compared with none. */
static void forget_before(struct folded_scan *scan)
{
    scan->before = slice_make(NULL, 0);
    vec_clear(&scan->path);
}

/* Adds a stack that may be the first of the file twice: with bcc's "^C" and without. */
static void add_interrupted(struct folded_scan *scan, struct folded_line line)
{
    line.when = FOLDED_UNLESS_FIRST;
    add_stack(scan, line);
    forget_before(scan);
    line.when = FOLDED_IF_FIRST;
    line.text = slice_skip(line.text, 2);
    add_stack(scan, line);
    forget_before(scan);
}

static void add_line(struct folded_scan *scan, struct slice text)
{
    struct folded_line line = {.number = scan->line_count};

    text = folded_weight_trim(text);
    if (!text.len)
        return;
    line.text = text;
    line.result = folded_weight_is_comment(text) ? FOLDED_WEIGHT_MISSING
                                                 : folded_weight_cut(&line.text, &line.weight);
    if (line.result == FOLDED_WEIGHT_OK && line.weight.rounded && !line.weight.value) {
        line.result = FOLDED_WEIGHT_TOO_SMALL;
        line.text = text;
    }
    if (line.result != FOLDED_WEIGHT_OK) {
        *vec_add(&scan->lines) = line;
        return;
    }
    if (!scan->lane->differential || !folded_weight_cut_base(&line.text, &line.base))
        line.base = line.weight;
    if (line.text.len && line.text.ptr[line.text.len - 1] == ';')
        line.text.len--;
    if (!scan->before.ptr && slice_starts(line.text, SLICE("^C")))
        add_interrupted(scan, line);
    else
        add_stack(scan, line);
}

/* The line ends that a text begins with: gigabytes of empty lines fit into small gzip files. */
static size_t count_line_ends(const char *at, const char *end)
{
    const uint64_t all = UINT64_C(0x0a0a0a0a0a0a0a0a);
    const char *p = at;

    while (end - p >= WORD && load(p) == all)
        p += WORD;
    while (p < end && *p == '\n')
        p++;
    return (size_t)(p - at);
}

void folded_scan_block(struct folded_scan *scan, struct folded_lane *lane, struct slice block)
{
    const char *at = block.ptr, *end = block.ptr + block.len;

    scan->lane = lane;
    vec_clear(&scan->lines);
    vec_clear(&scan->frames);
    vec_reserve(&scan->frames, 1); /* never NULL */
    scan->line_count = 0;
    forget_before(scan);
    for (;;) {
        size_t empty = count_line_ends(at, end);
        const char *lf;

        scan->line_count += empty;
        at += empty;
        if (at == end)
            break;
        lf = memchr(at, '\n', (size_t)(end - at));
        BUG_ON(!lf);
        scan->line_count++;
        add_line(scan, slice_make(at, (size_t)(lf - at)));
        at = lf + 1;
    }
}
