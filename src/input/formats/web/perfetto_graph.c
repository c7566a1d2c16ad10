#include "input/formats/web/perfetto_graph.h"

#include "base/budget.h"
#include "input/parse/proto.h"

/* Types of roots; the numbers are Perfetto's. */
enum { ROOT_UNKNOWN, ROOT_JNI_GLOBAL, ROOT_JNI_LOCAL, ROOT_JAVA_FRAME, ROOT_STICKY_CLASS = 5 };
enum { ROOT_VM_INTERNAL = 13 };

static const char *const root_names[] = {
    "ROOT_UNKNOWN",           "ROOT_JNI_GLOBAL",      "ROOT_JNI_LOCAL",    "ROOT_JAVA_FRAME",
    "ROOT_NATIVE_STACK",      "ROOT_STICKY_CLASS",    "ROOT_THREAD_BLOCK", "ROOT_MONITOR_USED",
    "ROOT_THREAD_OBJECT",     "ROOT_INTERNED_STRING", "ROOT_FINALIZING",   "ROOT_DEBUGGER",
    "ROOT_REFERENCE_CLEANUP", "ROOT_VM_INTERNAL",     "ROOT_JNI_MONITOR",
};

static void release_graph(struct perfetto_graph *g)
{
    map_release(&g->object_ids.index);
    map_release(&g->type_ids.index);
    vec_release(&g->object_ids.items);
    vec_release(&g->type_ids.items);
    release_all(g, vec, objects, types, references, internal, roots, registries);
    *g = (struct perfetto_graph){.process = g->process};
}

void perfetto_graphs_release(struct perfetto_graphs *g)
{
    vec_each (struct perfetto_graph, dump, &g->dumps)
        release_graph(dump);
    release_each(g, (vec, dumps, of_sequence, of_process), (intern, texts), (buf, fields));
}

static struct slice keep(struct perfetto_graphs *g, struct slice text)
{
    return intern_get(&g->texts, intern_add(&g->texts, text));
}

/* Keeps the fields of a number; most objects of a class have the same ones. */
static struct slice keep_fields(struct perfetto_graphs *g, struct slice message, uint64_t number)
{
    buf_clear(&g->fields);
    perfetto_items_only(message, number, &g->fields);
    return keep(g, buf_slice(&g->fields));
}

/* ---- ids ----------------------------------------------------------------------------------- */

static bool same_id(const void *context, uint32_t number, const void *key)
{
    return ((const struct perfetto_ids *)context)->items.items[number] == *(const uint64_t *)key;
}

static uint32_t find_id(const struct perfetto_ids *ids, uint64_t id)
{
    return map_find(&ids->index, map_hash_pair(&ids->index, id, 0), same_id, ids, &id);
}

static uint32_t number_of(struct perfetto_ids *ids, uint64_t id)
{
    uint32_t number = find_id(ids, id);

    if (number != MAP_NONE)
        return number;
    number = (uint32_t)ids->items.count;
    map_add(&ids->index, map_hash_pair(&ids->index, id, 0), number);
    *vec_add(&ids->items) = id;
    return number;
}

static uint32_t object_of(struct perfetto_graph *g, uint64_t id)
{
    uint32_t number = number_of(&g->object_ids, id);

    if (number == g->objects.count)
        *vec_add(&g->objects) = (struct perfetto_object){.distance = UINT32_MAX};
    return number;
}

static uint32_t type_of(struct perfetto_graph *g, uint64_t id)
{
    uint32_t number = number_of(&g->type_ids, id);

    if (number == g->types.count)
        *vec_add(&g->types) = (struct perfetto_type){0};
    return number;
}

/* ---- packets ------------------------------------------------------------------------------- */

/* Adds the objects that a field's numbers refer to; 0 refers to none, and keeps its place. */
static void add_references(struct perfetto_graph *g, struct slice message, uint64_t field,
                           uint64_t base)
{
    struct perfetto_numbers n = {.message = message, .field = field};
    uint64_t id;

    while (!budget_is_over() && perfetto_items_next(&n, &id))
        *vec_add(&g->references) = id ? object_of(g, id + base) : UINT32_MAX;
}

/* The lowest bit of a registry's size says how its objects were allocated. */
static void read_registry(struct perfetto_graph *g, uint32_t object, struct slice message)
{
    enum { REGISTRY_SIZE = 8 };
    uint64_t size;

    if (perfetto_items_number(message, REGISTRY_SIZE, &size) && size <= INT64_MAX)
        *vec_add(&g->registries) = (struct perfetto_registry){object, size & ~(uint64_t)1};
}

