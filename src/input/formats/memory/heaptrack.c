/*
 * Reader of heaptrack's files, as heaptrack_interpret writes them: a record in
 * each line, with hexadecimal numbers. Strings, instructions and stacks are
 * numbered from 1 in the order of the file; 0 is none.
 *
 *     v 10400 3                     version of heaptrack, version of the file (1 to 3)
 *     X ./app --flag                command
 *     I 1000 5e298d                 page size, number of pages of memory
 *     s [length] text               string; with its length since version 3
 *     i address module [function file line]*     instruction; innermost function
 *                                   first, followed by those it is inlined in
 *     t instruction parent          stack: an instruction called from a stack
 *     a size stack                  kind of allocation, numbered from 0
 *     + kind   - kind               an allocation of that kind, and its release
 *     c milliseconds   R pages      time, resident memory
 *
 * The series are: number of allocations, bytes allocated, bytes in use at the
 * peak, bytes never released ("leaked"), and the number of allocations released
 * before the next allocation ("temporary").
 *
 * heaptrack_print omits operator new and the callers of main, and reverses
 * inlined functions; so does --names=reference. Known leaks, which
 * heaptrack_print suppresses, are counted here.
 *
 * Source: src/analyze and src/interpret in github.com/KDE/heaptrack.
 */
#include "base/arena.h"
#include "base/num.h"
#include "input/build/builder.h"
#include "input/core/cut_off.h"
#include "input/format.h"

/* ---- strings, instructions, stacks --------------------------------------------------------- */

struct heaptrack_instruction {
    size_t frames_end; /* end of its range of `frames`, which begins at the previous one's end */
    bool is_new;       /* operator new, which the reference omits */
    bool is_stop;      /* main, whose callers the reference omits */
};

/* All of them are numbered in order, so a malformed one is added as an empty one. */
struct heaptrack_stacks {
    struct builder *b;
    bool reference; /* name frames as heaptrack_print -F does */
    struct arena bytes;
    VEC(struct slice) strings;
    VEC(struct heaptrack_instruction) instructions;
    VEC(uint32_t) frames; /* the builder's entries of all instructions, outermost first */
    VEC(uint32_t) stacks; /* the profile's stacks, by number - 1 */
    struct buf scratch;
};

static void heaptrack_stack_init(struct heaptrack_stacks *h, struct builder *b)
{
    *h = (struct heaptrack_stacks){.b = b, .reference = b->options->names == NAMES_REFERENCE};
}

static void heaptrack_stack_release(struct heaptrack_stacks *h)
{
    release_each(h, (arena, bytes), (vec, strings, instructions, frames, stacks), (buf, scratch));
}

/* Reads the next hexadecimal number of a record. */
static bool heaptrack_stack_number(struct slice *rest, uint64_t *value)
{
    struct slice word;

    return slice_word(rest, &word) && num_parse_hex(word, value);
}

/* Returns a string by its number, or an empty one. */
static struct slice string_of(const struct heaptrack_stacks *h, uint64_t number)
{
    return number && number <= h->strings.count ? h->strings.items[number - 1] : SLICE("");
}

static void heaptrack_stack_add_string(struct heaptrack_stacks *h, struct slice text)
{
    *vec_add(&h->strings) = arena_copy(&h->bytes, text);
}

static bool ends_in(const struct buf *text, const char *end)
{
    return slice_ends(buf_slice(text), slice_str(end));
}

/* Appends a name without its template arguments, as heaptrack_print does. */
static void add_reference_name(struct buf *out, struct slice name)
{
    int depth = 0;

    for (size_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];

        if (c == '<' && ends_in(out, ends_in(out, "<") ? "operator<" : "operator")) {
            buf_add_char(out, c);
            continue;
        }
        if (c == '>' && ends_in(out, ends_in(out, ">") ? "operator>" : "operator")) {
            buf_add_char(out, c);
            continue;
        }
        if (c == '<' && ++depth == 1)
            buf_add_char(out, c);
        else if (c == '>')
            depth--;
        if (!depth)
            buf_add_char(out, c);
    }
}

static struct slice base_name(struct slice path)
{
    size_t slash = slice_find_last(path, '/');

    return slash < path.len ? slice_skip(path, slash + 1) : path;
}

