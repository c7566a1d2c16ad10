#include "input/formats/perf/perf_module.h"

#include <elf.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "base/ascii.h"
#include "base/file.h"
#include "base/num.h"
#include "base/utf8.h"
#include "input/core/dependencies.h"

/* Symbols of the kernel and of compiled code are texts of at most this many bytes. */
enum { MOST_TEXT = 1 << 30 };

void perf_modules_init(struct perf_modules *m, const struct input_options *options,
                       const struct perf_header *header, struct slice recording, struct diag *diag)
{
    *m = (struct perf_modules){.files = {.options = options, .diag = diag}, .header = header};
    if (recording.len)
        m->folder = slice_take(recording, recording.len - file_name_of(recording).len);
    m->has_folder = recording.len > 0;
}

void perf_modules_release(struct perf_modules *m)
{
    vec_each (struct perf_module, module, &m->items) {
        perf_inline_free(module->inlines);
        code_file_release(&module->file);
        perf_cfi_release(&module->cfi);
    }
    release_each(m, (vec, items), (symtab, kernel), (map, index), (buf, kernel_text),
                 (code_files, files));
}

/* ---- modules of maps ------------------------------------------------------------------------- */

struct key {
    struct slice path, build_id;
};

static bool same_module(const void *context, uint32_t id, const void *key)
{
    const struct perf_module *m = &((const struct perf_modules *)context)->items.items[id];
    const struct key *k = key;

    return slice_equal(m->file.path, k->path) && slice_equal(m->file.build_id, k->build_id);
}

/* The module of a path and a build id; `*added` if it is new and `kind` is to be set. */
static uint32_t find_module(struct perf_modules *m, struct slice path, struct slice build_id,
                            bool *added)
{
    const struct key key = {path, build_id};
    uint64_t hash = map_hash_bytes(&m->index, path);
    uint32_t id = map_find(&m->index, hash, same_module, m, &key);

    *added = id == MAP_NONE;
    if (!*added)
        return id;
    id = (uint32_t)m->items.count;
    map_add(&m->index, hash, id);
    *vec_add(&m->items) =
        (struct perf_module){.file = {.path = arena_copy(&m->files.texts, path),
                                      .build_id = arena_copy(&m->files.texts, build_id)}};
    m->items.items[id].name = m->items.items[id].file.path;
    return id;
}

/* The build id of a path in the recording's list. */
static struct slice find_build_id(const struct perf_modules *m, struct slice path)
{
    vec_each (struct perf_build_id, b, &m->header->build_ids)
        if (slice_equal(b->path, path))
            return b->id;
    return slice_make(NULL, 0);
}

static bool is_zero(struct slice bytes)
{
    for (size_t i = 0; i < bytes.len; i++)
        if (bytes.ptr[i])
            return false;
    return true;
}

/* Kinds of memory by the text that their path begins with. */
static const struct {
    struct slice start;
    enum perf_module_kind kind;
} kinds[] = {
    {{"//anon", 6}, PERF_JIT},  {{"/dev/zero", 9}, PERF_JIT}, {{"/anon_hugepage", 14}, PERF_JIT},
    {{"[heap]", 6}, PERF_JIT},  {{"[stack", 6}, PERF_JIT},    {{"/SYSV", 5}, PERF_JIT},
    {{"[vdso]", 6}, PERF_VDSO}, {{"[", 1}, PERF_NO_FILE},
};

static enum perf_module_kind kind_of(struct slice path)
{
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        if (slice_starts(path, kinds[i].start))
            return kinds[i].kind;
    return code_file_is_allowed(path) ? PERF_BINARY : PERF_NO_FILE;
}

uint32_t perf_modules_add(struct perf_modules *m, struct slice path, uint32_t pid,
                          struct slice build_id, bool executable)
{
    enum perf_module_kind kind = kind_of(path);
    const struct perf_recorded_file *recorded;
    uint32_t id;
    bool added;

