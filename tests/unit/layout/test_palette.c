#include "layout/palette.h"

#include <math.h>

#include "base/buf.h"
#include "base/hash.h"
#include "raster/color.h"
#include "unit/support/test.h"

static palette_color pick_color(const struct palette_use *use, const struct palette_subject *s)
{
    return palette_shade(use, s->name, palette_class_of(use->palette, s));
}

static palette_color pick(const char *palette, const char *name, enum symbol_class class,
                          enum palette_spread spread)
{
    struct palette_use use = {palette_find(slice_str(palette)), spread, 0};
    struct palette_subject s = {.name = slice_str(name), .class = class};

    return pick_color(&use, &s);
}

static palette_color hot(const char *name, bool by_name)
{
    return pick("hot", name, SYMBOL_USER, by_name ? PALETTE_BY_ALPHABET : PALETTE_BY_HASH);
}

Test(layout_palette, registry)
{
    static const char names[] =
        "hot mem io wakeup chain hotcold java js perl python rust red green blue "
        "aqua yellow purple orange safe module self search";
    struct slice rest = slice_str(names), name;

    while (slice_word(&rest, &name)) {
        const struct palette *p = palette_find(name);

        cr_assert_not_null(p, "%.*s", SLICE_ARG(name));
        cr_expect(slice_equal(slice_str(p->name), name));
        cr_expect(p->about[0] && p->background[0]);
    }
    cr_expect_null(palette_find(SLICE("hott")));
    cr_expect_null(palette_find(SLICE("")));
}

/* ---- the published formulas, written down a second time ---- */

static palette_color rgb(double r, double g, double b)
{
    return (uint32_t)(int)r << 16 | (uint32_t)(int)g << 8 | (uint32_t)(int)b;
}

static palette_color published(const char *hue, double v1, double v2, double v3)
{
    if (strcmp(hue, "hot") == 0)
        return rgb(205 + 50 * v3, 230 * v1, 55 * v2);
    if (strcmp(hue, "grey") == 0)
        return rgb(195 + 15 * v1, 199 + 15 * v1, 204 + 15 * v1);
    if (strcmp(hue, "mem") == 0)
        return rgb(0, 190 + 50 * v2, 210 * v1);
    if (strcmp(hue, "io") == 0)
        return rgb(80 + 60 * v1, 80 + 60 * v1, 190 + 55 * v2);
    if (strcmp(hue, "red") == 0)
        return rgb(200 + 55 * v1, 50 + 80 * v1, 50 + 80 * v1);
    if (strcmp(hue, "green") == 0)
        return rgb(50 + 60 * v1, 200 + 55 * v1, 50 + 60 * v1);
    if (strcmp(hue, "blue") == 0)
        return rgb(80 + 60 * v1, 80 + 60 * v1, 205 + 50 * v1);
    if (strcmp(hue, "yellow") == 0)
        return rgb(175 + 55 * v1, 175 + 55 * v1, 50 + 20 * v1);
    if (strcmp(hue, "purple") == 0)
        return rgb(190 + 65 * v1, 80 + 60 * v1, 190 + 65 * v1);
    if (strcmp(hue, "aqua") == 0)
        return rgb(50 + 60 * v1, 165 + 55 * v1, 165 + 55 * v1);
    if (strcmp(hue, "orange") == 0)
        return rgb(190 + 65 * v1, 90 + 65 * v1, 0);
    if (strcmp(hue, "pink") == 0)
        return rgb(245 + 10 * v1, 138 + 40 * v1, 148 + 40 * v1);
    cr_assert_fail("no hue is called %s", hue);
    return 0;
}

