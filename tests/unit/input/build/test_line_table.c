#include "input/build/line_table.h"

#include "unit/support/test.h"

#define BYTES(text)                                                                                \
    (struct slice)                                                                                 \
    {                                                                                              \
        "" text "", sizeof(text) - 1                                                               \
    }

enum { STEPS = 100000 };

/* A table to be written. */
struct made {
    unsigned version;
    bool wide, big;       /* 64-bit DWARF; the highest byte of numbers first */
    unsigned least, most; /* bytes of an instruction, operations in one; 0 for 1 */
    struct slice names;   /* the part of the header; empty for those of add_names() */
};

static void add_number(struct buf *out, const struct made *m, uint64_t value, unsigned size)
{
    for (unsigned i = 0; i < size; i++)
        buf_add_char(out, (char)(value >> 8 * (m->big ? size - 1 - i : i)));
}

/* Files a.c where the unit was compiled, /src/lib/b.h, c.h below inc, /usr/d.h. */
static void add_names(struct buf *out, unsigned version)
{
    const struct slice old =
        BYTES("/src/lib\0inc\0\0a.c\0\0\0\0b.h\0\1\0\0c.h\0\2\0\0/usr/d.h\0\1\0\0\0");
    /* Paths are texts (8), directories numbers (0xf); file 0 is there twice, as GCC writes it. */
    const struct slice new = BYTES("\1\1\x8\3/build\0/src/lib\0inc\0"
                                   "\2\1\x8\2\xf\5a.c\0\0a.c\0\0b.h\0\1c.h\0\2/usr/d.h\0\1");

    buf_add_slice(out, version < 5 ? old : new);
}

/* Special opcodes are 13 + (line + 5) + 14 * operations. */
static void write_header(struct buf *out, const struct made *m)
{
    buf_add_char(out, (char)(m->least ? m->least : 1));
    if (m->version >= 4)
        buf_add_char(out, (char)(m->most ? m->most : 1));
    buf_add_slice(out, BYTES("\1\xfb\xe\xd\0\1\1\1\1\0\0\0\1\0\0\1"));
    if (m->names.len)
        buf_add_slice(out, m->names);
    else
        add_names(out, m->version);
}

static void write_table(struct buf *out, const struct made *m, struct slice program)
{
    struct buf header = {0}, rest = {0};

    write_header(&header, m);
    add_number(&rest, m, m->version, 2);
    if (m->version >= 5)
        buf_add_slice(&rest, BYTES("\x8\0"));
    add_number(&rest, m, header.len, m->wide ? 8 : 4);
    buf_add_slice(&rest, buf_slice(&header));
    buf_add_slice(&rest, program);
    if (m->wide)
        add_number(out, m, UINT32_MAX, 4);
    add_number(out, m, rest.len, m->wide ? 8 : 4);
    buf_add_slice(out, buf_slice(&rest));
    buf_release(&header);
    buf_release(&rest);
}

static struct line_sections sections_of(const struct buf *lines, const struct made *m)
{
    return (struct line_sections){
        .lines = buf_slice(lines),
        .line_texts = BYTES("x\0first.c\0"),
        .texts = BYTES("second.c\0no end"),
        .swapped = m->big != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__),
    };
}

/* A table that was read, with its bytes. */
struct reading {
    struct line_table table;
    struct buf bytes;
};

static void read_table(struct reading *r, const struct made *m, struct slice program,
                       struct line_budget *budget)
{
    struct line_sections s;

    *r = (struct reading){0};
    buf_add_str(&r->bytes, "before");
    write_table(&r->bytes, m, program);
    buf_add_str(&r->bytes, "\1\1\1\1 behind");
    s = sections_of(&r->bytes, m);
    line_table_read(&r->table, &s, strlen("before"), budget);
}

static void reading_release(struct reading *r)
{
    release_each(r, (line_table, table), (buf, bytes));
}

/* `want` is "PATH:LINE", or "" if no row has the address. */
static void expect(const struct line_table *t, uint64_t address, const char *want)
{
    const struct line_row *row = line_table_find(t, address);
    struct buf found = {0};

    if (row) {
        if (!line_table_add_path(t, row->file, SLICE("/build"), &found))
            buf_add_char(&found, '?');
        buf_printf(&found, ":%u", row->line);
    }
    cr_expect_str_eq(buf_string(&found), want, "%#llx: '%s', not '%s'", (unsigned long long)address,
                     buf_string(&found), want);
    buf_release(&found);
}

/* Sets the address to 0x1000, in the byte order of little numbers. */
#define AT_1000 "\0\x9\x2\0\x10\0\0\0\0\0\0"
#define AT_1000_BIG "\0\x9\x2\0\0\0\0\0\0\x10\0"
#define END "\0\1\1"