    if (kind == PERF_JIT && executable) {
        buf_clear(&m->files.path);
        buf_printf(&m->files.path, "/tmp/perf-%u.map", pid);
        path = buf_slice(&m->files.path);
        build_id = slice_make(NULL, 0);
    } else if (kind == PERF_JIT) {
        kind = PERF_NO_FILE;
    }
    recorded = perf_recorded_find(&m->header->recorded, path);
    if (recorded)
        kind = PERF_RECORDED;
    if (is_zero(build_id) && kind != PERF_JIT)
        build_id = find_build_id(m, path);
    id = find_module(m, path, build_id, &added);
    if (added) {
        m->items.items[id].kind = kind;
        m->items.items[id].recorded = recorded;
    }
    return id;
}

/* "/lib/modules/6.1/kernel/fs/ext4-x.ko.xz" as "[ext4_x]", as the kernel calls it. */
static struct slice module_name(struct perf_modules *m, struct slice path)
{
    struct slice base = file_name_of(path);
    size_t end = slice_search(base, SLICE(".ko"));

    if (end == base.len || !slice_starts(path, SLICE("/")))
        return path;
    buf_clear(&m->files.text);
    buf_add_char(&m->files.text, '[');
    buf_add_slice(&m->files.text, slice_take(base, end));
    buf_add_char(&m->files.text, ']');
    for (size_t i = 0; i < m->files.text.len; i++)
        if (m->files.text.ptr[i] == '-')
            m->files.text.ptr[i] = '_';
    return arena_copy(&m->files.texts, buf_slice(&m->files.text));
}

uint32_t perf_modules_add_kernel(struct perf_modules *m, struct slice path, uint64_t reference)
{
    const struct slice kernel = SLICE("[kernel.kallsyms]");
    struct slice anchor = slice_make(NULL, 0);
    struct perf_module *module;
    uint32_t id;
    bool added;

    if (slice_starts(path, kernel)) {
        anchor = slice_skip(path, kernel.len);
        path = kernel;
    }
    id = find_module(m, path, find_build_id(m, path), &added);
    if (!added)
        return id;
    module = &m->items.items[id];
    module->kind = PERF_KERNEL;
    module->name = module_name(m, module->file.path);
    module->anchor = arena_copy(&m->files.texts, anchor);
    module->reference = reference;
    return id;
}

uint32_t perf_modules_add_program(struct perf_modules *m, struct slice name)
{
    bool added;
    uint32_t id = find_module(m, name, SLICE("program"), &added);

    m->items.items[id].kind = PERF_PROGRAM;
    return id;
}

/* ---- files ----------------------------------------------------------------------------------- */

/* Reads the symbols of the kernel that runs. */
static bool read_running(const struct perf_modules *m, struct buf *out)
{
    struct buf why = {0};
    bool ok = file_read("/proc/kallsyms", MOST_TEXT, out, &why);

    buf_release(&why);
    dependencies_add_kallsyms(m->files.options, ok ? buf_slice(out) : SLICE(""));
    return ok;
}

/* Whether the kernel that runs is the one that was recorded, by build id or else by release. */
static bool is_running(const struct perf_modules *m, struct slice build_id)
{
    if (build_id.len)
        return dependencies_ask(m->files.options, DEPENDENCY_KERNEL_ID, build_id);
    return dependencies_ask(m->files.options, DEPENDENCY_KERNEL_RELEASE, m->header->release);
}

/* Whether the vdso of the kernel that runs is the one that was recorded, by build id or release. */
static bool is_running_vdso(const struct perf_modules *m, const struct binary *vdso,
                            struct slice build_id)
{
    if (build_id.len)
        return dependencies_ask(m->files.options, DEPENDENCY_VDSO_ID, build_id);
    if (!is_running(m, build_id))
        return false;
    /* Two kernels of one release may have different ones. */
    dependencies_ask(m->files.options, DEPENDENCY_VDSO_ID, binary_build_id(vdso));
    return true;
}

/*
 * The vdso of this process, if it is the one that was recorded. What perf writes to a pipe has no
 * build id of it; the kernel of the same release has the same vdso.
 */
