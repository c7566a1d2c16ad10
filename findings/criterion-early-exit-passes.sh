#!/bin/bash
# Criterion 2.4.1 (Debian 12): a test whose code calls exit(0) before its assertions counts as
# passed, although each test runs in a process of its own and none of its assertions was made.
# exit(3) fails. A test that is skipped is missing from the closing line: neither "Tested" nor any
# other number counts it, so the line cannot tell a suite that skipped everything from an empty one.
# Seen, for two tests that end early and one that is skipped:
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

cat > early.c <<'C'
#include <criterion/criterion.h>
#include <stdlib.h>

Test(early, exit_0) { exit(0); cr_assert(0, "not reached"); }
Test(early, exit_3) { exit(3); cr_assert(0, "not reached"); }
Test(early, skipped) { cr_skip_test("not here"); }
C
gcc -Iroot/usr/include -o early early.c -L"$libraries" -lcriterion -Wl,-rpath,"$PWD/$libraries" \
    -Wl,-rpath-link,"$libraries"
seen=$(LD_LIBRARY_PATH="$PWD/$libraries" ./early --ascii --color=never 2>&1 || true)
printf '%s\n' "$seen"
grep -qF 'Tested: 2 | Passing: 1 | Failing: 1 | Crashing: 0' <<< "$seen"
grep -qF '[FAIL] early::exit_3' <<< "$seen"
if grep -qF 'FAIL] early::exit_0' <<< "$seen"; then exit 1; fi
