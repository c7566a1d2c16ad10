#include "unit/support/wire.h"

void wire_varint(struct buf *out, uint64_t value)
{
    for (; value > 127; value >>= 7)
        buf_add_char(out, (char)(value | 128));
    buf_add_char(out, (char)value);
}

void wire_number(struct buf *out, unsigned field, uint64_t value)
{
    wire_varint(out, (uint64_t)field << 3);
    wire_varint(out, value);
}

void wire_bytes(struct buf *out, unsigned field, struct slice bytes)
{
    wire_varint(out, (uint64_t)field << 3 | 2);
    wire_varint(out, bytes.len);
    buf_add_slice(out, bytes);
}

void wire_numbers(struct buf *out, unsigned field, const uint64_t *values, size_t count)
{
    struct buf message = {0};

    for (size_t i = 0; i < count; i++)
        if (values[i])
            wire_number(&message, (unsigned)i + 1, values[i]);
    wire_bytes(out, field, buf_slice(&message));
    buf_release(&message);
}

void wire_packed(struct buf *out, unsigned field, const uint64_t *values, size_t count)
{
    struct buf packed = {0};

    for (size_t i = 0; i < count; i++)
        wire_varint(&packed, values[i]);
    wire_bytes(out, field, buf_slice(&packed));
    buf_release(&packed);
}

void wire_sample(struct buf *out, bool packed, const uint64_t ids[3], uint64_t first,
                 uint64_t second, struct slice label)
{
    const uint64_t values[] = {first, second};
    struct buf message = {0};
    size_t count = 0;

    while (count < 3 && ids[count])
        count++;
    if (packed) {
        wire_packed(&message, 1, ids, count);
        wire_packed(&message, 2, values, 2);
    } else {
        for (size_t i = 0; i < count; i++)
            wire_number(&message, 1, ids[i]);
        wire_number(&message, 2, first);
        wire_number(&message, 2, second);
    }
    if (label.len)
        wire_bytes(&message, 3, label);
    wire_bytes(out, WIRE_SAMPLE, buf_slice(&message));
    buf_release(&message);
}

void wire_location(struct buf *out, uint64_t id, uint64_t mapping, uint64_t address,
                   const uint64_t functions[3])
{
    struct buf message = {0};

    wire_number(&message, 1, id);
    wire_number(&message, 2, mapping);
    wire_number(&message, 3, address);
    for (size_t i = 0; i < 3 && functions[i]; i++)
        WIRE(&message, 4, functions[i], 10 + i);
    wire_bytes(out, WIRE_LOCATION, buf_slice(&message));
    buf_release(&message);
}

void wire_strings(struct buf *out)
{
    static const char *const strings[] = {
        "",
        "samples",
        "count",
        "cpu",
        "nanoseconds",
        "main.main",
        "main.(*T).do",
        "inl[...]",
        "/lib/libc-2.15.so",
        "thread",
        "worker",
        "tid",
        "main.go",
    };

    for (size_t i = 0; i < sizeof(strings) / sizeof(strings[0]); i++)
        wire_bytes(out, WIRE_STRING, slice_str(strings[i]));
}

void wire_tables(struct buf *out)
{
    WIRE(out, WIRE_MAPPING, 1, 0x1000, 0x9000, 0x200, 8);
    wire_location(out, 1, 1, 0x1100, (const uint64_t[3]){1});
    wire_location(out, 2, 1, 0x1200, (const uint64_t[3]){3, 2});
    wire_location(out, 3, 1, 0x1350, (const uint64_t[3]){0});
    WIRE(out, WIRE_FUNCTION, 1, 5, 0, 12);
    WIRE(out, WIRE_FUNCTION, 2, 6, 6, 12);
    WIRE(out, WIRE_FUNCTION, 3, 7);
    wire_strings(out);
}

void wire_types(struct buf *out)
{
    WIRE(out, WIRE_TYPE, 1, 2);
    WIRE(out, WIRE_TYPE, 3, 4);
}
