/*
 * The processes of a nettrace file of version 6, and the names of their code, by the events of the
 * provider Universal.System that dotnet-trace collect-linux writes.
 *
 *     ExistingProcess, ProcessCreate: number in its namespace, name, namespace
 *     ProcessMapping: id, start, end, offset in the file, file, id of what is known of the file
 *     ProcessSymbol: id, id of the mapping, start, end, name
 *
 * Numbers are varints, texts have their size before them. Compiled methods are written "class Type
 * [Module] Namespace.Class::Method(int32)[Tier]" and named Namespace.Class.Method. Several
 * processes may have a mapping, and then all of them have its symbols.
 *
 * Source: UniversalSystemTraceEventParser.cs in github.com/microsoft/perfview.
 */
#ifndef INPUT_FORMATS_DOTNET_NETTRACE_UNIVERSAL_H
#define INPUT_FORMATS_DOTNET_NETTRACE_UNIVERSAL_H

#include "input/build/processes.h"
#include "input/parse/bytes.h"

struct universal_mapping {
    uint64_t id;
    int64_t pid;
};

struct universal_symbol {
    uint64_t mapping, start, end;
    struct slice name;
};

struct universal {
    struct processes processes;
    VEC(struct universal_mapping) mappings;
    VEC(struct universal_symbol) symbols;
};

void nettrace_universal_init(struct universal *u, const struct input_options *options,
                             struct diag *diag);
void nettrace_universal_release(struct universal *u);

/* Read the payload of an event of process `pid`. Return false if it is malformed. */
bool nettrace_universal_read_process(struct universal *u, int64_t pid, struct slice payload);
bool nettrace_universal_read_mapping(struct universal *u, int64_t pid, struct slice payload);
bool nettrace_universal_read_symbol(struct universal *u, struct slice payload);

/* Call it after the last event, and before nettrace_universal_frame(). */
void nettrace_universal_sort(struct universal *u);
/* Returns the frame of an address of a process, by its number in `processes`. */
struct frame nettrace_universal_frame(struct universal *u, uint32_t process, uint64_t address);

#endif
