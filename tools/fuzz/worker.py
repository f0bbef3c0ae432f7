"""Tries the seeds that come on the standard input, one per line, and answers each
with a line of JSON. It may die of one: run.py sees that.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import json
import sys
import time

from check import OPEN, Finding, check
from generate import Discard
from graphs import build

MODES = ["fixed"] * 4 + ["bounds", "threads", "file", "open", "ranges", "ranges"]


def attempt(seed, only=None, mode=None):
    """{"seed", "kind", "text", "ops", "mode"}; kind is "ok" if all is well."""
    answer = {"seed": seed, "kind": "ok", "text": "", "ops": []}
    mode = answer["mode"] = mode or MODES[seed % len(MODES)]
    try:
        builder = build(seed, only)
        answer["ops"] = [n.op_type for n in builder.nodes]
        model = builder.model(symbolic=mode in OPEN)
        check(builder, model, mode)
    except Discard as why:
        answer.update(kind="discarded", text=str(why)[:200])
    except Finding as finding:
        answer.update(kind=finding.kind, text=str(finding)[:2000])
    return answer


def main():
    only, mode = sys.argv[1].split(",") if sys.argv[1] else None, sys.argv[2]
    for line in sys.stdin:
        start = time.monotonic()
        answer = attempt(int(line), only, mode)
        answer["seconds"] = round(time.monotonic() - start, 3)
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
