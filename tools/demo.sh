#!/usr/bin/env bash
# Installs what is missing, builds, compiles a trained digit classifier from its
# ONNX file and classifies real images with it.
# Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -euo pipefail
usage="usage: tools/demo.sh [--skip-install]"
install=1
for argument in "$@"; do
  case $argument in
    --skip-install) install=0 ;;
    -h | --help) echo "$usage"; exit 0 ;;
    *) echo "$usage" >&2; exit 2 ;;
  esac
done
. "$(dirname "$0")/dev/setup.sh"

[ $install = 0 ] || install_packages
configure_and_build
make_venv python/requirements-test.txt

digits=test/Models/digits
out=build/demo
mkdir -p "$out"

step "Compiling $digits/digits.onnx"
build/bin/glow-compile "$digits/digits.onnx" --shape image=1x1x8x8 \
  -o "$out/digits.so" --plan-picture "$out/digits-plan.svg" --time-stages
build/bin/glow-compile "$digits/digits.onnx" --shape image=1x1x8x8 -o "$out/digits.o"

step "Classifying held-out images (the file's name is the digit that was written)"
for image in "$digits"/images/*.png; do
  result=$(build/bin/glow-run "$out/digits.so" --input "$image" \
    --labels "$digits/labels.txt" --benchmark --runs 200 --threads 1) ||
    die "glow-run failed on $image"
  printf '%-7s %s, latency %s\n' "$(basename "$image"):" \
    "$(echo "$result" | head -n 1)" \
    "$(echo "$result" | sed -n 's/.*median \([0-9.]* ms\).*/\1/p')"
done

step "What was made"
echo "compiled model       $out/digits.so"
echo "for static linking   $out/digits.o with $out/digits.h, $out/digits.weights.bin, $out/digits.json"
echo "memory plan          $out/digits-plan.svg"
step "The same with your own model"
echo "build/bin/glow-compile model.onnx --shape input=1x3x224x224 -o model.so"
echo "build/bin/glow-run model.so --input input.npy --output-dir results"