/* Names a frame as heaptrack_print -F: "function (file)"; `named` writes unknown files, too. */
static void make_reference(struct heaptrack_stacks *h, struct frame *f, bool named)
{
    buf_clear(&h->scratch);
    if (f->name.len)
        add_reference_name(&h->scratch, f->name);
    else
        buf_printf(&h->scratch, "0x%llx", (unsigned long long)f->address);
    if (f->file.len || named)
        buf_printf(&h->scratch, " (%.*s)", SLICE_ARG(base_name(f->file)));
    *f = (struct frame){.name = buf_slice(&h->scratch), .kind = FRAME_PLAIN};
}

static bool is_among(struct slice name, const char *const *names)
{
    for (; *names; names++)
        if (slice_equal(name, slice_str(*names)))
            return true;
    return false;
}

/* Reverses the entries from `first` on. */
static void reverse_frames(struct heaptrack_stacks *h, size_t first)
{
    for (size_t last = h->frames.count; first + 1 < last;) {
        uint32_t entry = h->frames.items[first];

        h->frames.items[first++] = h->frames.items[--last];
        h->frames.items[last] = entry;
    }
}

/* Adds "address module [function file line]*". Returns false if it is malformed. */
static bool heaptrack_stack_add_instruction(struct heaptrack_stacks *h, struct slice rest)
{
    static const char *const news[] = {
        "operator new(unsigned long)", "operator new[](unsigned long)",
        "operator new(unsigned int)", "operator new[](unsigned int)", NULL};
    static const char *const stops[] = {"main", "__libc_start_main",
                                        "__static_initialization_and_destruction_0", NULL};
    uint64_t address, module, function, file = 0, line = 0;
    struct heaptrack_instruction instruction = {0};
    size_t first = h->frames.count;
    bool more;

    if (!heaptrack_stack_number(&rest, &address) || !heaptrack_stack_number(&rest, &module)) {
        *vec_add(&h->instructions) = (struct heaptrack_instruction){.frames_end = first};
        return false;
    }
    more = heaptrack_stack_number(&rest, &function);
    if (!more)
        function = 0;
    instruction.is_new = is_among(string_of(h, function), news);
    instruction.is_stop = is_among(string_of(h, function), stops);
    do {
        bool last =
            !more || !heaptrack_stack_number(&rest, &file) || !heaptrack_stack_number(&rest, &line);
        struct frame f = {.name = string_of(h, function),
                          .module = string_of(h, module),
                          .file = string_of(h, file),
                          .line = line,
                          .address = address,
                          .has_address = true,
                          .kind = FRAME_NATIVE};

        more = !last && heaptrack_stack_number(&rest, &function);
        if (h->reference)
            make_reference(h, &f, h->frames.count > first);
        else if (more)
            f.class = SYMBOL_INLINED;
        *vec_add(&h->frames) = builder_entry(h->b, &f);
        file = line = 0;
    } while (more);
    if (!h->reference)
        reverse_frames(h, first);
    instruction.frames_end = h->frames.count;
    *vec_add(&h->instructions) = instruction;
    return true;
}

/* Makes the stack of `instruction` called from `parent`. Returns false after an error. */
static bool call(struct heaptrack_stacks *h, uint64_t instruction, uint32_t parent, uint32_t *stack)
{
    const struct heaptrack_instruction *all = h->instructions.items;
    size_t at = instruction ? all[instruction - 1].frames_end : 0;

    *stack = parent;
    if (h->reference && all[instruction].is_new)
        return true;
    if (h->reference && all[instruction].is_stop)
        *stack = STACK_ROOT;
    for (; at < all[instruction].frames_end; at++)
        if (!builder_child_entry(h->b, *stack, h->frames.items[at], stack))
            return false;
    return true;
}

/*
 * Adds "instruction parent". Sets `*fine` to whether it is well-formed. Returns
 * false after reporting an error.
 */
static bool heaptrack_stack_add(struct heaptrack_stacks *h, struct slice rest, bool *fine)
{
    uint64_t instruction, parent;
    uint32_t stack = STACK_ROOT;

    *fine = heaptrack_stack_number(&rest, &instruction) && heaptrack_stack_number(&rest, &parent) &&
            instruction && instruction <= h->instructions.count && parent <= h->stacks.count;
    if (*fine && parent)
        stack = h->stacks.items[parent - 1];
    if (*fine && !call(h, instruction - 1, stack, &stack))
        return false;
    *vec_add(&h->stacks) = stack;
    return true;
}

/* ---- the reader ---------------------------------------------------------------------------- */

enum { VERSION_FIRST = 1, SIZED_STRINGS = 3, VERSION_LAST = 3 };

