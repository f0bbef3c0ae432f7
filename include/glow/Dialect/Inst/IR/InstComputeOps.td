//===- InstComputeOps.td - instructions that do work -------*- tablegen -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_DIALECT_INST_IR_INSTCOMPUTEOPS_TD
#define GLOW_DIALECT_INST_IR_INSTCOMPUTEOPS_TD

include "glow/Dialect/Glow/IR/GlowDialect.td"
include "glow/Dialect/Inst/IR/InstOpBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"

// -- Moving elements -----------------------------------------------------------

def Inst_CopyOp : Inst_ComputeOp<"copy"> {
  let summary = "element by element, between any strides";
  let description = [{
    Source and destination have the same shape and element type and do not
    overlap. With the right views this is transpose, slice, pad and concat. A
    source stride of 0 repeats elements. With `nontemporal` stores go past the
    caches, where vectors are whole: the destination is so large that it would
    be gone from them by the time it is read.

    Example:
    ```mlir
    glow_inst.copy %a -> %b : memref<4x8xf32> -> memref<4x8xf32, strided<[16, 1]>>
    ```
  }];
  let arguments = (ins Inst_In:$source, Inst_Out:$destination,
      UnitAttr:$nontemporal);
  let assemblyFormat = [{
    $source `->` $destination attr-dict `:` type($source) `->` type($destination)
  }];
}

def Inst_FillOp : Inst_ComputeOp<"fill"> {
  let summary = "one value everywhere";
  let description = [{
    In one buffer, and in others of the same element type (`also`).

    Example:
    ```mlir
    glow_inst.fill %b with 0.0 : f32 : memref<4x8xf32>
    ```
  }];
  let arguments = (ins Inst_Out:$destination, Inst_Outs:$further,
      TypedAttrInterface:$value);
  let builders = [OpBuilder<(ins "Value":$destination, "TypedAttr":$value), [{
    build($_builder, $_state, destination, ValueRange(), value);
  }]>];
  let assemblyFormat = [{
    $destination (`also` `(` $further^ `:` type($further) `)`)? `with` $value
    attr-dict `:` type($destination)
  }];
}

def Inst_GatherOp : Inst_ComputeOp<"gather"> {
  let summary = "slices of the input at indices along an axis";
  let description = [{
    `output` has the shape of `input` with `axis` replaced by the shape of
    `indices`. Negative indices count from the end; an index out of range is
    clamped, so that no index makes the kernel leave its buffers. `index_extents`
    as in `glow.gather`; `glow-inst-limit-work` makes limits of it.

    Example:
    ```mlir
    glow_inst.gather ins(%x, %i : memref<9x4xf32>, memref<3xi64>) outs(%y : memref<3x4xf32>) axis = 0
    ```
  }];
  let arguments = (ins Inst_In:$input, Inst_In:$indices, Inst_Out:$output,
      I64Attr:$axis, OptionalAttr<AffineMapAttr>:$index_extents);
  let builders = [OpBuilder<(ins "Value":$input, "Value":$indices,
      "Value":$output, "int64_t":$axis), [{
    build($_builder, $_state, input, indices, output, axis, AffineMapAttr());
  }]>];
  let assemblyFormat = [{
    `ins` `(` $input `,` $indices `:` type($input) `,` type($indices) `)`
    `outs` `(` $output `:` type($output) `)` `axis` `=` custom<Int>($axis) attr-dict
  }];
}

def Inst_GatherElementsOp : Inst_ComputeOp<"gather_elements"> {
  let summary = "one element per index, along an axis";
  let description = [{
    Indices as in `gather`; `indices` and `output` have the same shape.

    Example:
    ```mlir
    glow_inst.gather_elements ins(%x, %i : memref<2x9xf32>, memref<2x3xi64>) outs(%y : memref<2x3xf32>) axis = 1
    ```
  }];
  let arguments = (ins Inst_In:$input, Inst_In:$indices, Inst_Out:$output,
      I64Attr:$axis);
  let assemblyFormat = [{
    `ins` `(` $input `,` $indices `:` type($input) `,` type($indices) `)`
    `outs` `(` $output `:` type($output) `)` `axis` `=` custom<Int>($axis) attr-dict
  }];
}

