#!/bin/bash
# The static libraries of elfutils 0.192 cannot be linked with what Debian 13 installs.
#
# Versions: libdw-dev and libelf-dev 0.192-4 (amd64), the packages of Debian 13.
# Expected: pkg-config names the libraries that libdw.a needs, and each is in a package.
# Behaviour: libdw.a and libelf.a call functions whose names begin with eu_, such as
# eu_search_tree_init. They are in libeu, which elfutils builds for itself and does not install: no
# library of the packages defines them, and no file for pkg-config names libeu.
# Output seen:
#
#     undefined, and defined nowhere: eu_search_tree_init eu_tsearch
#
# (the names of this list, among others). What follows: whether a static library exists says nothing
# about whether it links; only linking does.
#
# Exits with 0 if this is so, with 1 if it has changed, with 77 if the packages cannot be had.
set -u
export LC_ALL=C

work=$(mktemp -d) || exit 77
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 77
for command in curl dpkg-deb nm; do
    command -v $command > /dev/null || { echo "no $command"; exit 77; }
done
pool=http://deb.debian.org/debian/pool/main/e/elfutils
for package in libdw-dev libelf-dev; do
    curl -fsSO "$pool/${package}_0.192-4_amd64.deb" &&
        dpkg-deb -x "${package}_0.192-4_amd64.deb" root || { echo "no $package"; exit 77; }
done

mapfile -t libraries < <(find root -name '*.a')
nm "${libraries[@]}" 2> /dev/null | awk '$1 == "U" && $2 ~ /^eu_/ { print $2 }' | sort -u > needed
nm --defined-only "${libraries[@]}" 2> /dev/null | awk '{ print $3 }' | sort -u > defined
missing=$(comm -23 needed defined | paste -sd ' ')
echo "undefined, and defined nowhere: ${missing:-nothing}"
if grep -rlE -e '-leu\b' root --include='*.pc'; then
    echo "a file of pkg-config names libeu"
    exit 1
fi
for name in eu_search_tree_init eu_tsearch; do
    [[ " $missing " == *" $name "* ]] || { echo "$name is no longer missing"; exit 1; }
done
