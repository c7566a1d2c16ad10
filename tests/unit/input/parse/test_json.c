#include "input/parse/json.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "unit/support/test.h"

/* A text as the content of a file that is being read. */
struct bench {
    char path[32];
    struct source source;
    struct diag diag;
    struct input_options options;
    struct content content;
};

static void bench_init(struct bench *b, struct slice text)
{
    struct buf why = {0};
    int fd;

    *b = (struct bench){.path = "/tmp/pending-XXXXXX"};
    fd = mkstemp(b->path);
    cr_assert(fd >= 0 && file_write_fd(fd, text, &why), "%s", buf_string(&why));
    close(fd);
    buf_release(&why);
    diag_init(&b->diag, SLICE("in"));
    cr_assert(source_open(&b->source, b->path, UINT64_MAX, &b->diag));
    b->options = input_options_default();
    b->content = (struct content){.source = &b->source, .options = &b->options, .diag = &b->diag};
}

static void bench_release(struct bench *b)
{
    unlink(b->path);
    source_release(&b->source);
    diag_release(&b->diag);
}

/* Writes a value back, numbers and strings as they are. */
static void write_value(struct buf *out, const struct json_value *v)
{
    static const char *const words[] = {"null", "false", "true"};

    if (v->key.len)
        buf_printf(out, "%.*s:", SLICE_ARG(v->key));
    if (v->type < JSON_NUMBER)
        buf_add_str(out, words[v->type]);
    else if (v->type == JSON_NUMBER)
        buf_add_slice(out, v->text);
    else if (v->type == JSON_STRING)
        buf_printf(out, "'%.*s'", SLICE_ARG(v->text));
    else {
        uint32_t count = 0;

        buf_add_char(out, v->type == JSON_ARRAY ? '[' : '{');
        json_each(child, v)
        {
            if (count++)
                buf_add_char(out, ' ');
            write_value(out, child);
        }
        buf_add_char(out, v->type == JSON_ARRAY ? ']' : '}');
        cr_expect_eq(count, v->count);
    }
}

/* Notes every value as "parent=value " and the end of a document as "|". */
static bool note(void *context, struct slice parent, const struct json_value *v, uint64_t at)
{
    struct buf *out = context;

    cr_expect_gt(at, 0);
    if (parent.len)
        buf_printf(out, "%.*s=", SLICE_ARG(parent));
    write_value(out, v);
    buf_add_char(out, ' ');
    return !slice_equal(v->key, SLICE("stop"));
}

static bool note_place(void *context, struct slice parent, const struct json_value *v, uint64_t at)
{
    buf_printf(context, "%llu:", (unsigned long long)at);
    return note(context, parent, v, at);
}

static bool note_end(void *context)
{
    buf_add_char(context, '|');
    return true;
}

/* Members whose names begin with "each" are wanted one by one. */
static bool one_by_one(void *context, struct slice key)
{
    (void)context;
    return slice_starts(key, SLICE("each"));
}

struct read_case {
    const char *name;
    struct slice text;
    const char *values;
    const char *messages; /* a part of them; "" for none */
    bool good;
    bool whole_documents;
};