enum { ALLOCATIONS, ALLOCATED, PEAK, LEAKED, TEMPORARY, SERIES };

/* A kind of allocation: its size and stack. */
struct kind {
    uint64_t size;
    uint32_t trace;
};

/* The allocations of a stack. */
struct trace {
    uint64_t count, allocated, leaked, peak, temporary;
    bool changed; /* since the last peak */
};

struct heaptrack {
    struct builder b;
    struct heaptrack_stacks stacks;
    uint64_t version;
    VEC(struct trace) traces; /* by number - 1 */
    VEC(struct kind) kinds;
    VEC(uint32_t) changed;                        /* traces that changed since the last peak */
    uint64_t used, most, last_kind, time_ms;      /* bytes in use now and at the peak */
    uint64_t stated_strings, stated_instructions; /* numbers stated in the last lines */
    bool ended;                                   /* the last line was read */
    struct buf text;                              /* start of a string that contains line ends */
    uint64_t text_missing;                        /* number of its bytes in further lines */
};

#define NO_KIND UINT64_MAX

static bool heaptrack_begin(struct text *t, void *state)
{
    struct heaptrack *h = state;

    h->last_kind = NO_KIND;
    builder_init(&h->b, t->profile, t->options, t->diag);
    heaptrack_stack_init(&h->stacks, &h->b);
    return true;
}

STATE_RELEASE(heaptrack, (builder, b), (heaptrack_stack, stacks), (vec, traces, kinds, changed),
              (buf, text));

static bool take(struct slice *rest, uint64_t *value)
{
    return heaptrack_stack_number(rest, value);
}

/* ---- definitions --------------------------------------------------------------------------- */

static bool read_string(struct heaptrack *h, struct slice rest)
{
    uint64_t length;

    if (h->version < SIZED_STRINGS) {
        heaptrack_stack_add_string(&h->stacks, rest);
        return true;
    }
    if (!take(&rest, &length) || length > h->b.options->limits.max_line) {
        heaptrack_stack_add_string(&h->stacks, SLICE(""));
        return false;
    }
    rest = slice_skip(rest, 1);
    if (rest.len >= length) {
        heaptrack_stack_add_string(&h->stacks, slice_take(rest, (size_t)length));
        return rest.len == length;
    }
    h->text_missing = length - rest.len;
    buf_clear(&h->text);
    buf_add_slice(&h->text, rest);
    return true;
}

/* Reads a further line of a string that contains line ends. */
static void continue_string(struct heaptrack *h, struct slice line)
{
    line = slice_take(line, (size_t)h->text_missing - 1);
    buf_add_char(&h->text, '\n');
    buf_add_slice(&h->text, line);
    h->text_missing -= line.len + 1;
    if (!h->text_missing)
        heaptrack_stack_add_string(&h->stacks, buf_slice(&h->text));
}

/* Sets `*fine` to whether the record is well-formed. Returns false after reporting an error. */
static bool read_trace(struct heaptrack *h, struct slice rest, bool *fine)
{
    *vec_add(&h->traces) = (struct trace){0};
    return heaptrack_stack_add(&h->stacks, rest, fine);
}

static bool read_kind(struct heaptrack *h, struct slice rest)
{
    uint64_t size, trace;
    bool fine = take(&rest, &size) && take(&rest, &trace) && trace && trace <= h->traces.count;

    *vec_add(&h->kinds) =
        fine ? (struct kind){size, (uint32_t)trace - 1} : (struct kind){0, UINT32_MAX};
    return fine;
}

/* ---- allocations --------------------------------------------------------------------------- */

/* Marks the trace of a kind as changed. Returns NULL if the kind is undefined. */
static inline struct trace *change(struct heaptrack *h, uint64_t kind)
{
    struct trace *trace;
    uint32_t id = kind < h->kinds.count ? h->kinds.items[kind].trace : UINT32_MAX;

    if (id == UINT32_MAX)
        return NULL;
    trace = &h->traces.items[id];
    if (!trace->changed)
        *vec_add(&h->changed) = id;
    trace->changed = true;
    return trace;
}

/* Makes the current state the peak. Only traces changed since the last peak need an update. */
static void keep_peak(struct heaptrack *h)
{
    h->most = h->used;
    vec_each (uint32_t, id, &h->changed) {
        struct trace *trace = &h->traces.items[*id];

        trace->peak = trace->leaked;
        trace->changed = false;
    }
    vec_clear(&h->changed);
}

