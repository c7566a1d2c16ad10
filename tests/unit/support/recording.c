#include "unit/support/recording.h"

#include <stdarg.h>

#include "base/vec.h"

enum { HEADER = 68, BOOLEAN = 1, INT, LONG, TYPES = RECORDING_SETTING + 1, FIELDS_MOST = 5 };

struct field {
    const char *name;
    int type;
    bool constant, many;
};

static const struct type {
    const char *name;
    const char *super;
    struct field fields[FIELDS_MOST];
} types[TYPES] = {
    [BOOLEAN] = {"boolean", NULL, {{0}}},
    [INT] = {"int", NULL, {{0}}},
    [LONG] = {"long", NULL, {{0}}},
    [RECORDING_STRING] = {"java.lang.String", NULL, {{0}}},
    [RECORDING_SYMBOL] = {"jdk.types.Symbol", NULL, {{"string", RECORDING_STRING, 0, 0}}},
    [RECORDING_CLASS] = {"java.lang.Class", NULL, {{"name", RECORDING_SYMBOL, 1, 0}}},
    [RECORDING_METHOD] = {"jdk.types.Method",
                          NULL,
                          {{"type", RECORDING_CLASS, 1, 0}, {"name", RECORDING_SYMBOL, 1, 0}}},
    [RECORDING_FRAME_TYPE] = {"jdk.types.FrameType",
                              NULL,
                              {{"description", RECORDING_STRING, 0, 0}}},
    [RECORDING_FRAME] = {"jdk.types.StackFrame",
                         NULL,
                         {{"method", RECORDING_METHOD, 1, 0},
                          {"lineNumber", INT, 0, 0},
                          {"type", RECORDING_FRAME_TYPE, 1, 0}}},
    [RECORDING_TRACE] = {"jdk.types.StackTrace",
                         NULL,
                         {{"truncated", BOOLEAN, 0, 0}, {"frames", RECORDING_FRAME, 0, 1}}},
    [RECORDING_THREAD] = {"java.lang.Thread",
                          NULL,
                          {{"osThreadId", LONG, 0, 0}, {"javaName", RECORDING_STRING, 0, 0}}},
    [RECORDING_SAMPLE] = {"jdk.ExecutionSample",
                          "jdk.jfr.Event",
                          {{"startTime", LONG, 0, 0},
                           {"sampledThread", RECORDING_THREAD, 1, 0},
                           {"stackTrace", RECORDING_TRACE, 1, 0}}},
    [RECORDING_PARK] = {"jdk.ThreadPark",
                        "jdk.jfr.Event",
                        {{"startTime", LONG, 0, 0},
                         {"duration", LONG, 0, 0},
                         {"eventThread", RECORDING_THREAD, 1, 0},
                         {"stackTrace", RECORDING_TRACE, 1, 0}}},
    [RECORDING_READ] = {"app.Read",
                        "jdk.jfr.Event",
                        {{"startTime", LONG, 0, 0},
                         {"length", INT, 0, 0},
                         {"stackTrace", RECORDING_TRACE, 1, 0}}},
    [RECORDING_LOOP] = {"app.Loop", NULL, {{"inner", RECORDING_LOOP, 0, 0}}},
    [RECORDING_STATE] = {"jdk.types.ThreadState", NULL, {{"name", RECORDING_STRING, 0, 0}}},
    [RECORDING_WALL] = {"jdk.ExecutionSample",
                        "jdk.jfr.Event",
                        {{"startTime", LONG, 0, 0},
                         {"sampledThread", RECORDING_THREAD, 1, 0},
                         {"state", RECORDING_STATE, 1, 0},
                         {"stackTrace", RECORDING_TRACE, 1, 0}}},
    [RECORDING_CPU] = {"jdk.CPUTimeSample",
                       "jdk.jfr.Event",
                       {{"startTime", LONG, 0, 0},
                        {"stackTrace", RECORDING_TRACE, 1, 0},
                        {"eventThread", RECORDING_THREAD, 1, 0},
                        {"samplingPeriod", LONG, 0, 0}}},
    [RECORDING_LOST] = {"jdk.CPUTimeSamplesLost",
                        "jdk.jfr.Event",
                        {{"startTime", LONG, 0, 0},
                         {"lostSamples", INT, 0, 0},
                         {"eventThread", RECORDING_THREAD, 1, 0}}},
    [RECORDING_CALL] = {"jdk.MethodTrace",
                        "jdk.jfr.Event",
                        {{"startTime", LONG, 0, 0},
                         {"duration", LONG, 0, 0},
                         {"eventThread", RECORDING_THREAD, 1, 0},
                         {"stackTrace", RECORDING_TRACE, 1, 0},
                         {"method", RECORDING_METHOD, 1, 0}}},
    [RECORDING_LOCK] = {"profiler.NativeLock",
                        "jdk.jfr.Event",
                        {{"startTime", LONG, 0, 0},
                         {"duration", LONG, 0, 0},
                         {"eventThread", RECORDING_THREAD, 1, 0},
                         {"stackTrace", RECORDING_TRACE, 1, 0}}},
    [RECORDING_SETTING] = {"jdk.ActiveSetting",
                           "jdk.jfr.Event",
                           {{"startTime", LONG, 0, 0},
                            {"id", LONG, 0, 0},
                            {"name", RECORDING_STRING, 0, 0},
                            {"value", RECORDING_STRING, 0, 0}}},
};

