#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/build_id.h"
#include "base/file.h"
#include "input/core/dependencies.h"
#include "unit/support/test.h"

static bool is_zero(const unsigned char state[BLAKE_SIZE])
{
    static const unsigned char zero[BLAKE_SIZE];

    return memcmp(state, zero, BLAKE_SIZE) == 0;
}

/* A directory of this test. */
struct place {
    char directory[32];
    char input[64], file[64];
};

static void make_place(struct place *p)
{
    *p = (struct place){.directory = "/tmp/flamepress-test-XXXXXX"};
    cr_assert(mkdtemp(p->directory));
    snprintf(p->input, sizeof(p->input), "%s/in.data", p->directory);
    snprintf(p->file, sizeof(p->file), "%s/perf-1.map", p->directory);
}

static void write_file(const struct place *p, const char *text)
{
    struct buf why = {0};

    cr_assert(file_replace(p->file, slice_str(text), &why));
}

static void remove_place(const struct place *p)
{
    remove(p->file);
    rmdir(p->directory);
}

Test(input_dependencies, nothing_is_noted_without_a_list)
{
    const struct input_options o = {0};

    cr_expect_eq(dependencies_open_file(&o, DEPENDENCY_AS_NAMED, "/"), -1);
    dependencies_add_list(&o, "/");
    dependencies_add_kallsyms(&o, SLICE("x"));
    dependencies_add_unknown(&o);
    cr_expect_eq(dependencies_open_named(&o, DEPENDENCY_AS_NAMED, "/no/such/file"), -1);
    cr_expect(!dependencies_ask(&o, DEPENDENCY_KERNEL_ID, SLICE("no such id")));
}

Test(input_dependencies, names_are_relative_to_what_may_be_elsewhere)
{
    static const struct {
        enum dependency_root root;
        const char *path;
        enum dependency_root want;
        const char *name;
    } rows[] = {
        {DEPENDENCY_AS_NAMED, "/my/home/.debug/x", DEPENDENCY_AS_NAMED, "/my/home/.debug/x"},
        {DEPENDENCY_IN_HOME, "/my/home/.debug/x", DEPENDENCY_IN_HOME, "/.debug/x"},
        {DEPENDENCY_BESIDE, "some/in/perf-1.map", DEPENDENCY_BESIDE, "perf-1.map"},
        {DEPENDENCY_BESIDE, "other/perf-1.map", DEPENDENCY_AS_NAMED, "other/perf-1.map"},
        {DEPENDENCY_AS_NAMED, "some/in/perf-1.map", DEPENDENCY_AS_NAMED, "some/in/perf-1.map"},
    };
    struct dependencies c = {.input = "some/in/a.data"};
    const struct input_options o = {.dependencies = &c};

    setenv("HOME", "/my/home", 1);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        cr_expect_eq(dependencies_open_named(&o, rows[i].root, rows[i].path), -1);
        cr_assert_eq(c.items.count, i + 1);
        cr_expect_eq(c.items.items[i].root, rows[i].want, "row %zu", i);
        cr_expect(slice_equal(c.items.items[i].name, slice_str(rows[i].name)), "row %zu", i);
        cr_expect(is_zero(c.items.items[i].state));
    }
    cr_expect(!c.unknown);
    dependencies_add_unknown(&o);
    cr_expect(c.unknown);
    dependencies_release(&c);
    cr_expect(!c.unknown && c.items.count == 0);
}

Test(input_dependencies, without_a_home_nothing_is_in_it)
{
    struct dependencies c = {0};
    const struct input_options o = {.dependencies = &c};
    struct place p;

    make_place(&p);
    write_file(&p, "1 2 f\n");
    setenv("HOME", "relative", 1);
    cr_expect_eq(dependencies_open_named(&o, DEPENDENCY_IN_HOME, p.file), -1);
    cr_expect(is_zero(c.items.items[0].state));
    cr_expect(dependencies_is_same(&c, &o, &c.items.items[0]));
    setenv("HOME", "/", 1);
    cr_expect(!dependencies_is_same(&c, &o, &c.items.items[0]));
    dependencies_release(&c);
    remove_place(&p);
}

Test(input_dependencies, a_file_is_the_same_as_long_as_its_bytes_are)
{
    struct dependencies_memo memo;
    struct dependencies c = {.memo = &memo};
    const struct input_options o = {.dependencies = &c};
    const struct timespec times[2] = {{1000, 5}, {1000, 6}};
    const struct dependency *item;
    struct place p;
    int fd;

    dependencies_memo_init(&memo);
    make_place(&p);
    c.input = p.input;
    write_file(&p, "1 2 f\n");
    fd = dependencies_open_named(&o, DEPENDENCY_BESIDE, p.file);
    cr_assert(fd >= 0);
    cr_expect_eq(lseek(fd, 0, SEEK_CUR), 0);
    close(fd);
    item = &c.items.items[0];
    cr_expect(!is_zero(item->state));
    cr_expect(dependencies_is_same(&c, &o, item));
    cr_expect_eq(c.digested, 6, "one digest: the memo has the other");
    utimensat(AT_FDCWD, p.file, times, 0);
    cr_expect(dependencies_is_same(&c, &o, item));
    write_file(&p, "1 2 f\n");
    cr_expect(dependencies_is_same(&c, &o, item));
    write_file(&p, "1 2 g\n");
    cr_expect(!dependencies_is_same(&c, &o, item));
    remove(p.file);
    cr_expect(!dependencies_is_same(&c, &o, item));
    cr_assert_eq(mkfifo(p.file, 0600), 0);
    cr_expect(!dependencies_is_same(&c, &o, item));
    remove_place(&p);
    dependencies_release(&c);
    dependencies_memo_release(&memo);
}

