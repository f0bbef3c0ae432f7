//===- HabanaOps.td - programs, buffers and commands -------*- tablegen -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_DIALECT_HABANA_IR_HABANAOPS_TD
#define GLOW_DIALECT_HABANA_IR_HABANAOPS_TD

include "glow/Dialect/Habana/IR/HabanaDialect.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

/// A memref with static strides in one of the card's memories.
def Habana_Buffer : Type<And<[IsMemRefTypePred,
    CPred<"::mlir::glow::habana::isCardBuffer($_self)">]>,
    "static f32 memref of at most 5 axes in a memory of the card",
    "::mlir::MemRefType">;
class Habana_BufferIn<string memory> : Type<And<[Habana_Buffer.predicate,
    CPred<"::mlir::glow::habana::memoryOf($_self) == ::mlir::glow::habana::Memory::"
          # memory>]>, Habana_Buffer.summary # ", in " # memory,
    "::mlir::MemRefType">;
def Habana_Sram : Habana_BufferIn<"SRAM">;

def Habana_Read : Arg<Habana_Buffer, "", [MemRead]>;
def Habana_Write : Arg<Habana_Buffer, "", [MemWrite]>;
def Habana_SramRead : Arg<Habana_Sram, "", [MemRead]>;
def Habana_SramWrite : Arg<Habana_Sram, "", [MemWrite]>;
def Habana_SramUpdate : Arg<Habana_Sram, "", [MemRead, MemWrite]>;

class Habana_Op<string mnemonic, list<Trait> traits = []>
    : Op<HabanaDialect, mnemonic, traits>;
/// A command of one engine.
class Habana_Command<string mnemonic, list<Trait> traits = []>
    : Habana_Op<mnemonic, traits> {
  let hasVerifier = 1;
}

// -- Programs and buffers --------------------------------------------------------

def Habana_ProgramOp : Habana_Op<"program",
    [Symbol, IsolatedFromAbove, SingleBlock, NoTerminator, NoRegionArguments]> {
  let summary = "commands that run as one launch";
  let description = [{
    The sizes of workspace and scratch memory are at least what the buffers in
    them reach; inputs, outputs and constants follow from their buffers.

    Example:
    ```mlir
    habana.program @main workspace(0) scratch(4096) {
      %x = habana.alloc input {index = 0 : i64, name = "x"} : memref<8xf32, #habana.mem<ddr>>
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, I64Attr:$workspace,
      I64Attr:$scratch);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $sym_name `workspace` `(` custom<Int>($workspace) `)`
    `scratch` `(` custom<Int>($scratch) `)` attr-dict-with-keyword $body
  }];
  let hasVerifier = 1;
}

def Habana_AllocOp : Habana_Op<"alloc"> {
  let summary = "a buffer in a section";
  let description = [{
    Inputs and outputs have an `index` and a `name`, constants a `value`, buffers
    in workspace and scratch memory their `offset` in bytes.

    Example:
    ```mlir
    %s = habana.alloc scratch {offset = 128 : i64} : memref<8x8xf32, #habana.mem<sram>>
    ```
  }];
  let arguments = (ins Habana_SectionAttr:$section, OptionalAttr<I64Attr>:$offset,
      OptionalAttr<I64Attr>:$index, OptionalAttr<StrAttr>:$name,
      OptionalAttr<ElementsAttr>:$value);
  let results = (outs Res<Habana_Buffer, "", [MemAlloc]>:$result);
  let assemblyFormat = "$section attr-dict `:` type($result)";
  let hasVerifier = 1;
}

// -- DMA ---------------------------------------------------------------------------

def Habana_DmaOp : Habana_Command<"dma"> {
  let summary = "copy, element by element, between any strides";
  let description = [{
    Example:
    ```mlir
    habana.dma %x -> %s : memref<8xf32, #habana.mem<ddr>> -> memref<8xf32, #habana.mem<sram>>
    ```
  }];
  let arguments = (ins Habana_Read:$source, Habana_Write:$destination);
  let assemblyFormat = [{
    $source `->` $destination attr-dict `:` type($source) `->` type($destination)
  }];
}

def Habana_FillOp : Habana_Op<"fill"> {
  let summary = "one value everywhere";
  let description = [{
    Example:
    ```mlir
    habana.fill %s with 0.0 : memref<8xf32, #habana.mem<sram>>
    ```
  }];
  let arguments = (ins Habana_Write:$destination, F32Attr:$value);
  let assemblyFormat = [{
    $destination `with` custom<Float>($value) attr-dict `:` type($destination)
  }];
}

// -- The matrix engine ---------------------------------------------------------------

def Habana_GemmOp : Habana_Command<"mme.gemm"> {
  let summary = "product of two matrices";
  let description = [{
    Products are added in f32, in ascending order of the contracted axis. Any
    strides are allowed, so a transposed operand is a view.

    Example:
    ```mlir
    habana.mme.gemm ins(%a, %b : memref<4x8xf32, #habana.mem<sram>>, memref<8x2xf32, #habana.mem<sram>>) outs(%c : memref<4x2xf32, #habana.mem<sram>>)
    ```
  }];
  let arguments = (ins Habana_SramRead:$a, Habana_SramRead:$b,
      Habana_SramWrite:$out);
  let assemblyFormat = [{
    `ins` `(` $a `,` $b `:` type($a) `,` type($b) `)`
    `outs` `(` $out `:` type($out) `)` attr-dict
  }];
}

def Habana_ConvOp : Habana_Command<"mme.conv"> {
  let summary = "two-dimensional convolution";
  let description = [{
    Axes are N, C, H, W for `input` and `out` and O, C / group, KH, KW for
    `filter`; how they lie in memory is a matter of strides. `pads` are the zeros
    above and left of the input; those below and right follow from the output's
    extents. Products are added in f32 in ascending order of C, KH, KW.

    Example:
    ```mlir
    habana.mme.conv ins(%x, %w : memref<1x3x8x8xf32, #habana.mem<sram>>, memref<4x3x3x3xf32, #habana.mem<sram>>) outs(%y : memref<1x4x8x8xf32, #habana.mem<sram>>) {dilations = array<i64: 1, 1>, group = 1 : i64, pads = array<i64: 1, 1>, strides = array<i64: 1, 1>}
    ```
  }];
  let arguments = (ins Habana_SramRead:$input, Habana_SramRead:$filter,
      Habana_SramWrite:$out, DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$pads,
      DenseI64ArrayAttr:$dilations, I64Attr:$group);
  let assemblyFormat = [{
    `ins` `(` $input `,` $filter `:` type($input) `,` type($filter) `)`
    `outs` `(` $out `:` type($out) `)` attr-dict
  }];
}

// -- The vector cores ------------------------------------------------------------------

def Habana_LaunchOp : Habana_Command<"tpc.launch",
    [AttrSizedOperandSegments, SingleBlock, IsolatedFromAbove]> {
  let summary = "a scalar kernel over an index space";
  let description = [{
    All tensors have the shape of the index space; a stride of 0 repeats an
    element. The region takes one element of each input and yields one for each
    output. With `combine`, the only output is read and written: each element
    is combined with all the values yielded for it, in row-major order.

    Example:
    ```mlir
    habana.tpc.launch ins(%a : memref<8xf32, #habana.mem<sram>>) outs(%b : memref<8xf32, #habana.mem<sram>>) {
    ^bb0(%x: f32):
      %y = arith.negf %x : f32
      glow.yield %y : f32
    }
    ```
  }];
  let arguments = (ins Arg<Variadic<Habana_Sram>, "", [MemRead]>:$inputs,
      Arg<Variadic<Habana_Sram>, "", [MemRead, MemWrite]>:$outputs,
      OptionalAttr<Habana_CombineAttr>:$combine);
  let regions = (region SizedRegion<1>:$kernel);
  let assemblyFormat = [{
    (`combine` `(` $combine^ `)`)? (`ins` `(` $inputs^ `:` type($inputs) `)`)?
    `outs` `(` $outputs `:` type($outputs) `)` attr-dict-with-keyword $kernel
  }];
}

#endif
