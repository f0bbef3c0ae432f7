// RUN: not glow-opt %s -glow-partition="target=abacus" 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not glow-opt %s -glow-partition 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not glow-opt %s -glow-partition="target=#glow.layout<channels_last>" 2>&1 | FileCheck %s --check-prefix=OTHER

// UNKNOWN: error: there is no target 'abacus'
// UNKNOWN: note: is the plug-in with its dialect loaded (--load-dialect-plugin)?
// NONE: error: the module has no 'glow.target', and the option 'target' is empty
// OTHER: is an attribute, but not a target
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}