void recording_init(struct recording *r, bool fixed)
{
    *r = (struct recording){.fixed = fixed};
}

void recording_release(struct recording *r)
{
    buf_release(&r->bytes);
    buf_release(&r->chunk);
}

static void add_fixed(struct buf *b, uint64_t value, unsigned size)
{
    for (unsigned i = size; i-- > 0;)
        buf_add_char(b, (char)(value >> (8 * i)));
}

void recording_number(const struct recording *r, struct buf *b, uint64_t value, unsigned size)
{
    if (r->fixed) {
        add_fixed(b, value, size);
        return;
    }
    for (unsigned i = 0; i < 8; i++, value >>= 7) {
        if (value < 0x80) {
            buf_add_char(b, (char)value);
            return;
        }
        buf_add_char(b, (char)(value | 0x80));
    }
    buf_add_char(b, (char)value);
}

void recording_text(const struct recording *r, struct buf *b, const char *text)
{
    enum { UTF8 = 3 };

    buf_add_char(b, UTF8);
    recording_number(r, b, strlen(text), 4);
    buf_add_str(b, text);
}

void recording_event(struct recording *r, uint64_t type, const struct buf *payload)
{
    struct buf rest = {0};
    uint64_t size;

    recording_number(r, &rest, type, 8);
    buf_add_slice(&rest, buf_slice(payload));
    size = rest.len + 4;
    /* Four bytes in either form. */
    for (unsigned i = 0; i < 4; i++)
        buf_add_char(&r->chunk,
                     (char)(r->fixed ? size >> (8 * (3 - i)) : (size >> (7 * i)) & 0x7f) |
                         (char)(!r->fixed && i < 3 ? 0x80 : 0));
    buf_add_slice(&r->chunk, buf_slice(&rest));
    buf_release(&rest);
}

/* ---- metadata ------------------------------------------------------------------------------ */

struct tree {
    const struct recording *r;
    struct buf strings, elements;
    unsigned count; /* strings */
};

static void add_string(struct tree *t, const char *text)
{
    recording_number(t->r, &t->elements, t->count++, 4);
    recording_text(t->r, &t->strings, text);
}