/* Returns the start of the part of a hue's range on which black labels are readable. */
static double low_of(const char *hue)
{
    static const struct {
        const char *hue;
        double low;
    } rows[] = {{"hot", 0.25}, {"red", 0.25}, {"io", 0.45}, {"blue", 0.4}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (strcmp(rows[i].hue, hue) == 0)
            return rows[i].low;
    return 0;
}

/* The hue that a palette gives to the class of a symbol. */
static const struct row {
    const char *palette, *name, *module, *hue;
    enum symbol_class class;
} rows[] = {
    {"hot", "main", "", "hot", SYMBOL_USER},
    {"mem", "malloc", "", "mem", SYMBOL_USER},
    {"io", "read", "", "io", SYMBOL_KERNEL},
    {"red", "main", "", "red", SYMBOL_USER},
    {"green", "main", "", "green", SYMBOL_KERNEL},
    {"blue", "main", "", "blue", SYMBOL_USER},
    {"aqua", "main", "", "aqua", SYMBOL_JIT},
    {"yellow", "main", "", "yellow", SYMBOL_USER},
    {"purple", "main", "", "purple", SYMBOL_USER},
    {"orange", "main", "", "orange", SYMBOL_USER},
    {"wakeup", "schedule", "", "aqua", SYMBOL_KERNEL},
    {"wakeup", "schedule", "", "aqua", SYMBOL_WAKER},
    {"chain", "schedule", "", "blue", SYMBOL_KERNEL},
    {"chain", "schedule", "", "aqua", SYMBOL_WAKER},
    {"gpu", "gemm", "", "aqua", SYMBOL_DEVICE},
    {"gpu", "NEO::enqueue", "", "aqua", SYMBOL_USER},
    {"gpu", "send", "", "green", SYMBOL_DEVICE_INSTRUCTION},
    {"gpu", "vfs_read", "", "orange", SYMBOL_KERNEL},
    {"gpu", "train.py(88): step", "", "pink", SYMBOL_USER},
    {"gpu", "nn.Module: Linear_0", "", "pink", SYMBOL_USER},
    {"gpu", "py::step", "", "pink", SYMBOL_USER},
    {"gpu", "aten::mm", "", "yellow", SYMBOL_USER},
    {"gpu", "app.py(x)", "", "red", SYMBOL_USER},
    {"gpu", "cudaLaunchKernel", "", "red", SYMBOL_USER},
    {"hotcold", "main", "", "hot", SYMBOL_ON_CPU},
    {"hotcold", "schedule", "", "io", SYMBOL_OFF_CPU},
    {"hotcold", "mysqld", "", "grey", SYMBOL_USER},

    {"java", "anything", "", "green", SYMBOL_JIT},
    {"java", "anything", "", "green", SYMBOL_INTERPRETED},
    {"java", "anything", "", "green", SYMBOL_BASELINE},
    {"java", "anything", "", "aqua", SYMBOL_INLINED},
    {"java", "java/util/HashMap.get", "", "green", SYMBOL_USER},
    {"java", "Ljavax/swing/A;::run", "", "green", SYMBOL_USER},
    {"java", "io/netty/Channel:.read", "", "green", SYMBOL_USER},
    {"java", "LCompile;:::run", "", "green", SYMBOL_USER},
    {"java", "scala.tools.nsc.Global$Run.compile", "", "green", SYMBOL_USER},
    {"java", "Compile", "", "green", SYMBOL_USER},
    {"java", "jdk::internal", "", "yellow", SYMBOL_USER},
    {"java", "JavaThread::run", "", "yellow", SYMBOL_USER},
    {"java", "-[NSView draw]", "", "yellow", SYMBOL_USER},
    {"java", "sys_read", "", "orange", SYMBOL_KERNEL},
    {"java", "start_thread", "", "red", SYMBOL_USER},
    {"java", "jdk", "", "red", SYMBOL_USER},
    {"java", "JavaMain", "/usr/lib/jvm/lib/libjli.so", "red", SYMBOL_USER},
    {"java", "[libc.so.6]", "", "red", SYMBOL_USER},
    {"java", "", "", "red", SYMBOL_USER},

    {"perl", "some::thing", "", "yellow", SYMBOL_USER},
    {"perl", "Perl_runops", "", "green", SYMBOL_USER},
    {"perl", "run.pl", "", "green", SYMBOL_USER},
    {"perl", "sub", "/srv/Mod.pm", "green", SYMBOL_USER},
    {"perl", "sys_read", "", "orange", SYMBOL_KERNEL},
    {"perl", "malloc", "/usr/lib/libperl.so.5.36", "red", SYMBOL_USER},

    {"js", "LazyCompile:~a /srv/a.js:1", "", "green", SYMBOL_JIT},
    {"js", "Builtin", "", "aqua", SYMBOL_JIT},
    {"js", "Builtin", "/tmp/perf-12.map", "aqua", SYMBOL_JIT},
    {"js", "render", "/srv/app/view.js", "green", SYMBOL_JIT},
    {"js", "v8::internal::Run", "", "yellow", SYMBOL_USER},
    {"js", "a /srv/a.js", "", "green", SYMBOL_USER},
    {"js", "a.js", "", "red", SYMBOL_USER},
    {"js", "Stub:Call", "", "aqua", SYMBOL_USER},
    {"js", "read", "node:fs", "aqua", SYMBOL_USER},
    {"js", "get", "https://example.org/app", "green", SYMBOL_USER},
    {"js", " ", "", "green", SYMBOL_USER},
    {"js", "a /srv/node_modules/x/a.js", "", "purple", SYMBOL_JIT},
    {"js", "get", "/srv/node_modules/x/a.js", "purple", SYMBOL_USER},
    {"js", "sys_read", "", "orange", SYMBOL_KERNEL},
    {"js", "uv_run", "/usr/bin/node", "red", SYMBOL_USER},

    {"python", "get (/opt/lib/site-packages/requests/api.py)", "", "aqua", SYMBOL_USER},
    {"python", "get", "/usr/lib/python3/dist-packages/six.py", "aqua", SYMBOL_USER},
    {"python", "get", "C:\\Python27\\Lib\\re.py", "yellow", SYMBOL_USER},
    {"python", "loads (/usr/lib/python3.11/json/decoder.py)", "", "yellow", SYMBOL_USER},
    {"python", "<built-in method sleep>", "", "yellow", SYMBOL_USER},
    {"python", "<frozen importlib._bootstrap>", "", "yellow", SYMBOL_USER},
    {"python", "<method 'join' of 'str' objects>", "", "yellow", SYMBOL_USER},
    {"python", "run", "/srv/pythonic/app.py", "red", SYMBOL_USER},
    {"python", "py::main:/srv/python/app.py", "/usr/lib/python3.13/x.so", "red", SYMBOL_JIT},
    {"python", "py::loads:/opt/lib/python3.13/json/__init__.py", "", "yellow", SYMBOL_JIT},
    {"python", "py::_find:<frozen importlib._bootstrap>", "", "yellow", SYMBOL_JIT},
    {"python", "py::get:/opt/lib/python3.13/site-packages/six.py", "", "aqua", SYMBOL_JIT},
    {"python", "run", "", "red", SYMBOL_USER},

    {"rust", "core::fmt::write", "", "orange", SYMBOL_USER},
    {"rust", "<alloc::vec::Vec<T> as Drop>::drop", "", "orange", SYMBOL_USER},
    {"rust", "app`std::io::copy", "", "orange", SYMBOL_USER},
    {"rust", "<core::future::from_generator::GenFuture<T> as Future>::poll", "", "aqua",
     SYMBOL_USER},
    {"rust", "app::main", "", "aqua", SYMBOL_USER},
    {"rust", "malloc", "", "yellow", SYMBOL_USER},
};

static double fraction(uint64_t hash)
{
    return (double)(hash >> 11) / 9007199254740992.0;
}

/* The colour of a name follows from the published formula for the hue of its class. */
Test(layout_palette, formulas)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct row *row = &rows[i];
        struct palette_subject s = {slice_str(row->name), slice_str(row->module), row->class};

        for (enum palette_spread spread = 0; spread <= PALETTE_AT_RANDOM; spread++) {
            struct palette_use use = {palette_find(slice_str(row->palette)), spread, 3};
            double low = low_of(row->hue), v[3];
            palette_color got = pick_color(&use, &s), want;

            palette_numbers(&use, s.name, v);
            if (spread == PALETTE_BY_HASH)
                v[0] = v[1] = v[2] = fraction(hash_bytes(s.name.ptr, s.name.len));
            for (unsigned k = 0; k < 3; k++)
                v[k] = low + (1 - low) * v[k];
            want = published(row->hue, v[0], v[1], v[2]);
            cr_expect_eq(got, want, "%s of %s: %06x, not %06x", row->palette, row->name, got, want);
        }
    }
}