static inline bool add_allocation(struct heaptrack *h, uint64_t kind, bool *fine)
{
    struct trace *trace = change(h, kind);
    uint64_t size;

    *fine = trace;
    if (!trace)
        return true;
    size = h->kinds.items[kind].size;
    if (!num_add(h->used, size, &h->used) || !num_add(trace->allocated, size, &trace->allocated))
        return diag_error(h->b.diag, PROFILE_TOO_HEAVY);
    trace->leaked += size;
    trace->count++;
    h->last_kind = kind;
    if (h->used > h->most)
        keep_peak(h);
    return true;
}

static inline bool add_release(struct heaptrack *h, uint64_t kind)
{
    struct trace *trace = change(h, kind);
    uint64_t size;

    if (!trace)
        return false;
    size = h->kinds.items[kind].size;
    if (size > trace->leaked)
        return false;
    trace->leaked -= size;
    h->used -= size;
    trace->temporary += kind == h->last_kind;
    h->last_kind = NO_KIND;
    return true;
}

/* ---- records ------------------------------------------------------------------------------- */

static bool read_version(struct heaptrack *h, struct slice rest)
{
    uint64_t program, version = 0;
    bool fine = take(&rest, &program);

    if (fine && !take(&rest, &version))
        version = program >= 0x10000 ? VERSION_FIRST : 0;
    h->version = version;
    if (fine && version >= VERSION_FIRST && version <= VERSION_LAST)
        return true;
    return diag_error(h->b.diag,
                      "unsupported version %llu of heaptrack's file format; "
                      "run: heaptrack_print -F app.folded FILE",
                      (unsigned long long)version);
}

/* "# strings: 476", in decimal: the last lines. */
static bool read_comment(struct heaptrack *h, struct slice line)
{
    const struct slice strings = SLICE("# strings: "), instructions = SLICE("# ips: ");

    if (slice_starts(line, strings))
        return num_parse_u64(slice_skip(line, strings.len), &h->stated_strings);
    if (slice_starts(line, instructions)) {
        h->ended = true;
        return num_parse_u64(slice_skip(line, instructions.len), &h->stated_instructions);
    }
    return true;
}

/*
 * Reads a record. Sets `*fine` to whether it is well-formed. Returns false after
 * reporting an error.
 */
static bool read_record(struct heaptrack *h, struct slice line, bool *fine)
{
    struct slice rest = slice_skip(line, 2);
    uint64_t kind;

    *fine = line.len == 1 || line.ptr[1] == ' ';
    switch (*fine ? line.ptr[0] : 0) {
    case 's':
        *fine = read_string(h, rest);
        return true;
    case 'i':
        *fine = heaptrack_stack_add_instruction(&h->stacks, rest);
        return true;
    case 't':
        return read_trace(h, rest, fine);
    case 'a':
        *fine = read_kind(h, rest);
        return true;
    case '+':
        *fine = take(&rest, &kind);
        return !*fine || add_allocation(h, kind, fine);
    case '-':
        *fine = take(&rest, &kind) && add_release(h, kind);
        return true;
    case 'v':
        return read_version(h, rest);
    case 'X':
        profile_add_fact(h->b.profile, SLICE("command"), rest);
        return true;
    case 'c':
        *fine = take(&rest, &h->time_ms);
        return true;
    case '#':
        *fine = read_comment(h, line);
        return true;
    case 'A': /* attached to a running process */
    case 'I':
    case 'R':
    case 'S': /* a known leak */
        return true;
    default:
        *fine = false;
        return true;
    }
}

static const char invalid[] = "invalid record of heaptrack";

static bool read_line(struct text *t, struct heaptrack *h, struct slice line)
{
    bool fine = true;

    if (h->text_missing) {
        continue_string(h, line);
        return true;
    }
    if (!line.len)
        return true;
    if (slice_starts(line, SLICE("m ")) || slice_starts(line, SLICE("x ")))
        return diag_error(t->diag, "heaptrack's raw data, without function names; "
                                   "run: heaptrack_interpret < FILE > NEW");
    return read_record(h, line, &fine) && (fine || text_skip_line(t, invalid, line));
}

/*
 * Fast path for "+ 1f" and "- 1f" with up to seven digits. Returns the start of
 * the next line, or NULL for any other line.
 */
