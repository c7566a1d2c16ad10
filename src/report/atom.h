/*
 * Feeds in the Atom format (RFC 4287). Links are relative to the directory of the feed, which is
 * feed.xml beside index.html.
 */
#ifndef REPORT_ATOM_H
#define REPORT_ATOM_H

#include "base/buf.h"
#include "base/slice.h"

/* Appends the beginning of a feed; `date` is that of its newest entry (atom_add_updated()). */
void atom_open(struct slice title, struct slice date, struct buf *out);
void atom_close(struct buf *out);

/* Appends a text without invisible characters, escaped. */
void atom_add_text(struct buf *out, struct slice text);

/* Appends an id that depends on what it names alone, so that feed readers recognise entries. */
void atom_add_id(struct buf *out, struct slice name);

/* Appends the time of an entry: its day, "2026-11-23", or 1970-01-01 if `date` has none. */
void atom_add_updated(struct buf *out, struct slice date);

#endif
