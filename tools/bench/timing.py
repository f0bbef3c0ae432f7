"""Statistics of interleaved rounds.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import math
import statistics


def quantile(values, part):
    """Linear between the two nearest of the sorted values."""
    values = sorted(values)
    place = part * (len(values) - 1)
    low = math.floor(place)
    high = min(low + 1, len(values) - 1)
    return values[low] + (values[high] - values[low]) * (place - low)


def summary(rounds):
    """Of the runs, grouped by round: seconds in, milliseconds out. All rounds
    count alike, although one that is slow has fewer runs."""
    times = [1e3 * t for r in rounds for t in r]
    medians = [1e3 * statistics.median(r) for r in rounds]
    return {"runs": len(times), "median_ms": statistics.median(medians),
            "min_ms": min(times), "p90_ms": quantile(times, 0.9),
            "rounds_ms": medians}


def ratio(ours, theirs):
    """How many times faster `ours` is: of the medians, and the middle half
    of what any round of one says beside any round of the other."""
    each = [b / a for a in ours["rounds_ms"] for b in theirs["rounds_ms"]]
    return {"ratio": theirs["median_ms"] / ours["median_ms"],
            "low": quantile(each, 0.25), "high": quantile(each, 0.75)}


def geometric_mean(values):
    values = list(values)
    if not values:
        return None
    return math.exp(sum(map(math.log, values)) / len(values))


def fraction_of_peak(amount, rounds_ms, peaks):
    """The median, over rounds, of what was achieved to what was possible in
    the same round. `amount` is per run; `peaks` are a second."""
    return statistics.median(
        amount / (1e-3 * ms) / peak for ms, peak in zip(rounds_ms, peaks))


def summary_of_peaks(rates):
    return {"median": statistics.median(rates), "min": min(rates),
            "max": max(rates)}
