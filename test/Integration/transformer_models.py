"""Tiny models of the package transformers, with random weights and open extents.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import os

os.environ.setdefault("HF_HUB_OFFLINE", "1")

import torch  # noqa: E402
import transformers as hf  # noqa: E402
from torch import nn  # noqa: E402
from transformers.cache_utils import DynamicCache  # noqa: E402

LAYERS, HEADS, WIDTH, WORDS = 2, 4, 32, 99


class Named(nn.Module):
    """A model that takes the named inputs in order and gives one output."""

    def __init__(self, model, names, output):
        super().__init__()
        self.model, self.names, self.output = model, names, output

    def forward(self, *inputs):
        return self.model(**dict(zip(self.names, inputs)))[self.output]


class Cached(nn.Module):
    """A decoder that takes the keys and values of earlier tokens, layer by
    layer, and gives the scores of the next ones and all keys and values."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, tokens, mask, k0, v0, k1, v1):
        result = self.model(input_ids=tokens, attention_mask=mask, use_cache=True,
                            past_key_values=DynamicCache([(k0, v0), (k1, v1)]))
        layers = result.past_key_values.layers
        return result.logits, *(tensor for layer in layers
                                for tensor in (layer.keys, layer.values))


def bert(attention):
    config = hf.BertConfig(
        vocab_size=WORDS, hidden_size=WIDTH, num_hidden_layers=LAYERS,
        num_attention_heads=HEADS, intermediate_size=2 * WIDTH,
        max_position_embeddings=64, attn_implementation=attention)
    return Named(hf.BertModel(config), ["input_ids", "attention_mask"],
                 "last_hidden_state")


def gpt2():
    return Cached(hf.GPT2LMHeadModel(hf.GPT2Config(
        vocab_size=WORDS, n_positions=64, n_embd=WIDTH, n_layer=LAYERS,
        n_head=HEADS, bos_token_id=0, eos_token_id=0,
        attn_implementation="eager")))


def llama():
    return Cached(hf.LlamaForCausalLM(hf.LlamaConfig(
        vocab_size=WORDS, hidden_size=WIDTH, intermediate_size=2 * WIDTH,
        num_hidden_layers=LAYERS, num_attention_heads=HEADS,
        num_key_value_heads=2, max_position_embeddings=64,
        attn_implementation="eager")))


def vit():
    return Named(hf.ViTForImageClassification(hf.ViTConfig(
        hidden_size=WIDTH, num_hidden_layers=LAYERS, num_attention_heads=HEADS,
        intermediate_size=2 * WIDTH, image_size=32, patch_size=8, num_labels=7)),
        ["pixel_values"], "logits")


def whisper():
    """Sounds of a fixed length, and texts of any length."""
    config = hf.WhisperConfig(
        vocab_size=WORDS, num_mel_bins=8, encoder_layers=1, decoder_layers=1,
        encoder_attention_heads=HEADS,
        decoder_attention_heads=HEADS, encoder_ffn_dim=2 * WIDTH,
        decoder_ffn_dim=2 * WIDTH, d_model=WIDTH, max_source_positions=10,
        max_target_positions=40, use_cache=False, pad_token_id=0, bos_token_id=1,
        eos_token_id=2, decoder_start_token_id=1, attn_implementation="eager")
    return Named(hf.WhisperForConditionalGeneration(config),
                 ["input_features", "decoder_input_ids", "decoder_attention_mask"],
                 "logits")


def t5():
    config = hf.T5Config(
        vocab_size=WORDS, d_model=WIDTH, d_kv=8, d_ff=2 * WIDTH,
        num_layers=1, num_heads=HEADS, use_cache=False,
        decoder_start_token_id=0, feed_forward_proj="gated-gelu")
    return Named(hf.T5ForConditionalGeneration(config),
                 ["input_ids", "attention_mask", "decoder_input_ids"], "logits")


TOKENS = {0: "batch", 1: "length"}
# Of a decoder with a cache: 3 tokens after 5.
STEP = {"tokens": (2, 3), "mask": (2, 8)}
PAST = [f"{kind}{layer}" for layer in range(LAYERS) for kind in "kv"]
STEP_AXES = {"tokens": TOKENS, "mask": {0: "batch", 1: "total"},
             **{name: {0: "batch", 2: "past"} for name in PAST}}
PRESENT = ["logits", *(f"new_{name}" for name in PAST)]
# As torch_models.MODELS.
MODELS = {
    "bert_eager": (lambda: bert("eager"), {"tokens": (2, 6), "mask": (2, 6)},
                   {"tokens": TOKENS, "mask": TOKENS}, ["y"]),
    "bert_sdpa": (lambda: bert("sdpa"), {"tokens": (2, 6), "mask": (2, 6)},
                  {"tokens": TOKENS, "mask": TOKENS}, ["y"]),
    "gpt2": (gpt2, {**STEP, **{name: (2, HEADS, 5, 8) for name in PAST}},
             STEP_AXES, PRESENT),
    "llama": (llama, {**STEP, **{name: (2, 2, 5, 8) for name in PAST}},
              STEP_AXES, PRESENT),
    "vit": (vit, {"image": (2, 3, 32, 32)}, {"image": {0: "batch"}}, ["y"]),
    "whisper": (whisper, {"sound": (2, 8, 20), "tokens": (2, 5), "mask": (2, 5)},
                {"sound": {0: "batch"}, "tokens": TOKENS, "mask": TOKENS}, ["y"]),
    "t5": (t5, {"tokens": (2, 6), "mask": (2, 6), "tokens_out": (2, 4)},
           {"tokens": TOKENS, "mask": TOKENS,
            "tokens_out": {0: "batch", 1: "length_out"}}, ["y"]),
}
