set -e
git() { /opt/git/bin/git -c user.name=demo -c user.email=demo@example.org -c core.pager=cat -c gc.auto=0 "$@"; }
git init -q .
git add .
git commit -qm 'first'
for i in 1 2 3 4 5 6; do
    find . -name "*$i*.[ch]" -not -path './.git/*' -exec sed -i "s/static/STATIC$i/;s/return/RETURN$i/" {} +
    git commit -qam "round $i"
done
git log -p --stat >/dev/null
git grep -c 'struct [a-z]*_[st]' HEAD~3 >/dev/null || true
git blame redis-7.0.15/src/server.c >/dev/null
git repack -qadf --threads=1
git fsck >/dev/null 2>&1
git status >/dev/null
