/*
 * Text inside XML: the only place of the SVG writer that escapes.
 *
 * What comes out may stand between tags and inside double quotes. Characters
 * that XML 1.0 forbids (section 2.2: most controls, U+FFFE, U+FFFF) and bytes
 * that are not UTF-8 become U+FFFD, so that a reader sees that something was
 * there. Line ends and tabs become spaces: names have one line.
 */
#ifndef OUTPUT_XML_H
#define OUTPUT_XML_H

#include "base/buf.h"
#include "base/slice.h"

/* Appends `text`, escaped. */
void xml_write(struct buf *out, struct slice text);

/* Appends ` name="value"`, the value escaped. `name` is ours. */
void xml_write_attribute(struct buf *out, const char *name, struct slice value);

#endif
