#!/usr/bin/env python3
"""Reports files and functions that are longer than the project likes.

    tools/dev/size.py            list what is over a soft limit
    tools/dev/size.py --check    fail if something is over a hard limit

Exceptions, with their reasons, are in size-exceptions.txt.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import argparse
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXCEPTIONS = pathlib.Path(__file__).with_name("size-exceptions.txt")

# What a file is, by its path, and its limits in lines: soft, hard.
FILES = [
    ("test", r"^test/.*\.(mlir|test|cpp|c|h|py)$", 150, 300),
    ("source", r"\.(cpp|c)$", 300, 500),
    ("header", r"\.h$", 100, 200),
    ("table", r"\.td$", 300, 500),
]
FUNCTION = (40, 80)
PASS_DESCRIPTION = 3

NOT_FUNCTION = re.compile(r"^\s*(namespace|class|struct|enum|union|extern|if|for|"
                          r"while|switch|else|do|template <.*> struct)\b")


def functions(lines):
    """(line number, name, length) of each function of a C++ file."""
    head = None
    for number, line in enumerate(lines, 1):
        if head is None:
            if line.endswith("{") and "(" in line + lines[number - 2] \
                    and not NOT_FUNCTION.match(line):
                indent = len(line) - len(line.lstrip())
                start = number
                while start > 1 and len(lines[start - 2]) and indent > 2:
                    start -= 1  # a signature over several lines
                    indent = len(lines[start - 1]) - len(lines[start - 1].lstrip())
                if indent <= 2 and not NOT_FUNCTION.match(lines[start - 1]):
                    head = (start, indent)
        elif line == " " * head[1] + "}" or line == " " * head[1] + "};":
            name = re.search(r"([\w:~]+)\(", " ".join(lines[head[0] - 1:number]))
            yield head[0], name[1] if name else "?", number - head[0] + 1
            head = None


def pass_descriptions(text):
    """(pass, number of lines of its description)."""
    for match in re.finditer(r"^def (\w+)\s*:\s*(?:\w*Pass)<.*?^}", text,
                             re.M | re.S):
        body = re.search(r"let description = \[\{(.*?)\}\]", match[0], re.S)
        yield match[1], len(body[1].strip().splitlines()) if body else 0


def findings():
    """(is hard, place, what) of everything over a limit."""
    files = subprocess.run(["git", "ls-files"], cwd=ROOT, text=True,
                           capture_output=True, check=True).stdout.split()
    for file in files:
        kind = next((k for k in FILES if re.search(k[1], file)), None)
        if not kind or not (ROOT / file).exists():
            continue
        text = (ROOT / file).read_text()
        lines = text.splitlines()
        if len(lines) > kind[2]:
            yield len(lines) > kind[3], file, f"{len(lines)} lines"
        if file.endswith((".cpp", ".h", ".c")):
            for line, name, length in functions(lines):
                if length > FUNCTION[0]:
                    yield (length > FUNCTION[1], f"{file}:{name}",
                           f"{length} lines, from line {line}")
        if file.endswith("Passes.td"):
            for name, length in pass_descriptions(text):
                if length < PASS_DESCRIPTION:
                    yield True, f"{file}:{name}", f"description of {length} lines"


def exceptions():
    """{place: reason}."""
    lines = EXCEPTIONS.read_text().splitlines()
    return dict(re.split(r"\s{2,}", line, maxsplit=1) for line in lines
                if line and not line.startswith("#"))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--check", action="store_true",
                        help="print and fail on what is over a hard limit only")
    check = parser.parse_args().check
    allowed = exceptions()
    found = sorted(findings(), key=lambda f: (not f[0], f[1]))
    hard = [f for f in found if f[0] and f[1] not in allowed]
    for is_hard, place, what in hard if check else found:
        note = f" (exception: {allowed[place]})" if place in allowed else ""
        print(f"{'hard' if is_hard else 'soft'}  {place}: {what}{note}")
    unused = sorted(set(allowed) - {f[1] for f in found if f[0]})
    if check and unused:
        sys.exit("exceptions that are not needed any more: " + ", ".join(unused))
    if check and hard:
        sys.exit(1)


if __name__ == "__main__":
    main()
