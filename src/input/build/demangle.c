#include "input/build/demangle.h"

#include <libiberty/demangle.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

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
 * A name of LONGEST_NAME bytes of nested types takes the library through about as many levels, of
 * some 600 bytes of stack each, and threads of a program that uses this library may have less. So
 * each thread that demangles has a second stack, of which only the pages that are used take memory.
 */
#define STACK ((size_t)8 << 20)

struct task {
    struct buf *out;
    const char *name;
    bool done;
};

#ifdef __SANITIZE_ADDRESS__

/* AddressSanitizer does not follow a change of stacks; its builds have large ones. */
static void run_task(struct task *t)
{
    t->done = add(t->out, t->name);
}

#else

static pthread_key_t stack_key;
static pthread_once_t stack_once = PTHREAD_ONCE_INIT;
static _Thread_local struct task *task;

static void release_stack(void *memory)
{
    munmap(memory, STACK);
}

static void make_key(void)
{
    if (pthread_key_create(&stack_key, release_stack) != 0)
        die("out of keys for threads");
}

/* The thread's stack; its lowest page is a guard. NULL if there is no memory for it. */
static void *find_stack(void)
{
    void *memory;

    pthread_once(&stack_once, make_key);
    memory = pthread_getspecific(stack_key);
    if (memory)
        return memory;
    memory = mmap(NULL, STACK, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    mprotect(memory, (size_t)sysconf(_SC_PAGESIZE), PROT_NONE);
    if (pthread_setspecific(stack_key, memory) != 0) {
        release_stack(memory);
        return NULL;
    }
    return memory;
}

static void begin_task(void)
{
    task->done = add(task->out, task->name);
}

static void run_task(struct task *t)
{
    ucontext_t here, there;

    if (getcontext(&there) != 0)
        return;
    there.uc_stack.ss_sp = find_stack();
    there.uc_stack.ss_size = STACK;
    if (!there.uc_stack.ss_sp)
        return;
    there.uc_link = &here;
    task = t;
    makecontext(&there, begin_task, 0);
    swapcontext(&here, &there);
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
    run_task(&t);
    return t.done;
}
