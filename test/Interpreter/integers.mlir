// RUN: glow-opt %s -glow-fold-constants | FileCheck %s

// CHECK-LABEL: func.func @division
// CHECK-DAG: dense<[2, -2, -2, 0, -2147483648]> : tensor<5xi32>
// CHECK-DAG: dense<[1, 2, -2, 7, 0]> : tensor<5xi32>
// CHECK-DAG: dense<[1, -1, 1, 7, 0]> : tensor<5xi32>
func.func @division() -> (tensor<5xi32>, tensor<5xi32>, tensor<5xi32>) {
  %x = glow.constant dense<[7, -7, 7, 7, -2147483648]> : tensor<5xi32>
  %y = glow.constant dense<[3, 3, -3, 0, -1]> : tensor<5xi32>
  %q = glow.div %x, %y : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi32>
  %m = glow.mod %x, %y : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi32>
  %f = glow.fmod %x, %y : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi32>
  return %q, %m, %f : tensor<5xi32>, tensor<5xi32>, tensor<5xi32>
}

// CHECK-LABEL: func.func @unsigned
// CHECK-DAG: dense<[44, 243]> : tensor<2xui8>
// CHECK-DAG: dense<[2, 0]> : tensor<2xui8>
// CHECK-DAG: dense<[200, 143]> : tensor<2xui8>
// CHECK-DAG: dense<[false, true]> : tensor<2xi1>
func.func @unsigned() -> (tensor<2xui8>, tensor<2xui8>, tensor<2xui8>, tensor<2xi1>) {
  %x = glow.constant dense<[200, 100]> : tensor<2xui8>
  %y = glow.constant dense<[100, 143]> : tensor<2xui8>
  %add = glow.add %x, %y : (tensor<2xui8>, tensor<2xui8>) -> tensor<2xui8>
  %div = glow.div %x, %y : (tensor<2xui8>, tensor<2xui8>) -> tensor<2xui8>
  %max = glow.maximum %x, %y : (tensor<2xui8>, tensor<2xui8>) -> tensor<2xui8>
  %less = glow.less %x, %y : (tensor<2xui8>, tensor<2xui8>) -> tensor<2xi1>
  return %add, %div, %max, %less : tensor<2xui8>, tensor<2xui8>, tensor<2xui8>, tensor<2xi1>
}

// CHECK-LABEL: func.func @shift_by_the_width
// CHECK-DAG: dense<[8, 0]> : tensor<2xui8>
// CHECK-DAG: dense<[-1, -128]> : tensor<2xi8>
func.func @shift_by_the_width() -> (tensor<2xui8>, tensor<2xi8>) {
  %x = glow.constant dense<[1, 255]> : tensor<2xui8>
  %by = glow.constant dense<[3, 8]> : tensor<2xui8>
  %left = glow.shift_left %x, %by : (tensor<2xui8>, tensor<2xui8>) -> tensor<2xui8>
  %y = glow.constant dense<-128> : tensor<2xi8>
  %by2 = glow.constant dense<[9, 0]> : tensor<2xi8>
  %right = glow.shift_right %y, %by2 : (tensor<2xi8>, tensor<2xi8>) -> tensor<2xi8>
  return %left, %right : tensor<2xui8>, tensor<2xi8>
}

// CHECK-LABEL: func.func @power
// CHECK-NEXT: dense<[1024, -27, 1, 0]> : tensor<4xi32>
func.func @power() -> tensor<4xi32> {
  %x = glow.constant dense<[2, -3, 5, 2]> : tensor<4xi32>
  %y = glow.constant dense<[10, 3, 0, -1]> : tensor<4xi32>
  %r = glow.pow %x, %y : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}

// CHECK-LABEL: func.func @bits
// CHECK-DAG: dense<[false, true]> : tensor<2xi1>
// CHECK-DAG: dense<[-1, -6]> : tensor<2xi32>
func.func @bits() -> (tensor<2xi1>, tensor<2xi32>) {
  %b = glow.constant dense<[true, false]> : tensor<2xi1>
  %not = glow.not %b : (tensor<2xi1>) -> tensor<2xi1>
  %i = glow.constant dense<[0, 5]> : tensor<2xi32>
  %complement = glow.bitwise_not %i : (tensor<2xi32>) -> tensor<2xi32>
  return %not, %complement : tensor<2xi1>, tensor<2xi32>
}
