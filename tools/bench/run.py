#!/usr/bin/env python3
"""Times models on Glow and on other systems, in turns, and writes a report.

    tools/bench/run.py                          every model, system and mode
    tools/bench/run.py resnet50 --threads 2 --systems glow onnxruntime
    tools/bench/run.py --layers resnet50        where one model's time goes
    tools/bench/run.py my.onnx --shape x=1x128  a model of your own
    tools/bench/run.py --batch 1 3 8 --ranges batch=1..8
                                                one compilation for all of them
    tools/bench/run.py --from FILE.json --write-docs    no new measurement;
                                                of several files, one report

suite.py beside this runs all that docs/Benchmarks.md holds.

docs/Benchmarks.md says how it is measured. Needs python/requirements-bench.txt;
a system that is not installed is reported as absent.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import argparse
import datetime
import itertools
import json
import os
import pathlib
import re
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
TREE = HERE.parents[1]
sys.path[:0] = [str(TREE / "test" / "Models"), str(TREE / "python"),
                str(TREE / "test" / "Integration")]

import layers  # noqa: E402
import merge  # noqa: E402
import page  # noqa: E402
import peers  # noqa: E402
import table  # noqa: E402

import docs  # noqa: E402

MODELS = ["resnet50", "mobilenetv2", "mobilenetv3_large", "efficientnet_b0",
          "squeezenet1_1", "vgg19", "densenet121", "yolov8n", "bert_base",
          "bert_base_384", "minilm", "vit_b16", "gpt2_prefill", "gpt2_decode",
          "lstm_2x256", "dlrm"]

PRECISIONS = ["fp32", "strict", "fp32-fast", "bf16"]


def shape(text):
    """An input's name and its extents."""
    name, _, extents = text.rpartition("=")
    if not name or not re.fullmatch(r"[1-9]\d*(x[1-9]\d*)*", extents):
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=1x3x224x224")
    return name, [int(extent) for extent in extents.split("x")]


def extent_range(text):
    """The name of an open extent, its least and its largest value."""
    match = re.fullmatch(r"(.+)=(\d+)\.\.(\d+)", text)
    if not match or int(match[2]) > int(match[3]):
        raise argparse.ArgumentTypeError(f"{text!r} is not batch=1..8")
    return match[1], (int(match[2]), int(match[3]))


