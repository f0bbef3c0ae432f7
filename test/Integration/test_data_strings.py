"""Functions of the runtime whose results have as many elements as the data
says: one program for all, compiled, interpreted and ahead of time.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import struct
import zlib

import numpy as np
import onnx
import pytest
from libraries import compile_library, run_compiled
from onnx import TensorProto, helper
from plain_c import CC, FLAGS, TREE, call, program_text
from string_models import F, I64, S, check, compiled, model, node, text, value

import glow

U8 = TensorProto.UINT8


def split_and_sum():
    """Rows of numbers as text; the sum of each row, missing ones being 0."""
    return model(
        [node("StringSplit", ["x"], ["pieces", "n"], delimiter=","),
         node("Equal", ["pieces", "empty"], ["missing"]),
         node("Where", ["missing", "nought", "pieces"], ["whole"]),
         node("Cast", ["whole"], ["numbers"], to=F),
         node("ReduceSum", ["numbers", "axis"], ["y"], keepdims=0)],
        [value("x", [None])],
        [value("y", [None], F), value("n", [None], I64),
         value("whole", [None, None])],
        {"empty": text(""), "nought": text("0"),
         "axis": np.array([1])}.items())


ROWS = [["1,2,3", "4.5"], ["", "7,-7", "1,1,1,1,1,1,1,1"], ["8"]]


def sums(rows):
    cells = [[c or "0" for c in r.split(",")] for r in rows]
    most = max(map(len, cells))
    return {"y": np.array([sum(map(float, c)) for c in cells], np.float32),
            "n": [len(c) for c in cells],
            "whole": [c + ["0"] * (most - len(c)) for c in cells]}


def test_split_then_compute(backend):
    made = split_and_sum()
    for rows in ROWS:
        check(made, {"x": text(rows)}, backend, sums(rows))


def test_split_of_a_range_of_lengths():
    program = glow.compile(split_and_sum().SerializeToString(),
                           shapes={"x": [(1, 5)]})
    for rows in ROWS:
        got, want = program.run({"x": text(rows)}), sums(rows)
        assert got["whole"].tolist() == want["whole"]
        assert got["n"].tolist() == want["n"]
        np.testing.assert_array_equal(got["y"], want["y"])


def test_words_that_are_left(backend):
    """Words behind one another, of which how many is known only then."""
    made = model([node("StringNormalizer", ["x"], ["kept"], stopwords=["the"]),
                  node("StringConcat", ["kept", "mark"], ["marked"]),
                  node("Concat", ["marked", "kept"], ["y"], axis=0)],
                 [value("x", [4])], [value("y", [None])],
                 {"mark": text("!")}.items())
    program = compiled(made, backend)
    for words in (["the", "a", "b", "the"], ["the"] * 4, list("abcd")):
        kept = [w for w in words if w != "the"] or [""]
        got = program.run({"x": text(words)})["y"].tolist()
        assert got == [w + "!" for w in kept] + kept


def png(pixels):
    """A picture as a file, without a filter."""
    def chunk(kind, data):
        body = kind + data
        return (struct.pack(">I", len(data)) + body
                + struct.pack(">I", zlib.crc32(body)))
    height, width, _ = pixels.shape
    lines = b"".join(b"\0" + line.tobytes() for line in pixels)
    return (b"\x89PNG\r\n\x1a\n"
            + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0,
                                         0))
            + chunk(b"IDAT", zlib.compress(lines)) + chunk(b"IEND", b""))


def picture(height, width):
    rng = np.random.default_rng(height)
    return rng.integers(0, 256, (height, width, 3)).astype(np.uint8)


def decoder(length=None):
    return model([node("ImageDecoder", ["x"], ["y"])],
                 [value("x", [length], U8)], [value("y", [None, None, 3], U8)])


def as_bytes(pixels, length=None):
    data = np.frombuffer(png(pixels), np.uint8)
    return np.pad(data, (0, (length or data.size) - data.size))


def test_pictures_of_any_size(backend):
    program = compiled(decoder(4000), backend)
    for size in ((1, 1), (17, 40), (40, 3)):
        pixels = picture(*size)
        got = program.run({"x": as_bytes(pixels, 4000)})["y"]
        np.testing.assert_array_equal(got, pixels)


def test_a_picture_that_is_too_large_is_refused():
    program = compiled(decoder(), "cpu")
    data = as_bytes(np.zeros((1, 5000, 3), np.uint8))
    with pytest.raises(glow.GlowError, match="'node'.*5000 elements along "
                       "axis 1, the model was compiled for at most 4096"):
        program.run({"x": data})


def test_more_pieces_than_there_is_room_for():
    made = model([node("StringSplit", ["x"], ["y", "n"])],
                 [value("x", [1])], [value("y", [1, None]),
                                     value("n", [1], I64)])
    program = compiled(made, "cpu")
    assert program.run({"x": text(["a " * 256])})["n"].tolist() == [256]
    with pytest.raises(glow.GlowError, match="'node'.*at most 256; compile it "
                       "with --most=node=257"):
        program.run({"x": text(["a " * 257])})
    larger = glow.compile(made.SerializeToString(), options={"most": "node=300"})
    assert larger.run({"x": text(["a " * 257])})["n"].tolist() == [257]
    with pytest.raises(glow.GlowError, match="has no node 'other'"):
        glow.compile(made.SerializeToString(), options={"most": "other=300"})


def run_library(bin_dir, folder, made, inputs):
    shapes = [f"--shape={n}={'x'.join(map(str, a.shape))}"
              for n, a in inputs.items()]
    compile_library(bin_dir, folder, made, *shapes)
    return run_compiled(bin_dir, folder, inputs, [o.name for o in made.graph.output])


def test_libraries(tmp_path, bin_dir):
    for rows in ROWS:
        got = run_library(bin_dir, tmp_path, split_and_sum(), {"x": text(rows)})
        assert got["whole"].tolist() == sums(rows)["whole"]
        np.testing.assert_array_equal(got["y"], sums(rows)["y"])
    pixels = picture(20, 31)
    got = run_library(bin_dir, tmp_path, decoder(), {"x": as_bytes(pixels)})
    np.testing.assert_array_equal(got["y"], pixels)


def test_a_picture_in_plain_c(tmp_path, bin_dir):
    """A program of its own that hands the runtime's functions to a model."""
    alone = "GlowExec exec = {sizeof(exec), NULL, NULL, 1, NULL}; /* one thread */"
    source = program_text("run-model.c")
    assert alone in source
    (tmp_path / "run.c").write_text(
        '#include "glow-c/Runtime.h"\n' + source.replace(
            alone, "GlowRtHost *host;\n  glow_rt_host_create(&host);\n"
            "GlowExec exec = {sizeof(exec), NULL, host, 1, glow_rt_call_host};"))
    library = bin_dir.parent / "lib"
    call(CC, *FLAGS, f"-I{TREE}/include", tmp_path / "run.c", "-o",
         tmp_path / "run", f"-L{library}", f"-Wl,-rpath,{library}",
         "-lGlowRuntime", "-ldl")
    onnx.save(decoder(4000), tmp_path / "model.onnx")
    call(bin_dir / "glow-compile", tmp_path / "model.onnx", "-o",
         tmp_path / "model.so", "--most=node=64")
    for size in ((5, 9), (64, 2)):
        pixels = picture(*size)
        (tmp_path / "x").write_bytes(as_bytes(pixels, 4000).tobytes())
        data = call(tmp_path / "run", tmp_path / "model.so", tmp_path / "x")
        height, width = np.frombuffer(data[-16:], np.int64)
        assert (height, width) == size
        whole = np.frombuffer(data[:-16], np.uint8).reshape(64, 64, 3)
        np.testing.assert_array_equal(whole[:height, :width], pixels)
