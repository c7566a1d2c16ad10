#include "cli/font_places.h"

#include <stdlib.h>

#include "base/file.h"
#include "unit/support/test.h"

static bool has(const struct strings *places, const char *path)
{
    vec_each (const char *const, place, places)
        if (strcmp(*place, path) == 0)
            return true;
    return false;
}

Test(cli_font_places, follow_the_environment_and_the_settings)
{
    char directory[] = "/tmp/places-XXXXXX";
    struct strings places = {0};
    struct arena memory = {0};
    struct buf path = {0}, why = {0};

    cr_assert(mkdtemp(directory));
    buf_printf(&path, "%s/fonts.conf", directory);
    cr_assert(file_create(buf_string(&path),
                          SLICE("<fontconfig><dir>~/a</dir><dir prefix=\"xdg\">b</dir>"
                                "<dir prefix=\"default\">\n/opt/x y</dir><dir>/c</dir><dir>/open"),
                          &why));
    setenv("FONTCONFIG_FILE", buf_string(&path), 1);
    setenv("HOME", "/nest", 1);
    setenv("XDG_DATA_HOME", "/data", 1);
    unsetenv("XDG_CONFIG_HOME");
    font_places_add(&places, &memory);
    cr_expect(has(&places, "/usr/share/fonts"));
    cr_expect(has(&places, buf_string(&path)));
    cr_expect(has(&places, "/opt/x y"));
    cr_expect(has(&places, "/c"));
    cr_expect(has(&places, "/data/fonts"));
    cr_expect(has(&places, "/nest/.config/fontconfig"));
    cr_expect(has(&places, "/nest/.fonts"));
    cr_expect_not(has(&places, "~/a"));
    cr_expect_not(has(&places, "/nest/.local/share/fonts"));
    file_remove_tree(directory, &why);
    vec_release(&places);
    buf_release(&path);
    buf_release(&why);
    arena_release(&memory);
}
