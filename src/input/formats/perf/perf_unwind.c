#include "input/formats/perf/perf_unwind.h"

#include <elfutils/libdwfl.h>
#include <unistd.h>

#include "base/budget.h"
#include "input/core/dependencies.h"

enum { REGISTER = sizeof(uint64_t), ONE_THREAD = 1 };

/* ---- registers ------------------------------------------------------------------------------- */

enum { MOST_REGISTERS = 33 };

/* Of a process, as samples state it: enum perf_sample_regs_abi. */
enum { ABI_32 = 1, ABI_64 };

/* By number in DWARF, the number of a register in perf; the last ones are not of DWARF. */
struct perf_machine {
    struct slice arch; /* as the kernel names it */
    unsigned abi;
    unsigned word;  /* bytes of a word on the stack */
    unsigned count; /* of DWARF's registers */
    unsigned stack, instruction;
    uint8_t registers[MOST_REGISTERS];
};

static const struct perf_machine machines[] = {
    {{"x86_64", 6},
     ABI_64,
     8,
     17,
     7,
     8,
     {0, 3, 2, 1, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23, 8}},
    {{"x86_64", 6}, ABI_32, 4, 9, 7, 8, {0, 2, 3, 1, 7, 6, 4, 5, 8}},
    {{"i686", 4}, ABI_32, 4, 9, 7, 8, {0, 2, 3, 1, 7, 6, 4, 5, 8}},
    {{"aarch64", 7}, ABI_64, 8, 32, 31, 32, {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
                                             11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
                                             22, 23, 24, 25, 26, 27, 28, 29, 30, 31}},
};

static const struct perf_machine *find_machine(struct slice arch, uint64_t abi)
{
    for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++)
        if (machines[i].abi == abi && slice_equal(machines[i].arch, arch))
            return &machines[i];
    return NULL;
}

/* A register of the sample; those that were not recorded are 0. */
static bool read_register(const struct perf_unwind *u, unsigned number, uint64_t *value)
{
    uint64_t mask = u->sample->event->regs_user;
    size_t at = (size_t)__builtin_popcountll(mask & ((1ull << number) - 1));

    *value = 0;
    if (!(mask >> number & 1) || (at + 1) * REGISTER > u->sample->regs.len)
        return false;
    *value = bytes_at(u->sample->regs, at, u->swapped);
    return true;
}

/* ---- what libdwfl asks for ------------------------------------------------------------------- */

static pid_t next_thread(Dwfl *dwfl, void *context, void **thread_context)
{
    pid_t next = *thread_context ? 0 : ONE_THREAD;

    (void)dwfl;
    *thread_context = context;
    return next;
}

static bool get_thread(Dwfl *dwfl, pid_t tid, void *context, void **thread_context)
{
    (void)dwfl;
    *thread_context = context;
    return tid == ONE_THREAD;
}

static bool read_memory(Dwfl *dwfl, Dwarf_Addr address, Dwarf_Word *result, void *context)
{
    const struct perf_unwind *u = context;
    uint64_t offset = address - u->stack_pointer;
    size_t len = u->sample->stack.len, word = u->machine->word;
    uint32_t half;

    (void)dwfl;
    if (len < word || offset > len - word)
        return false;
    if (word == sizeof(half)) {
        memcpy(&half, u->sample->stack.ptr + offset, sizeof(half));
        *result = u->swapped ? __builtin_bswap32(half) : half;
        return true;
    }
    memcpy(result, u->sample->stack.ptr + offset, sizeof(*result));
    if (u->swapped)
        *result = __builtin_bswap64(*result);
    return true;
}

static bool set_registers(Dwfl_Thread *thread, void *context)
{
    const struct perf_unwind *u = context;
    const struct perf_machine *m = u->machine;
    Dwarf_Word values[MOST_REGISTERS];
    uint64_t instruction;

    for (unsigned i = 0; i < m->count; i++) {
        uint64_t value;

        read_register(u, m->registers[i], &value);
        values[i] = value;
    }
    read_register(u, m->instruction, &instruction);
    dwfl_thread_state_register_pc(thread, instruction);
    return dwfl_thread_state_registers(thread, 0, m->count, values);
}

static const Dwfl_Thread_Callbacks thread_callbacks = {
    .next_thread = next_thread,
    .get_thread = get_thread,
    .memory_read = read_memory,
    .set_initial_registers = set_registers,
};

