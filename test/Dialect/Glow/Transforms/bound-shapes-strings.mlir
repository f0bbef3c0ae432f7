// RUN: glow-opt %s --split-input-file --glow-bound-shapes="bounds=m=1..2,n=1..4" | FileCheck %s

// The pad begins where valid strings end. Strings are not chosen: an empty one
// is fetched from behind them.
// CHECK-LABEL: func.func @pad
// CHECK: %[[INNER:.+]] = glow.less
// CHECK: %[[LONGER:.+]] = glow.pad {{.*}} -> tensor<2x6x!glow.string>
// CHECK: %[[PLACES:.+]] = glow.where %[[INNER]], %{{.+}}, %{{.+}} : (tensor<5xi1>, tensor<5xi64>, tensor<i64>)
// CHECK: glow.gather %[[LONGER]], %[[PLACES]] {axis = 1 : i64}
func.func @pad(%x: tensor<?x?x!glow.string> {glow.dim_names = ["m", "n"]}) -> tensor<?x?x!glow.string> {
  %pads = glow.constant dense<[0, 0, 0, 1]> : tensor<4xi64>
  %r = glow.pad constant %x, %pads : (tensor<?x?x!glow.string>, tensor<4xi64>) -> tensor<?x?x!glow.string>
  return %r : tensor<?x?x!glow.string>
}

// -----

// What follows a merged axis does so behind its valid elements, which are moved
// together.
// CHECK-LABEL: func.func @join_merged
// CHECK: %[[FLAT:.+]] = glow.reshape %arg0, {{.+}} -> tensor<8x!glow.string>
// CHECK: %[[PREFIX:.+]] = glow.gather %[[FLAT]]
// CHECK: %[[BOTH:.+]] = glow.concat %[[PREFIX]], %arg1
// CHECK: glow.gather %[[BOTH]]
func.func @join_merged(%x: tensor<?x?x!glow.string> {glow.dim_names = ["m", "n"]}, %y: tensor<2x!glow.string>) -> tensor<?x!glow.string> {
  %all = glow.constant dense<-1> : tensor<1xi64>
  %flat = glow.reshape %x, %all : (tensor<?x?x!glow.string>, tensor<1xi64>) -> tensor<?x!glow.string>
  %r = glow.concat %flat, %y {axis = 0 : i64} : (tensor<?x!glow.string>, tensor<2x!glow.string>) -> tensor<?x!glow.string>
  return %r : tensor<?x!glow.string>
}

// -----

// A function that works on each element sees the axes as they were before they
// were merged, so that they can be split again.
// CHECK-LABEL: func.func @merged_cells
// CHECK: %[[FLAT:.+]] = glow.reshape %arg0, {{.+}} -> tensor<8x!glow.string>
// CHECK: %[[SPLIT:.+]] = glow.reshape %[[FLAT]], {{.+}} -> tensor<2x4x!glow.string>
// CHECK: %[[CALL:.+]] = glow.call_host "string_concat"(%[[SPLIT]], %{{.+}}, %{{.+}})
// CHECK: glow.reshape %[[CALL]], {{.+}} -> tensor<8x!glow.string>
func.func @merged_cells(%x: tensor<?x?x!glow.string> {glow.dim_names = ["m", "n"]}) -> tensor<?x?x!glow.string> {
  %all = glow.constant dense<-1> : tensor<1xi64>
  %flat = glow.reshape %x, %all : (tensor<?x?x!glow.string>, tensor<1xi64>) -> tensor<?x!glow.string>
  %twice = glow.call_host "string_concat"(%flat, %flat) {core_rank = 0 : i64, cells = [tensor<!glow.string>], config = {}} : (tensor<?x!glow.string>, tensor<?x!glow.string>) -> tensor<?x!glow.string>
  %shape = glow.shape_of %x {end = 2 : i64, start = 0 : i64} : (tensor<?x?x!glow.string>) -> tensor<2xi64>
  %r = glow.reshape %twice, %shape : (tensor<?x!glow.string>, tensor<2xi64>) -> tensor<?x?x!glow.string>
  return %r : tensor<?x?x!glow.string>
}
