"""Drives the workers: one runs at a time, all others are stopped.

A stopped process takes no processor time, whatever its thread pool does while
it waits; so every system can keep the waiting it was made with.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import json
import os
import pathlib
import selectors
import signal
import subprocess
import sys
import time
import typing

HERE = pathlib.Path(__file__).resolve().parent

# A system has this many turns, and more until its timed runs took so long.
FEWEST_TURNS, PATIENCE_SECONDS = 3, 30
# The machine is disturbed while it multiplies, with vectors or tile registers,
# slower than this part of the fastest that it was seen to.
QUIET_PART = 0.95
# All rounds together wait so often, and so long each time, for it to be quiet.
WAITS, WAIT_SECONDS = 40, 0.5


class Failed(Exception):
    """The system could not do it; the message says why."""


class Absent(Failed):
    """The system is not installed."""


class WorkerProcess:
    """The parent's side of worker.py. Stopped except while it answers."""

    def __init__(self, config, environment, log, timeout):
        self.timeout = timeout
        self._log = log
        with open(log, "a") as stream:
            self._process = subprocess.Popen(
                [sys.executable, str(HERE / "worker.py"), json.dumps(config)],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stream,
                env={**os.environ, **environment}, start_new_session=True)
        try:
            self.hello = self._read()
        except BaseException:
            self.close()
            raise

    def ask(self, do, timeout=None, **arguments):
        self._signal(signal.SIGCONT)
        command = json.dumps({"do": do, **arguments}) + "\n"
        try:
            self._process.stdin.write(command.encode())
            self._process.stdin.flush()
        except BrokenPipeError:
            raise Failed(self._last_words()) from None
        return self._read(timeout)

    def _read(self, timeout=None):
        with selectors.DefaultSelector() as selector:
            selector.register(self._process.stdout, selectors.EVENT_READ)
            timeout = timeout or self.timeout
            if not selector.select(timeout):
                raise Failed(f"no answer in {timeout:.0f} s")
        line = self._process.stdout.readline()
        if not line:
            raise Failed(self._last_words())
        self._stop()
        reply = json.loads(line)
        if "failed" in reply:
            raise (Absent if reply.get("absent") else Failed)(reply["failed"])
        return reply

    def _stop(self):
        """Returns when the process really stands still, or is gone."""
        self._signal(signal.SIGSTOP)
        os.waitid(os.P_PID, self._process.pid,
                  os.WSTOPPED | os.WEXITED | os.WNOWAIT)

    def _last_words(self):
        code = self._process.wait(10)
        lines = pathlib.Path(self._log).read_text(
            errors="replace").strip().splitlines()
        return f"the process ended with {code}: {lines[-1] if lines else ''}"

    def _signal(self, number):
        try:
            os.killpg(self._process.pid, number)
        except ProcessLookupError:
            pass

    def close(self):
        self._signal(signal.SIGKILL)
        self._process.wait()
        self._process.stdin.close()
        self._process.stdout.close()


def _had_enough(rounds):
    return (len(rounds) >= FEWEST_TURNS
            and sum(map(sum, rounds)) > PATIENCE_SECONDS)


class Rounds(typing.NamedTuple):
    times: dict      # {key: [times of each round]}
    errors: dict     # {key: largest error}
    failed: dict     # {key: why it failed}
    peaks: list      # what the probe said before each round
    disturbed: int   # rounds that were made again


class Watch:
    """Repeats what other work on the machine disturbs."""

    def __init__(self, probe, again):
        """`again`: how many disturbed runs may be left out."""
        self._probe, self._again, self._waits = probe, again, WAITS
        self._peak = probe.measure()
        self.disturbed = 0

    def run(self, action):
        """The result of the first run of `action` before and after which the
        machine was quiet, and what it could do before. After `again` disturbed
        ones, of the next."""
        while True:
            self._wait()
            before, result = self._peak, action()
            self._peak = self._probe.measure()
            quiet = self._is_quiet(before) and self._is_quiet(self._peak)
            if quiet or self.disturbed == self._again:
                return result, before
            self.disturbed += 1

    def _wait(self):
        while self._waits and not self._is_quiet(self._peak):
            time.sleep(WAIT_SECONDS)
            self._waits -= 1
            self._peak = self._probe.measure()

    def _is_quiet(self, peak):
        return self._probe.is_quiet(peak, QUIET_PART)


def interleave(workers, probe, rounds, turn_seconds, timeout, progress=None):
    """Runs `rounds` rounds in which each worker has one turn.

    Who begins changes from round to round, so that nobody always follows the
    same one. Very slow systems sit out the last rounds. A round before or after
    which other work slows the machine is made again; of such rounds as many
    as were asked for are left out, after that they count.
    """
    done = Rounds({key: [] for key in workers}, {}, {}, [], 0)
    watch = Watch(probe, again=rounds)
    while len(done.peaks) < rounds:
        times, peak = watch.run(
            lambda: _round(workers, done, turn_seconds, timeout))
        done.peaks.append(peak)
        for key, runs in times.items():
            done.times[key].append(runs)
        if progress:
            progress(len(done.peaks))
    return done._replace(disturbed=watch.disturbed)


def _round(workers, done, seconds, timeout):
    """{key: times of its turn}; notes errors and failures."""
    keys = list(workers)
    start = len(done.peaks) % len(keys) if keys else 0
    times = {}
    for key in keys[start:] + keys[:start]:
        if key in done.failed or _had_enough(done.times[key]):
            continue
        try:
            reply = workers[key].ask("turn", timeout=timeout, seconds=seconds)
        except Failed as error:
            done.failed[key] = str(error)
            continue
        times[key] = reply["times"]
        done.errors[key] = max(done.errors.get(key, 0.0), reply["error"])
    return times
