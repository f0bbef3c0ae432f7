"""Operators on strings.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np
import pytest
from onnx import TensorProto, helper
from string_models import (BOOL, F, I64, ML, S, check, compiled, model, node,
                           text, value)

import glow


def test_equal(backend):
    made = model([node("Equal", ["a", "b"])],
                 [value("a", [2, 3]), value("b", [3])],
                 [value("y", [2, 3], BOOL)])
    check(made, {"a": text([["x", "yy", ""], ["Grüße", "b", "c\0d"]]),
                 "b": text(["x", "y", "c\0d"])}, backend,
          {"y": [[True, False, False], [False, False, True]]})


def test_concat_strings(backend):
    made = model([node("StringConcat", ["a", "b"])],
                 [value("a", [2, 1]), value("b", [3])], [value("y", [2, 3])])
    check(made, {"a": text([["a"], [""]]), "b": text(["1", "", "Ж"])}, backend,
          {"y": [["a1", "a", "aЖ"], ["1", "", "Ж"]]})


@pytest.mark.parametrize("case", ["NONE", "LOWER", "UPPER"])
@pytest.mark.parametrize("sensitive", [0, 1])
def test_normalizer(backend, case, sensitive):
    made = model([node("StringNormalizer", case_change_action=case,
                       is_case_sensitive=sensitive, locale="en_US.UTF-8",
                       stopwords=["Monday", "café"])],
                 [value("x", [5])], [value("y", [None])])
    words = ["monday", "Monday", "CAFÉ", "Éclair", "w"]
    stops = {"Monday", "café"} if sensitive else {"monday", "café"}
    kept = [w for w in words if (w if sensitive else w.lower()) not in stops]
    change = {"NONE": str, "LOWER": str.lower, "UPPER": str.upper}[case]
    check(made, {"x": text(words)}, backend, {"y": [change(w) for w in kept]})


def test_normalizer_removes_all(backend):
    made = model([node("StringNormalizer", stopwords=["a"])],
                 [value("x", [1, 2])], [value("y", [1, None])])
    check(made, {"x": text([["a", "A"]])}, backend, {"y": [[""]]})


def test_normalizer_of_another_shape_each_run(backend):
    made = model([node("StringNormalizer", stopwords=["a"])],
                 [value("x", [None])], [value("y", [None])])
    program = compiled(made, backend)
    for words in (["a", "b"], ["c", "d", "e"], ["a"], ["a", "b"]):
        got = program.run({"x": text(words)})["y"].tolist()
        assert got == ([w for w in words if w != "a"] or [""])


@pytest.mark.parametrize("attributes", [
    {}, {"delimiter": ""}, {"delimiter": "--"}, {"maxsplit": 1},
    {"delimiter": "-", "maxsplit": 2}, {"maxsplit": 0}])
def test_split(backend, attributes):
    made = model([node("StringSplit", ["x"], ["y", "n"], **attributes)],
                 [value("x", [2, 2])], [value("y", [2, 2, None]),
                                        value("n", [2, 2], I64)])
    words = [["a b  c ", ""], ["x--y---z", " \t lone"]]
    pieces = [[w.split(attributes.get("delimiter") or None,
                       attributes.get("maxsplit", -1)) for w in row]
              for row in words]
    counts = [[len(p) for p in row] for row in pieces]
    most = max(max(row) for row in counts)
    padded = [[p + [""] * (most - len(p)) for p in row] for row in pieces]
    check(made, {"x": text(words)}, backend, {"y": padded, "n": counts})


def test_regex(backend):
    made = model([node("RegexFullMatch", pattern=r"(\w+)@(\w+)\.(com|org)")],
                 [value("x", [None])], [value("y", [None], BOOL)])
    check(made, {"x": text(["a@b.com", "a@b.de", " a@b.com", ""])}, backend)


def test_regex_takes_bounded_time_and_memory():
    made = model([node("RegexFullMatch", pattern="(a*)*b")],
                 [value("x", [1])], [value("y", [1], BOOL)])
    check(made, {"x": text(["a" * 200000])}, "cpu", {"y": [False]})
    with pytest.raises(glow.GlowError, match="'node'.*no regular expression"):
        compiled(model([node("RegexFullMatch", pattern="((a{999}){999}){9}")],
                       [value("x", [1])], [value("y", [1], BOOL)]), "cpu")
    with pytest.raises(glow.GlowError, match="'node'.*missing"):
        compiled(model([node("RegexFullMatch", pattern="(a")],
                       [value("x", [1])], [value("y", [1], BOOL)]), "cpu")


@pytest.mark.parametrize("mode", ["TF", "IDF", "TFIDF"])
@pytest.mark.parametrize("kind", [S, I64])
@pytest.mark.parametrize("skip", [0, 2])
def test_tf_idf(backend, mode, kind, skip):
    numbers = [2, 3, 5, 4, 5, 6, 7, 8, 6, 7]
    pool = ({"pool_int64s": numbers} if kind == I64 else
            {"pool_strings": [f"w{n}" for n in numbers]})
    made = model([node("TfIdfVectorizer", mode=mode, min_gram_length=1,
                       max_gram_length=2, max_skip_count=skip,
                       ngram_counts=[0, 4], ngram_indexes=list(range(7)),
                       weights=[0.5, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0], **pool)],
                 [value("x", [2, 6], kind)], [value("y", [2, 7], F)])
    x = np.array([[1, 5, 6, 3, 3, 8], [7, 8, 5, 6, 7, 6]])
    if kind == S:
        x = text([[f"w{n}" for n in row] for row in x])
    check(made, {"x": x}, backend)


LABELS = {S: ["a", "b", "c", "ü"], I64: [1, -2, 3, 1 << 40],
          F: [0.5, -1.0, 1e30, 7.25]}
NAMES = {S: "strings", I64: "int64s", F: "floats"}


@pytest.mark.parametrize("keys", LABELS)
@pytest.mark.parametrize("values", LABELS)
def test_label_encoder(backend, keys, values):
    default = {S: {"default_string": "?"}, I64: {"default_int64": 9},
               F: {"default_float": 2.5}}[values]
    made = model([node("LabelEncoder", domain=ML, **default, **{
        f"keys_{NAMES[keys]}": LABELS[keys],
        f"values_{NAMES[values]}": LABELS[values][::-1]})],
        [value("x", [2, 3], keys)], [value("y", [2, 3], values)])
    others = {S: ["", "A"], I64: [0, 2], F: [0.0, 8.0]}[keys]
    dtype = {S: np.object_, I64: np.int64, F: np.float32}[keys]
    x = np.array(LABELS[keys] + others, dtype).reshape(2, 3)
    check(made, {"x": x}, backend)


def test_label_encoder_of_tensors(backend):
    made = model([node("LabelEncoder", domain=ML,
                       keys_tensor=helper.make_tensor(
                           "k", S, [2], [b"a", b"b"]),
                       values_tensor=helper.make_tensor(
                           "v", TensorProto.INT16, [2], [-7, 8]),
                       default_tensor=helper.make_tensor(
                           "d", TensorProto.INT16, [1], [1]))],
                 [value("x", [3])], [value("y", [3], TensorProto.INT16)], ml=4)
    check(made, {"x": text(["b", "a", "c"])}, backend, {"y": [8, -7, 1]})


def test_category_mapper(backend):
    lists = {"cats_int64s": [4, 5], "cats_strings": ["cat", "dog"]}
    made = model([node("CategoryMapper", domain=ML, default_int64=-3,
                       **lists)], [value("x", [3])], [value("y", [3], I64)])
    check(made, {"x": text(["dog", "cow", "cat"])}, backend)
    made = model([node("CategoryMapper", domain=ML, **lists)],
                 [value("x", [3], I64)], [value("y", [3])])
    check(made, {"x": np.array([5, 4, 0])}, backend)


def test_one_hot_encoder(backend):
    made = model([node("OneHotEncoder", domain=ML, cats_strings=["a", "b"])],
                 [value("x", [3])], [value("y", [3, 2], F)])
    check(made, {"x": text(["b", "c", "a"])}, backend,
          {"y": np.array([[0, 1], [0, 0], [1, 0]], np.float32)})
    made = model([node("OneHotEncoder", domain=ML, cats_strings=["a", "b"],
                       zeros=0)], [value("x", [1])], [value("y", [1, 2], F)])
    with pytest.raises(glow.GlowError, match="'node'.*none of the known"):
        compiled(made, backend).run({"x": text(["c"])})


@pytest.mark.parametrize("dtype, numbers", [
    ("float32", [0, -0.0, 1, 0.1, 1e-5, 123456.7, 1e16, 3e38, 1e-45, -2.5e-4]),
    ("float64", [0.1, 1 / 3, 1e22, 1e15, 5e-324, 123456789.125]),
    ("float16", [0.1, 500, 6e-8, 1 / 3, -2.75]),
    ("float32", [float("nan"), float("inf"), -float("inf")]),
    ("int8", [-128, 127]), ("uint64", [2**64 - 1, 0]),
    ("bool", [True, False])])
def test_cast_to_string(backend, dtype, numbers):
    x = np.array(numbers, dtype)
    kind = helper.np_dtype_to_tensor_dtype(x.dtype)
    made = model([node("Cast", to=S)], [value("x", x.shape, kind)],
                 [value("y", x.shape)])
    check(made, {"x": x}, backend, {"y": [str(n) for n in x]})


@pytest.mark.parametrize("dtype, strings", [
    ("float32", ["3.14", "1e-5", "1E8", " -2 ", "+7", "NaN", "INF", "-inf",
                 "1e-60", "-1e60"]),
    ("float64", ["0.1", "123456789.123456789"]), ("float16", ["0.1", "1e9"]),
    ("int64", ["9223372036854775807", "-3", "100.5", "1e3"]),
    ("uint8", ["0", "255"]), ("bool", ["0", "1", "True", "False", "2"])])
def test_cast_from_string(backend, dtype, strings):
    kind = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    made = model([node("Cast", to=kind)], [value("x", [len(strings)])],
                 [value("y", [len(strings)], kind)])
    want = [s == "True" if s in ("True", "False") else
            int(s) if s.lstrip("-").isdigit() else float(s) for s in strings]
    got = compiled(made, backend).run({"x": text(strings)})["y"]
    want = [int(w) if dtype == "int64" else w for w in want]
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal(got, np.array(want).astype(dtype))


def test_cast_of_what_is_no_number(backend):
    made = model([node("Cast", to=F)], [value("x", [2])], [value("y", [2], F)])
    for bad in ("", "1,5", "0x10", "1e", "--1", "1\0"):
        with pytest.raises(glow.GlowError, match="'node'.*is no number"):
            compiled(made, backend).run({"x": text(["1", bad])})
