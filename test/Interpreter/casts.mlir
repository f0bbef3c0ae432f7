// RUN: glow-opt %s -glow-fold-constants | FileCheck %s

// CHECK-LABEL: func.func @saturates
// CHECK-DAG: dense<[1, -1, 127, -128, 0]> : tensor<5xi8>
// CHECK-DAG: dense<[1, 0, 255, 0, 0]> : tensor<5xui8>
// CHECK-DAG: dense<[1, -1, -4, 4, 0]> : tensor<5xi4>
func.func @saturates() -> (tensor<5xi8>, tensor<5xui8>, tensor<5xi4>) {
  %x = glow.constant dense<[1.9, -1.9, 300.0, -300.0, 0x7FC00000]> : tensor<5xf32>
  %i = glow.cast %x {to = i8} : (tensor<5xf32>) -> tensor<5xi8>
  %u = glow.cast %x {to = ui8} : (tensor<5xf32>) -> tensor<5xui8>
  %n = glow.cast %x {to = i4} : (tensor<5xf32>) -> tensor<5xi4>
  return %i, %u, %n : tensor<5xi8>, tensor<5xui8>, tensor<5xi4>
}

// CHECK-LABEL: func.func @wraps
// CHECK-DAG: dense<[44, -1]> : tensor<2xi8>
// CHECK-DAG: dense<[300, 65535]> : tensor<2xui16>
func.func @wraps() -> (tensor<2xi8>, tensor<2xui16>) {
  %x = glow.constant dense<[300, -1]> : tensor<2xi32>
  %i = glow.cast %x {to = i8} : (tensor<2xi32>) -> tensor<2xi8>
  %u = glow.cast %x {to = ui16} : (tensor<2xi32>) -> tensor<2xui16>
  return %i, %u : tensor<2xi8>, tensor<2xui16>
}

// CHECK-LABEL: func.func @booleans
// CHECK-DAG: dense<[false, false, true, true]> : tensor<4xi1>
// CHECK-DAG: dense<[0.000000e+00, 0.000000e+00, 1.000000e+00, 1.000000e+00]> : tensor<4xf32>
func.func @booleans() -> (tensor<4xi1>, tensor<4xf32>) {
  %x = glow.constant dense<[0.0, -0.0, 0.1, 0x7FC00000]> : tensor<4xf32>
  %b = glow.cast %x {to = i1} : (tensor<4xf32>) -> tensor<4xi1>
  %f = glow.cast %b {to = f32} : (tensor<4xi1>) -> tensor<4xf32>
  return %b, %f : tensor<4xi1>, tensor<4xf32>
}

// Halves of the last place go to even; what is too large becomes infinite.
// CHECK-LABEL: func.func @half_precision
// CHECK-DAG: dense<[1.000000e+00, 6.550400e+04, 0x7C00, 5.960460e-08, 0.000000e+00]> : tensor<5xf16>
// CHECK-DAG: dense<[1.000000e+00, 6.553600e+04, 6.553600e+04, 5.960460e-08, 2.980230e-08]> : tensor<5xbf16>
func.func @half_precision() -> (tensor<5xf16>, tensor<5xbf16>) {
  %x = glow.constant dense<[1.00048828125, 65519.0, 65520.0, 5.9604644775390625e-8, 2.98023223876953125e-8]> : tensor<5xf32>
  %f = glow.cast %x {to = f16} : (tensor<5xf32>) -> tensor<5xf16>
  %b = glow.cast %x {to = bf16} : (tensor<5xf32>) -> tensor<5xbf16>
  return %f, %b : tensor<5xf16>, tensor<5xbf16>
}

// The types of 8 bits and fewer saturate.
// CHECK-LABEL: func.func @quarter_precision
// CHECK-DAG: dense<[4.480000e+02, -4.480000e+02, 1.000000e+00, 0x7F]> : tensor<4xf8E4M3FN>
// CHECK-DAG: dense<[1.024000e+03, -5.734400e+04, 1.000000e+00, 0x7E]> : tensor<4xf8E5M2>
// CHECK-DAG: dense<[6.000000e+00, 1.500000e+00, -6.000000e+00]> : tensor<3xf4E2M1FN>
func.func @quarter_precision() -> (tensor<4xf8E4M3FN>, tensor<4xf8E5M2>, tensor<3xf4E2M1FN>) {
  %x = glow.constant dense<[1000.0, 0xFF800000, 1.01, 0x7FC00000]> : tensor<4xf32>
  %a = glow.cast %x {to = f8E4M3FN} : (tensor<4xf32>) -> tensor<4xf8E4M3FN>
  %b = glow.cast %x {to = f8E5M2} : (tensor<4xf32>) -> tensor<4xf8E5M2>
  %y = glow.constant dense<[100.0, 1.6, -7.0]> : tensor<3xf32>
  %c = glow.cast %y {to = f4E2M1FN} : (tensor<3xf32>) -> tensor<3xf4E2M1FN>
  return %a, %b, %c : tensor<4xf8E4M3FN>, tensor<4xf8E5M2>, tensor<3xf4E2M1FN>
}

