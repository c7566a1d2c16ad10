/*
 * Writes a comparison in at most DIGEST_LINES lines: as text, Markdown, HTML, and as a mail.
 *
 * Services that are worse come first, then better ones, then the others; of each, the findings
 * with the largest changes. What does not fit is counted. HTML has no scripts and needs no files.
 * A mail has the text and the HTML as alternatives (RFC 2046), in quoted-printable (RFC 2045), the
 * pictures that the HTML shows (RFC 2387, RFC 2392), and a subject (RFC 2047), with which its texts
 * begin; its recipients are added by whoever sends it. `link`, the address of the report, may be
 * empty.
 */
#ifndef REPORT_DIGEST_H
#define REPORT_DIGEST_H

#include "base/buf.h"
#include "base/vec.h"
#include "compare/comparison.h"

enum { DIGEST_LINES = 40, DIGEST_PICTURES = 5 /* the most of a mail */ };

/* A picture of a finding, for a mail. */
struct digest_picture {
    struct slice about;  /* verdicts_picture() */
    struct slice base64; /* of the PNG */
};

struct digest_pictures VEC_OF(struct digest_picture);

/* Writes the headline and a line for each service: its verdict, and why. */
void digest_write_brief(const struct comparison *c, struct buf *out);

void digest_write_text(const struct comparison *c, struct slice link, struct buf *out);
void digest_write_markdown(const struct comparison *c, struct slice link, struct buf *out);
void digest_write_html(const struct comparison *c, struct slice link, struct buf *out);
/* Shows the first DIGEST_PICTURES of `pictures`. */
void digest_write_mail(const struct comparison *c, struct slice link,
                       const struct digest_pictures *pictures, struct buf *out);

#endif