#define MOST_OPCODES                                                                               \
    "\3\x9\1"              /* line 10, a row: 1000 */                                              \
    "\x21"                 /* 1 byte on, line 11: 1001 */                                          \
    "\x5\x7\x6\x7\xa\xb"   /* column, statement, block, prologue's end, epilogue's start */        \
    "\xc\1"                /* ISA */                                                               \
    "\2\x82\1\4\2\3\x7b\1" /* 130 bytes on, file 2, 5 lines back: 1083 */                          \
    "\x8\1"                /* as opcode 255 does, 17 bytes on: 1094 */                             \
    "\4\3\x4b"             /* 4 bytes on, file 3, 1 line on: 1098 */                               \
    "\0\2\4\x7"            /* a discriminator */                                                   \
    "\4\4\x58"             /* 5 bytes on, 0 lines: 109d */                                         \
    "\4\x63\x20"           /* a file that there is not: 109e */                                    \
    "\2\2" END

Test(input_line_table, rows_of_a_program)
{
    for (unsigned i = 0; i < 16; i++) {
        struct made m = {.version = 2 + i / 4, .wide = i & 1, .big = i & 2};
        struct line_budget budget = {STEPS, STEPS};
        struct reading r;

        read_table(&r, &m, m.big ? BYTES(AT_1000_BIG MOST_OPCODES) : BYTES(AT_1000 MOST_OPCODES),
                   &budget);
        expect(&r.table, 0xfff, "");
        expect(&r.table, 0x1000, "/build/a.c:10");
        expect(&r.table, 0x1001, "/build/a.c:11");
        expect(&r.table, 0x1082, "/build/a.c:11");
        expect(&r.table, 0x1083, "/src/lib/b.h:6");
        expect(&r.table, 0x1094, "/src/lib/b.h:6");
        expect(&r.table, 0x1097, "/src/lib/b.h:6");
        expect(&r.table, 0x1098, "/build/inc/c.h:7");
        expect(&r.table, 0x109d, "/usr/d.h:7");
        expect(&r.table, 0x109e, "?:7");
        expect(&r.table, 0x109f, "?:7");
        expect(&r.table, 0x10a0, "");
        /* What says the same as the row before is no row. */
        cr_expect_eq(r.table.rows.count, 6, "%zu rows", r.table.rows.count);
        cr_expect_lt(budget.steps, STEPS);
        reading_release(&r);
    }
}

Test(input_line_table, lengths_of_instructions)
{
    static const struct {
        struct made made;
        struct slice program;
        uint64_t second; /* address of line 2 */
    } rows[] = {
        {{.version = 4, .least = 4}, BYTES(AT_1000 "\1\x21\2\1" END), 0x1004},
        {{.version = 4, .least = 4}, BYTES(AT_1000 "\1\2\3\3\1\1\2\1" END), 0x100c},
        {{.version = 4, .least = 4}, BYTES(AT_1000 "\1\x9\3\0\3\1\1\2\1" END), 0x1003},
        /* Bundles of three operations: the fourth one begins the second bundle. */
        {{.version = 4, .least = 16, .most = 3}, BYTES(AT_1000 "\1\2\2\2\2\3\1\1\2\3" END), 0x1010},
        {{.version = 3, .least = 16}, BYTES(AT_1000 "\1\2\2\3\1\1\2\3" END), 0x1020},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct line_budget budget = {STEPS, STEPS};
        struct reading r;

        read_table(&r, &rows[i].made, rows[i].program, &budget);
        expect(&r.table, rows[i].second - 1, "/build/a.c:1");
        expect(&r.table, rows[i].second, "/build/a.c:2");
        reading_release(&r);
    }
}

