/*
 * How OpenTelemetry's profiles stand on the wire: five layouts under one name.
 *
 * The package kept its name from version 1.4 to 1.11 of the protocol, while tables moved and
 * fields changed their numbers, so the content has to tell. A file has one message, or several
 * behind lengths of four bytes, as the collector's file exporter writes them; all have the layout
 * that the whole file shows.
 *
 * Source: opentelemetry/proto/profiles/v1development/profiles.proto, tags v1.4.0 to v1.11.0.
 */
#ifndef INPUT_FORMATS_GO_OTLP_LAYOUT_H
#define INPUT_FORMATS_GO_OTLP_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/slice.h"
#include "base/vec.h"
#include "input/parse/proto.h"

enum otlp_table {
    OTLP_MAPPINGS,
    OTLP_LOCATIONS,
    OTLP_FUNCTIONS,
    OTLP_LINKS,
    OTLP_STRINGS,
    OTLP_ATTRIBUTES,
    OTLP_STACKS,
    OTLP_TABLES,
};

/* The message that has the tables. */
enum otlp_place { OTLP_IN_DICTIONARY, OTLP_IN_FILE, OTLP_IN_PROFILE };

/* Field numbers; 0 is none. */
struct otlp_layout {
    enum otlp_place place;
    uint8_t tables[OTLP_TABLES];
    struct {
        uint8_t type, samples, time, duration, period_type, period, locations, attributes;
    } profile;
    struct {
        uint8_t stack, start, length, values, attributes, timestamps;
    } sample;
    uint8_t location_attributes;
    /*
     * Since 1.8: number 0 of a table means "not set", a sample has a stack of the table, and all of
     * its values are of one type. Before, its locations are a range of the profile's list, and it
     * has a value for each type.
     */
    bool modern;
};

/* The layout that version 1.10 brought. */
extern const struct otlp_layout otlp_layout_newest;

/* Field numbers that all layouts share. */
enum {
    OTLP_RESOURCES = 1,  /* of the file */
    OTLP_DICTIONARY = 2, /* of the file */
    OTLP_RESOURCE = 1,   /* of a resource's profiles */
    OTLP_SCOPES = 2,     /* of a resource's profiles */
    OTLP_SCOPE_INFO = 1, /* of a scope's profiles */
    OTLP_PROFILES = 2,   /* of a scope's profiles */
};

struct otlp_messages VEC_OF(struct slice);

/*
 * Cuts a file into its messages. Returns false if the last one is not complete; it is left out
 * unless it is the only one.
 */
bool otlp_layout_split(struct slice bytes, struct otlp_messages *messages);

/* Whether `bytes` begin such a file, which has no more bytes if they are the `whole` of it. */
bool otlp_layout_fits(struct slice bytes, bool whole);

const struct otlp_layout *otlp_layout_of(const struct otlp_messages *messages);

#endif
