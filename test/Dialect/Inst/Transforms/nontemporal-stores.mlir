// RUN: glow-opt %s '--glow-inst-nontemporal-stores=target=vector-bits=512,l1=4K,l2=32K,l3=64K' | FileCheck %s
// RUN: glow-opt %s '--glow-inst-nontemporal-stores=target=vector-bits=128,l1=4K,l2=32K,l3=64K' | FileCheck %s --check-prefix=NARROW

// NARROW-NOT: nontemporal

// A result of 48 KB, and one that is less.
// CHECK-LABEL: func.func @results(
// CHECK: glow_inst.copy {{.+}} {nontemporal} : memref<12288xf32>
// CHECK: glow_inst.map {{.+}} attributes {nontemporal}
// CHECK: glow_inst.copy %{{[a-z0-9]+}} -> %{{[a-z0-9]+}} : memref<12287xf32>
func.func @results(%x: memref<12288xf32>, %short: memref<12287xf32>,
                   %y: memref<12288xf32> {glow_inst.output},
                   %z: memref<12288xf32> {glow_inst.output},
                   %s: memref<12287xf32> {glow_inst.output}) {
  glow_inst.copy %x -> %y : memref<12288xf32> -> memref<12288xf32>
  glow_inst.map ins(%x : memref<12288xf32>) outs(%z : memref<12288xf32>) {
  ^bb0(%a: f32):
    %b = arith.negf %a : f32
    glow.yield %b : f32
  }
  glow_inst.copy %short -> %s : memref<12287xf32> -> memref<12287xf32>
  return
}

// Scratch memory is used again, until it is twice the last cache; what is read
// and written in place is in a cache.
// CHECK-LABEL: func.func @scratch(
// CHECK: glow_inst.copy {{.+}} -> %{{.+}} : memref<12288xf32>
// CHECK: glow_inst.copy {{.+}} {nontemporal} : memref<32768xf32>
// CHECK: glow_inst.map
// CHECK-NOT: nontemporal
func.func @scratch(%x: memref<12288xf32>, %large: memref<32768xf32>,
                   %y: memref<12288xf32> {glow_inst.output}) {
  %a = glow_inst.alloc : memref<12288xf32>
  glow_inst.copy %x -> %a : memref<12288xf32> -> memref<12288xf32>
  %b = glow_inst.alloc : memref<32768xf32>
  glow_inst.copy %large -> %b : memref<32768xf32> -> memref<32768xf32>
  glow_inst.map ins(%y : memref<12288xf32>) outs(%y : memref<12288xf32>) {
  ^bb0(%e: f32):
    %n = arith.negf %e : f32
    glow.yield %n : f32
  }
  return
}

// Instructions that run at once are looked at, points of loops are not.
// CHECK-LABEL: func.func @within(
// CHECK: glow_inst.sections
// CHECK: glow_inst.copy {{.+}} {nontemporal} : memref<12288xf32>
// CHECK: glow_inst.copy %{{.+}} -> %{{[a-z0-9]+}} : memref<12288xf32>
// CHECK: glow_inst.forall
// CHECK-NOT: nontemporal
// CHECK: return
func.func @within(%x: memref<12288xf32>, %y: memref<12288xf32> {glow_inst.output},
                  %z: memref<2x12288xf32> {glow_inst.output}) {
  %s = glow_inst.alloc : memref<12288xf32>
  glow_inst.sections ins(%x : memref<12288xf32>) outs(%y, %s : memref<12288xf32>, memref<12288xf32>) {
  ^bb0(%0: memref<12288xf32>, %1: memref<12288xf32>, %2: memref<12288xf32>):
    glow_inst.copy %0 -> %1 : memref<12288xf32> -> memref<12288xf32>
    glow_inst.copy %0 -> %2 : memref<12288xf32> -> memref<12288xf32>
  }
  glow_inst.forall [2] ins(%x : memref<12288xf32>) outs(%z : memref<2x12288xf32>) steps = [array<i64: 0>, array<i64: 12288>] {
  ^bb0(%a: memref<12288xf32>, %b: memref<12288xf32>):
    glow_inst.copy %a -> %b : memref<12288xf32> -> memref<12288xf32>
  }
  return
}
