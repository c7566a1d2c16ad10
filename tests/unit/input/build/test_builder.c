#include "input/build/builder.h"

#include "input/format.h"
#include "unit/support/test.h"

/* Each series counts its own samples; the input has the sum. */
Test(input_builder, gaps_are_those_of_a_series)
{
    struct input_options options = input_options_default();
    struct profile p;
    struct builder b;
    struct diag diag;
    uint32_t one, two;

    options.limits.max_depth = 2;
    profile_init(&p);
    diag_init(&diag, SLICE("x"));
    builder_init(&b, &p, &options, &diag);
    one = builder_series(&b, &(struct origin){.event = SLICE("one")}, unit_samples);
    two = builder_series(&b, &(struct origin){.event = SLICE("two")}, unit_samples);
    for (int i = 0; i < 3; i++) { /* cut by the builder */
        builder_begin(&b);
        for (int depth = 0; depth < 3; depth++)
            builder_frame(&b, &(struct frame){.name = SLICE("f"), .kind = FRAME_PLAIN});
        cr_assert(builder_add(&b, i ? one : two, 1));
    }
    p.ledger.truncated++; /* found by a reader in the sample that it is about to add */
    builder_begin(&b);
    builder_frame(&b, &(struct frame){.name = SLICE("g"), .kind = FRAME_PLAIN});
    cr_assert(builder_add_signed(&b, two, 1));
    builder_begin(&b);
    cr_assert(builder_add(&b, two, 1)); /* nothing at all */
    builder_note_bare(&b, one, 5);
    builder_note_bare(&b, BUILDER_LEFT_OUT, 5);
    p.ledger.truncated++;
    cr_assert(builder_add(&b, BUILDER_LEFT_OUT, 1));
    cr_expect_eq(p.series.items[one].truncated, 2);
    cr_expect_eq(p.series.items[two].truncated, 2);
    cr_expect_eq(p.ledger.truncated, 5);
    cr_expect_eq(p.ledger.truncated_of_series, 4, "a sample that is left out is in no series");
    cr_expect_eq(p.series.items[one].without_frames, 5);
    cr_expect_eq(p.series.items[two].without_frames, 1);
    cr_expect_eq(p.ledger.without_frames, 6);
    cr_expect_eq(p.ledger.without_frames_of_series, 6);
    builder_release(&b);
    profile_release(&p);
    diag_release(&diag);
}
