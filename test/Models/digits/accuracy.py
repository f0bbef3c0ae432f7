#!/usr/bin/env python3
"""Prints how many of the held-out images the digit classifier gets right.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import argparse
import pathlib

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
MODEL = HERE / "digits.onnx"


def held_out():
    """The held-out images as the model takes them, and their labels."""
    data = np.load(HERE / "heldout.npz")
    return data["images"][:, None].astype(np.float32) / 255, data["labels"]


def run_onnxruntime(images):
    import onnxruntime
    session = onnxruntime.InferenceSession(
        str(MODEL), providers=["CPUExecutionProvider"])
    return session.run(["probabilities"], {"image": images})[0]


def run_glow(images, target=None):
    import glow
    model = glow.compile(str(MODEL), shapes={"image": images.shape},
                         target=target)
    return model.run({"image": images})["probabilities"]


BACKENDS = {
    "onnxruntime": run_onnxruntime,
    "cpu": run_glow,
    "interpret": lambda images: run_glow(images, "interpret"),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--backend", choices=BACKENDS, default="onnxruntime")
    args = parser.parse_args()
    images, labels = held_out()
    guess = BACKENDS[args.backend](images).argmax(1)
    print(f"{(guess == labels).sum()} of {len(labels)} right "
          f"({np.mean(guess == labels):.2%})")


if __name__ == "__main__":
    main()
