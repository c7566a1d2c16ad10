#include "output/public_path.h"

#include "unit/support/test.h"

static const struct {
    const char *path, *want;
} paths[] = {
    {"/srv/ann/secret/app.c", "app.c"},
    {"~/secret/app.c", "app.c"},
    {"../../ann/app.c", "app.c"},
    {"C:\\Users\\ann\\app.exe", "app.exe"},
    {"c:/Users/ann/app.exe", "app.exe"},
    {"\\\\server\\ann\\app.exe", "app.exe"},
    {"https://ann.example/a/app.js?token=/1", "app.js"},
    {"https://ann.example/a/app.js#part", "app.js"},
    {"https://ann.example/", "ann.example/"},
    {"/srv/ann/x/node_modules/express/index.js", "node_modules/express/index.js"},
    {"/srv/ann/x/node_modules/a/node_modules/b/c.js", "node_modules/b/c.js"},
    {"https://ann.example/node_modules/b/c.js", "node_modules/b/c.js"},
    {"C:\\Users\\ann\\site-packages\\six.py", "site-packages\\six.py"},
    {"/srv/ann/gems/rack/lib/rack.rb", "gems/rack/lib/rack.rb"},
    {"/usr/lib/python3.11/json/decoder.py", "python3.11/json/decoder.py"},
    {"/srv/python/secret/app.py", "app.py"},
    {"/srv/ann/my_node_modules/app.js", "app.js"},
    {"/opt/lib (deleted)", "lib (deleted)"},
    {"src/parse.c", "src/parse.c"},
    {"src\\parse.c", "src\\parse.c"},
    {"[kernel.kallsyms]", "[kernel.kallsyms]"},
    {"node:internal/fs", "node:internal/fs"},
    {"//anon", "anon"},
    {"/", "/"},
    {"", ""},
};

Test(output_public_path, directories_of_the_machine_are_left_out)
{
    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
        struct slice got = public_path(slice_str(paths[i].path));

        cr_expect(slice_equal(got, slice_str(paths[i].want)), "%s: %.*s", paths[i].path,
                  SLICE_ARG(got));
    }
}
