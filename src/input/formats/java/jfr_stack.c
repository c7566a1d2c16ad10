#include "input/formats/java/jfr_stack.h"

#include "input/build/java.h"

enum { TRUNCATED, FRAMES };
enum { METHOD, LINE, FRAME_TYPE };
enum { TYPE, NAME };
enum { CLASS_NAME };
enum { OS_NAME, OS_ID, JAVA_NAME, JAVA_ID };

/* In what is made of a stack's constant: that the profiler cut it. */
static const uint32_t made_truncated = UINT32_C(1) << 31;

/* ---- what the types are -------------------------------------------------------------------- */

/* The type of the constants that a field refers to. */
static uint32_t referred(const struct jfr_types *t, uint32_t type, const char *field)
{
    const struct jfr_field *f = jfr_type_field(t, type, field);

    return f ? f->type : JFR_NO_TYPE;
}

static bool has_frame_type(struct jfr_stacks *s, struct slice name)
{
    for (size_t i = 0; i < s->chunk->constants.count; i++) {
        const struct jfr_constant *c = &s->chunk->constants.items[i];

        if (c->type != s->frame_types)
            continue;
        buf_clear(&s->text);
        jfr_constant_symbol(s->chunk, c->type, c->id, &s->text);
        if (slice_equal(buf_slice(&s->text), name))
            return true;
    }
    return false;
}

void jfr_stack_init(struct jfr_stacks *s, struct builder *b, struct jfr_chunk *chunk)
{
    static const char *const trace[] = {[TRUNCATED] = "truncated", [FRAMES] = "frames"};
    static const char *const frame[] = {
        [METHOD] = "method", [LINE] = "lineNumber", [FRAME_TYPE] = "type"};
    static const char *const method[] = {[TYPE] = "type", [NAME] = "name"};
    static const char *const class[] = {[CLASS_NAME] = "name"};
    static const char *const thread[] = {[OS_NAME] = "osName",
                                         [OS_ID] = "osThreadId",
                                         [JAVA_NAME] = "javaName",
                                         [JAVA_ID] = "javaThreadId"};
    const struct jfr_types *t = &chunk->types;
    const struct input_options *o = b->options;
    uint32_t traces = jfr_type_named(t, "jdk.types.StackTrace");
    uint32_t frames = referred(t, traces, "frames");

    *s = (struct jfr_stacks){.b = b, .chunk = chunk};
    arena_init(&s->memory);
    buf_init(&s->class_text);
    buf_init(&s->text);
    buf_init(&s->name);
    s->methods = referred(t, frames, "method");
    s->frame_types = referred(t, frames, "type");
    s->classes = referred(t, s->methods, "type");
    s->symbols = referred(t, s->methods, "name");
    s->class_names = referred(t, s->classes, "name");
    jfr_type_want_init(&s->trace, t, traces, trace, 2);
    jfr_type_want_init(&s->frame, t, frames, frame, 3);
    jfr_type_want_init(&s->method, t, s->methods, method, 2);
    jfr_type_want_init(&s->class, t, s->classes, class, 1);
    jfr_type_want_init(&s->thread, t, jfr_type_named(t, "java.lang.Thread"), thread, 4);
    s->native = has_frame_type(s, SLICE("Kernel"));
    s->keeps = o->names == NAMES_CLEAN && !o->srcline && !o->kernel && !o->jit && !o->inlined;
}

void jfr_stack_release(struct jfr_stacks *s)
{
    arena_release(&s->memory);
    buf_release(&s->class_text);
    buf_release(&s->text);
    buf_release(&s->name);
    jfr_type_want_release(&s->trace);
    jfr_type_want_release(&s->frame);
    jfr_type_want_release(&s->method);
    jfr_type_want_release(&s->class);
    jfr_type_want_release(&s->thread);
    vec_release(&s->threads);
}

/* ---- frames -------------------------------------------------------------------------------- */

struct place {
    bool native;
    enum symbol_class class;
};