static void read_object(struct perfetto_graphs *graphs, struct perfetto_graph *g,
                        struct slice message)
{
    enum { ID = 1, TYPE, SIZE, FIELDS, REFERENCES, BASE, DELTA, HEAP = 9, INTERNAL };
    enum { HEAP_ZYGOTE = 2, HEAP_BOOT_IMAGE = 3 };
    uint64_t base = 0, type = 0, delta = 0;
    struct perfetto_object object = {.there = message.len > 0, .distance = UINT32_MAX};
    uint32_t number;

    perfetto_items_number(message, DELTA, &delta);
    if (delta) {
        g->last += delta;
    } else if (!perfetto_items_number(message, ID, &g->last)) {
        g->last = 0;
        builder_skip(graphs->b, DIAG_AT_BYTE(graphs->at), "an object of Java's heap has no id");
    }
    perfetto_items_number(message, TYPE, &type);
    perfetto_items_number(message, SIZE, &object.size);
    perfetto_items_number(message, BASE, &base);
    perfetto_items_number(message, HEAP, &g->heap);
    number = object_of(g, g->last);
    object.type = type_of(g, type);
    object.fields = keep_fields(graphs, message, FIELDS);
    object.references = (uint32_t)g->references.count;
    add_references(g, message, REFERENCES, base);
    add_references(g, message, INTERNAL, 0);
    object.referred = (uint32_t)g->references.count - object.references;
    g->objects.items[number] = object;
    read_registry(g, number, message);
    if (g->heap == HEAP_ZYGOTE || g->heap == HEAP_BOOT_IMAGE)
        *vec_add(&g->internal) = number;
}

static void read_type(struct perfetto_graphs *graphs, struct perfetto_graph *g,
                      struct slice message)
{
    enum { ID = 1, NAME = 3, SIZE, SUPERCLASS, FIELDS, KIND };
    enum { NO_REFERENCES = 2, STRING, ARRAY, SOFT = 8, WEAK, FINALIZER, PHANTOM };
    struct perfetto_type type = {.there = message.len > 0};
    uint64_t id = 0, kind = 0;
    uint32_t number;

    perfetto_items_number(message, ID, &id);
    perfetto_items_bytes(message, NAME, &type.name);
    perfetto_items_number(message, SIZE, &type.size);
    perfetto_items_number(message, SUPERCLASS, &type.superclass);
    perfetto_items_number(message, KIND, &kind);
    type.name = keep(graphs, type.name);
    type.fields = keep_fields(graphs, message, FIELDS);
    type.weak = kind >= SOFT && kind <= PHANTOM;
    type.no_fields = kind >= NO_REFERENCES && kind <= ARRAY;
    number = type_of(g, id);
    g->types.items[number] = type;
}

/* Notes the id of a field: "java.lang.Object java.lang.ref.Reference.referent". */
static void read_field_name(struct perfetto_graph *g, struct slice message)
{
    static const char *const names[GRAPH_FIELDS] = {
        [GRAPH_REFERENT] = "java.lang.ref.Reference.referent",
        [GRAPH_THUNK] = "sun.misc.Cleaner.thunk",
        [GRAPH_NEXT] = "sun.misc.Cleaner.next",
        [GRAPH_REGISTRY] = "libcore.util.NativeAllocationRegistry$CleanerThunk.this$0",
    };
    struct slice name = {0};
    uint64_t id = 0;

    perfetto_items_number(message, 1, &id);
    perfetto_items_bytes(message, 2, &name);
    name = slice_skip(name, slice_find(name, ' ') < name.len ? slice_find(name, ' ') + 1 : 0);
    for (size_t i = 0; i < GRAPH_FIELDS; i++)
        if (slice_equal(name, slice_str(names[i])))
            g->fields[i] = id;
}

static void read_roots(struct perfetto_graph *g, struct slice message)
{
    struct perfetto_numbers n = {.message = message, .field = 1};
    uint64_t id, type = ROOT_UNKNOWN;

    perfetto_items_number(message, 2, &type);
    if (type >= sizeof(root_names) / sizeof(root_names[0]))
        type = ROOT_UNKNOWN;
    while (!budget_is_over() && perfetto_items_next(&n, &id))
        *vec_add(&g->roots) = (struct perfetto_root){id, (uint8_t)type};
}

