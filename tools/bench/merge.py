"""Several results as one, for cases that were measured by several commands.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""


def key(case):
    return case["class"], case["threads"], case["batch"], case["model"]


def merged(all_results):
    """The first ones, with what the others add. What was measured twice is an
    error: times of different runs are not comparable."""
    result = all_results[0]
    for other in all_results[1:]:
        same = set(map(key, result["cases"])) & set(map(key, other["cases"]))
        if same:
            raise SystemExit("both results have " + ", ".join(
                f"{m} ({c}, batch {b}, {t} threads)"
                for c, t, b, m in sorted(same)))
        if other["machine"]["processor"] != result["machine"]["processor"]:
            raise SystemExit("the results are of different machines")
        for field in ("cases", "layers"):
            result[field] += other[field]
        for field in ("missing", "operations"):
            result.setdefault(field, {}).update(other.get(field, {}))
        result.setdefault("further", []).append(other["method"])
    return result


def methods(results):
    """Of each command, in the order in which they were given."""
    return [results["method"], *results.get("further", [])]
