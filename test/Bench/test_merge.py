"""Results of several commands as one report, and what one row stands for.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import copy

import merge
import pytest
import run
import suite
import table

import docs


@pytest.fixture
def other(results):
    """The same cases on two threads and of another batch."""
    more = copy.deepcopy(results)
    (case,) = more["cases"]
    more["cases"] = [{**case, "threads": 2}, {**case, "batch": 8}]
    more["method"] = {"rounds": 5, "turn_seconds": 0.02,
                      "arguments": "small --rounds 5"}
    return more


def test_cases_of_all_are_in_one_report(results, other):
    both = merge.merged([copy.deepcopy(results), other])
    assert list(table.groups(both)) == [
        ("fp32", 1, 1), ("fp32", 2, 1), ("fp32", 1, 8)]
    text = docs.markdown(both)
    assert "There are 3 or 5 rounds" in text
    assert "    tools/bench/run.py small --rounds 5 --out build/bench-2\n" in text
    assert ("--from build/bench-1/results.json build/bench-2/results.json "
            "--write-docs\n") in text
    assert "json --write-docs --page docs/Zen4.md\n" in docs.markdown(
        both, "docs/Zen4.md")


def test_what_one_command_measured_is_told_as_one(results, other):
    """The parts of tools/bench/suite.py; not if one is missing."""
    methods = [{**results["method"], "arguments": arguments}
               for arguments in suite.PARTS.values()]
    results["method"], *results["further"] = methods
    assert "    tools/bench/suite.py\n" in docs.markdown(results)
    assert "    tools/bench/suite.py --page docs/Zen4.md\n" in docs.markdown(
        results, "docs/Zen4.md")
    del results["further"][-1]
    assert "suite.py" not in docs.markdown(results)


def test_each_part_of_the_suite_is_a_command():
    for part in suite.PARTS.values():
        assert run.arguments(part.split()).rounds > 0
        assert part == " ".join(part.split())  # as results.json has it


def test_what_was_measured_twice_is_an_error(results):
    with pytest.raises(SystemExit, match="both results have small"):
        merge.merged([results, copy.deepcopy(results)])


def test_other_systems_get_a_table_of_their_own(results):
    more = copy.deepcopy(results)
    del more["cases"][0]["systems"]["tvm"]
    both = merge.merged([results, more])
    assert list(table.groups(both)) == [
        ("fp32", 1, 1), ("fp32 with further systems", 1, 1)]


def test_ranges_get_a_table_of_their_own(results, other):
    for case in other["cases"]:
        case["systems"]["glow range"] = {**case["systems"]["glow"],
                                         "ranges": {"x": "1..8x4"}}
    both = merge.merged([results, other])
    assert list(table.groups(both)) == [
        ("fp32", 1, 1), ("fp32, ranges", 2, 1), ("fp32, ranges", 1, 8)]


def test_results_of_two_machines_are_not_merged(results, other):
    other["machine"]["processor"] = "another"
    with pytest.raises(SystemExit, match="different machines"):
        merge.merged([results, other])


def test_costs_are_those_with_the_most_threads(results, other):
    both = merge.merged([results, other])
    assert list(table.cost_groups(both)) == [("fp32", 2, 1), ("fp32", 1, 8)]


def test_failures_for_one_reason_are_one_row(results, other):
    both = merge.merged([results, other])
    rows = [line for line in table.shortfall_text(both).splitlines()
            if line.startswith("| openvino")]
    assert rows == ["| openvino | small | 3 cases | not installed: No module "
                    "named 'openvino' |"]
