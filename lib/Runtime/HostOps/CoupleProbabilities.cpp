//===- CoupleProbabilities.cpp - Of classes, from pairs ---------*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The second method of Wu, Lin and Weng, "Probability Estimates for Multi-class
// Classification by Pairwise Coupling" (2004), with LIBSVM's rule when to stop,
// which ONNX Runtime has too: results are as inexact as theirs.
//
//===----------------------------------------------------------------------===//
#include "HostOps.h"

#include <algorithm>
#include <cmath>

using namespace glow::runtime;

namespace {

/// Finds p for one row, whose element (i, j) in order says how likely i is if
/// it is i or j.
template <typename Real> class Coupling {
public:
  explicit Coupling(size_t classes)
      : count(classes), q(classes * classes), qp(classes) {}

  void run(const Real *pairs, Real *p) {
    readPairs(pairs);
    std::fill_n(p, count, Real(1) / Real(count));
    for (int round = 0; round < kRounds; ++round) {
      Real pqp = product(p);
      Real error = 0;
      for (Real value : qp)
        error = std::max(error, std::fabs(value - pqp));
      if (error < Real(0.005) / Real(count))
        return;
      for (size_t i = 0; i < count; ++i)
        improve(p, i, pqp);
    }
  }

private:
  static constexpr int kRounds = 100;
  Real &at(size_t i, size_t j) { return q[i * count + j]; }

  void readPairs(const Real *pairs) {
    std::fill(q.begin(), q.end(), Real(0));
    for (size_t i = 0; i < count; ++i)
      for (size_t j = i + 1; j < count; ++j, ++pairs) {
        Real first = *pairs, second = 1 - first;
        at(i, i) += second * second;
        at(j, j) += first * first;
        at(i, j) = at(j, i) = -first * second;
      }
  }

  /// Q p into `qp`; p Q p.
  Real product(const Real *p) {
    Real sum = 0;
    for (size_t i = 0; i < count; ++i) {
      qp[i] = 0;
      for (size_t j = 0; j < count; ++j)
        qp[i] += at(i, j) * p[j];
      sum += p[i] * qp[i];
    }
    return sum;
  }

  /// The best p[i] for the others as they are, then all divided by their sum.
  void improve(Real *p, size_t i, Real &pqp) {
    Real change = (pqp - qp[i]) / at(i, i), scale = 1 + change;
    p[i] += change;
    pqp = (pqp + change * (change * at(i, i) + 2 * qp[i])) / scale / scale;
    for (size_t j = 0; j < count; ++j) {
      qp[j] = (qp[j] + change * at(i, j)) / scale;
      p[j] /= scale;
    }
  }

  size_t count;
  std::vector<Real> q, qp;
};

} // namespace

template <typename Real>
static GlowStatus coupleRows(HostCall &call, uint64_t classes) {
  const HostTensor &input = call.inputs[0];
  HostDims dims = input.dims;
  auto pairs = uint64_t(dims.back());
  dims.back() = int64_t(classes);
  auto *out = call.resultOf<Real>(0, dims);
  if (!out)
    return GLOW_INVALID_ARGUMENT;
  Coupling<Real> coupling(classes);
  const Real *row = input.elements<Real>().data;
  for (uint64_t i = 0; i < input.count / pairs; ++i)
    coupling.run(row + i * pairs, out + i * classes);
  return GLOW_OK;
}

static GlowStatus coupleProbabilities(HostCall &call) {
  if (GlowStatus status = call.expect({0}))
    return status;
  const HostTensor &input = call.inputs[0];
  uint64_t pairs = input.dims.empty() ? 0 : uint64_t(input.dims.back());
  uint64_t classes = 2;
  while (classes * (classes - 1) / 2 < pairs)
    ++classes;
  if (classes * (classes - 1) / 2 != pairs ||
      call.resultType(0) != input.dtype ||
      (input.dtype != GLOW_F32 && input.dtype != GLOW_F64))
    return call.fail(GLOW_INVALID_MODEL,
                     "takes rows of f32 or f64 with an element for each two "
                     "classes, and gives the same type");
  return input.dtype == GLOW_F32 ? coupleRows<float>(call, classes)
                                 : coupleRows<double>(call, classes);
}

GlowStatus glow::runtime::makeCoupleProbabilities(const HostAttrs &attrs,
                                                  HostFunctionPtr &result) {
  return PlainFunction<coupleProbabilities>::make(attrs, result);
}
