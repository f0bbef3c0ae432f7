// RUN: glow-opt %s --glow-check-bounds | FileCheck %s
// RUN: glow-opt %s --glow-check-bounds | mlir-opt --convert-scf-to-cf --expand-strided-metadata --convert-vector-to-llvm --finalize-memref-to-llvm --convert-arith-to-llvm --convert-cf-to-llvm --convert-func-to-llvm --reconcile-unrealized-casts -o %t.mlir
// RUN: mlir-runner %t.mlir -e inside --entry-point-result=void
// RUN: not --crash mlir-runner %t.mlir -e behind --entry-point-result=void 2>&1 | FileCheck %s --check-prefix=BEHIND
// RUN: not --crash mlir-runner %t.mlir -e masked --entry-point-result=void 2>&1 | FileCheck %s --check-prefix=MASKED
// RUN: not --crash mlir-runner %t.mlir -e gaps --entry-point-result=void 2>&1 | FileCheck %s --check-prefix=GAPS

// The text names the kernel, the access and where it comes from.
// CHECK: llvm.mlir.global internal constant @{{.*}}("glow: kernel 'reversed': memref.load goes beyond elements -6 to 1 of its buffer; from {{.*}}check-bounds.mlir

// What may be reached follows from the strides of the operand.
// CHECK-LABEL: func.func @reversed
// CHECK: %[[LOW:.*]] = arith.constant -6
// CHECK-NEXT: arith.cmpi slt, %arg1, %[[LOW]]
// CHECK: scf.if
// CHECK: call @write
// CHECK: call @abort
func.func @reversed(%a: memref<4x2xf32, strided<[-2, 1]>>, %i: index) -> f32 {
  %flat = memref.reinterpret_cast %a to offset: [0], sizes: [2], strides: [1] : memref<4x2xf32, strided<[-2, 1]>> to memref<2xf32>
  %v = memref.load %flat[%i] : memref<2xf32>
  return %v : f32
}

// CHECK-LABEL: func.func @copy
func.func @copy(%a: memref<8xf32>, %i: index, %lanes: index) {
  %mask = vector.create_mask %lanes : vector<4xi1>
  %zero = arith.constant dense<0.0> : vector<4xf32>
  // CHECK: vector.reduction <maxui>
  // CHECK: scf.if
  // CHECK: vector.maskedload
  %v = vector.maskedload %a[%i], %mask, %zero : memref<8xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  // CHECK: scf.if
  // CHECK: vector.store
  vector.store %v, %a[%i] : memref<8xf32>, vector<4xf32>
  return
}

// Numbers of 24 bits are seen as three bytes each.
// CHECK-LABEL: func.func @three_bytes
// CHECK: %[[HIGH:.*]] = arith.constant 24
// CHECK-NEXT: arith.cmpi sgt, %{{.*}}, %[[HIGH]]
func.func @three_bytes(%a: memref<8xi24>, %i: index) -> vector<3xi8> {
  %bytes = builtin.unrealized_conversion_cast %a : memref<8xi24> to memref<24xi8>
  %v = vector.load %bytes[%i] : memref<24xi8>, vector<3xi8>
  return %v : vector<3xi8>
}

func.func @every_other(%a: memref<8xf32>, %i: index) -> vector<4xf32> {
  %mask = arith.constant dense<[true, false, true, false]> : vector<4xi1>
  %zero = arith.constant dense<0.0> : vector<4xf32>
  %v = vector.maskedload %a[%i], %mask, %zero : memref<8xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  return %v : vector<4xf32>
}

func.func @inside() {
  %a = memref.alloca() : memref<8xf32>
  %i = arith.constant 4 : index
  %lanes = arith.constant 4 : index
  call @copy(%a, %i, %lanes) : (memref<8xf32>, index, index) -> ()
  return
}

// Two elements are read, but four are written.
// BEHIND: glow: kernel 'copy': vector.store goes beyond elements 0 to 7 of its buffer
func.func @behind() {
  %a = memref.alloca() : memref<8xf32>
  %i = arith.constant 6 : index
  %lanes = arith.constant 2 : index
  call @copy(%a, %i, %lanes) : (memref<8xf32>, index, index) -> ()
  return
}

// MASKED: glow: kernel 'copy': vector.maskedload goes beyond elements 0 to 7 of its buffer
func.func @masked() {
  %a = memref.alloca() : memref<8xf32>
  %i = arith.constant 6 : index
  %lanes = arith.constant 3 : index
  call @copy(%a, %i, %lanes) : (memref<8xf32>, index, index) -> ()
  return
}

// Two elements that are two places apart: the second one lies behind the end.
// GAPS: glow: kernel 'every_other': vector.maskedload goes beyond elements 0 to 7 of its buffer
func.func @gaps() {
  %a = memref.alloca() : memref<8xf32>
  %fits = arith.constant 5 : index
  call @every_other(%a, %fits) : (memref<8xf32>, index) -> vector<4xf32>
  %i = arith.constant 6 : index
  call @every_other(%a, %i) : (memref<8xf32>, index) -> vector<4xf32>
  return
}
