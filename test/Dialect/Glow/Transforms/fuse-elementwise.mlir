// RUN: glow-opt %s -glow-fuse-elementwise | FileCheck %s

// CHECK-LABEL: func.func @chain_with_scalar
// CHECK: glow.map %arg0, %arg1 {element_type = f32} do
// CHECK-DAG: arith.constant 2.0
// CHECK-DAG: arith.mulf
// CHECK-DAG: arith.addf
// CHECK: arith.maximumf
// CHECK-NOT: glow.map
func.func @chain_with_scalar(%x: tensor<4x8xf32>, %b: tensor<8xf32>) -> tensor<4x8xf32> {
  %two = glow.constant dense<2.0> : tensor<1x1xf32>
  %0 = glow.mul %x, %two : (tensor<4x8xf32>, tensor<1x1xf32>) -> tensor<4x8xf32>
  %1 = glow.add %0, %b : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  %2 = glow.relu %1 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}

// A costly producer is not repeated for every element that it is broadcast to.
// CHECK-LABEL: func.func @costly_broadcast_producer
// CHECK: %[[E:.+]] = glow.map %arg1
// CHECK: glow.map %arg0, %[[E]]
func.func @costly_broadcast_producer(%x: tensor<4x8xf32>, %b: tensor<8xf32>) -> tensor<4x8xf32> {
  %0 = glow.exp %b : (tensor<8xf32>) -> tensor<8xf32>
  %1 = glow.add %x, %0 : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @cheap_broadcast_producer
// CHECK-COUNT-1: glow.map
// CHECK-NOT: glow.map
func.func @cheap_broadcast_producer(%x: tensor<4x8xf32>, %b: tensor<8xf32>) -> tensor<4x8xf32> {
  %0 = glow.neg %b : (tensor<8xf32>) -> tensor<8xf32>
  %1 = glow.add %x, %0 : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// A producer that something else reads too stays.
// CHECK-LABEL: func.func @other_reader
// CHECK: %[[R:.+]] = glow.map %arg0
// CHECK: glow.map %[[R]]
// CHECK: glow.reduce sum %[[R]]
func.func @other_reader(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4xf32>) {
  %0 = glow.relu %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = glow.exp %0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = glow.reduce sum %0 {axes = array<i64: 1>} : (tensor<4x8xf32>) -> tensor<4xf32>
  return %1, %2 : tensor<4x8xf32>, tensor<4xf32>
}

// Unsigned elements are signless inside, but the arithmetic is unsigned.
// CHECK-LABEL: func.func @unsigned_elements
// CHECK: ^bb0(%{{.+}}: i8, %{{.+}}: i8):
// CHECK: arith.maxui
// CHECK: -> tensor<4xui8>
func.func @unsigned_elements(%x: tensor<4xui8>, %y: tensor<4xui8>) -> tensor<4xui8> {
  %0 = glow.maximum %x, %y : (tensor<4xui8>, tensor<4xui8>) -> tensor<4xui8>
  return %0 : tensor<4xui8>
}

// The constant gives the result its shape, so it stays an input.
// CHECK-LABEL: func.func @constant_that_broadcasts
// CHECK: glow.map %{{.+}}, %arg0 {{.*}} do
func.func @constant_that_broadcasts(%x: tensor<1xf32>) -> tensor<8xf32> {
  %ones = glow.constant dense<1.0> : tensor<8xf32>
  %0 = glow.sub %ones, %x : (tensor<8xf32>, tensor<1xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// The operand that is read twice is passed once.
// CHECK-LABEL: func.func @square
// CHECK: glow.map %arg0 {
// CHECK: arith.mulf %[[X:.+]], %[[X]]
func.func @square(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = glow.mul %x, %x : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: func.func @expand_is_read_through
// CHECK-NOT: glow.expand
// CHECK: glow.map %arg0, %arg1
func.func @expand_is_read_through(%x: tensor<4x8xf32>, %y: tensor<4x1xf32>) -> tensor<4x8xf32> {
  %shape = glow.constant dense<[4, 8]> : tensor<2xi64>
  %0 = glow.expand %y, %shape : (tensor<4x1xf32>, tensor<2xi64>) -> tensor<4x8xf32>
  %1 = glow.mul %x, %0 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @square_by_power_and_quarter_by_division
// CHECK-NOT: math.powf
// CHECK-NOT: arith.divf
// CHECK: glow.yield
func.func @square_by_power_and_quarter_by_division(%x: tensor<8xf32>) -> tensor<8xf32> {
  %two = glow.constant dense<2.0> : tensor<f32>
  %four = glow.constant dense<4.0> : tensor<f32>
  %0 = glow.pow %x, %two : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %1 = glow.div %0, %four : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// The error function's own error is larger than that of a product.
// CHECK-LABEL: func.func @rounded_quotient_of_erf
// CHECK: %[[C:.+]] = arith.constant 0.707106769 : f32
// CHECK: arith.mulf %{{.+}}, %[[C]]
// CHECK: arith.divf
func.func @rounded_quotient_of_erf(%x: tensor<8xf32>) -> tensor<8xf32> {
  %c = glow.constant dense<1.41421354> : tensor<f32>
  %0 = glow.div %x, %c : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %1 = glow.erf %0 : (tensor<8xf32>) -> tensor<8xf32>
  %2 = glow.div %1, %c : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}

// A mask is computed once, not for each row of what it is added to.
// CHECK-LABEL: func.func @small_broadcast
// CHECK: glow.map %arg1 {
// CHECK: arith.sitofp
// CHECK: glow.map %arg0, %{{.+}} {
// CHECK-NOT: arith.sitofp
// CHECK: return
func.func @small_broadcast(%x: tensor<512x256xf32>, %mask: tensor<256xi64>) -> tensor<512x256xf32> {
  %0 = glow.cast %mask {to = f32} : (tensor<256xi64>) -> tensor<256xf32>
  %1 = glow.add %x, %0 : (tensor<512x256xf32>, tensor<256xf32>) -> tensor<512x256xf32>
  return %1 : tensor<512x256xf32>
}

// CHECK-LABEL: func.func @returned_too
// CHECK: %[[Y:.+]] = glow.map %arg0
// CHECK: %[[Z:.+]] = glow.map
// CHECK: return %[[Y]], %[[Z]]
func.func @returned_too(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = glow.relu %x : (tensor<8xf32>) -> tensor<8xf32>
  %1 = glow.add %x, %0 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// A number is brought between the smallest and the largest before it becomes an
// integer, where floats have both.
// CHECK-LABEL: func.func @to_bytes
//       CHECK: arith.cmpf ogt
//       CHECK: arith.cmpf olt
//       CHECK: %[[NUMBER:.+]] = arith.select
//  CHECK-NEXT: %[[BYTE:.+]] = arith.fptoui %[[NUMBER]] : f32 to i8
//  CHECK-NEXT: glow.yield %[[BYTE]]
func.func @to_bytes(%x: tensor<4xf32>) -> tensor<4xui8> {
  %0 = glow.cast %x {to = ui8} : (tensor<4xf32>) -> tensor<4xui8>
  return %0 : tensor<4xui8>
}
