//===- Compare.h - a result against what is expected ------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_TOOLS_CONFORMANCE_COMPARE_H
#define GLOW_TOOLS_CONFORMANCE_COMPARE_H

#include "Suite.h"
#include "glow/Driver/Program.h"
#include "glow/Translate/ONNXTensor.h"

namespace mlir::glow {

/// Compares as NumPy's assert_allclose does: floats by the tolerances of the
/// test, others for equality. Raises `ulps` to the largest error in units of
/// the last place, errors within the absolute tolerance left out: next to zero,
/// where sums cancel, they are many units. Returns what differs, or an empty
/// string.
std::string compareTensor(const OutputTensor &actual,
                          const ::glow::runtime::Array &expected,
                          const TestCase &test, double &ulps);

} // namespace mlir::glow

#endif // GLOW_TOOLS_CONFORMANCE_COMPARE_H
