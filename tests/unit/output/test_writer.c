#include "output/writer.h"

#include "unit/support/test.h"

Test(output_writer, registry)
{
    cr_expect_str_eq(writer_find(SLICE("png"))->ending, ".png");
    cr_expect_str_eq(writer_find(SLICE("svg"))->ending, ".svg");
    cr_expect_null(writer_find(SLICE("PNG")));
    cr_expect_null(writer_find(SLICE("")));
    cr_expect_str_eq(writer_for_path(SLICE("a/b.c/d.svg"))->name, "svg");
    cr_expect_str_eq(writer_for_path(SLICE("x@2x.png"))->name, "png");
    cr_expect_null(writer_for_path(SLICE("png")));
    cr_expect_null(writer_for_path(SLICE("a.svg.gz")));
}
