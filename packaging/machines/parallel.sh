#!/bin/sh
# Makes a report on several machines with GNU parallel and ssh. All machines have flamepress, and
# see the directories at the same paths. Usage:
#
#     sh parallel.sh PROFILES OUT PARTS [HOSTS]
#
# HOSTS are separated by commas, such as web1,web2; ":", the default, is this machine. A part that
# fails is tried again, on another machine if there is one. What all tries printed is in OUT.jobs.
set -eu
profiles=$1 out=$2 parts=$3 hosts=${4:-:}

seq "$parts" | parallel --will-cite --quote --sshlogin "$hosts" --workdir "$PWD" --retries 3 \
    --joblog "$out.joblog" --results "$out.jobs" \
    flamepress report "$profiles" --threads=1 --part={}/"$parts" --parts "$out.parts" > /dev/null 2>&1 ||
    echo "some parts failed: see $out.joblog" >&2
flamepress report --stitch "$out.parts" -o "$out"
