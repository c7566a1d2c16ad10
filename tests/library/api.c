/*
 * Calls every function of the library, correctly and incorrectly. Usage: api
 * PROFILE DIRECTORY OUT; writes api.folded and the report OUT.
 */
#include <flamepress.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPECT(condition)                                                                          \
    ((condition)                                                                                   \
         ? (void)0                                                                                 \
         : (fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #condition, error.message),     \
            exit(1)))

static struct flamepress_error error;

static struct flamepress_settings *make_settings(void)
{
    struct flamepress_settings *s = flamepress_settings_new();

    EXPECT(flamepress_settings_set(s, "width", "800", &error));
    EXPECT(flamepress_settings_set(s, "threads", "2", &error));
    EXPECT(flamepress_settings_set(s, "sort", "weight", &error));
    EXPECT(flamepress_settings_set(s, "colors", "aqua", &error));
    EXPECT(flamepress_settings_set(s, "search", "leaves=^leaf", &error));
    return s;
}

static void refuse_settings(void)
{
    struct flamepress_settings *s = flamepress_settings_new();
    struct flamepress_profile *p;

    EXPECT(!flamepress_settings_set(s, "widht", "800", &error));
    EXPECT(strstr(error.message, "unknown setting 'widht'") && strstr(error.message, "width"));
    EXPECT(!flamepress_settings_set(s, "width", "wide", &error));
    EXPECT(strstr(error.message, "invalid value 'wide'"));
    EXPECT(!flamepress_settings_set(s, "kind", "nothing", NULL));
    EXPECT(!flamepress_settings_set(s, "colors", "nothing", NULL));
    EXPECT(!flamepress_settings_set(s, "bgcolors", "nothing", NULL));
    EXPECT(!flamepress_settings_set(s, "minwidth", "nothing", NULL));
    EXPECT(!flamepress_settings_set(s, "from", "nothing", NULL));
    EXPECT(!flamepress_settings_set(s, "reverse", "nothing", NULL));
    EXPECT(!flamepress_settings_set(s, "group", "nothing", NULL));
    EXPECT(!flamepress_settings_set(s, "search", "=nothing", NULL));
    EXPECT(flamepress_settings_set(s, "focus", "a{2,1}", &error));
    p = flamepress_read_memory("a;b 1\n", 6, s, &error);
    EXPECT(p);
    EXPECT(!flamepress_prepare(p, s, &error));
    EXPECT(strstr(error.message, "focus: numbers out of order"));
    flamepress_profile_free(p);
    flamepress_settings_free(s);
}

static void refuse_profiles(const struct flamepress_settings *s)
{
    EXPECT(!flamepress_read("/nonexistent/profile", s, &error));
    EXPECT(strstr(error.message, "/nonexistent/profile: error: cannot open"));
    EXPECT(!flamepress_read_memory("no profile\n", 11, s, &error));
    EXPECT(strstr(error.message, "not a profile"));
    EXPECT(!flamepress_read_memory("", 0, s, NULL));
}

static void draw_file(const char *path, const struct flamepress_settings *s)
{
    struct flamepress_profile *p = flamepress_read(path, s, &error);
    struct flamepress_bytes bytes = {NULL, 0};
    FILE *file = fopen("api.folded", "wb");

    EXPECT(p && file);
    EXPECT(strcmp(flamepress_profile_format(p), "perf-script") == 0);
    EXPECT(strcmp(flamepress_profile_warnings(p), "") == 0);
    EXPECT(!flamepress_draw(p, s, FLAMEPRESS_PNG, &bytes, &error));
    EXPECT(strstr(error.message, "not prepared") && !bytes.data);
    EXPECT(!flamepress_fold(p, &bytes, NULL));
    EXPECT(flamepress_prepare(p, s, &error));
    EXPECT(!flamepress_prepare(p, s, &error));
    EXPECT(flamepress_draw(p, s, FLAMEPRESS_PNG, &bytes, &error));
    EXPECT(bytes.size > 8 && memcmp(bytes.data, "\x89PNG", 4) == 0);
    flamepress_bytes_free(&bytes);
    EXPECT(flamepress_draw(p, s, FLAMEPRESS_SVG, &bytes, &error));
    EXPECT(strstr(bytes.data, "<svg") && strstr(bytes.data, "leaves"));
    flamepress_bytes_free(&bytes);
    EXPECT(flamepress_fold(p, &bytes, &error));
    EXPECT(fwrite(bytes.data, 1, bytes.size, file) == bytes.size && fclose(file) == 0);
    flamepress_bytes_free(&bytes);
    flamepress_profile_free(p);
}

int main(int argc, char **argv)
{
    struct flamepress_settings *s = make_settings(), *plain = flamepress_settings_new();

    if (argc != 4)
        return 2;
    EXPECT(strchr(flamepress_version(), '.'));
    refuse_settings();
    refuse_profiles(s);
    draw_file(argv[1], s);
    EXPECT(!flamepress_report("/nonexistent", argv[3], plain, &error));
    EXPECT(!flamepress_report(argv[2], argv[2], plain, &error));
    EXPECT(flamepress_report(argv[2], argv[3], plain, &error));
    EXPECT(flamepress_report(argv[2], argv[3], plain, &error)); /* replaces the earlier one */
    flamepress_settings_free(plain);
    flamepress_settings_free(s);
    return 0;
}