def Inst_GatherNDOp : Inst_ComputeOp<"gather_nd"> {
  let summary = "slices of the input at index tuples";
  let description = [{
    As `glow.gather_nd`, with indices as in `gather`.

    Example:
    ```mlir
    glow_inst.gather_nd ins(%x, %i : memref<4x5x6xf32>, memref<7x2xi64>) outs(%y : memref<7x6xf32>) batch_dims = 0
    ```
  }];
  let arguments = (ins Inst_In:$input, Inst_In:$indices, Inst_Out:$output,
      I64Attr:$batch_dims);
  let assemblyFormat = [{
    `ins` `(` $input `,` $indices `:` type($input) `,` type($indices) `)`
    `outs` `(` $output `:` type($output) `)`
    `batch_dims` `=` custom<Int>($batch_dims) attr-dict
  }];
}

def Inst_WalkTreesOp : Inst_ComputeOp<"walk_trees"> {
  let summary = "the nodes that rows of features reach in decision trees";
  let description = [{
    As `glow.walk_trees`. Features and nodes out of range are clamped.

    Example:
    ```mlir
    glow_inst.walk_trees ins(%x, %t, %l, %r : memref<9x4xf32>, memref<31xf32>, memref<31x3xi32>, memref<2x2xi32>) outs(%y : memref<9x2xi32>)
    ```
  }];
  let arguments = (ins Inst_In:$input, Inst_In:$thresholds, Inst_In:$links,
      Inst_In:$roots, Inst_Out:$output, UnitAttr:$missing);
  let assemblyFormat = [{
    `ins` `(` $input `,` $thresholds `,` $links `,` $roots `:` type($input) `,`
    type($thresholds) `,` type($links) `,` type($roots) `)`
    `outs` `(` $output `:` type($output) `)` attr-dict
  }];
}

class Inst_ScatterOp<string mnemonic> : Inst_CountedOp<mnemonic>;

def Inst_ScatterElementsOp : Inst_ScatterOp<"scatter_elements"> {
  let summary = "update single elements along an axis";
  let description = [{
    Updates are made in row-major order of `indices`, with `count` only the first
    ones along `axis`. An index out of range is clamped.

    Example:
    ```mlir
    glow_inst.scatter_elements add ins(%i, %u : memref<2x4xi64>, memref<2x4xf32>) outs(%y : memref<9x4xf32>) axis = 0
    ```
  }];
  let arguments = (ins Glow_ScatterKindAttr:$kind, Inst_In:$indices,
      Inst_In:$updates, Inst_InOut:$output, Inst_Count:$count, I64Attr:$axis);
  let assemblyFormat = [{
    $kind `ins` `(` $indices `,` $updates `:` type($indices) `,` type($updates) `)`
    `outs` `(` $output `:` type($output) `)`
    (`count` `(` $count^ `:` type($count) `)`)?
    `axis` `=` custom<Int>($axis) attr-dict
  }];
}

def Inst_ScatterNDOp : Inst_ScatterOp<"scatter_nd"> {
  let summary = "update slices at index tuples";
  let description = [{
    With `count` those of the first places along the first axis of `indices`.

    Example:
    ```mlir
    glow_inst.scatter_nd none ins(%i, %u : memref<4x1xi64>, memref<4xf32>) outs(%y : memref<8xf32>)
    ```
  }];
  let arguments = (ins Glow_ScatterKindAttr:$kind, Inst_In:$indices,
      Inst_In:$updates, Inst_InOut:$output, Inst_Count:$count);
  let assemblyFormat = [{
    $kind `ins` `(` $indices `,` $updates `:` type($indices) `,` type($updates) `)`
    `outs` `(` $output `:` type($output) `)`
    (`count` `(` $count^ `:` type($count) `)`)? attr-dict
  }];
}

// -- Element by element ----------------------------------------------------------

def Inst_MapOp : Inst_ComputeOp<"map", [AttrSizedOperandSegments, SingleBlock]> {
  let summary = "a scalar region for every element of the outputs";
  let description = [{
    Outputs have one shape, to which the inputs are broadcast by NumPy's rules.
    An output may be the same buffer as an input with the same type: an element
    is read before it is written. `nontemporal` is as for `copy`.

    Example:
    ```mlir
    glow_inst.map ins(%a, %b : memref<2x3xf32>, memref<3xf32>) outs(%c : memref<2x3xf32>) {
    ^bb0(%x: f32, %y: f32):
      %s = arith.addf %x, %y : f32
      glow.yield %s : f32
    }
    ```
  }];
  let arguments = (ins Inst_Ins:$inputs, Inst_Outs:$outputs,
      UnitAttr:$nontemporal);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    (`ins` `(` $inputs^ `:` type($inputs) `)`)?
    `outs` `(` $outputs `:` type($outputs) `)` attr-dict-with-keyword $body
  }];
}

// -- Along axes ------------------------------------------------------------------

