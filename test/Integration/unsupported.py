"""Lists of cases that Glow cannot run yet: lines of a name, and a backend if
the others can. glow-conformance reads them too and adds its modes, such as
"dynamic", in which a case fails that runs as given.

Such a case must fail: when it starts to work, the test says so and the line
has to go. Nothing is skipped, so the lists cannot go stale. The option
--update-unsupported rewrites them from what fails.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import functools
import pathlib
import re

import pytest

HERE = pathlib.Path(__file__).resolve().parent
GLOW = ("cpu", "interpret")

# {file: {(name, backend): whether it failed}} of this session.
_results = {}
# What failed tests said, for entries without a reason.
_reasons = {}


@functools.lru_cache(maxsize=None)
def entries(file):
    """{(name, backend)} of all that must fail."""
    return {(name, backend) for name, modes in _lines(file).items()
            for backend in modes or GLOW}


def _lines(file):
    """{name: modes} of a list; no modes mean both of Glow's backends."""
    lines = [line.split("#")[0].split()
             for line in (HERE / file).read_text().splitlines()]
    return {line[0]: line[1:] for line in lines if line}


def expect_failure(request, backend, file, name, known):
    """Marks the running test as failing if `file` lists `name`."""
    stale = {listed for listed, _ in entries(file)} - set(known)
    assert not stale, f"{file} names unknown cases: {sorted(stale)}"
    request.node.stash[_KEY] = file, name, backend
    updating = request.config.getoption("update_unsupported")
    if (name, backend) in entries(file) and not updating:
        request.applymarker(pytest.mark.xfail(
            strict=True, reason=f"listed in {file}"))


_KEY = pytest.StashKey()


def record(item, report):
    """Called for each phase of each test, for `write_lists`."""
    if report.when == "call" and _KEY in item.stash:
        file, name, backend = item.stash[_KEY]
        if backend in GLOW:
            _results.setdefault(file, {})[name, backend] = report.failed
            if report.failed:
                _reasons.setdefault(name, "  # " + _reason(report.longreprtext))


def _reason(text):
    """The end of the last error, without the name of the node."""
    errors = [line[1:].strip() for line in text.splitlines()
              if line.startswith("E ") and line[1:].strip()]
    reason = re.sub(r"^.*?GlowError: |model: node '.*?' |loc\(.*?\): ", "",
                    errors[-1] if errors else "failed")
    return reason[:100]


def write_lists():
    """Puts this session's results in place of the entries they concern."""
    for file, results in _results.items():
        failing = entries(file) - results.keys() | {
            key for key, failed in results.items() if failed}
        path = HERE / file
        old = path.read_text().splitlines()
        head = [line for line in old if line.startswith("#")]
        # The reasons that someone wrote behind the names stay.
        reasons = _reasons | {line.split()[0]: line[line.index("  #"):]
                              for line in old if "  #" in line}
        lines = []
        for name in sorted({name for name, _ in failing}):
            modes = sorted(mode for listed, mode in failing if listed == name)
            # What fails as given need not be said to fail otherwise.
            if set(GLOW) <= set(modes):
                modes = []
            lines.append(" ".join([name, *modes]) + reasons.get(name, ""))
        path.write_text("\n".join(head + lines) + "\n")
