"""Several results as one, for cases that were measured by several commands.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""


def key(case):
    return case["class"], case["threads"], case["batch"], case["model"]


def merged(all_results):
    """The first ones, with what the others add. A case that was measured again
    with other systems, or for ranges too, gets a table of its own: times of
    different runs are not comparable."""
    result = all_results[0]
    for other in all_results[1:]:
        if other["machine"]["processor"] != result["machine"]["processor"]:
            raise SystemExit("the results are of different machines")
        known = {key(case): case["systems"].keys() for case in result["cases"]}
        for case in other["cases"]:
            if any("ranges" in r for r in case["systems"].values()):
                case["class"] += ", ranges"
            if key(case) not in known:
                continue
            if case["systems"].keys() == known[key(case)]:
                raise SystemExit("both results have {} ({}, batch {}, {} "
                                 "threads)".format(
                                     case["model"], case["class"],
                                     case["batch"], case["threads"]))
            case["class"] += " with further systems"
        for field in ("cases", "layers"):
            result[field] += other[field]
        for field in ("missing", "operations"):
            result.setdefault(field, {}).update(other.get(field, {}))
        result.setdefault("further", []).append(other["method"])
    return result


def methods(results):
    """Of each command, in the order in which they were given."""
    return [results["method"], *results.get("further", [])]
