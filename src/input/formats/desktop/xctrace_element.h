/*
 * The elements of xctrace's XML that mean something, and what their ids stand
 * for: each is of one kind of element and has a number, whose meaning is the
 * reader's.
 */
#ifndef INPUT_FORMATS_DESKTOP_XCTRACE_ELEMENT_H
#define INPUT_FORMATS_DESKTOP_XCTRACE_ELEMENT_H

#include <stdint.h>

#include "base/map.h"
#include "base/slice.h"
#include "base/vec.h"

enum xctrace_tag {
    TAG_OTHER,
    TAG_SCHEMA,
    TAG_ROW,
    TAG_TIME,
    TAG_THREAD,
    TAG_TID,
    TAG_PROCESS,
    TAG_PID,
    TAG_WEIGHT,
    TAG_CYCLES,
    TAG_BACKTRACE,
    TAG_TAGGED,
    TAG_FRAME,
    TAG_BINARY,
    TAG_SOURCE,
    TAG_PATH,
};

enum xctrace_tag xctrace_element_tag(struct slice name);

/* Out of the attribute "fmt": "app (7)" is the process app. */
struct slice xctrace_element_process(struct slice fmt);
/* "main  0x8480c1 (app, pid: 7)" is the thread main; one without a name is "0x8480c1". */
struct slice xctrace_element_thread(struct slice fmt);

struct xctrace_element {
    uint64_t id;
    enum xctrace_tag tag;
    uint32_t value;
};

struct xctrace_elements {
    struct map index;
    VEC(struct xctrace_element) items;
};

void xctrace_elements_init(struct xctrace_elements *ids);
void xctrace_elements_release(struct xctrace_elements *ids);

/* The first element with an id keeps it. */
void xctrace_elements_add(struct xctrace_elements *ids, uint64_t id, enum xctrace_tag tag,
                          uint32_t value);

/* The number of an id of such an element; UINT32_MAX where there is none. */
uint32_t xctrace_elements_find(const struct xctrace_elements *ids, uint64_t id,
                               enum xctrace_tag tag);

#endif
