"""Results as text: one table per accuracy class, batch and threads.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import timing

# What the probe measures, and how its columns are called.
PEAKS = {"gflops": "peak GFLOP/s", "tile_gflops": "of tiles",
         "gbps": "peak GB/s"}
STATUS = {"absent": "not installed", "failed": "failed", "wrong": "WRONG"}


def cell(record):
    """A time with its share of the peak, or why there is none."""
    if record is None:
        return "–"
    if record["status"] != "ok":
        return STATUS[record["status"]]
    return (f"{milliseconds(record['median_ms'])} "
            f"({100 * record['peak_fraction']:.0f} %)")


def milliseconds(value):
    """Three digits."""
    return f"{value:.{max(0, 2 - max(0, len(str(int(value))) - 1))}f}"


def ratio_cell(ratio):
    if ratio is None:
        return "–"
    return (f"{ratio['ratio']:.2f} ({ratio['low']:.2f}–{ratio['high']:.2f}, "
            f"{ratio['peer']})")


def overhead_cell(overhead):
    if overhead is None:
        return "–"
    return (f"{overhead['ratio']:.2f} "
            f"({overhead['low']:.2f}–{overhead['high']:.2f})")


def lines(head, rows):
    """A Markdown table."""
    text = ["| " + " | ".join(head) + " |",
            "|---" * len(head) + "|"]
    text += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(text) + "\n"


def groups(results):
    """{(class, threads, batch): cases}: classes in the order of measurement,
    then batches, then threads."""
    found = {}
    for case in results["cases"]:
        key = case["class"], case["threads"], case["batch"]
        found.setdefault(key, []).append(case)
    classes = list(dict.fromkeys(c["class"] for c in results["cases"]))
    return dict(sorted(found.items(), key=lambda item: (
        classes.index(item[0][0]), item[0][2], item[0][1])))


def cost_groups(results):
    """Those groups with the most threads: what is compiled ahead of time is
    the same for all, and memory hardly differs."""
    found = groups(results)
    most = {}
    for accuracy, threads, batch in found:
        most[accuracy, batch] = max(threads, most.get((accuracy, batch), 0))
    return {k: v for k, v in found.items() if k[1] == most[k[0], k[2]]}


def systems_of(cases):
    """Names of entries, in the order in which they were measured."""
    return list(dict.fromkeys(s for c in cases for s in c["systems"]))


def plural(count, noun):
    return f"{count} {noun}" + ("" if count == 1 else "s")


def title(key):
    accuracy, threads, batch = key
    return f"{accuracy}, batch {batch}, {plural(threads, 'thread')}"


def speeds(cases):
    """Median milliseconds and share of the peak; ratios in the last columns."""
    systems = systems_of(cases)
    compared = means(cases)
    ours = [s for s in systems if s in compared]
    ranged = overheads(cases)
    units = [u for u in PEAKS if any(u in c["peak"] for c in cases)]
    rows = []
    for case in cases:
        peak = case["peak"]
        rows.append(
            [case["model"], *(f"{peak[u]['median']:.0f}" if u in peak else "–"
                              for u in units)]
            + [cell(case["systems"].get(s)) for s in systems]
            + [ratio_cell(case["ratios"].get(s)) for s in ours]
            + [overhead_cell(_overhead(case, s)) for s in ranged])
    head = (["model", *(PEAKS[u] for u in units)] + systems
            + [f"fastest peer / {s}" for s in ours]
            + [f"{s} / static" for s in ranged])
    return lines(head, rows)


def means(cases):
    """{Glow's entry: geometric mean of its ratios, number of models, worst}."""
    found = {}
    for case in cases:
        for system, ratio in case["ratios"].items():
            found.setdefault(system, []).append((ratio["ratio"],
                                                 case["model"]))
    return {system: {"mean": timing.geometric_mean(r for r, _ in pairs),
                     "models": len(pairs), "worst": min(pairs)}
            for system, pairs in found.items()}


def overheads(cases):
    """{Glow's entry for ranges: [(its time over the static one's, model)]}."""
    found = {}
    for case in cases:
        for entry in case["systems"]:
            overhead = _overhead(case, entry)
            if overhead is not None:
                found.setdefault(entry, []).append((overhead["ratio"],
                                                    case["model"]))
    return found


def _overhead(case, entry):
    """How much longer an entry for ranges takes than the same mode without."""
    record = case["systems"].get(entry, {})
    static = case["systems"].get(entry.removesuffix(" range"), {})
    if not (record.get("ranges") and record["status"] == static.get("status")
            == "ok"):
        return None
    return timing.ratio(static, record)


def means_text(cases):
    text = ""
    for system, mean in means(cases).items():
        worst, model = mean["worst"]
        text += (f"{system}: geometric mean of the ratio {mean['mean']:.2f} "
                 f"over {plural(mean['models'], 'model')}, lowest {worst:.2f} "
                 f"({model}).\n")
    for entry, pairs in overheads(cases).items():
        most, model = max(pairs)
        mean = timing.geometric_mean(r for r, _ in pairs)
        text += (f"{entry}: geometric mean of its time over that of the model "
                 f"compiled for these shapes {mean:.2f}, most {most:.2f} "
                 f"({model}).\n")
    disturbed = sum(case.get("disturbed_turns", 0) for case in cases)
    if disturbed:
        text += (f"Left out and made again, since other work slowed the "
                 f"machine: {plural(disturbed, 'turn')}.\n")
    never = [f"{case['model']} ({', '.join(case['never_quiet'])})"
             for case in cases if case.get("never_quiet")]
    if never:
        text += f"Without a turn that nothing slowed: {'; '.join(never)}.\n"
    return text


def slower(results):
    """(ratio, entry, model, case, peer) where a peer is faster, worst first."""
    return sorted(
        (r["ratio"], entry, case["model"], title((
            case["class"], case["threads"], case["batch"])), r["peer"])
        for case in results["cases"] for entry, r in case["ratios"].items()
        if r["ratio"] < 1)


def slower_text(results):
    rows = [[entry, model, where, peer, f"{ratio:.2f}"]
            for ratio, entry, model, where, peer in slower(results)]
    if not rows:
        return "Nowhere in this run.\n"
    return lines(["mode", "model", "case", "faster peer", "ratio"], rows)


def costs(cases):
    """Compile time, memory and size."""
    rows = []
    for case in cases:
        for name, r in case["systems"].items():
            if r["status"] != "ok":
                continue
            size = r.get("artifact_bytes")
            rows.append([
                case["model"], name, f"{r['compile_s']:.2f}",
                f"{r['compile_peak_mb']:.0f}", f"{r['run_peak_mb']:.0f}",
                f"{r['libraries_mb']:.0f}",
                f"{size / 1e6:.1f}" if size else "–",
                f"{case['weight_bytes'] / 1e6:.1f}",
                milliseconds(r["min_ms"]), f"{r['error']:.1e}",
                f"{r['rms_error']:.1e}" if "rms_error" in r else "–"])
    return lines(["model", "system", "compile s", "compile peak MB",
                  "run peak MB", "of it libraries MB", "file MB",
                  "weights MB", "fastest run ms", "largest error", "RMS error"],
                 rows)


def shortfalls(results):
    """What has no time, with the reason, one line each."""
    rows = [("all", name, "", "no model", reason[:200])
            for name, reason in results.get("missing", {}).items()]
    for case in results["cases"]:
        for name, r in case["systems"].items():
            if r["status"] != "ok":
                reason = " ".join(r["reason"].split())
                rows.append((name, case["model"], title((
                    case["class"], case["threads"], case["batch"])),
                    STATUS[r["status"]], reason[:200]))
    return rows


def _few(values, noun):
    """The values, or how many there are."""
    values = list(dict.fromkeys(values))
    return ("; ".join(values) if len(values) <= 2
            else f"{len(values)} {noun}")


def shortfall_text(results):
    """What fails for one reason is one row."""
    found = {}
    for name, model, where, status, reason in shortfalls(results):
        found.setdefault((name, status, reason), []).append((model, where))
    rows = [[name, _few((m for m, _ in places), "models"),
             _few((w for _, w in places), "cases"), f"{status}: {_escape(r)}"]
            for (name, status, r), places in found.items()]
    if not rows:
        return "Every system ran every model.\n"
    return lines(["system", "model", "case", "reason"], rows)


def _escape(text):
    return text.replace("|", "\\|").replace("<", "&lt;")


def case_text(case):
    """For the terminal, while the measurement goes on."""
    where = title((case["class"], case["threads"], case["batch"]))
    peaks = ", ".join(f"{PEAKS[unit]} {peak['median']:.0f}"
                      for unit, peak in case["peak"].items())
    text = f"{case['model']}: {where}; {peaks}\n"
    for name, r in case["systems"].items():
        text += f"  {name:16}"
        if r["status"] == "ok":
            text += (f"{r['median_ms']:10.3f} ms, fastest {r['min_ms']:.3f}, "
                     f"{100 * r['peak_fraction']:.0f} % of peak; compiled in "
                     f"{r['compile_s']:.1f} s; error {r['error']:.1e}\n")
        else:
            text += f"{STATUS[r['status']]}: " + " ".join(
                r["reason"].split())[:160] + "\n"
    for name, ratio in case["ratios"].items():
        text += f"  fastest peer / {name}: {ratio_cell(ratio)}\n"
    return text


def markdown(results):
    text = ""
    for key, cases in groups(results).items():
        text += f"## {title(key)}\n\n{speeds(cases)}\n"
        text += means_text(cases).replace("\n", "\n\n")
    for key, cases in cost_groups(results).items():
        text += (f"## Compile time, memory, size: {title(key)}\n\n"
                 f"{costs(cases)}\n")
    text += "## Where a peer is faster\n\n" + slower_text(results)
    return text + "\n## What has no time, and why\n\n" + shortfall_text(
        results)
