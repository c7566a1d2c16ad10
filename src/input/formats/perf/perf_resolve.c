#include "input/formats/perf/perf_resolve.h"

#include "input/build/demangle.h"

void perf_resolver_init(struct perf_resolver *r, struct perf_modules *modules,
                        struct perf_spaces *spaces, struct perf_samples *samples)
{
    *r = (struct perf_resolver){.modules = modules, .spaces = spaces, .samples = samples};
    perf_unwind_init(&r->unwind, modules);
}

void perf_resolver_release(struct perf_resolver *r)
{
    release_each(r, (map, index), (perf_unwind, unwind), (vec, entries, symbols), (arena, texts),
                 (buf, lines));
}

/* ---- an address ------------------------------------------------------------------------------ */

static bool same_entry(const void *context, uint32_t id, const void *key)
{
    const struct perf_resolved *a = &((const struct perf_resolver *)context)->entries.items[id];
    const struct perf_resolved *b = key;

    return a->offset == b->offset && a->module == b->module && a->java == b->java &&
           a->inlined == b->inlined && a->another == b->another;
}

/* Whether the samples take frames by perf_sched_frame(), too. */
static bool has_whole_names(const struct perf_resolver *r)
{
    return r->samples->scheduling && r->samples->sched.whole_names;
}

/* Adds the symbols of a frame to the current entry. The place is that of the outermost one. */
static void add_frame(struct perf_resolver *r, struct perf_resolved *entry,
                      const struct perf_frame *frame, const struct perf_place *place)
{
    struct perf_frames *f = r->samples->in_use;
    uint32_t *last;

    perf_frames_resolve_parts(f, frame);
    if (f->found.count) {
        last = &f->found.items[f->found.count - 1];
        *last = perf_frames_place(f, *last, place->file, place->line);
    }
    vec_each (uint32_t, symbol, &f->found)
        *vec_add(&r->symbols) = *symbol;
    entry->count += (uint32_t)f->found.count;
    if (has_whole_names(r))
        buf_printf(&r->lines, "%.*s (%.*s)\n", SLICE_ARG(frame->symbol), SLICE_ARG(frame->module));
}

/* The name of a symbol as perf script prints it, which reference converters read. */
static struct slice name_of(struct perf_resolver *r, struct slice name, struct buf *scratch)
{
    const struct input_options *o = r->modules->files.options;

    if (o->names != NAMES_REFERENCE || !demangle_add(scratch, name))
        return name;
    return buf_slice(scratch);
}

/* An address whose symbol is known. */
struct place_of_code {
    uint64_t address, start; /* in the binary: its own, that of the symbol */
    struct slice symbol;     /* as the binary has its name */
};

/*
 * Adds the functions at an address, of which all but the last are inlined. Returns false if there
 * is nothing known of them.
 */
static bool add_functions(struct perf_resolver *r, struct perf_resolved *entry,
                          const struct perf_frame *outer, const struct place_of_code *code,
                          const struct perf_place *start)
{
    struct perf_function functions[PERF_INLINE_MOST];
    struct perf_place place;
    unsigned count =
        perf_modules_inlined(r->modules, entry->module, code->address, &place, functions);
    struct buf name = {0};

    for (unsigned i = 0; i < count; i++) {
        const struct perf_function *f = &functions[i];
        struct perf_frame frame = {.address = outer->address, .module = SLICE("inlined")};
        bool same = f->is_base || !f->name.len || slice_equal(f->name, code->symbol);

        /*
         * As perf prints it: the function around all others is the symbol, even if it has another
         * name there, and so is what has the name of the symbol. The others are inlined.
         */
        buf_clear(&name);
        frame.symbol = name_of(r, f->name, &name);
        add_frame(r, entry, same ? outer : &frame,
                  same && !r->modules->files.options->srcline ? start : &f->place);
    }
    buf_release(&name);
    return count;
}

/*
 * Adds the frames of an address. A symbol is where its function begins, so that it has the same
 * place whichever of its addresses was sampled first; but with --srcline names have the lines of
 * the addresses.
 */
static void add_code(struct perf_resolver *r, struct perf_resolved *entry,
                     const struct perf_frame *frame, const struct place_of_code *code)
{
    struct perf_place place;

    if (r->modules->files.options->srcline)
        perf_modules_inlined(r->modules, entry->module, code->address, &place, NULL);
    else
        place = perf_modules_start(r->modules, entry->module, code->start);
    if (!entry->inlined || !add_functions(r, entry, frame, code, &place))
        add_frame(r, entry, frame, &place);
}