static bool open_own_vdso(const struct perf_modules *m, struct perf_module *module)
{
    const char *start = (const char *)(uintptr_t)getauxval(AT_SYSINFO_EHDR);
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)(const void *)start;
    uint64_t size;

    if (!start || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
        header->e_ident[EI_CLASS] != ELFCLASS64)
        return false;
    size = header->e_shoff + (uint64_t)header->e_shnum * header->e_shentsize;
    if (!binary_open_memory(&module->file.image, slice_make(start, size)))
        return false;
    if (is_running_vdso(m, &module->file.image, module->file.build_id))
        return true;
    binary_release(&module->file.image);
    return false;
}

static void load_binary(struct perf_modules *m, struct perf_module *module)
{
    struct code_file *f = &module->file;
    bool found;

    if (module->kind == PERF_VDSO)
        found = code_file_open_cached(&m->files, f, "/vdso") || open_own_vdso(m, module);
    else
        found = code_file_open(&m->files, f);
    f->has_image = found || code_file_fetch(&m->files, f);
    code_file_add_symbols(&m->files, f);
}

/* ---- texts ----------------------------------------------------------------------------------- */

/* Reads and closes an open file, or none. */
static bool read_text(int fd, struct buf *out)
{
    struct buf why = {0};
    bool ok;

    if (fd < 0)
        return false;
    ok = file_read_fd(fd, MOST_TEXT, out, &why);
    buf_release(&why);
    close(fd);
    return ok;
}

/* A number in hexadecimal; the JVM writes 0x before it since JDK 25, other programs do not. */
static bool parse_hex(struct slice text, uint64_t *value)
{
    return num_parse_hex(slice_skip(text, slice_starts(text, SLICE("0x")) ? 2 : 0), value);
}

/* "ADDRESS SIZE NAME", one symbol a line; the name may have blanks. */
static void read_compiled(struct perf_module *module, struct slice text)
{
    struct slice line;

    while (slice_line(&text, &line)) {
        struct slice address, size;
        uint64_t start, length;

        if (slice_cut(&line, ' ', &address) && slice_cut(&line, ' ', &size) &&
            parse_hex(address, &start) && parse_hex(size, &length) && line.len)
            symtab_add(&module->file.symbols, start, length, line, SYMTAB_GLOBAL);
    }
    symtab_sort_latest(&module->file.symbols);
}

/* The map is named /tmp/perf-PID.map; one beside the recording is more surely of this process. */
static void load_compiled(struct perf_modules *m, struct perf_module *module)
{
    struct buf content = {0};
    bool found = false;
    int fd;

    if (m->has_folder) {
        buf_clear(&m->files.path);
        buf_add_slice(&m->files.path, m->folder);
        buf_add_slice(&m->files.path, file_name_of(module->file.path));
        fd = dependencies_open_named(m->files.options, DEPENDENCY_BESIDE,
                                     buf_string(&m->files.path));
        found = read_text(fd, &content);
    }
    if (found || read_text(code_file_open_path(&m->files, module->file.path), &content))
        read_compiled(module, arena_copy(&m->files.texts, buf_slice(&content)));
    buf_release(&content);
}

/* ---- the kernel ------------------------------------------------------------------------------ */

static void read_kallsyms(struct perf_modules *m, struct slice text)
{
    symtab_add_kallsyms(&m->kernel, text);
    symtab_sort(&m->kernel);
}

/* Takes the symbols from vmlinux, the kernel's debug information, if a server has it. */
static void fetch_vmlinux(struct perf_modules *m, struct perf_module *kernel)
{
    code_file_fetch_debug(&m->files, &kernel->file);
    if (kernel->file.has_debug)
        binary_add_symbols(&kernel->file.debug, &kernel->file.debug, &m->kernel);
    symtab_sort(&m->kernel);
}

