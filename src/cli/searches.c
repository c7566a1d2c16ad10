#include "cli/searches.h"

#include "tree/share.h"

bool searches_init(struct searches *s, const struct options *o, struct diag *diag)
{
    bool ok = true;

    *s = (struct searches){0};
    vec_each (const struct named_search, named, &o->searches) {
        struct slice name = slice_str(named->name), pattern = slice_str(named->pattern);
        struct search *search;
        struct buf why;

        buf_init(&why);
        search = search_new(pattern, o->ignore_case, &why);
        if (search) {
            *vec_add(&s->compiled) = search;
            *vec_add(&s->queries) = (struct report_query){name, pattern, o->ignore_case, search};
        } else {
            ok = diag_error(diag, "search '%s': %s in %s", named->name, why.ptr, named->pattern);
        }
        buf_release(&why);
    }
    return ok;
}

void searches_release(struct searches *s)
{
    vec_each (struct search *, search, &s->compiled)
        search_free(*search);
    vec_release(&s->compiled);
    vec_release(&s->queries);
}

void searches_run(const struct searches *s, const struct tree *t, struct searches_found *found)
{
    vec_each (const struct report_query, query, &s->queries) {
        struct share result;

        share_sum(query->search, t, &result);
        *vec_add(found) = (struct picture_search){
            .name = query->name,
            .pattern = query->pattern,
            .ignore_case = query->ignore_case,
            .weight = result.weight,
            .search = query->search,
        };
    }
}