Test(input_line_table, names_of_version_5)
{
    static const struct {
        const char *what;
        struct slice names;
        const char *want; /* the path of file 1 */
    } rows[] = {
        {"texts elsewhere", BYTES("\1\1\x1f\1\2\0\0\0\1\1\x1f\2\2\0\0\0\2\0\0\0"),
         "first.c/first.c:1"},
        {"texts of the program", BYTES("\1\1\x8\1/d\0\1\1\xe\2\0\0\0\0\0\0\0\0"), "/d/second.c:1"},
        {"a text without an end", BYTES("\1\1\x8\1/d\0\1\1\xe\2\x9\0\0\0\x9\0\0\0"), "?:1"},
        {"a text outside", BYTES("\1\1\x8\1/d\0\1\1\xe\2\0\0\0\0\xff\xff\xff\xff"), "?:1"},
        {"no directories", BYTES("\0\0\1\1\x8\2x\0y\0"), "/build/y:1"},
        {"times, sizes, checksums and more",
         BYTES("\1\1\x8\2/d\0/e\0"
               "\xb\3\x6\4\5\5\x1e\x80\x40\xa\x81\x40\xf\1\x8\2\xb\x82\x40\x9\x83\x40\x3\x84\x40\x4"
               "\x85\x40\x17\2"
               "1234"
               "12"
               "0123456789abcdef"
               "\1z"
               "\x80\1"
               "x\0"
               "\1"
               "\2ab"
               "\1\0c"
               "\1\0\0\0d"
               "1234"
               "1234"
               "12"
               "0123456789abcdef"
               "\1z"
               "\x80\1"
               "y\0"
               "\1"
               "\2ab"
               "\1\0c"
               "\1\0\0\0d"
               "1234"),
         "/e/y:1"},
        {"names by index", BYTES("\1\1\x8\1/d\0\1\1\x1a\2\1\1"), "?:1"},
        {"small names by index", BYTES("\1\1\x8\1/d\0\1\1\x27\2\1\1\1\1\1\1"), "?:1"},
        {"an unknown form", BYTES("\1\1\x8\1/d\0\1\1\x33\2x\0y\0"), "?:1"},
        {"entries of nothing", BYTES("\0\xff\xff\xff\xff\xff\xff\xff\xff\x7f\0\xff\xff\x7f"),
         "?:1"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct made m = {.version = 5, .names = rows[i].names};
        struct line_budget budget = {STEPS, STEPS};
        struct reading r;

        read_table(&r, &m, BYTES(AT_1000 "\1\2\1" END), &budget);
        expect(&r.table, 0x1000, rows[i].want);
        cr_expect_gt(budget.steps, STEPS - 20, "%s: %llu", rows[i].what,
                     (unsigned long long)budget.steps);
        reading_release(&r);
    }
}

/* Version 2 to 4: a program may name further files. */
Test(input_line_table, files_that_a_program_defines)
{
    struct made m = {.version = 3};
    struct line_budget budget = {STEPS, STEPS};
    struct reading r;

    read_table(&r, &m, BYTES(AT_1000 "\0\x8\3new\0\2\0\0\4\5\1\2\1" END), &budget);
    expect(&r.table, 0x1000, "/build/inc/new:1");
    reading_release(&r);
}

Test(input_line_table, sequences)
{
    const struct made m = {.version = 4};
    /* Two in the wrong order; one that the linker dropped; one that goes back; one without end. */
    const struct slice program =
        BYTES("\0\x9\x2\0\x20\0\0\0\0\0\0\3\x13\1\2\x10" END "\0\x9\x2\0\x10\0\0\0\0\0\0\3\x9\1"
              "\3\1\1\2\x10" END "\0\x9\x2\0\0\0\0\0\0\0\0\3\x28\1\2\x80\x80\4" END
              "\0\x9\x2\0\x30\0\0\0\0\0\0\1\0\x9\x2\x8\x10\0\0\0\0\0\0\3\1\1\2\x80\x80\4" END
              "\0\x5\x2\0\x40\0\0\1\2\x10\1");
    struct line_budget budget = {STEPS, STEPS};
    struct reading r;

    read_table(&r, &m, program, &budget);
    expect(&r.table, 0x10, "");
    expect(&r.table, 0x1000, "/build/a.c:11"); /* the later one of two rows */
    expect(&r.table, 0x100f, "/build/a.c:11");
    expect(&r.table, 0x1010, "");
    expect(&r.table, 0x2000, "/build/a.c:20");
    expect(&r.table, 0x2010, "");
    expect(&r.table, 0x3000, "");
    expect(&r.table, 0x4000, "");
    cr_expect_eq(r.table.rows.count, 3, "%zu rows", r.table.rows.count);
    reading_release(&r);
}

/* Of the rows of an address the last one is that of its code, the first one that of a function. */
Test(input_line_table, several_rows_of_an_address)
{
    static const struct {
        uint64_t address;
        uint32_t line, start;
    } rows[] = {{0x1000, 3, 1}, {0x1001, 3, 3}, {0x1010, 7, 4},
                {0x1011, 7, 7}, {0x1020, 9, 9}, {0x2000, 1, 1}};
    const struct made m = {.version = 4};
    struct line_budget budget = {STEPS, STEPS};
    struct reading r;

    read_table(&r, &m,
               BYTES(AT_1000 "\1\3\1\1\3\1\1\2\x10\3\1\1\3\1\1\3\1\1\3\1\1\2\x10\3\2\1"
                             "\2\1" END "\0\x9\2\0\x20\0\0\0\0\0\0\1\2\1" END),
               &budget);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct line_row *found = line_table_find(&r.table, rows[i].address);
        const struct line_row *start = line_table_find_start(&r.table, rows[i].address);

        cr_assert(found && start);
        cr_expect_eq(found->line, rows[i].line, "%zu: %u", i, found->line);
        cr_expect_eq(start->line, rows[i].start, "%zu: %u", i, start->line);
    }
    cr_expect_null(line_table_find_start(&r.table, 0x1021));
    cr_expect_eq(r.table.rows.count, 6);
    reading_release(&r);
}

