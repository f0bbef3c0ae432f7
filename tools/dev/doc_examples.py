#!/usr/bin/env python3
"""Prints the examples of a dialect's op descriptions as modules for glow-opt.

    tools/dev/doc_examples.py glow | glow-opt --split-input-file

Operands that an example does not define become arguments of a function around
it. Their types are read from the example.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import re
import sys

import gen_docs

EXAMPLE = re.compile(r"^#+ `?([\w.#<>]+)`?.*?(?=^#|\Z)", re.M | re.S)
CODE = re.compile(r"```mlir\n(.*?)```", re.S)
SYMBOL = re.compile(r"@(\w+)::@(\w+)\(.*?\).*?: (\(.*?\) -> .*)")


def split_types(text):
    """Types at the start of `text`, separated by commas."""
    types, depth, word = [], 0, ""
    for i, char in enumerate(text):
        if depth == 0 and (char in ")]\n" or text.startswith(
                (" to ", " {", " -> "), i)):
            break
        depth += char in "<(["
        depth -= char in ")]" or char == ">" and text[i - 1] != "-"
        if char == "," and depth == 0:
            types.append(word.strip())
            word = ""
        else:
            word += char
    return types + [word.strip()]


def argument_types(code):
    """{name: type} of the values that the example uses and does not define."""
    code = re.sub(r"\^bb.*?^}", "", code, flags=re.M | re.S)  # inner values
    types = {}
    # `op %a, %b {…} : (type, type) -> type`
    for left, rest in re.findall(r"^(.*?) : \((.*?->.*)$", code, re.M | re.S):
        uses = re.sub(r"^%.*? = ", "", left)
        types.update(zip(re.findall(r"%\w+", uses), split_types(rest)))
    # `%a, %b : type, type` and `%a -> %b : type -> type`
    for match in re.finditer(r"((?:%\w+(?:, | -> )?)+) : (?!\()", code):
        rest = code[match.end():]
        if " -> " in match[1]:
            rest = rest.replace(" -> ", ", ")
        for name, kind in zip(re.findall(r"%\w+", match[1]), split_types(rest)):
            types.setdefault(name, kind)
    # `op %a with … : type`
    for name in re.findall(r"^[\w.]+ (%\w+)", code, re.M):
        types.setdefault(name, code.rstrip().rpartition(" : ")[2])
    defined = re.findall(r"%\w+", " ".join(re.findall(r"^(%.*?) = ", code, re.M)))
    return {n: t for n, t in types.items() if n not in defined}


def wrap(name, code):
    if re.match(r"module\b|[\w.]+ @\w+[ (].*\{$", code, re.M):
        return code  # an op of the module itself
    arguments = ", ".join(f"{n}: {t}" for n, t in argument_types(code).items())
    symbols = "".join(
        f"module @{outer} {{\n  func.func private @{inner}{kind}\n}}\n"
        for outer, inner, kind in SYMBOL.findall(code))
    end = "" if name.endswith(".yield") else "return\n"
    return f"{symbols}func.func @example({arguments}) {{\n{code}{end}}}\n"


def main():
    found = {d[1]: d for d in gen_docs.dialects()}
    if len(sys.argv) != 2 or sys.argv[1] not in found:
        sys.exit("usage: doc_examples.py " + "|".join(found))
    _, dialect, file, op_files = found[sys.argv[1]]
    text = gen_docs.dialect_page(dialect, file, op_files)
    ops = [m for m in EXAMPLE.finditer(text) if m[1].startswith(dialect + ".")]
    without = [m[1] for m in ops if not CODE.search(m[0])]
    if without:
        sys.exit("no example in the description of " + ", ".join(without))
    examples = [(m[1], code) for m in EXAMPLE.finditer(text)
                for code in CODE.findall(m[0])]
    print("// -----\n".join(f"// {name}\n{wrap(name, code)}"
                            for name, code in examples))


if __name__ == "__main__":
    main()
