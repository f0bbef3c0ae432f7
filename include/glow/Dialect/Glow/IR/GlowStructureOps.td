//===- GlowStructureOps.td - constants, fused element-wise clusters, terminators ---*- tablegen -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_DIALECT_GLOW_IR_GLOWSTRUCTUREOPS_TD
#define GLOW_DIALECT_GLOW_IR_GLOWSTRUCTUREOPS_TD

include "glow/Dialect/Glow/IR/GlowOpBase.td"

include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/SymbolInterfaces.td"

def Glow_ConstantOp : Glow_Op<"constant",
    [Pure, ConstantLike, Evaluated, AllTypesMatch<["value", "result"]>]> {
  let summary = "a constant tensor";
  let description = [{
    Large values are `dense_resource` blobs that point into the mapped model
    file.

    Example:
    ```mlir
    %r = glow.constant dense<[1, 2]> : tensor<2xi64>
    ```
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Glow_Tensor:$result);
  let assemblyFormat = "attr-dict $value";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Glow_MapOp : Glow_PrimitiveOp<"map", [SingleBlock, IsolatedFromAbove]> {
  let summary = "a cluster of element-wise ops";
  let description = [{
    The region computes one element of the result from one element of each input;
    inputs are broadcast to a common shape. Its arguments and the yielded value
    have the signless element types; `element_type` is the result's own.

    Example:
    ```mlir
    %r = glow.map %x, %y {element_type = f32} do {
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      glow.yield %s : f32
    } : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
    ```
  }];
  let arguments = (ins Variadic<Glow_NumTensor>:$inputs, TypeAttr:$element_type);
  let regions = (region SizedRegion<1>:$body);
  let results = (outs Glow_NumTensor:$result);
  let assemblyFormat = [{
    $inputs attr-dict `do` $body `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def Glow_YieldOp : Glow_Op<"yield", [Pure, Terminator]> {
  let summary = "ends a scalar region";
  let description = [{
    Example:
    ```mlir
    glow.yield %s : f32
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

def Glow_CallHostOp : Glow_PrimitiveOp<"call_host"> {
  let summary = "a function of the runtime, for what has no kernel";
  let description = [{
    Work on strings, and decoding. `function` names the function, which is in
    `lib/Runtime/HostOps`; `config` is what it is told: numbers, strings and
    lists of these. It works on cells: the last `core_rank` axes of each input
    belong to a cell, the axes before them are broadcast to a common shape.
    `cells` has the type of each result's cell, so a result has the common
    shape, then that of its cell. A dynamic extent in a cell depends on the data;
    `most` in `config` has the greatest for each of them. With `extents` in
    `config`, which `glow-bound-shapes` adds, `cells` are whole results, and the
    last input and result, where its two numbers are 1, are the extents of others.

    Example:
    ```mlir
    %r = glow.call_host "string_equal"(%a, %b) {core_rank = 0 : i64, cells = [tensor<i1>], config = {}} : (tensor<2x3x!glow.string>, tensor<3x!glow.string>) -> tensor<2x3xi1>
    ```
  }];
  let arguments = (ins StrAttr:$function, Variadic<Glow_Tensor>:$inputs,
      I64Attr:$core_rank, TypeArrayAttr:$cells, DictionaryAttr:$config);
  let results = (outs Variadic<Glow_Tensor>:$results);
  let assemblyFormat = [{
    $function `(` $inputs `)` attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def Glow_RequireOp : Glow_PrimitiveOp<"require", [Glow_TypeOfInput]> {
  let summary = "a value that is valid unless something is violated";
  let description = [{
    The result is the input. A run in which `violated` is true ends with an error
    that has `message` and the op's location, as where an index is out of range.
    What does not use the result may have been computed before.

    Example:
    ```mlir
    %r = glow.require %i, %v {message = "an index is out of range"} : (tensor<4xi64>, tensor<i1>) -> tensor<4xi64>
    ```
  }];
  let arguments = (ins Glow_Tensor:$input, 0DTensorOf<[I1]>:$violated,
      StrAttr:$message);
  let results = (outs Glow_Tensor:$result);
  let hasFolder = 1;
}

def Glow_LoopOp : Glow_Op<"loop", [Pure, AttrSizedOperandSegments, Lowered,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "runs a function while a condition holds";
  let description = [{
    The body is a private function of the same module. It takes the number of the
    iteration as a `tensor<i64>`, the states, and `reads`, which are the same in
    each iteration. It returns whether there is another iteration as a
    `tensor<i1>`, the states for it, and values that are collected. `condition`
    says whether there is a first one.

    The results are the last states, and for each value that is collected a
    tensor with one more axis at the front: its row i is from iteration i, rows
    that no iteration wrote are zeros or empty strings. All shapes are static. The body's attribute
    `glow.loop` gives the number of states and the number of rows, which is 0 if
    nothing is collected; the body ends a loop before it has more iterations, or
    the rows are anything.

    Example:
    ```mlir
    func.func @double(%x: tensor<f32>, %most: tensor<f32>, %c: tensor<i1>) -> tensor<f32> {
      %r = glow.loop @twice while %c : tensor<i1> states(%x : tensor<f32>) reads(%most : tensor<f32>) -> tensor<f32>
      return %r : tensor<f32>
    }
    func.func private @twice(%i: tensor<i64>, %x: tensor<f32>, %most: tensor<f32>) -> (tensor<i1>, tensor<f32>) attributes {glow.loop = array<i64: 1, 0>} {
      %y = glow.add %x, %x : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %c = glow.less %y, %most : (tensor<f32>, tensor<f32>) -> tensor<i1>
      return %c, %y : tensor<i1>, tensor<f32>
    }
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$body, 0DTensorOf<[I1]>:$condition,
      Variadic<Glow_Tensor>:$states, Variadic<Glow_Tensor>:$reads);
  let results = (outs Variadic<Glow_Tensor>:$results);
  let assemblyFormat = [{
    $body `while` $condition `:` type($condition)
    (`states` `(` $states^ `:` type($states) `)`)?
    (`reads` `(` $reads^ `:` type($reads) `)`)? attr-dict
    (`->` type($results)^)?
  }];
}

def Glow_ForStepsOp : Glow_Op<"for_steps", [Pure, AttrSizedOperandSegments, Lowered,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "runs a function for each step of sequences";
  let description = [{
    Axis 0 is a batch, of which the body computes each row by itself, and axis 1
    of `rows` has the steps. The body is a private function of the same module. It
    takes the states, the rows of `histories` that the step before has made, those
    of `rows` that are this step's, both without the axis of steps, and `reads`,
    which are the same in each step. It returns the states for the next step, and
    a row for each history.

    The results are the last states, and histories, whose first row is given. If
    they have one row more than there are steps, it is what the first step begins
    with, and row i + 1 is that of step i; if they have as many, it is that of step
    0, which the body does not run for. `reversed` goes from the last row to the
    first one. `steps`, a `tensor<i64>`, says how often the body runs, for all steps
    without it; later rows are anything. In a bounded function `extents` has those
    of the batch and of the steps of `rows`.

    The body's attribute `glow.steps` gives the number of states, histories and
    rows, of steps, and of rows of histories.

    Example:
    ```mlir
    func.func @sums(%x: tensor<1x8x4xf32>, %zero: tensor<1x4xf32>) -> tensor<1x9x4xf32> {
      %y = glow.for_steps @add histories(%zero : tensor<1x4xf32>) rows(%x : tensor<1x8x4xf32>) -> tensor<1x9x4xf32>
      return %y : tensor<1x9x4xf32>
    }
    func.func private @add(%sum: tensor<1x4xf32>, %x: tensor<1x4xf32>) -> tensor<1x4xf32> attributes {glow.steps = array<i64: 0, 1, 1, 8, 9>} {
      %y = glow.add %sum, %x : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
      return %y : tensor<1x4xf32>
    }
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$body, UnitAttr:$reversed,
      Optional<0DTensorOf<[I64]>>:$steps, Variadic<Glow_Tensor>:$states,
      Variadic<Glow_Tensor>:$histories, Variadic<Glow_Tensor>:$rows,
      Variadic<Glow_Tensor>:$reads, OptionalAttr<AffineMapAttr>:$extents);
  let results = (outs Variadic<Glow_Tensor>:$results);
  let assemblyFormat = [{
    $body (`reversed` $reversed^)? (`steps` $steps^ `:` type($steps))?
    (`states` `(` $states^ `:` type($states) `)`)?
    (`histories` `(` $histories^ `:` type($histories) `)`)?
    (`rows` `(` $rows^ `:` type($rows) `)`)?
    (`reads` `(` $reads^ `:` type($reads) `)`)? attr-dict
    (`->` type($results)^)?
  }];
}

def Glow_LaunchOp : Glow_Op<"launch",
    [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "runs a partition on its device";
  let description = [{
    The callee is a function in a module nested in this one, whose `glow.target`
    says where it runs. `glow-partition` makes these.

    Example:
    ```mlir
    %r = glow.launch @p0::@main(%x) : (tensor<2xf32>) -> tensor<2xf32>
    ```
  }];
  let arguments = (ins SymbolRefAttr:$callee, Variadic<Glow_Tensor>:$inputs);
  let results = (outs Variadic<Glow_Tensor>:$results);
  let assemblyFormat = [{
    $callee `(` $inputs `)` attr-dict `:` functional-type(operands, results)
  }];
}

#endif
