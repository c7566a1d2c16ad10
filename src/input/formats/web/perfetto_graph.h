/*
 * The heap graphs in Perfetto's packets: the objects of a Java process and who holds them.
 *
 *     HeapGraph        1 pid, 2 objects, 4 names of fields, 5 the next packet continues this one,
 *                      6 index of the packet, 7 roots, 9 types, 11 roots in frames of threads
 *     HeapGraphObject  1 id, or 7 its difference to the last; 2 type, 3 bytes, 4 fields, 5 objects
 *                      referred to, 6 what is added to their ids, 8 size of a registry, 9 heap,
 *                      10 further objects
 *     HeapGraphType    1 id, 3 name, 4 bytes of an object, 5 superclass, 6 fields, 7 kind
 *     HeapGraphRoot    1 objects, 2 type
 *
 * The stack of an object is the shortest way of references from a root of the garbage collector,
 * by the classes of the objects on it; of several the one that Perfetto's own flame graph takes.
 * So an object counts once, under the object that holds it. The root's frame says what kind of
 * root it is. The weights are the objects' own bytes, and their number. Objects that no root holds
 * are garbage and left out; weak, soft and phantom references hold nothing. Of several dumps of a
 * process the last one counts. A way longer than --max-frames ends there, and objects that are
 * further away count at its end. Classes have their names before R8 (perfetto_names.h).
 *
 * Native memory that an object has in use is a series of its own. A sun.misc.Cleaner refers to
 * that object and, by its thunk, to the NativeAllocationRegistry whose objects have that size; a
 * cleaner that is the next one of itself has run.
 *
 * Source: protos/perfetto/trace/profiling/heap_graph.proto and src/trace_processor/importers/
 * proto/heap_graph_tracker.cc in github.com/google/perfetto.
 */
#ifndef INPUT_FORMATS_WEB_PERFETTO_GRAPH_H
#define INPUT_FORMATS_WEB_PERFETTO_GRAPH_H

#include "input/formats/web/perfetto_items.h"
#include "input/formats/web/perfetto_names.h"
#include "input/build/trace_threads.h"

/* The fields whose names matter. */
enum perfetto_graph_field {
    GRAPH_REFERENT, /* weak references and cleaners refer with it */
    GRAPH_THUNK,
    GRAPH_NEXT,
    GRAPH_REGISTRY,
    GRAPH_FIELDS
};

/* Ids of a dump and their numbers, in the order in which the ids are met. */
struct perfetto_ids {
    struct map index;
    VEC(uint64_t) items;
};

struct perfetto_object {
    struct slice fields; /* those of the message that name the fields of its references */
    uint64_t size, native;
    uint32_t type;                 /* number of its id */
    uint32_t references, referred; /* first in `references`, and how many */
    uint32_t distance;             /* from the nearest root; UINT32_MAX if none holds it */
    uint8_t root;                  /* 1 + the type of root that it is */
    bool there;                    /* not only referred to */
    bool visited;
};

struct perfetto_type {
    struct slice name, fields; /* empty if the class is only referred to */
    uint64_t size, superclass;
    uint32_t field_count;          /* fields that it adds */
    uint32_t places[GRAPH_FIELDS]; /* which of them these are; UINT32_MAX if none */
    bool there, weak, no_fields;
};

struct perfetto_root {
    uint64_t id; /* of the object */
    uint8_t type;
};

/* A NativeAllocationRegistry. */
struct perfetto_registry {
    uint32_t object;
    uint64_t size; /* of the native memory of each of its objects */
};

/* A dump of a process. */
struct perfetto_graph {
    uint32_t process; /* index of a thread that has no number of its own */
    bool open;        /* further packets belong to it */
    uint64_t next;    /* index of the next packet */
    uint64_t last;    /* id of the last object */
    uint64_t heap;    /* of the last object */
    struct perfetto_ids object_ids, type_ids;
    VEC(struct perfetto_object) objects; /* by the number of their id */
    VEC(struct perfetto_type) types;
    VEC(uint32_t) references; /* of the objects, one object's after another's: numbers of objects */
    VEC(uint32_t) internal;   /* objects that the virtual machine itself holds */
    VEC(struct perfetto_root) roots;
    VEC(struct perfetto_registry) registries;
    uint64_t fields[GRAPH_FIELDS]; /* their ids; 0 if there is none */
};

struct perfetto_graphs {
    struct trace_threads *threads;
    struct perfetto_names *names;
    struct builder *b;
    VEC(struct perfetto_graph) dumps; /* in the order in which they begin */
    VEC(uint32_t) of_sequence;        /* by index of the sequence: 1 + its last dump */
    VEC(uint32_t) of_process;         /* by process: 1 + its last dump */
    struct intern texts;              /* names of classes, and fields */
    struct buf fields;
    uint64_t missing, cut; /* packets; objects that are too far away */
    uint64_t at;           /* offset of the packet that is read */
};

void perfetto_graphs_release(struct perfetto_graphs *g);

/* Takes a HeapGraph of a sequence with an index. Returns false after reporting an error. */
bool perfetto_graphs_read(struct perfetto_graphs *g, size_t sequence, struct slice message);
/* Adds the last dump of each process, with the processes as first frames if there are several. */
bool perfetto_graphs_finish(struct perfetto_graphs *g);

#endif