static void read_frame_root(struct perfetto_graph *g, struct slice message)
{
    uint64_t id;

    if (perfetto_items_number(message, 1, &id))
        *vec_add(&g->roots) = (struct perfetto_root){id, ROOT_JAVA_FRAME};
}

/* Makes a dump the last one of its process, and releases what the one before has. */
static void take_over(struct perfetto_graphs *graphs, uint32_t process)
{
    uint32_t *last;

    while (graphs->of_process.count <= process)
        *vec_add(&graphs->of_process) = 0;
    last = &graphs->of_process.items[process];
    if (*last && !graphs->dumps.items[*last - 1].open)
        release_graph(&graphs->dumps.items[*last - 1]);
    *last = (uint32_t)graphs->dumps.count;
}

/* Returns the dump that a packet belongs to, begun by the packet if none is open. */
static struct perfetto_graph *dump_of(struct perfetto_graphs *graphs, size_t sequence,
                                      struct slice message)
{
    struct perfetto_graph *g;
    uint64_t pid = 0;
    char text[24];

    while (graphs->of_sequence.count <= sequence)
        *vec_add(&graphs->of_sequence) = 0;
    if (graphs->of_sequence.items[sequence]) {
        g = &graphs->dumps.items[graphs->of_sequence.items[sequence] - 1];
        if (g->open)
            return g;
    }
    g = vec_add(&graphs->dumps);
    *g = (struct perfetto_graph){.open = true};
    perfetto_items_number(message, 1, &pid);
    snprintf(text, sizeof(text), "%llu", (unsigned long long)pid);
    g->process = trace_threads_get(graphs->threads, slice_str(text), SLICE(""));
    graphs->of_sequence.items[sequence] = (uint32_t)graphs->dumps.count;
    take_over(graphs, g->process);
    return g;
}

bool perfetto_graphs_read(struct perfetto_graphs *graphs, size_t sequence, struct slice message)
{
    enum { OBJECT = 2, FIELD_NAME = 4, CONTINUED, INDEX, ROOT, TYPE = 9, FRAME_ROOT = 11 };
    struct perfetto_graph *g = dump_of(graphs, sequence, message);
    uint64_t index = 0, continued = 0;
    struct proto_field f;

    perfetto_items_number(message, INDEX, &index);
    perfetto_items_number(message, CONTINUED, &continued);
    graphs->missing += index > g->next ? index - g->next : 0;
    g->next = index + 1;
    g->open = continued;
    while (!budget_is_over() && proto_next(&message, &f)) {
        if (f.wire != PROTO_BYTES)
            continue;
        if (f.number == OBJECT)
            read_object(graphs, g, f.bytes);
        else if (f.number == TYPE)
            read_type(graphs, g, f.bytes);
        else if (f.number == FIELD_NAME)
            read_field_name(g, f.bytes);
        else if (f.number == ROOT)
            read_roots(g, f.bytes);
        else if (f.number == FRAME_ROOT)
            read_frame_root(g, f.bytes);
    }
    return budget_allows(graphs->b->diag, DIAG_AT_FILE);
}

/* ---- roots --------------------------------------------------------------------------------- */

/* Of several types that a root has, the first one counts, unless one of these is among them. */
static unsigned rank_of(unsigned type)
{
    if (type == ROOT_STICKY_CLASS)
        return 0;
    return type == ROOT_JNI_GLOBAL || type == ROOT_JNI_LOCAL ? type : ROOT_JAVA_FRAME;
}

static void mark_root(struct perfetto_graph *g, uint32_t number, uint8_t type)
{
    struct perfetto_object *o = &g->objects.items[number];

    if (!o->root || rank_of(type) < rank_of(o->root - 1u))
        o->root = (uint8_t)(type + 1);
}

static void mark_roots(struct perfetto_graph *g)
{
    vec_each (struct perfetto_root, r, &g->roots) {
        uint32_t number = r->type == ROOT_JAVA_FRAME ? MAP_NONE : find_id(&g->object_ids, r->id);

        if (number != MAP_NONE)
            mark_root(g, number, r->type);
    }
    vec_each (uint32_t, number, &g->internal)
        mark_root(g, *number, ROOT_VM_INTERNAL);
    vec_each (struct perfetto_root, r, &g->roots) {
        uint32_t number = r->type == ROOT_JAVA_FRAME ? find_id(&g->object_ids, r->id) : MAP_NONE;

        if (number != MAP_NONE)
            mark_root(g, number, r->type);
    }
}

/* ---- fields -------------------------------------------------------------------------------- */

