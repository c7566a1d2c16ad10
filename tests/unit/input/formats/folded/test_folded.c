
#include "base/hash.h"
#include "input/parse/head.h"
#include "support/formats.h"
#include "support/tree_check.h"
#include "tree/tree.h"
#include "unit/support/graph.h"
#include "unit/support/claim.h"
#include "unit/support/patience.h"
#include "unit/support/test.h"

struct reading {
    struct profile profile;
    struct diag diag;
    struct input_options options;
    bool ok;
};

static void reading_init(struct reading *r)
{
    profile_init(&r->profile);
    diag_init(&r->diag, SLICE("test"));
    r->options = input_options_default();
}

static void reading_release(struct reading *r)
{
    profile_release(&r->profile);
    diag_release(&r->diag);
}

/*
 * Gives the reader `text` in blocks of `lines` lines. Each block is in memory of its own; two
 * lanes scan the blocks in turn, as two threads would.
 */
static bool read_blocks(struct text *t, void *state, struct slice text, size_t lines)
{
    const struct text_readahead *ahead = format_folded.text.ahead;
    void *lanes[] = {xcalloc(1, ahead->lane_size), xcalloc(1, ahead->lane_size)};
    void *found = xcalloc(1, ahead->found_size);
    struct slice line;
    bool ok = true;

    for (size_t i = 0; i < 2; i++)
        ahead->begin(t, state, lanes[i]);
    for (size_t n = 0; ok && text.len; n++) {
        struct buf block = {0};

        for (size_t i = 0; i < lines && slice_cut(&text, '\n', &line); i++) {
            buf_add_slice(&block, line);
            buf_add_char(&block, '\n');
        }
        memset(buf_reserve(&block, TEXT_SLACK), ';', TEXT_SLACK);
        ahead->scan(lanes[n % 2], buf_slice(&block), found);
        ok = ahead->take(t, state, found);
        buf_release(&block);
    }
    ahead->release_found(found);
    free(found);
    for (size_t i = 0; i < 2; i++) {
        ahead->release(lanes[i]);
        free(lanes[i]);
    }
    return ok;
}

static void read_text(struct reading *r, struct slice text, size_t lines)
{
    const struct text_reader *reader = &format_folded.text;
    struct text t = {.options = &r->options,
                     .profile = &r->profile,
                     .diag = &r->diag,
                     .first = true,
                     .start = text,
                     .start_whole = text.len < SOURCE_HEAD};
    void *state = xcalloc(1, reader->state_size);

    r->ok =
        reader->begin(&t, state) && read_blocks(&t, state, text, lines) && reader->end(&t, state);
    reader->release(state);
    free(state);
}

/* Writes stacks and weights of every series, in the order of its entries. */
static void fold(const struct profile *p, struct buf *out)
{
    for (size_t k = 0; k < p->series.count; k++) {
        const struct series *s = &p->series.items[k];

        if (k)
            buf_add_str(out, "--\n");
        for (uint32_t i = 0; i < s->count; i++) {
            uint32_t depth = stacks_depth(&p->stacks, s->stack[i]);
            uint32_t *frames = xreallocarray(NULL, depth, sizeof(*frames));

            stacks_frames(&p->stacks, s->stack[i], frames, depth);
            for (uint32_t f = 0; f < depth; f++) {
                if (f)
                    buf_add_char(out, ';');
                buf_add_slice(out, symbol_name(&p->symbols, frames[f]));
                buf_add_slice(out, symbol_suffix(symbol_class(&p->symbols, frames[f])));
            }
            buf_add_char(out, ' ');
            num_write_decimal(out, s->weight[i], p->decimals);
            buf_add_char(out, '\n');
            free(frames);
        }
    }
}

struct row {
    const char *name, *text, *want;
    unsigned warnings;
};