static inline const char *read_change(struct text *t, struct heaptrack *h, const char *p, bool *ok)
{
    uint64_t kind;
    unsigned digits;
    bool fine;

    if ((p[0] != '+' && p[0] != '-') || p[1] != ' ')
        return NULL;
    digits = num_take_hex(p + 2, &kind);
    if (!digits || p[2 + digits] != '\n')
        return NULL;
    if (p[0] == '+')
        *ok = add_allocation(h, kind, &fine);
    else
        fine = add_release(h, kind);
    if (*ok && !fine)
        text_skip_line(t, invalid, slice_make(p, 2 + digits));
    return p + 2 + digits + 1;
}

static bool heaptrack_lines(struct text *t, void *state, struct slice block)
{
    const char *p = block.ptr, *end = block.ptr + block.len;
    struct heaptrack *h = state;
    struct slice line;
    bool ok = true;

    while (ok && p < end) {
        const char *next = NULL;

        t->line++;
        if (!h->text_missing)
            next = read_change(t, h, p, &ok);
        if (next) {
            p = next;
            continue;
        }
        line = slice_make(p, (size_t)(text_line_end(p, end) - p));
        p = line.ptr + line.len + 1;
        if (line.len && line.ptr[line.len - 1] == '\r')
            line.len--;
        ok = read_line(t, h, line);
    }
    return ok;
}

/* ---- the series ---------------------------------------------------------------------------- */

static uint64_t weight_of(const struct trace *t, unsigned which)
{
    const uint64_t weights[SERIES] = {
        [ALLOCATIONS] = t->count, [ALLOCATED] = t->allocated, [PEAK] = t->peak,
        [LEAKED] = t->leaked,     [TEMPORARY] = t->temporary,
    };

    return weights[which];
}

static bool add_series(struct heaptrack *h, unsigned which)
{
    static const struct {
        const char *name;
        struct slice unit;
    } series[SERIES] = {
        [ALLOCATIONS] = {"allocations", {"allocations", 11}},
        [ALLOCATED] = {"allocated", {"bytes", 5}},
        [PEAK] = {"peak", {"bytes", 5}},
        [LEAKED] = {"leaked", {"bytes", 5}},
        [TEMPORARY] = {"temporary", {"allocations", 11}},
    };
    struct origin origin = {.event = slice_str(series[which].name)};
    uint32_t id = builder_series(&h->b, &origin, unit_named(series[which].unit));

    for (size_t i = 0; i < h->traces.count; i++) {
        struct decimal weight = {.value = weight_of(&h->traces.items[i], which)};

        if (weight.value && !builder_add_at(&h->b, id, h->stacks.stacks.items[i], weight))
            return false;
    }
    h->b.profile->series.items[id].uncounted = true;
    builder_time(&h->b, id, 0);
    builder_time(&h->b, id, h->time_ms * 1000000);
    return true;
}

static bool heaptrack_end(struct text *t, void *state)
{
    struct heaptrack *h = state;

    if (!h->ended || h->text_missing)
        cut_off(t, DIAG_AT_FILE, "heaptrack's last lines are missing; the file may be truncated");
    else if (h->stated_strings != h->stacks.strings.count ||
             h->stated_instructions != h->stacks.instructions.count)
        diag_warn(
            t->diag, "the file has %zu strings and %zu instructions, but states %llu and %llu",
            h->stacks.strings.count, h->stacks.instructions.count,
            (unsigned long long)h->stated_strings, (unsigned long long)h->stated_instructions);
    for (unsigned i = 0; i < SERIES; i++)
        if (!add_series(h, i))
            return false;
    return true;
}

static bool heaptrack_claims(const struct head *head)
{
    struct slice rest = head->bytes, line, words;
    uint64_t program, version;

    if (!head_line(head, &rest, &line) || !slice_starts(line, SLICE("v ")))
        return false;
    words = slice_skip(line, 2);
    if (!take(&words, &program) || program < 0x10000 || (words.len && !take(&words, &version)) ||
        words.len)
        return false;
    return head_line(head, &rest, &line) && line.len > 2 && line.ptr[1] == ' ' &&
           strchr("XxIms", line.ptr[0]);
}

const struct format format_heaptrack = {
    .name = "heaptrack",
    .family = FORMAT_MEMORY,
    .description = "heaptrack's files: allocations, bytes, peak, leaks",
    .recognised = "a first line 'v 10400 3', then 'X command'",
    .example = "heaptrack -o app ./app   # writes app.zst",
    .without_stacks = "the program allocated nothing while it was recorded",
    .claims = heaptrack_claims,
    .text = {TEXT_BLOCK_READER(heaptrack)},
};
