/*
 * Escapes text for XML. The SVG writer escapes nowhere else.
 *
 * The result may be used between tags and inside double quotes. Characters that
 * XML 1.0 forbids (section 2.2: most controls, U+FFFE, U+FFFF) and ill-formed
 * UTF-8 become U+FFFD, so a reader sees that something was there. Line ends and
 * tabs become spaces, because names have one line.
 */
#ifndef OUTPUT_XML_H
#define OUTPUT_XML_H

#include "base/buf.h"
#include "base/slice.h"

/* Appends `text`, escaped. */
void xml_write(struct buf *out, struct slice text);

/*
 * Appends `text`, escaped, for people to read. Characters that would change the
 * look of the text around them (unicode_is_forbidden()) become U+FFFD as well.
 */
void xml_write_shown(struct buf *out, struct slice text);

/*
 * Appends a name that is part of a sentence, like xml_write_shown(). A name with
 * letters that run from right to left is isolated from the sentence.
 */
void xml_write_name(struct buf *out, struct slice name);

/* Appends ` name="value"`. Escapes `value` like xml_write_shown(), `name` not at all. */
void xml_write_attribute(struct buf *out, const char *name, struct slice value);

#endif
