"""Where a compiled model's time goes: each instruction beside the machine.

The counts of operations and bytes are the compiler's, from the profile that
the runtime keeps: bytes are those of the operands, whether they come from
memory or from a cache, so a share of the bandwidth can exceed one.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import json
import os
import statistics
import subprocess
import tempfile

RUNS = 7


def profile(model, mode, probe, binaries):
    """The record of one model, in the order in which it runs."""
    rows, peak = measure(model.path, model.input_files(), mode, probe, binaries)
    return record(model.name, mode, probe, rows, [peak])


def record(name, mode, probe, rows, peaks):
    return {"model": name, "mode": mode, "threads": len(probe.cpus),
            "peak": _median(peaks), "kernels": rows}


def measure(path, inputs, mode, probe, binaries, warm_up=2):
    """The instructions of a model, and the machine's peak meanwhile."""
    import numpy as np
    import operations
    with tempfile.TemporaryDirectory() as folder:
        compiled = os.path.join(folder, "model.so")
        _tool([binaries / "glow-compile", path, "-o", compiled,
               f"--precision={mode}", *_shape_options(inputs)], probe.cpus)
        command = [binaries / "glow-run", compiled,
                   f"--threads={len(probe.cpus)}", "--benchmark",
                   f"--warm-up={warm_up}", "--runs=1", "--profile", "--json",
                   *(f"--input={n}={f}" for n, f in inputs.items())]
        profiles, peaks = [], []
        for _ in range(RUNS):
            peaks.append(probe.measure())
            text = _tool(command, probe.cpus)
            profiles.append(json.loads(text)["profile"]["instructions"])
    peak = _median(peaks)
    rows = kernels(profiles, peak)
    shapes = operations.shapes_of_nodes(
        path, {n: np.load(f) for n, f in inputs.items()})
    for row in rows:
        row["shape"] = shape_of(row["name"], shapes)
    return rows, peak


def _median(peaks):
    return {unit: statistics.median(p[unit] for p in peaks)
            for unit in ("gflops", "gbps")}


def shape_of(name, shapes):
    """Of the products of an instruction, whose name joins those of nodes."""
    return " and ".join(dict.fromkeys(
        shapes[node] for node in name.split("+") if node in shapes))


def kernels(profiles, peak):
    """Medians over the runs of each instruction, with its shares of the peak.

    `profiles`: for each run, the instructions as `glow-run --json` has them.
    """
    rows = []
    for same in zip(*profiles):
        first = same[0]
        ns = max(1, statistics.median(i["ns"] for i in same))
        row = {"op": first["op"], "name": first.get("name", ""), "ns": ns,
               "flops": first["flops"], "bytes": first["bytes"],
               "gflops": first["flops"] / ns, "gbps": first["bytes"] / ns}
        row["peak_fraction"] = row["gflops"] / peak["gflops"]
        row["bandwidth_fraction"] = row["gbps"] / peak["gbps"]
        rows.append(row)
    return rows


def by_shape(rows):
    """One row for all instructions with the same products, the longest first."""
    found = {}
    for row in rows:
        if not row.get("shape") or not row["flops"]:
            continue
        total = found.setdefault((row["op"], row["shape"]), {
            "calls": 0, "ns": 0, "flops": 0, "bytes": row["bytes"]})
        total["calls"] += 1
        total["ns"] += row["ns"]
        total["flops"] += row["flops"]
    return dict(sorted(found.items(), key=lambda item: -item[1]["ns"]))


def by_operation(rows):
    """{operation: sums}, the longest first."""
    found = {}
    for row in rows:
        total = found.setdefault(row["op"], {"calls": 0, "ns": 0, "flops": 0,
                                             "bytes": 0})
        total["calls"] += 1
        for field in ("ns", "flops", "bytes"):
            total[field] += row[field]
    return dict(sorted(found.items(), key=lambda item: -item[1]["ns"]))


def _shape_options(inputs):
    import numpy as np
    return ["--shape={}={}".format(
        name, "x".join(map(str, np.load(file, mmap_mode="r").shape)))
        for name, file in inputs.items()]


def _tool(command, cpus):
    found = subprocess.run(
        [str(c) for c in command], capture_output=True, text=True,
        preexec_fn=lambda: os.sched_setaffinity(0, cpus))
    if found.returncode:
        raise SystemExit(f"{command[0]}: {found.stderr.strip()}")
    return found.stdout
