//===- Manifest.h - What a package says about itself ------------*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A package is a folder with a file manifest.json:
//
//   {
//     "glow_package": 1,                     version of this format
//     "name": "digits",
//     "values": [                            every tensor that is passed on
//       {"name": "x", "dtype": "f32", "shape": [1, 1, 8, 8]},
//       {"name": "q", "dtype": "i8", "shape": [1, 64],
//        "scales": [0.1], "zero_points": [3], "quant_axis": -1},
//       {"name": "y", "dtype": "f32", "shape": [1, 10]}
//     ],
//     "inputs": ["x"],                       of the package, in order
//     "outputs": ["y"],
//     "partitions": [                        in an order in which they can run
//       {"name": "p0", "device": "habana", "program": "p0.recipe",
//        "reads": ["x"], "writes": ["q"]},
//       {"name": "p1", "device": "cpu", "program": "p1.so",
//        "reads": ["q"], "writes": ["y"]}
//     ]
//   }
//
// "dtype" is a name of DType.h; "scales", "zero_points" and "quant_axis" may be
// left out. "device" is the name of a driver, or driver:index for another
// device than its first. "program" is the name of a file in the same folder;
// the device says what it holds. "reads" and "writes" are in the order of the
// program's inputs and outputs. Each value is an input of the package or is
// written by one partition, before any partition reads it. Members that are not
// named here are ignored.
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_RUNTIME_MANIFEST_H
#define GLOW_RUNTIME_MANIFEST_H

#include "glow-c/Status.h"
#include "glow/Runtime/DType.h"

namespace glow::runtime {

struct Partition {
  std::string name, driver, program;
  uint32_t deviceIndex = 0;
  std::vector<uint32_t> reads, writes; // indices of values

  std::string device() const {
    return driver + ":" + std::to_string(deviceIndex);
  }
};

struct Manifest {
  std::string name;
  std::vector<TensorInfo> values;
  std::vector<uint32_t> inputs, outputs; // indices of values
  std::vector<Partition> partitions;
};

/// Reads and checks the text of a manifest.json.
GlowStatus parseManifest(std::string_view text, Manifest &manifest);

/// Checks what does not depend on the text: names, order, one writer each.
/// Computes the size of each value.
GlowStatus checkManifest(Manifest &manifest);

/// The text of a manifest, for compilers.
std::string printManifest(const Manifest &manifest);

} // namespace glow::runtime
#endif // GLOW_RUNTIME_MANIFEST_H
