"""Writes folded stacks as recordings of formats of which there is none to grow."""
import json
import re


def phpspy(stacks):
    """The text before what is repeated, that, and the text behind it."""
    def lines(frames):
        for number, frame in enumerate(reversed(frames)):
            yield f"{number} {re.sub(r'[^A-Za-z0-9_:]', '_', frame)} /srv/app/{number}.php:{number + 7}\n"
    return "", "".join("".join(lines(frames)) + "\n" for frames in stacks), ""


def memleak(stacks):
    def lines(frames):
        yield f"\t{80 * len(frames)} bytes in {len(frames)} allocations from stack\n"
        for frame in reversed(frames):
            yield f"\t\t{frame.replace(' ', '_')}+0x1d [app]\n"
    head = f"[11:16:33] Top {len(stacks)} stacks with outstanding allocations:\n"
    return "", head + "".join("".join(lines(frames)) for frames in stacks), ""


def py_spy(stacks):
    def lines(number, frames):
        yield f'Thread {number} (active): "worker-{number}"\n'
        for frame in reversed(frames):
            yield f"    {re.sub(r'[^A-Za-z0-9_]', '_', frame)} (app/work.py:{len(frame)})\n"
    head = "Process 17: python3 app.py\nPython v3.11.2 (/usr/bin/python3.11)\n\n"
    return head, "".join("".join(lines(number, frames)) for number, frames in enumerate(stacks)), ""


def java_frame(frame):
    name = re.sub(r"\W", "_", frame)
    return f"org.example.app.{name.title()}.{name}({name.title()}.java:{len(name)})"


def java_exceptions(stacks):
    def lines(frames):
        yield "2026-01-01 12:00:00 ERROR request failed\njava.lang.IllegalStateException: no\n"
        for frame in reversed(frames):
            yield f"\tat {java_frame(frame)}\n"
    return "", "".join("".join(lines(frames)) for frames in stacks), ""


def java_json(stacks):
    threads = [{"tid": str(number), "name": f"worker-{number}", "state": "RUNNABLE",
                "stack": [java_frame(frame) for frame in reversed(frames)]}
               for number, frames in enumerate(stacks)]
    body = "".join(json.dumps(thread, indent=1) + ",\n" for thread in threads)
    return ('{"threadDump": {"processId": "7", "time": "2026-01-01T00:00:00Z",\n'
            '"runtimeVersion": "24", "threadContainers": [{"container": "<root>", "threads": [\n',
            body, json.dumps(threads[0], indent=1) + "]}]}}\n")


def v8_ticks(stacks):
    numbers = {frame: number for number, frame in
               enumerate(sorted({frame for frames in stacks for frame in frames}))}
    code = [{"name": frame, "type": "JS", "kind": "Opt"} for frame in numbers]
    ticks = [json.dumps({"tm": 1000 * number, "vm": 0, "s": [
        part for frame in reversed(frames) for part in (numbers[frame], 16 * len(frame))]},
        separators=(",", ":")) for number, frames in enumerate(stacks)]
    return ('{"code":' + json.dumps(code, separators=(",", ":")) + ',"functions":[],"ticks":[',
            "".join(tick + "," for tick in ticks), ticks[0] + "]}")


def bpftrace_json(stacks):
    keys = {"".join(f"\n\t{frame.replace(',', '_')}+{len(frame)}" for frame in reversed(frames)) +
            f"\n,{frames[0]}": number + 1 for number, frames in enumerate(stacks)}
    document = json.dumps({"type": "map", "data": {"@": keys}}) + "\n"
    return '{"type": "attached_probes", "data": {"probes": 2}}\n', document, ""


def written(data, kind):
    stacks = [line.rpartition(" ")[0].split(";") for line in data.decode().splitlines()]
    parts = globals()[kind.replace("-", "_")](stacks)
    return [part.encode() for part in parts]