/* A function is smaller than 4 GB; lines that no source has are none. */
Test(input_line_table, numbers_that_are_too_large)
{
    const struct made m = {.version = 4};
    struct line_budget budget = {STEPS, STEPS};
    struct reading r;

    read_table(&r, &m, BYTES(AT_1000 "\1\2\x80\x80\x80\x80\x10\3\1\1" END), &budget);
    expect(&r.table, 0x1000, "");
    reading_release(&r);
    read_table(&r, &m,
               BYTES(AT_1000 "\3\x7d\1\2\1\4\xff\xff\xff\xff\xff\xff\xff\xff\x7f\1\2\1" END),
               &budget);
    expect(&r.table, 0x1000, "/build/a.c:0");
    expect(&r.table, 0x1001, "?:0");
    reading_release(&r);
}

/* Each beginning of a table, and each table with a changed byte, ends somewhere. */
Test(input_line_table, damage)
{
    for (unsigned i = 0; i < 8; i++) {
        const struct made m = {.version = 2 + i / 2, .wide = i & 1};
        struct buf whole = {0};

        write_table(&whole, &m, BYTES(AT_1000 MOST_OPCODES));
        for (size_t at = 0; at < whole.len; at++) {
            struct buf damaged = {0};
            struct line_sections s;

            for (unsigned change = 0; change < 3; change++) {
                struct line_table t = {0};
                struct line_budget budget = {STEPS, STEPS};

                buf_clear(&damaged);
                buf_add_slice(&damaged, slice_take(buf_slice(&whole), change ? whole.len : at));
                if (change)
                    damaged.ptr[at] = change == 1 ? '\xff' : '\0';
                s = sections_of(&damaged, &m);
                line_table_read(&t, &s, 0, &budget);
                if (!change)
                    expect(&t, 0x1000, "");
                cr_expect_geq(budget.steps, STEPS - 300);
                line_table_release(&t);
            }
            buf_release(&damaged);
        }
        buf_release(&whole);
    }
}

/* Rows and names are bounded by what is left. */
Test(input_line_table, bounded_by_a_budget)
{
    enum { MANY = 100000, FEW = 1000 };
    const struct made m = {.version = 4};
    struct buf program = {0};
    struct reading r;
    struct line_budget budget = {FEW, STEPS};

    buf_add_slice(&program, BYTES(AT_1000));
    for (unsigned i = 0; i < MANY; i++)
        buf_add_slice(&program, BYTES("\x21"));
    buf_add_slice(&program, BYTES(END));
    read_table(&r, &m, buf_slice(&program), &budget);
    cr_expect_eq(budget.steps, 0);
    cr_expect_eq(r.table.rows.count, 0, "a sequence without an end is none");
    reading_release(&r);
    budget = (struct line_budget){MANY + FEW, MANY + FEW};
    read_table(&r, &m, buf_slice(&program), &budget);
    cr_expect_eq(r.table.rows.count, MANY);
    cr_expect_eq(budget.steps, FEW - 8, "%llu", (unsigned long long)budget.steps);
    cr_expect_eq(budget.kept, FEW - 12); /* 6 names */
    reading_release(&r);
    budget = (struct line_budget){STEPS * 2, FEW};
    read_table(&r, &m, buf_slice(&program), &budget);
    cr_expect_eq(budget.kept, FEW - 12);
    cr_expect_eq(r.table.rows.cap, 0);
    cr_expect_gt(budget.steps, STEPS);
    reading_release(&r);
    budget = (struct line_budget){STEPS, 5};
    read_table(&r, &m, buf_slice(&program), &budget);
    cr_expect_eq(r.table.directories.count, 2);
    cr_expect_eq(r.table.files.count, 0);
    reading_release(&r);
    buf_release(&program);
}

Test(input_line_table, nothing_at_an_offset)
{
    struct line_sections s = {.lines = BYTES("\xff\xff\xff\xff")};
    struct line_budget budget = {STEPS, STEPS};
    struct line_table t = {0};

    line_table_read(&t, &s, 0, &budget);
    line_table_read(&t, &s, 4, &budget);
    line_table_read(&t, &s, UINT64_MAX, &budget);
    cr_expect_eq(t.sequences.count, 0);
    expect(&t, 0, "");
    line_table_release(&t);
}
