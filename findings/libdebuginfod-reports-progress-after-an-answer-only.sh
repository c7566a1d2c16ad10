#!/bin/bash
# libdebuginfod 0.192 calls its progress function only once a server has begun to answer.
#
# Versions: libdebuginfod1t64 0.192-4 of Debian 13; libdebuginfod1 0.188-2.1 of Debian 12.
# Expected: debuginfod_set_progressfn(3) says that the function is called from time to time, and
# that a query ends if it returns another value than 0. So an interrupt ends a query.
# Behaviour: 0.188 calls it about once a second while it waits for a server. 0.192 counts the same
# rounds, but calls it only if a server has been chosen to download from. A program cannot end a
# query to a server that is slow to answer.
# Output seen, for a server that answers "404 Not Found" after 4 seconds:
#
#     bookworm: 0.188: called while it waited
#     trixie: 0.192: 0 calls
#
# Exits with 0 if this is so, with 1 if it has changed, with 77 if the packages cannot be had.
set -u
export LC_ALL=C

command -v mmdebstrap > /dev/null || { echo "no mmdebstrap"; exit 77; }
work=$(mktemp -d) || exit 77
trap 'rm -rf --one-file-system "$work"' EXIT

cat > "$work/count.py" <<'END'
import ctypes, os, socket, threading, time

def serve(server):
    connection = server.accept()[0]
    connection.recv(9999)
    time.sleep(4)
    connection.sendall(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
    connection.close()

server = socket.create_server(("127.0.0.1", 0))
threading.Thread(target=serve, args=(server,), daemon=True).start()
os.environ["DEBUGINFOD_URLS"] = "http://127.0.0.1:%d" % server.getsockname()[1]
os.environ["DEBUGINFOD_CACHE_PATH"] = "/cache"
library = ctypes.CDLL("libdebuginfod.so.1")
library.debuginfod_begin.restype = ctypes.c_void_p
calls = []
function = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_long, ctypes.c_long)
progress = function(lambda client, done, all: calls.append(done) or 0)
client = ctypes.c_void_p(library.debuginfod_begin())
library.debuginfod_set_progressfn(client, progress)
library.debuginfod_find_debuginfo(client, bytes(20), 20, None)
print(len(calls))
END

# calls SUITE PACKAGE: how often the function was called.
calls()
{
    mmdebstrap --quiet --variant=minbase --include="python3-minimal,libpython3-stdlib,$2" "$1" \
        "$work/$1" 2> "$work/log" || { tail -n 3 "$work/log" >&2; return 1; }
    cp "$work/count.py" "$work/$1"
    chroot "$work/$1" python3 /count.py
}
old=$(calls bookworm libdebuginfod1) && new=$(calls trixie libdebuginfod1t64) || exit 77
version() { chroot "$work/$1" dpkg-query -W -f '${Version}' 'libdebuginfod1*' | sed 's/-.*//'; }
echo "bookworm: $(version bookworm): $([ "$old" -eq 0 ] || echo called while it waited)"
echo "trixie: $(version trixie): $new calls"
[ "$old" -gt 0 ] && [ "$new" -eq 0 ]
