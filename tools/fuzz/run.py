#!/usr/bin/env python3
"""Compares Glow with ONNX Runtime on random graphs.

    tools/fuzz/run.py --count 1000            # seeds 0 to 999
    tools/fuzz/run.py --minutes 30 --seed 5000 --out findings
    tools/fuzz/run.py --only Slice,Concat     # graphs of these operators
    tools/fuzz/run.py --replay findings/wrong-17

Graphs follow from their seeds alone. Each finding is made smaller and written
to a folder of its own, unless one there looks the same. Exit code 1 if there
is one.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import argparse
import collections
import itertools
import json
import pathlib
import select
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

FINDINGS = ("wrong", "rejected", "crash", "timeout")


class Worker:
    """A process of a script that tries one seed at a time."""

    def __init__(self, script, *arguments):
        self.command = [sys.executable, str(HERE / script), *arguments]
        self.start()

    def start(self):
        self.errors = open(f"/tmp/glow-fuzz-{id(self)}.txt", "w+")
        self.process = subprocess.Popen(
            self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=self.errors, text=True)
        self.seed, self.done = None, 0

    def give(self, seed):
        self.seed, self.since = seed, time.monotonic()
        self.process.stdin.write(f"{seed}\n")
        self.process.stdin.flush()

    def take(self):
        """The answer; a crash if the process has died. Memory of processes that
        have done much is given back."""
        line = self.process.stdout.readline()
        answer = json.loads(line) if line else {
            "seed": self.seed, "kind": "crash", "ops": [], "text": self.last_words()}
        self.seed, self.done = None, self.done + 1
        if not line or self.done >= 2000:
            self.restart()
        return answer

    def last_words(self):
        code = self.process.wait()
        self.errors.seek(0)
        return f"exit code {code}\n{self.errors.read()[-1500:]}"

    def give_up(self):
        answer = {"seed": self.seed, "kind": "timeout", "ops": [], "text": "no answer"}
        self.restart()
        return answer

    def restart(self):
        self.stop()
        self.start()

    def stop(self):
        self.process.kill()
        self.process.wait()
        self.errors.close()
        pathlib.Path(self.errors.name).unlink(missing_ok=True)


def add_options(parser, thing):
    """What searches have in common."""
    parser.add_argument("--seed", type=int, default=0, help="the first one")
    parser.add_argument("--count", type=int, default=1000, help=f"{thing}s to try")
    parser.add_argument("--minutes", type=float, help=f"try {thing}s for so long")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--timeout", type=float, default=60,
                        help=f"seconds that one {thing} may take")


def chosen_seeds(options):
    """--count of them, or as many as --minutes allow."""
    if not options.minutes:
        return range(options.seed, options.seed + options.count)
    end = time.monotonic() + 60 * options.minutes
    return itertools.takewhile(lambda _: time.monotonic() < end,
                               itertools.count(options.seed))


def answers(seeds, workers, timeout):
    """Tries all seeds, in no fixed order."""
    seeds = iter(seeds)
    while True:
        for worker in workers:
            if worker.seed is None:
                seed = next(seeds, None)
                if seed is not None:
                    worker.give(seed)
        busy = [w for w in workers if w.seed is not None]
        if not busy:
            return
        ready, _, _ = select.select([w.process.stdout for w in busy], [], [], 1)
        for worker in busy:
            if worker.process.stdout in ready:
                yield worker.take()
            elif time.monotonic() - worker.since > timeout:
                yield worker.give_up()


def keep(answer, out, only, mode):
    """Reduces a finding and writes it. Returns what it is about."""
    from case import Case
    from check import OPEN
    from graphs import build
    from reduce import outcome, reduced, signature, write
    from worker import MODES
    builder = build(answer["seed"], only)
    mode = mode or MODES[answer["seed"] % len(MODES)]
    whole = Case(builder.nodes, builder.values, builder.opset, mode in OPEN)
    case = reduced(whole, mode, answer["kind"]) or whole
    kind, text = outcome(case, mode)
    about = {"seed": answer["seed"], "mode": mode, "kind": answer["kind"],
             "signature": signature(answer["kind"], answer["text"]),
             "ops": [n.op_type for n in case.nodes],
             "text": text if kind == answer["kind"] else answer["text"]}
    write(case, out / f"{answer['kind']}-{answer['seed']}", about)
    return about


def replay(folder):
    from check import Finding, check
    from reduce import read
    case, about = read(folder)
    try:
        check(case, case.model(), about["mode"])
    except Finding as finding:
        return f"{finding.kind}: {finding}"
    return None


def known(out):
    """The signatures of the findings in a folder."""
    abouts = (json.loads(path.read_text()) for path in out.glob("*/finding.json"))
    return {tuple(about["signature"]) for about in abouts if "signature" in about}


def fuzz(options):
    from reduce import signature
    workers = [Worker("worker.py", options.only, options.mode)
               for _ in range(options.workers)]
    only = options.only.split(",") if options.only else None
    kinds, ops, refused = (collections.Counter() for _ in range(3))
    seen, found, start = known(options.out), 0, time.monotonic()
    try:
        for answer in answers(chosen_seeds(options), workers, options.timeout):
            kinds[answer["kind"]] += 1
            if answer["kind"] == "ok":
                ops.update(answer["ops"])
            if answer["kind"] == "unsupported":
                refused[answer["text"].splitlines()[0][:160]] += 1
            if answer["kind"] not in FINDINGS:
                continue
            found += 1
            mark = signature(answer["kind"], answer["text"])
            if mark in seen and not options.all:
                continue
            seen.add(mark)
            about = keep(answer, options.out, only, options.mode)
            print(f"{about['kind']} (seed {about['seed']}, {about['mode']}): "
                  f"{' '.join(about['ops'])}: {about['text'][:300]}", flush=True)
    finally:
        for worker in workers:
            worker.stop()
    seconds = time.monotonic() - start
    total = sum(kinds.values())
    print(f"{total} graphs in {seconds:.0f} s, {total / seconds:.1f} per second; "
          + ", ".join(f"{n} {k}" for k, n in kinds.most_common()))
    if options.verbose:
        print("operators:", ", ".join(f"{n} {k}" for k, n in ops.most_common()))
        for text, count in refused.most_common(20):
            print(f"{count} times: {text}")
    return 1 if found else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    add_options(parser, "graph")
    parser.add_argument("--only", default="", help="use these operators only")
    parser.add_argument("--mode", default="", help="of all graphs: fixed, bounds, "
                        "threads, file, open or ranges; by the seed if not given")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("findings"))
    parser.add_argument("--all", action="store_true",
                        help="keep findings that look like ones before")
    parser.add_argument("--verbose", action="store_true",
                        help="say what was used and what was refused")
    parser.add_argument("--replay", type=pathlib.Path, help="a folder of --out")
    options = parser.parse_args()
    if options.replay:
        text = replay(options.replay)
        print(text or "ok")
        return 1 if text else 0
    return fuzz(options)


if __name__ == "__main__":
    sys.exit(main())