def arguments(words=None):
    """Of the command line, or of these words."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    add = parser.add_argument
    add("names", nargs="*", default=MODELS, metavar="model",
        help="as in test/Models/generate.py, or FILE.onnx; default: "
             + " ".join(MODELS))
    add("--shape", action="append", default=[], type=shape,
        metavar="NAME=1x3x224x224",
        help="of an input of each FILE.onnx whose extents the file leaves open")
    add("--no-models", action="store_true",
        help="only what --layers, --products and --onednn ask for")
    add("--systems", nargs="+", choices=peers.NAMES, default=peers.NAMES)
    add("--modes", nargs="+", default=["fp32"],
        choices=PRECISIONS,
        help="Glow's precisions; peers run the class each belongs to")
    add("--threads", type=int, nargs="+", default=[1, 2])
    add("--batch", type=int, nargs="+", default=[1])
    add("--ranges", nargs="+", default=[], type=extent_range,
        metavar="batch=1..8",
        help="Glow also compiled for all values of extents that models leave open,\n"
             "beside Glow compiled for the values that are measured")
    add("--rounds", type=int, default=15)
    add("--turn", type=float, default=0.02, metavar="SECONDS",
        help="time that a turn's runs must take together; default 0.02")
    add("--timeout", type=float, default=600, metavar="SECONDS",
        help="for one model on one system to compile; default 600")
    add("--layers", nargs="*", metavar="model", default=[],
        help="profile these models' kernels too")
    add("--products", nargs="*", default=[],
        choices=PRECISIONS,
        help="time products whose data stay in the second-level cache, each by\n"
             "itself, with these precisions")
    add("--onednn", action="store_true",
        help="time single operations beside those of oneDNN too")
    add("--layers-mode", default="strict",
        choices=PRECISIONS,
        help="Glow's precision in these profiles; default strict, which makes\n"
             "every product that is counted")
    add("--models", type=pathlib.Path, default=TREE / "build" / "models")
    add("--bin", type=pathlib.Path, default=TREE / "build" / "bin",
        help="where Glow's tools are; default build/bin")
    add("--out", type=pathlib.Path, default=TREE / "build" / "bench",
        help="folder for results.json, table.md and report.html")
    add("--from", dest="sources", type=pathlib.Path, metavar="FILE",
        nargs="+", help="report on these results instead of measuring")
    add("--write-docs", action="store_true",
        help="write a page of the documentation too")
    add("--page", default=docs.PAGE, metavar="FILE",
        help=f"which page; default {docs.PAGE}, other machines have others")
    args = parser.parse_args(words)
    args.shape, args.ranges = dict(args.shape), dict(args.ranges)
    return args


def say(text):
    print(f"\r\033[K{text}", end="" if sys.stderr.isatty() else "\n",
          file=sys.stderr, flush=True)


def measure(args):
    """All cases and layer profiles, as results.json holds them."""
    # Only here, so that a report can be written without these packages.
    import experiment
    import machine
    import onednn
    import resident
    settings = experiment.Settings(
        args.systems, args.modes, args.rounds, args.turn, args.timeout,
        machine.processors(max(args.threads)), args.out / "scratch")
    results = {
        "date": datetime.datetime.now().strftime("%Y-%m-%d"),
        "machine": machine.facts(),
        "method": {"rounds": args.rounds, "turn_seconds": args.turn,
                   "arguments": command_line()},
        "cases": [], "layers": [], "operations": {}, "missing": {}}
    classes = dict.fromkeys(experiment.MODES[m][0] for m in args.modes)
    with tempfile.TemporaryDirectory() as folder:
        probes = {t: machine.Probe(folder, t) for t in args.threads}
        names = () if args.no_models else args.names
        for model in found(args, names, args.batch, results["missing"]):
            with experiment.Prepared(model, settings) as prepared:
                for accuracy, probe in itertools.product(
                        classes, probes.values()):
                    results["cases"].append(measure_case(
                        prepared, accuracy, probe, settings))
                    save(results, args.out)
        profiled = found(args, args.layers, [1], results["missing"])
        for model, probe in itertools.product(profiled, probes.values()):
            say(f"{model.name}: kernels")
            results["layers"].append(layers.profile(
                model, args.layers_mode, probe, args.bin))
            save(results, args.out)
        for mode, probe in itertools.product(args.products, probes.values()):
            say(f"single products, {mode}")
            results["layers"].append(resident.profile(
                mode, probe, machine.cache_bytes(2), args.bin))
            save(results, args.out)
        for threads in args.threads if args.onednn else ():
            say(f"single operations, {threads} threads")
            results["operations"][str(threads)] = onednn.measure_apart(
                threads, args.bin)
            save(results, args.out)
    return results


def command_line():
    """What was asked for, without where things are."""
    words, skip = [], False
    for word in sys.argv[1:]:
        path = word.split("=")[0] in ("--models", "--bin", "--out", "--page")
        if not (skip or path or word == "--write-docs"):
            words.append(word)
        skip = path and "=" not in word
    return " ".join(words)


def found(args, names, batches, missing):
    """The models to measure; `missing` gets those that cannot be."""
    import models
    for name, batch in itertools.product(names, batches):
        try:
            model = models.find(name, batch, args.models, args.shape)
            yield models.with_ranges(model, args.ranges)
        except models.Unusable as problem:
            missing[name] = str(problem)
            say(f"{name}: {problem}\n")


def measure_case(prepared, accuracy, probe, settings):
    import experiment
    model = prepared.model
    title = f"{model.name}, batch {model.batch}, {len(probe.cpus)} threads"
    record = experiment.run_case(prepared, accuracy, probe, settings,
                                 lambda text: say(f"{title}: {text}"))
    say("")
    print(table.case_text(record), flush=True)
    return record


def save(results, out):
    out.mkdir(parents=True, exist_ok=True)
    (out / "results.json").write_text(json.dumps(results, indent=1) + "\n")


def main():
    args = arguments()
    os.environ["GLOW_BIN"] = str(args.bin)  # for the workers
    results = (merge.merged([json.loads(f.read_text()) for f in args.sources])
               if args.sources else measure(args))
    save(results, args.out)
    (args.out / "table.md").write_text(table.markdown(results))
    (args.out / "report.html").write_text(page.html(results))
    print(f"written: {args.out}/results.json, table.md, report.html")
    if args.write_docs:
        docs.write(results, TREE, args.page)
    sys.exit(bool(results.get("missing")) or any(
        r["system"] == "glow" and r["status"] != "ok"
        for c in results["cases"] for r in c["systems"].values()))


if __name__ == "__main__":
    main()