static const struct row rows[] = {
    {"plain", "a;b 1\na;c 2\n", "a;b 1\na;c 2\n", 0},
    {"repeated stacks add up", "a;b 1\na;c 2\na;b 4\n", "a;b 5\na;c 2\n", 0},
    {"blanks in frames", "my app;do it 7\n", "my app;do it 7\n", 0},
    {"one blank is the separator", "a;b  7\n", "a;b  7\n", 0},
    {"a tab is one too", "a;b\t7\n", "a;b 7\n", 0},
    {"empty frames", "a;;b 1\n;c 2\n", "a;;b 1\n;c 2\n", 0},
    {"an empty last frame is dropped", "a;b; 1\na;b 2\n", "a;b 3\n", 0},
    {"a blank last frame is a frame", "a;b;  1\na;b 2\n", "a;b;  1\na;b 2\n", 0},
    {"no frames at all", "a 1\n 5\n", "a 1\n 5\n", 0},
    {"no frames, out of order", "b 1\n 5\n", "b 1\n 5\n", 0},
    {"carriage returns", "a;b 1\r\na;c 2\r\n", "a;b 1\na;c 2\n", 0},
    {"no line end", "a;b 1\na;c 2", "a;b 1\na;c 2\n", 0},
    {"blank lines", "\n\na;b 1\n  \n", "a;b 1\n", 0},
    {"fractions", "a;b 1.25\na;c 2\na;d 3.\n", "a;b 1.25\na;c 2\na;d 3\n", 0},
    {"more decimals later", "a;b 1\na;c 0.5\na;b 0.25\n", "a;b 1.25\na;c 0.5\n", 0},
    {"bad UTF-8", "a\xff;b 1\n", "a\xef\xbf\xbd;b 1\n", 0},
    {"two kinds of bad UTF-8 are one name", "a\xfe;b 1\na\xff;b 2\n", "a\xef\xbf\xbd;b 3\n", 0},
    {"classes", "a;read_[k] 1\na;-;read 1\n", "a;read_[k] 1\na;-;read 1\n", 0},
    {"comments", "# made by hand\na;b 1\n# interval: 100\n", "a;b 1\n", 0},
    {"a name may begin with #", "#0 main;b 1\n", "#0 main;b 1\n", 0},
    {"bad lines", "a;b 1\nno number\nalone\na;b x12\na;c 2\n", "a;b 1\na;c 2\n", 3},
    {"negative", "a;b 1\na;b -5\na;b 1e3\na;b 1,000\n", "a;b 1001\n", 2},
    {"beyond 64 bits", "a;b 1\na;b 99999999999999999999\n", "a;b 1\n", 1},
    {"zero", "a;b 0\na;c 1\n", "a;b 0\na;c 1\n", 0},
    {"leading zeros", "a;b 0000000000000000000000012\n", "a;b 12\n", 0},
    {"a head", "# flamepress: unit=ns event=e\na;b 1\na;c 5 2\n", "a;b 1\na;c 5 2\n", 0},
    {"a head of two weights", "\n# flamepress: pair=change\na;b 1 3\na;c 5 2\n",
     "a;b 1\na;c 5\n--\na;b 3\na;c 2\n", 0},
    {"a later head is a comment", "a;b 1\n# flamepress: unit=ns\na;c 2\n", "a;b 1\na;c 2\n", 0},
    {"heads that are added up", "# flamepress: unit=s\na;b 1\n# flamepress: unit=s\na;b 2\n",
     "a;b 3\n", 0},
    {"bcc's interrupt", "^Ca;b 1\na;b 2\n^Ca;b 3\n[...]\n", "a;b 3\n^Ca;b 3\n", 0},
    {"an interrupt on a line of its own", "^C\n# made\n^Ca;b 1\na;b 2\n", "a;b 3\n", 0},
    {"an interrupt behind other lines", "# made\n\n^Ca;b 1\n^Ca;b 2\na;c 3\n",
     "a;b 1\n^Ca;b 2\na;c 3\n", 0},
    {"an interrupt that all stacks have", "^Ca;b 1\n^Ca;c 2\n^Ca;d 3\na;e 4\n",
     "a;b 1\n^Ca;c 2\n^Ca;d 3\na;e 4\n", 0},
    {"wakers", "a;b;--;c;d_[k];- 1\na;b;--;c 2\na;c 3\nb;--;e 4\n",
     "a;b;--;c_[w];d_[k];- 1\na;b;--;c_[w] 2\na;c 3\nb;--;e_[w] 4\n", 0},
    {"wakers again", "a;--;c_[w] 1\na;--;c 2\na;--;;w 3\n", "a;--;c_[w] 3\na;--;;w_[w] 3\n", 0},
    {"wakers behind a dash", "a;read;schedule;-;c;- 1\nb;schedule;-; 2\nb;- 3\n",
     "a;read;schedule;-;c_[w];- 1\nb;schedule;- 2\nb;- 3\n", 0},
    {"a dash between user and kernel", "a;read;-;schedule 1\n", "a;read;-;schedule 1\n", 0},
    {"py-spy", "process 1:\"/a b/c d.py\";f (x.py:3) 4\n", "process 1:\"/a b/c d.py\";f (x.py) 4\n",
     0},
    {"py-spy, lines of one function", "f (x.py:3) 4\nf (x.py:5);<module> (<string>:1)_[i] 2\n",
     "f (x.py) 4\nf (x.py);<module> (<string>)_[i] 2\n", 0},
    {"Python's own sampling profiler",
     "tid:7;<frozen runpy>:_run_code:87;app.py:C.f.<locals>.<lambda>:3 4\n"
     "tid:7;<frozen runpy>:_run_code:88;~:<GC>:0 1\n",
     "tid:7;<frozen runpy>:_run_code;app.py:C.f.<locals>.<lambda> 4\n"
     "tid:7;<frozen runpy>:_run_code;~:<GC> 1\n",
     0},
    {"lines that are no lines of Python", "f (app.js:3);app.rb:f:3;<f>:3:4;f(x.py:3) 4\n",
     "f (app.js:3);app.rb:f:3;<f>:3:4;f(x.py:3) 4\n", 0},
    {"jeprof's starts of functions", "main<00000000000011cb>;f<12>;<00000000000011cb> 4\n",
     "main;f<12>;<00000000000011cb> 4\n", 0},
    {"LuaJIT's functions of C", "@0x564fb69963f0;x.lua:0;@x 4\n", "[unknown];x.lua:0;@x 4\n", 0},
    {"a stack apart from its callees", "a 1\na.cold;x 2\na;b 3\nab 4\n",
     "a 1\na.cold;x 2\na;b 3\nab 4\n", 0},
    {"two columns", "a;b 1 2\na;c 3 4\n", "a;b 1\na;c 3\n--\na;b 2\na;c 4\n", 0},
    {"two columns, mixed", "a 1 2\nb 1 2\nc 1 2\nd 1 2\ne 1 2\nf 1 2\ng 1 2\nh 1 2\ni 1 2\nj 5\n",
     "a 1\nb 1\nc 1\nd 1\ne 1\nf 1\ng 1\nh 1\ni 1\nj 5\n--\n"
     "a 2\nb 2\nc 2\nd 2\ne 2\nf 2\ng 2\nh 2\ni 2\nj 5\n",
     0},
    {"a few names that end in a number", "a;cpu 0 5\na;b 2\na;c 3\n", "a;cpu 0 5\na;b 2\na;c 3\n",
     0},
    {"two columns with fractions", "a 1.5 2\n", "a 1.5\n--\na 2\n", 0},
};

