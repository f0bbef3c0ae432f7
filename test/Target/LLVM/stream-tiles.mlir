// RUN: glow-opt %s --glow-stream-tiles | FileCheck %s

// The load that is marked, and the mark goes.
// CHECK-LABEL: llvm.func @loads(
//       CHECK: llvm.call_intrinsic "llvm.x86.tileloaddt164.internal"(%{{.*}}) : (i16, i16, !llvm.ptr, i64) -> !llvm.x86_amx
//       CHECK: llvm.call_intrinsic "llvm.x86.tileloadd64.internal"(%{{.*}}) : (i16, i16, !llvm.ptr, i64) -> !llvm.x86_amx
llvm.func @loads(%rows: i16, %bytes: i16, %from: !llvm.ptr, %stride: i64) {
  %0 = llvm.call_intrinsic "llvm.x86.tileloadd64.internal"(%rows, %bytes, %from, %stride) {glow.streamed} : (i16, i16, !llvm.ptr, i64) -> !llvm.x86_amx
  %1 = llvm.call_intrinsic "llvm.x86.tileloadd64.internal"(%rows, %bytes, %from, %stride) : (i16, i16, !llvm.ptr, i64) -> !llvm.x86_amx
  llvm.return
}