/* Returns the place of `field` among the numbers of a field, or UINT32_MAX. */
static uint32_t place_of(struct slice fields, uint64_t number, uint64_t field, uint32_t *count)
{
    struct perfetto_numbers n = {.message = fields, .field = number};
    uint64_t id;

    for (*count = 0; perfetto_items_next(&n, &id); ++*count)
        if (id == field)
            return *count;
    return UINT32_MAX;
}

/* Finds the fields that matter among those that each class adds. */
static void place_fields(struct perfetto_graph *g)
{
    enum { FIELDS = 6 };

    vec_each (struct perfetto_type, t, &g->types) {
        struct perfetto_numbers n = {.message = t->fields, .field = FIELDS};
        uint64_t id;

        memset(t->places, 0xff, sizeof(t->places));
        if (t->no_fields || !t->there)
            continue;
        for (; perfetto_items_next(&n, &id); t->field_count++)
            for (size_t i = 0; i < GRAPH_FIELDS; i++)
                if (id == g->fields[i] && t->places[i] == UINT32_MAX)
                    t->places[i] = t->field_count;
    }
}

/*
 * Returns which of an object's references is that of a field, or UINT32_MAX. The fields are those
 * of the object, or of its class and then of the superclasses.
 */
static uint32_t find_reference(const struct perfetto_graph *g, const struct perfetto_object *o,
                               enum perfetto_graph_field field)
{
    enum { FIELDS = 4, MOST_CLASSES = 64 };
    uint32_t type = o->type, before = 0, count, at;

    if (!g->fields[field])
        return UINT32_MAX;
    at = place_of(o->fields, FIELDS, g->fields[field], &count);
    if (at != UINT32_MAX || count)
        return at;
    for (unsigned i = 0; i < MOST_CLASSES && type != MAP_NONE; i++) {
        const struct perfetto_type *t = &g->types.items[type];

        if (t->places[field] != UINT32_MAX)
            return before + t->places[field];
        before += t->field_count;
        type = find_id(&g->type_ids, t->superclass);
    }
    return UINT32_MAX;
}

/* Returns the object that another one refers to with a field, or UINT32_MAX. */
static uint32_t object_by(const struct perfetto_graph *g, uint32_t object,
                          enum perfetto_graph_field field)
{
    const struct perfetto_object *o = &g->objects.items[object];
    uint32_t at = o->there ? find_reference(g, o, field) : UINT32_MAX;

    return at < o->referred ? g->references.items[o->references + at] : UINT32_MAX;
}

/* ---- native memory ------------------------------------------------------------------------- */

/*
 * Adds the native memory that a cleaner frees to the object that it waits for. `sizes` are those
 * of registries, by object. Returns whether there is any.
 */
static bool add_cleaner(struct perfetto_graph *g, uint32_t cleaner, const uint64_t *sizes)
{
    uint32_t referent = object_by(g, cleaner, GRAPH_REFERENT);
    uint32_t thunk = object_by(g, cleaner, GRAPH_THUNK);
    uint32_t registry = thunk == UINT32_MAX ? thunk : object_by(g, thunk, GRAPH_REGISTRY);
    struct perfetto_object *o;

    if (referent == UINT32_MAX || registry == UINT32_MAX || !sizes[registry] ||
        object_by(g, cleaner, GRAPH_NEXT) == cleaner)
        return false;
    o = &g->objects.items[referent];
    return num_add(o->native, sizes[registry], &o->native);
}

/* Finds the native memory of objects, while all references are there. Returns whether any has. */
static bool find_native(struct perfetto_graph *g)
{
    uint64_t *sizes;
    bool any = false;

    if (!g->registries.count)
        return false;
    sizes = xcalloc(g->objects.count, sizeof(*sizes));
    vec_each (struct perfetto_registry, r, &g->registries)
        sizes[r->object] = r->size;
    for (uint32_t i = 0; i < g->objects.count; i++)
        if (slice_equal(g->types.items[g->objects.items[i].type].name, SLICE("sun.misc.Cleaner")))
            any |= add_cleaner(g, i, sizes);
    xfree(sizes);
    return any;
}

/* ---- ways from the roots ------------------------------------------------------------------- */

static int compare_numbers(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return x < y ? -1 : x > y;
}

