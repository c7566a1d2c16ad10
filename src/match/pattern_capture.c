/*
 * Whether references to groups stand for the same text in both languages.
 *
 * With each round of a repeat the browser forgets what was captured inside it;
 * PCRE2 does not. So the group must have been passed in the round that the
 * reference belongs to, or there must be no rounds. Besides, the browser takes
 * no round that would take no character, and goes from right to left inside a
 * lookbehind.
 */
#include "match/pattern_parser.h"

/* The group of that number; the number of groups where it is not there yet. */
static uint32_t find_group(const struct pattern_parser *p, uint32_t capture)
{
    uint32_t at = 1;

    while (at < p->groups.count && p->groups.items[at].capture != capture)
        at++;
    return at;
}

static bool is_inside(const struct pattern_parser *p, uint32_t at, uint32_t group)
{
    while (at && at != group)
        at = p->groups.items[at].parent;
    return at == group;
}

/* Whether a repeat may have a round that takes nothing. */
static bool has_empty_round(const struct pattern_group *group)
{
    return group->empty && (group->optional || group->repeated);
}

/* Whether the way through a lookahead or lookbehind may be another one. */
static bool is_uncertain(const struct pattern_parser *p, uint32_t look)
{
    for (uint32_t i = look + 1; i < p->groups.count && is_inside(p, i, look); i++)
        if (has_empty_round(&p->groups.items[i]))
            return true;
    return false;
}

static bool agrees(const struct pattern_parser *p, const struct pattern_reference *r)
{
    uint32_t first = find_group(p, r->capture), at = first;
    bool passed = true, clear = first < r->groups, repeated = false, rounds = false;

    for (; !is_inside(p, r->parent, at); at = p->groups.items[at].parent) {
        const struct pattern_group *group = &p->groups.items[at];

        repeated |= group->repeated;
        rounds |= at != first && group->repeated;
        passed &= !group->optional && (at == first || !group->branches);
        clear &= !has_empty_round(group);
        if (group->kind != PATTERN_PLAIN)
            clear &= !is_uncertain(p, at) && !(group->kind == PATTERN_BEHIND && repeated);
    }
    for (; at; at = p->groups.items[at].parent)
        rounds |= p->groups.items[at].repeated;
    return clear && (passed || !rounds);
}

bool pattern_capture_check(struct pattern_parser *p)
{
    vec_each (struct pattern_reference, r, &p->references)
        if (!agrees(p, r))
            return pattern_fail(p, r->at, "a repeat may change what this refers to");
    return true;
}

/*
 * In itself a group has captured nothing yet, nor has one that comes later or
 * stands in another alternative: a round of a repeat begins with nothing.
 */
bool pattern_capture_is_nothing(const struct pattern_parser *p, uint32_t capture)
{
    uint32_t group = find_group(p, capture), at = p->open.items[p->open.count - 1];
    bool behind = false;

    for (uint32_t open = at; open; open = p->groups.items[open].parent)
        behind |= p->groups.items[open].kind == PATTERN_BEHIND;
    if (group == p->groups.count)
        return !behind;
    while (!is_inside(p, at, p->groups.items[group].parent))
        group = p->groups.items[group].parent;
    return is_inside(p, at, group) ||
           p->groups.items[group].branch != p->groups.items[p->groups.items[group].parent].branches;
}
