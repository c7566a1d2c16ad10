# /srv/demo/www holds index.html (which includes part.html), part.html and gpl.txt (GPL-3).
for i in 1 2; do
    timeout 2 ab -q -t 1.5 -n 100000 -c 10 http://127.0.0.1:58080/proxy/
    timeout 3 ab -q -n 1200 -k -c 10 -H 'Accept-Encoding: gzip' http://127.0.0.1:58080/gpl.txt
    timeout 2 ab -q -n 400 -c 10 https://127.0.0.1:58443/
    timeout 1 ab -q -n 20000 -k -c 10 http://127.0.0.1:58080/gpl.txt
done