static const struct read_case read_cases[] = {
    {"members", SLICE("{\"a\":1,\"b\":[1,{\"c\":null}],\"d\":\"x\",\"e\":{}}"),
     "a:1 b:[1 {c:null}] d:'x' e:{} |", "", true, false},
    {"elements of the top", SLICE("[1,[2,3],{\"a\":true},false]"), "1 [2 3] {a:true} false |", "",
     true, false},
    {"one by one", SLICE("{\"each\":[1,[2],{\"a\":3}],\"b\":4}"),
     "each=1 each=[2] each={a:3} b:4 |", "", true, false},
    {"members one by one", SLICE("{\"each1\":{\"x\":1,\"y\":[2]},\"each2\":5,\"each3\":[]}"),
     "each1=x:1 each1=y:[2] each2:5 |", "", true, false},
    {"each is of the top alone", SLICE("{\"a\":{\"each\":[1,2]},\"each\":[{\"each\":[3]}]}"),
     "a:{each:[1 2]} each={each:[3]} |", "", true, false},
    {"several documents", SLICE("{\"a\":1}\n{\"a\":2}\n[3]\n"), "a:1 |a:2 |3 |", "", true, false},
    {"documents as values", SLICE("{\"a\":1}\n{\"each\":[2]}[3] "), "{a:1} |{each:[2]} |[3] |", "",
     true, true},
    {"the same key twice", SLICE("{\"a\":1,\"a\":2}"), "a:1 a:2 |", "", true, false},
    {"empty containers", SLICE("{}[]"), "||", "", true, false},
    {"commas at the end", SLICE("[1,{\"a\":2 , } ,[3,\n],]"), "1 {a:2} [3] |", "", true, false},
    {"commas at the end of members", SLICE("{\"each\":[{\"a\":[1,],},],\"b\":2,}{\"c\":3,}"),
     "each={a:[1]} b:2 |c:3 |", "", true, false},
    {"commas at the end of documents", SLICE("{\"a\":[1,],}"), "{a:[1]} |", "", true, true},
    {"two commas", SLICE("[1,,2]"), "1 ", "in: byte 0x3: error: the JSON is damaged", false, false},
    {"a comma and the wrong bracket", SLICE("{\"a\":[1,},2]"), "", "byte 0x8: error", false, false},
    {"the wrong bracket behind a member", SLICE("[{\"a\":1],2]"), "", "byte 0x7: error", false,
     false},
    {"a line end in a text", SLICE("[{\"a\":\"}\n\"}]"), "", "byte 0x7: error", false, false},
    {"a key without a value", SLICE("{\"a\"}"), "", "byte 0x4: error", false, false},
    {"a key, a colon and no value", SLICE("{\"a\":}"), "", "byte 0x5: error", false, false},
    {"numbers that are none", SLICE("[[1,2],[1.,2]]"), "[1 2] ", "byte 0x9: error", false, false},
    {"a zero too many", SLICE("[[1,02]]"), "", "error: the JSON is damaged", false, false},
    {"no comma between numbers", SLICE("[[1 2]]"), "", "byte 0x4: error", false, false},
    {"numbers and more", SLICE("[[1,2,{\"a\":3}],[null,\"x\"],[4,]]"),
     "[1 2 {a:3}] [null 'x'] [4] |", "", true, false},
    {"numbers one by one and more", SLICE("{\"each\":[1,null,\"x\",2]}"),
     "each=1 each=null each='x' each=2 |", "", true, false},
    {"cut between numbers", SLICE("{\"a\":[1,2],\"b\":[3,4"), "a:[1 2] b:[3] |", "warning", true,
     false},
    {"a word", SLICE("[1,nul]"), "1 ", "error: the JSON is damaged", false, false},
    {"not a number", SLICE("[NaN]"), "", "error: the JSON is damaged", false, false},
    {"a scalar", SLICE("[1] 2 "), "1 |", "neither an object nor an array", false, false},
    {"a scalar at the end", SLICE("[1] 2"), "1 |", "neither an object nor an array", false, false},
    {"the reader stops", SLICE("{\"a\":1,\"stop\":2,\"b\":3}"), "a:1 stop:2 ", "", false, false},
    {"cut behind a comma", SLICE("[{\"a\":1},"), "{a:1} |", "byte 0x9: warning", true, false},
    {"cut behind an element", SLICE("[{\"a\":1}"), "{a:1} |",
     "in: byte 0x8: warning: the JSON ends in the middle", true, false},
    {"cut in an element", SLICE("[{\"a\":1},{\"a\":2,\"b\":"), "{a:1} |", "byte 0x14: warning",
     true, false},
    {"cut in a number", SLICE("[1,23"), "1 |", "byte 0x5: warning", true, false},
    {"cut in a string", SLICE("{\"a\":1,\"b\":\"x"), "a:1 |", "warning", true, false},
    {"cut in an escape", SLICE("{\"a\":1,\"b\":\"x\\ud8"), "a:1 |", "warning", true, false},
    {"cut in a word", SLICE("[1,tru"), "1 |", "warning", true, false},
    {"a cut array keeps its elements", SLICE("{\"a\":[1,2,[3,4],[5,6"), "a:[1 2 [3 4]] |",
     "warning", true, false},
    {"a cut object keeps its members", SLICE("{\"a\":{\"b\":1,\"c\":{\"d\":[1,{\"e\":1"),
     "a:{b:1 c:{d:[1]}} |", "warning", true, false},
    {"a cut one by one", SLICE("{\"each\":[{\"a\":1},{\"a\":{\"b\":1"), "each={a:1} |", "warning",
     true, false},
    {"a cut document", SLICE("{\"a\":1}{\"b\":[1,{\"c\":2"), "{a:1} |{b:[1]} |", "warning", true,
     true},
    {"no end of an object is a cut", SLICE("{\"a\":1"), "|", "warning", true, false},
};

