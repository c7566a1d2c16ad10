"""Writes recordings of JAX as XLA does: xplane.py gpu > gpu.xplane.pb; xplane.py tpu > tpu.xplane.pb

Prints on stderr the picoseconds of each line, those of operations without the ones within.
"""
import sys

from protobuf import message

TEXT, NUMBER, REFERENCE = 5, 3, 7


class Plane:
    def __init__(self, number, name):
        self.fields, self.names, self.stats = [(1, number), (2, name)], {}, {}

    def stat(self, key, value):
        """Words that come again are names, to which statements refer."""
        if isinstance(value, int):
            return 4, message((1, self.id(self.stats, key)), (NUMBER, value))
        if key in ("hlo_module", "tf_op"):
            return 4, message((1, self.id(self.stats, key)), (REFERENCE, self.id(self.stats, value)))
        return 4, message((1, self.id(self.stats, key)), (TEXT, value))

    @staticmethod
    def id(table, name):
        return table.setdefault(name, len(table) + 1)

    def line(self, number, name, ns, events):
        self.fields.append((3, message((1, number), (2, name), (3, ns), *[
            (4, message((1, self.id(self.names, event)), (2, begin), (3, duration),
                        *[self.stat(*item) for item in stats.items()]))
            for event, begin, duration, stats in events])))
        inner = sum(duration for i, (_, begin, duration, _) in enumerate(events)
                    if any(b <= begin and begin + duration <= b + d for _, b, d, _ in events[:i]))
        print(name, sum(duration for _, _, duration, _ in events), "of which within others", inner, file=sys.stderr)

    def message(self, shown=None):
        names = [(4, message((1, number), (2, message((1, number), (2, name), *([(4, shown[name])] if shown else [])))))
                 for name, number in self.names.items()]
        stats = [(5, message((1, number), (2, message((1, number), (2, name))))) for name, number in self.stats.items()]
        return 1, message(*self.fields, *names, *stats)


def gpu():
    module = {"hlo_module": "jit_step", "tf_op": "XlaModule:"}
    dot = {**module, "hlo_op": "gemm.3", "name": "jit(step)/jvp(Dense/bsd,de->bse)/dot_general"}
    add = {**module, "hlo_op": "loop_add_fusion", "name": "jit(step)/while/body/add"}
    device, host = Plane(1, "/device:GPU:0"), Plane(2, "/host:CPU")
    device.line(14, "Stream #14(Compute)", 1000000, [
        ("ampere_gemm_128x64", 1000000, 62500125, {"correlation_id": 11, **dot}),
        ("loop_add_fusion", 70000000, 8400000, {"correlation_id": 12}),
        ("ampere_gemm_128x64", 90000000, 61000250, {"correlation_id": 13, **dot}),
        ("ncclDevKernel_AllReduce_Sum_f32", 152000000, 21000000, {"correlation_id": 14, **module, "hlo_op": "all-reduce.1"})])
    device.line(20, "Stream #20(MemcpyH2D)", 1000000, [
        ("MemcpyH2D", 80000000, 15250000, {"correlation_id": 15}),
        ("MemcpyH2D", 175000000, 4000000, {"correlation_id": 99})])
    host.line(71, "python3", 990000, [
        ("$train.py:88 train_step", 0, 120000000, {}), ("$api.py:412 device_put", 2000000, 30000000, {}),
        ("cuMemcpyHtoDAsync", 12000000, 5000000, {"correlation_id": 15}),
        ("PjitFunction(step)", 40000000, 60000000, {}), ("$builtins len", 101000000, 700, {})])
    host.line(72, "tf_XLAPjRt/4", 990000, [
        ("ThunkExecutor::Execute", 41000000, 50000000, {}),
        *[("cuLaunchKernelEx", 42000000 + 5000000 * i, 4000000, {"correlation_id": 11 + i, **stats})
          for i, stats in enumerate((dot, add, dot, module))]])
    return [device.message(), host.message(), (4, "trainer")]


def tpu():
    names = {"%while.7": "while.7", "%fusion.3 = bf16[128]{0} fusion(%p)": "fusion.3", "%copy-start.1": "copy-start.1",
             "%convolution.2": "convolution.2", "jit_f(8812)": "", "1": ""}
    planes = []
    for chip in range(2):
        plane = Plane(chip, f"/device:TPU:{chip}")
        body = [("%fusion.3 = bf16[128]{0} fusion(%p)", 3000000 + 4000000 * i, 3000000 + chip,
                 {"tf_op": "jit(f)/jit(main)/while/body/add:"}) for i in range(4)]
        plane.line(1, "Steps", 5000, [("1", 1000000, 30000000, {})])
        plane.line(2, "XLA Modules", 5000, [("jit_f(8812)", 1000000, 30000000, {})])
        plane.line(3, "XLA Ops", 5000, [("%while.7", 2000000, 18000000, {"tf_op": "jit(f)/jit(main)/while:"}), *body,
                                        ("%convolution.2", 21000000, 9000000, {})])
        plane.line(4, "Async XLA Ops", 5000, [("%copy-start.1", 2000000, 9000000, {})])
        planes.append(plane.message(names))
    return planes


sys.stdout.buffer.write(message(*{"gpu": gpu, "tpu": tpu}[sys.argv[1]]()))
