#!/usr/bin/env python3
"""Trains the digit classifier on scikit-learn's digits and writes the files
beside this script: digits.onnx, heldout.npz, images/*.png and labels.txt.

Needs python/requirements-torch.txt; takes about a minute on one core.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import pathlib

import numpy as np
import onnx
import torch
from onnxscript import optimizer
from PIL import Image
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import nn
from torch.nn import functional

HERE = pathlib.Path(__file__).resolve().parent
SEED, EPOCHS, BATCH = 0, 60, 64
PREPROCESSING = "8-bit grey image of 8x8 pixels; input = pixel / 255"


class DigitNet(nn.Module):
    def __init__(self):
        super().__init__()

        def block(cin, cout):
            return [nn.Conv2d(cin, cout, 3, padding=1, bias=False),
                    nn.BatchNorm2d(cout), nn.ReLU()]

        self.features = nn.Sequential(
            *block(1, 32), *block(32, 32), nn.MaxPool2d(2),
            *block(32, 64), nn.MaxPool2d(2))
        self.classifier = nn.Sequential(
            nn.Flatten(), nn.Dropout(0.3), nn.Linear(256, 64), nn.ReLU(),
            nn.Dropout(0.3), nn.Linear(64, 10))

    def forward(self, image):
        logits = self.classifier(self.features(image))
        return logits if self.training else functional.softmax(logits, 1)


def load():
    """Images as 8-bit grey, split into training and held-out parts."""
    digits = load_digits()
    images = np.rint(digits.images * (255 / 16)).astype(np.uint8)
    return train_test_split(images, digits.target.astype(np.int64),
                            test_size=0.2, random_state=SEED,
                            stratify=digits.target)


def to_input(images):
    return torch.from_numpy(images[:, None].astype(np.float32) / 255)


def shifted(x):
    """Moves a batch by up to one pixel in each direction."""
    dy, dx = torch.randint(0, 3, (2,)).tolist()
    return functional.pad(x, (1, 1, 1, 1))[:, :, dy:dy + 8, dx:dx + 8]


def train(images, labels):
    torch.manual_seed(SEED)
    model, x, y = DigitNet(), to_input(images), torch.from_numpy(labels)
    adam = torch.optim.AdamW(model.parameters(), 3e-3, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(adam, EPOCHS)
    for _ in range(EPOCHS):
        for batch in torch.randperm(len(x)).split(BATCH):
            loss = functional.cross_entropy(
                model(shifted(x[batch])), y[batch], label_smoothing=0.02)
            adam.zero_grad()
            loss.backward()
            adam.step()
        schedule.step()
    return model.eval()


def export(model, path):
    # Only constants are folded: batch normalisation is left to Glow.
    program = torch.onnx.export(
        model, (torch.zeros(2, 1, 8, 8),), dynamo=True, optimize=False,
        input_names=["image"], output_names=["probabilities"],
        dynamic_shapes={"image": {0: torch.export.Dim("batch")}})
    optimizer.fold_constants(program.model)
    optimizer.remove_unused_nodes(program.model)
    proto = program.model_proto
    graph = proto.graph
    for entry in (*graph.node, *graph.value_info, *graph.input, *graph.output):
        del entry.metadata_props[:]  # stack traces with local paths
    note = proto.metadata_props.add()
    note.key, note.value = "preprocessing", PREPROCESSING
    onnx.checker.check_model(proto, full_check=True)
    onnx.save(proto, path)


def main():
    torch.set_num_threads(1)
    train_images, images, train_labels, labels = load()
    model = train(train_images, train_labels)
    with torch.no_grad():
        guess = model(to_input(images)).argmax(1).numpy()
    print(f"held-out accuracy {np.mean(guess == labels):.4f} of {len(labels)}")
    export(model, HERE / "digits.onnx")
    np.savez_compressed(HERE / "heldout.npz", images=images, labels=labels)
    (HERE / "images").mkdir(exist_ok=True)
    for label in range(10):
        first = images[np.flatnonzero(labels == label)[0]]
        Image.fromarray(first).save(HERE / "images" / f"{label}.png")
    (HERE / "labels.txt").write_text(
        "zero\none\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n")


if __name__ == "__main__":
    main()
