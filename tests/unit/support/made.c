#include "unit/support/made.h"

#include <string.h>

/* Bits of an event's flags. */
enum { FREQUENCY = 10, ID_ALL = 18 };

void made_number(struct made *m, uint64_t value, unsigned size)
{
    for (unsigned i = 0; i < size; i++)
        buf_add_char(&m->bytes, (char)(value >> 8 * (m->big ? size - 1 - i : i)));
}

void made_words(struct made *m, const uint64_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        made_number(m, words[i], 8);
}

void made_record(struct made *m, uint32_t type, unsigned misc, size_t content)
{
    made_number(m, type, 4);
    made_number(m, misc, 2);
    made_number(m, content + PERF_RECORD_HEADER, 2);
}

void made_text(struct made *m, const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++)
        buf_add_char(&m->bytes, i < strlen(text) ? text[i] : '\0');
}

void made_attr(struct made *m, uint64_t config, uint64_t type, uint64_t read_format)
{
    uint64_t flags = 1ull << FREQUENCY | 1ull << ID_ALL;

    if (m->big)
        flags = 1ull << (63 - FREQUENCY) | 1ull << (63 - ID_ALL);
    made_number(m, 1, 4);
    made_number(m, MADE_ATTR, 4);
    WORDS(m, config, 99, type, read_format, flags);
    made_text(m, "", MADE_ATTR - 48);
}

void made_begin(struct made *m, bool big)
{
    *m = (struct made){.big = big};
    buf_add_str(&m->bytes, big ? "2ELIFREP" : "PERFILE2");
}

void made_begin_pipe(struct made *m, bool big)
{
    made_begin(m, big);
    WORDS(m, PERF_PIPE_HEADER);
    made_record(m, PERF_RECORD_HEADER_ATTR, 0, MADE_ATTR + 8);
    made_attr(m, 0, MADE_TYPE, 0);
    WORDS(m, 7);
}

void made_end(struct made *m, uint32_t pid, uint64_t time)
{
    made_number(m, pid, 4);
    made_number(m, pid, 4);
    WORDS(m, time, 7);
}

void made_comm(struct made *m, uint32_t pid, const char *comm, uint64_t time)
{
    made_record(m, PERF_RECORD_COMM, 0, 8 + 8 + 24);
    made_number(m, pid, 4);
    made_number(m, pid, 4);
    made_text(m, comm, 8);
    made_end(m, pid, time);
}

void made_map(struct made *m, uint32_t pid, uint64_t start, const char *path, uint64_t time)
{
    made_record(m, PERF_RECORD_MMAP,
                pid == UINT32_MAX ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER,
                8 + 24 + 24 + 24);
    made_number(m, pid, 4);
    made_number(m, pid, 4);
    WORDS(m, start, 0x1000, 0);
    made_text(m, path, 24);
    made_end(m, pid, time);
}

void made_sample(struct made *m, uint32_t pid, uint64_t time)
{
    made_record(m, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL, 8 * (5 + 6));
    WORDS(m, 7, 0xffff0010);
    made_number(m, pid, 4);
    made_number(m, pid, 4);
    WORDS(m, time, 5, 5, PERF_CONTEXT_KERNEL, 0xffff0010, PERF_CONTEXT_USER, 0x1010, 0x2020);
}

void made_recorded(struct made *m, const unsigned *features, const struct buf *contents,
                   size_t count)
{
    enum { AT = PERF_FILE_HEADER, SECTION = 16 };
    struct made data = {.big = m->big};
    uint64_t bits[4] = {0}, place;

    made_map(&data, UINT32_MAX, 0xffff0000, "[kernel.kallsyms]", 0);
    made_comm(&data, 3, "app", 1);
    made_map(&data, 3, 0x1000, "/data/app.vdex", 2);
    made_map(&data, 3, 0x2000, "/lib/libx.so", 3);
    made_record(&data, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, 8 * 11);
    WORDS(&data, 7, 0xffff0010);
    made_number(&data, 3, 4);
    made_number(&data, 3, 4);
    WORDS(&data, 20, 5, 5, PERF_CONTEXT_KERNEL, 0xffff0010, PERF_CONTEXT_USER, 0x1410, 0x2710);
    for (size_t i = 0; i < count; i++)
        bits[features[i] / 64] |= 1ull << features[i] % 64;
    made_begin(m, m->big);
    WORDS(m, AT, MADE_ATTR + SECTION, AT, MADE_ATTR + SECTION, AT + MADE_ATTR + SECTION,
          data.bytes.len, 0, 0);
    made_words(m, bits, 4);
    made_attr(m, 0, MADE_TYPE, 0);
    WORDS(m, 0, 0);
    buf_add_slice(&m->bytes, buf_slice(&data.bytes));
    place = m->bytes.len + count * SECTION;
    for (size_t i = 0; i < count; i++) {
        WORDS(m, place, contents[i].len);
        place += contents[i].len;
    }
    for (size_t i = 0; i < count; i++)
        buf_add_slice(&m->bytes, buf_slice(&contents[i]));
    buf_release(&data.bytes);
}

struct input_options made_options(void)
{
    struct input_options o = input_options_default();

    o.symfs = o.kallsyms = "/nowhere";
    return o;
}
