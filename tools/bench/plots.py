"""Plots as SVG, made of text: no library, no script.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import math
from html import escape

# Told apart by the most common forms of colour blindness (Okabe and Ito).
COLOURS = ["#d55e00", "#0072b2", "#009e73", "#e69f00", "#56b4e9", "#cc79a7",
           "#666666", "#000000", "#f0e442"]


def colours(names):
    return {n: COLOURS[i % len(COLOURS)] for i, n in enumerate(names)}


def _text(x, y, text, anchor="start", extra=""):
    return (f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{extra}>'
            f"{escape(str(text))}</text>")


def _line(x1, y1, x2, y2, style="grid"):
    return (f'<line class="{style}" x1="{x1:.1f}" y1="{y1:.1f}" '
            f'x2="{x2:.1f}" y2="{y2:.1f}"/>')


def _svg(width, height, parts):
    return (f'<svg viewBox="0 0 {width:.0f} {height:.0f}" '
            f'width="{width:.0f}" xmlns="http://www.w3.org/2000/svg">'
            + "".join(parts) + "</svg>")


def legend(names):
    marks = "".join(
        f'<span><i style="background:{colour}"></i>{escape(name)}</span>'
        for name, colour in colours(names).items())
    return f'<div class="legend">{marks}</div>'


def bars(groups, systems, unit):
    """Horizontal bars on a logarithmic scale.

    groups: [(label, {system: value})]; a system without a value has no bar.
    """
    values = [v for _, row in groups for v in row.values() if v]
    if not values:
        return ""
    low = 10 ** math.floor(math.log10(min(values)))
    high = 10 ** math.ceil(math.log10(max(values) * 1.0001))
    left, width, bar, gap, top = 150, 560, 9, 12, 24
    colour = colours(systems)

    def x(value):
        return left + width * math.log(value / low) / math.log(high / low)
    parts, y = [], top
    for label, row in groups:
        shown = [s for s in systems if row.get(s)]
        parts.append(_text(left - 8, y + bar * len(shown) / 2 + 4, label,
                           "end"))
        for system in shown:
            value = row[system]
            parts.append(
                f'<rect x="{left}" y="{y}" width="{max(1, x(value) - left):.1f}"'
                f' height="{bar - 1}" fill="{colour[system]}"><title>'
                f"{escape(label)}, {escape(system)}: {value:.4g} {unit}"
                "</title></rect>")
            y += bar
        y += gap
    ticks = []
    tick = low
    while tick <= high * 1.001:
        ticks += [_line(x(tick), top - 6, x(tick), y - gap + 4),
                  _text(x(tick), 12, f"{tick:g} {unit}", "middle")]
        tick *= 10
    return _svg(left + width + 60, y, ticks + parts)


def roofline(record):
    """Each kernel by operations per byte and by speed; the area of a dot is
    its share of the time, the line what the machine could do."""
    peak = record["peak"]
    dots = [k for k in record["kernels"] if k["flops"] and k["bytes"]]
    if not dots:
        return ""
    total = sum(k["ns"] for k in record["kernels"])
    intensity = [k["flops"] / k["bytes"] for k in dots]
    ridge = peak["gflops"] / peak["gbps"]
    x0, x1 = _decades([*intensity, ridge / 2, ridge * 4])
    y0, y1 = _decades([*(k["gflops"] for k in dots), peak["gflops"]])
    left, top, width, height = 60, 20, 620, 360

    def x(value):
        return left + width * math.log(value / x0) / math.log(x1 / x0)

    def y(value):
        return top + height * (1 - math.log(value / y0) / math.log(y1 / y0))
    parts = _axes(x, y, (x0, x1), (y0, y1))
    start = max(x0, y0 / peak["gbps"])
    parts += [_line(x(start), y(start * peak["gbps"]), x(ridge),
                    y(peak["gflops"]), "roof"),
              _line(x(ridge), y(peak["gflops"]), x(x1), y(peak["gflops"]),
                    "roof")]
    names = list(dict.fromkeys(k["op"] for k in sorted(
        dots, key=lambda k: -k["ns"])))
    colour = colours(names)
    for kernel, flops_per_byte in zip(dots, intensity):
        radius = 2 + 40 * math.sqrt(kernel["ns"] / total)
        parts.append(
            f'<circle cx="{x(flops_per_byte):.1f}" '
            f'cy="{y(max(y0, kernel["gflops"])):.1f}" r="{radius:.1f}" '
            f'fill="{colour[kernel["op"]]}"><title>'
            f"{escape(kernel['op'])} {escape(kernel['name'])}: "
            f"{kernel['ns'] / 1e3:.1f} us, {kernel['gflops']:.1f} GFLOP/s, "
            f"{kernel['gbps']:.1f} GB/s</title></circle>")
    return legend(names) + _svg(left + width + 20, top + height + 40, parts)


def _decades(values):
    low, high = min(v for v in values if v > 0), max(values)
    return (10 ** math.floor(math.log10(low)),
            10 ** math.ceil(math.log10(high * 1.0001)))


def _axes(x, y, xs, ys):
    parts, tick = [], xs[0]
    while tick <= xs[1] * 1.001:
        parts += [_line(x(tick), y(ys[0]), x(tick), y(ys[1])),
                  _text(x(tick), y(ys[0]) + 16, f"{tick:g}", "middle")]
        tick *= 10
    tick = ys[0]
    while tick <= ys[1] * 1.001:
        parts += [_line(x(xs[0]), y(tick), x(xs[1]), y(tick)),
                  _text(x(xs[0]) - 6, y(tick) + 4, f"{tick:g}", "end")]
        tick *= 10
    parts += [_text(x(xs[1]), y(ys[0]) + 32, "operations per byte", "end"),
              _text(x(xs[0]), y(ys[1]) - 8, "GFLOP/s", "middle")]
    return parts
