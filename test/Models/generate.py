#!/usr/bin/env python3
"""Writes test models with inputs and the outputs ONNX Runtime gives for them.

For each model NAME below the output folder:

    NAME.onnx                  the model (weights beside it above 1.9 GB)
    NAME/inputs/INPUT.npy      one file per input
    NAME/expected/OUTPUT.npy   one file per output
    NAME/manifest.json         which file is which, and what made them

With --batch N above 1 the folder is NAME_batchN; the model is the same file.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import argparse
import contextlib
import fcntl
import hashlib
import importlib
import json
import pathlib
import re
import shutil
import sys

import numpy as np
import onnx
import onnxruntime

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
from builders import light  # noqa: E402
from builders.inputs import make_inputs  # noqa: E402

# Raised when generate() below writes something else than it did.
FORMAT = 1

# Beyond this a protobuf file cannot hold the weights.
EXTERNAL_DATA_BYTES = 1_900_000_000

# name: (module in builders, function, arguments)
ONNX_MODELS = {
    "resnet50": ("convnets", "resnet50"),
    "mobilenetv2": ("convnets", "mobilenetv2"),
    "vgg19": ("convnets", "vgg19"),
    "densenet121": ("convnets", "densenet121"),
    "bert_base": ("transformers", "bert_base"),
    "vit_b16": ("transformers", "vit_b16"),
    "lstm": ("recurrent", "lstm"),
    "gpt": ("transformers", "gpt"),
    "mobilenetv3_large": ("mobile", "mobilenetv3_large"),
    "efficientnet_b0": ("mobile", "efficientnet_b0"),
    "squeezenet1_1": ("mobile", "squeezenet1_1"),
    "yolov8n": ("detector", "yolov8n"),
    "bert_base_384": ("transformers", "bert_base_384"),
    "gpt2_prefill": ("decoder", "gpt2_prefill"),
    "gpt2_decode": ("decoder", "gpt2_decode"),
    "lstm_2x256": ("recurrent", "lstm_2x256"),
    "dlrm": ("recommender", "dlrm"),
}
# Families that no kernel was tuned on; tools/bench/run.py measures them too.
MORE_MODELS = {
    "resnext50": ("convnets", "resnext50"),
    "regnet_y_400mf": ("grouped", "regnet_y_400mf"),
    "shufflenetv2": ("grouped", "shufflenetv2"),
    "inception_v3": ("inception", "inception_v3"),
    "unet": ("images", "unet"),
    "dcgan": ("images", "dcgan"),
    "super_resolution": ("images", "super_resolution"),
    "r3d_18": ("video", "r3d_18"),
    "convnext_tiny": ("vision", "convnext_tiny"),
    "swin_t": ("vision", "swin_t"),
    "wav2vec2": ("speech", "wav2vec2"),
    "llama": ("llama", "llama"),
    "lstm_tagger": ("recurrent", "tagger", "LSTM"),
    "gru_tagger": ("recurrent", "tagger", "GRU"),
}
LIGHT_MODELS = {name: ("light", "randomised", name) for name in light.paths()}
# These need python/requirements-torch.txt and are not part of "all".
TORCH_MODELS = {
    f"torch_{name}_{exporter}": ("torch_exports", "exported", name, exporter)
    for name in ["resnet50", "mobilenetv2", "vit_b16", "bert_base", "gpt2",
                 "lstm"]
    for exporter in ["dynamo", "legacy"]}
TORCH_MODELS["minilm"] = ("minilm", "exported")
MODELS = {**ONNX_MODELS, **MORE_MODELS, **LIGHT_MODELS, **TORCH_MODELS}
GROUPS = {
    "onnx": ["digits", *ONNX_MODELS],
    "more": list(MORE_MODELS),
    "light": list(LIGHT_MODELS),
    "torch": list(TORCH_MODELS),
}
GROUPS["all"] = GROUPS["onnx"] + GROUPS["light"]


def build(name):
    if name == "digits":
        return onnx.load(HERE / "digits" / "digits.onnx")
    module, function, *arguments = MODELS[name]
    module = importlib.import_module(f"builders.{module}")
    return getattr(module, function)(*arguments)


def run_reference(path, inputs, optimizations="ORT_ENABLE_ALL"):
    """{output name: array} of ONNX Runtime; with ORT_DISABLE_ALL, every node is
    computed as it stands in the file."""
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = getattr(
        onnxruntime.GraphOptimizationLevel, optimizations)
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(
        str(path), options, providers=["CPUExecutionProvider"])
    names = [o.name for o in session.get_outputs()]
    return dict(zip(names, session.run(names, inputs)))


def check_not_degenerate(name, first, second):
    """A comparison is worth nothing if any input gives the same answer."""
    for key, value in first.items():
        if not np.isfinite(value).all():
            raise SystemExit(f"{name}: output {key} is not finite")
        scale = float(np.abs(value).max())
        if value.size > 1 and value.std() < 1e-3 * scale:
            raise SystemExit(f"{name}: output {key} is constant")
        if np.abs(value - second[key]).max() < 1e-2 * scale:
            raise SystemExit(f"{name}: output {key} ignores the input")


def sources(module):
    """The file of a builder, then of those it imports."""
    path = HERE / "builders" / f"{module}.py"
    yield path
    for other in re.findall(r"^from \.(\w+) import", path.read_text(), re.M):
        yield from sources(other)


def fingerprint(name, batch):
    """Changes whenever what generate() writes for `name` could change."""
    versions = onnx.__version__, onnxruntime.__version__, np.__version__
    digest = hashlib.sha256(f"{FORMAT} {name} {batch} {versions}".encode())
    module = MODELS[name][0] if name in MODELS else "graph"
    for path in dict.fromkeys([HERE / "digits/digits.onnx",
                               *sources("inputs"), *sources(module)]):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def save_arrays(folder, arrays):
    folder.mkdir(parents=True)
    files = {}
    for name, array in arrays.items():
        file = re.sub(r"[^\w.-]", "_", name) + ".npy"
        np.save(folder / file, array)
        files[name] = f"{folder.name}/{file}"
    return files


def data_folder(name, out, batch=1):
    """Where the inputs and expected outputs of a model are kept."""
    return out / (name if batch == 1 else f"{name}_batch{batch}")


@contextlib.contextmanager
def one_process(file):
    """Others wait here until the body is done."""
    with open(file, "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def generate(name, out, batch=1):
    """Writes model `name`; returns its path and whether it was there."""
    path, folder = out / f"{name}.onnx", data_folder(name, out, batch)
    key = fingerprint(name, batch)
    out.mkdir(parents=True, exist_ok=True)
    with one_process(folder.with_name(f"{folder.name}.lock")):
        is_there = is_made(path, folder, key)
        if not is_there:
            write(name, path, folder, batch, key)
    return path, is_there


def is_made(path, folder, key):
    """Whether there is all of a model; its manifest is written last."""
    manifest = folder / "manifest.json"
    return (manifest.exists() and path.exists()
            and json.loads(manifest.read_text())["fingerprint"] == key)


def write(name, path, folder, batch, key):
    shutil.rmtree(folder, ignore_errors=True)
    if batch == 1:
        model = build(name)
        large = model.ByteSize() > EXTERNAL_DATA_BYTES
        onnx.save(model, path, save_as_external_data=large,
                  location=f"{name}.weights")
    else:
        generate(name, path.parent)
        model = onnx.load(path, load_external_data=False)
    inputs = make_inputs(model, batch, seed=0)
    others = make_inputs(model, batch, seed=1)
    expected = run_reference(path, inputs)
    check_not_degenerate(name, expected, run_reference(path, others))
    record = {
        "fingerprint": key,
        "batch": batch,
        "onnxruntime": onnxruntime.__version__,
        "inputs": save_arrays(folder / "inputs", inputs),
        "outputs": save_arrays(folder / "expected", expected),
    }
    (folder / "manifest.json").write_text(json.dumps(record, indent=2) + "\n")


def main():
    known = [*GROUPS, *dict.fromkeys(sum(GROUPS.values(), []))]
    parser = argparse.ArgumentParser(
        description="Write test models, their inputs and expected outputs.",
        epilog="names: " + " ".join(known))
    parser.add_argument("names", nargs="+", metavar="name", choices=known)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--batch", type=int, default=1)
    args = parser.parse_args()
    names = [m for n in args.names for m in GROUPS.get(n, [n])]
    for name in dict.fromkeys(names):
        path, cached = generate(name, args.out, args.batch)
        print(f"{path}{' (unchanged)' if cached else ''}", flush=True)


if __name__ == "__main__":
    main()
