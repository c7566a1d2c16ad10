# In the directory of git.sh; pack is where a pack of all may lie.
pack=$1
git -c grep.threads=4 grep -c 'struct [a-z]*_[st]' HEAD -- nginx-1.22.1 >/dev/null
echo HEAD | git pack-objects --revs --stdout --threads=4 -q > "$pack"
git index-pack --threads=4 "$pack" >/dev/null
