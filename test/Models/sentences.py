#!/usr/bin/env python3
"""Prints how alike MiniLM finds a few sentences, by PyTorch and by Glow.

Needs python/requirements-torch.txt.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import argparse
import pathlib

import generate
import numpy as np
from builders import minilm


def run_onnxruntime(path, inputs):
    return generate.run_reference(path, inputs)


def run_glow(path, inputs):
    import glow
    return glow.compile(str(path)).run(inputs)


BACKENDS = {"onnxruntime": run_onnxruntime, "glow": run_glow}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--backend", choices=BACKENDS, default="glow")
    parser.add_argument("--models", type=pathlib.Path,
                        default=generate.HERE.parents[1] / "build" / "models")
    args = parser.parse_args()
    inputs = minilm.tokenize(minilm.SENTENCES)
    path, _ = generate.generate("minilm", args.models)
    hidden = BACKENDS[args.backend](path, inputs)["last_hidden_state"]
    actual = minilm.similarities(hidden, inputs["attention_mask"])
    expected = minilm.torch_similarities(inputs)
    for sentence, row in zip(minilm.SENTENCES, actual):
        print(" ".join(f"{v:6.3f}" for v in row), "", sentence)
    difference = np.abs(actual - expected).max()
    print(f"largest difference to PyTorch {difference:.2g}")


if __name__ == "__main__":
    main()
