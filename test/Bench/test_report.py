"""Tables, the page and the document, from results that are made up.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import html.parser
import re
import xml.etree.ElementTree

import page
import plots
import pytest
import table
from conftest import measured

import docs


@pytest.mark.parametrize("value, text", [
    (0.0612, "0.06"), (1.234, "1.23"), (12.345, "12.3"), (123.45, "123"),
    (1234.5, "1234")])
def test_milliseconds_have_three_digits(value, text):
    assert table.milliseconds(value) == text


def test_table_has_times_ratios_and_what_is_missing(results):
    text = table.markdown(results)
    assert "## fp32, batch 1, 1 thread\n" in text
    row = next(line for line in text.splitlines()
               if line.startswith("| small | 100 |"))
    cells = [c.strip() for c in row.strip("|").split("|")]
    assert cells == [
        "small", "100", "100", "2.00 (50 %)", "5.00 (50 %)", "3.00 (50 %)",
        "6.00 (50 %)", "not installed", "WRONG",
        "1.50 (1.50–1.50, onnxruntime)", "0.60 (0.60–0.60, onnxruntime)"]
    assert "glow: geometric mean of the ratio 1.50 over 1 model" in text


def test_range_is_compared_with_static(results):
    case = results["cases"][0]
    assert "static" not in table.speeds([case])
    case["systems"]["glow range"] = {**measured("glow", 0.0021),
                                     "ranges": {"x": "1..8x4"}}
    head, _, row = table.speeds([case]).splitlines()
    assert head.endswith("| glow range / static |") and row.endswith("| 1.05 (1.05–1.05) |")
    assert ("glow range: geometric mean of its time over that of the model "
            "compiled for these shapes 1.05, most 1.05 (small)"
            ) in table.means_text([case])
    case["systems"]["glow"]["status"] = "wrong"
    assert not table.overheads([case])


def test_says_what_was_disturbed(results):
    case = {**results["cases"][0], "disturbed_turns": 2,
            "never_quiet": ["glow", "jax"]}
    text = table.means_text([case])
    assert "made again, since other work slowed the machine: 2 turns.\n" in text
    assert ("Without a turn that nothing slowed: "
            f"{case['model']} (glow, jax).\n") in text


def test_no_row_is_dropped_silently(results):
    rows = table.shortfalls(results)
    assert [(r[0], r[3]) for r in rows] == [("openvino", "not installed"),
                                            ("tvm", "WRONG")]
    assert table.slower(results) == [
        (pytest.approx(0.6), "glow strict", "small", "fp32, batch 1, 1 thread",
         "onnxruntime")]
    assert "relative error 0.5 \\| more than &lt;1e-4>" in \
        table.shortfall_text(results)


def test_every_row_of_a_table_has_all_columns(results):
    for text in (table.speeds(results["cases"]),
                 table.costs(results["cases"]),
                 table.shortfall_text(results),
                 page.layer_table(results["layers"][0])):
        counts = {len(re.findall(r"(?<!\\)\|", line))
                  for line in text.splitlines()}
        assert len(counts) == 1, text


class Checker(html.parser.HTMLParser):
    """Every tag is closed; nothing refers to another file."""

    VOID = {"meta"}

    def __init__(self):
        super().__init__()
        self.open, self.links = [], []

    def handle_starttag(self, tag, attributes):
        if tag not in self.VOID:
            self.open.append(tag)
        self.links += [v for k, v in attributes if k in ("src", "href")]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_page_is_whole_and_needs_no_other_file(results):
    text = page.html(results)
    checker = Checker()
    checker.feed(text)
    assert checker.open == [] and checker.links == []
    assert "<script" not in text and "url(" not in text
    assert "/a &amp; b" in text and "&lt;1e-4&gt;" in text


def test_plots_are_well_formed(results):
    bars = plots.bars([("small", {"glow": 2.0, "jax": 6.0}),
                       ("large", {"glow": 2000.0})], ["glow", "jax"], "ms")
    roof = plots.roofline(results["layers"][0])
    for svg in (bars, roof[roof.index("<svg"):]):
        xml.etree.ElementTree.fromstring(svg)
    assert bars.count("<rect") == 3
    assert roof.count("<circle") == 1  # a copy computes nothing


def test_plots_of_nothing_are_empty(results):
    assert plots.bars([("small", {})], ["glow"], "ms") == ""
    results["layers"][0]["kernels"] = []
    assert plots.roofline(results["layers"][0]) == ""


def test_title_names_the_machine(results):
    assert docs.markdown(results).startswith(
        "# Benchmarks: a processor (family/model 6/1), 2 processors\n")
    results["machine"].update(family_model="6/207", features=["amx_tile"])
    assert docs.markdown(results).startswith(
        "# Benchmarks: a processor (Emerald Rapids) with AMX, 2 processors\n")


def test_document_says_what_was_used(results):
    text = docs.markdown(results)
    for part in ("Measured on 2026-01-02: a processor", "onnxruntime 1.0",
                 "There are 3 rounds", "not installed", "| conv | 1 |"):
        assert part in text, part
    assert "{" not in text
