"""Drives the workers: one runs at a time, all others are stopped.

A stopped process takes no processor time, whatever its thread pool does while
it waits; so every system can keep the waiting it was made with.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import collections
import json
import os
import pathlib
import selectors
import signal
import statistics
import subprocess
import sys
import time
import typing

HERE = pathlib.Path(__file__).resolve().parent

# A system has this many turns, and more until its timed runs took so long.
FEWEST_TURNS, PATIENCE_SECONDS = 3, 30
# Where a system's slowest turn takes so many times as long as its fastest one,
# something slows it that the loops do not see: it has so many more.
LIE_APART, MORE_TURNS = 1.3, 2
# The machine is disturbed while it multiplies, with vectors or tile registers,
# slower than this part of the fastest that it was seen to.
QUIET_PART = 0.95
# Or if it reads memory slower than this part of the median.
READING_PART = 0.6
# All turns together wait so often, and so long each time, for it to be quiet.
WAITS, WAIT_SECONDS = 150, 0.1


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


def _had_enough(turns):
    return (len(turns) >= FEWEST_TURNS
            and sum(sum(turn.result) for turn in turns) > PATIENCE_SECONDS)


def _lie_apart(turns):
    medians = [statistics.median(turn.result) for turn in turns]
    return bool(medians) and max(medians) > LIE_APART * min(medians)


def _is_quiet(probe, peak):
    return probe.is_quiet(peak, QUIET_PART, READING_PART)


class Watched(typing.NamedTuple):
    """What was done, and what the machine could do before and after."""
    result: object
    before: dict
    after: dict

    def is_quiet(self, probe):
        return all(_is_quiet(probe, peak)
                   for peak in (self.before, self.after))


def quiet_ones(watched, probe):
    """Those that nothing disturbed, or all if there are none."""
    return [w for w in watched if w.is_quiet(probe)] or watched


class Rounds(typing.NamedTuple):
    turns: dict      # {key: [its turns, of which each has times]}
    errors: dict     # {key: {measure: largest error}}
    failed: dict     # {key: why it failed}
    disturbed: int   # turns that were made again


class Watch:
    """Repeats what other work on the machine disturbs."""

    def __init__(self, probe, again):
        """`again`: how many disturbed runs of each key may be left out."""
        self._probe, self._again, self._waits = probe, again, WAITS
        self._peak = probe.measure()
        self._disturbed = collections.Counter()

    @property
    def disturbed(self):
        """How many runs were left out."""
        return self._disturbed.total()

    def run(self, action, key=None):
        """The first run of `action` before and after which the machine was
        quiet. Where those of `key` were disturbed `again` times, the next."""
        while True:
            self._wait()
            before = self._peak
            try:
                result = action()
            finally:
                self._peak = self._probe.measure()
            watched = Watched(result, before, self._peak)
            if (watched.is_quiet(self._probe)
                    or self._disturbed[key] == self._again):
                return watched
            self._disturbed[key] += 1

    def _wait(self):
        while self._waits and not _is_quiet(self._probe, self._peak):
            time.sleep(WAIT_SECONDS)
            self._waits -= 1
            self._peak = self._probe.measure()


def interleave(workers, probe, rounds, turn_seconds, timeout, progress=None):
    """Runs `rounds` rounds in which each worker has one turn.

    Who begins changes from round to round, so that nobody always follows the
    same one. Very slow systems sit out the last rounds. Whose turns lie apart has
    more of them. A turn before or after
    which other work slows the machine is made again; of each worker as many as
    there are rounds are left out. What is disturbed after that is in the result,
    and counts if a worker has nothing else (`quiet_ones`).
    """
    done = Rounds({key: [] for key in workers}, {}, {}, 0)
    watch = Watch(probe, again=rounds)
    keys = list(workers)

    def give_turns(keys):
        for key in keys:
            if key not in done.failed and not _had_enough(done.turns[key]):
                _turn(key, workers[key], watch, done, turn_seconds, timeout)

    for number in range(rounds):
        start = number % len(keys) if keys else 0
        give_turns(keys[start:] + keys[:start])
        if progress:
            progress(number + 1)
    give_turns([key for key in keys if _lie_apart(done.turns[key])] * MORE_TURNS)
    return done._replace(disturbed=watch.disturbed)


def _turn(key, worker, watch, done, seconds, timeout):
    """Notes the times of a turn, the errors of all its runs, or why it failed."""
    def ask():
        reply = worker.ask("turn", timeout=timeout, seconds=seconds)
        so_far = done.errors.setdefault(key, {})
        for measure, error in reply["errors"].items():
            so_far[measure] = max(so_far.get(measure, 0.0), error)
        return reply["times"]

    try:
        done.turns[key].append(watch.run(ask, key))
    except Failed as error:
        done.failed[key] = str(error)
