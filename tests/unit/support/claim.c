#include "unit/support/claim.h"

bool claim_by(const struct format *format, struct slice bytes, bool whole)
{
    struct head head;
    bool claims;

    head_init(&head, bytes, whole);
    claims = format->claims(&head);
    head_release(&head);
    return claims;
}

const struct format *claim_find(struct slice bytes, bool whole)
{
    const struct format *format;
    struct head head;

    head_init(&head, bytes, whole);
    format = registry_find(&head);
    head_release(&head);
    return format;
}

const char *claim_refused(struct slice bytes, bool whole)
{
    struct head head;
    const char *hint;

    head_init(&head, bytes, whole);
    hint = refused_beside(&head);
    if (!hint)
        hint = refused_hint(&head);
    head_release(&head);
    return hint;
}
