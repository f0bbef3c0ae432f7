//===- InstMemoryOps.td - allocation, constants and views --*- tablegen -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_DIALECT_INST_IR_INSTMEMORYOPS_TD
#define GLOW_DIALECT_INST_IR_INSTMEMORYOPS_TD

include "glow/Dialect/Inst/IR/InstOpBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/Interfaces/ViewLikeInterface.td"

def Inst_AllocOp : Inst_Op<"alloc"> {
  let summary = "scratch memory";
  let description = [{
    `offset`, in bytes from the start of the arena of the buffer's memory space,
    is there once memory is planned.

    Example:
    ```mlir
    %b = glow_inst.alloc {offset = 4096 : i64} : memref<1x64x56x56xf32>
    ```
  }];
  let arguments = (ins OptionalAttr<I64Attr>:$offset);
  let results = (outs Res<Inst_Buffer, "", [MemAlloc]>:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Inst_DeallocOp : Inst_Op<"dealloc"> {
  let summary = "end of an allocation's life";
  let description = [{
    Example:
    ```mlir
    %b = glow_inst.alloc : memref<1x64x56x56xf32>
    glow_inst.dealloc %b : memref<1x64x56x56xf32>
    ```
  }];
  let arguments = (ins Arg<Inst_Buffer, "", [MemFree]>:$buffer);
  let assemblyFormat = "$buffer attr-dict `:` type($buffer)";
  let hasVerifier = 1;
}

def Inst_ConstantOp : Inst_Op<"constant", [Pure]> {
  let summary = "read-only memory with known contents";
  let description = [{
    Example:
    ```mlir
    %w = glow_inst.constant dense<1.0> : tensor<64xf32> -> memref<64xf32>
    ```
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Inst_Buffer:$result);
  let assemblyFormat = "attr-dict $value `->` type($result)";
  let hasVerifier = 1;
}

def Inst_ViewOp : Inst_Op<"view", [Pure,
    DeclareOpInterfaceMethods<ViewLikeOpInterface, ["getViewDest"]>]> {
  let summary = "another shape, strides and offset of a buffer";
  let description = [{
    The result's strides and offset count elements of the result from the first
    byte of the underlying allocation, constant or argument, also if the operand
    is a view itself. The view must lie within the buffer.

    Example:
    ```mlir
    %v = glow_inst.view %b : memref<8x8xf32> to memref<4x8xf32, strided<[8, 1], offset: 32>>
    ```
  }];
  let arguments = (ins Inst_Buffer:$source);
  let results = (outs Inst_Buffer:$result);
  let assemblyFormat =
      "$source attr-dict `:` type($source) `to` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Inst_SlideOp : Inst_Op<"slide", [Pure]> {
  let summary = "a part of a buffer whose place depends on the point of a loop";
  let description = [{
    Stands in the body of a `glow_inst.forall`, for a part of one of its arguments
    or allocations. The part has the result's shape and strides and begins
    `starts[axis][index]` elements after the source's first one, summed up over the
    axes of the loop; where a list is empty, it does not depend on that axis. So the
    part of an image that a band of rows needs can end at the image's border.

    Example:
    ```mlir
    glow_inst.forall [3] ins(%x : memref<8x16xf32>) outs(%y : memref<12x16xf32>) steps = [array<i64: 0>, array<i64: 64>] {
    ^bb0(%a: memref<8x16xf32>, %b: memref<4x16xf32>):
      %s = glow_inst.slide %a at [array<i64: 0, 32, 64>] : memref<8x16xf32> to memref<4x16xf32>
      glow_inst.copy %s -> %b : memref<4x16xf32> -> memref<4x16xf32>
    }
    ```
  }];
  let arguments = (ins Inst_Buffer:$source,
      TypedArrayAttrBase<DenseI64ArrayAttr, "starts">:$starts);
  let results = (outs Inst_Buffer:$result);
  let assemblyFormat =
      "$source `at` $starts attr-dict `:` type($source) `to` type($result)";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Elements before the part for each index along an axis of the loop; empty
    /// if it does not depend on that.
    ArrayRef<int64_t> getStartsAlong(unsigned axis);
  }];
}

#endif
