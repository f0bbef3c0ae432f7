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

from case import Case
from generate import Discard, Value

HERE = pathlib.Path(__file__).resolve().parent


def signature(kind, text):
    """What two findings share that have one cause, most likely."""
    wrong = re.match(r"\S+ of (\w+): (shape|type|)", text)
    if kind == "wrong" and wrong:
        return kind, " ".join(wrong.groups())
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
    def tried(nodes):
        try:
            smaller = case.only(nodes)
        except Discard:
            return None
        return smaller if still(smaller) else None

    if len(case.nodes) > 1:  # nearly always one will do
        single = next(filter(None, (tried([n]) for n in case.nodes)), None)
        if single:
            return single
    at = 0
    while at < len(case.nodes) and len(case.nodes) > 1:
        smaller = tried(case.nodes[:at] + case.nodes[at + 1:])
        if smaller:
            case = smaller
        else:
            at += 1
    return case


def smaller_extents(case, still):
    for extent in case.extents():
        for less in (1, 2, extent // 2):
            if less >= extent:
                continue
            try:
                smaller = case.cut(extent, less)
            except (Discard, KeyError, ValueError):
                continue
            if still(smaller):
                case = smaller
                break
    return case


def write(case, folder, about):
    """model.onnx, the inputs and the outputs as they should be, and the story."""
    folder.mkdir(parents=True, exist_ok=True)
    about["rounded"] = [n for n, value in case.values.items() if not value.is_exact]
    model = case.model()
    onnx.save(model, folder / "model.onnx")
    np.savez(folder / "inputs.npz", **{n: case.values[n].array for n in case.inputs})
    np.savez(folder / "expected.npz", **{
        o.name: case.values[o.name].array for o in model.graph.output})
    (folder / "finding.json").write_text(json.dumps(about, indent=1) + "\n")
    (folder / "model.txt").write_text(onnx.printer.to_text(model))


def read(folder):
    """The case in a folder and what `write` was told about it."""
    about = json.loads((folder / "finding.json").read_text())
    model = onnx.load(folder / "model.onnx")
    arrays = {i.name: onnx.numpy_helper.to_array(i) for i in model.graph.initializer}
    values = {n: Value(n, array, True) for n, array in arrays.items()}
    for name, array in np.load(folder / "inputs.npz").items():
        values[name] = Value(name, array)
    for name in (n for node in model.graph.node for n in node.output):
        values[name] = Value(name, None, False, name not in about.get("rounded", []))
    case = Case(list(model.graph.node), values, model.opset_import[0].version,
                about["mode"] in ("open", "ranges"))
    return case.recomputed(), about


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
    main()
