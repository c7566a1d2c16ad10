#!/bin/bash
# cpuprofilify 1.0.0 (npm), which makes Chrome's .cpuprofile of the text of perf script: the root
# and its first child both have id 0, though samples name nodes by id. A reader that keeps one node
# for an id finds the root within itself, and loses the stacks of that child: all of them, if they
# begin with one function. Samples mean the child.
# Seen, for two stacks below main:
#     app 0, main 0, leafA 1, leafB 2; samples 1, 2
set -euo pipefail

for tool in npm node; do
    command -v $tool > /dev/null || { echo "needs $tool"; exit 77; }
done
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place"
npm install --silent --no-audit --no-fund cpuprofilify@1.0.0 > /dev/null || exit 77

sample()
{
    printf 'app  12 %s: cpu-clock:\n\t7f0000000001 %s (/bin/app)\n' "$1" "$2"
    printf '\t7f0000000002 main (/bin/app)\n\n'
}
{ sample 1.000000 leafA; sample 1.001000 leafB; } |
    node node_modules/.bin/cpuprofilify > app.cpuprofile 2> messages
cat > ids.js <<'JS'
const profile = JSON.parse(require("fs").readFileSync("app.cpuprofile", "utf8")), ids = [];
const walk = node => { ids.push(`${node.functionName} ${node.id}`); node.children.forEach(walk); };
walk(profile.head);
console.log(`${ids.join(", ")}; samples ${profile.samples.join(", ")}`);
JS
seen=$(node ids.js)
printf '%s\n' "$seen"
[ "$seen" = 'app 0, main 0, leafA 1, leafB 2; samples 1, 2' ]
