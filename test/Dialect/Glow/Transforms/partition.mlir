// RUN: glow-opt %s -glow-partition="target=cpu" | FileCheck %s
// RUN: glow-opt %s -glow-partition="target=cpu report=%t.txt" -o /dev/null
// RUN: FileCheck %s --check-prefix=REPORT --input-file=%t.txt
// RUN: glow-opt %s -glow-partition="target=cpu report=%t.json by-cost=false" -o /dev/null
// RUN: FileCheck %s --check-prefix=JSON --input-file=%t.json

// The processor takes every op, so as a card it gets all of them.

// REPORT: 0 of 2 ops on cpu, 2 on cpu, in 1 parts
// REPORT: glow.relu first: an island of 2 ops that would save 0.0 us
// JSON: "name": "first"
// JSON-NEXT: "op": "glow.relu"

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:.+]]: tensor<2xf32> {glow.name = "x"}
// CHECK: %[[R:.+]] = glow.launch @part0::@main(%[[X]])
// CHECK-NEXT: return %[[R]]
func.func @main(%x: tensor<2xf32> {glow.name = "x"})
    -> (tensor<2xf32> {glow.name = "y"}) {
  %c = glow.constant dense<2.0> : tensor<2xf32>
  %a = glow.relu %x : (tensor<2xf32>) -> tensor<2xf32> loc("first")
  %b = glow.mul %a, %c : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %b : tensor<2xf32>
}

// CHECK: module @part0 attributes {glow.target = #glow.cpu}
// CHECK-NEXT: func.func @main(%{{.+}}: tensor<2xf32> {glow.name = "x"}) -> (tensor<2xf32> {glow.name = "y"})
// CHECK-NEXT: glow.relu
// CHECK-NEXT: glow.constant
// CHECK-NEXT: glow.mul
// CHECK-NEXT: return
