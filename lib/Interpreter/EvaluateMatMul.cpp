//===- EvaluateMatMul.cpp - products of matrices, and packing -------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Contract.h"
#include "Evaluators.h"
#include "Lanes.h"
#include "mlir/IR/Threading.h"
#include <cstring>

using namespace mlir;
using namespace mlir::glow;

namespace {
/// The extents of a product of two batches of matrices.
struct Product {
  Dims batchA, batchB, batch;
  int64_t rows, depth, columns;
  /// The columns of `rhs` that lie together: all, or the width of a panel.
  int64_t width;
  /// Rows of `rhs` whose elements lie side by side.
  int64_t group = 1;
  int64_t panels() const { return width ? (columns + width - 1) / width : 0; }
};
} // namespace

static FailureOr<Product> analyse(MatMulOp op, const Tensor &lhs,
                                  const Tensor &rhs) {
  Dims a(lhs.getShape()), b(rhs.getShape());
  if (a.size() == 1)
    a.insert(a.begin(), 1);
  if (b.size() == 1)
    b.push_back(1);
  Product p;
  p.rows = a[a.size() - 2];
  p.depth = a.back();
  p.columns = p.width = b.back();
  p.batchA.assign(a.begin(), a.end() - 2);
  p.batchB.assign(b.begin(), b.end() - 2);
  int64_t depthB = b[b.size() - 2];
  if (op.getPacked()) {
    p.columns = *op.getOutputChannels();
    p.width = *op.getPacked();
    p.group = std::max<int64_t>(1, b.back() / p.width);
    int64_t panels = p.batchB.pop_back_val();
    if (p.columns < 0 || p.panels() != panels)
      return op.emitOpError("has ")
             << panels << " panels of " << p.width << " columns for "
             << p.columns << " output channels";
  }
  if (static_cast<int64_t>(llvm::divideCeil(p.depth, p.group)) != depthB)
    return op.emitOpError("the left operand has ")
           << p.depth << " columns, the right one " << depthB << " rows";
  FailureOr<Dims> batch = broadcast(op.getLoc(), p.batchA, p.batchB);
  if (failed(batch))
    return failure();
  p.batch = *batch;
  return p;
}

/// Strides, in matrices, of a batch that is broadcast to `batch`.
static SmallVector<int64_t> batchStrides(ArrayRef<int64_t> own,
                                         ArrayRef<int64_t> batch) {
  SmallVector<int64_t> ownStrides = rowMajorStrides(own), strides(batch.size());
  for (size_t i = 0; i < own.size(); ++i)
    strides[batch.size() - own.size() + i] = own[i] == 1 ? 0 : ownStrides[i];
  return strides;
}

/// The product of one pair of matrices. Columns of `rhs` are read a few at a
/// time, since all of a large weight as lanes would not fit in a cache.
template <typename Lane>
static std::vector<Lane> multiply(const Product &p, const Tensor &lhs,
                                  int64_t indexA, const Tensor &rhs,
                                  int64_t indexB) {
  std::vector<Lane> a(p.rows * p.depth), sums(p.rows * p.columns);
  readLanes(lhs, indexA * p.rows * p.depth, p.rows * p.depth, a.data());
  int64_t step = std::min<int64_t>(p.width, 64);
  std::vector<Lane> b(p.depth * std::max<int64_t>(step, 1));
  std::vector<Lane> together(step * p.group);
  int64_t rowsB = llvm::divideCeil(p.depth, p.group);
  for (int64_t panel = 0; panel < p.panels(); ++panel)
    for (int64_t j = 0; j < p.width; j += step) {
      int64_t column = panel * p.width + j;
      int64_t count = std::min({step, p.width - j, p.columns - column});
      if (count <= 0)
        break;
      int64_t base =
          ((indexB * p.panels() + panel) * rowsB * p.width + j) * p.group;
      for (int64_t k = 0; k < p.depth; ++k) {
        int64_t row = base + k / p.group * p.width * p.group;
        if (p.group == 1) {
          readLanes(rhs, row, count, &b[k * step]);
          continue;
        }
        if (k % p.group == 0)
          readLanes(rhs, row, count * p.group, together.data());
        for (int64_t c = 0; c < count; ++c)
          b[k * step + c] = together[c * p.group + k % p.group];
      }
      contract(LaneMatrix<const Lane>{a.data(), p.rows, p.depth, p.depth},
               LaneMatrix<const Lane>{b.data(), p.depth, count, step},
               LaneMatrix<Lane>{&sums[column], p.rows, count, p.columns});
    }
  return sums;
}

