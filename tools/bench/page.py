"""Results as one HTML page that needs nothing else.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from html import escape

import layers
import plots
import table

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem;
       margin: 2rem auto; padding: 0 1rem; color: #222; background: #fff }
table { border-collapse: collapse; font-size: 13px; display: block;
        overflow-x: auto }
th, td { padding: 3px 9px; border-bottom: 1px solid #ddd; text-align: right;
         white-space: nowrap }
th:first-child, td:first-child { text-align: left }
td.long { white-space: normal; text-align: left }
svg { max-width: 100%; height: auto }
svg text { font: 12px system-ui, sans-serif; fill: #333 }
line.grid { stroke: #e3e3e3 } line.roof { stroke: #222; stroke-width: 2 }
circle { fill-opacity: .55; stroke: #fff }
.legend span { margin-right: 1.2em } .legend i { display: inline-block;
  width: .8em; height: .8em; margin-right: .4em }
"""


def _table(markdown):
    """The tables of table.py are Markdown; here they become HTML."""
    rows = [line.strip("| ").replace("\\|", "\0").split(" | ")
            for line in markdown.strip().splitlines()]
    head, body = rows[0], rows[2:]

    def cells(tag, row):
        return "".join(
            f'<{tag}{_class(c)}>{escape(c.replace(chr(0), "|"))}</{tag}>'
            for c in (c.replace("&lt;", "<").strip() for c in row))
    return ("<table><tr>" + cells("th", head) + "</tr>"
            + "".join(f"<tr>{cells('td', r)}</tr>" for r in body)
            + "</table>")


def _class(text):
    return ' class="long"' if len(text) > 60 else ""


def _paragraphs(text):
    return "".join(f"<p>{escape(line)}</p>" for line in text.splitlines()
                   if line)


def _facts(results):
    machine = results.get("machine", {})
    rows = [[k.replace("_", " "), _plain(v)] for k, v in machine.items()]
    rows.append(["date", results.get("date", "")])
    return _table(table.lines(["machine", ""], rows))


def _plain(value):
    if isinstance(value, dict):
        return ", ".join(f"{k} {v}" for k, v in value.items())
    if isinstance(value, list):
        return " ".join(value)
    return str(value)


def _case_group(key, cases):
    systems = table.systems_of(cases)
    times = [(c["model"], {s: r["median_ms"] for s, r in c["systems"].items()
                           if r["status"] == "ok"}) for c in cases]
    return (f"<h2>{escape(table.title(key))}</h2>"
            + _paragraphs(table.means_text(cases))
            + plots.legend(systems) + plots.bars(times, systems, "ms")
            + _table(table.speeds(cases)))


def _cost_group(key, cases):
    return (f"<h2>Compile time, memory, size: {escape(table.title(key))}</h2>"
            + _table(table.costs(cases)))


def _short(name, most=48):
    return name if len(name) <= most else name[:most - 1] + "…"


def layer_table(record, most=40):
    total = sum(k["ns"] for k in record["kernels"]) or 1
    kernels = sorted(record["kernels"], key=lambda k: -k["ns"])[:most]
    return _with_shares(
        ["node", "operation", "us", "% of time", "MFLOP", "MB"], kernels,
        [[_short(k["name"]), k["op"], f"{k['ns'] / 1e3:.1f}",
          f"{100 * k['ns'] / total:.1f}", f"{k['flops'] / 1e6:.2f}",
          f"{k['bytes'] / 1e6:.2f}"] for k in kernels])


def operation_table(record):
    totals = layers.by_operation(record["kernels"])
    return _with_shares(
        ["operation", "instructions", "ms"], totals.values(),
        [[op, str(t["calls"]), f"{t['ns'] / 1e6:.3f}"]
         for op, t in totals.items()])


def shape_table(record):
    """Each kind of product once, with what its calls read and write."""
    totals = layers.by_shape(record["kernels"])
    if not totals:
        return ""
    return _with_shares(
        ["products", "times", "us", "MB each"], totals.values(),
        [[f"{op} {shape}", str(t["calls"]), f"{t['ns'] / 1e3:.0f}",
          f"{t['bytes'] / t['calls'] / 1e6:.2f}"]
         for (op, shape), t in totals.items()])


def _with_shares(head, totals, rows):
    """A table whose last columns are speeds and their shares of the peaks."""
    tiles = any("tile_fraction" in t for t in totals)
    titles = ["GFLOP/s", "% of peak", *["% of tiles"] * tiles, "GB/s",
              "% of bandwidth"]
    shares = [[f"{t['flops'] / t['ns']:.1f}", _percent(t, "peak_fraction"),
               *[_percent(t, "tile_fraction")] * tiles,
               f"{t['bytes'] / t['ns']:.1f}",
               _percent(t, "bandwidth_fraction")] for t in totals]
    return table.lines(head + titles, [r + s for r, s in zip(rows, shares)])


def _percent(total, share):
    return f"{100 * total[share]:.0f}" if share in total else "–"


def peaks_text(peak):
    """What the machine could do, in words."""
    tiles = (f"{peak['tile_gflops']:.0f} of tile registers, "
             if "tile_gflops" in peak else "")
    return (f"Peak at the time: {peak['gflops']:.0f} GFLOP/s, {tiles}"
            f"{peak['gbps']:.1f} GB/s.")


def _layers(record):
    shapes = shape_table(record)
    return (f"<h2>Kernels of {escape(record['model'])}, "
            f"{record.get('mode', 'fp32')}, "
            f"{table.plural(record['threads'], 'thread')}</h2>"
            f"<p>{peaks_text(record['peak'])} Bytes are those of the operands; "
            "where they stay in a cache, more than the bandwidth of the memory "
            "is possible.</p>" + plots.roofline(record)
            + _table(operation_table(record))
            + (_table(shapes) if shapes else "")
            + _table(layer_table(record)))


def operations_title(threads, operations):
    version = " ".join(filter(None, ["oneDNN", operations["version"]]))
    return (f"Single operations beside {version}, "
            + table.plural(int(threads), "thread"))


def operations_table(operations):
    rows = [[f"{r['operation']} {r['rows']} x {r['columns']}",
             f"{r['us']['glow']:.1f}", f"{r['us']['onednn']:.1f}",
             f"{r['ratio']:.2f}", f"{r['gbps']:.0f}",
             f"{max(r['errors'].values()):.1e}"]
            for r in operations["records"]]
    return table.lines(["operation", "glow us", "oneDNN us", "oneDNN / glow",
                        "GB/s", "largest error"], rows)


def html(results):
    parts = [_facts(results)]
    for key, cases in table.groups(results).items():
        parts.append(_case_group(key, cases))
    parts += [_cost_group(key, cases)
              for key, cases in table.cost_groups(results).items()]
    parts += [_layers(record) for record in results["layers"]]
    for threads, operations in results.get("operations", {}).items():
        parts.append(f"<h2>{operations_title(threads, operations)}</h2>"
                     + _table(operations_table(operations)))
    if table.slower(results):
        parts.append("<h2>Where a peer is faster</h2>"
                     + _table(table.slower_text(results)))
    if table.shortfalls(results):
        parts.append("<h2>What has no time, and why</h2>"
                     + _table(table.shortfall_text(results)))
    return ('<!doctype html><html lang="en"><meta charset="utf-8">'
            "<title>Glow: benchmarks</title><style>" + STYLE
            + "</style><h1>Benchmarks</h1>" + "".join(parts) + "</html>\n")
