#include "input/formats/perf/perf_module.h"

#include <elf.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "base/ascii.h"
#include "base/file.h"
#include "base/num.h"
#include "base/utf8.h"
#include "input/core/consulted.h"

/* Where debug information is installed, and perf's own cache below the user's home. */
#define DEBUG_FOLDER "/usr/lib/debug"
#define CACHE_FOLDER "/.debug"

/* Symbols of the kernel and of compiled code are texts of at most this many bytes. */
enum { MOST_TEXT = 1 << 30 };

void perf_modules_init(struct perf_modules *m, const struct input_options *options,
                       const struct perf_header *header, struct slice recording, struct diag *diag)
{
    *m = (struct perf_modules){.options = options, .header = header, .diag = diag};
    if (recording.len)
        m->folder = slice_take(recording, recording.len - file_name_of(recording).len);
    m->has_folder = recording.len > 0;
}

void perf_modules_release(struct perf_modules *m)
{
    vec_each (struct perf_module, module, &m->items) {
        perf_inline_free(module->inlines);
        if (module->has_image)
            binary_release(&module->image);
        if (module->has_debug)
            binary_release(&module->debug);
        symtab_release(&module->symbols);
        perf_cfi_release(&module->cfi);
    }
    release_each(m, (vec, items), (symtab, kernel), (map, index), (buf, kernel_text, path, text),
                 (arena, texts));
}

/* ---- modules of maps ------------------------------------------------------------------------- */

struct key {
    struct slice path, build_id;
};

