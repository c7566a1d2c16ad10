#include "convert/otlp_out.h"

#include "base/varint.h"

enum wire { VARINT, FIXED64, BYTES };
enum { WIRE_BITS = 3, FIXED_SIZE = 8 };

void otlp_out_begin(struct otlp_out *o, struct convert_stream *stream, bool json)
{
    *o = (struct otlp_out){.stream = stream, .json = json, .measuring = !json};
    json_writer_init(&o->writer, &stream->bytes);
    if (json)
        json_writer_object(&o->writer, NULL, JSON_INLINE);
}

bool otlp_out_again(struct otlp_out *o)
{
    bool again = o->measuring;

    o->measuring = false;
    if (o->json) {
        json_writer_close(&o->writer);
        buf_add_char(&o->stream->bytes, '\n');
    }
    return again;
}

void otlp_out_release(struct otlp_out *o)
{
    release_all(o, vec, lengths, open);
}

/* ---- protobuf ---- */

static void add_varint(struct otlp_out *o, uint64_t value)
{
    if (o->measuring)
        o->measured += varint_size(value);
    else
        varint_add(&o->stream->bytes, value);
}

static void add_key(struct otlp_out *o, unsigned field, enum wire wire)
{
    add_varint(o, field << WIRE_BITS | wire);
}

static void add_fixed(struct otlp_out *o, uint64_t value)
{
    if (o->measuring) {
        o->measured += FIXED_SIZE;
        return;
    }
    for (size_t i = 0; i < FIXED_SIZE; i++, value >>= 8)
        buf_add_char(&o->stream->bytes, (char)value);
}

/* Begins bytes whose length is measured. */
static void begin_bytes(struct otlp_out *o, unsigned field)
{
    add_key(o, field, BYTES);
    if (o->measuring) {
        *vec_add(&o->open) = o->lengths.count;
        *vec_add(&o->lengths) = o->measured;
    } else {
        add_varint(o, o->lengths.items[o->next++]);
    }
}

static void end_bytes(struct otlp_out *o)
{
    uint64_t *length;

    if (!o->measuring)
        return;
    length = &o->lengths.items[o->open.items[--o->open.count]];
    *length = o->measured - *length;
    add_varint(o, *length);
}

/* ---- both ---- */

void otlp_out_open(struct otlp_out *o, unsigned field, const char *name)
{
    if (o->json)
        json_writer_object(&o->writer, name, JSON_INLINE);
    else
        begin_bytes(o, field);
}

void otlp_out_close(struct otlp_out *o)
{
    if (o->json)
        json_writer_close(&o->writer);
    else
        end_bytes(o);
    convert_stream_pass(o->stream);
}

void otlp_out_list(struct otlp_out *o, const char *name)
{
    if (o->json)
        json_writer_list(&o->writer, name, JSON_INLINE);
}

void otlp_out_end_list(struct otlp_out *o)
{
    if (o->json)
        json_writer_close(&o->writer);
}

void otlp_out_number(struct otlp_out *o, unsigned field, const char *name, uint32_t value)
{
    if (!value)
        return;
    if (o->json) {
        json_writer_u64(&o->writer, name, value);
        return;
    }
    add_key(o, field, VARINT);
    add_varint(o, value);
}

void otlp_out_wide(struct otlp_out *o, unsigned field, const char *name, uint64_t value)
{
    if (o->json) {
        json_writer_weight(&o->writer, name, value, 0);
        return;
    }
    add_key(o, field, VARINT);
    add_varint(o, value);
}

void otlp_out_fixed(struct otlp_out *o, unsigned field, const char *name, uint64_t value)
{
    if (o->json) {
        json_writer_weight(&o->writer, name, value, 0);
        return;
    }
    add_key(o, field, FIXED64);
    add_fixed(o, value);
}

void otlp_out_text(struct otlp_out *o, unsigned field, const char *name, struct slice text)
{
    if (o->json) {
        json_writer_text(&o->writer, name, text);
        return;
    }
    add_key(o, field, BYTES);
    add_varint(o, text.len);
    if (o->measuring)
        o->measured += text.len;
    else
        buf_add_slice(&o->stream->bytes, text);
    convert_stream_pass(o->stream);
}

void otlp_out_packed(struct otlp_out *o, unsigned field, const char *name)
{
    if (o->json)
        json_writer_list(&o->writer, name, JSON_INLINE);
    else
        begin_bytes(o, field);
}

void otlp_out_end_packed(struct otlp_out *o)
{
    if (o->json)
        json_writer_close(&o->writer);
    else
        end_bytes(o);
}

void otlp_out_add(struct otlp_out *o, uint32_t value)
{
    if (o->json)
        json_writer_u64(&o->writer, NULL, value);
    else
        add_varint(o, value);
}

void otlp_out_add_wide(struct otlp_out *o, int64_t value)
{
    if (o->json)
        json_writer_change(&o->writer, NULL, value, 0);
    else
        add_varint(o, (uint64_t)value);
}

void otlp_out_add_fixed(struct otlp_out *o, uint64_t value)
{
    if (o->json)
        json_writer_weight(&o->writer, NULL, value, 0);
    else
        add_fixed(o, value);
}
