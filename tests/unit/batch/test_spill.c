#include "batch/spill.h"

#include <sys/resource.h>
#include <signal.h>

#include "unit/support/test.h"

static void expect_bytes(const struct spill *s, const struct spilled *bytes, struct slice want)
{
    struct buf out = {0};

    buf_add_str(&out, "before ");
    cr_expect(spill_get(s, bytes, &out));
    cr_expect(slice_equal(slice_skip(buf_slice(&out), 7), want));
    buf_release(&out);
}

/* Some are larger than a block that is read at once. */
static void put_and_get(const char *directory, bool in_memory)
{
    static char large[10000];
    const struct slice texts[] = {SLICE("one"), SLICE(""), slice_make(large, sizeof(large)),
                                  SLICE("four")};
    struct spilled put[4];
    struct spill s;

    for (size_t i = 0; i < sizeof(large); i++)
        large[i] = (char)(i * 7 + i / 256);
    spill_init(&s, directory);
    for (size_t i = 0; i < 4; i++) {
        spill_put(&s, texts[i], &put[i]);
        cr_expect_eq(put[i].kept != NULL, in_memory && texts[i].len, "%zu", i);
    }
    for (size_t i = 4; i-- > 0;) {
        expect_bytes(&s, &put[i], texts[i]);
        spill_drop(&put[i]);
        expect_bytes(&s, &put[i], SLICE(""));
    }
    spill_release(&s);
}

Test(batch_spill, gives_back_what_was_put)
{
    put_and_get("/tmp", false);
}

Test(batch_spill, keeps_in_memory_without_a_file)
{
    put_and_get("/nowhere", true);
}

Test(batch_spill, keeps_in_memory_on_a_full_disk)
{
    const struct rlimit none = {0, 0};

    signal(SIGXFSZ, SIG_IGN);
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &none), 0);
    put_and_get("/tmp", true);
}

Test(batch_spill, says_what_cannot_be_read)
{
    const struct spilled beyond = {.at = 2, .size = 5};
    struct buf out = {0};
    struct spilled put;
    struct spill s;

    spill_init(&s, "/tmp");
    spill_put(&s, SLICE("text"), &put);
    buf_add_str(&out, "before");
    cr_expect_not(spill_get(&s, &beyond, &out));
    cr_expect_str_eq(buf_string(&out), "before");
    buf_release(&out);
    spill_release(&s);
}
