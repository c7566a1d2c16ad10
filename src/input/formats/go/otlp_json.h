/*
 * OpenTelemetry's profiles in JSON, turned into the bytes that they are in protobuf, so that one
 * reader reads both.
 *
 * Keys are those of protobuf's JSON, "stackIndex", or the fields' own, "stack_index". Numbers may
 * stand in strings. The bytes have the layout otlp_layout_newest.
 *
 * Source: opentelemetry.io/docs/specs/otlp, "JSON Protobuf Encoding"; as for otlp_layout.h.
 */
#ifndef INPUT_FORMATS_GO_OTLP_JSON_H
#define INPUT_FORMATS_GO_OTLP_JSON_H

#include "base/buf.h"
#include "input/parse/json.h"

/* Appends a document. Returns how many of its values have another type than their key's. */
uint64_t otlp_json_encode(const struct json_value *document, struct buf *out);

#endif