/* Every class of every palette has a row, and a word if the palette has several classes. */
Test(layout_palette, classes)
{
    for (size_t i = 0; palettes[i]; i++) {
        const struct palette *p = palettes[i];
        unsigned count = 0, seen = 0;

        if (p == &palette_safe || p->basis != PALETTE_OF_NAMES)
            continue;
        while (p->classes[count].word)
            count++;
        for (size_t r = 0; r < sizeof(rows) / sizeof(rows[0]); r++) {
            struct palette_subject s = {slice_str(rows[r].name), slice_str(rows[r].module),
                                        rows[r].class};

            if (strcmp(rows[r].palette, p->name) == 0)
                seen |= 1u << palette_class_of(p, &s);
        }
        cr_expect_eq(seen, (1u << count) - 1, "%s: classes %x of %u", p->name, seen, count);
        for (unsigned c = 0; count > 1 && c < count; c++)
            cr_expect_neq(p->classes[c].word[0], 0, "%s, class %u", p->name, c);
        cr_expect_eq(count > 1, palette_has_classes(p));
    }
}

/* Black labels are readable on the extreme colours of each class, white ones on dark variants. */
Test(layout_palette, labels_of_all_classes_can_be_read)
{
    for (size_t i = 0; palettes[i]; i++) {
        for (const struct palette_class *c = palettes[i]->classes; c->word; c++) {
            for (unsigned corner = 0; corner < 8; corner++) {
                double v[3] = {corner & 1 ? 0.9999 : 0, corner & 2 ? 0.9999 : 0,
                               corner & 4 ? 0.9999 : 0};
                palette_color color = hue_color(c->hue, v);

                cr_expect(color_contrast(color, 0x000000) >= COLOR_MIN_CONTRAST, "%s, %s: %06x",
                          palettes[i]->name, c->hue->name, color);
                cr_expect(color_contrast(color_dark(color), 0xffffff) >= COLOR_MIN_CONTRAST,
                          "%s, %s: %06x on dark", palettes[i]->name, c->hue->name, color);
            }
        }
    }
}