Test(input_json, read)
{
    for (size_t i = 0; i < sizeof(read_cases) / sizeof(read_cases[0]); i++) {
        const struct read_case *c = &read_cases[i];
        struct buf values = {0}, messages = {0};
        struct json_handler handler = {.context = &values,
                                       .each = one_by_one,
                                       .value = note,
                                       .end = note_end,
                                       .whole_documents = c->whole_documents};
        struct bench b;

        bench_init(&b, c->text);
        cr_expect_eq(json_read(&b.content, &handler), c->good, "%s", c->name);
        diag_write(&b.diag, &messages, false);
        cr_expect_str_eq(buf_string(&values), c->values, "%s: %s", c->name, buf_string(&values));
        cr_expect(c->messages[0] ? strstr(buf_string(&messages), c->messages) != NULL
                                 : !messages.len,
                  "%s: %s", c->name, buf_string(&messages));
        bench_release(&b);
        buf_release(&values);
        buf_release(&messages);
    }
}

/* Loads a text as one document and returns its top as text, or NULL if loading fails. */
static bool load(struct slice text, struct buf *out, struct buf *messages)
{
    struct json_document d;
    struct bench b;
    bool good;

    bench_init(&b, text);
    good = json_load(&b.content, &d);
    if (good)
        write_value(out, &d.values.items[0]);
    diag_write(&b.diag, messages, false);
    json_release(&d);
    bench_release(&b);
    return good;
}

static const struct {
    const char *name;
    struct slice text;
    const char *value; /* NULL if loading fails */
    const char *messages;
} load_cases[] = {
    {"a document", SLICE(" {\"a\":[1,{\"b\":\"c\"}],\"d\":-1.5e3}\n"), "{a:[1 {b:'c'}] d:-1.5e3}",
     ""},
    {"two", SLICE("{\"a\":1}\n{\"b\":2}"), NULL, "byte 0xf: error: a second JSON document"},
    {"cut", SLICE("{\"a\":[1,2,{\"b\":3"), "{a:[1 2]}", "byte 0x10: warning"},
    {"nothing but its start", SLICE("{"), "{}", "warning"},
    {"nothing", SLICE(" "), NULL, "error: the JSON is damaged"},
    {"a lone surrogate", SLICE("[\"x\\ud800y\",\"\\udc00\\\\ud800\"]"),
     "['x\xef\xbf\xbdy' '\xef\xbf\xbd\\ud800']", ""},
    {"two high surrogates", SLICE("[\"\\ud83d\\ud83d\\ude00\\ude00\\u0041\"]"),
     "['\xef\xbf\xbd\xf0\x9f\x98\x80\xef\xbf\xbd"
     "A']",
     ""},
    {"a surrogate before the end", SLICE("[\"\\uD83D\"]"), "['\xef\xbf\xbd']", ""},
    {"ill-formed", SLICE("[\"a\xff\xc3(\",{\"\xe2\x82\":1}]"),
     "['a\xef\xbf\xbd\xef\xbf\xbd(' {\xef\xbf\xbd:1}]", ""},
    {"escapes", SLICE("[\"\\\"\\\\\\/\\u00e9\\n\"]"), "['\"\\/\xc3\xa9\n']", ""},
    {"a number beyond 64 bits", SLICE("[123456789012345678901234567890]"),
     "[123456789012345678901234567890]", ""},
};