static void load_kernel_symbols(struct perf_modules *m, struct perf_module *kernel)
{
    const struct perf_recorded_file *recorded =
        perf_recorded_find(&m->header->recorded, kernel->file.path);
    const char *cached = code_file_cached(&m->files, kernel->file.build_id, "/kallsyms");
    bool found = false;

    if (recorded && !m->files.options->kallsyms) {
        perf_recorded_add_symbols(recorded, &m->kernel);
        symtab_sort(&m->kernel);
        return;
    }
    if (!m->files.options->kallsyms && m->header->kallsyms.len) {
        read_kallsyms(m, m->header->kallsyms);
        return;
    }
    if (m->files.options->kallsyms)
        found = read_text(dependencies_open_file(m->files.options, DEPENDENCY_AS_NAMED,
                                                 m->files.options->kallsyms),
                          &m->kernel_text);
    else if (cached)
        found = read_text(dependencies_open_file(m->files.options, DEPENDENCY_IN_HOME, cached),
                          &m->kernel_text);
    if (!found && !m->files.options->kallsyms && is_running(m, kernel->file.build_id))
        found = read_running(m, &m->kernel_text);
    if (found)
        read_kallsyms(m, buf_slice(&m->kernel_text));
    if (!m->files.options->kallsyms && !m->kernel.symbols.count)
        fetch_vmlinux(m, kernel);
}

/* The address of a symbol of the kernel, or 0. */
static uint64_t address_of(const struct perf_modules *m, struct slice name)
{
    vec_each (struct binary_symbol, s, &m->kernel.symbols)
        if (slice_equal(s->name, name))
            return s->start;
    return 0;
}

/*
 * Moves the symbols to where they were when it was recorded: kernels start at random addresses.
 */
static void move_kernel(struct perf_modules *m, const struct perf_module *kernel)
{
    uint64_t now = kernel->anchor.len ? address_of(m, kernel->anchor) : 0;

    if (!now || !kernel->reference || now == kernel->reference)
        return;
    m->kernel_moved = kernel->reference - now;
    vec_each (struct binary_symbol, s, &m->kernel.symbols) {
        s->start += m->kernel_moved;
        s->end += m->kernel_moved;
    }
}

static void load_kernel(struct perf_modules *m)
{
    if (m->kernel_loaded)
        return;
    m->kernel_loaded = true;
    vec_each (struct perf_module, module, &m->items) {
        if (!slice_equal(module->file.path, SLICE("[kernel.kallsyms]")))
            continue;
        load_kernel_symbols(m, module);
        move_kernel(m, module);
        return;
    }
}

/* ---- finding --------------------------------------------------------------------------------- */

static struct perf_module *load(struct perf_modules *m, uint32_t id)
{
    struct perf_module *module = &m->items.items[id];

    if (module->loaded)
        return module;
    module->loaded = true;
    switch (module->kind) {
    case PERF_BINARY:
    case PERF_VDSO:
        load_binary(m, module);
        break;
    case PERF_JIT:
        load_compiled(m, module);
        break;
    case PERF_KERNEL:
        load_kernel(m);
        break;
    case PERF_PROGRAM:
        symtab_add(&module->file.symbols, 0, UINT64_MAX, module->name, SYMTAB_GLOBAL);
        symtab_sort(&module->file.symbols);
        break;
    case PERF_RECORDED:
        perf_recorded_add_symbols(module->recorded, &module->file.symbols);
        symtab_sort(&module->file.symbols);
        break;
    case PERF_NO_FILE:
        break;
    }
    return module;
}

bool perf_modules_is_another(struct perf_modules *m, const struct perf_map *map)
{
    const struct binary_part part = {map->offset, map->end - map->start};
    struct perf_module *module = &m->items.items[map->module];

    if (module->kind != PERF_BINARY || module->file.build_id.len)
        return false;
    if (!load(m, map->module)->file.has_image)
        return false;
    if (module->checked.offset == part.offset && module->checked.size == part.size)
        return module->is_another;
    module->checked = part;
    module->is_another = !binary_fits(&module->file.image, part);
    if (module->is_another && !module->told_another) {
        module->told_another = true;
        code_file_tell_another(&m->files, &module->file);
    }
    return module->is_another;
}

