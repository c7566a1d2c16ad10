#include "input/walk.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unit/support/place.h"
#include "unit/support/test.h"

TestSuite(input_walk, .init = place_enter, .fini = place_leave);

/*
 * A shell command that makes the directory "d", the files that the walk finds there, and its
 * messages.
 */
static const struct {
    const char *what, *make, *paths, *messages;
    bool follow;
} cases[] = {
    {"nothing", "mkdir d", "", "", false},
    {"by bytes", "mkdir -p d/a d/B; touch d/a/x d/a.x d/a-x d/B/y d/z", "B/y\na-x\na.x\na/x\nz\n",
     "", false},
    {"no hidden ones", "mkdir -p d/.git d/a; touch d/.git/x d/.x d/a/.y d/a/y", "a/y\n", "", false},
    {"not the output", "mkdir -p d/out d/a; touch d/out/x d/a/x", "a/x\n", "", false},
    {"no earlier outputs", "mkdir -p d/old/graphs; touch d/old/.mine d/old/graphs/x d/x", "x\n",
     "warning: 'old' is an earlier report and is left out; name it to read the runs in it\n",
     false},
    {"an earlier output that is named", "mkdir -p d/a; touch d/.mine d/a/x", "a/x\n", "", false},
    {"a directory in the place of the marker", "mkdir -p d/a/.mine; touch d/a/x", "a/x\n", "",
     false},
    {"no pipes or devices", "mkdir d; mkfifo d/p; touch d/x", "x\n",
     "warning: 'd/p' is not read: it is a pipe, a socket or a device, not a file\n", false},
    {"no links to devices", "mkdir d; ln -s /dev/null d/n; touch d/x", "x\n",
     "warning: the link 'n' is not followed: it leads to a device, a pipe or a socket\n", false},
    {"links to files below", "mkdir -p d/a; touch d/a/x; ln -s a/x d/l", "a/x\nl\n", "", false},
    {"links to files elsewhere", "mkdir d; touch x; ln -s ../x d/l", "",
     "warning: the link 'l' is not followed: it leads to a file outside the directory (--follow "
     "reads it)\n",
     false},
    {"links to files elsewhere, followed", "mkdir d; touch x; ln -s ../x d/l", "l\n", "", true},
    {"links to files elsewhere, through a directory",
     "mkdir -p d/a; touch x; ln -s ../../x d/a/m; ln -s a/m d/l", "",
     "warning: the link 'l' is not followed: it leads to a file outside the directory (--follow "
     "reads it)\n"
     "warning: the link 'a/m' is not followed: it leads to a file outside the directory (--follow "
     "reads it)\n",
     false},
    {"links to directories", "mkdir d e; touch e/x; ln -s ../e d/l", "",
     "warning: the link 'l' is not followed: it leads to a directory (--follow reads it)\n", false},
    {"links to directories, followed", "mkdir d e; touch e/x; ln -s ../e d/l", "l/x\n", "", true},
    {"each directory once, by its own name", "mkdir -p d/z; touch d/z/x; ln -s z d/a", "z/x\n", "",
     true},
    {"links up", "mkdir -p d/a; touch d/a/x; ln -s .. d/a/up; ln -s . d/self", "a/x\n", "", true},
    {"links that lead to each other's directory",
     "mkdir -p d e f; ln -s ../e d/e; ln -s ../f e/f; ln -s ../e f/e; touch f/x", "e/f/x\n", "",
     true},
    {"links to nowhere", "mkdir d; ln -s gone d/l; touch d/x", "x\n",
     "warning: the link 'l' is broken: No such file or directory\n", false},
    {"a link to itself", "mkdir d; ln -s l d/l; touch d/x", "x\n",
     "warning: the link 'l' is broken: Too many levels of symbolic links\n", false},
    {"a recording in a directory",
     "mkdir -p d/a/k d/b; printf PERFILE2 > d/a/data; touch d/a/data.0 d/a/k/x; "
     "touch d/b/data d/b/data.0",
     "a\nb/data\nb/data.0\n", "", false},
    {"names of any bytes", "mkdir d; touch \"d/$(printf 'a\\nb')\" \"d/$(printf '\\377')\"",
     "a\nb\n\xff\n", "", false},
};

Test(input_walk, gives_files_in_order)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct walk_options options = {"d/out", ".mine", cases[i].follow};
        struct buf paths = {0}, messages = {0};
        struct paths found = {0};
        struct diag diag;

        diag_init(&diag, slice_make(NULL, 0));
        cr_assert_eq(system("rm -rf d e f x"), 0);
        cr_assert_eq(system(cases[i].make), 0);
        cr_expect(walk_directory("d", &options, &found, &diag));
        vec_each (struct slice, path, &found.items) {
            cr_expect_eq(path->ptr[path->len], '\0');
            buf_add_slice(&paths, *path);
            buf_add_char(&paths, '\n');
        }
        diag_write(&diag, &messages, false);
        cr_expect_str_eq(buf_string(&paths), cases[i].paths, "%s: '%s'", cases[i].what,
                         buf_string(&paths));
        cr_expect_str_eq(buf_string(&messages), cases[i].messages, "%s: '%s'", cases[i].what,
                         buf_string(&messages));
        diag_release(&diag);
        walk_paths_release(&found);
        buf_release(&paths);
        buf_release(&messages);
    }
}

Test(input_walk, a_directory_that_is_not_there_is_an_error)
{
    struct paths found = {0};
    struct diag diag;

    diag_init(&diag, slice_make(NULL, 0));
    cr_expect_not(walk_directory("d", NULL, &found, &diag));
    cr_expect_eq(diag.counts[DIAG_ERROR], 1);
    diag_release(&diag);
    walk_paths_release(&found);
}

Test(input_walk, goes_deep_without_recursion)
{
    struct paths found = {0};
    struct diag diag;
    struct buf path = {0};

    buf_add_str(&path, "d");
    cr_assert_eq(mkdir("d", 0777), 0);
    for (unsigned i = 0; i < 1000; i++) {
        buf_add_str(&path, "/d");
        cr_assert_eq(mkdir(buf_string(&path), 0777), 0);
    }
    diag_init(&diag, slice_make(NULL, 0));
    cr_expect(walk_directory("d", NULL, &found, &diag));
    cr_expect_eq(found.items.count, 0);
    cr_expect_eq(diag.messages.count, 0);
    diag_release(&diag);
    walk_paths_release(&found);
    buf_release(&path);
}
