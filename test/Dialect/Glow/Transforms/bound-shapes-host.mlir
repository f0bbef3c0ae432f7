// RUN: glow-opt %s --split-input-file --glow-bound-shapes | FileCheck %s

// A list has room for as many words as it had; their number is one more result.
// CHECK: #[[LEFT:.+]] = affine_map<()[s0] -> (s0)>
// CHECK-LABEL: func.func @words
// CHECK-SAME: -> (tensor<5x!glow.string> {glow.extents = #[[LEFT]]}, tensor<1xi64> {glow.computed_symbols = [{lower = 0 : i64, name = "count0", upper = 5 : i64}]})
// CHECK: %[[CALL:.+]]:2 = glow.call_host "string_normalize"(%arg0) {cells = [tensor<5x!glow.string>, tensor<1xi64>], config = {case = "NONE", case_sensitive = 0 : i64, extents = array<i64: 0, 1>, stopwords = ["a"]}, core_rank = 0 : i64} : (tensor<5x!glow.string>) -> (tensor<5x!glow.string>, tensor<1xi64>)
// CHECK: %[[COUNT:.+]] = glow.reshape
// CHECK: return %[[CALL]]#0, %{{.+}}
func.func @words(%x: tensor<5x!glow.string>) -> tensor<?x!glow.string> {
  %r = glow.call_host "string_normalize"(%x) {core_rank = 1 : i64, cells = [tensor<?x!glow.string>], config = {case = "NONE", case_sensitive = 0 : i64, stopwords = ["a"]}} : (tensor<5x!glow.string>) -> tensor<?x!glow.string>
  return %r : tensor<?x!glow.string>
}

// -----

// What is stated goes before. A call on what another has made is told the
// extents.
// CHECK-LABEL: func.func @numbers
// CHECK: %[[SPLIT:.+]]:3 = glow.call_host "string_split"(%arg0) {cells = [tensor<2x8x!glow.string>, tensor<2xi64>, tensor<3xi64>]
// CHECK: %[[PART:.+]] = glow.slice %[[SPLIT]]#2
// CHECK: %[[COUNT:.+]] = glow.reshape %[[PART]]
// CHECK: %[[EXTENTS:.+]] = glow.concat
// CHECK: %[[READ:.+]] = glow.call_host "string_to_number"(%[[SPLIT]]#0, %[[EXTENTS]]) {cells = [tensor<2x8xf32>], config = {extents = array<i64: 1, 0>}, core_rank = 0 : i64} : (tensor<2x8x!glow.string>, tensor<2xi64>) -> tensor<2x8xf32>
func.func @numbers(%x: tensor<2x!glow.string>) -> tensor<2x?xf32> {
  %p, %n = glow.call_host "string_split"(%x) {core_rank = 0 : i64, cells = [tensor<?x!glow.string>, tensor<i64>], config = {delimiter = "", maxsplit = -1 : i64, most = array<i64: 8>}} : (tensor<2x!glow.string>) -> (tensor<2x?x!glow.string>, tensor<2xi64>)
  %r = glow.call_host "string_to_number"(%p) {core_rank = 0 : i64, cells = [tensor<f32>], config = {}} : (tensor<2x?x!glow.string>) -> tensor<2x?xf32>
  return %r : tensor<2x?xf32>
}
