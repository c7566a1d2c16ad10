"""Writes a snapshot as torch.cuda.memory._dump_snapshot() does: torch_memory.py PROTOCOL > app.pickle

The structure is that of torch 2.9. Prints on stderr the bytes by stack, counted by a replay of its own.
"""
import pickle
import sys
from collections import Counter

FILES = {"main": ("/srv/app/train.py", 90), "step": ("/srv/app/train.py", 40), "forward": ("/srv/app/model.py", 12),
         "<module>": ("/srv/app/train.py", 101), "zeros_like": ("/srv/lib/torch/_refs.py", 4310),
         "at::empty_cuda(c10::ArrayRef<long>)": ("/pytorch/aten/src/ATen/native/cuda/TensorFactories.cu", 71),
         "torch::unwind::unwind()": ("??", 0)}
frames = {name: {"name": name, "filename": file, "line": line} for name, (file, line) in FILES.items()}


def stack(text):
    return [frames[name] for name in reversed(text.split(";"))]


ROOT = "<module>;main"
LEAF = "at::empty_cuda(c10::ArrayRef<long>);torch::unwind::unwind()"
STACKS = {"weights": stack(f"{ROOT};{LEAF}"), "forward": stack(f"{ROOT};step;forward;{LEAF}"),
          "state": stack(f"{ROOT};step;zeros_like;{LEAF}")}
EARLY = "early"


class Device:
    def __init__(self, number, address):
        self.number, self.address, self.trace, self.blocks, self.peak, self.now = number, address, [], {}, Counter(), {}
        self.time = 1764300000000000 + number

    def log(self, action, size, address, context, **more):
        self.time += 15
        entry = {"action": action, "addr": address, "size": size, "stream": 0, "time_us": self.time,
                 "compile_context": "N/A", "user_metadata": ""}
        if context:
            entry["frames"] = STACKS[context]
        self.trace.append({**entry, **more})

    def alloc(self, address, size, requested, context):
        self.log("alloc", size, address, context)
        allocated[context] += size
        self.use(address, size, requested, context)

    def use(self, address, size, requested, context):
        self.blocks[address] = (size, requested, context)
        if sum(b[0] for b in self.blocks.values()) > sum(self.peak.values()):
            self.peak = Counter()
            for size, _, context in self.blocks.values():
                self.peak[context] += size

    def free(self, address):
        size, _, _ = self.blocks.pop(address)
        self.log("free_requested", size, address, "state")
        self.log("free_completed", size, address, None)

    def segment(self, size):
        blocks, at = [], self.address
        for address in sorted(self.blocks):
            if address > at:
                blocks.append((at, address - at, 0, "inactive", None))
            used, requested, context = self.blocks[address]
            blocks.append((address, used, requested, "active_allocated", context))
            at = address + used
        blocks.append((at, self.address + size - at, 0, "inactive", None))
        return {"device": self.number, "address": self.address, "total_size": size,
                "allocated_size": sum(b[0] for b in self.blocks.values()),
                "active_size": sum(b[0] for b in self.blocks.values()),
                "requested_size": sum(b[1] for b in self.blocks.values()), "stream": 0, "segment_type": "large",
                "segment_pool_id": (0, 0), "is_expandable": False, "frames": STACKS["weights"],
                "blocks": [{"address": a, "size": s, "requested_size": r, "state": state,
                            "frames": STACKS[c] if c else []} for a, s, r, state, c in blocks]}


allocated = Counter()
MIB = 1 << 20
BASE = 0x7f30a0000000
devices = [Device(0, BASE), Device(1, BASE + (1 << 32))]
for number, d in enumerate(devices):
    d.use(d.address, 2 * MIB, 2 * MIB - 300, "weights")
    d.use(d.address + 2 * MIB, MIB, MIB, EARLY)
    d.log("segment_alloc", 24 * MIB, d.address, "weights")
    for i in range(3):
        d.alloc(d.address + (4 + 3 * i) * MIB, (2 + number) * MIB, 2 * MIB - 8 * i, "forward")
    d.free(d.address + 2 * MIB)
    d.alloc(d.address + 14 * MIB, 4 * MIB, 4 * MIB, "state")
    d.free(d.address + 7 * MIB)
    d.alloc(d.address + 7 * MIB, MIB, MIB - 1, "forward")
devices[1].log("oom", 64 * MIB, 0, "forward", device_free=5 * MIB)
del devices[1].trace[-1]["addr"]

for d in devices:
    live = Counter()
    for size, requested, context in d.blocks.values():
        live[context] += size
    print("GPU", d.number, "live", dict(live), "peak", dict(d.peak), file=sys.stderr)
print("allocated", dict(allocated), file=sys.stderr)
snapshot = {"segments": [d.segment(24 * MIB) for d in devices], "device_traces": [d.trace for d in devices],
            "allocator_settings": {"PYTORCH_CUDA_ALLOC_CONF": "", "max_split_size": -1,
                                   "garbage_collection_threshold": 0.0, "expandable_segments": False},
            "external_annotations": []}
sys.stdout.buffer.write(pickle.dumps(snapshot, int(sys.argv[1])))
