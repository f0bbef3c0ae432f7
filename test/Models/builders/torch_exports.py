"""Models of PyTorch and transformers, as PyTorch's two ONNX exporters write
them: "dynamo", the current one, and "legacy", which traces TorchScript.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import io
import logging
import os
import warnings

os.environ.setdefault("HF_HUB_OFFLINE", "1")

import onnx  # noqa: E402
import torch  # noqa: E402
import transformers  # noqa: E402
from torch import nn  # noqa: E402

BATCH, SEQUENCE = 2, 128  # of the example inputs


class Logits(nn.Module):
    """A model of transformers, reduced to the named inputs and one output."""

    def __init__(self, model, names, output):
        super().__init__()
        self.model, self.names, self.output = model, names, output

    def forward(self, *inputs):
        inputs = dict(zip(self.names, inputs))
        return self.model(**inputs, return_dict=True)[self.output]


class LstmClassifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(64, 128, num_layers=2, batch_first=True)
        self.fc = nn.Linear(128, 10)

    def forward(self, *inputs):
        y, _ = self.lstm(*inputs)
        return self.fc(y[:, -1])


def image():
    return {"input": torch.randn(BATCH, 3, 224, 224)}


def tokens(vocabulary):
    # Given a mask, transformers need not look for packed sequences, which the
    # older exporter cannot express.
    shape = BATCH, SEQUENCE
    return {"input_ids": torch.randint(0, vocabulary, shape),
            "attention_mask": torch.ones(shape, dtype=torch.int64)}


def settle_batch_norms(model, inputs):
    """Sets running statistics to those of the example inputs."""
    for module in model.modules():
        if isinstance(module, nn.BatchNorm2d):
            module.momentum = None  # plain average instead of decay
            module.reset_running_stats()
    model.train()
    with torch.no_grad():
        model(*inputs.values())
    return model.eval()


def classifier(model):
    return Logits(model, ["pixel_values"], "logits"), image()


def language_model(model, output):
    inputs = tokens(model.config.vocab_size)
    return Logits(model, list(inputs), output), inputs


def resnet50():
    return classifier(transformers.ResNetForImageClassification(
        transformers.ResNetConfig(num_labels=1000)))


def mobilenetv2():
    return classifier(transformers.MobileNetV2ForImageClassification(
        transformers.MobileNetV2Config(num_labels=1000)))


def vit_b16():
    return classifier(transformers.ViTForImageClassification(
        transformers.ViTConfig(num_labels=1000, attn_implementation="sdpa")))


def bert_base():
    return language_model(transformers.BertModel(
        transformers.BertConfig(attn_implementation="eager")),
        "last_hidden_state")


def gpt2():
    return language_model(transformers.GPT2LMHeadModel(transformers.GPT2Config(
        vocab_size=5000, n_positions=256, n_embd=256, n_layer=4, n_head=8,
        bos_token_id=0, eos_token_id=0, use_cache=False,
        attn_implementation="eager")), "logits")


def lstm():
    return LstmClassifier(), {"input": torch.randn(BATCH, 32, 64)}


MODELS = {f.__name__: f for f in [resnet50, mobilenetv2, vit_b16, bert_base,
                                  gpt2, lstm]}


def exported(name, exporter):
    torch.manual_seed(0)
    model, inputs = MODELS[name]()
    model = settle_batch_norms(model, inputs)
    return export(model, inputs, exporter)


def export(model, inputs, exporter, output="output"):
    """The ONNX model for `model`, whose forward takes *inputs, with the batch
    left open."""
    logging.getLogger("torch.onnx").setLevel(logging.ERROR)
    names = dict(input_names=list(inputs), output_names=[output])
    arguments = tuple(inputs.values())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if exporter == "dynamo":
            batch = torch.export.Dim("batch")
            # One tuple for the one parameter, *inputs.
            shapes = (tuple({0: batch} for _ in inputs),)
            program = torch.onnx.export(
                model, arguments, dynamo=True, verbose=False,
                dynamic_shapes=shapes, **names)
            return program.model_proto
        data = io.BytesIO()
        axes = {name: {0: "batch"} for name in [*inputs, output]}
        torch.onnx.export(model, arguments, data, dynamo=False,
                          opset_version=17, dynamic_axes=axes, **names)
        return onnx.load_from_string(data.getvalue())