// Integers are rounded once, not by way of double.
// CHECK-LABEL: func.func @large_integers
// CHECK-DAG: dense<[1.84467441E+19, 4.61168657E+18]> : tensor<2xf32>
func.func @large_integers() -> tensor<2xf32> {
  %u = glow.constant dense<[18446744073709551615, 4611686293305294849]> : tensor<2xui64>
  %r = glow.cast %u {to = f32} : (tensor<2xui64>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// Powers of two: 3 lies halfway between two of them.
// CHECK-LABEL: func.func @exponents
// CHECK-DAG: dense<[4.000000e+00, 4.000000e+00, 1.000000e+00, 1.701410e+38]> : tensor<4xf8E8M0FNU>
// CHECK-DAG: dense<[2.000000e+00, 4.000000e+00, 1.000000e+00, 1.701410e+38]> : tensor<4xf8E8M0FNU>
// CHECK-DAG: dense<[2.000000e+00, 2.000000e+00, 1.000000e+00, 0xFF]> : tensor<4xf8E8M0FNU>
func.func @exponents() -> (tensor<4xf8E8M0FNU>, tensor<4xf8E8M0FNU>, tensor<4xf8E8M0FNU>) {
  %x = glow.constant dense<[2.5, 3.0, 1.0, 0x7F800000]> : tensor<4xf32>
  %up = glow.cast %x {to = f8E8M0FNU} : (tensor<4xf32>) -> tensor<4xf8E8M0FNU>
  %near = glow.cast %x {to = f8E8M0FNU, round_mode = #glow<round_mode nearest>} : (tensor<4xf32>) -> tensor<4xf8E8M0FNU>
  %down = glow.cast %x {to = f8E8M0FNU, round_mode = #glow<round_mode down>, unsaturated} : (tensor<4xf32>) -> tensor<4xf8E8M0FNU>
  return %up, %near, %down : tensor<4xf8E8M0FNU>, tensor<4xf8E8M0FNU>, tensor<4xf8E8M0FNU>
}

// CHECK-LABEL: func.func @unsaturated
// CHECK-DAG: dense<0x7F> : tensor<1xf8E4M3FN>
// CHECK-DAG: dense<0x7C> : tensor<1xf8E5M2>
// CHECK-DAG: dense<0x80> : tensor<1xf8E5M2FNUZ>
func.func @unsaturated() -> (tensor<1xf8E4M3FN>, tensor<1xf8E5M2>, tensor<1xf8E5M2FNUZ>) {
  %x = glow.constant dense<1.0e6> : tensor<1xf32>
  %a = glow.cast %x {to = f8E4M3FN, unsaturated} : (tensor<1xf32>) -> tensor<1xf8E4M3FN>
  %b = glow.cast %x {to = f8E5M2, unsaturated} : (tensor<1xf32>) -> tensor<1xf8E5M2>
  %c = glow.cast %x {to = f8E5M2FNUZ, unsaturated} : (tensor<1xf32>) -> tensor<1xf8E5M2FNUZ>
  return %a, %b, %c : tensor<1xf8E4M3FN>, tensor<1xf8E5M2>, tensor<1xf8E5M2FNUZ>
}

// Some formats have no -0, whose bits are those of their NaN.
// CHECK-LABEL: func.func @minus_zero
// CHECK-DAG: dense<[0.000000e+00, 0.000000e+00, -1.000000e+00]> : tensor<3xf8E4M3FNUZ>
// CHECK-DAG: dense<[0.000000e+00, -0.000000e+00, -1.000000e+00]> : tensor<3xf8E4M3FN>
// CHECK-DAG: dense<[0.000000e+00, -0.000000e+00, -1.000000e+00]> : tensor<3xbf16>
func.func @minus_zero() -> (tensor<3xf8E4M3FNUZ>, tensor<3xf8E4M3FN>, tensor<3xbf16>) {
  %x = glow.constant dense<[0.0, -0.0, -1.0]> : tensor<3xf32>
  %a = glow.cast %x {to = f8E4M3FNUZ} : (tensor<3xf32>) -> tensor<3xf8E4M3FNUZ>
  %b = glow.cast %x {to = f8E4M3FN} : (tensor<3xf32>) -> tensor<3xf8E4M3FN>
  %c = glow.cast %x {to = bf16} : (tensor<3xf32>) -> tensor<3xbf16>
  return %a, %b, %c : tensor<3xf8E4M3FNUZ>, tensor<3xf8E4M3FN>, tensor<3xbf16>
}

// CHECK-LABEL: func.func @same_bits
// CHECK-DAG: dense<[1065353216, -2147483648]> : tensor<2xi32>
// CHECK-DAG: dense<[1, 0]> : tensor<2xui8>
// CHECK-DAG: dense<-1.000000e+00> : tensor<1xf4E2M1FN>
func.func @same_bits() -> (tensor<2xi32>, tensor<2xui8>, tensor<1xf4E2M1FN>) {
  %x = glow.constant dense<[1.0, -0.0]> : tensor<2xf32>
  %a = glow.bit_cast %x {to = i32} : (tensor<2xf32>) -> tensor<2xi32>
  %y = glow.constant dense<[true, false]> : tensor<2xi1>
  %b = glow.bit_cast %y {to = ui8} : (tensor<2xi1>) -> tensor<2xui8>
  %z = glow.constant dense<-6> : tensor<1xi4>
  %c = glow.bit_cast %z {to = f4E2M1FN} : (tensor<1xi4>) -> tensor<1xf4E2M1FN>
  return %a, %b, %c : tensor<2xi32>, tensor<2xui8>, tensor<1xf4E2M1FN>
}