/* Finds nothing, so that libdwfl looks neither on disk nor at debuginfod. */
static int find_no_debuginfo(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
                             const char *file, const char *link, GElf_Word sum, char **path)
{
    (void)module, (void)data, (void)name, (void)base, (void)file, (void)link, (void)sum;
    *path = NULL;
    return -1;
}

static int find_no_elf(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
                       char **path, Elf **elf)
{
    (void)module, (void)data, (void)name, (void)base;
    *path = NULL;
    *elf = NULL;
    return -1;
}

static const Dwfl_Callbacks callbacks = {
    .find_elf = find_no_elf,
    .find_debuginfo = find_no_debuginfo,
    .section_address = dwfl_offline_section_address,
};

/* ---- modules --------------------------------------------------------------------------------- */

/* Whether libdwfl may know the binary. */
static bool has_rules(struct perf_unwind *u, struct perf_module *module)
{
    if (!module->tried_cfi &&
        !(module->has_cfi = perf_cfi_read(&module->cfi, module->file.image.elf)))
        diag_warn(u->modules->files.diag,
                  "no stack is unwound through %.*s: its rules for that are unusual or too long",
                  SLICE_ARG(module->name));
    module->tried_cfi = true;
    return module->has_cfi;
}

static bool is_reported(const struct perf_unwind *u, uint64_t start)
{
    vec_each (uint64_t, known, &u->kept[u->current].reported)
        if (*known == start)
            return true;
    return false;
}

/* Tells libdwfl of a binary. */
static void report(struct perf_unwind *u, const struct perf_map *map, const struct binary *e,
                   uint64_t bias)
{
    struct perf_module *module = &u->modules->items.items[map->module];
    int fd;

    *vec_add(&u->kept[u->current].reported) = map->start;
    if (!has_rules(u, module))
        return;
    fd = dup(e->fd);
    if (fd < 0) /* with fewer files open, the next run finds more callers */
        dependencies_add_unknown(u->modules->files.options);
    if (fd >= 0 &&
        !dwfl_report_elf(u->kept[u->current].dwfl, module->file.path.ptr, "", fd, bias, true))
        close(fd);
}

/*
 * Prepares libdwfl to unwind through an address. Returns the binary there, or NULL, and the
 * address's place in it.
 */
static struct perf_module *prepare(struct perf_unwind *u, uint64_t address, uint64_t *in_binary)
{
    const struct perf_map *map = perf_space_find(u->space, address);
    const struct binary *e = map ? perf_modules_image(u->modules, map) : NULL;
    uint64_t bias;

    if (!e || e->fd < 0 || !binary_bias(e, map->start, map->offset, &bias))
        return NULL;
    if (!is_reported(u, map->start))
        report(u, map, e, bias);
    *in_binary = address - bias;
    return &u->modules->items.items[map->module];
}

/* Prepares libdwfl, and charges what it costs to work out the rules of an address. */
static void prepare_rules(struct perf_unwind *u, uint64_t address)
{
    uint64_t in_binary;
    const struct perf_module *module = prepare(u, address, &in_binary);

    if (module)
        budget_work(perf_cfi_cost(&module->cfi, in_binary));
}

static void drop(struct perf_unwind *u, unsigned i)
{
    if (u->kept[i].dwfl)
        dwfl_end(u->kept[i].dwfl);
    u->kept[i].dwfl = NULL;
    u->kept[i].version = 0;
    u->kept[i].attached = false;
    vec_clear(&u->kept[i].reported);
    perf_rules_release(&u->kept[i].rules);
    u->kept[i].rules = (struct perf_rules){0};
}

/* Chooses the unwinder of the space, or makes one. */
static bool choose(struct perf_unwind *u)
{
    for (unsigned i = 0; i < PERF_UNWINDERS; i++) {
        if (u->kept[i].version == u->space->version) {
            u->current = i;
            return true;
        }
    }
    u->current = u->next++ % PERF_UNWINDERS;
    drop(u, u->current);
    u->kept[u->current].dwfl = dwfl_begin(&callbacks);
    u->kept[u->current].version = u->space->version;
    return u->kept[u->current].dwfl;
}

void perf_unwind_init(struct perf_unwind *u, struct perf_modules *modules)
{
    *u = (struct perf_unwind){.modules = modules};
}

void perf_unwind_release(struct perf_unwind *u)
{
    for (unsigned i = 0; i < PERF_UNWINDERS; i++) {
        drop(u, i);
        vec_release(&u->kept[i].reported);
    }
    vec_release(&u->frames);
}

/* ---- frames ---------------------------------------------------------------------------------- */