LogicalResult MatMulOp::evaluate(Inputs in, Outputs out) {
  Tensor lhs = in.getLhs(), rhs = in.getRhs();
  if (getPieces()) {
    auto sums = sumPieces(getLoc(), lhs, lhs.getRank() - 1, 1, *getPieces());
    auto weights = sumPieces(getLoc(), rhs, rhs.getRank() - 2, 1, *getPieces());
    if (failed(sums) || failed(weights))
      return failure();
    lhs = *sums;
    rhs = *weights;
  }
  FailureOr<Product> p = analyse(*this, lhs, rhs);
  if (failed(p))
    return failure();
  Dims dims(p->batch);
  if (lhs.getRank() > 1)
    dims.push_back(p->rows);
  if (rhs.getRank() > 1)
    dims.push_back(p->columns);
  FailureOr<Tensor> sums = Tensor::allocate(
      getLoc(), sumType(getEpilogue(), glow::elementType(getResult())), dims);
  if (failed(sums))
    return failure();
  SmallVector<int64_t> stridesA = batchStrides(p->batchA, p->batch);
  SmallVector<int64_t> stridesB = batchStrides(p->batchB, p->batch);
  PlaceWalker batch(p->batch);
  int64_t size = p->rows * p->columns;
  for (int64_t i = 0; size && i < sums->size(); i += size, batch.next())
    withSumLane(sums->format(), [&](auto zero) {
      using Lane = decltype(zero);
      std::vector<Lane> lanes = multiply<Lane>(*p, lhs, batch.offset(stridesA),
                                               rhs, batch.offset(stridesB));
      writeLanes(*sums, i, size, lanes.data());
    });
  return applyEpilogue(*this, getEpilogue(), *sums, in.getEpilogueInputs(),
                       out[0]);
}

/// Copies `count` neighbours of so many bytes each to places `stride` of them
/// apart. Weights have hundreds of millions, so their size is a constant.
template <size_t bytes>
static void spread(const char *from, char *to, int64_t count, int64_t stride) {
  for (int64_t i = 0; i < count; ++i)
    std::memcpy(to + i * stride * bytes, from + i * bytes, bytes);
}

static void spread(unsigned bytes, const char *from, char *to, int64_t count,
                   int64_t stride) {
  switch (bytes) {
  case 1:
    return spread<1>(from, to, count, stride);
  case 2:
    return spread<2>(from, to, count, stride);
  case 3:
    return spread<3>(from, to, count, stride);
  case 4:
    return spread<4>(from, to, count, stride);
  case 8:
    return spread<8>(from, to, count, stride);
  default:
    for (int64_t i = 0; i < count; ++i)
      std::memcpy(to + i * stride * bytes, from + i * bytes, bytes);
  }
}

LogicalResult PackOp::evaluate(Inputs in, Outputs out) {
  Tensor input = in.getInput();
  int64_t width = getWidth(), group = getGroup(), rank = input.getRank();
  int64_t depth = input.getDim(rank - 2), columns = input.getDim(rank - 1);
  int64_t panels = (columns + width - 1) / width;
  Dims dims(input.getShape().drop_back(2));
  int64_t packedRows = (depth + group - 1) / group;
  dims.append({panels, packedRows, width * group});
  if (failed(allocateResult(*this, dims, out[0])))
    return failure();
  unsigned bytes = input.elementBytes();
  int64_t rows = columns ? input.size() / columns : 0;
  auto packRow = [&](int64_t row) {
    for (int64_t panel = 0; panel < panels; ++panel) {
      int64_t count = std::min(width, columns - panel * width);
      int64_t k = row % depth;
      int64_t place =
          ((row / depth * panels + panel) * packedRows + k / group) * width;
      char *to = out[0].mutableBytes() + (place * group + k % group) * bytes;
      const char *from =
          input.bytes() + (row * columns + panel * width) * bytes;
      if (group == 1)
        std::memcpy(to, from, count * bytes);
      else
        spread(bytes, from, to, count, group);
    }
  };
  constexpr int64_t kRowsAtOnce = 64;
  parallelFor(getContext(), 0, llvm::divideCeil(rows, kRowsAtOnce),
              [&](size_t part) {
                int64_t first = part * kRowsAtOnce;
                int64_t end = std::min(first + kRowsAtOnce, rows);
                for (int64_t row = first; row < end; ++row)
                  packRow(row);
              });
  return success();
}