Test(input_json, load)
{
    for (size_t i = 0; i < sizeof(load_cases) / sizeof(load_cases[0]); i++) {
        struct buf out = {0}, messages = {0};
        bool good;

        good = load(load_cases[i].text, &out, &messages);
        cr_expect_eq(good, load_cases[i].value != NULL, "%s", load_cases[i].name);
        if (good)
            cr_expect_str_eq(buf_string(&out), load_cases[i].value, "%s: %s", load_cases[i].name,
                             buf_string(&out));
        cr_expect(load_cases[i].messages[0]
                      ? strstr(buf_string(&messages), load_cases[i].messages) != NULL
                      : !messages.len,
                  "%s: %s", load_cases[i].name, buf_string(&messages));
        buf_release(&out);
        buf_release(&messages);
    }
}

/* Texts, escapes and trailing commas that blocks cut in two. */
Test(input_json, blocks)
{
    static const char element[] = "{\"k\\u00e9y\":\"\\ud83d\\ude00 \\ud800\",},";
    static const char read[] = "{k\xc3\xa9y:'\xf0\x9f\x98\x80 \xef\xbf\xbd'}";
    struct buf text = {0}, want = {0}, got = {0};
    struct json_handler handler = {.context = &got, .value = note};
    struct bench b;

    buf_add_char(&text, '[');
    while (text.len < 3 * SOURCE_BLOCK) {
        buf_add_str(&text, element);
        buf_printf(&want, "%s ", read);
    }
    buf_add_char(&text, ']');
    bench_init(&b, buf_slice(&text));
    cr_expect(json_read(&b.content, &handler));
    cr_expect(slice_equal(buf_slice(&got), buf_slice(&want)));
    cr_expect_eq(b.diag.messages.count, 0);
    bench_release(&b);
    buf_release(&text);
    buf_release(&want);
    buf_release(&got);
}

/* Reads a text with `threads` threads; notes the values, places and messages. */
static void read_with_threads(struct slice text, unsigned threads, struct buf *out)
{
    struct json_handler handler = {.context = out,
                                   .many_elements = true,
                                   .each = one_by_one,
                                   .value = note_place,
                                   .end = note_end};
    struct bench b;

    buf_clear(out);
    bench_init(&b, text);
    b.content.threads = threads;
    json_read(&b.content, &handler);
    diag_write(&b.diag, out, false);
    bench_release(&b);
}

/* Several threads read what one reads, wherever elements seem to begin. */
Test(input_json, threads)
{
    static const char *const around[][2] = {
        {"[", "]"},
        {"{\"a\":[{},{}],\"each\":[", "],\"b\":[{},{}]}"},
        {"{\"each1\":[1],\"each2\":[", ",],\"each3\":[{\"x\":1},{\"y\":2}]}{}"},
        {"{\"a\":[", "]}"},
        {"[", ",{\"a\":tru},{}]"},
        {"[", ",{\"a\":[1,{\"b\":"},
    };
    static const char *const elements[] = {
        "{\"a\":1,\"b\":[1,2]}",
        "{\"a\":[{\"b\":1},{\"c\":2}]}",
        "{\"a\":\"},{\"}",
        "{\"\\u00e9\":\"\xff\"} ",
        "{\"a\":{}}\n",
        "[{},{},{}]",
        "12",
    };
    struct buf text = {0}, one = {0}, several = {0};

    for (size_t i = 0; i < sizeof(around) / sizeof(around[0]); i++) {
        buf_clear(&text);
        buf_add_str(&text, around[i][0]);
        for (size_t n = 0; text.len < 12 * SOURCE_BLOCK; n++)
            buf_printf(&text, "%s%s", n ? "," : "",
                       elements[n * n % (sizeof(elements) / sizeof(elements[0]))]);
        buf_add_str(&text, around[i][1]);
        read_with_threads(buf_slice(&text), 1, &one);
        read_with_threads(buf_slice(&text), 3, &several);
        cr_expect(slice_equal(buf_slice(&several), buf_slice(&one)), "%s", around[i][1]);
    }
    buf_release(&text);
    buf_release(&one);
    buf_release(&several);
}

