/* Databases of Nsight Systems: stacks, what versions lack, and what is damaged or hostile. */

#include <string.h>

#include <sqlite3.h>

#include "unit/support/claim.h"
#include "unit/support/folding.h"
#include "unit/support/test.h"

#define STRINGS                                                                                    \
    "CREATE TABLE StringIds(id INTEGER PRIMARY KEY, value TEXT);"                                  \
    "INSERT INTO StringIds VALUES(1,'gemm(int)'),(2,'cudaLaunchKernel_v7000'),(3,'main'),"         \
    "(4,'libc.so'),(5,'leaf'),(6,'do_irq');"
#define KERNELS(rows)                                                                              \
    "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start INT, end INT, deviceId INT, streamId INT, "     \
    "correlationId INT, globalPid INT, demangledName INT, shortName INT);"                         \
    "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES" rows ";"
#define CALLS(rows)                                                                                \
    "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME(start INT, end INT, globalTid INT, "                 \
    "correlationId INT, nameId INT);INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES" rows ";"
#define RANGES(rows)                                                                               \
    "CREATE TABLE NVTX_EVENTS(start INT, end INT, globalTid INT, eventType INT, text TEXT);"       \
    "INSERT INTO NVTX_EVENTS VALUES" rows ";"
/* Process 1, thread 2, and process 3, thread 4. */
#define T12 "16777218"
#define T34 "50331652"
#define P1 "16777216"
#define P3 "50331648"

static const struct {
    const char *what, *sql, *folded, *told;
} cases[] = {
    {"a kernel below the range and the call that launched it",
     STRINGS KERNELS("(100,300,0,7,9,NULL,1,1)") CALLS("(20,30," T12 ",9,2)")
         RANGES("(10,50," T12 ",59,'step')"),
     "--\nstep;cudaLaunchKernel;-;gemm(int) 0.2\n--\nstep;cudaLaunchKernel;-;gemm(int) 1\n--\n"
     "step 0.03\nstep;cudaLaunchKernel 0.01\n",
     NULL},
    {"correlations are a process's own",
     STRINGS KERNELS("(100,300,0,7,9," P1 ",1,1),(400,500,0,7,9," P3 ",1,1)")
         CALLS("(20,30," T12 ",9,2),(20,30," T34 ",9,3)"),
     "--\npid 1;cudaLaunchKernel;-;gemm(int) 0.2\npid 3;main;-;gemm(int) 0.1\n--\n"
     "pid 1;cudaLaunchKernel;-;gemm(int) 1\npid 3;main;-;gemm(int) 1\n--\n"
     "pid 1;cudaLaunchKernel 0.01\npid 3;main 0.01\n",
     NULL},
    {"a kernel without a name; a call without a name",
     STRINGS KERNELS("(100,300,0,7,9,NULL,77,NULL)") CALLS("(20,30," T12 ",9,NULL)"),
     "--\n[unknown];-;[unknown] 0.2\n--\n[unknown];-;[unknown] 1\n--\n[unknown] 0.01\n", NULL},
    {"rows without a time, that end before they begin, and of other types",
     STRINGS KERNELS("(100,300,0,7,NULL,NULL,1,1),(NULL,300,0,7,9,NULL,1,1),(5,3,0,7,9,NULL,1,1),"
                     "('a',x'00',0,7,9,NULL,1,1)"),
     "--\n[unknown launch];-;gemm(int) 0.2\n--\n[unknown launch];-;gemm(int) 1\n",
     "row 2 of CUPTI_ACTIVITY_KIND_KERNEL lacks a number, or ends before it begins"},
    {"ranges that nest and others",
     STRINGS RANGES("(10,50," T12 ",59,'a'),(20,30," T12 ",59,'b'),(1,99," T12 ",60,'c'),"
                    "(1,NULL," T12 ",34,'d'),(NULL,NULL,NULL,75,'e'),(30,40," T12 ",59,NULL)"),
     "--\na 0.02\na;[unnamed range] 0.01\na;b 0.01\n",
     "1 range of NVTX that may end in another thread is not drawn"},
    {"call chains of samples, in any order, of the kernel, and none",
     STRINGS "CREATE TABLE COMPOSITE_EVENTS(id INT, start INT, globalTid INT);"
             "INSERT INTO COMPOSITE_EVENTS VALUES(1,5," T12 "),(2,6," T12 "),(3,7," T12 ");"
             "CREATE TABLE SAMPLING_CALLCHAINS(id INT, symbol INT, module INT, kernelMode INT, "
             "stackDepth INT);"
             "INSERT INTO SAMPLING_CALLCHAINS VALUES(2,3,4,0,1),(1,3,4,0,1),(2,6,4,1,0),"
             "(1,5,4,0,0);",
     "--\n 1\nmain;do_irq 1\nmain;leaf 1\n", NULL},
    {"a view in place of a table",
     STRINGS "CREATE VIEW CUPTI_ACTIVITY_KIND_KERNEL AS SELECT 1 AS start, 2 AS end;" RANGES(
         "(10,50," T12 ",59,'a')"),
     "--\na 0.04\n", NULL},
    {"a column that would be computed is as one that is missing",
     "CREATE TABLE ThreadNames(nameId INT, globalTid INT GENERATED ALWAYS AS "
     "(length(zeroblob(nameId))) VIRTUAL);INSERT INTO ThreadNames VALUES(100000000);" RANGES(
         "(10,50," T12 ",59,'a')"),
     "--\na 0.04\n", NULL},
};

