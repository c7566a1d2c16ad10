
#include "support/formats.h"
#include "unit/support/claim.h"
#include "unit/support/folding.h"
#include "unit/support/test.h"

#define XML "<?xml version=\"1.0\"?><HPCToolkitExperiment version=\"2.0\"><MetricTable>"
#define METRIC(id, name, type) "<Metric i=\"" id "\" n=\"" name "\" t=\"" type "\"/>"
#define TABLES                                                                                     \
    "</MetricTable><LoadModule i=\"1\" n=\"/srv/app\"/><File i=\"1\" n=\"a.c\"/>"                  \
    "<Procedure i=\"1\" n=\"main\"/><Procedure i=\"2\" n=\"f\"/>"                                  \
    "<Procedure i=\"3\" n=\"&lt;unknown procedure&gt; 0x5 [app]\"/>"
#define FRAME(id) "<PF n=\"" id "\" lm=\"1\" f=\"1\" l=\"3\">"
#define COST(id, value) "<S><M n=\"" id "\" v=\"" value "\"/></S>"
#define END "</HPCToolkitExperiment>"

static const struct folding cases[] = {
    {"statements of frames, in loops and calls",
     XML METRIC("3", "CPUTIME (usec):Sum (E)", "exclusive") TABLES FRAME("1")
         COST("3", "5") "<L><C>" FRAME("2")
             COST("3", "7") "</PF></C>" COST("3", "1e+01") "</L></PF>" END,
     "main 15\nmain;f 7\n", NULL},
    {"inlined functions are frames",
     XML METRIC("3", "CYC:Sum (E)", "exclusive")
         TABLES FRAME("1") "<Pr n=\"2\" f=\"1\" l=\"4\">" COST("3", "5") "</Pr></PF>" END,
     "main;f_[i] 5\n", NULL},
    {"seconds are nanoseconds",
     XML METRIC("3", "WALLCLOCK (sec) (E)", "exclusive") TABLES FRAME("1")
         COST("3", "0.25") "</PF>" END,
     "main 250000000\n", NULL},
    {"inclusive metrics, averages and values of frames are no weights",
     XML METRIC("2", "T (usec):Sum (I)", "inclusive") METRIC("3", "T (usec):Sum (E)", "exclusive")
         METRIC("5", "T (usec):Mean (E)", "exclusive") TABLES "<M n=\"3\" v=\"9\"/>" FRAME(
             "1") "<M n=\"3\" v=\"9\"/>" COST("2", "8") COST("5", "7") COST("3", "6") "</PF>" END,
     "main 6\n", NULL},
    {"procedures without a name, and ids that no table has",
     XML METRIC("3", "CYC:Sum (E)", "exclusive") TABLES FRAME("3")
         COST("3", "5") "</PF>"
                        "<PF n=\"77\">" COST("3", "2") COST("99", "2") "</PF>" END,
     "[app] 5\n[unknown] 2\n",
     "procedure 77 is not in its table; shown as unknown\n"
     "in: warning: metric 99 is not in the table of metrics; its value 2 is skipped"},
    {"values that cannot be read",
     XML METRIC("3", "CYC:Sum (E)", "exclusive") TABLES FRAME("1") COST("3", "x") COST("3", "-1")
         COST("3", "nan") COST("3", "1e300") COST("3", "4") "</PF>" END,
     "main 4\n", "the value 'x' of metric 3 is no number, negative or too large; skipped"},
    {"a cut file", XML METRIC("3", "CYC:Sum (E)", "exclusive") TABLES FRAME("1") COST("3", "4"),
     "main 4\n", "the XML ends in the middle"},
    {"values that are elsewhere", XML TABLES FRAME("1") "<S/></PF>" END, NULL,
     "run hpcprof with -M sum"},
};

Test(input_hpctoolkit, texts)
{
    folding_check("hpctoolkit", cases, sizeof(cases) / sizeof(cases[0]), NULL);
}

Test(input_hpctoolkit, claims)
{
    cr_expect(claim_by(&format_hpctoolkit, SLICE(XML), true));
    cr_expect(claim_by(&format_hpctoolkit,
                       SLICE("<?xml version=\"1.0\"?>\n<!DOCTYPE HPCToolkitExperiment [\n"), true));
    cr_expect_not(claim_by(&format_hpctoolkit, SLICE("<?xml version=\"1.0\"?><HPCToolkit>"), true));
    cr_expect(claim_refused(SLICE("HPCPROF-metricdb__00.10b"), true) != NULL);
}
