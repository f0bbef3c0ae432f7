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

HERE = pathlib.Path(__file__).resolve().parent

# A system has this many turns, and more until its timed runs took so long.
FEWEST_TURNS, PATIENCE_SECONDS = 3, 30


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


def interleave(workers, probe, rounds, turn_seconds, timeout, progress=None):
    """Runs `rounds` rounds in which each worker has one turn.

    Returns ({key: [times of each round]}, {key: largest error},
    {key: why it failed}, [what the probe said in each round]). Who begins
    changes from round to round, so that nobody always follows the same one.
    Very slow systems sit out the last rounds.
    """
    times = {key: [] for key in workers}
    errors, failed, peaks = {}, {}, []
    keys = list(workers)
    for number in range(rounds):
        peaks.append(probe.measure())
        start = number % len(keys) if keys else 0
        for key in keys[start:] + keys[:start]:
            if key in failed or _had_enough(times[key]):
                continue
            try:
                reply = workers[key].ask("turn", timeout=timeout,
                                         seconds=turn_seconds)
            except Failed as error:
                failed[key] = str(error)
                continue
            times[key].append(reply["times"])
            errors[key] = max(errors.get(key, 0.0), reply["error"])
        if progress:
            progress(number + 1)
    return times, errors, failed, peaks
