
#include "support/formats.h"
#include "unit/support/claim.h"
#include "unit/support/folding.h"
#include "unit/support/test.h"

#define TABLE(columns, metadata, rows)                                                             \
    "{\"data\": [" rows "], \"columns\": [" columns "], \"column_metadata\": [" metadata           \
    "], \"nodes\": [{\"column\": \"path\", \"label\": \"main\"},"                                  \
    "{\"column\": \"path\", \"label\": \"work\", \"parent\": 0},"                                  \
    "{\"column\": \"path\", \"label\": \"UNKNOWN\", \"parent\": 1},"                               \
    "{\"column\": \"line\", \"label\": \"a.c:3\"}]}"
#define VALUE "{\"is_value\": true}"
#define NODE "{\"is_value\": false}"

static const struct folding tables[] = {
    {"whole times are microseconds",
     TABLE("\"sum#time.duration\", \"path\"", VALUE "," NODE, "[1.0, 0], [2.000, 1], [4, 1]"),
     "main 1\nmain;work 6\n", NULL},
    {"other times are seconds",
     TABLE("\"sum#sum#time.duration\", \"path\"", VALUE "," NODE, "[1.0, 0], [2.5, 1]"),
     "main 1\nmain;work 2.5\n", NULL},
    {"a stated unit",
     TABLE("\"sum#time.duration\", \"path\"",
           "{\"is_value\": true, \"attribute.unit\": \"usec\"}," NODE, "[1.5, 0]"),
     "main 1.5\n", NULL},
    {"the first series is time",
     TABLE("\"count\", \"path\", \"time (exc)\"", VALUE "," NODE "," VALUE, "[3, 2, 5]"),
     "[time (exc)]\nmain;work;[unknown] 5\n[count]\nmain;work;[unknown] 3\n", NULL},
    {"averages and ranks are no weights, inclusive values are",
     TABLE("\"inclusive#sum#time.duration\", \"avg#time.duration\", \"mpi.rank\", \"count\", "
           "\"path\"",
           VALUE "," VALUE "," VALUE "," VALUE "," NODE, "[9, 9, 0, 2, 0], [9, 9, 1, 2, 0]"),
     "[time.duration]\nmain 18\n[count]\nmain 4\n", NULL},
    {"the column with the tree has another name",
     TABLE("\"line\", \"path\", \"count\"", NODE "," NODE "," VALUE, "[3, 1, 2]"), "main;work 2\n",
     NULL},
    {"rows that cannot be read",
     TABLE("\"count\", \"path\"", VALUE "," NODE,
           "[2, 0], [2], [2, 0, 0], 7, [\"x\", 0], [-1, 0], [1, 9], [null, 1]"),
     " 1\nmain 2\n",
     "malformed row: 7; skipped\n"
     "in: warning: a row does not have one cell for each column: '2'; skipped\n"
     "in: warning: a row does not have one cell for each column: '2, 0, 0'; skipped\n"
     "in: warning: a value of 'count' is not a number or is negative; skipped\n"
     "in: warning: a value of 'count' is not a number or is negative; skipped\n"
     "in: warning: node 9 is undefined or in a circle"},
    {"a row that the file has twice counts twice",
     TABLE("\"count\", \"path\", \"line\"", VALUE "," NODE "," NODE,
           "[2, 0, 3], [\"3\", 0, \"a.c\"], [2, 0, 3], [\"3\", 0, \"a.c\"], [\"\", 1, true]"),
     "main 10\n", "a value of 'count' is not a number or is negative; skipped"},
    {"rows come last",
     "{\"nodes\": [{\"column\": \"tree\", \"label\": \"main\"}, {\"column\": \"tree\", "
     "\"label\": \"work\", \"parent\": 0}], \"column_metadata\": [" VALUE "," NODE "," NODE
     "], \"columns\": [\"count\", \"line\", \"tree\"], \"data\": [[2, 0, 1], [3, 1, 0]]}",
     "main 3\nmain;work 2\n", NULL},
    {"parents in a circle",
     "{\"data\": [[2, 0]], \"columns\": [\"count\", \"path\"], \"column_metadata\": [" VALUE
     "," NODE "], \"nodes\": [{\"column\": \"path\", \"label\": \"f\", \"parent\": 1}, "
     "{\"column\": \"path\", \"label\": \"g\", \"parent\": 0}]}",
     NULL, "node 0 is undefined or in a circle; its weight is charged to its nearest known caller"},
};

Test(input_caliper, tables)
{
    folding_check("caliper", tables, sizeof(tables) / sizeof(tables[0]), NULL);
}

