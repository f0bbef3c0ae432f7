"""The machine: what it is, and what it can do at this moment.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import ctypes
import os
import pathlib
import platform
import shutil
import statistics
import subprocess

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
# Larger than any cache, split among the threads.
MEMORY_BYTES = 256 << 20


def processors(threads):
    """The last of those allowed: the first ones tend to serve interrupts."""
    allowed = sorted(os.sched_getaffinity(0))
    if threads > len(allowed):
        raise SystemExit(f"{threads} threads need as many processors; "
                         f"{len(allowed)} may be used")
    return allowed[-threads:]


def _read(path):
    try:
        return pathlib.Path(path).read_text().strip()
    except OSError:
        return ""


def _cpu_field(name):
    for line in _read("/proc/cpuinfo").splitlines():
        if line.split(":")[0].strip() == name:
            return line.split(":", 1)[1].strip()
    return ""


def _caches():
    caches = {}
    for folder in sorted(pathlib.Path(
            "/sys/devices/system/cpu/cpu0/cache").glob("index*")):
        if _read(folder / "type") != "Instruction":
            caches[f"L{_read(folder / 'level')}"] = _read(folder / "size")
    return caches


def cache_bytes(level):
    """Of one core's data cache of that level."""
    digits = _caches().get(f"L{level}", "").removesuffix("K")
    if not digits.isdigit():
        raise SystemExit(f"the machine does not say how large its caches of "
                         f"level {level} are, so --products cannot choose")
    return int(digits) << 10


def facts():
    interesting = ("avx2", "fma", "avx512f", "avx512_bf16", "avx512_vnni",
                   "avx512_fp16", "amx_tile", "amx_bf16", "amx_int8", "asimd",
                   "sve", "bf16", "hypervisor")
    flags = (_cpu_field("flags") or _cpu_field("Features")).split()
    pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return {
        "processor": _cpu_field("model name") or platform.machine(),
        "family_model": "/".join(filter(None, (
            _cpu_field("cpu family"), _cpu_field("model")))),
        "processors": len(os.sched_getaffinity(0)),
        "features": [f for f in interesting if f in flags],
        "caches": _caches(),
        "memory_gib": round(pages / 2**30, 1),
        "kernel": platform.release(),
        "load": round(os.getloadavg()[0], 1),
    }


class Probe:
    """The loops of probe.c, compiled for this machine."""

    # Of arithmetic, in the order of probe.c; reading memory is behind them.
    UNITS = ("gflops", "tile_gflops")

    def __init__(self, folder, threads, seconds=0.02):
        self.cpus = processors(threads)
        self.seconds = seconds
        self._function = _compiled(folder)
        self._bytes = MEMORY_BYTES // threads >> 20 << 20
        self._data = np.ones(self._bytes * threads // 4, np.float32)
        self._fastest = {}  # of each unit of arithmetic, so far
        self._readings = []  # all speeds of reading

    def measure(self):
        """{gflops, gbps, and tile_gflops where the processor has tile
        registers} that the processors can do now."""
        rates = ((unit, 1e-9 * self._rate(kind))
                 for kind, unit in enumerate((*self.UNITS, "gbps")))
        peak = {unit: rate for unit, rate in rates
                if rate or unit != "tile_gflops"}
        if not all(peak.values()):
            raise RuntimeError(f"the probe measured nothing: {peak}")
        for unit in self.UNITS:
            self._fastest[unit] = max(self._fastest.get(unit, 0),
                                      peak.get(unit, 0))
        self._readings.append(peak["gbps"])
        return peak

    def is_quiet(self, peak, part, reading_part):
        """Whether all arithmetic has that part of its fastest speed so far, and
        reading memory the other of its median, as it has no speed that it reaches
        whenever nothing disturbs. Somebody else's work on the
        other hyperthread of a core halves the speed of tile registers, and not
        that of vectors; that on other cores takes memory's."""
        reading = statistics.median(self._readings or [0])
        return peak["gbps"] >= reading_part * reading and all(
            peak.get(unit, 0) >= part * fastest
            for unit, fastest in self._fastest.items())

    def _rate(self, kind):
        rate = self._function(kind, (ctypes.c_int * len(self.cpus))(*self.cpus),
                              len(self.cpus), self.seconds,
                              self._data.ctypes.data, self._bytes)
        if rate < 0:
            raise RuntimeError("the probe could not start its threads")
        return rate


def _compiled(folder):
    compiler = next(filter(None, map(shutil.which, (
        "cc", "gcc", "clang", "clang-22"))), None)
    if not compiler:
        raise SystemExit("the probe of the machine's peak needs a C compiler")
    library = pathlib.Path(folder) / "probe.so"
    subprocess.run([compiler, "-O3", "-march=native", "-ffast-math", "-fPIC",
                    "-shared", "-pthread", HERE / "probe.c", "-o", library],
                   check=True)
    function = ctypes.CDLL(str(library)).glow_bench_probe
    function.restype = ctypes.c_double
    function.argtypes = [ctypes.c_int, ctypes.POINTER(ctypes.c_int),
                         ctypes.c_int, ctypes.c_double, ctypes.c_void_p,
                         ctypes.c_size_t]
    return function