/* Leaves of each object's references those that hold an object, in the order of the objects. */
static void order_references(struct perfetto_graph *g)
{
    vec_each (struct perfetto_object, o, &g->objects) {
        uint32_t *r, weak, count = 0;

        if (!o->there || !o->referred)
            continue;
        r = &g->references.items[o->references];
        weak = g->types.items[o->type].weak ? find_reference(g, o, GRAPH_REFERENT) : UINT32_MAX;
        for (uint32_t i = 0; i < o->referred; i++)
            if (i != weak && r[i] != UINT32_MAX && g->objects.items[r[i]].there)
                r[count++] = r[i];
        o->referred = count;
        qsort(r, count, sizeof(*r), compare_numbers);
    }
}

/* Finds the distance of each object from the nearest root. Returns false if there is no root. */
static bool measure(struct perfetto_graph *g)
{
    VEC(uint32_t) queue = {0};
    bool any;

    for (uint32_t i = 0; i < g->objects.count; i++)
        if (g->objects.items[i].root && g->objects.items[i].there) {
            g->objects.items[i].distance = 0;
            *vec_add(&queue) = i;
        }
    any = queue.count > 0;
    for (size_t at = 0; at < queue.count; at++) {
        const struct perfetto_object *o = &g->objects.items[queue.items[at]];

        for (uint32_t i = 0; i < o->referred; i++) {
            uint32_t to = g->references.items[o->references + i];

            if (g->objects.items[to].distance == UINT32_MAX) {
                g->objects.items[to].distance = o->distance + 1;
                *vec_add(&queue) = to;
            }
        }
    }
    vec_release(&queue);
    return any;
}

/* ---- stacks -------------------------------------------------------------------------------- */

/* An object on the way from a root, and the next of its references. */
struct step {
    uint32_t object, next, stack;
};

struct walk {
    struct perfetto_graphs *graphs;
    struct perfetto_graph *g;
    uint32_t bytes, objects; /* series */
    uint32_t native;         /* if any object has native memory */
    uint32_t root;           /* the stack of the process */
    VEC(struct step) way;
    VEC(uint32_t) entries; /* by type: 1 + the builder's */
};

/* Returns the entry of an object's class; that of a root is followed by the kind of root. */
static uint32_t entry_of(struct walk *w, const struct perfetto_object *o)
{
    struct builder *b = w->graphs->b;
    struct frame frame = {.name = w->g->types.items[o->type].name, .kind = FRAME_PLAIN};
    struct buf name = {0};
    uint32_t entry;

    if (o->root) {
        buf_add_slice(&name, slice_take(frame.name, b->options->limits.max_name + 1ull));
        buf_printf(&name, " [%s]", root_names[o->root - 1]);
        frame.name = buf_slice(&name);
        entry = builder_entry(b, &frame);
        buf_release(&name);
        return entry;
    }
    while (w->entries.count <= o->type)
        *vec_add(&w->entries) = 0;
    if (!w->entries.items[o->type])
        w->entries.items[o->type] = builder_entry(b, &frame) + 1;
    return w->entries.items[o->type] - 1;
}

static bool add_weights(struct walk *w, const struct perfetto_object *o, uint32_t stack)
{
    struct builder *b = w->graphs->b;
    uint64_t size = o->size ? o->size : w->g->types.items[o->type].size;

    return builder_add_at(b, w->bytes, stack, (struct decimal){.value = size}) &&
           builder_add_at(b, w->objects, stack, (struct decimal){.value = 1}) &&
           (!o->native ||
            builder_add_at(b, w->native, stack, (struct decimal){.value = o->native}));
}

/* Counts an object whose way is longer than --max-frames. */
static void note_cut(struct walk *w, const struct perfetto_object *o)
{
    struct profile *p = w->graphs->b->profile;

    w->graphs->cut++;
    p->ledger.truncated++; /* once, although both series have the stack */
    profile_note_truncated(p, w->objects, 1);
    p->series.items[w->bytes].truncated++;
    if (o->native)
        p->series.items[w->native].truncated++;
}

/* Goes to an object from the one before. Returns false after reporting an error. */
static bool visit(struct walk *w, uint32_t number, uint32_t parent)
{
    struct builder *b = w->graphs->b;
    struct perfetto_object *o = &w->g->objects.items[number];
    struct step step = {.object = number, .stack = parent};

    o->visited = true;
    if (w->objects != BUILDER_LEFT_OUT) {
        if (w->way.count >= b->options->limits.max_depth)
            note_cut(w, o);
        else if (!builder_child_entry(b, parent, entry_of(w, o), &step.stack))
            return false;
    }
    *vec_add(&w->way) = step;
    return add_weights(w, o, step.stack) && budget_allows(b->diag, DIAG_AT_FILE);
}

