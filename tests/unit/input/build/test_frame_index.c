#include "input/build/frame_index.h"

#include "unit/support/test.h"

static const struct frame plain = {
    .name = {"main", 4}, .module = {"app", 3}, .file = {"a.c", 3}, .line = 7, .address = 0x10};

Test(input_frame_index, what_decides_the_name_tells_frames_apart)
{
    struct input_options options = {0};
    struct frame_index x = {0};
    struct frame f = plain;

    cr_expect_eq(frame_index_add(&x, &f, &options), 0);
    cr_expect_eq(frame_index_add(&x, &f, &options), 0);
    f.line = 8;
    f.has_address = true;
    cr_expect_eq(frame_index_add(&x, &f, &options), 0, "neither line nor address are in the name");
    f.module = SLICE("lib");
    cr_expect_eq(frame_index_add(&x, &f, &options), 1);
    f.kind = FRAME_PLAIN;
    cr_expect_eq(frame_index_add(&x, &f, &options), 2);
    f.class = SYMBOL_KERNEL;
    cr_expect_eq(frame_index_add(&x, &f, &options), 3);
    f.name = SLICE("");
    cr_expect_eq(frame_index_add(&x, &f, &options), 4);
    f.address = 0x11;
    cr_expect_eq(frame_index_add(&x, &f, &options), 5, "the address names what has no name");
    /* Frames whose joined texts are equal, but not their texts. */
    f = (struct frame){.name = SLICE("ab"), .module = SLICE("c")};
    cr_expect_eq(frame_index_add(&x, &f, &options), 6);
    f = (struct frame){.name = SLICE("a"), .module = SLICE("bc")};
    cr_expect_eq(frame_index_add(&x, &f, &options), 7);
    frame_index_release(&x);
}

Test(input_frame_index, options_make_lines_and_addresses_matter)
{
    struct input_options options = {.srcline = true, .addrs = true};
    struct frame_index x = {0};
    struct frame f = plain;

    cr_expect_eq(frame_index_add(&x, &f, &options), 0);
    f.line = 8;
    cr_expect_eq(frame_index_add(&x, &f, &options), 1);
    f.file = SLICE("b.c");
    cr_expect_eq(frame_index_add(&x, &f, &options), 2);
    f.has_address = true;
    cr_expect_eq(frame_index_add(&x, &f, &options), 3);
    f.address++;
    cr_expect_eq(frame_index_add(&x, &f, &options), 4);
    cr_expect_eq(frame_index_add(&x, &plain, &options), 0);
    frame_index_release(&x);
}