/* A forged record may name anything as anything. */
Test(input_dependencies, what_is_no_regular_file_is_as_one_that_is_not_there)
{
    static const char *const paths[] = {"/dev/zero", "/", "/no/such/file", "/dev/stdin/x"};
    struct dependencies c = {0};
    const struct input_options o = {0};

    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
        for (int kind = DEPENDENCY_NAMED; kind <= DEPENDENCY_FILE; kind++) {
            const struct dependency item = {.kind = (enum dependency_kind)kind,
                                            .name = slice_str(paths[i])};

            cr_expect(dependencies_is_same(&c, &o, &item), "%s", paths[i]);
        }
    }
    cr_expect_eq(c.digested, 0);
}

struct looking {
    struct dependencies c;
    const struct dependency *item;
    bool same;
};

static void *look(void *context)
{
    struct looking *l = context;
    const struct input_options o = {0};

    l->same = dependencies_is_same(&l->c, &o, l->item);
    return NULL;
}

Test(input_dependencies, threads_find_a_state_once)
{
    enum { THREADS = 8, SIZE = 8 << 20 };
    struct dependencies c = {0};
    const struct input_options o = {.dependencies = &c};
    struct dependencies_memo memo;
    struct looking looking[THREADS];
    pthread_t threads[THREADS];
    uint64_t digested = 0;
    struct place p;

    make_place(&p);
    write_file(&p, "1 2 f\n");
    cr_assert_eq(truncate(p.file, SIZE), 0);
    close(dependencies_open_named(&o, DEPENDENCY_AS_NAMED, p.file));
    dependencies_memo_init(&memo);
    for (size_t i = 0; i < THREADS; i++) {
        looking[i] = (struct looking){.c = {.memo = &memo}, .item = &c.items.items[0]};
        cr_assert_eq(pthread_create(&threads[i], NULL, look, &looking[i]), 0);
    }
    for (size_t i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        cr_expect(looking[i].same);
        digested += looking[i].c.digested;
    }
    cr_expect(digested >= SIZE && digested < 2 * SIZE, "%d bytes", (int)digested);
    dependencies_memo_release(&memo);
    dependencies_release(&c);
    remove_place(&p);
}

Test(input_dependencies, an_input_has_a_bounded_number_of_bytes_digested)
{
    struct dependencies_memo memo;
    struct dependencies c = {.memo = &memo};
    const struct input_options o = {.dependencies = &c};
    struct place p;
    int fd;

    dependencies_memo_init(&memo);
    make_place(&p);
    fd = open(p.file, O_WRONLY | O_CREAT, 0600);
    cr_assert(fd >= 0);
    cr_assert_eq(ftruncate(fd, 5ll << 30), 0);
    close(fd);
    fd = dependencies_open_file(&o, DEPENDENCY_AS_NAMED, p.file);
    cr_expect(fd >= 0);
    close(fd);
    cr_expect(c.unknown && is_zero(c.items.items[0].state));
    cr_expect(!dependencies_is_same(&c, &o, &c.items.items[0]));
    cr_expect_eq(c.digested, 0);
    dependencies_release(&c);
    dependencies_memo_release(&memo);
    remove_place(&p);
}

Test(input_dependencies, questions_about_the_kernel)
{
    struct dependencies c = {0};
    const struct input_options o = {.dependencies = &c};
    struct buf release = {0}, vdso = {0}, why = {0};

    cr_assert(file_read("/proc/sys/kernel/osrelease", 1 << 20, &release, &why));
    build_id_write_vdso(&vdso);
    cr_expect(dependencies_ask(&o, DEPENDENCY_KERNEL_RELEASE, slice_trim(buf_slice(&release))));
    cr_expect_eq(dependencies_ask(&o, DEPENDENCY_VDSO_ID, buf_slice(&vdso)), vdso.len > 0);
    cr_expect(!dependencies_ask(&o, DEPENDENCY_KERNEL_RELEASE, SLICE("0.1")));
    cr_expect(!dependencies_ask(&o, DEPENDENCY_KERNEL_ID, SLICE("")));
    for (size_t i = 0; i < c.items.count; i++) {
        cr_expect(dependencies_is_same(&c, &o, &c.items.items[i]));
        c.items.items[i].state[0] ^= 1;
        cr_expect(!dependencies_is_same(&c, &o, &c.items.items[i]));
    }
    cr_expect_eq(c.items.count, 4);
    dependencies_release(&c);
    buf_release(&release);
    buf_release(&vdso);
}

Test(input_dependencies, symbols_of_the_kernel_are_compared_by_their_bytes)
{
    struct dependencies_memo memo;
    struct dependencies c = {.memo = &memo};
    const struct input_options o = {.dependencies = &c};
    struct buf symbols = {0}, why = {0};

    dependencies_memo_init(&memo);
    if (!file_read("/proc/kallsyms", 1 << 30, &symbols, &why))
        buf_clear(&symbols);
    dependencies_add_kallsyms(&o, buf_slice(&symbols));
    dependencies_add_kallsyms(&o, SLICE("text"));
    for (size_t i = 0; i < 2; i++) {
        cr_expect(dependencies_is_same(&c, &o, &c.items.items[0]));
        cr_expect(!dependencies_is_same(&c, &o, &c.items.items[1]));
    }
    dependencies_release(&c);
    dependencies_memo_release(&memo);
    buf_release(&symbols);
    buf_release(&why);
}