/* What the type of a frame says. */
static struct place read_place(struct jfr_stacks *s, uint64_t frame_type)
{
    static const struct {
        const char *description;
        bool native;
        enum symbol_class class;
    } types[] = {
        {"Interpreted", false, SYMBOL_INTERPRETED},
        {"JIT compiled", false, SYMBOL_JIT},
        {"C1 compiled", false, SYMBOL_BASELINE},
        {"Inlined", false, SYMBOL_INLINED},
        {"Native", true, SYMBOL_USER},
        {"C++", true, SYMBOL_USER},
        {"Kernel", true, SYMBOL_KERNEL},
    };

    buf_clear(&s->text);
    jfr_constant_symbol(s->chunk, s->frame_types, frame_type, &s->text);
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
        if (slice_equal(buf_slice(&s->text), slice_str(types[i].description)))
            return (struct place){types[i].native && s->native, types[i].class};
    return (struct place){0};
}

/* Texts of the class and the method into s->class_text and s->text; empty where not known. */
static void read_method(struct jfr_stacks *s, const struct jfr_constant *method)
{
    struct jfr_bytes b = jfr_constant_at(s->chunk, method->at);
    struct jfr_value values[2];
    const struct jfr_constant *class;

    buf_clear(&s->class_text);
    buf_clear(&s->text);
    jfr_type_want_read(&s->method, &s->chunk->types, &b, values);
    if (values[NAME].present)
        jfr_constant_symbol(s->chunk, s->symbols, values[NAME].number, &s->text);
    class =
        values[TYPE].present ? jfr_constant_find(s->chunk, s->classes, values[TYPE].number) : NULL;
    if (!class)
        return;
    b = jfr_constant_at(s->chunk, class->at);
    jfr_type_want_read(&s->class, &s->chunk->types, &b, values);
    if (values[CLASS_NAME].present)
        jfr_constant_symbol(s->chunk, s->class_names, values[CLASS_NAME].number, &s->class_text);
}

/* The class of a hidden class or a lambda ends in an address: "Foo$$Lambda+0x00007f10". */
static struct slice without_address(struct slice class)
{
    size_t i = class.len;

    while (i > 0 && memchr("0123456789abcdef", class.ptr[i - 1], 16))
        i--;
    if (i < 3 || i == class.len || class.ptr[i - 1] != 'x' || class.ptr[i - 2] != '0' ||
        !memchr("+./", class.ptr[i - 3], 3))
        return class;
    return slice_take(class, i - 3);
}

/* A class's name without the number that the virtual machine gave it. */
static struct slice without_number(struct slice class)
{
    while (class.len && class.ptr[class.len - 1] >= '0' && class.ptr[class.len - 1] <= '9')
        class.len--;
    return class;
}

/* A name as Grafana's parser has it: classes made at run time are one, "Foo$$Lambda_". */
static void add_reference_name(struct jfr_stacks *s, uint64_t line)
{
    const struct slice accessor = SLICE("jdk/internal/reflect/GeneratedMethodAccessor");
    struct slice class = buf_slice(&s->class_text), base = without_number(without_address(class));

    if (slice_ends(base, SLICE("$$Lambda$")))
        base.len--;
    if (base.len < class.len &&
        (slice_equal(base, accessor) || slice_ends(base, SLICE("$$Lambda"))))
        buf_printf(&s->name, "%.*s_", SLICE_ARG(base));
    else
        buf_add_slice(&s->name, class);
    buf_printf(&s->name, ".%s:%llu", s->text.ptr, (unsigned long long)line);
}

