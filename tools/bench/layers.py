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

import turns

RUNS = 7
# Products of tile registers that make one of the mode.
TILE_PRODUCTS = {"bf16": 1, "fp32-fast": 3, "fp32": 6}
# Of what the machine could do, in each row.
SHARES = {"peak_fraction", "tile_fraction", "bandwidth_fraction"}


def profile(model, mode, probe, binaries):
    """The record of one model, in the order in which it runs."""
    files = model.input_files()
    rows, peak = measure(model.path, files, shapes_of_nodes(model.path, files),
                         mode, probe, binaries)
    return record(model.name, mode, probe, rows, [peak])


def record(name, mode, probe, rows, peaks):
    return {"model": name, "mode": mode, "threads": len(probe.cpus),
            "peak": _median_peak(peaks), "kernels": rows}


def _tile_peak(mode, peak):
    """GFLOP/s of the mode if tile registers did nothing else; None where they
    do not exist or have no part in it."""
    if mode in TILE_PRODUCTS and "tile_gflops" in peak:
        return peak["tile_gflops"] / TILE_PRODUCTS[mode]
    return None


def shapes_of_nodes(path, inputs):
    """{node: its products in words}. `inputs` are files."""
    import numpy as np
    import operations
    return operations.shapes_of_nodes(
        path, {n: np.load(f) for n, f in inputs.items()})


def measure(path, inputs, shapes, mode, probe, binaries, warm_up=2):
    """The instructions of a model, and the machine's peak meanwhile."""
    with tempfile.TemporaryDirectory() as folder:
        compiled = os.path.join(folder, "model.so")
        _tool([binaries / "glow-compile", path, "-o", compiled,
               f"--precision={mode}", *_shape_options(inputs)], probe.cpus)
        command = [binaries / "glow-run", compiled,
                   f"--threads={len(probe.cpus)}", "--benchmark",
                   f"--warm-up={warm_up}", "--runs=1", "--profile", "--json",
                   *(f"--input={n}={f}" for n, f in inputs.items())]
        watch = turns.Watch(probe, again=RUNS)
        runs = turns.quiet_ones([watch.run(lambda: _tool(command, probe.cpus))
                                 for _ in range(RUNS)], probe)
    peak = _median_peak([run.before for run in runs])
    rows = kernels([json.loads(run.result)["profile"]["instructions"]
                    for run in runs], peak, mode)
    for row in rows:
        row["shape"] = shape_of(row["name"], shapes)
    return rows, peak


def _median_peak(peaks):
    return {unit: statistics.median(p[unit] for p in peaks)
            for unit in peaks[0]}


def shape_of(name, shapes):
    """Of the products of an instruction, whose name joins those of nodes."""
    return " and ".join(dict.fromkeys(
        shapes[node] for node in name.split("+") if node in shapes))


def kernels(profiles, peak, mode):
    """Medians over the runs of each instruction, with its shares of the peak.

    `profiles`: for each run, the instructions as `glow-run --json` has them.
    """
    rows, tiles = [], _tile_peak(mode, peak)
    for same in zip(*profiles):
        first = same[0]
        ns = max(1, statistics.median(i["ns"] for i in same))
        row = {"op": first["op"], "name": first.get("name", ""), "ns": ns,
               "flops": first["flops"], "bytes": first["bytes"],
               "gflops": first["flops"] / ns, "gbps": first["bytes"] / ns}
        row["peak_fraction"] = row["gflops"] / peak["gflops"]
        row["bandwidth_fraction"] = row["gbps"] / peak["gbps"]
        if tiles:
            row["tile_fraction"] = row["gflops"] / tiles
        rows.append(row)
    return rows


def by_shape(rows):
    """One row for all instructions with the same products, the longest first."""
    return _totals([r for r in rows if r.get("shape") and r["flops"]],
                   lambda row: (row["op"], row["shape"]))


def by_operation(rows):
    """{operation: sums}, the longest first."""
    return _totals(rows, lambda row: row["op"])


def _totals(rows, key):
    """{key: sums}, with `calls` and the shares over all of their time."""
    found = {}
    for row in rows:
        total = found.setdefault(key(row), {"calls": 0})
        total["calls"] += 1
        for field in ("ns", "flops", "bytes"):
            total[field] = total.get(field, 0) + row[field]
        for share in SHARES:
            if share in row:
                total[share] = total.get(share, 0) + row[share] * row["ns"]
    for total in found.values():
        for share in total.keys() & SHARES:
            total[share] /= total["ns"]
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
