/*
 * Writes a comparison in at most DIGEST_LINES lines: as text, Markdown, HTML, and as a mail.
 *
 * Services that are worse come first, then better ones, then the others; of each, the findings
 * with the largest changes. What does not fit is counted. HTML has no scripts and needs no files.
 * A mail has the text and the HTML as alternatives (RFC 2046), in quoted-printable (RFC 2045), and
 * a subject; its recipients are added by whoever sends it.
 */
#ifndef REPORT_DIGEST_H
#define REPORT_DIGEST_H

#include "base/buf.h"
#include "compare/comparison.h"

enum { DIGEST_LINES = 40 };

void digest_write_text(const struct comparison *c, struct buf *out);
void digest_write_markdown(const struct comparison *c, struct buf *out);
void digest_write_html(const struct comparison *c, struct buf *out);
void digest_write_mail(const struct comparison *c, struct buf *out);

#endif
