"""Small PyTorch models with open extents, and how to export them.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import inspect
import io
import logging
import warnings

import onnx
import torch
from torch import nn
from torch.nn import functional as F


def export(module, inputs, axes, outputs, exporter):
    """The ONNX model of a module.

    inputs: {name: tensor} in the order of forward's parameters; axes: {name:
    {axis: symbol}}, of outputs too; exporter: "dynamo", the current one, or
    "legacy", which traces.
    """
    logging.getLogger("torch.onnx").setLevel(logging.ERROR)
    # Layers of transformers step by step rather than as one operator of PyTorch's.
    torch.backends.mha.set_fastpath_enabled(False)
    names = dict(input_names=list(inputs), output_names=list(outputs))
    arguments = tuple(inputs.values())
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")
        if exporter == "dynamo":
            dims = {symbol: torch.export.Dim(symbol)
                    for entry in axes.values() for symbol in entry.values()}
            shapes = tuple({axis: dims[symbol] for axis, symbol in
                            axes.get(name, {}).items()} for name in inputs)
            if "inputs" in inspect.signature(module.forward).parameters:
                shapes = (shapes,)  # of the one parameter *inputs
            return torch.onnx.export(
                module.eval(), arguments, dynamo=True, verbose=False,
                dynamic_shapes=shapes, **names).model_proto
        data = io.BytesIO()
        torch.onnx.export(module.eval(), arguments, data, dynamo=False,
                          opset_version=17, dynamic_axes=axes, **names)
        return onnx.load_from_string(data.getvalue())


class Calls(nn.Module):
    """A module that is one function."""

    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *inputs):
        return self.function(*inputs)


class Recurrent(nn.Module):
    def __init__(self, kind, **options):
        super().__init__()
        self.cells = kind(8, 12, batch_first=True, **options)
        self.head = nn.LazyLinear(5)

    def forward(self, x):
        y, _ = self.cells(x)
        return self.head(y)


class Segmenter(nn.Module):
    """Down, up to the size of the input again, and side by side."""

    def __init__(self):
        super().__init__()
        self.first = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1),
                                   nn.BatchNorm2d(8), nn.ReLU())
        self.down = nn.Conv2d(8, 16, 3, stride=2, padding=1)
        self.last = nn.Conv2d(24, 4, 1)

    def forward(self, x):
        fine = self.first(x)
        coarse = F.silu(self.down(fine))
        coarse = F.interpolate(coarse, size=fine.shape[2:], mode="bilinear",
                               align_corners=False)
        return self.last(torch.cat([fine, coarse], 1))


class Unet(nn.Module):
    """Twice as large again, which is cut or padded to the size it had."""

    def __init__(self):
        super().__init__()
        self.first = nn.Conv2d(3, 8, 3, stride=2, padding=1)
        self.down = nn.Conv2d(8, 16, 3, stride=2, padding=1)
        self.last = nn.Conv2d(24, 4, 1)

    def forward(self, x):
        fine = F.relu(self.first(x))
        coarse = F.interpolate(F.relu(self.down(fine)), scale_factor=2, mode="bilinear",
                               align_corners=True)
        rows, columns = (fine.shape[axis] - coarse.shape[axis] for axis in (2, 3))
        coarse = F.pad(coarse, (columns // 2, columns - columns // 2,
                                rows // 2, rows - rows // 2))
        return self.last(torch.cat([fine, coarse], 1))


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(50, 16)
        self.layers = nn.ModuleList(nn.TransformerEncoderLayer(
            16, 4, 32, batch_first=True, norm_first=first)
            for first in (False, True))

    def forward(self, tokens, mask):
        x = self.words(tokens)
        for layer in self.layers:
            x = layer(x, src_key_padding_mask=mask)
        return x


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.project = nn.Linear(16, 48)

    def forward(self, x):
        batch, length, width = x.shape
        q, k, v = (part.view(batch, length, 4, 4).transpose(1, 2)
                   for part in self.project(x).chunk(3, -1))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return y.transpose(1, 2).reshape(batch, length, width)


def shapes(x):
    """What exporters write as shape arithmetic."""
    batch, length, width = x.shape
    halves = x.view(batch, length, 2, width // 2)
    first, second = halves.unbind(2)
    turned = torch.stack([-second, first], 3).flatten(2)
    places = torch.arange(length, dtype=x.dtype).view(1, -1, 1)
    spread = (turned + places).unsqueeze(1).expand(-1, 2, -1, -1)
    return spread.reshape(batch * 2, length, -1).mean(1)


def windows(x):
    """Attention within four rows, of as many as these divide, shifted by two."""
    batch, length, width = x.shape
    padded = F.pad(x, (0, 0, 0, (4 - length % 4) % 4)).roll(-2, 1)
    parts = padded.view(batch, -1, 4, width)
    mixed = (parts @ parts.transpose(-1, -2)).softmax(-1) @ parts
    return mixed.view(batch, -1, width).roll(2, 1)[:, :length]


def picking(x, places):
    chosen = torch.gather(x, 1, places.unsqueeze(-1).expand(-1, -1, x.shape[-1]))
    hot = F.one_hot(places, 4).to(x.dtype)
    masked = chosen.masked_fill(chosen < 0, -1.0).cumsum(1)
    best, where = masked.max(-1)
    return torch.einsum("bpw,bpk->bwk", masked, hot), best, where


def reductions(x):
    return (torch.logsumexp(x, -1), x.norm(dim=1), x.std(-1), x.amax((1, 2)),
            F.log_softmax(x, 1), (x[:, :, None] - x.flip(1)[:, None]).norm(dim=-1))


def convolutions():
    return nn.Sequential(
        nn.Conv2d(3, 8, 3, padding=1, bias=False), nn.BatchNorm2d(8), nn.ReLU(),
        nn.MaxPool2d(2), nn.Conv2d(8, 16, 3, groups=4), nn.GroupNorm(4, 16),
        nn.GELU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(16, 10))


def upscaler():
    return nn.Sequential(
        nn.Conv2d(1, 8, 5, padding=2), nn.PReLU(8), nn.InstanceNorm2d(8),
        nn.Conv2d(8, 4, 3, padding=1), nn.PixelShuffle(2), nn.ReflectionPad2d(1),
        nn.ConvTranspose2d(1, 2, 4, stride=2), nn.Tanh())


def perceptron():
    return nn.Sequential(
        nn.Linear(12, 24), nn.LayerNorm(24), nn.GELU(), nn.Dropout(0.1),
        nn.Linear(24, 24), nn.Hardswish(), nn.Linear(24, 3), nn.Softmax(-1))


BATCH = {0: "batch"}
ROWS = {0: "batch", 1: "length"}
IMAGE = {0: "batch", 2: "height", 3: "width"}
# name: (what makes the module, {input: shape}, {input: open axes}, outputs).
# An extent that is open is the number for its first run. Inputs called 'places'
# and 'tokens' are integers, those called 'mask' are logical.
MODELS = {
    "perceptron": (perceptron, {"x": (2, 12)}, {"x": BATCH}, ["y"]),
    "convolutions": (convolutions, {"x": (2, 3, 14, 14)}, {"x": BATCH}, ["y"]),
    "segmenter": (Segmenter, {"x": (2, 3, 12, 16)}, {"x": IMAGE}, ["y"]),
    "unet": (Unet, {"x": (2, 3, 12, 16)}, {"x": IMAGE}, ["y"]),
    "upscaler": (upscaler, {"x": (2, 1, 6, 7)}, {"x": IMAGE}, ["y"]),
    "lstm": (lambda: Recurrent(nn.LSTM, num_layers=2), {"x": (2, 6, 8)},
             {"x": ROWS}, ["y"]),
    "gru": (lambda: Recurrent(nn.GRU, bidirectional=True), {"x": (2, 6, 8)},
            {"x": ROWS}, ["y"]),
    "encoder": (Encoder, {"tokens": (2, 6), "mask": (2, 6)},
                {"tokens": ROWS, "mask": ROWS}, ["y"]),
    "attention": (Attention, {"x": (2, 6, 16)}, {"x": ROWS}, ["y"]),
    "shapes": (lambda: Calls(shapes), {"x": (2, 6, 8)}, {"x": ROWS}, ["y"]),
    "windows": (lambda: Calls(windows), {"x": (2, 6, 8)}, {"x": ROWS}, ["y"]),
    "picking": (lambda: Calls(picking), {"x": (2, 6, 8), "places": (2, 5)},
                {"x": ROWS, "places": {0: "batch", 1: "count"}},
                ["y", "best", "where"]),
    "reductions": (lambda: Calls(reductions), {"x": (2, 6, 8)}, {"x": ROWS},
                   ["a", "b", "c", "d", "e", "f"]),
}
