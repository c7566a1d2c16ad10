#include "report/records.h"

#include <string.h>

#include "report/graph.h"

/* Of the kinds that are about other records. */
#define RECORD_RECORD(record) RECORD_RECORD, .of = &record
#define RECORD_LIST(record) RECORD_LIST, .of = &record
#define RECORD_OMISSIONS RECORD_LIST(omission)
#define RECORD_FILES RECORD_PICTURES, .of = &file

#define ROW(S, kind_, name_, ...)                                                                  \
    {.name = #name_, .offset = offsetof(struct S, name_), .kind = RECORD_##kind_},

#define TYPE_OF(record, rows)                                                                      \
    {                                                                                              \
        sizeof(struct report_##record), rows, sizeof(rows) / sizeof(rows[0])                       \
    }

#define TYPE(record, list)                                                                         \
    static const struct record_member record##_rows[] = {                                          \
        list(ROW, RECORD_NOTHING, report_##record)};                                               \
    static const struct record_type record = TYPE_OF(record, record##_rows)

TYPE(amount, REPORT_AMOUNT);
TYPE(fact, REPORT_FACT);
TYPE(run, REPORT_RUN);
TYPE(function, REPORT_FUNCTION);
TYPE(leading, REPORT_LEADING);
TYPE(match, REPORT_MATCH);
TYPE(omission, REPORT_OMISSION);
TYPE(area, REPORT_AREA);
TYPE(file, REPORT_FILE);
TYPE(export, REPORT_EXPORT);

static const struct record_member graph_rows[] = {
    REPORT_GRAPH(ROW, ROW, RECORD_NOTHING, report_graph)};
const struct record_type report_record_graph = TYPE_OF(graph, graph_rows);

struct record_list report_record_get_list(const void *member)
{
    struct record_list list;

    memcpy(&list, member, sizeof(list));
    return list;
}

void report_record_set_list(void *member, struct record_list list)
{
    memcpy(member, &list, sizeof(list));
}

static void release_list(const struct record_type *of, void *member)
{
    struct record_list list = report_record_get_list(member);

    for (size_t i = 0; i < list.count; i++)
        report_record_release(of, list.items + i * of->size);
    vec_release(&list);
    report_record_set_list(member, list);
}

void report_record_release(const struct record_type *type, void *record)
{
    for (const struct record_member *m = type->members; m < type->members + type->count; m++) {
        void *at = (char *)record + m->offset;

        switch (m->kind) {
        case RECORD_RECORD:
            report_record_release(m->of, at);
            break;
        case RECORD_LIST:
            release_list(m->of, at);
            break;
        case RECORD_MEMORY:
            arena_release(at);
            break;
        case RECORD_TEXT:
        case RECORD_WORD:
        case RECORD_NUMBER:
        case RECORD_UNSIGNED:
        case RECORD_FLAG:
        case RECORD_SCALE:
        case RECORD_PICTURES:
        case RECORD_PACKED:
            break;
        }
    }
}

#define COPY(S, kind, name, ...) to->name = from->name;

void report_record_copy_report(struct report_graph *to, const struct report_graph *from)
{
    REPORT_GRAPH(RECORD_NOTHING, COPY, RECORD_NOTHING, report_graph)
}
