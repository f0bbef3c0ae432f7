// RUN: glow-opt %s -split-input-file -verify-diagnostics

func.func @no_name(%x: tensor<2x!glow.string>) -> tensor<2xi1> {
  // expected-error @+1 {{names no function}}
  %0 = glow.call_host ""(%x) {core_rank = 0 : i64, cells = [tensor<i1>], config = {}} : (tensor<2x!glow.string>) -> tensor<2xi1>
  return %0 : tensor<2xi1>
}

// -----

func.func @attribute(%x: tensor<2x!glow.string>) -> tensor<2xi1> {
  // expected-error @+1 {{attribute 'n' must be an i64, an f64, a string or a list of one of these}}
  %0 = glow.call_host "f"(%x) {core_rank = 0 : i64, cells = [tensor<i1>], config = {n = 1 : i8}} : (tensor<2x!glow.string>) -> tensor<2xi1>
  return %0 : tensor<2xi1>
}

// -----

func.func @result(%x: tensor<2x!glow.string>) -> tensor<3xi1> {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{inferred type(s) 'tensor<2xi1>' are incompatible with return type(s) of operation 'tensor<3xi1>'}}
  %0 = glow.call_host "f"(%x) {core_rank = 0 : i64, cells = [tensor<i1>], config = {}} : (tensor<2x!glow.string>) -> tensor<3xi1>
  return %0 : tensor<3xi1>
}

// -----

func.func @core_rank(%x: tensor<2x!glow.string>) -> tensor<2xi1> {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{core_rank 2 is not a number of axes that 'tensor<2x!glow.string>' has}}
  %0 = glow.call_host "f"(%x) {core_rank = 2 : i64, cells = [tensor<i1>], config = {}} : (tensor<2x!glow.string>) -> tensor<2xi1>
  return %0 : tensor<2xi1>
}

// -----

func.func @strided(%x: memref<2x3xi128, strided<[1, 2]>>, %y: memref<2x3xi1>) {
  // expected-error @+1 {{functions take dense buffers, not}}
  glow_inst.call_host "f" ins(%x : memref<2x3xi128, strided<[1, 2]>>) outs(%y : memref<2x3xi1>) {config = {}}
  return
}