/* A database as a file has it, made from statements. */
static void make(struct buf *bytes, const char *sql)
{
    sqlite3_int64 size = 0;
    unsigned char *image;
    sqlite3 *db;
    char *why = NULL;

    cr_assert_eq(sqlite3_open(":memory:", &db), SQLITE_OK);
    cr_assert_eq(sqlite3_exec(db, sql, NULL, NULL, &why), SQLITE_OK, "%s", why);
    image = sqlite3_serialize(db, "main", &size, 0);
    cr_assert_not_null(image);
    buf_add(bytes, (const char *)image, (size_t)size);
    sqlite3_free(image);
    sqlite3_close(db);
}

Test(input_nsys, databases)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct buf bytes = {0};

        make(&bytes, cases[i].sql);
        folding_check_bytes(buf_slice(&bytes), cases[i].folded, cases[i].told);
        buf_release(&bytes);
    }
}

/* The numbers 18 and 19 of a file say that its last changes may be in another file. */
Test(input_nsys, a_log_beside_the_file_is_not_needed)
{
    struct buf bytes = {0};

    make(&bytes, STRINGS RANGES("(10,50," T12 ",59,'a')"));
    bytes.ptr[18] = bytes.ptr[19] = 2;
    folding_check_bytes(buf_slice(&bytes), "--\na 0.04\n", NULL);
    buf_release(&bytes);
}

Test(input_nsys, databases_of_others_and_cut_ones)
{
    struct buf bytes = {0};
    struct reading r;

    make(&bytes, "CREATE TABLE bookmarks(NVTX_EVENTS INT)");
    reading_text(&r, buf_slice(&bytes), NULL);
    reading_expect_message(&r, "the SQLite database has no table of Nsight Systems");
    reading_release(&r);
    buf_clear(&bytes);
    make(&bytes, STRINGS RANGES("(10,50," T12 ",59,'a')"));
    reading_text(&r, slice_take(buf_slice(&bytes), bytes.len - 4096), NULL);
    reading_expect_message(&r, "the database is damaged: database disk image is malformed");
    reading_release(&r);
    buf_release(&bytes);
}

/* A schema may make a question as long as it likes. */
Test(input_nsys, work_is_bounded)
{
    struct input_options o = input_options_default();
    struct buf bytes = {0};
    struct reading r;

    o.limits.max_work = 20000;
    make(&bytes, "CREATE TABLE StringIds(id INTEGER PRIMARY KEY, value TEXT);"
                 "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50000)"
                 "INSERT INTO StringIds SELECT i, 'a' FROM n;" RANGES("(10,50," T12 ",59,'a')"));
    reading_text(&r, buf_slice(&bytes), &o);
    reading_expect_message(&r, "--max-work");
    reading_release(&r);
    buf_release(&bytes);
}

Test(input_nsys, claims_databases)
{
    const struct format *found =
        claim_find(SLICE("SQLite format 3\0...CREATE TABLE StringIds("), false);

    cr_expect(found && strcmp(found->name, "nsys") == 0);
    cr_expect_null(claim_find(SLICE("SQLite format 3\0...CREATE TABLE cookies("), false));
    cr_expect_null(claim_find(SLICE("SQLite format 4\0...CREATE TABLE StringIds("), false));
}