static void resolve(struct perf_resolver *r, struct perf_resolved *entry,
                    const struct perf_map *map, uint64_t address)
{
    static const struct perf_place nowhere;
    struct perf_frame frame = {.symbol = SLICE("[unknown]"), .module = SLICE("[unknown]")};
    const struct binary_symbol *symbol = NULL;
    struct place_of_code code = {.address = address};
    uint64_t shown = address;
    struct buf hex = {0}, name = {0};
    bool kernel = false;

    if (map) {
        const struct perf_module *module = &r->modules->items.items[map->module];

        symbol = perf_modules_find(r->modules, map, address, &code.address);
        kernel = module->kind == PERF_KERNEL;
        frame.module = module->name;
        shown = kernel ? address : entry->offset;
    }
    entry->unnamed = !symbol;
    if (symbol) {
        frame.symbol = name_of(r, symbol->name, &name);
        code.symbol = symbol->name;
        /* Symbols of the kernel are at the addresses of the recording. */
        code.start = code.address - ((kernel ? address : code.address) - symbol->start);
    }
    buf_printf(&hex, "%llx", (unsigned long long)shown);
    frame.address = buf_slice(&hex);
    if (symbol)
        add_code(r, entry, &frame, &code);
    else
        add_frame(r, entry, &frame, &nowhere);
    buf_release(&hex);
    buf_release(&name);
}

static uint32_t find_entry(struct perf_resolver *r, const struct perf_map *map, uint64_t address,
                           bool java)
{
    struct perf_resolved key = {
        .offset = address, .module = UINT32_MAX, .java = java, .inlined = r->inlined};
    uint64_t hash;
    uint32_t id;

    if (map) {
        key.module = map->module;
        key.offset = address - map->start + map->offset;
        key.another = perf_modules_is_another(r->modules, map);
    }
    hash = map_hash_pair(&r->index, key.offset,
                         (uint64_t)key.module << 3 | key.another << 2 | r->inlined << 1 | java);
    id = map_find(&r->index, hash, same_entry, r, &key);
    if (id != MAP_NONE)
        return id;
    key.first = (uint32_t)r->symbols.count;
    buf_clear(&r->lines);
    resolve(r, &key, map, address);
    key.lines = arena_copy(&r->texts, buf_slice(&r->lines));
    id = (uint32_t)r->entries.count;
    *vec_add(&r->entries) = key;
    map_add(&r->index, hash, id);
    return id;
}

static void count_frame(struct perf_resolver *r, const struct perf_resolved *entry)
{
    struct perf_module *module;

    if (entry->module == UINT32_MAX)
        return;
    module = &r->modules->items.items[entry->module];
    module->file.frames++;
    module->file.unnamed += entry->unnamed;
}

static void push_lines(struct perf_resolver *r, struct slice lines)
{
    struct slice line;

    while (slice_line(&lines, &line))
        perf_sched_frame(&r->samples->sched, line);
}

/* Pushes the frames of an address in a space; NULL for a part of memory that is not known. */
static void push_address(struct perf_resolver *r, const struct perf_space *space, uint64_t address)
{
    static const struct perf_space nothing = {.version = 1};
    bool java = r->samples->in_use->java;
    struct perf_recent *recent;
    const struct perf_resolved *entry;

    if (!space)
        space = &nothing;
    recent = &r->recent[(address ^ (uint64_t)space->version * 0x9e3779b1u) % PERF_RECENT];
    if (recent->address != address || recent->version != space->version || recent->java != java ||
        recent->inlined != r->inlined)
        *recent =
            (struct perf_recent){address, space->version, java, r->inlined,
                                 find_entry(r, perf_space_find(space, address), address, java)};
    entry = &r->entries.items[recent->entry];
    perf_samples_push_all(r->samples, r->symbols.items + entry->first, entry->count);
    count_frame(r, entry);
    if (has_whole_names(r))
        push_lines(r, entry->lines);
}

/* ---- a sample -------------------------------------------------------------------------------- */

static const struct perf_space *space_of(const struct perf_resolver *r, const struct perf_thread *t,
                                         unsigned mode)
{
    if (mode == PERF_RECORD_MISC_KERNEL)
        return &r->spaces->spaces.items[PERF_KERNEL_SPACE];
    return mode == PERF_RECORD_MISC_USER ? perf_spaces_of(r->spaces, t) : NULL;
}

/* Sets the mode of the addresses that follow a context. Returns false for an unknown context. */
static bool find_mode(uint64_t context, unsigned *mode)
{
    static const struct {
        uint64_t context;
        unsigned mode;
    } modes[] = {
        {PERF_CONTEXT_KERNEL, PERF_RECORD_MISC_KERNEL},
        {PERF_CONTEXT_USER, PERF_RECORD_MISC_USER},
        {PERF_CONTEXT_HV, PERF_RECORD_MISC_HYPERVISOR},
    };

    for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
        if (modes[i].context != context)
            continue;
        *mode = modes[i].mode;
        return true;
    }
    return false;
}

