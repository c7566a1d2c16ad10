#!/bin/bash
# Criterion 2.4.1 (Debian 12): an assertion that fails in the .fini of a test is printed, and the
# test counts as passed: the results are taken before .fini runs. So a check of what a test left
# behind, such as memory or files, does nothing there. One that fails in .init fails the test.
# Seen, for a test whose .fini fails and one whose .init does:
#     Tested: 2 | Passing: 1 | Failing: 1 | Crashing: 0
set -euo pipefail

version=2.4.1-2
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place"
apt-get -qq download "libcriterion-dev=$version" "libcriterion3=$version" libgit2-1.5 libnanomsg5 \
    libffi8 libhttp-parser2.9 libmbedcrypto7 libmbedtls14 libmbedx509-1 libssh2-1 > /dev/null 2>&1
for package in *.deb; do dpkg -x "$package" root; done
libraries=$(dirname "$(find root -name libcriterion.so)")

cat > fini.c <<'C'
#include <criterion/criterion.h>

static void check(void) { cr_expect(0, "checked around the test"); }

Test(around, after, .fini = check) { cr_assert(1); }
Test(around, before, .init = check) { cr_assert(1); }
C
gcc -Iroot/usr/include -o fini fini.c -L"$libraries" -lcriterion -Wl,-rpath,"$PWD/$libraries" \
    -Wl,-rpath-link,"$libraries"
seen=$(LD_LIBRARY_PATH="$PWD/$libraries" ./fini --ascii --color=never 2>&1 || true)
printf '%s\n' "$seen"
grep -qF 'Tested: 2 | Passing: 1 | Failing: 1 | Crashing: 0' <<< "$seen"
grep -qF '[FAIL] around::before' <<< "$seen"
[ "$(grep -cF 'Assertion Failed' <<< "$seen")" -eq 2 ]
if grep -qF 'FAIL] around::after' <<< "$seen"; then exit 1; fi
