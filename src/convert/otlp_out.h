/*
 * The two encodings of OpenTelemetry's messages: protobuf, and its JSON on one line.
 *
 * The length of a message in protobuf is written before its bytes, and a message may be larger
 * than memory should be. So a file is written twice: the first pass only measures, and keeps the
 * length of each message in the order in which they begin. Both passes must write the same. JSON
 * needs no first pass.
 *
 * Each function takes a field's number, for protobuf, and its name, for JSON. The name is NULL
 * between otlp_out_list() and otlp_out_end_list(), where the field is repeated.
 *
 * Source: protobuf.dev/programming-guides/encoding; opentelemetry.io/docs/specs/otlp, "JSON
 * Protobuf Encoding".
 */
#ifndef CONVERT_OTLP_OUT_H
#define CONVERT_OTLP_OUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/json_writer.h"
#include "base/vec.h"
#include "convert/stream.h"

struct otlp_out {
    struct convert_stream *stream;
    bool json;
    bool measuring;
    struct json_writer writer;
    VEC(uint64_t) lengths; /* of messages and packed lists, in the order in which they begin */
    size_t next;           /* the message that begins next */
    VEC(size_t) open;  /* while measuring: the messages that have begun, by place in `lengths` */
    uint64_t measured; /* bytes */
};

/* Begins the first pass. Release with otlp_out_release(). */
void otlp_out_begin(struct otlp_out *o, struct convert_stream *stream, bool json);
/* Ends a pass. Returns whether another one is needed, which it begins. */
bool otlp_out_again(struct otlp_out *o);
void otlp_out_release(struct otlp_out *o);

/* Begins a message, which otlp_out_close() ends. */
void otlp_out_open(struct otlp_out *o, unsigned field, const char *name);
void otlp_out_close(struct otlp_out *o);
void otlp_out_list(struct otlp_out *o, const char *name);
void otlp_out_end_list(struct otlp_out *o);

/* A number of 32 bits; 0 is left out. */
void otlp_out_number(struct otlp_out *o, unsigned field, const char *name, uint32_t value);
/* A number of 64 bits, which is a text in JSON; 0 is written. */
void otlp_out_wide(struct otlp_out *o, unsigned field, const char *name, uint64_t value);
void otlp_out_fixed(struct otlp_out *o, unsigned field, const char *name, uint64_t value);
/* A text, even an empty one. */
void otlp_out_text(struct otlp_out *o, unsigned field, const char *name, struct slice text);

/* Begins a packed list of numbers, which otlp_out_end_packed() ends. */
void otlp_out_packed(struct otlp_out *o, unsigned field, const char *name);
void otlp_out_end_packed(struct otlp_out *o);
void otlp_out_add(struct otlp_out *o, uint32_t value);
void otlp_out_add_wide(struct otlp_out *o, int64_t value);
void otlp_out_add_fixed(struct otlp_out *o, uint64_t value);

#endif
