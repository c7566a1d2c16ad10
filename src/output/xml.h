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

/*
 * The same for people to read: what utf8_is_unsafe() tells, which would change
 * how the text around it looks, becomes U+FFFD as well.
 */
void xml_write_shown(struct buf *out, struct slice text);

/*
 * The same for a name in a sentence: where it has letters that run from right
 * to left, the direction of what is around it stays as it is.
 */
void xml_write_name(struct buf *out, struct slice name);

/* Appends ` name="value"`, the value as xml_write_shown() has it. `name` is ours. */
void xml_write_attribute(struct buf *out, const char *name, struct slice value);

#endif
