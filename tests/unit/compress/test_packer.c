#include "compress/packer.h"

#include <string.h>
#include <zlib.h>

#include "compress/adler.h"
#include "support/inflate.h"
#include "unit/support/test.h"

/* Checks that two decoders make `want` of `stream`. */
static void expect_stream(struct slice stream, struct slice want, const char *name)
{
    struct buf plain = {0}, other = {0};
    const char *wrong = inflate_plainly(stream, &plain);
    uLongf len = (uLongf)want.len;

    cr_assert(!wrong, "%s: %s", name, wrong);
    cr_assert(slice_equal(buf_slice(&plain), want), "%s", name);
    cr_assert_eq(uncompress((Bytef *)buf_reserve(&other, want.len + 1), &len,
                            (const Bytef *)stream.ptr, (uLong)stream.len),
                 Z_OK, "%s", name);
    cr_assert(slice_equal(slice_make(other.ptr, len), want), "%s", name);
    buf_release(&plain);
    buf_release(&other);
}

static void add(struct packer *p, struct buf *all, struct slice bytes)
{
    memcpy(packer_room(p, bytes.len), bytes.ptr, bytes.len);
    packer_add(p, bytes.len);
    buf_add_slice(all, bytes);
}

static void add_run(struct packer *p, struct buf *all, uint8_t byte, size_t count)
{
    packer_add_run(p, byte, count);
    for (; count; count--)
        buf_add_char(all, (char)byte);
}

/* Each length around that of a match, after nothing, after another byte and after the same one. */
Test(compress_packer, runs)
{
    for (size_t count = 0; count < 1100; count++) {
        struct buf out = {0}, all = {0};
        struct packer p;

        packer_open(&p, &out, 2000);
        add_run(&p, &all, 7, count);
        add_run(&p, &all, 0, count);
        add(&p, &all, SLICE("\0\0\0\0\1\1\1\1\1\1\1\1\1\1"));
        add_run(&p, &all, 1, count);
        packer_close(&p);
        expect_stream(buf_slice(&out), buf_slice(&all), "runs");
        buf_release(&out);
        buf_release(&all);
    }
}

Test(compress_packer, appends_to_a_buffer)
{
    struct buf out = {0};
    struct packer p;

    buf_add_str(&out, "before");
    packer_open(&p, &out, 1);
    packer_close(&p);
    cr_expect(slice_starts(buf_slice(&out), SLICE("before\x78\x01")));
    expect_stream(slice_skip(buf_slice(&out), 6), SLICE(""), "nothing");
    buf_release(&out);
}

static uint32_t next_random(uint64_t *state)
{
    *state ^= *state << 13, *state ^= *state >> 7, *state ^= *state << 17;
    return (uint32_t)(*state >> 20);
}

static void add_noise(struct buf *to, uint64_t *state, size_t count, unsigned values)
{
    for (; count; count--)
        buf_add_char(to, (char)(next_random(state) % values));
}

/*
 * The same noise twice, at a growing distance. Up to 32768 bytes the second noise is a few
 * matches; at larger distances it cannot be, and a decoder would report it.
 */
Test(compress_packer, distances)
{
    static const struct {
        size_t distance;
        bool near;
    } cases[] = {{200, true},   {24577, true},  {32767, true},
                 {32768, true}, {32769, false}, {300000, false}};

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct buf out = {0}, all = {0}, noise = {0};
        uint64_t state = 88172645463325252;
        size_t before;
        struct packer p;

        packer_open(&p, &out, 400000);
        add_noise(&noise, &state, 200, 256);
        add(&p, &all, buf_slice(&noise));
        add_run(&p, &all, 9, cases[i].distance - 200);
        before = all.len;
        add(&p, &all, buf_slice(&noise));
        packer_close(&p);
        cr_expect_eq(before, cases[i].distance);
        expect_stream(buf_slice(&out), buf_slice(&all), "distances");
        cr_expect(cases[i].near ? out.len < 400 : out.len > 450, "%zu bytes at distance %zu",
                  out.len, cases[i].distance);
        buf_release(&out);
        buf_release(&all);
        buf_release(&noise);
    }
}

/* The same noise twice; the window slides between them. */
Test(compress_packer, matches_after_a_slide)
{
    struct buf out = {0}, all = {0}, noise = {0};
    uint64_t state = 88172645463325252;
    struct packer p;

    packer_open(&p, &out, 40000);
    add_run(&p, &all, 1, 40000);
    add_run(&p, &all, 1, 40000);
    add_noise(&noise, &state, 200, 256);
    add(&p, &all, buf_slice(&noise));
    cr_assert_eq(p.base, 0);
    add_run(&p, &all, 2, 30000);
    cr_assert_neq(p.base, 0);
    add(&p, &all, buf_slice(&noise));
    packer_close(&p);
    expect_stream(buf_slice(&out), buf_slice(&all), "a slide");
    /* The noise is stored once; stored twice it takes 632 bytes. */
    cr_expect(out.len < 450, "%zu bytes", out.len);
    buf_release(&out);
    buf_release(&all);
    buf_release(&noise);
}