Test(input_folded, reads)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        for (size_t lines = 1; lines < 4; lines++) {
            struct reading r;
            struct buf out = {0};

            reading_init(&r);
            read_text(&r, slice_str(rows[i].text), lines);
            fold(&r.profile, &out);
            cr_expect(r.ok, "%s", rows[i].name);
            cr_expect_str_eq(buf_string(&out), rows[i].want, "%s: '%s'", rows[i].name,
                             buf_string(&out));
            cr_expect_eq(r.diag.counts[DIAG_WARNING], rows[i].warnings, "%s: %u warnings",
                         rows[i].name, (unsigned)r.diag.counts[DIAG_WARNING]);
            cr_expect_eq(r.profile.ledger.unreadable, rows[i].warnings, "%s", rows[i].name);
            reading_release(&r);
            buf_release(&out);
        }
    }
}

static const struct claim {
    const char *name, *text;
    bool whole, claimed;
} claims[] = {
    {"stacks", "a;b 1\n", true, true},
    {"one frame a line, and stacks", "main 5\nidle 6\na;b 1\n", true, true},
    {"one frame a line, of code", "f_[k] 5\nidle 6\nstd::g<int> 2\n", true, true},
    {"one frame a line, of modules", "[libc.so.6] 5\n[unknown] 6\n", true, true},
    {"one word a line", "main 5\nidle 6\n", true, false},
    {"bad lines between", "a;b 1\nwhat is this\na;c 2\n", true, true},
    {"comments first", "# x\n\n# y\na;b 1\n", true, true},
    {"two columns", "a;b 1 2\n", true, true},
    {"one line of a name and two numbers", "a 0 18446744073709551615\n", true, false},
    {"two columns of one frame each", "main() 100 120\nidle() 5 0\n", true, true},
    {"a log of names and two numbers", "GET 200 12\nGET 200 14\nPUT 204 12\n", true, false},
    {"a table with rows of one and of two", "sda 12 3\nsdb 7\nsdc 8 1\n", true, false},
    {"a table with a row of words", "sda 12 3\nsdb 7 4\nsdc is off\nsdd 8 1\n", true, false},
    {"a cut last line", "a;b 1\na;c 2\na;", false, true},
    {"the start of a deep stack", "a;b;c;d;e;f;g;h;i;j;k;l;m;n;o;p;q;r;s", false, true},
    {"the start of an endless line", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", false, false},
    {"attributes", "main\tclass=x\ncksum\ttitle=bar\n", true, false},
    {"prose", "This is a file.\nIt has lines; many of them.\n", true, false},
    {"prose with one number", "See page 12\nof the book\nand so on\n", true, false},
    {"a table of numbers", "1 2 3\n4 5 6\n", true, false},
    {"columns", "main  12  3\nread   1  2\n", true, false},
    {"comma separated", "a.exe, 1, 2, 3\nb.exe, 4, 5, 6\n", true, false},
    {"a frame of Python", "<module> (app.py:3) 12\n", true, true},
    {"a version", "Debian GNU/Linux 12\n", true, false},
    {"a table with a title",
     "%!PS CMap\n<00> 1\n<01> 2\n<02> 3\n<03> 4\n<04> 5\n"
     "<05> 6\n<06> 7\n<07> 8\n<08> 9\n<09> 10\n<0a> 11\n",
     true, false},
    {"settings", "WIDTH = 12\nHEIGHT = 7\n", true, false},
    {"keys", "width: 12\nheight: 7\n", true, false},
    {"nothing", "\n", true, false},
    {"brackets of C++", "main;operator();f({lambda()#1}) 1\n", true, true},
    {"halves of names", "main;f<int(int,;f<int(int,;(anonymous 1\n", true, true},
    {"blanks before frames", "    a+61;    b+115 3\n", true, true},
    {"an empty kernel part", "a;-- 5\nb;-- 6\n", true, true},
    {"a program on long lines", "!function(x){\"use strict\";a;b;c;d;e;f;g;h;i;j;k;l;m;n;o;p",
     false, false},
    {"HTML in JSON", "x('{\"a\":\"&lt;p&gt;a&lt;b&gt;c&lt;/b&gt;d&lt;b&gt;e&lt;/b&gt;&lt;/p&gt;",
     false, false},
    {"settings with comments", "<A> = 1;\t// #define A 1\n<B> = 2;\t// #define B 2\n", true, false},
    {"numbers in comments", "<A> <B>;X;X # 1\n<C> <D>;X;X # 2\n", true, false},
    {"sums in code", "draw(a, b); i <- i + 1\nn = f(b); k = 2\nx; y = y * 3\n", true, false},
    {"an operator as a function", "main;operator+ 1\nmain;operator- 2\n", true, true},
    {"SQL with comments", "INSERT x; -- 1\nINSERT y; -- 2\n", true, false},
    {"a shell script", "#!/bin/sh\nexit 1\n", true, false},
    {"a log of one name a line", "T 6\nint 7\nT 7\nint 9\nT 12\n", true, false},
    {"checksums", "54328f6b27a45c51986ed436f3f609bf 8\n46438b614dcb2175148fa7e0bdc604a4 9.3\n",
     true, false},
    {"an encoding", "a 1\nb 2\nc 3\nd 4\ne 5\nf 6\ng 7\nh 8\ni 9\nj 10\nspace 32\nexclam 33\n",
     true, false},
};

Test(input_folded, is_recognised)
{
    for (size_t i = 0; i < sizeof(claims) / sizeof(claims[0]); i++)
        cr_expect_eq(claim_by(&format_folded, slice_str(claims[i].text), claims[i].whole),
                     claims[i].claimed, "%s", claims[i].name);
    cr_expect_not(claim_by(&format_folded, slice_make("a;b 1\n\0a;c 2\n", 13), true), "NUL");
}

static bool claims_file(const char *path, struct slice text)
{
    struct head head;
    bool claimed;

    head_init(&head, text, true);
    head.path = path;
    claimed = format_folded.claims(&head);
    head_release(&head);
    return claimed;
}

Test(input_folded, one_word_a_line_is_claimed_by_the_name_of_the_file)
{
    const struct slice words = SLICE("main 5\nidle 6\n"), settings = SLICE("WIDTH = 12\n");

    cr_expect(claims_file("/tmp/app.folded", words));
    cr_expect(claims_file("app.collapsed.gz", words));
    cr_expect_not(claims_file("app.txt", words));
    cr_expect_not(claims_file("all.folded/app.txt", words));
    cr_expect_not(claims_file("app.foldedness", words));
    cr_expect_not(claims_file("app.folded", settings));
}

Test(input_folded, a_total_beyond_64_bits_is_an_error)
{
    struct reading r;

    reading_init(&r);
    read_text(&r, SLICE("a 18446744073709551615\nb 1\n"), 9);
    cr_expect_not(r.ok);
    cr_expect_eq(r.diag.counts[DIAG_ERROR], 1);
    cr_expect_eq(r.diag.messages.items[0].place.at, 2);
    reading_release(&r);
}

Test(input_folded, limits_cut_and_tell)
{
    struct reading r;
    struct buf out = {0};

    reading_init(&r);
    r.options.limits.max_depth = 3;
    r.options.limits.max_name = 5;
    read_text(&r, SLICE("a;b;c 1\na;b;c;d 2\nabcd\xc3\xa9;x 3\nabcd\xc3\xaa;x 4\nx;b;c;d 5\n"), 9);
    fold(&r.profile, &out);
    cr_expect_str_eq(buf_string(&out), "a;b;c 1\nb;c;d 7\nabcd;x 7\n", "'%s'", buf_string(&out));
    cr_expect_eq(r.profile.ledger.truncated, 2);
    cr_expect_eq(r.profile.ledger.truncated_of_series, 2);
    cr_expect_eq(r.profile.series.items[0].truncated, 2);
    cr_expect_eq(r.diag.counts[DIAG_WARNING], 4);
    reading_release(&r);
    buf_release(&out);
}

Test(input_folded, counts_of_a_pair_are_in_its_graph)
{
    struct reading r;

    reading_init(&r);
    r.options.limits.max_depth = 2;
    read_text(&r, SLICE("a;b;c 1 2\na;b 3 4\n 5 6\n"), 9);
    cr_assert_eq(r.profile.series.count, 2);
    cr_expect_eq(r.profile.series.items[0].truncated, 0);
    cr_expect_eq(r.profile.series.items[1].truncated, 1);
    cr_expect_eq(r.profile.ledger.truncated_of_series, 1);
    cr_expect_eq(r.profile.series.items[1].without_frames, 1);
    cr_expect_eq(r.profile.ledger.without_frames_of_series, 1);
    reading_release(&r);
}

/* ---- against a plain reader ---------------------------------------------------------------- */

static int compare_lines(const void *a, const void *b)
{
    return slice_compare(*(const struct slice *)a, *(const struct slice *)b);
}

/* Sorts by the stack alone, as the scripts do that make folded stacks. */
static int compare_stacks(const void *a, const void *b)
{
    struct slice left = *(const struct slice *)a, right = *(const struct slice *)b;

    return slice_compare(slice_take(left, slice_find_last(left, ' ')),
                         slice_take(right, slice_find_last(right, ' ')));
}

/*
 * Names with bytes that sort before and after ';' and ' ', and names that begin with other names.
 */
static void random_lines(struct buf *out, uint64_t seed, unsigned count)
{
    static const char *const names[] = {"a",  "a.", "a.b",   "ab", "a b", "b",  "b_[k]", "-",
                                        "a:", "a!", "a b c", "",   "az",  "a0", "a_[j]"};
    uint64_t random = seed;

    *out = (struct buf){0};
    for (unsigned i = 0; i < count; i++) {
        unsigned depth = 1 + (unsigned)((random = hash_mix(random, 1)) % 5);
        const char *name = "";

        for (unsigned f = 0; f < depth; f++) {
            random = hash_mix(random, 2);
            name = names[(random >> 9) % 15];
            buf_printf(out, "%s%s", f ? ";" : "", name);
        }
        /* An empty last frame would be dropped. */
        buf_printf(out, "%s %u\n", *name ? "" : "x", 1 + (unsigned)((random >> 40) % 9));
    }
}

static void sort_lines(struct buf *text, int (*compare)(const void *, const void *))
{
    VEC(struct slice) lines = {0};
    struct slice rest = buf_slice(text), line;
    struct buf sorted = {0};

    while (slice_line(&rest, &line))
        *vec_add(&lines) = line;
    qsort(lines.items, lines.count, sizeof(struct slice), compare);
    vec_each (struct slice, l, &lines) {
        buf_add_slice(&sorted, *l);
        buf_add_char(&sorted, '\n');
    }
    vec_release(&lines);
    buf_release(text);
    *text = sorted;
}

static void expect_as_plain(struct slice text, size_t lines, uint64_t seed)
{
    struct buf want = {0}, got = {0}, why = {0};
    struct reading r;
    struct graph g;
    struct tree t;

    reading_init(&r);
    read_text(&r, text, lines);
    graph_init(&g, text);
    fold(&g.profile, &want);
    fold(&r.profile, &got);
    cr_expect_str_eq(buf_string(&got), buf_string(&want), "seed %llu", (unsigned long long)seed);
    cr_expect_eq(r.profile.stacks.count, g.profile.stacks.count);
    tree_init(&t, &r.profile, 0, &(struct tree_options){0});
    cr_expect(tree_check(&t, &why), "seed %llu: %s", (unsigned long long)seed, buf_string(&why));
    tree_release(&t);
    graph_release(&g);
    reading_release(&r);
    buf_release(&want);
    buf_release(&got);
    buf_release(&why);
}

Test(input_folded, sorted_or_not_it_is_what_a_plain_reader_makes)
{
    for (uint64_t seed = 1; seed <= 200; seed++) {
        size_t lines = seed % 3 ? 1 + seed % 5 : 1000;
        struct buf text;

        random_lines(&text, seed, 1 + (unsigned)(seed * 7 % 150));
        expect_as_plain(buf_slice(&text), lines, seed);
        sort_lines(&text, compare_lines);
        expect_as_plain(buf_slice(&text), lines, seed);
        sort_lines(&text, compare_stacks);
        expect_as_plain(buf_slice(&text), lines, seed);
        buf_release(&text);
    }
}

/* Each line has a name twice that is in none before it. Every third name is a long one. */
static void many_names(struct buf *out, unsigned count)
{
    uint64_t random = count;

    for (unsigned i = 0; i < count; i++) {
        unsigned depth = (unsigned)((random = hash_mix(random, 3)) % 40);

        for (unsigned f = 0; f < depth; f++) {
            unsigned name = (unsigned)((random = hash_mix(random, 4)) % 9999);

            buf_printf(out, "f%u%s;", name, name % 3 ? "" : "_of_more_bytes_than_are_read_at_once");
        }
        buf_printf(out, "new%u;new%u 1\n", i, i);
    }
}

Test(input_folded, with_many_names_it_is_what_a_plain_reader_makes)
{
    struct buf text = {0};

    many_names(&text, 2000);
    expect_as_plain(buf_slice(&text), 700, 1);
    sort_lines(&text, compare_lines);
    expect_as_plain(buf_slice(&text), 700, 2);
    buf_release(&text);
}

Test(input_folded, a_million_frames_in_a_line)
{
    enum { DEEP = 1000000 };
    struct reading r;
    struct buf text = {0};

    patience(20);
    for (int i = 0; i < DEEP; i++)
        buf_add_str(&text, i % 2 ? "b;" : "a;");
    buf_add_str(&text, "leaf 3\n");
    reading_init(&r);
    read_text(&r, buf_slice(&text), 1);
    cr_assert(r.ok);
    cr_expect_eq(r.profile.stacks.count, DEEP + 2);
    cr_expect_eq(stacks_depth(&r.profile.stacks, r.profile.series.items[0].stack[0]), DEEP + 1);
    cr_expect_eq(r.profile.series.items[0].total, 3);
    reading_release(&r);
    buf_release(&text);
}

Test(input_folded, names_that_are_rewritten_may_be_the_same)
{
    static const struct {
        bool no_demangling, strip_addresses;
        enum input_names names;
        const char *want;
    } cases[] = {
        {false, false, NAMES_CLEAN, "a;f at 0x1 3\na;f at 0x2 4\na;A::f 7\n"},
        {true, false, NAMES_CLEAN, "a;f at 0x1 3\na;f at 0x2 4\na;A::f 5\na;_ZN1A1fEi 2\n"},
        {false, true, NAMES_CLEAN, "a;f at 0x... 7\na;A::f 7\n"},
        {false, false, NAMES_REFERENCE, "a;f at 0x1 3\na;f at 0x2 4\na;A::f 5\na;_ZN1A1fEi 2\n"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct reading r;
        struct buf got = {0};

        reading_init(&r);
        r.options.no_demangling = cases[i].no_demangling;
        r.options.strip_addresses = cases[i].strip_addresses;
        r.options.names = cases[i].names;
        read_text(&r, SLICE("a;f at 0x1 3\na;f at 0x2 4\na;A::f 5\na;_ZN1A1fEi 2\n"), 1);
        cr_assert(r.ok);
        fold(&r.profile, &got);
        cr_expect_str_eq(buf_string(&got), cases[i].want, "case %zu: '%s'", i, buf_string(&got));
        buf_release(&got);
        reading_release(&r);
    }
}
