/*
 * Addresses to frames, for pprof's older formats: their stacks are numbers,
 * and what these stand for follows behind the last stack. It is a memory map,
 * or, of Java, a list of names:
 *
 *     0x000001d com.example.Server.run (Server.java:29)
 *
 * Stacks are therefore kept as numbers until all is read. An address that
 * neither names is called after itself (input/formats/go/pprof_frame.h).
 */
#ifndef INPUT_FORMATS_GO_PPROF_ADDRESSES_H
#define INPUT_FORMATS_GO_PPROF_ADDRESSES_H

#include "input/build/builder.h"
#include "input/formats/go/pprof_ids.h"
#include "input/formats/go/pprof_maps.h"

struct pprof_name {
    struct slice name, file;
    uint64_t line;
    enum frame_kind kind;
};

struct pprof_addresses {
    struct builder *builder;
    struct pprof_maps maps;
    struct arena texts;
    struct pprof_ids named;
    VEC(struct pprof_name) names; /* by place in `named` */
    struct pprof_ids known;
    VEC(uint32_t) entries; /* by place in `known`; PPROF_IDS_NONE as long as it was not pushed */
    struct buf name;
};

void pprof_addresses_init(struct pprof_addresses *a, struct builder *builder);
void pprof_addresses_release(struct pprof_addresses *a);

/* Gives an address a name; the first one stays. */
void pprof_addresses_name(struct pprof_addresses *a, uint64_t address, struct pprof_name name);
/* The same from a line as above; false, where it is none. */
bool pprof_addresses_java(struct pprof_addresses *a, struct slice line);

/* A number for an address, counted from 0, that takes less room. */
uint32_t pprof_addresses_place(struct pprof_addresses *a, uint64_t address);

/* Pushes the frame of an address, when all names and maps are there; the same of its number. */
void pprof_addresses_push(struct pprof_addresses *a, uint64_t address);
void pprof_addresses_push_place(struct pprof_addresses *a, uint32_t place);

/* Takes "0x1f2e" or "1f2e" off `*rest`; false, where the next word is none. */
bool pprof_addresses_next(struct slice *rest, uint64_t *address);

#endif
