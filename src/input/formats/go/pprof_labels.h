/*
 * Labels of samples: which name a thread or a process, and how many there are
 * of the others.
 */
#ifndef INPUT_FORMATS_GO_PPROF_LABELS_H
#define INPUT_FORMATS_GO_PPROF_LABELS_H

#include "base/intern.h"
#include "base/vec.h"
#include "input/build/builder.h"

/* What a label says. */
enum pprof_role { PPROF_ROLE_NONE, PPROF_PROCESS, PPROF_PID, PPROF_THREAD, PPROF_TID };

struct pprof_label_use {
    enum pprof_role role;
    uint64_t count; /* of samples */
};

struct pprof_labels {
    struct intern keys;
    VEC(struct pprof_label_use) uses; /* by key */
};

void pprof_labels_init(struct pprof_labels *l);
void pprof_labels_release(struct pprof_labels *l);

/*
 * A label of a sample: counts it, and puts its value into `origin` where it
 * says whose sample it is. The value is not copied.
 */
void pprof_labels_take(struct pprof_labels *l, struct slice key, struct slice value,
                       struct origin *origin);

/* The same in three steps: the key's number, then for each label whether its value matters. */
uint32_t pprof_labels_key(struct pprof_labels *l, struct slice key);
bool pprof_labels_count(struct pprof_labels *l, uint32_t key);
void pprof_labels_put(const struct pprof_labels *l, uint32_t key, struct slice value,
                      struct origin *origin);

/* A fact about those that are not used: "bytes (4661), trace (12)". */
void pprof_labels_tell(const struct pprof_labels *l, struct profile *profile);

#endif
