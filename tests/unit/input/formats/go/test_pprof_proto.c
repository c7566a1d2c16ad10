
#include <stdlib.h>

#include "base/die.h"
#include "input/formats/go/pprof_proto.h"
#include "unit/support/test.h"

/* The fast paths for short values must agree with the slow path, wherever the bytes end. */

#define TEXT32 "0123456789abcdef0123456789abcdef"

/* clang-format off */
static const struct {
    const char *name;
    struct slice bytes;
} cases[] = {
    {"one byte", {"\x05", 1}},
    {"two bytes", {"\x85\x01", 2}},
    {"three bytes", {"\x85\x81\x01", 3}},
    {"two bytes for a small number", {"\x85\x00", 2}},
    {"a field of bytes", {"\x12\x02xy", 4}},
    {"one without bytes", {"\x12\x00", 2}},
    {"one whose length is of two bytes", {"\x12\x83\x00xyz", 6}},
    {"one that is long", {"\x12\x83\x01" TEXT32 TEXT32 TEXT32 TEXT32 "xyz", 134}},
    {"one whose length is of three", {"\x12\x83\x80\x00xyz", 7}},
    {"one with a large number", {"\x92\x01\x02xy", 5}},
    {"one that is longer than what is there", {"\x12\x83\x01xyz", 6}},
    {"a number", {"\x08\x07", 2}},
    {"a number of two bytes", {"\x08\x87\x01", 3}},
    {"field 0", {"\x02\x01xy", 4}},
    {"the number of field 0", {"\x00\x01", 2}},
    {"fixed numbers", {"\x0d" "abcd\x09" "abcdefgh", 14}},
};
/* clang-format on */

static void compare_varints(const char *name, struct slice bytes)
{
    struct slice fast = bytes, slow = bytes;
    uint64_t a = 0, b = 0;

    cr_expect_eq(proto_varint(&fast, &a), proto_long_varint(&slow, &b), "%s", name);
    cr_expect_eq(a, b, "%s, first %zu bytes", name, bytes.len);
    cr_expect(fast.ptr == slow.ptr && fast.len == slow.len, "%s", name);
}

static void compare_fields(const char *name, struct slice bytes)
{
    struct slice fast = bytes, slow = bytes, number = bytes;
    struct proto_field a = {0}, b = {0}, c = {0};

    cr_expect_eq(proto_next(&fast, &a), proto_any(&slow, &b), "%s", name);
    cr_expect(fast.ptr == slow.ptr && fast.len == slow.len, "%s", name);
    if (fast.len < bytes.len)
        cr_expect(a.number == b.number && a.wire == b.wire && slice_equal(a.bytes, b.bytes) &&
                      (a.wire != PROTO_VARINT || a.value == b.value),
                  "%s, first %zu bytes", name, bytes.len);
    if (proto_number(&number, &c))
        cr_expect(number.ptr == slow.ptr && c.number == b.number && c.wire == b.wire &&
                      c.value == b.value,
                  "%s, first %zu bytes", name, bytes.len);
    else
        cr_expect(number.ptr == bytes.ptr && number.len == bytes.len, "%s", name);
}

Test(input_pprof_proto, short_and_long_are_read_alike)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        for (size_t len = 0; len <= cases[i].bytes.len; len++) {
            char *own = xmalloc(len ? len : 1); /* so that ASan detects reads past its end */

            memcpy(own, cases[i].bytes.ptr, len);
            compare_varints(cases[i].name, slice_make(own, len));
            compare_fields(cases[i].name, slice_make(own, len));
            free(own);
        }
}