const struct binary_symbol *perf_modules_find(struct perf_modules *m, const struct perf_map *map,
                                              uint64_t address, uint64_t *in_binary)
{
    struct perf_module *module = load(m, map->module);
    const struct binary *e = module->file.has_image ? &module->file.image : &module->file.debug;

    *in_binary = address;
    if (perf_modules_is_another(m, map))
        return NULL;
    if (module->kind == PERF_KERNEL) {
        *in_binary = address - m->kernel_moved;
        return symtab_find(&m->kernel, address);
    }
    if (module->kind == PERF_RECORDED)
        *in_binary =
            perf_recorded_address(module->recorded, address - map->start + map->offset, address);
    if ((module->kind == PERF_BINARY || module->kind == PERF_VDSO) &&
        (!(module->file.has_image || module->file.has_debug) ||
         !binary_address(e, address - map->start + map->offset, in_binary)))
        return NULL;
    return symtab_find(&module->file.symbols, *in_binary);
}

const struct binary *perf_modules_image(struct perf_modules *m, const struct perf_map *map)
{
    const struct perf_module *module = load(m, map->module);

    return module->file.has_image && !perf_modules_is_another(m, map) ? &module->file.image : NULL;
}

/* Notes a binary that libdw opens. */
static void note(const struct perf_modules *m, const char *path)
{
    dependencies_add(m->files.options, DEPENDENCY_NAMED, DEPENDENCY_AS_NAMED, path);
}

/*
 * Notes the file with the DWARF that a package's binaries share, which libdw looks for by build id
 * and by name. Source of the section, a name and an id: the manual of dwz, -m.
 */
static void note_shared_dwarf(struct perf_modules *m, const struct binary *e)
{
    struct slice link = binary_section(e, ".gnu_debugaltlink"), name;

    if (!slice_cut(&link, '\0', &name))
        return;
    if (slice_starts(name, SLICE("/")))
        note(m, arena_strdup(&m->files.texts, name));
    else
        dependencies_add_unknown(m->files.options);
    if (link.len > 1)
        note(m, code_file_place_by_id(&m->files, "", link, ".debug"));
}

static struct perf_inline *open_dwarf(struct perf_modules *m, const struct binary *e)
{
    note_shared_dwarf(m, e);
    return perf_inline_new(e);
}

/* The DWARF of a module, NULL if there is none. */
static struct perf_inline *load_dwarf(struct perf_modules *m, uint32_t id)
{
    struct perf_module *module = load(m, id);

    if (module->tried_dwarf)
        return module->inlines;
    module->tried_dwarf = true;
    if (module->file.has_image)
        module->inlines = open_dwarf(m, &module->file.image);
    /* A binary with symbols may still have its DWARF in another file. */
    if (!module->inlines && module->file.has_image && !module->file.has_debug)
        code_file_find_debug(&m->files, &module->file);
    if (!module->inlines && module->file.has_debug)
        module->inlines = open_dwarf(m, &module->file.debug);
    return module->inlines;
}

unsigned perf_modules_inlined(struct perf_modules *m, uint32_t id, uint64_t in_binary,
                              struct perf_place *place,
                              struct perf_function found[PERF_INLINE_MOST])
{
    struct perf_inline *inlines = load_dwarf(m, id);

    if (inlines)
        return perf_inline_find(inlines, in_binary, place, found);
    *place = (struct perf_place){0};
    return 0;
}

struct perf_place perf_modules_start(struct perf_modules *m, uint32_t id, uint64_t in_binary)
{
    struct perf_inline *inlines = load_dwarf(m, id);

    return inlines ? perf_inline_find_start(inlines, in_binary) : (struct perf_place){0};
}

/* ---- what is missing ------------------------------------------------------------------------- */

void perf_modules_report(struct perf_modules *m, struct profile *profile)
{
    const struct code_file **files = xcalloc(m->items.count + 1, sizeof(*files));
    size_t count = 0;

    vec_each (struct perf_module, module, &m->items) {
        if (module->kind == PERF_KERNEL)
            module->file.remedy = "--kallsyms FILE";
        files[count++] = &module->file;
    }
    code_files_report(&m->files, files, count, "frames", profile);
    xfree(files);
}
