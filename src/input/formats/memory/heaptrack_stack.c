#include "input/formats/memory/heaptrack_stack.h"

#include "base/num.h"

void heaptrack_stack_init(struct heaptrack_stacks *h, struct builder *b)
{
    *h = (struct heaptrack_stacks){.b = b, .reference = b->options->names == NAMES_REFERENCE};
    arena_init(&h->bytes);
    buf_init(&h->scratch);
}

void heaptrack_stack_release(struct heaptrack_stacks *h)
{
    arena_release(&h->bytes);
    vec_release(&h->strings);
    vec_release(&h->instructions);
    vec_release(&h->frames);
    vec_release(&h->stacks);
    buf_release(&h->scratch);
}

bool heaptrack_stack_number(struct slice *rest, uint64_t *value)
{
    struct slice word;

    return slice_word(rest, &word) && num_parse_hex(word, value);
}

/* A string by its number, 0 being none. */
static struct slice string_of(const struct heaptrack_stacks *h, uint64_t number)
{
    return number && number <= h->strings.count ? h->strings.items[number - 1] : SLICE("");
}

void heaptrack_stack_add_string(struct heaptrack_stacks *h, struct slice text)
{
    *vec_add(&h->strings) = arena_copy(&h->bytes, text);
}

static bool ends_in(const struct buf *text, const char *end)
{
    return slice_ends(buf_slice(text), slice_str(end));
}

/* A name without what stands in angle brackets, as heaptrack_print writes it. */
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

/* "function (file)", as heaptrack_print -F writes it; `named`: with a file, whether known or not */
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

/* Turns the entries from `first` on around. */
static void reverse_frames(struct heaptrack_stacks *h, size_t first)
{
    for (size_t last = h->frames.count; first + 1 < last;) {
        uint32_t entry = h->frames.items[first];

        h->frames.items[first++] = h->frames.items[--last];
        h->frames.items[last] = entry;
    }
}

bool heaptrack_stack_add_instruction(struct heaptrack_stacks *h, struct slice rest)
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

/* Makes the stack of `instruction` called from `parent`. False where told. */
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

bool heaptrack_stack_add(struct heaptrack_stacks *h, struct slice rest, bool *fine)
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