/* Visits all objects that a root holds on a shortest way, depth first. */
static bool walk_from(struct walk *w, uint32_t root)
{
    struct perfetto_graph *g = w->g;

    if (!visit(w, root, w->root))
        return false;
    while (w->way.count) {
        struct step *step = &w->way.items[w->way.count - 1];
        const struct perfetto_object *o = &g->objects.items[step->object];
        uint32_t to;

        if (step->next == o->referred) {
            w->way.count--;
            continue;
        }
        to = g->references.items[o->references + step->next++];
        if (g->objects.items[to].distance == o->distance + 1 && !g->objects.items[to].visited &&
            !visit(w, to, step->stack))
            return false;
    }
    return true;
}

/* Gives the classes of a process their names before R8. */
static void name_types(struct perfetto_graphs *graphs, struct perfetto_graph *g)
{
    struct slice process = trace_threads_origin(graphs->threads, g->process, SLICE("")).process;
    struct buf name = {0};

    vec_each (struct perfetto_type, t, &g->types) {
        buf_clear(&name);
        if (perfetto_names_add(graphs->names, process, t->name, &name))
            t->name = keep(graphs, buf_slice(&name));
    }
    buf_release(&name);
}

static bool add_graph(struct perfetto_graphs *graphs, struct perfetto_graph *g,
                      struct trace_mix mix)
{
    struct walk w = {.graphs = graphs, .g = g};
    struct origin space =
        trace_threads_origin(graphs->threads, g->process, SLICE("java_heap_space"));
    struct origin objects =
        trace_threads_origin(graphs->threads, g->process, SLICE("java_heap_objects"));
    struct origin native =
        trace_threads_origin(graphs->threads, g->process, SLICE("java_heap_native_space"));
    bool good, has_native;

    mark_roots(g);
    place_fields(g);
    has_native = find_native(g);
    order_references(g);
    name_types(graphs, g);
    if (!measure(g))
        return true;
    good = trace_threads_root(graphs->threads, g->process, mix, graphs->b, &w.root);
    w.bytes = builder_series(graphs->b, &space, (struct unit){.kind = UNIT_BYTES});
    w.objects = builder_series(graphs->b, &objects, (struct unit){.noun = SLICE("objects")});
    if (has_native)
        w.native = builder_series(graphs->b, &native, (struct unit){.kind = UNIT_BYTES});
    for (uint32_t i = 0; good && i < g->objects.count; i++)
        if (!g->objects.items[i].distance)
            good = walk_from(&w, i);
    release_all(&w, vec, way, entries);
    return good;
}

static void tell(const struct perfetto_graphs *g, uint64_t earlier)
{
    const struct {
        uint64_t count;
        enum diag_level level;
        const char *what;
    } notes[] = {
        {g->missing, DIAG_WARNING,
         "# packet{ of Java's heap is|s of Java's heap are} missing; the graph is incomplete"},
        {g->cut, DIAG_WARNING,
         "# object{ is further from a root than --max-frames allows; it counts|s are further from "
         "a root than --max-frames allows; they count} at the last frame"},
        {earlier, DIAG_NOTE,
         "# earlier dump{ of Java's heap is|s of Java's heap are} left out; the last one counts"},
    };

    for (size_t i = 0; i < sizeof(notes) / sizeof(notes[0]); i++)
        diag_count(g->b->diag, notes[i].level, notes[i].count, notes[i].what);
}

bool perfetto_graphs_finish(struct perfetto_graphs *graphs)
{
    size_t count = graphs->threads->threads.count + 1;
    uint32_t *last = xcalloc(count, sizeof(*last)); /* by process: 1 + its last dump */
    bool *in = xcalloc(count, sizeof(*in)), good = true;
    struct trace_mix mix;
    uint64_t earlier = 0;

    for (uint32_t i = 0; i < graphs->dumps.count; i++) {
        uint32_t process = graphs->dumps.items[i].process;

        earlier += in[process];
        in[process] = true;
        last[process] = i + 1;
    }
    mix = trace_threads_mix(graphs->threads, in, graphs->b->options);
    for (uint32_t i = 0; good && i < graphs->dumps.count; i++)
        if (last[graphs->dumps.items[i].process] == i + 1)
            good = add_graph(graphs, &graphs->dumps.items[i], mix);
    xfree(last);
    xfree(in);
    tell(graphs, earlier);
    return good;
}