def Inst_ReduceOp : Inst_ComputeOp<"reduce", [SingleBlock]> {
  let summary = "sum, product, maximum or minimum along axes";
  let description = [{
    `output` has the shape of the input without `axes`. With a region, inputs are
    broadcast to one shape by NumPy's rules, and what the region makes of their
    elements is combined. `mean` is not an instruction: it is a sum and a map.

    Examples:
    ```mlir
    glow_inst.reduce sum ins(%x : memref<2x8xf32>) outs(%y : memref<2xf32>) axes = [1]
    glow_inst.reduce sum ins(%x : memref<2x8xf32>) outs(%y : memref<2xf32>) axes = [1] of {
    ^bb0(%a: f32):
      %s = arith.mulf %a, %a : f32
      glow.yield %s : f32
    }
    ```
  }];
  let arguments = (ins Glow_ReduceKindAttr:$kind, Inst_Ins:$inputs,
      Inst_Out:$output, DenseI64ArrayAttr:$axes);
  let regions = (region MaxSizedRegion<1>:$body);
  let assemblyFormat = [{
    $kind `ins` `(` $inputs `:` type($inputs) `)`
    `outs` `(` $output `:` type($output) `)` `axes` `=` $axes attr-dict
    (`of` $body^)?
  }];
  let extraClassDeclaration = [{
    /// The shape to which buffers are broadcast.
    static SmallVector<int64_t> spaceOf(ValueRange inputs);
    SmallVector<int64_t> getSpace() { return spaceOf(getInputs()); }
  }];
}

def Inst_ArgReduceOp : Inst_CountedOp<"arg_reduce"> {
  let summary = "position of the maximum or minimum along an axis";
  let description = [{
    Of the first `count` elements, if that is given.

    Example:
    ```mlir
    glow_inst.arg_reduce max ins(%x : memref<2x8xf32>) outs(%y : memref<2xi64>) axis = 1
    ```
  }];
  let arguments = (ins Glow_ReduceKindAttr:$kind, Inst_In:$input,
      Inst_Out:$output, Inst_Count:$count, I64Attr:$axis,
      UnitAttr:$select_last);
  let assemblyFormat = [{
    $kind `ins` `(` $input `:` type($input) `)`
    `outs` `(` $output `:` type($output) `)`
    (`count` `(` $count^ `:` type($count) `)`)?
    `axis` `=` custom<Int>($axis) attr-dict
  }];
}

def Inst_ScanOp : Inst_CountedOp<"scan"> {
  let summary = "running sum or product along an axis";
  let description = [{
    Of the first `count` elements, if that is given.

    Example:
    ```mlir
    glow_inst.scan sum ins(%x : memref<8xf32>) outs(%y : memref<8xf32>) axis = 0
    ```
  }];
  let arguments = (ins Glow_ReduceKindAttr:$kind, Inst_In:$input,
      Inst_Out:$output, Inst_Count:$count, I64Attr:$axis, UnitAttr:$exclusive,
      UnitAttr:$reverse);
  let assemblyFormat = [{
    $kind `ins` `(` $input `:` type($input) `)`
    `outs` `(` $output `:` type($output) `)`
    (`count` `(` $count^ `:` type($count) `)`)?
    `axis` `=` custom<Int>($axis) attr-dict
  }];
}

def Inst_TopKOp : Inst_CountedOp<"top_k"> {
  let summary = "the largest or smallest elements along an axis, sorted";
  let description = [{
    k is the outputs' extent along `axis`. Of the first `count` elements, if that is
    given; where these are fewer than k, so are the results.

    Example:
    ```mlir
    glow_inst.top_k ins(%x : memref<2x8xf32>) outs(%v, %i : memref<2x3xf32>, memref<2x3xi64>) axis = 1 {largest}
    ```
  }];
  let arguments = (ins Inst_In:$input, Inst_Out:$values, Inst_Out:$indices,
      Inst_Count:$count, I64Attr:$axis, UnitAttr:$largest);
  let assemblyFormat = [{
    `ins` `(` $input `:` type($input) `)`
    `outs` `(` $values `,` $indices `:` type($values) `,` type($indices) `)`
    (`count` `(` $count^ `:` type($count) `)`)?
    `axis` `=` custom<Int>($axis) attr-dict
  }];
}