static bool same_module(const void *context, uint32_t id, const void *key)
{
    const struct perf_module *m = &((const struct perf_modules *)context)->items.items[id];
    const struct key *k = key;

    return slice_equal(m->path, k->path) && slice_equal(m->build_id, k->build_id);
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
    *vec_add(&m->items) = (struct perf_module){.path = arena_copy(&m->texts, path),
                                               .build_id = arena_copy(&m->texts, build_id)};
    m->items.items[id].name = m->items.items[id].path;
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

/* Whether a path of a recording may be opened: below its root, and no file of the system. */
static bool is_allowed(struct slice path)
{
    return !slice_starts_any(path, "/proc/", "/dev/", "/sys/") && slice_starts(path, SLICE("/")) &&
           !slice_has(path, SLICE("/../"));
}

static enum perf_module_kind kind_of(struct slice path)
{
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        if (slice_starts(path, kinds[i].start))
            return kinds[i].kind;
    return is_allowed(path) ? PERF_BINARY : PERF_NO_FILE;
}

uint32_t perf_modules_add(struct perf_modules *m, struct slice path, uint32_t pid,
                          struct slice build_id, bool executable)
{
    enum perf_module_kind kind = kind_of(path);
    const struct perf_recorded_file *recorded;
    uint32_t id;
    bool added;

    if (kind == PERF_JIT && executable) {
        buf_clear(&m->path);
        buf_printf(&m->path, "/tmp/perf-%u.map", pid);
        path = buf_slice(&m->path);
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
    buf_clear(&m->text);
    buf_add_char(&m->text, '[');
    buf_add_slice(&m->text, slice_take(base, end));
    buf_add_char(&m->text, ']');
    for (size_t i = 0; i < m->text.len; i++)
        if (m->text.ptr[i] == '-')
            m->text.ptr[i] = '_';
    return arena_copy(&m->texts, buf_slice(&m->text));
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
    module->name = module_name(m, module->path);
    module->anchor = arena_copy(&m->texts, anchor);
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

/* Writes the place of a path of the recording: below --symfs, if that is given. */
static const char *place(struct perf_modules *m, const char *folder, struct slice path,
                         const char *ending)
{
    buf_clear(&m->path);
    if (m->options->symfs)
        buf_add_str(&m->path, m->options->symfs);
    buf_printf(&m->path, "%s%.*s%s", folder, SLICE_ARG(path), ending);
    return buf_string(&m->path);
}

/* Writes "FOLDER/.build-id/12/3456...ENDING". */
static const char *place_by_id(struct perf_modules *m, const char *root, const char *folder,
                               struct slice id, const char *ending)
{
    buf_clear(&m->path);
    buf_printf(&m->path, "%s%s/.build-id/%02x/", root, folder, (unsigned char)id.ptr[0]);
    for (size_t i = 1; i < id.len; i++)
        buf_printf(&m->path, "%02x", (unsigned char)id.ptr[i]);
    buf_add_str(&m->path, ending);
    return buf_string(&m->path);
}

/* Writes the place of a file in perf's cache, which is below the user's home directory. */
static const char *place_in_cache(struct perf_modules *m, struct slice id, const char *ending)
{
    return place_by_id(m, consulted_home(), CACHE_FOLDER, id, ending);
}

/* The cache is the user's; with --symfs, which is for another machine, it is not used. */
static bool has_cache(const struct perf_modules *m)
{
    return !m->options->symfs;
}

static void add_hex(struct buf *out, struct slice id)
{
    for (size_t i = 0; i < id.len; i++)
        buf_printf(out, "%02x", (unsigned char)id.ptr[i]);
}

/* Opens a file that the recording names, or that belongs to one. Returns -1 if there is none. */
static int open_named(const struct perf_modules *m, const char *path)
{
    return consulted_open_named(m->options, CONSULTED_AS_NAMED, path);
}

static int open_cached(const struct perf_modules *m, const char *path)
{
    return consulted_open_named(m->options, CONSULTED_IN_HOME, path);
}

/* Takes over `fd` if its binary has the module's build id. Reports one that has another. */
static bool take_same(struct perf_modules *m, const struct perf_module *module, const char *path,
                      int fd, struct binary *e)
{
    struct slice id;

    if (!binary_open(e, fd))
        return false;
    id = binary_build_id(e);
    if (!module->build_id.len || slice_equal(id, module->build_id))
        return true;
    buf_clear(&m->text);
    add_hex(&m->text, id);
    if (!id.len)
        buf_add_str(&m->text, "none");
    buf_add_str(&m->text, ", but recorded was ");
    add_hex(&m->text, module->build_id);
    diag_warn(m->diag, "%s is not the binary that was recorded and is not used: its build id is %s",
              path, buf_string(&m->text));
    binary_release(e);
    return false;
}

/* The binary itself: in perf's cache, or at its path. */
static bool open_image(struct perf_modules *m, struct perf_module *module)
{
    bool vdso = module->kind == PERF_VDSO;
    const char *path;

    if (has_cache(m) && module->build_id.len) {
        path = place_in_cache(m, module->build_id, vdso ? "/vdso" : "/elf");
        if (take_same(m, module, path, open_cached(m, path), &module->image))
            return true;
    }
    if (vdso)
        return false;
    path = place(m, "", module->path, "");
    return take_same(m, module, path, open_named(m, path), &module->image);
}

/* Reads the symbols of the kernel that runs. */
static bool read_running(const struct perf_modules *m, struct buf *out)
{
    struct buf why = {0};
    bool ok = file_read("/proc/kallsyms", MOST_TEXT, out, &why);

    buf_release(&why);
    consulted_add_kallsyms(m->options, ok ? buf_slice(out) : SLICE(""));
    return ok;
}

/* Whether the kernel that runs is the one that was recorded, by build id or else by release. */
static bool is_running(const struct perf_modules *m, struct slice build_id)
{
    if (build_id.len)
        return consulted_ask(m->options, CONSULTED_KERNEL_ID, build_id);
    return consulted_ask(m->options, CONSULTED_KERNEL_RELEASE, m->header->release);
}

/* Whether the vdso of the kernel that runs is the one that was recorded, by build id or release. */
static bool is_running_vdso(const struct perf_modules *m, const struct binary *vdso,
                            struct slice build_id)
{
    if (build_id.len)
        return consulted_ask(m->options, CONSULTED_VDSO_ID, build_id);
    if (!is_running(m, build_id))
        return false;
    /* Two kernels of one release may have different ones. */
    consulted_ask(m->options, CONSULTED_VDSO_ID, binary_build_id(vdso));
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
    if (!binary_open_memory(&module->image, slice_make(start, size)))
        return false;
    if (is_running_vdso(m, &module->image, module->build_id))
        return true;
    binary_release(&module->image);
    return false;
}

/* Takes over `fd` if its file has a symbol table and belongs to the module. */
static bool take_debug(struct perf_module *module, int fd)
{
    struct slice id;

    if (!binary_open(&module->debug, fd))
        return false;
    id = binary_build_id(&module->debug);
    if (binary_has_symtab(&module->debug) &&
        (!module->build_id.len || slice_equal(id, module->build_id)))
        return true;
    binary_release(&module->debug);
    return false;
}

static bool open_debug(const struct perf_modules *m, struct perf_module *module, const char *path)
{
    return take_debug(module, open_named(m, path));
}

/* By build id: where packages with debug information are installed, and in perf's cache. */
static bool open_debug_by_id(struct perf_modules *m, struct perf_module *module, struct slice id)
{
    const char *symfs = m->options->symfs ? m->options->symfs : "";

    return id.len > 1 &&
           ((has_cache(m) && take_debug(module, open_cached(m, place_in_cache(m, id, "/debug")))) ||
            open_debug(m, module, place_by_id(m, symfs, DEBUG_FOLDER, id, ".debug")));
}

/* By the name in the binary, beside it and where debug information is installed. */
static bool open_debug_by_link(struct perf_modules *m, struct perf_module *module)
{
    struct slice name = binary_debuglink(&module->image), path;
    char *link, *folder;

    if (!name.len || slice_find(name, '/') < name.len)
        return false;
    path = slice_take(module->path, slice_find_last(module->path, '/') + 1);
    link = arena_strdup(&m->texts, name);
    folder = arena_printf(&m->texts, "%s%.*s", DEBUG_FOLDER, SLICE_ARG(path));
    return open_debug(m, module, place(m, "", path, link)) ||
           open_debug(m, module, place(m, "", path, arena_printf(&m->texts, ".debug/%s", link))) ||
           open_debug(m, module, place(m, folder, slice_str(link), ""));
}

/* The build id that the recording has, or else that of the binary here. */
static struct slice id_of(const struct perf_module *module)
{
    return module->build_id.len || !module->has_image ? module->build_id
                                                      : binary_build_id(&module->image);
}

static bool find_debug(struct perf_modules *m, struct perf_module *module)
{
    struct slice id = id_of(module);

    if (module->has_image && open_debug_by_link(m, module))
        return true;
    return open_debug_by_id(m, module, id) ||
           open_debug(m, module, place(m, DEBUG_FOLDER, module->path, ".debug")) ||
           open_debug(m, module, place(m, DEBUG_FOLDER, module->path, ""));
}

/* Asks the servers of debuginfod, if that is allowed. */
static int fetch(struct perf_modules *m, const struct perf_module *module, bool executable)
{
    if (m->options->debuginfod)
        consulted_add_unknown(m->options);
    return symbol_server_open(&m->server, m->options, module->path, executable, id_of(module),
                              m->diag);
}

static bool fetch_image(struct perf_modules *m, struct perf_module *module)
{
    return take_same(m, module, "what --debuginfod fetched", fetch(m, module, true),
                     &module->image);
}

static void load_binary(struct perf_modules *m, struct perf_module *module)
{
    const struct binary *segments;
    bool embedded;

    module->has_image = open_image(m, module) ||
                        (module->kind == PERF_VDSO && open_own_vdso(m, module)) ||
                        fetch_image(m, module);
    if (!module->has_image || !binary_has_symtab(&module->image))
        module->has_debug = find_debug(m, module) || take_debug(module, fetch(m, module, false));
    embedded = !module->has_debug && module->has_image &&
               binary_open_embedded(&module->debug, &module->image);
    /* A separate symbol table has all symbols; an embedded one lacks those of .dynsym. */
    if (module->has_image && !module->has_debug)
        binary_add_symbols(&module->image, &module->image, &module->symbols);
    module->has_debug |= embedded;
    segments = module->has_image ? &module->image : &module->debug;
    if (module->has_debug)
        binary_add_symbols(&module->debug, segments, &module->symbols);
    if (module->has_image)
        binary_add_plt(&module->image, &m->texts, &module->symbols);
    symtab_sort(&module->symbols);
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
            symtab_add(&module->symbols, start, length, line, SYMTAB_GLOBAL);
    }
    symtab_sort_latest(&module->symbols);
}

/* The map is named /tmp/perf-PID.map; one beside the recording is more surely of this process. */
static void load_compiled(struct perf_modules *m, struct perf_module *module)
{
    struct buf content = {0};
    bool found = false;
    int fd;

    if (m->has_folder) {
        buf_clear(&m->path);
        buf_add_slice(&m->path, m->folder);
        buf_add_slice(&m->path, file_name_of(module->path));
        fd = consulted_open_named(m->options, CONSULTED_BESIDE, buf_string(&m->path));
        found = read_text(fd, &content);
    }
    if (found || read_text(open_named(m, place(m, "", module->path, "")), &content))
        read_compiled(module, arena_copy(&m->texts, buf_slice(&content)));
    buf_release(&content);
}

/* ---- the kernel ------------------------------------------------------------------------------ */

/* "ffffffff81000000 T _text" and, for modules, a TAB and "[ext4]"; code and data alone. */
static void read_kallsyms(struct perf_modules *m, struct slice text)
{
    struct slice line;

    while (slice_line(&text, &line)) {
        struct slice address, type, name;
        uint64_t start;
        char kind;

        if (!slice_word(&line, &address) || !slice_word(&line, &type) ||
            !slice_word(&line, &name) || type.len != 1 || !num_parse_hex(address, &start))
            continue;
        kind = type.ptr[0];
        if (strchr("tTwWdDbB", kind) && start && name.ptr[0] != '$')
            symtab_add(&m->kernel, start, 0, name,
                       kind == 'w' || kind == 'W' ? SYMTAB_WEAK
                       : kind < 'a'               ? SYMTAB_GLOBAL
                                                  : SYMTAB_LOCAL);
    }
    symtab_sort(&m->kernel);
}

/* Takes the symbols from vmlinux, the kernel's debug information, if a server has it. */
static void fetch_vmlinux(struct perf_modules *m, struct perf_module *kernel)
{
    kernel->has_debug = take_debug(kernel, fetch(m, kernel, false));
    if (kernel->has_debug)
        binary_add_symbols(&kernel->debug, &kernel->debug, &m->kernel);
    symtab_sort(&m->kernel);
}

static void load_kernel_symbols(struct perf_modules *m, struct perf_module *kernel)
{
    const struct perf_recorded_file *recorded =
        perf_recorded_find(&m->header->recorded, kernel->path);
    bool found = false;

    if (recorded && !m->options->kallsyms) {
        perf_recorded_add_symbols(recorded, &m->kernel);
        symtab_sort(&m->kernel);
        return;
    }
    if (!m->options->kallsyms && m->header->kallsyms.len) {
        read_kallsyms(m, m->header->kallsyms);
        return;
    }
    if (m->options->kallsyms)
        found = read_text(consulted_open_file(m->options, CONSULTED_AS_NAMED, m->options->kallsyms),
                          &m->kernel_text);
    else if (has_cache(m) && kernel->build_id.len)
        found = read_text(consulted_open_file(m->options, CONSULTED_IN_HOME,
                                              place_in_cache(m, kernel->build_id, "/kallsyms")),
                          &m->kernel_text);
    if (!found && !m->options->kallsyms && is_running(m, kernel->build_id))
        found = read_running(m, &m->kernel_text);
    if (found)
        read_kallsyms(m, buf_slice(&m->kernel_text));
    if (!m->options->kallsyms && !m->kernel.symbols.count)
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
        if (!slice_equal(module->path, SLICE("[kernel.kallsyms]")))
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
        symtab_add(&module->symbols, 0, UINT64_MAX, module->name, SYMTAB_GLOBAL);
        symtab_sort(&module->symbols);
        break;
    case PERF_RECORDED:
        perf_recorded_add_symbols(module->recorded, &module->symbols);
        symtab_sort(&module->symbols);
        break;
    case PERF_NO_FILE:
        break;
    }
    return module;
}

const struct binary_symbol *perf_modules_find(struct perf_modules *m, const struct perf_map *map,
                                              uint64_t address, uint64_t *in_binary)
{
    struct perf_module *module = load(m, map->module);
    const struct binary *e = module->has_image ? &module->image : &module->debug;

    *in_binary = address;
    if (module->kind == PERF_KERNEL) {
        *in_binary = address - m->kernel_moved;
        return symtab_find(&m->kernel, address);
    }
    if (module->kind == PERF_RECORDED)
        *in_binary =
            perf_recorded_address(module->recorded, address - map->start + map->offset, address);
    if ((module->kind == PERF_BINARY || module->kind == PERF_VDSO) &&
        (!(module->has_image || module->has_debug) ||
         !binary_address(e, address - map->start + map->offset, in_binary)))
        return NULL;
    return symtab_find(&module->symbols, *in_binary);
}

const struct binary *perf_modules_image(struct perf_modules *m, uint32_t id)
{
    const struct perf_module *module = load(m, id);

    return module->has_image ? &module->image : NULL;
}

/* Notes a binary that libdw opens. */
static void note(const struct perf_modules *m, const char *path)
{
    consulted_add(m->options, CONSULTED_NAMED, CONSULTED_AS_NAMED, path);
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
        note(m, arena_strdup(&m->texts, name));
    else
        consulted_add_unknown(m->options);
    if (link.len > 1)
        note(m, place_by_id(m, "", DEBUG_FOLDER, link, ".debug"));
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
    if (module->has_image)
        module->inlines = open_dwarf(m, &module->image);
    /* A binary with symbols may still have its DWARF in another file. */
    if (!module->inlines && module->has_image && !module->has_debug)
        module->has_debug = find_debug(m, module);
    if (!module->inlines && module->has_debug)
        module->inlines = open_dwarf(m, &module->debug);
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

static int compare_unnamed(const void *left, const void *right)
{
    const struct perf_module *a = *(const struct perf_module *const *)left;
    const struct perf_module *b = *(const struct perf_module *const *)right;

    if (a->unnamed != b->unnamed)
        return a->unnamed > b->unnamed ? -1 : 1;
    return slice_compare(a->path, b->path);
}

/* What would give a module's frames names. */
static void add_remedy(const struct perf_module *module, struct buf *out)
{
    struct slice id = id_of(module);

    if (module->kind == PERF_KERNEL)
        buf_add_str(out, ", --kallsyms FILE");
    if (!id.len || module->kind == PERF_JIT)
        return;
    buf_add_str(out, ", build id ");
    add_hex(out, id);
}

/* Appends the modules with most frames without a symbol. */
static void add_modules(const struct perf_modules *m, struct buf *out)
{
    enum { SHOWN = 3 };
    const struct perf_module **sorted = xcalloc(m->items.count + 1, sizeof(*sorted));
    size_t count = 0;

    vec_each (const struct perf_module, module, &m->items)
        if (module->unnamed)
            sorted[count++] = module;
    qsort(sorted, count, sizeof(*sorted), compare_unnamed);
    for (size_t i = 0; i < count && i < SHOWN; i++) {
        buf_printf(out, "%s %.*s (%llu", i ? "," : ":", SLICE_ARG(sorted[i]->path),
                   (unsigned long long)sorted[i]->unnamed);
        add_remedy(sorted[i], out);
        buf_add_char(out, ')');
    }
    if (count > SHOWN)
        buf_printf(out, ", and %zu more", count - SHOWN);
    xfree(sorted);
}

void perf_modules_report(struct perf_modules *m, struct profile *profile)
{
    enum { MANY = 10 }; /* a tenth of the frames */
    uint64_t frames = 0, unnamed = 0;
    struct buf text = {0}, clean = {0};

    symbol_server_end(&m->server, m->diag);
    vec_each (const struct perf_module, module, &m->items) {
        frames += module->frames;
        unnamed += module->unnamed;
    }
    if (!unnamed)
        return;
    buf_printf(&text, "%llu of %llu", (unsigned long long)unnamed, (unsigned long long)frames);
    add_modules(m, &text);
    utf8_add_clean(&clean, buf_slice(&text));
    profile_add_fact(profile, SLICE("frames without a symbol"), buf_slice(&clean));
    diag_add(m->diag, unnamed > frames / MANY ? DIAG_WARNING : DIAG_NOTE, DIAG_AT_FILE,
             "frames without a symbol: %.*s", SLICE_ARG(buf_slice(&clean)));
    buf_release(&text);
    buf_release(&clean);
}