/* Adds a text of the metadata; with `oracle`, types have the names of JDK 9 and 10. */
static void add_text(struct tree *t, const char *text)
{
    static const char *const prefixes[][2] = {
        {"jdk.types.", "com.oracle.jfr.types."},
        {"jdk.jfr.", "com.oracle.jfr."},
        {"jdk.", "com.oracle.jdk."},
    };
    struct buf old = {0};

    for (size_t i = 0; t->r->oracle && !old.len && i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
        if (strncmp(text, prefixes[i][0], strlen(prefixes[i][0])) == 0)
            buf_printf(&old, "%s%s", prefixes[i][1], text + strlen(prefixes[i][0]));
    add_string(t, old.len ? buf_string(&old) : text);
    buf_release(&old);
}

/* An element: its name, attributes as pairs up to a NULL; then its children. */
static void add_element(struct tree *t, uint64_t children, const char *name, ...)
{
    const char *texts[16];
    unsigned count = 0;
    va_list args;

    va_start(args, name);
    while (count < 16 && (texts[count] = va_arg(args, const char *)))
        count++;
    va_end(args);
    add_string(t, name);
    recording_number(t->r, &t->elements, count / 2, 4);
    for (unsigned i = 0; i < count; i++)
        add_text(t, texts[i]);
    recording_number(t->r, &t->elements, children, 4);
}

static void add_type(struct tree *t, int id)
{
    const struct type *type = &types[id];
    uint64_t fields = 0;
    struct buf number = {0};

    while (fields < FIELDS_MOST && type->fields[fields].name)
        fields++;
    buf_printf(&number, "%d", id);
    add_element(t, fields + 1, "class", "id", buf_string(&number), "name", type->name,
                type->super ? "superType" : NULL, type->super, NULL);
    add_element(t, 0, "annotation", "class", "99", NULL);
    for (uint64_t i = 0; i < fields; i++) {
        const struct field *f = &type->fields[i];
        const char *more = f->constant ? "constantPool" : f->many ? "dimension" : NULL;

        buf_clear(&number);
        buf_printf(&number, "%d", f->type);
        add_element(t, 0, "field", "name", f->name, "class", buf_string(&number), more,
                    f->constant ? "true" : "1", NULL);
    }
    buf_release(&number);
}

static bool is_described(const struct recording *r, int type)
{
    bool extra = type > RECORDING_WALL ? r->recent : type > RECORDING_LOOP && r->states;

    return types[type].name && (type <= RECORDING_LOOP || extra);
}

void recording_metadata(struct recording *r)
{
    struct tree t = {.r = r};
    struct buf payload = {0};
    uint64_t count = 0;

    for (int i = 0; i < TYPES; i++)
        count += is_described(r, i);
    add_element(&t, 2, "root", NULL);
    add_element(&t, count, "metadata", NULL);
    for (int i = 0; i < TYPES; i++)
        if (is_described(r, i))
            add_type(&t, i);
    add_element(&t, 0, "region", "locale", "de", NULL);
    for (int i = 0; i < 3; i++)
        recording_number(r, &payload, 0, 8);
    recording_number(r, &payload, t.count, 4);
    buf_add_slice(&payload, buf_slice(&t.strings));
    buf_add_slice(&payload, buf_slice(&t.elements));
    r->metadata = HEADER + r->chunk.len;
    recording_event(r, 0, &payload);
    buf_release(&t.strings);
    buf_release(&t.elements);
    buf_release(&payload);
}

/* ---- constants and events ------------------------------------------------------------------ */

static void begin_pool(const struct recording *r, struct buf *b, uint64_t type, uint64_t count)
{
    recording_number(r, b, type, 8);
    recording_number(r, b, count, 4);
}

/* Texts, or rows of numbers, numbered from 1. */
static void add_texts(const struct recording *r, struct buf *b, uint64_t type, uint64_t count,
                      const char *const *texts)
{
    begin_pool(r, b, type, count);
    for (uint64_t i = 0; i < count; i++) {
        recording_number(r, b, i + 1, 8);
        recording_text(r, b, texts[i]);
    }
}

static void add_trace(const struct recording *r, struct buf *b, uint64_t id, bool truncated,
                      const uint64_t (*frames)[3])
{
    uint64_t count = 0;

    while (frames[count][0])
        count++;
    recording_number(r, b, id, 8);
    buf_add_char(b, truncated);
    recording_number(r, b, count, 4);
    for (uint64_t i = 0; i < count; i++) {
        recording_number(r, b, frames[i][0], 8);
        recording_number(r, b, frames[i][1], 4);
        recording_number(r, b, frames[i][2], 8);
    }
}

void recording_constants(struct recording *r, bool native)
{
    static const char *const symbols[] = {"run",     "main", "pkg/App",
                                          "libc.so", "read", "Foo$$Lambda$14+0x0000f0"};
    static const char *const frame_types[] = {"Interpreted", "JIT compiled", "Inlined", "Native",
                                              "Kernel"};
    static const uint64_t methods[][2] = {{1, 1}, {1, 2}, {2, 5}, {3, 1}};
    static const uint64_t traces[4][4][3] = {
        {{1, 3, 2}, {2, 9, 1}}, {{4, 0, 3}, {2, 9, 1}}, {{3, 0, 4}, {1, 3, 2}, {2, 8, 1}}, {{0}}};
    struct buf b = {0};

    for (int i = 0; i < 3; i++)
        recording_number(r, &b, 0, 8);
    buf_add_char(&b, 1);
    recording_number(r, &b, 6, 4);
    add_texts(r, &b, RECORDING_SYMBOL, 6, symbols);
    add_texts(r, &b, RECORDING_FRAME_TYPE, native ? 5 : 4, frame_types);
    begin_pool(r, &b, RECORDING_CLASS, 3);
    for (uint64_t i = 1; i <= 3; i++) {
        recording_number(r, &b, i, 8);
        recording_number(r, &b, i == 3 ? 6 : i + 2, 8);
    }
    begin_pool(r, &b, RECORDING_METHOD, 4);
    for (uint64_t i = 1; i <= 4; i++) {
        recording_number(r, &b, i, 8);
        recording_number(r, &b, methods[i - 1][0], 8);
        recording_number(r, &b, methods[i - 1][1], 8);
    }
    begin_pool(r, &b, RECORDING_THREAD, 2);
    for (uint64_t i = 1; i <= 2; i++) {
        recording_number(r, &b, i, 8);
        recording_number(r, &b, 76 + i, 8);
        recording_text(r, &b, i == 1 ? "main" : "worker");
    }
    begin_pool(r, &b, RECORDING_TRACE, 4);
    for (uint64_t i = 1; i <= 4; i++)
        add_trace(r, &b, i, i == 2, traces[i - 1]);
    recording_event(r, 1, &b);
    buf_release(&b);
}

void recording_sample(struct recording *r, uint64_t ticks, uint64_t thread, uint64_t stack)
{
    struct buf b = {0};

    recording_number(r, &b, ticks, 8);
    recording_number(r, &b, thread, 8);
    recording_number(r, &b, stack, 8);
    recording_event(r, RECORDING_SAMPLE, &b);
    buf_release(&b);
}

void recording_chunk(struct recording *r)
{
    struct buf *b = &r->bytes;

    buf_add(b, "FLR\0", 4);
    add_fixed(b, 2, 2);
    add_fixed(b, 1, 2);
    add_fixed(b, HEADER + r->chunk.len, 8);
    add_fixed(b, HEADER, 8);
    add_fixed(b, r->metadata, 8);
    add_fixed(b, 1000, 8);
    add_fixed(b, 5000, 8);
    add_fixed(b, 100, 8);
    add_fixed(b, 2000000000, 8);
    add_fixed(b, !r->fixed, 4);
    buf_add_slice(b, buf_slice(&r->chunk));
    buf_clear(&r->chunk);
}
