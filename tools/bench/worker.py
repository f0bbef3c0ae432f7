"""The process in which one system runs one model.

Started by turns.py with one JSON argument; then one JSON command a line on
standard input, one answer a line on what was standard output.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import ctypes
import json
import os
import pathlib
import resource
import signal
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
TREE = HERE.parents[1]
sys.path[:0] = [str(TREE / "test" / "Integration"), str(TREE / "python")]


def memory_mb(field):
    """VmRSS: what is resident now; VmHWM: the most since the last reset."""
    for line in pathlib.Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1]) / 1024
    raise KeyError(field)


def compile_peak_mb():
    """Of this process, or of a compiler that it started."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    return max(memory_mb("VmHWM"), children)


def reset_high_water():
    pathlib.Path("/proc/self/clear_refs").write_text("5")


# Beyond this, what a run that is not timed would warm up takes no share of one.
LONG_SECONDS = 0.3
FIRST_RUNS = 3


class Worker:
    def __init__(self, config):
        import numpy as np
        import peers
        from peers.base import Case
        self.run = None  # set by load()
        self.fastest = 0.0  # of the latest runs, in seconds; 0 before the first
        self.system = peers.load(config["system"])
        data = pathlib.Path(config["data"])
        manifest = json.loads((data / "manifest.json").read_text())
        inputs = {n: np.load(data / f) for n, f in manifest["inputs"].items()}
        self.expected = {n: np.load(data / f)
                         for n, f in manifest["outputs"].items()}
        self.case = Case(
            pathlib.Path(config["model"]), pathlib.Path(config["static"]),
            inputs, list(self.expected), config["threads"],
            config["precision"], pathlib.Path(config["folder"]),
            config["ranges"])
        self.libraries_mb = memory_mb("VmRSS")

    def hello(self):
        return {"version": self.system.version(),
                "settings": self.system.settings(),
                "libraries_mb": self.libraries_mb}

    def build(self):
        """Ahead of time, for systems that can."""
        start = time.perf_counter()
        artifact = self.system.build(self.case)
        seconds = time.perf_counter() - start
        if artifact is None:
            return {"artifact": None}
        return {"artifact": str(artifact), "build_s": seconds,
                "build_peak_mb": compile_peak_mb(),
                "artifact_bytes": pathlib.Path(artifact).stat().st_size}

    def load(self, artifact):
        start = time.perf_counter()
        self.run = self.system.load(
            self.case, artifact and pathlib.Path(artifact))
        seconds = time.perf_counter() - start
        peak = compile_peak_mb()
        reset_high_water()
        return {"load_s": seconds, "load_peak_mb": peak}

    def warm_up(self):
        """Wakes threads and fills caches, unless runs are long. The first runs
        of all also touch memory that the system has not given yet."""
        for _ in range(1 if self.fastest else FIRST_RUNS):
            if self.fastest >= LONG_SECONDS:
                return
            start = time.perf_counter()
            self.run()
            self.fastest = time.perf_counter() - start

    def turn(self, seconds):
        """Timed runs behind some that are not; the last answer is checked."""
        self.warm_up()
        times, total = [], 0.0
        while not times or total < seconds:
            start = time.perf_counter()
            raw = self.run()
            times.append(time.perf_counter() - start)
            total += times[-1]
        self.fastest = min(times)
        return {"times": times, "errors": self.errors(raw)}

    def errors(self, raw):
        """The largest relative errors of any output, see compare."""
        import numpy as np
        from compare import is_float, relative_error, rms_error
        error = rms = 0.0
        actual = self.system.results(self.case, raw)
        for name, want in self.expected.items():
            got = np.asarray(actual[name])
            same = got.shape == want.shape
            if same and is_float(want.dtype):
                error = max(error, relative_error(got, want))
                rms = max(rms, rms_error(got, want))
            elif not same or not np.array_equal(got, want):
                error = rms = float("inf")
        return {"error": error, "rms_error": rms}

    def memory(self):
        """Peak since the model was loaded."""
        return {"run_peak_mb": memory_mb("VmHWM")}


def die_with_parent():
    """A stopped process would outlive a parent that is killed."""
    PR_SET_PDEATHSIG = 1
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def answer(worker, command):
    try:
        return getattr(worker, command.pop("do"))(**command)
    except Exception as error:  # the parent decides what it means
        text = str(error).strip() or "no message"
        return {"failed": f"{type(error).__name__}: {text}"}


def main():
    config = json.loads(sys.argv[1])
    die_with_parent()
    os.sched_setaffinity(0, config["cpus"])
    # Libraries print; answers go through a descriptor of their own.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    try:
        worker = Worker(config)
        reply = worker.hello()
    except Exception as error:
        reply = {"failed": f"{type(error).__name__}: {error}",
                 "absent": isinstance(error, ImportError)}
    print(json.dumps(reply), file=answers, flush=True)
    for line in sys.stdin:
        reply = answer(worker, json.loads(line))
        print(json.dumps(reply), file=answers, flush=True)
    # Some libraries hang or crash while they are torn down.
    os._exit(0)


if __name__ == "__main__":
    main()
