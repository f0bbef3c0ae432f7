#!/usr/bin/env bash
# Formats the C and C++ sources with clang-format 22. With --check it changes
# nothing and fails if a file is not formatted; files may be named.
# Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -euo pipefail
mode=(-i)
if [ "${1-}" = --check ]; then
  mode=(--dry-run -Werror)
  shift
fi
cd "$(dirname "$0")/../.."
command -v clang-format-22 >/dev/null ||
  { echo "error: clang-format-22 is missing; it is in the Debian package of that name" >&2; exit 1; }
files=("$@")
[ $# -gt 0 ] || mapfile -t files < <(git ls-files '*.cpp' '*.h' '*.c')
clang-format-22 "${mode[@]}" "${files[@]}"
# clang-format breaks a comment that is too long, which no banner is meant for.
if grep -nE '^//-\*-|^// -+$' "${files[@]}"; then
  echo "error: a banner or title in two lines; shorten its text" >&2
  exit 1
fi