/*
 * Arrays that contain numbers, begin with numbers or look like numbers, with blocks that end
 * anywhere.
 */
Test(input_json, numbers_in_blocks)
{
    static const struct {
        const char *text, *value;
    } elements[] = {
        {"[1,20,300]", "[1 20 300]"},
        {"[ -1.5e+3 ,\n null,0\t]", "[-1.5e+3 null 0]"},
        {"[12,\"a[2,3]\",4]", "[12 'a[2,3]' 4]"},
        {"[12,[2],{\"b\":[3,null]}]", "[12 [2] {b:[3 null]}]"},
        {"[7,8,]", "[7 8]"},
        {"[null,true,1]", "[null true 1]"},
        {"\"[1,[2,\\\"[3\"", "'[1,[2,\"[3'"},
        {"[[],[[1]],[{}]]", "[[] [[1]] [{}]]"},
    };
    struct buf text = {0}, want = {0}, got = {0};
    struct json_handler handler = {.context = &got, .value = note};
    struct bench b;

    for (size_t pad = 0; pad < 64; pad++) {
        buf_clear(&text);
        buf_clear(&want);
        buf_clear(&got);
        for (size_t i = 0; i < pad; i++)
            buf_add_char(&text, ' ');
        buf_add_str(&text, "[[0");
        buf_add_str(&want, "[0");
        for (unsigned i = 0; text.len < SOURCE_BLOCK * 3 / 2; i++) {
            buf_printf(&text, ",%u", i);
            buf_printf(&want, " %u", i);
        }
        buf_add_str(&text, "]");
        buf_add_str(&want, "] ");
        for (size_t i = 0; text.len < SOURCE_BLOCK * 5 / 2; i++) {
            size_t n = i % (sizeof(elements) / sizeof(elements[0]));

            buf_printf(&text, ",%s", elements[n].text);
            buf_printf(&want, "%s ", elements[n].value);
        }
        buf_add_char(&text, ']');
        bench_init(&b, buf_slice(&text));
        cr_expect(json_read(&b.content, &handler));
        cr_expect(slice_equal(buf_slice(&got), buf_slice(&want)), "%zu", pad);
        cr_expect_eq(b.diag.messages.count, 0);
        bench_release(&b);
    }
    buf_release(&text);
    buf_release(&want);
    buf_release(&got);
}

/* A document nested `depth` levels deep, with trailing commas if they are wanted. */
static bool load_nested(unsigned depth, bool comma)
{
    struct buf text = {0}, messages = {0};
    struct json_document d;
    struct bench b;
    bool good;

    for (unsigned i = 0; i < depth; i++)
        buf_add_char(&text, '[');
    if (comma)
        buf_add_str(&text, "true,");
    for (unsigned i = 0; i < depth; i++)
        buf_add_char(&text, ']');
    bench_init(&b, buf_slice(&text));
    good = json_load(&b.content, &d);
    if (good)
        cr_expect_eq(d.values.count, depth + comma);
    cr_expect_eq(b.diag.counts[DIAG_ERROR], good ? 0 : 1);
    json_release(&d);
    bench_release(&b);
    buf_release(&text);
    buf_release(&messages);
    return good;
}

Test(input_json, depth)
{
    cr_expect(load_nested(JSON_MOST_DEPTH, false));
    cr_expect_not(load_nested(JSON_MOST_DEPTH + 1, false));
    cr_expect(load_nested(60, true));
    cr_expect_not(load_nested(1000, true));
}
