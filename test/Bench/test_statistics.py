"""The benchmark's arithmetic.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import experiment
import layers
import machine
import numpy as np
import onnx
import operations
import pytest
import timing
from builders.graph import Graph
from builders.inputs import make_inputs


def test_quantile_is_linear_between_neighbours():
    assert timing.quantile([4, 1, 3, 2], 0.5) == 2.5
    assert timing.quantile([1, 2], 0.0) == 1
    assert timing.quantile([1, 2], 1.0) == 2
    assert timing.quantile([7], 0.9) == 7


def test_summary_takes_medians_of_runs_and_of_rounds():
    summary = timing.summary([[0.001, 0.002, 0.002, 0.009], [0.004]])
    assert summary["runs"] == 5
    assert summary["median_ms"] == pytest.approx(3)
    assert summary["min_ms"] == pytest.approx(1)
    assert summary["rounds_ms"] == pytest.approx([2, 4])


def test_ratio_above_one_when_ours_is_faster():
    ours = timing.summary([[0.001], [0.002]])
    theirs = timing.summary([[0.002], [0.006]])
    ratio = timing.ratio(ours, theirs)
    assert ratio["ratio"] == pytest.approx(4 / 1.5)
    # 1, 2, 3 and 6.
    assert (ratio["low"], ratio["high"]) == pytest.approx((1.75, 3.75))


def test_geometric_mean():
    assert timing.geometric_mean([0.5, 2, 8]) == pytest.approx(2)
    assert timing.geometric_mean([]) is None


def test_fraction_of_peak_compares_within_each_round():
    # 1 GFLOP in 10 and 20 ms is 100 and 50 GFLOP/s.
    assert timing.fraction_of_peak(1, [10, 20], [200, 100]) == pytest.approx(
        0.5)


def record(system, milliseconds, status="ok"):
    return {"system": system, "status": status,
            **timing.summary([[milliseconds / 1e3]])}


def test_ratio_is_to_the_fastest_peer_whose_answer_is_right():
    ratios = experiment.ratios({
        "glow": record("glow", 10), "jax": record("jax", 40),
        "tvm": record("tvm", 1, "wrong"), "iree": record("iree", 20)})
    assert ratios["glow"]["peer"] == "iree"
    assert ratios["glow"]["ratio"] == pytest.approx(2)


def test_no_ratio_without_a_peer_or_a_right_answer():
    assert experiment.ratios({"glow": record("glow", 10)}) == {}
    assert experiment.ratios({"glow": record("glow", 10, "wrong"),
                              "jax": record("jax", 40)}) == {}


def test_modes_compete_in_their_class():
    settings = experiment.Settings(
        ["glow", "openvino"], ["fp32", "fp32-fast", "bf16"], 1, 0, 0, "", "")
    assert list(experiment.entries_of(settings, "fp32")) == [
        ("glow", "fp32"), ("glow", "fp32-fast"), ("openvino", "fp32")]
    assert list(experiment.entries_of(settings, "bf16")) == [
        ("glow", "bf16"), ("openvino", "bf16")]


def test_counts_products_of_convolution_gemm_and_lstm(tmp_path):
    g = Graph("counted", opset=17)
    x = g.input("image", ["batch", 4, 8, 8])
    x = g.node("Conv", x, g.normal("w", (6, 2, 3, 3), 1), group=2,
               pads=[1, 1, 1, 1])
    x = g.node("Flatten", x)
    x = g.node("Gemm", x, g.normal("v", (10, 6 * 64), 1), transB=1)
    x = g.node("Unsqueeze", x, np.array([0]))
    x, _, _ = g.node("LSTM", x, g.normal("W", (1, 20, 10), 1),
                     g.normal("R", (1, 20, 5), 1), outputs=3, hidden_size=5)
    g.output(x, "y", [1, 1, "batch", 5])
    path = tmp_path / "counted.onnx"
    model = g.model()
    onnx.save(model, path)
    batch = 3
    conv = batch * 6 * 64 * 2 * 9
    gemm = batch * 10 * 6 * 64
    lstm = batch * 4 * 5 * (10 + 5)
    counted = operations.operations(path, make_inputs(model, batch))
    assert counted == 2 * (conv + gemm + lstm)
    assert operations.weight_bytes(path) == 4 * (
        6 * 2 * 9 + 10 * 6 * 64 + 20 * 15)


def test_kernels_take_medians_and_shares_of_the_peak():
    def run(ns):
        return [{"op": "conv", "name": "a", "ns": ns, "flops": 1000,
                 "bytes": 100}]
    row, = layers.kernels([run(10), run(90), run(20)],
                          {"gflops": 200, "gbps": 50}, "fp32")
    assert row["ns"] == 20
    assert row["gflops"] == 50 and row["peak_fraction"] == 0.25
    assert row["gbps"] == 5 and row["bandwidth_fraction"] == 0.1
    assert "tile_fraction" not in row  # a machine without tile registers


@pytest.mark.parametrize("mode, fraction", [
    ("bf16", 0.25), ("fp32-fast", 0.75), ("fp32", 1.5), ("strict", None)])
def test_products_of_pieces_take_several_of_tile_registers(mode, fraction):
    run = [{"op": "matmul", "ns": 1, "flops": 500, "bytes": 1}]
    row, = layers.kernels(
        [run], {"gflops": 200, "tile_gflops": 2000, "gbps": 50}, mode)
    assert row.get("tile_fraction") == fraction


def test_products_are_described_by_their_shapes(tmp_path):
    g = Graph("shapes", opset=17)
    x = g.input("x", ["batch", 4, 6, 6])
    y = g.node("Conv", x, g.normal("w", (8, 2, 3, 3), 1), group=2,
               strides=[2, 2], kernel_shape=[3, 3])
    y = g.node("Reshape", y, [0, 8, -1])
    z = g.node("MatMul", y, g.node("Transpose", y, perm=[0, 2, 1]))
    g.output(z, "z", ["batch", 8, 8])
    path = tmp_path / "shapes.onnx"
    model = g.model()
    onnx.save(model, path)
    shapes = operations.shapes_of_nodes(path, make_inputs(model, 3, seed=0))
    assert shapes == {"/Conv": "4x6x6, 3x3 by 2 in 2 groups, to 8",
                      "/MatMul": "3 of 8x4x8"}
    assert layers.shape_of("/Conv+/Relu+/MatMul", shapes) == (
        "4x6x6, 3x3 by 2 in 2 groups, to 8 and 3 of 8x4x8")
    assert layers.shape_of("/Relu", shapes) == ""


def test_kernels_are_summed_by_shape():
    rows = [{"op": "conv", "shape": shape, "ns": 5, "flops": flops,
             "bytes": 7} for shape, flops in [("a", 1), ("b", 2), ("a", 1),
                                              ("a", 0), ("", 9)]]
    assert layers.by_shape(rows) == {
        ("conv", "a"): {"calls": 2, "ns": 10, "flops": 2, "bytes": 14},
        ("conv", "b"): {"calls": 1, "ns": 5, "flops": 2, "bytes": 7}}


def test_kernels_are_summed_by_operation():
    rows = [{"op": op, "ns": ns, "flops": 2 * ns, "bytes": 1}
            for op, ns in [("copy", 1), ("conv", 5), ("copy", 2)]]
    assert layers.by_operation(rows) == {
        "conv": {"calls": 1, "ns": 5, "flops": 10, "bytes": 1},
        "copy": {"calls": 2, "ns": 3, "flops": 6, "bytes": 2}}


def test_shares_of_sums_are_those_of_the_whole_time():
    rows = [{"op": "conv", "ns": ns, "flops": 1, "bytes": 1,
             "peak_fraction": share}
            for ns, share in [(1, 0.5), (3, 0.1)]]
    total = layers.by_operation(rows)["conv"]
    assert total["peak_fraction"] == pytest.approx(0.2)


def test_a_machine_is_quiet_if_all_its_arithmetic_is_fast(monkeypatch,
                                                          tmp_path):
    rates = {0: [100e9, 99e9, 99e9, 80e9], 1: [2000e9, 1990e9, 1000e9, 2000e9],
             2: [10e9] * 4}
    monkeypatch.setattr(machine, "_compiled", lambda folder: (
        lambda kind, *_: rates[kind].pop(0)))
    probe = machine.Probe(tmp_path, 1)
    first = probe.measure()
    assert first == pytest.approx({"gflops": 100, "tile_gflops": 2000,
                                   "gbps": 10})
    assert probe.is_quiet(first, 0.95, 0.6)
    assert [probe.is_quiet(probe.measure(), 0.95, 0.6) for _ in range(3)] == [
        True, False, False]


def test_a_machine_is_disturbed_if_memory_is_far_slower_than_usual(monkeypatch,
                                                                   tmp_path):
    """A single fast reading is not what all others should have."""
    readings = [60e9, 31e9, 33e9, 30e9, 14e9]
    monkeypatch.setattr(machine, "_compiled", lambda folder: (
        lambda kind, *_: readings.pop(0) if kind == 2 else 1e9))
    probe = machine.Probe(tmp_path, 1)
    peaks = [probe.measure() for _ in range(5)]
    assert [probe.is_quiet(peak, 0.95, 0.6) for peak in peaks] == [
        True, True, True, True, False]


def test_a_machine_without_tile_registers_has_no_peak_of_them(monkeypatch,
                                                              tmp_path):
    monkeypatch.setattr(machine, "_compiled", lambda folder: (
        lambda kind, *_: 0 if kind == 1 else 1e9))
    probe = machine.Probe(tmp_path, 1)
    peak = probe.measure()
    assert peak == {"gflops": 1, "gbps": 1} and probe.is_quiet(peak, 0.95, 0.6)
