
#include "input/formats/java/jfr_bare.h"

#include "unit/support/test.h"

/* Events that last are reported, and others of types that have a graph, which settings have not. */
Test(input_jfr_bare, events_are_counted_and_the_first_is_named)
{
    const struct input_options options = input_options_default();
    struct jfr_bare bare = {0};
    struct profile profile;
    struct builder builder;
    struct diag diag;
    struct buf messages = {0};

    diag_init(&diag, SLICE("in"));
    profile_init(&profile);
    builder_init(&builder, &profile, &options, &diag);
    builder_series(&builder, &(struct origin){.event = SLICE("app.Read")}, unit_samples);
    cr_expect(jfr_bare_add(&bare, SLICE("jdk.ActiveSetting"), false));
    cr_expect(jfr_bare_add(&bare, SLICE("app.Read"), false));
    cr_expect(jfr_bare_add(&bare, SLICE("app.Read"), false));
    cr_expect(jfr_bare_add(&bare, SLICE("app.Wait"), true));
    cr_expect(jfr_bare_add(&bare, SLICE("app.Read"), true));
    jfr_bare_end(&bare, &builder);
    diag_write(&diag, &messages, false);
    cr_expect_str_eq(
        buf_string(&messages),
        "in: note: 2 events have no stack and are in no graph; the first is of the type app.Read\n"
        "in: warning: 2 events have no stack and are in no graph; the first is of the type "
        "app.Wait\n");
    cr_expect_eq(profile.ledger.without_frames, 4);
    jfr_bare_release(&bare);
    builder_release(&builder);
    profile_release(&profile);
    diag_release(&diag);
    buf_release(&messages);
}
