// RUN: glow-opt %s %habana --pass-pipeline="builtin.module(glow-partition{target=habana by-cost=false report=%t.txt})" | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT --input-file=%t.txt
// RUN: glow-opt %s %habana --pass-pipeline="builtin.module(glow-partition{target=habana report=%t.cost.txt})" -o /dev/null
// RUN: FileCheck %s --check-prefix=COST --input-file=%t.cost.txt
// RUN: glow-opt %s %habana --pass-pipeline="builtin.module(glow-partition{target=#habana.target<without=[\"glow.matmul\"]> by-cost=false report=%t.without.txt})" -o /dev/null
// RUN: FileCheck %s --check-prefix=WITHOUT --input-file=%t.without.txt

// Two waves: the exponential of the first product waits for the host, while the
// second product, which does not need it, runs with the first.

// REPORT: 3 of 4 ops on habana, 1 on cpu, in 3 parts
// REPORT: part 0 on habana: 2 ops
// REPORT-NEXT: glow.matmul first: supported
// REPORT-NEXT: glow.matmul second: supported
// REPORT: part 1 on cpu: 1 ops
// REPORT-NEXT: glow.exp third: habana has no such op
// REPORT: part 2 on habana: 1 ops
// REPORT-NEXT: glow.add fourth: supported
// COST: 0 of 4 ops on habana
// COST: glow.matmul first: an island of
// WITHOUT: 1 of 4 ops on habana
// WITHOUT: glow.matmul first: habana is told to do without glow.matmul

// CHECK-LABEL: func.func @main
// CHECK: %[[A:.+]]:2 = glow.launch @part0::@main(
// CHECK: %[[B:.+]] = glow.launch @part1::@main(%[[A]]#0)
// CHECK: %[[C:.+]] = glow.launch @part2::@main(
// CHECK: return %[[C]]
// CHECK: module @part0 attributes {glow.target = #habana.target}
// CHECK: module @part1 attributes {glow.target = #glow.cpu}
// CHECK: module @part2 attributes {glow.target = #habana.target}
func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = glow.matmul %x, %x : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32> loc("first")
  %1 = glow.exp %0 : (tensor<4x4xf32>) -> tensor<4x4xf32> loc("third")
  %2 = glow.matmul %0, %0 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32> loc("second")
  %3 = glow.add %1, %2 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32> loc("fourth")
  return %3 : tensor<4x4xf32>
}
