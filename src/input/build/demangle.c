#include "input/build/demangle.h"

#include <libiberty/demangle.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include "base/ascii.h"
#include "base/budget.h"
#include "base/die.h"

/*
 * The library bounds its own recursion as long as nobody asks it not to, and
 * takes no C++ name of more than 1024 bytes then. Its D demangler recurses
 * once per byte at most and bounds nothing, hence the same length for all.
 */
enum {
    LONGEST_NAME = 1024,
    LONGEST_RESULT = 64 * 1024,
    MOST_D_REFERENCES = 16,
};

/* ---- C++ and Rust: the library hands the text out piece by piece ---------------------------- */

struct output {
    struct buf *buf;
    size_t start;
    bool interruptible; /* any piece may be the last */
    jmp_buf stop;
};

static bool is_ascii(const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (text[i] & 0x80)
            return false;
    return true;
}

/*
 * Leaves the library by longjmp when the text gets too long, because the library cannot be
 * asked to stop. It owns memory only while it writes a Rust identifier that is not ASCII,
 * which is one piece.
 */
static void take_piece(const char *text, size_t len, void *opaque)
{
    struct output *o = opaque;

    if (o->buf->len - o->start + len <= LONGEST_RESULT)
        buf_add(o->buf, text, len);
    else if (o->interruptible || is_ascii(text, len))
        longjmp(o->stop, 1);
}

typedef int (*demangler)(const char *, int, demangle_callbackref, void *);

static bool run(demangler demangle, const char *name, struct output *o)
{
    if (setjmp(o->stop) == 0 && demangle(name, DMGL_PARAMS | DMGL_ANSI, take_piece, o))
        return o->buf->len > o->start;
    buf_cut(o->buf, o->start);
    return false;
}

static bool add_rust(struct buf *out, const char *name)
{
    struct output o = {.buf = out, .start = out->len};

    return run(rust_demangle_callback, name, &o);
}

static bool add_cpp(struct buf *out, const char *name)
{
    struct output o = {.buf = out, .start = out->len, .interruptible = true};

    return run(cplus_demangle_v3_callback, name, &o);
}

/* ---- D -------------------------------------------------------------------------------------- */

/* Every reference may double the text: a few are enough for people. */
static bool few_references(const char *name)
{
    unsigned references = 0;

    for (; *name; name++)
        references += *name == 'Q';
    return references <= MOST_D_REFERENCES;
}

static bool add_d(struct buf *out, const char *name)
{
    struct budget *before = budget_enter(NULL); /* libiberty frees with free() */
    char *text = few_references(name) ? dlang_demangle(name, DMGL_NO_OPTS) : NULL;
    size_t len = text ? strlen(text) : 0;

    budget_leave(before);
    if (len > LONGEST_RESULT)
        len = 0;
    buf_add(out, text, len);
    free(text);
    return len > 0;
}

/* ---- which one ------------------------------------------------------------------------------ */

/* `name` begins with '_' and a letter. Rust's older names are C++ names with a hash at the end. */
static bool add(struct buf *out, const char *name)
{
    switch (name[1]) {
    case 'Z':
        return add_rust(out, name) || add_cpp(out, name);
    case 'R':
        return add_rust(out, name);
    case 'G': /* what runs before and after main() */
        return strncmp(name, "_GLOBAL_", 8) == 0 && add_cpp(out, name);
    case 'D':
        return (ascii_is_digit(name[2]) || strcmp(name, "_Dmain") == 0) && add_d(out, name);
    default:
        return false;
    }
}

/* ---- a stack for the library ---------------------------------------------------------------- */

/*
 * The library recurses once per byte of nested types at most, and took up to 424 bytes of stack for
 * each: 434 KB for the longest name. Stacks of 256 KB are accepted, and threads of programs that
 * use libflamepress may have 128 KB. So longer names are demangled on a stack made for them, of
 * which only the pages that a name needs take memory.
 */
enum { SHORT_NAME = 128, STACK = 1 << 20 };

struct task {
    struct buf *out;
    const char *name;
    bool done;
};

/* AddressSanitizer does not follow a change of stacks; its builds need large ones anyway. */
#ifndef __SANITIZE_ADDRESS__

/* makecontext() passes on only ints. */
static void begin_task(unsigned high, unsigned low)
{
    struct task *t = (struct task *)((uintptr_t)high << 32 | low);

    t->done = add(t->out, t->name);
}

static void run_on(char *stack, struct task *t)
{
    uintptr_t address = (uintptr_t)t;
    ucontext_t here, there;

    if (getcontext(&there) != 0)
        return;
    there.uc_stack.ss_sp = stack;
    there.uc_stack.ss_size = STACK;
    there.uc_link = &here;
    makecontext(&there, (void (*)(void))begin_task, 2, (unsigned)(address >> 32),
                (unsigned)address);
    swapcontext(&here, &there);
}

static void run_task(struct task *t)
{
    struct budget *before = budget_enter(NULL); /* no input is charged for the stack */
    char *stack = xmalloc(STACK);

    budget_enter(before);
    run_on(stack, t);
    budget_enter(NULL);
    xfree(stack);
    budget_leave(before);
}

#else

static void run_task(struct task *t)
{
    t->done = add(t->out, t->name);
}

#endif

bool demangle_add(struct buf *out, struct slice name)
{
    char text[LONGEST_NAME + 1];
    struct task t = {.out = out, .name = text};
    size_t line = slice_lead(name, '_');

    /* On macOS names have one more "_" in front, names of blocks have two. */
    if (!line || line > 4 || line == name.len || !memchr("ZRDG", name.ptr[line], 4))
        return false;
    name = slice_skip(name, line - 1);
    if (name.len > LONGEST_NAME || memchr(name.ptr, '\0', name.len))
        return false;
    memcpy(text, name.ptr, name.len);
    text[name.len] = '\0';
    if (name.len <= SHORT_NAME)
        return add(out, text);
    run_task(&t);
    return t.done;
}
