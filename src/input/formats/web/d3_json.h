/*
 * Trees of d3-flame-graph as JSON, in a file or in a page.
 */
#ifndef INPUT_FORMATS_WEB_D3_JSON_H
#define INPUT_FORMATS_WEB_D3_JSON_H

#include "input/parse/content.h"

/* Reads the content. Returns false after reporting an error. */
bool d3_json_read(struct content *c);

#endif