/* A match of each length is found in full. */
Test(compress_packer, lengths)
{
    for (size_t length = 8; length < 600; length++) {
        struct buf out = {0}, all = {0}, noise = {0};
        uint64_t state = length * 2654435761u + 1;
        struct packer p;

        packer_open(&p, &out, 1000);
        add_noise(&noise, &state, length, 256);
        add(&p, &all, buf_slice(&noise));
        add(&p, &all, SLICE("?"));
        add(&p, &all, buf_slice(&noise));
        cr_expect_leq(p.block.end - p.block.tokens,
                      (ptrdiff_t)(length + 1 + (length + 257) / 258 + 7), "%zu", length);
        packer_close(&p);
        expect_stream(buf_slice(&out), buf_slice(&all), "lengths");
        buf_release(&out);
        buf_release(&all);
        buf_release(&noise);
    }
}

/* Many blocks, a window that slides, and bytes that cannot be compressed. */
Test(compress_packer, random_streams)
{
    for (unsigned round = 0; round < 200; round++) {
        struct buf out = {0}, all = {0}, noise = {0};
        uint64_t state = round * 0x9e3779b97f4a7c15 + 1;
        size_t most = 1 + next_random(&state) % (round % 20 ? 5000 : 400000);
        unsigned pieces = next_random(&state) % (round % 20 ? 300 : 20);
        struct packer p;

        packer_open(&p, &out, most);
        for (unsigned i = 0; i < pieces; i++) {
            size_t count = next_random(&state) % (most + 1), from;

            buf_clear(&noise);
            from = all.len ? next_random(&state) % all.len : 0;
            switch (next_random(&state) % 4) {
            case 0:
                add_run(&p, &all, (uint8_t)(next_random(&state) % 3), count);
                continue;
            case 1:
                add_noise(&noise, &state, count, 256);
                break;
            case 2:
                add_noise(&noise, &state, count, 3);
                break;
            default:
                buf_add_slice(&noise, slice_take(slice_skip(buf_slice(&all), from), count));
            }
            add(&p, &all, buf_slice(&noise));
        }
        packer_close(&p);
        cr_expect_leq(out.len, all.len + all.len / 32 + 400);
        expect_stream(buf_slice(&out), buf_slice(&all), "random");
        buf_release(&out);
        buf_release(&all);
        buf_release(&noise);
    }
}

/* A raw stream is taken from its buffer piece by piece. */
Test(compress_packer, raw_streams)
{
    struct buf out = {0}, all = {0}, noise = {0}, stream = {0};
    uint64_t state = 88172645463325252;
    size_t kept = 0;
    uint32_t adler;
    struct packer p;

    buf_add_str(&stream, "\x78\x01");
    packer_open_raw(&p, &out, 40000);
    for (unsigned i = 0; i < 32; i++) {
        buf_clear(&noise);
        add_noise(&noise, &state, next_random(&state) % 40000, 1 + i * 8);
        add(&p, &all, buf_slice(&noise));
        kept = out.cap > kept ? out.cap : kept;
        buf_add_slice(&stream, packer_take(&p));
    }
    packer_close(&p);
    buf_add_slice(&stream, buf_slice(&out));
    adler = adler_add(ADLER_START, (const uint8_t *)all.ptr, all.len);
    for (int shift = 24; shift >= 0; shift -= 8)
        buf_add_char(&stream, (char)(adler >> shift));
    expect_stream(buf_slice(&stream), buf_slice(&all), "raw");
    cr_expect(kept < 200000 && stream.len > 300000, "%zu of %zu bytes are kept", kept, stream.len);
    buf_release(&out);
    buf_release(&all);
    buf_release(&noise);
    buf_release(&stream);
}

/* Noise, and four bytes of a short text in turns: matches of eight bytes would not be found. */
Test(compress_packer, short_matches_in_raw_streams)
{
    struct buf out = {0}, all = {0}, noise = {0}, text = {0};
    uint64_t state = 88172645463325252;
    struct packer p;

    packer_open_raw(&p, &out, 25000);
    add_noise(&noise, &state, 100, 256);
    for (unsigned i = 0; i < 5000; i++) {
        buf_add_slice(&text, slice_make(noise.ptr + next_random(&state) % 90, 4));
        add_noise(&text, &state, 1, 256);
    }
    add(&p, &all, buf_slice(&text));
    packer_close(&p);
    cr_expect(out.len < all.len * 3 / 4, "%zu bytes of %zu", out.len, all.len);
    buf_release(&out);
    buf_release(&all);
    buf_release(&noise);
    buf_release(&text);
}