static uint32_t make_entry(struct jfr_stacks *s, const struct jfr_value *values)
{
    struct jfr_constant *method = jfr_constant_find(s->chunk, s->methods, values[METHOD].number);
    struct place place;
    struct frame f = {.kind = FRAME_PLAIN};
    uint32_t entry;

    if (!method)
        return builder_entry(s->b, &f);
    if (s->keeps && method->made != JFR_NOT_MADE)
        return method->made;
    place = read_place(s, values[FRAME_TYPE].number);
    read_method(s, method);
    buf_clear(&s->name);
    if (s->b->options->names == NAMES_REFERENCE) {
        add_reference_name(s, values[LINE].number);
        f.name = buf_slice(&s->name);
    } else if (place.native) {
        f.kind = FRAME_NATIVE;
        f.module = buf_slice(&s->class_text);
        f.name = buf_slice(&s->text);
    } else {
        f = java_method(without_address(buf_slice(&s->class_text)), buf_slice(&s->text), &s->name);
    }
    f.line = values[LINE].number;
    f.class = place.class;
    entry = builder_entry(s->b, &f);
    if (s->keeps)
        method->made = entry;
    return entry;
}

/* ---- stacks -------------------------------------------------------------------------------- */

static bool make_stack(struct jfr_stacks *s, size_t at, uint32_t *stack, bool *truncated)
{
    struct jfr_types *types = &s->chunk->types;
    struct jfr_bytes b = jfr_constant_at(s->chunk, at);
    struct jfr_value values[3];
    uint64_t count;

    builder_begin(s->b);
    builder_leaf_first(s->b);
    jfr_type_want_read(&s->trace, types, &b, values);
    *truncated = values[TRUNCATED].number;
    if (values[FRAMES].present && !b.bad) {
        b = jfr_constant_at(s->chunk, values[FRAMES].at);
        count = jfr_bytes_number(&b, 4);
        for (uint64_t i = 0; i < count; i++) {
            jfr_type_want_read(&s->frame, types, &b, values);
            if (b.bad)
                break;
            builder_push(s->b, make_entry(s, values));
        }
    }
    return builder_stack(s->b, stack);
}

bool jfr_stack_get(struct jfr_stacks *s, uint32_t type, uint64_t id, uint32_t *stack,
                   bool *truncated)
{
    struct jfr_constant *constant = jfr_constant_find(s->chunk, type, id);

    *stack = STACK_ROOT;
    *truncated = false;
    if (!constant || type != s->trace.type)
        return true;
    if (constant->made == JFR_NOT_MADE) {
        if (!make_stack(s, constant->at, stack, truncated))
            return false;
        constant->made = *stack | (*truncated ? made_truncated : 0);
    }
    *stack = constant->made & ~made_truncated;
    *truncated = constant->made & made_truncated;
    return true;
}

/* ---- threads ------------------------------------------------------------------------------- */

static struct slice read_name(struct jfr_stacks *s, const struct jfr_value *value)
{
    buf_clear(&s->text);
    if (value->present)
        jfr_constant_text(s->chunk, value->at, &s->text);
    return arena_copy(&s->memory, buf_slice(&s->text));
}

static struct jfr_thread make_thread(struct jfr_stacks *s, size_t at)
{
    struct jfr_bytes b = jfr_constant_at(s->chunk, at);
    struct jfr_value values[4];
    struct jfr_thread thread;
    uint64_t number;

    jfr_type_want_read(&s->thread, &s->chunk->types, &b, values);
    thread.name = read_name(s, &values[JAVA_NAME]);
    if (!thread.name.len)
        thread.name = read_name(s, &values[OS_NAME]);
    number = values[OS_ID].number ? values[OS_ID].number : values[JAVA_ID].number;
    buf_clear(&s->text);
    buf_add_u64(&s->text, number);
    thread.number = arena_copy(&s->memory, buf_slice(&s->text));
    return thread;
}

struct jfr_thread jfr_stack_thread(struct jfr_stacks *s, uint32_t type, uint64_t id)
{
    struct jfr_constant *constant = jfr_constant_find(s->chunk, type, id);

    if (!constant || type != s->thread.type)
        return (struct jfr_thread){0};
    if (constant->made == JFR_NOT_MADE) {
        struct jfr_thread thread = make_thread(s, constant->at);

        constant->made = (uint32_t)s->threads.count;
        *vec_add(&s->threads) = thread;
    }
    return s->threads.items[constant->made];
}