def Inst_NonMaxSuppressionOp : Inst_ComputeOp<"non_max_suppression"> {
  let summary = "of boxes that overlap the one with the highest score";
  let description = [{
    Like `glow.non_max_suppression`. The others are scratch memory: `scores` and
    `order` of a heap of scores and their places, `chosen` of the edges of the boxes
    that are chosen, of which there is room for a multiple of 16.

    Example:
    ```mlir
    glow_inst.non_max_suppression ins(%b, %m, %t : memref<1x4x99xf32>, memref<i64>, memref<f32>) update(%s : memref<1x2x99xf32>) outs(%i, %n, %o, %c : memref<1x2x8xi64>, memref<1x2xi64>, memref<1x2x99xi32>, memref<1x2x4x16xf32>)
    ```
  }];
  let arguments = (ins Inst_In:$boxes, Inst_In:$most, Inst_In:$threshold,
      Inst_InOut:$scores, Inst_Out:$indices, Inst_Out:$counts, Inst_Out:$order,
      Inst_Out:$chosen);
  let assemblyFormat = [{
    `ins` `(` $boxes `,` $most `,` $threshold `:` type($boxes) `,` type($most) `,`
    type($threshold) `)` `update` `(` $scores `:` type($scores) `)`
    `outs` `(` $indices `,` $counts `,` $order `,` $chosen `:` type($indices) `,`
    type($counts) `,` type($order) `,` type($chosen) `)` attr-dict
  }];
  let extraClassDeclaration = [{
    /// Boxes that are compared at once, at most.
    static constexpr int64_t kRoomStep = 16;
  }];
}

// -- Contractions ----------------------------------------------------------------

/// The epilogue region takes an accumulated element and one element of each
/// epilogue input, broadcast to the output's shape, and yields the final element
/// of the output, then those of further outputs of the same shape. An epilogue
/// input may be the output's own buffer.
class Inst_ContractionOp<string mnemonic>
    : Inst_ComputeOp<mnemonic, [AttrSizedOperandSegments, SingleBlock]> {
  let regions = (region MaxSizedRegion<1>:$epilogue);
  code outputDeclarations = [{
    /// What the epilogue reads and writes beside the output.
    ValueRange getEpilogueOperands() {
      return (*this)->getOperands().drop_front(2).drop_back();
    }
  }];
}

def Inst_ConvOp : Inst_ContractionOp<"conv"> {
  let summary = "N-dimensional convolution";
  let description = [{
    Attributes, layouts and the form of the filter are those of `glow.conv`;
    `pieces` needs a packed filter. `also` are further outputs. With
    `winograd`, `glow-inst-expand-winograd` turns it into products of transformed
    bands.

    Example:
    ```mlir
    glow_inst.conv ins(%x, %w : memref<1x8x8x3xf32>, memref<3x3x3x4xf32>) outs(%y : memref<1x8x8x4xf32>) {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>}
    ```
  }];
  let arguments = (ins Inst_In:$input, Inst_In:$filter,
      Inst_Ins:$epilogue_inputs, Inst_Outs:$further, Inst_Out:$output,
      DenseI64ArrayAttr:$kernel_shape, DenseI64ArrayAttr:$strides,
      DenseI64ArrayAttr:$pads, DenseI64ArrayAttr:$dilations, I64Attr:$group,
      OptionalAttr<Glow_LayoutAttr>:$layout, OptionalAttr<I64Attr>:$packed,
      OptionalAttr<Glow_WinogradAttr>:$winograd, OptionalAttr<I64Attr>:$pieces);
  let assemblyFormat = [{
    `ins` `(` $input `,` $filter `:` type($input) `,` type($filter) `)`
    (`epilogue` `(` $epilogue_inputs^ `:` type($epilogue_inputs) `)`)?
    `outs` `(` $output `:` type($output) `)`
    (`also` `(` $further^ `:` type($further) `)`)? attr-dict (`do` $epilogue^)?
  }];
  let extraClassDeclaration = outputDeclarations # [{
    bool isChannelsLast();
    int64_t getFirstSpatialAxis() { return isChannelsLast() ? 1 : 2; }
    int64_t getSpatialRank() { return getStrides().size(); }
  }];
}