Test(input_caliper, claims)
{
    cr_expect(claim_by(&format_caliper, SLICE(TABLE("\"count\"", VALUE, "")), true));
    cr_expect_not(claim_by(&format_caliper, SLICE("{\"data\": [], \"columns\": []}"), true));
    cr_expect(claim_by(&format_cali, SLICE("__rec=ctx,ref=1\n"), true));
    cr_expect(claim_by(&format_cali, SLICE("__rec=globals,ref=1\n"), true));
    cr_expect_not(claim_by(&format_cali, SLICE("__rec=other\n"), true));
    cr_expect_not(claim_by(&format_cali, SLICE("ref=ctx,__rec=node\n"), true));
}

#define ATTRIBUTE(id, properties, type, name)                                                      \
    "__rec=node,id=1" id ",attr=10,data=" properties ",parent=" type "\n__rec=node,id=" id         \
    ",attr=8,data=" name ",parent=1" id "\n"
#define FUNCTION ATTRIBUTE("20", "268", "3", "function")
#define COUNT ATTRIBUTE("30", "21", "1", "count")
#define SUM ATTRIBUTE("31", "21", "5", "sum#time.duration")
#define OLD_SUM ATTRIBUTE("32", "21", "1", "sum#time.duration")
#define FRAME(id, name, parent) "__rec=node,id=" id ",attr=20,data=" name ",parent=" parent "\n"

static const struct folding recordings[] = {
    {"times of type double are seconds",
     FUNCTION SUM FRAME("40", "main", "3")
         FRAME("41", "work",
               "40") "__rec=ctx,ref=40,attr=31,data=2\n__rec=ctx,ref=41,attr=31,data=0.5\n"
                     "__rec=ctx,ref=41,attr=31,data=0.25\n__rec=globals,ref=40,attr=31,data=9\n",
     "main 2\nmain;work 0.75\n", NULL},
    {"times of another type are microseconds",
     FUNCTION OLD_SUM FRAME("40", "main", "3") "__rec=ctx,ref=40,attr=32,data=7\n", "main 7\n",
     NULL},
    {"a stated unit",
     "__rec=node,id=50,attr=8,data=time.unit,parent=3\n__rec=node,id=51,attr=50,data=usec,parent="
     "5\n"
     "__rec=node,id=52,attr=10,data=21,parent=51\n"
     "__rec=node,id=53,attr=8,data=sum#time.duration,parent=52\n" FUNCTION FRAME(
         "40", "main", "3") "__rec=ctx,ref=40,attr=53,data=1.5\n",
     "main 1.5\n", NULL},
    {"two series, and two nodes",
     FUNCTION COUNT SUM FRAME("40", "main", "3")
         FRAME("41", "loop", "3") "__rec=ctx,ref=40=41,attr=30=31,data=3=2\n",
     "[count]\nmain;loop 3\n[time.duration]\nmain;loop 2\n", NULL},
    {"nodes that are no frames",
     FUNCTION COUNT ATTRIBUTE("21", "12", "3", "iteration")
         FRAME("40", "main", "3") "__rec=node,id=41,attr=21,data=7,parent=40\n" FRAME(
             "42", "work", "41") "__rec=ctx,ref=42,attr=30,data=3\n",
     "main;work 3\n", NULL},
    {"names with backslashes",
     FUNCTION COUNT FRAME("40", "f<int\\,3> a\\=b\\\\", "3") "__rec=ctx,ref=40,attr=30,data=3\n",
     "f<int,3> a=b\\ 3\n", NULL},
    {"lines that cannot be read",
     FUNCTION COUNT "what\n" FRAME("x", "main", "3")
         FRAME("40", "main",
               "3") "__rec=ctx,ref=40,attr=30,data=x\n__rec=ctx,ref=40,attr=30,data=3\n__rec=new\n",
     "main 3\n", "in:5: warning: expected '__rec=KIND': 'what'"},
    {"more undefined attributes than there is room for",
     FUNCTION COUNT FRAME("40", "main",
                          "3") "__rec=ctx,ref=40,attr=500=501=502=503=504=505=506=507=508=509=510="
                               "511=512=513=514=515=30"
                               "=516=517,data=1=1=1=1=1=1=1=1=1=1=1=1=1=1=1=1=3=1=1\n",
     "main 3\n", "value 1 of a snapshot is of an attribute that is not defined: '1'"},
    {"an undefined node", FUNCTION COUNT "__rec=ctx,ref=77,attr=30,data=3\n", NULL,
     "no stacks in this cali file"},
};

Test(input_caliper, recordings)
{
    folding_check("cali", recordings, sizeof(recordings) / sizeof(recordings[0]), NULL);
}