/* Adds a caller; the first frame is known from the registers. */
static int add_frame(Dwfl_Frame *frame, void *context)
{
    struct perf_unwind *u = context;
    Dwarf_Addr address;
    bool exact; /* the address is where it is, not where it returns to */

    if (u->frames.count > u->sample->stack.len / u->machine->word + 1 ||
        !dwfl_frame_pc(frame, &address, &exact))
        return DWARF_CB_ABORT;
    if (!exact && address)
        address--;
    if (address && !u->first)
        *vec_add(&u->frames) = address;
    u->first = false;
    prepare_rules(u, address);
    return budget_is_over() ? DWARF_CB_ABORT : DWARF_CB_OK;
}

/* The registers of a frame; a register may be unknown. */
struct registers {
    uint64_t values[PERF_RULE_REGISTERS];
    uint32_t known; /* a bit for each */
};

static const struct perf_rule *rule_at(struct perf_unwind *u, uint64_t address)
{
    struct perf_rules *rules = &u->kept[u->current].rules;
    const struct perf_rule *rule = perf_rules_find(rules, address);

    if (rule || budget_is_over())
        return rule;
    prepare_rules(u, address);
    return perf_rules_add(rules, u->kept[u->current].dwfl, address);
}

/* Sets the registers to those of the caller. Returns false if the rule does not say them. */
static bool go_to_caller(struct perf_unwind *u, const struct perf_rule *rule, struct registers *r)
{
    const struct registers callee = *r;
    uint64_t base = callee.values[rule->base] + (uint64_t)rule->base_offset;

    if (!(callee.known >> rule->base & 1))
        return false;
    for (unsigned i = 0; i < PERF_RULE_REGISTERS; i++) {
        uint64_t value = base + (uint64_t)rule->offsets[i];
        bool known = true;

        if (rule->kinds[i] == PERF_RULE_SAME)
            continue;
        if (rule->kinds[i] == PERF_RULE_MEMORY)
            known = read_memory(NULL, value, &value, u);
        else
            known = rule->kinds[i] == PERF_RULE_VALUE;
        r->values[i] = value;
        r->known = (r->known & ~(1u << i)) | (uint32_t)known << i;
    }
    return true;
}

/*
 * Unwinds by rules that are simple, without libdwfl. Returns false if libdwfl must do it: then
 * the frames are incomplete.
 */
static bool unwind_simply(struct perf_unwind *u)
{
    struct registers r = {.known = (1u << PERF_RULE_REGISTERS) - 1};
    size_t most = u->sample->stack.len / u->machine->word + 1;
    uint64_t address = u->frames.items[0];

    if (u->machine->count != PERF_RULE_REGISTERS)
        return false;
    for (unsigned i = 0; i < PERF_RULE_REGISTERS; i++)
        read_register(u, u->machine->registers[i], &r.values[i]);
    for (;;) {
        const struct perf_rule *rule = rule_at(u, address);
        uint64_t next;

        if (!rule || !rule->simple)
            return false;
        if (rule->kinds[PERF_RULE_RETURN] == PERF_RULE_LOST)
            return true;
        if (!go_to_caller(u, rule, &r) || !(r.known >> PERF_RULE_RETURN & 1))
            return false;
        next = r.values[PERF_RULE_RETURN];
        if (!next || u->frames.count > most)
            return true;
        address = next - 1;
        if (!address)
            return false;
        *vec_add(&u->frames) = address;
    }
}

void perf_unwind_sample(struct perf_unwind *u, const struct perf_sample *s,
                        const struct perf_space *space, const struct perf_header *h)
{
    uint64_t instruction, in_binary;
    const struct perf_module *module;

    vec_clear(&u->frames);
    u->sample = s;
    u->space = space;
    u->swapped = h->swapped;
    u->machine = find_machine(h->arch, s->regs_abi);
    if (!u->machine || !read_register(u, u->machine->instruction, &instruction))
        return;
    *vec_add(&u->frames) = instruction;
    if (!read_register(u, u->machine->stack, &u->stack_pointer) || !choose(u))
        return;
    module = prepare(u, instruction, &in_binary);
    if (!u->kept[u->current].attached && module)
        u->kept[u->current].attached = dwfl_attach_state(
            u->kept[u->current].dwfl, module->file.image.elf, ONE_THREAD, &thread_callbacks, u);
    if (!u->kept[u->current].attached || unwind_simply(u) || budget_is_over())
        return;
    u->frames.count = 1;
    u->first = true;
    dwfl_getthread_frames(u->kept[u->current].dwfl, ONE_THREAD, add_frame, u);
}
