"""Makes the graph of a finding smaller: fewer nodes, then smaller extents.

Each attempt runs in a process of its own, for the finding may be that it dies.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import json
import pathlib
import pickle
import re
import subprocess
import sys
import tempfile

import numpy as np
import onnx

from generate import Discard, Value, evaluate, make_model

HERE = pathlib.Path(__file__).resolve().parent


class Case:
    """Nodes, the values that they start from, and all others."""

    def __init__(self, nodes, values, symbolic):
        self.nodes, self.symbolic = nodes, symbolic
        self.values = dict(values)
        made = {n for node in nodes for n in node.output}
        read = [n for node in nodes for n in node.input if n]
        given = [n for n in dict.fromkeys(read) if n not in made]
        self.inputs = [n for n in given if not values[n].is_constant]
        self.constants = [n for n in given if values[n].is_constant]

    def model(self):
        read = {n for node in self.nodes for n in node.input}
        outputs = [n for node in self.nodes for n in node.output
                   if n and n not in read]
        return make_model(self.nodes, self.values, self.inputs, self.constants,
                          outputs, self.symbolic)

    def recomputed(self):
        """The same with the answers for other inputs."""
        values = {n: self.values[n] for n in (*self.inputs, *self.constants)}
        for node in self.nodes:
            for name, array in zip(node.output, evaluate(node, values)):
                values[name] = Value(name, array, False, self.values[name].is_exact)
        return Case(self.nodes, values, self.symbolic)


def signature(kind, text):
    """What two findings share that have one cause, most likely."""
    return kind, re.sub(r"[-+]?[0-9][0-9.e+-]*|'[^']*'|\"[^\"]*\"|[xyc][0-9]+", "#",
                        text)[:60]


def outcome(case, mode, timeout=60):
    """(kind, text) of a case in a process of its own."""
    with tempfile.NamedTemporaryFile(suffix=".pickle") as file:
        pickle.dump((case, mode), file)
        file.flush()
        try:
            done = subprocess.run([sys.executable, __file__, file.name],
                                  capture_output=True, text=True, timeout=timeout)
        except subprocess.TimeoutExpired:
            return "timeout", f"took more than {timeout} s"
    if done.returncode != 0:
        return "crash", f"exit code {done.returncode}\n{done.stderr[-1500:]}"
    answer = json.loads(done.stdout.splitlines()[-1])
    return answer["kind"], answer["text"]


def reduced(case, mode, kind):
    """The smallest case found that shows a finding of this kind."""
    def still(smaller):
        try:
            return outcome(smaller, mode)[0] == kind
        except (Discard, KeyError, ValueError):
            return False

    if not still(case):
        return None
    case = fewer_nodes(case, still)
    return smaller_extents(case, still)


def fewer_nodes(case, still):
    for node in case.nodes:  # nearly always one will do
        single = Case([node], case.values, case.symbolic)
        if len(case.nodes) > 1 and still(single):
            return single
    at = 0
    while at < len(case.nodes) and len(case.nodes) > 1:
        smaller = Case(case.nodes[:at] + case.nodes[at + 1:], case.values,
                       case.symbolic)
        if still(smaller):
            case = smaller
        else:
            at += 1
    return case


def smaller_extents(case, still):
    extents = sorted({e for n in case.inputs for e in case.values[n].shape if e > 1},
                     reverse=True)
    for extent in extents:
        for less in (1, 2, extent // 2):
            if less >= extent:
                continue
            values = dict(case.values)
            for name in case.inputs:
                old = values[name]
                part = tuple(slice(less if e == extent else e) for e in old.shape)
                values[name] = Value(name, np.ascontiguousarray(old.array[part]),
                                     False, old.is_exact)
            try:
                smaller = Case(case.nodes, values, case.symbolic).recomputed()
            except (Discard, KeyError, ValueError):
                continue
            if still(smaller):
                case = smaller
                break
    return case


def write(case, folder, about):
    """model.onnx, the inputs and the outputs as they should be, and the story."""
    folder.mkdir(parents=True, exist_ok=True)
    model = case.model()
    onnx.save(model, folder / "model.onnx")
    np.savez(folder / "inputs.npz", **{n: case.values[n].array for n in case.inputs})
    np.savez(folder / "expected.npz", **{
        o.name: case.values[o.name].array for o in model.graph.output})
    (folder / "finding.json").write_text(json.dumps(about, indent=1) + "\n")
    (folder / "model.txt").write_text(onnx.printer.to_text(model))


def main():
    """Tries the case in a file; see `outcome`."""
    from check import Finding, check
    case, mode = pickle.load(open(sys.argv[1], "rb"))
    answer = {"kind": "ok", "text": ""}
    try:
        check(case, case.model(), mode)
    except Finding as finding:
        answer = {"kind": finding.kind, "text": str(finding)}
    print(json.dumps(answer))


if __name__ == "__main__":
    sys.modules["reduce"] = sys.modules["__main__"]
    main()
