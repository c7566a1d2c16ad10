/*
 * Stacks and threads of a chunk, from its constants.
 *
 * A frame is a method, and the method's class; frames of async-profiler that
 * are native or of the kernel have a library in place of the class.
 */
#ifndef INPUT_FORMATS_JAVA_JFR_STACK_H
#define INPUT_FORMATS_JAVA_JFR_STACK_H

#include "input/formats/java/jfr_constant.h"

/* The name and number of a thread. */
struct jfr_thread {
    struct slice name, number;
};

struct jfr_stacks {
    struct builder *b;
    struct jfr_chunk *chunk;
    struct arena memory;
    struct jfr_want trace, frame, method, class, thread;
    /* Types of constants that these refer to. */
    uint32_t methods, classes, symbols, class_names, frame_types;
    bool native;                    /* async-profiler's recording: "Native" frames are not Java's */
    bool keeps;                     /* a method has one name, wherever it stands */
    VEC(struct jfr_thread) threads; /* by what was made of their constants */
    struct buf class_text, text, name;
};

void jfr_stack_init(struct jfr_stacks *s, struct builder *b, struct jfr_chunk *chunk);
void jfr_stack_release(struct jfr_stacks *s);

/*
 * The stack of the trie for the stack `id` of the constants of a type. False
 * where an error was told. `*truncated`: the profiler cut it.
 */
bool jfr_stack_get(struct jfr_stacks *s, uint32_t type, uint64_t id, uint32_t *stack,
                   bool *truncated);

/* A thread; empty where it is not known. Valid as long as `s`. */
struct jfr_thread jfr_stack_thread(struct jfr_stacks *s, uint32_t type, uint64_t id);

#endif