/* Reports a context that is not known, whose frames could be of anything. */
static void report_context(struct perf_resolver *r, uint64_t context)
{
    diag_add(r->samples->text->diag, DIAG_WARNING, r->samples->place,
             "left out the frames of the unknown context %lld of a call chain", (long long)context);
    r->samples->lacks = true;
}

/* Pushes the first `end` addresses of a call chain. */
static void push_chain(struct perf_resolver *r, bool swapped, struct slice chain,
                       const struct perf_thread *t, size_t end)
{
    const struct perf_space *space = space_of(r, t, PERF_RECORD_MISC_USER);
    bool known = true;
    unsigned mode;

    for (size_t i = 0; i < end; i++) {
        uint64_t address = bytes_at(chain, i, swapped);

        if (address < PERF_CONTEXT_MAX) {
            if (known)
                push_address(r, space, address);
        } else if (address == PERF_DEFERRED_CONTEXT) {
            if (++i < end)
                perf_samples_defer(r->samples, t->tid, bytes_at(chain, i, swapped));
        } else {
            known = find_mode(address, &mode);
            if (known)
                space = space_of(r, t, mode);
            else
                report_context(r, address);
        }
    }
}

/* Pushes the frames of the copied stack, if there is one. */
static void push_unwound(struct perf_resolver *r, const struct perf_header *h,
                         const struct perf_sample *s, const struct perf_thread *t)
{
    const struct perf_space *space = space_of(r, t, PERF_RECORD_MISC_USER);

    if (!s->regs.len || !s->stack.len)
        return;
    r->samples->text->profile->ledger.unwound++;
    perf_unwind_sample(&r->unwind, s, space, h);
    r->inlined = r->modules->files.options->inlining != INLINING_OFF;
    vec_each (uint64_t, address, &r->unwind.frames)
        push_address(r, space, *address);
}

/* A frame for code of a guest, of which the recording knows nothing. */
static void push_guest(struct perf_resolver *r, unsigned mode)
{
    struct perf_frames *f = r->samples->in_use;
    struct perf_frame frame = {.symbol = SLICE("[unknown]"), .module = SLICE("[guest]")};

    if (mode == PERF_RECORD_MISC_GUEST_KERNEL)
        frame.module = SLICE("[guest kernel]");
    perf_frames_resolve_parts(f, &frame);
    perf_samples_push_all(r->samples, f->found.items, (uint32_t)f->found.count);
}

/*
 * Branches that the CPU recorded as a stack of calls: where the last one leads to, then where
 * each began. They replace the chain's addresses of the user.
 */
static void push_calls(struct perf_resolver *r, const struct perf_header *h,
                       const struct perf_sample *s, const struct perf_thread *t)
{
    enum { NUMBERS = 3, TO = 1 };
    const struct perf_space *space = space_of(r, t, PERF_RECORD_MISC_USER);
    size_t count = s->branches.len / sizeof(uint64_t) / NUMBERS;
    size_t end = 0, all = s->chain.len / sizeof(uint64_t);

    while (end < all && bytes_at(s->chain, end, h->swapped) != PERF_CONTEXT_USER)
        end++;
    push_chain(r, h->swapped, s->chain, t, end);
    push_address(r, space, bytes_at(s->branches, TO, h->swapped));
    for (size_t i = 0; i < count; i++)
        push_address(r, space, bytes_at(s->branches, i * NUMBERS, h->swapped));
}

void perf_resolver_push(struct perf_resolver *r, const struct perf_header *h,
                        const struct perf_sample *s, const struct perf_thread *t, unsigned mode)
{
    r->inlined = r->modules->files.options->inlining == INLINING_ON;
    if (mode == PERF_RECORD_MISC_GUEST_KERNEL || mode == PERF_RECORD_MISC_GUEST_USER) {
        push_guest(r, mode);
    } else if (!(s->event->sample_type & PERF_SAMPLE_CALLCHAIN)) {
        if (s->event->sample_type & PERF_SAMPLE_IP)
            push_address(r, space_of(r, t, mode), s->ip);
    } else if (s->branches.len && s->event->branch_type & PERF_SAMPLE_BRANCH_CALL_STACK) {
        push_calls(r, h, s, t);
    } else {
        push_chain(r, h->swapped, s->chain, t, s->chain.len / sizeof(uint64_t));
        push_unwound(r, h, s, t);
    }
}

void perf_resolver_push_deferred(struct perf_resolver *r, const struct perf_header *h,
                                 const struct perf_calls *c, const struct perf_thread *t)
{
    r->inlined = r->modules->files.options->inlining == INLINING_ON;
    push_chain(r, h->swapped, c->chain, t, c->chain.len / sizeof(uint64_t));
}
