// Every tool that reads IR knows the dialect of a plug-in.

// RUN: glow-opt %s %habana | FileCheck %s
// RUN: glow-compile %s %habana --stop-after=import | FileCheck %s
// RUN: glow-reduce %s %habana -reduction-tree="traversal-mode=0 test=/bin/false" | FileCheck %s
// RUN: not glow-translate %s %habana --export-onnx -o %t.onnx 2>&1 | FileCheck %s --check-prefix=EXPORT

// RUN: not glow-opt %s 2>&1 | FileCheck %s --check-prefix=WITHOUT
// RUN: not glow-compile %s --stop-after=import 2>&1 | FileCheck %s --check-prefix=WITHOUT
// RUN: not glow-reduce %s -reduction-tree="traversal-mode=0 test=/bin/false" 2>&1 | FileCheck %s --check-prefix=WITHOUT

// RUN: not glow-translate %s --load-dialect-plugin=%t.so --export-onnx 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not glow-compile %s --load-dialect-plugin=%t.so --stop-after=import 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not glow-reduce %s --load-dialect-plugin=%t.so 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: error: Could not load library

// CHECK: #habana.target<sram = 4096>
// EXPORT: cannot be written as ONNX
// WITHOUT: habana
module attributes {glow.target = #habana.target<sram = 4096>} {
  func.func @main(%x: memref<4xf32, #habana.mem<ddr>>) {
    return
  }
}
