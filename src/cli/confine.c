#include "cli/confine.h"

#include "base/file.h"
#include "batch/history.h"
#include "cli/binary_places.h"
#include "cli/font_places.h"
#include "cli/library_places.h"
#include "cli/sandbox.h"

/* Adds an input and its meta file. */
static void add_input(const char *path, struct strings *readable, struct arena *memory)
{
    struct inputs beside = {0};
    const char *meta = inputs_find_meta(&beside, path);

    *vec_add(readable) = path;
    if (meta)
        *vec_add(readable) = arena_strdup(memory, slice_str(meta));
    inputs_release(&beside);
}

/* Adds the earlier runs. A history has no recordings. */
static void add_baseline(const struct options *o, struct strings *readable, bool *recording,
                         struct arena *memory)
{
    const char *directory;
    struct slice label;

    if (!o->baseline)
        return;
    if (history_split(o->baseline, memory, &directory, &label)) {
        *vec_add(readable) = directory;
        return;
    }
    *recording = *recording || binary_places_needed(o->baseline, o->follow);
    add_input(o->baseline, readable, memory);
}

/* Adds what the options name, but for the inputs. */
static void add_named(const struct options *o, struct strings *readable)
{
    const char *const named[] = {o->fonts.font,
                                 o->fonts.directory,
                                 o->color_map,
                                 o->name_attributes,
                                 o->plan.reading.symfs,
                                 o->plan.reading.program,
                                 o->plan.reading.kallsyms,
                                 o->templates,
                                 o->codeowners};

    if (o->to)
        *vec_add(readable) = o->to;
    for (size_t i = 0; i < sizeof(named) / sizeof(named[0]); i++)
        if (named[i])
            *vec_add(readable) = named[i];
}

/* Enters the sandbox, and says which part of it the system withholds. */
static void enter_sandbox(const struct sandbox *sandbox, struct console *console)
{
    struct sandbox_obstacles obstacles = sandbox_enter(sandbox);
    static const char part[] = "running without the part of the sandbox that restricts";

    if (obstacles.files)
        console_say(console, "%s: %s files", obstacles.files, part);
    if (obstacles.calls)
        console_say(console, "%s: %s calls", obstacles.calls, part);
}

/* Starts the broker and enters the sandbox; releases `readable`. */
static void enter(const struct options *o, struct strings *readable, struct stage *stage,
                  bool recording, struct console *console)
{
    struct sandbox sandbox = {.writable = stage ? stage->directory : NULL};
    struct arena memory = {0};
    bool ok = true;

    if (o->command & (COMMANDS_DRAWING | COMMAND_DIGEST)) {
        font_places_add(readable, &memory);
        library_places_add(readable, &memory);
    }
    add_baseline(o, readable, &recording, &memory);
    if (recording)
        binary_places_add(o, readable, &memory);
    if (recording && !o->plan.reading.symfs)
        broker_let_open(&console->broker);
    if (o->plan.reading.debuginfod)
        broker_let_fetch(&console->broker);
    add_named(o, readable);
    sandbox.readable = *readable;
    if (console->broker.fetches ||
        ((console->broker.paths.count || console->broker.removable.count || console->broker.opens ||
          stage) &&
         sandbox_restricts_files()))
        ok = broker_start(&console->broker, stage);
    if (ok)
        enter_sandbox(&sandbox, console);
    else
        console_say(console,
                    "the process that opens files cannot be started: running without sandbox");
    vec_release(readable);
    arena_release(&memory);
}

/* Lets the run write `path`, unless that is standard output. */
static void add_written(struct console *console, const char *path)
{
    if (path && !file_is_standard(path))
        broker_add_path(&console->broker, path);
}

void confine(const struct options *o, const struct strings *written, struct console *console)
{
    struct strings readable = {0};
    struct arena memory = {0};
    bool recording;

    if (o->no_sandbox)
        return;
    recording = !o->paths.count && binary_places_needed("-", o->follow);
    vec_each (const char *const, path, written)
        add_written(console, *path);
    add_written(console, o->color_map);
    vec_each (const char *const, path, &o->paths) {
        recording = recording || binary_places_needed(*path, o->follow);
        add_input(*path, &readable, &memory);
    }
    vec_each (const char *const, path, &o->news) {
        recording = recording || binary_places_needed(*path, o->follow);
        add_input(*path, &readable, &memory);
    }
    enter(o, &readable, NULL, recording, console);
    arena_release(&memory);
}

void confine_report(const struct options *o, const struct inputs *in, struct stage *stage,
                    struct console *console)
{
    struct strings readable = {0};
    bool recording = false;

    if (o->no_sandbox)
        return;
    if (stage) /* what has not changed is taken over from the earlier report */
        *vec_add(&readable) = stage->place;
    else
        add_written(console, options_output(o));
    add_written(console, o->color_map);
    if (o->stitch)
        *vec_add(&readable) = o->stitch;
    vec_each (const char *const, path, &o->paths)
        *vec_add(&readable) = *path;
    /* All others are below a directory of the paths. */
    vec_each (const struct input_file, item, &in->items) {
        /* What is put together of parts reads no profile. */
        recording = recording || (!o->stitch && binary_places_needed(item->path, o->follow));
        if (!item->named && !o->follow)
            continue;
        *vec_add(&readable) = item->path;
        if (item->commentary)
            *vec_add(&readable) = item->commentary;
        if (item->meta)
            *vec_add(&readable) = item->meta;
    }
    if (in->introduction)
        *vec_add(&readable) = in->introduction;
    enter(o, &readable, stage, recording, console);
}