def Inst_MatMulOp : Inst_ContractionOp<"matmul"> {
  let summary = "product of matrices, batched";
  let description = [{
    `lhs` …, M, K; `rhs` …, K, N, or with `packed = n` panels as `glow.pack`
    makes them: …, ceil(N / n), ceil(K / g), g n; `output` …, M, N. Leading axes
    of the operands are broadcast to the output's. With `pieces = p` the packed
    operand and `lhs` hold p pieces along the axis that is contracted, and
    `few_rows` is what it is for `glow.matmul`. `also` are further outputs. With
    `backwards` the columns are gone through from the last to the first, which
    changes no result.

    Example:
    ```mlir
    glow_inst.matmul ins(%a, %b : memref<8x128x64xf32>, memref<64x32xf32>) outs(%c : memref<8x128x32xf32>)
    ```
  }];
  let arguments = (ins Inst_In:$lhs, Inst_In:$rhs, Inst_Ins:$epilogue_inputs,
      Inst_Outs:$further, Inst_Out:$output, OptionalAttr<I64Attr>:$packed,
      OptionalAttr<TypeAttr>:$accumulator, OptionalAttr<I64Attr>:$pieces,
      OptionalAttr<I64Attr>:$few_rows, UnitAttr:$backwards);
  let assemblyFormat = [{
    `ins` `(` $lhs `,` $rhs `:` type($lhs) `,` type($rhs) `)`
    (`epilogue` `(` $epilogue_inputs^ `:` type($epilogue_inputs) `)`)?
    `outs` `(` $output `:` type($output) `)`
    (`also` `(` $further^ `:` type($further) `)`)? attr-dict (`do` $epilogue^)?
  }];
  let extraClassDeclaration = outputDeclarations;
}

def Inst_PoolOp : Inst_ComputeOp<"pool"> {
  let summary = "maximum or mean over windows";
  let description = [{
    Attributes and layouts are those of `glow.pool`; the output's shape says
    whether the last window may reach over the edge.

    Example:
    ```mlir
    glow_inst.pool max ins(%x : memref<1x3x8x8xf32>) outs(%y : memref<1x3x4x4xf32>) {dilations = array<i64: 1, 1>, kernel_shape = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>}
    ```
  }];
  let arguments = (ins Glow_PoolKindAttr:$kind, Inst_In:$input,
      Inst_Out:$output, DenseI64ArrayAttr:$kernel_shape,
      DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$pads,
      DenseI64ArrayAttr:$dilations, UnitAttr:$count_include_pad,
      OptionalAttr<Glow_LayoutAttr>:$layout);
  let assemblyFormat = [{
    $kind `ins` `(` $input `:` type($input) `)`
    `outs` `(` $output `:` type($output) `)` attr-dict
  }];
  let extraClassDeclaration = [{
    bool isChannelsLast();
    int64_t getFirstSpatialAxis() { return isChannelsLast() ? 1 : 2; }
    int64_t getSpatialRank() { return getStrides().size(); }
  }];
}

// -- The caller's functions ---------------------------------------------------------

def Inst_CallHostOp : Inst_Op<"call_host", [AttrSizedOperandSegments]> {
  let summary = "a function of the runtime on whole buffers";
  let description = [{
    What has no kernel: work on strings, decoding. The buffers are dense, though
    they may be parts of others; a string is an `i128`, GlowString of
    `glow-c/ModelABI.h`. `config` holds numbers, strings and lists of these. The
    function runs once, in the thread that runs the program.

    Example:
    ```mlir
    glow_inst.call_host "string_equal" ins(%a, %b : memref<4xi128>, memref<1xi128>) outs(%y : memref<4xi1>) {config = {}}
    ```
  }];
  let arguments = (ins StrAttr:$function, Inst_Ins:$inputs, Inst_Outs:$outputs,
      DictionaryAttr:$config);
  let assemblyFormat = [{
    $function (`ins` `(` $inputs^ `:` type($inputs) `)`)?
    `outs` `(` $outputs `:` type($outputs) `)` attr-dict
  }];
  let hasVerifier = 1;
}

// -- Compiled form -----------------------------------------------------------------

def Inst_LaunchOp : Inst_Op<"launch"> {
  let summary = "a call of an outlined kernel";
  let description = [{
    What `glow-outline-kernels` makes of an instruction: the kernel function lies
    in a nested module of the same name and runs once for each of `tickets`
    independent parts. `op`, `flops` and `bytes` describe the instruction in
    profiles. A kernel with `scratch_bytes` wants that many for each thread; its
    last two arguments are the addresses of the first thread's, at
    `scratch_offset` in the arena, and of the others', behind the arena.

    Example:
    ```mlir
    glow_inst.launch @map_0(%a, %b : memref<4xf32>, memref<4xf32>) tickets = 1 {op = "map", flops = 4 : i64, bytes = 32 : i64}
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$kernel,
      Arg<Variadic<Inst_Buffer>, "", [MemRead, MemWrite]>:$buffers,
      I64Attr:$tickets, StrAttr:$op, I64Attr:$flops, I64Attr:$bytes,
      OptionalAttr<I64Attr>:$scratch_bytes,
      OptionalAttr<I64Attr>:$scratch_offset);
  let assemblyFormat = [{
    $kernel `(` $buffers `:` type($buffers) `)` `tickets` `=` custom<Int>($tickets)
    attr-dict
  }];
  let hasVerifier = 1;
}

#endif