/* Matrices of Machado, Oliveira and Fernandes (2009) for the complete loss of one kind of cones. */
static const double blindness[][3][3] = {
    {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
    {{0.152286, 1.052583, -0.204868},
     {0.114503, 0.786281, 0.099216},
     {-0.003882, -0.048116, 1.051998}},
    {{0.367322, 0.860646, -0.227968},
     {0.280085, 0.672501, 0.047413},
     {-0.011820, 0.042940, 0.968881}},
    {{1.255528, -0.076749, -0.178779},
     {-0.078411, 0.930809, 0.147602},
     {0.004733, 0.691367, 0.303900}},
};

static double curve(double t)
{
    return t > 0.008856 ? cbrt(t) : 7.787 * t + 16.0 / 116;
}

/* Converts a colour, as an eye without one kind of cones sees it, to CIE L*a*b*. */
static void seen_color(palette_color color, const double eye[3][3], double lab[3])
{
    double in[3], out[3], x, y, z;

    for (unsigned i = 0; i < 3; i++) {
        double c = (double)(color >> (16 - 8 * i) & 255) / 255;

        in[i] = c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
    }
    for (unsigned i = 0; i < 3; i++) {
        out[i] = eye[i][0] * in[0] + eye[i][1] * in[1] + eye[i][2] * in[2];
        out[i] = out[i] < 0 ? 0 : out[i] > 1 ? 1 : out[i];
    }
    x = curve((0.4124 * out[0] + 0.3576 * out[1] + 0.1805 * out[2]) / 0.95047);
    y = curve(0.2126 * out[0] + 0.7152 * out[1] + 0.0722 * out[2]);
    z = curve((0.0193 * out[0] + 0.1192 * out[1] + 0.9505 * out[2]) / 1.08883);
    lab[0] = 116 * y - 16;
    lab[1] = 500 * (x - y);
    lab[2] = 200 * (y - z);
}

static double seen_distance(palette_color a, palette_color b, const double eye[3][3])
{
    double left[3], right[3], sum = 0;

    seen_color(a, eye, left);
    seen_color(b, eye, right);
    for (unsigned i = 0; i < 3; i++)
        sum += (left[i] - right[i]) * (left[i] - right[i]);
    return sqrt(sum);
}

/* A difference of 2.3 is just visible; the middle colours of two classes differ by much more. */
Test(layout_palette, safe_classes_differ_for_all_eyes)
{
    static const double middle[] = {0.5, 0.5, 0.5};
    const struct palette_class *classes = palette_safe.classes;

    for (unsigned eye = 0; eye < 4; eye++) {
        for (unsigned a = 0; classes[a].word; a++) {
            for (unsigned b = 0; b < a; b++) {
                palette_color left = hue_color(classes[a].hue, middle);
                palette_color right = hue_color(classes[b].hue, middle);

                cr_expect(seen_distance(left, right, blindness[eye]) > 12, "%s, %s, eye %u: %f",
                          classes[a].word, classes[b].word, eye,
                          seen_distance(left, right, blindness[eye]));
                cr_expect(seen_distance(color_dark(left), color_dark(right), blindness[eye]) > 6,
                          "%s, %s on dark, eye %u: %f", classes[a].word, classes[b].word, eye,
                          seen_distance(color_dark(left), color_dark(right), blindness[eye]));
            }
        }
    }
}

Test(layout_palette, safe_follows_the_class)
{
    static const struct {
        enum symbol_class class;
        const char *word;
    } cases[] = {
        {SYMBOL_USER, "user"},   {SYMBOL_KERNEL, "kernel"},   {SYMBOL_INLINED, "inlined"},
        {SYMBOL_JIT, "jit"},     {SYMBOL_INTERPRETED, "jit"}, {SYMBOL_BASELINE, "jit"},
        {SYMBOL_WAKER, "waker"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct palette_subject s = {.name = SLICE("x"), .class = cases[i].class};

        cr_expect_str_eq(palette_safe.classes[palette_class_of(&palette_safe, &s)].word,
                         cases[i].word);
    }
}

/* A module has one colour in all directories. */
Test(layout_palette, modules)
{
    struct palette_use use = {&palette_module, PALETTE_BY_HASH, 0};
    struct palette_subject a = {SLICE("read"), SLICE("/lib/libc.so.6"), SYMBOL_USER};
    struct palette_subject b = {SLICE("write"), SLICE("/usr/lib/libc.so.6"), SYMBOL_USER};
    struct palette_subject kernel = {SLICE("write"), SLICE("[ext4]"), SYMBOL_KERNEL};
    struct palette_subject none = {.name = SLICE("write")};

    cr_expect_eq(pick_color(&use, &a), pick_color(&use, &b));
    cr_expect_neq(pick_color(&use, &a), pick_color(&use, &none));
    cr_expect_eq(pick_color(&use, &none), PALETTE_ROOT);
    cr_expect(slice_equal(palette_module_name(&kernel), SLICE("kernel")));
    cr_expect(slice_equal(palette_module_name(&b), SLICE("libc.so.6")));
    cr_expect_eq(palette_module_name(&none).len, 0);
    none.module = SLICE("/tmp/perf-4711.map");
    cr_expect(slice_equal(palette_module_name(&none), SLICE("jit")));
    none.module = SLICE("node:internal/modules/cjs/loader");
    cr_expect(slice_equal(palette_module_name(&none), SLICE("node")));
}

Test(layout_palette, self)
{
    const struct palette *p = palette_find(SLICE("self"));

    cr_expect_eq(palette_self(p, 0, 10), 0xfaf0e1);
    cr_expect_eq(palette_self(p, 10, 10), 0xe65a14);
    cr_expect_eq(palette_self(p, 5, 10), 0xf0a57a);
    cr_expect_eq(palette_self(p, 0, 0), 0xfaf0e1);
    for (uint64_t self = 0; self <= 100; self++)
        cr_expect(color_contrast(palette_self(p, self, 100), 0) >= COLOR_MIN_CONTRAST);
}

Test(layout_palette, chance_has_a_seed)
{
    struct palette_use a = {palette_find(SLICE("hot")), PALETTE_AT_RANDOM, 1}, b = a;
    struct palette_subject s = {.name = SLICE("main")};

    cr_expect_eq(pick_color(&a, &s), pick_color(&b, &s));
    b.seed = 2;
    cr_expect_neq(pick_color(&a, &s), pick_color(&b, &s));
    cr_expect_neq(pick_color(&a, &s), hot("main", false));
}

/* A change of the hash would change the colours of all graphs. */
Test(layout_palette, a_name_keeps_its_colour)
{
    cr_expect_eq(hot("main", false), 0xf7c22e, "%06x", hot("main", false));
    cr_expect_eq(hot("std::vector<int>::push_back", false), 0xed9624, "%06x",
                 hot("std::vector<int>::push_back", false));
    cr_expect_eq(pick("hot", "main", SYMBOL_KERNEL, PALETTE_BY_HASH), hot("main", false),
                 "the class is no part of the name");
}

Test(layout_palette, separators_are_grey)
{
    cr_expect_eq(palette_separator(SLICE("-")), 0xc8c8c8);
    cr_expect_eq(palette_separator(SLICE("--")), 0xa0a0a0);
}

static int distance(palette_color a, palette_color b)
{
    int sum = 0;

    for (int shift = 0; shift < 24; shift += 8)
        sum += abs((int)(a >> shift & 255) - (int)(b >> shift & 255));
    return sum;
}

Test(layout_palette, by_name_relates_related_names)
{
    cr_expect(distance(hot("tcp_sendmsg", true), hot("tcp_recvmsg", true)) <
              distance(hot("tcp_sendmsg", true), hot("a_frame", true)));
    cr_expect_eq(hot("libc.so.1`read", true), hot("read", true), "the module does not count");
    cr_expect_eq(hot("read`", true), hot("read`", true));
    cr_expect_eq(hot("", true) >> 24, 0);
}

Test(layout_palette, labels_can_be_read)
{
    for (unsigned i = 0; i < 3000; i++) {
        struct buf name = {0};
        palette_color color;

        buf_printf(&name, "function_%u", i * 7919);
        color = hot(buf_string(&name), i % 2);
        cr_expect(color_contrast(color, color_text(color)) >= COLOR_MIN_CONTRAST, "%06x", color);
        buf_release(&name);
    }
}
