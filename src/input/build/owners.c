#include "input/build/owners.h"

#include <stdlib.h>

#include "profile/reshape.h"

/* By level, counted from 1: whether the frames of that level are uninformative. */
struct drops {
    bool level[OWNERS_MOST + 1];
    bool any;
};

/* Fills `depth` with each node's level, OWNERS_MOST + 1 for all that is deeper. */
static struct drops find_drops(const struct stacks *s, unsigned levels, uint8_t *depth)
{
    uint32_t nodes[OWNERS_MOST + 2] = {1};
    struct drops drops = {0};

    depth[STACK_ROOT] = 0;
    for (uint32_t i = 1; i < s->count; i++) {
        uint8_t above = depth[s->parent[i]];

        depth[i] = above > OWNERS_MOST ? above : (uint8_t)(above + 1);
        nodes[depth[i]]++;
    }
    for (unsigned l = 1; l <= levels; l++) {
        drops.level[l] = nodes[l] == nodes[l - 1];
        drops.any |= drops.level[l];
    }
    return drops;
}

void owners_strip(struct profile *p, unsigned levels)
{
    const struct stacks *old = &p->stacks;
    struct stacks stripped;
    struct drops drops;
    uint32_t *moved;
    uint8_t *depth;

    BUG_ON(levels > OWNERS_MOST);
    if (p->ledger.truncated)
        return;
    depth = xreallocarray(NULL, old->count, sizeof(*depth));
    drops = find_drops(old, levels, depth);
    if (drops.any) {
        moved = xcalloc(old->count, sizeof(*moved));
        stacks_init(&stripped);
        for (uint32_t i = 1; i < old->count; i++) {
            uint32_t parent = moved[old->parent[i]];

            moved[i] = depth[i] <= OWNERS_MOST && drops.level[depth[i]]
                           ? parent
                           : stacks_push(&stripped, parent, old->symbol[i]);
        }
        profile_reshape(p, &stripped, moved);
        xfree(moved);
    }
    xfree(depth);
}
