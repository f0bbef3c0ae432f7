"""One case: a model, a batch, a number of threads and an accuracy class,
measured on every system in the same rounds. What a system compiles ahead of
time serves all cases of a model and a batch.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import dataclasses
import itertools
import os
import pathlib
import tempfile

import operations
import timing
from peers.onnx_shapes import write_static
from turns import Absent, Failed, WorkerProcess, interleave, quiet_ones

# Glow's modes, each with the class in which it competes, the measure of its
# errors and the largest one that is right. Peers run a class in the mode of the
# same name. One of millions of elements says little of numbers of eight bits.
MODES = {"fp32": ("fp32", "error", 1e-4), "strict": ("fp32", "error", 1e-4),
         "fp32-fast": ("fp32", "error", 1e-3),
         "bf16": ("bf16", "rms_error", 1e-1)}
MEASURES = {"error": "relative error",
            "rms_error": "relative root mean square error"}
# A file may magnify rounding, so that right answers lie further apart: they
# may be so many times what ONNX Runtime's own two answers are.
ROUNDINGS = 10


@dataclasses.dataclass
class Settings:
    systems: list
    modes: list
    rounds: int
    turn_seconds: float
    timeout: float       # for one compilation, in seconds
    build_cpus: list     # where compilers run that work ahead of time
    scratch: pathlib.Path


class Prepared:
    """A model with what all of its cases share, in a folder of its own."""

    def __init__(self, model, settings):
        settings.scratch.mkdir(parents=True, exist_ok=True)
        self._folder = tempfile.TemporaryDirectory(dir=settings.scratch)
        self.folder = pathlib.Path(self._folder.name)
        self.model = model
        self.static = self.folder / "static.onnx"
        inputs = model.inputs()
        write_static(model.path, inputs, self.static)
        self.work = {
            "flops": operations.operations(model.path, inputs),
            "weight_bytes": operations.weight_bytes(model.path)}
        self.built = {}  # by system and mode: what its compiler said

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._folder.cleanup()


def environment(threads, folder):
    """Same number of threads for every library, and caches that are empty."""
    count = str(threads)
    return {
        "OMP_NUM_THREADS": count, "OPENBLAS_NUM_THREADS": count,
        "GLOW_NUM_THREADS": count, "TVM_NUM_THREADS": count,
        # No pool of compiler processes: it would run in others' turns.
        "TORCHINDUCTOR_COMPILE_THREADS": "1",
        "TORCHINDUCTOR_CACHE_DIR": str(folder / "inductor"),
        "XDG_CACHE_HOME": str(folder / "cache"), "TMPDIR": str(folder),
    }


class Entry:
    """One system in one mode: its worker and what is known of it so far."""

    def __init__(self, system, mode, ranged, prepared, probe, settings):
        kind = " range" if ranged else ""
        shown = "" if mode in ("fp32", "bf16") else f" {mode}"
        self.key = f"{system}{shown}{kind}"
        # Unlike the key, of one class as well as of another.
        self._name = f"{system} {mode}{kind}".replace(" ", "-")
        _, self.measure, self.tolerance = MODES[mode]
        if self.measure == "error":
            self.tolerance = max(self.tolerance,
                                 ROUNDINGS * prepared.model.rounding())
        self.record = {"system": system, "mode": mode, "status": "ok"}
        if ranged:
            self.record["ranges"] = prepared.model.ranges
        self._flops = prepared.work["flops"]
        self._timeout = settings.timeout
        self._build_cpus = settings.build_cpus
        self._built = prepared.built
        self._folder = prepared.folder / self._name
        self._folder.mkdir(exist_ok=True)
        model, threads = prepared.model, len(probe.cpus)
        self._config = {
            "system": system, "precision": mode, "threads": threads,
            "cpus": probe.cpus, "model": str(model.path),
            "static": str(prepared.static), "data": str(model.data),
            "ranges": model.ranges if ranged else {},
            "folder": str(self._folder)}
        self._environment = environment(threads, self._folder)
        self.worker = None

    def _start(self, **changes):
        self.close()
        self.worker = WorkerProcess({**self._config, **changes},
                                    self._environment, self._folder / "log",
                                    self._timeout)

    def _build(self):
        """Compiles ahead of time, where the system can and has not yet."""
        if self._name not in self._built:
            self._start(cpus=self._build_cpus)
            self._built[self._name] = self.worker.ask("build")
        return self._built[self._name]

    def prepare(self):
        """Compiles and loads the model; whether it can be timed."""
        record = self.record
        try:
            built = self._build()
            # A process that never saw the compiler run.
            self._start()
            record.update(self.worker.hello)
            loaded = self.worker.ask("load", artifact=built["artifact"])
        except Failed as error:
            self.fail("absent" if isinstance(error, Absent) else "failed",
                      str(error))
            return False
        record.update(
            compile_s=built.get("build_s", 0) + loaded["load_s"],
            compile_peak_mb=built.get("build_peak_mb",
                                      loaded["load_peak_mb"]),
            artifact_bytes=built.get("artifact_bytes"))
        return True

    def finish(self, turns, errors):
        """With the turns that count."""
        self.record.update(timing.summary([turn.result for turn in turns]),
                           **errors)
        self.record["peak_fraction"] = timing.fraction_of_peak(
            1e-9 * self._flops, self.record["rounds_ms"],
            [turn.before["gflops"] for turn in turns])
        try:
            self.record.update(self.worker.ask("memory"))
        except Failed as failure:
            self.fail("failed", str(failure))
        error = errors[self.measure]
        if not error <= self.tolerance:
            self.fail("wrong", f"{MEASURES[self.measure]} {error:.2g}, more than "
                               f"{self.tolerance:g}")

    def fail(self, status, reason):
        self.record.update(status=status, reason=reason[:1000])
        self.close()

    def close(self):
        if self.worker:
            self.worker.close()
            self.worker = None


def entries_of(settings, accuracy):
    """(system, mode) pairs that belong to an accuracy class."""
    for system in settings.systems:
        for mode in settings.modes:
            same_class = MODES[mode][0] == accuracy
            if same_class and (system == "glow" or mode == accuracy):
                yield system, mode


def run_case(prepared, accuracy, probe, settings, say=lambda text: None):
    """The record of one case."""
    entries = [Entry(system, mode, ranged, prepared, probe, settings)
               for system, mode in entries_of(settings, accuracy)
               for ranged in (False, True)
               if not ranged or (system == "glow" and prepared.model.ranges)]
    try:
        done = _measure(entries, probe, settings, say)
    finally:
        for entry in entries:
            entry.close()
    systems = {e.key: e.record for e in entries}
    counted = itertools.chain(*(
        quiet_ones(turns, probe) for turns in done.turns.values()))
    peaks = [turn.before for turn in counted] or [probe.measure()]
    return {
        "model": prepared.model.name, "batch": prepared.model.batch,
        "threads": len(probe.cpus), "class": accuracy, **prepared.work,
        "peak": {unit: timing.summary_of_peaks([p[unit] for p in peaks])
                 for unit in peaks[0]},
        "disturbed_turns": done.disturbed,
        "never_quiet": [key for key, turns in done.turns.items()
                        if key not in done.failed
                        and not any(turn.is_quiet(probe) for turn in turns)],
        "systems": systems, "ratios": ratios(systems)}


def _measure(entries, probe, settings, say):
    ready = {}
    for entry in entries:
        say(f"compiling for {entry.key}")
        if entry.prepare():
            ready[entry.key] = entry
    # What compilers wrote is not on its way to the disk while somebody runs.
    os.sync()
    done = interleave(
        {key: entry.worker for key, entry in ready.items()}, probe,
        settings.rounds, settings.turn_seconds, settings.timeout,
        lambda number: say(f"round {number} of {settings.rounds}"))
    for key, entry in ready.items():
        if key in done.failed:
            entry.fail("failed", done.failed[key])
        else:
            entry.finish(quiet_ones(done.turns[key], probe), done.errors[key])
    return done


def ratios(systems):
    """{Glow's entry: its ratio to the fastest peer, and which that is}."""
    right = {k: r for k, r in systems.items() if r["status"] == "ok"}
    theirs = {k: r for k, r in right.items() if r["system"] != "glow"}
    if not theirs:
        return {}
    fastest = min(theirs, key=lambda key: theirs[key]["median_ms"])
    return {key: {"peer": fastest, **timing.ratio(record, theirs[fastest])}
            for key, record in right.items() if record["system"] == "glow"}
