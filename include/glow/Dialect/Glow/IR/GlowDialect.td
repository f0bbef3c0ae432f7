//===- GlowDialect.td - the graph dialect, its types and attributes -------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_DIALECT_GLOW_IR_GLOWDIALECT_TD
#define GLOW_DIALECT_GLOW_IR_GLOWDIALECT_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/DialectBase.td"
include "mlir/IR/EnumAttr.td"

def GlowDialect : Dialect {
  let name = "glow";
  let cppNamespace = "::mlir::glow";
  let summary = "Neural-network graphs on typed tensors.";
  let description = [{
    The high-level graph dialect. Values are builtin ranked tensors with static
    or dynamic dimensions. Signed integers are signless (`i32`), unsigned ones
    are `ui32`, booleans are `i1`; quantised tensors have a `!quant.uniform`
    element type, strings `!glow.string`.

    *Primitive* ops are what a back end must lower; *composite* ops implement
    `DecomposeOpInterface` and stay whole only where a target has them.
    Operands that stand for a shape (`reshape`, `expand`, `slice` …) are 1-D
    `i64` tensors. They are constants once shapes are known; where a result type
    is static, it is the truth and the operand is not read.

    A *bounded* function has static types whose dimensions are upper bounds.
    `glow.extents` on an argument or result gives the extents at run time: a map
    from symbols to one extent per dimension; the elements up to it are the
    tensor, the rest is anything. The last argument, a `tensor<Nxi64>`, holds the
    values of the N symbols, which its attribute `glow.symbols` names:

    ```mlir
    func.func @main(%x: tensor<8x16xf32> {glow.extents = affine_map<()[s0] -> (s0, 16)>},
                    %s: tensor<1xi64> {glow.symbols = [{name = "batch", lower = 1 : i64, upper = 8 : i64} ]})
    ```

    Symbols that depend on data come after these in maps. The last result holds
    their values and names them in `glow.computed_symbols`, which has the form of
    `glow.symbols`. `glow.values` on an argument says what is known of its
    elements: a range, as `array<i64: 0, 4>`, or all of them. Each element with a
    range is a computed symbol; that an argument has all of its values is one
    with the range 1 to 1.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::math::MathDialect", "::mlir::quant::QuantDialect"
  ];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasCanonicalizer = 1;
  let hasConstantMaterializer = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let extraClassDeclaration = [{
    /// One function per family of ops, beside the family's verifiers.
    void registerUnaryOps();
    void registerBinaryOps();
    void registerLinearOps();
    void registerReduceOps();
    void registerShapeOps();
    void registerIndexOps();
    void registerNormOps();
    void registerRecurrentOps();
    void registerStructureOps();
    void registerTypes();
    void registerAttributes();

    /// The attribute of a module that names its target.
    static constexpr llvm::StringLiteral kTargetAttrName = "glow.target";
    /// The attribute of a function's argument or result with its ONNX name.
    static constexpr llvm::StringLiteral kNameAttrName = "glow.name";
    /// The attribute of an argument with ONNX's names for its dimensions.
    static constexpr llvm::StringLiteral kDimNamesAttrName = "glow.dim_names";
    /// Attributes of bounded functions, see BoundedShapes.h.
    static constexpr llvm::StringLiteral kExtentsAttrName = "glow.extents";
    static constexpr llvm::StringLiteral kSymbolsAttrName = "glow.symbols";
    /// The attribute of a function that is the body of a loop: the number of its
    /// states, and the most iterations from which values are collected.
    static constexpr llvm::StringLiteral kLoopAttrName = "glow.loop";
    /// That of a function for each step of sequences: how many states, histories
    /// and rows it has, how many steps there are, and rows of histories.
    static constexpr llvm::StringLiteral kStepsAttrName = "glow.steps";
  }];
}

class Glow_Type<string name, string typeMnemonic, list<Trait> traits = []>
    : TypeDef<GlowDialect, name, traits> {
  let mnemonic = typeMnemonic;
}
class Glow_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<GlowDialect, name, traits> {
  let mnemonic = attrMnemonic;
}
class Glow_Enum<string name, string description, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, description, cases> {
  let cppNamespace = "::mlir::glow";
  let genSpecializedAttr = 0;
}

def Glow_StringType : Glow_Type<"String", "string"> {
  let summary = "a string, as an element of a tensor";
}

def Glow_LayoutKind : Glow_Enum<"LayoutKind", "order of an activation's axes", [
  I32EnumAttrCase<"ChannelsFirst", 0, "channels_first">,
  I32EnumAttrCase<"ChannelsLast", 1, "channels_last">
]>;
def Glow_LayoutAttr : Glow_Attr<"Layout", "layout"> {
  let summary = "how an activation tensor is held";
  let description = [{
    `channels_first` is N, C, spatial…; `channels_last` is N, spatial…, C.
    A `block` above 1 splits the channels and makes their low part the
    innermost axis.
  }];
  let parameters = (ins
    EnumParameter<Glow_LayoutKind>:$kind,
    DefaultValuedParameter<"int64_t", "1">:$block);
  let assemblyFormat = "`<` $kind (`,` `block` `=` $block^)? `>`";
}

def Glow_WinogradAttr : Glow_Attr<"Winograd", "winograd"> {
  let summary = "a convolution by Winograd's minimal filtering";
  let description = [{
    Along each axis on which the window has several places, a tile has `outputs`
    results, made of `outputs + taps - 1` products for each part of the window of
    `taps` places; zeros fill the last part. Along other axes it has one. The
    filter of the op is held transformed: for each product of a tile, a matrix
    with a row for each part of the window and input channel and a column for
    each output channel. `rows` tiles along the height are computed at once.
    `outputs` of `taps` are 2 of 3, 2 of 5, 3 of 4, 3 of 5, 4 of 3 or 4 of 4.
    Needs `channels_last`, one group, two spatial axes, unit strides and dilations.
    Source: Lavin and Gray, Fast Algorithms for Convolutional Neural Networks.
  }];
  let parameters = (ins "int64_t":$outputs, "int64_t":$rows,
      DefaultValuedParameter<"int64_t", "3">:$taps);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Glow_ReduceKind : Glow_Enum<"ReduceKind", "how elements are combined", [
  I32EnumAttrCase<"Sum", 0, "sum">, I32EnumAttrCase<"Prod", 1, "prod">,
  I32EnumAttrCase<"Max", 2, "max">, I32EnumAttrCase<"Min", 3, "min">,
  I32EnumAttrCase<"Mean", 4, "mean">
]>;
def Glow_ReduceKindAttr : EnumAttr<GlowDialect, Glow_ReduceKind, "reduce_kind">;

def Glow_RoundMode : Glow_Enum<"RoundMode", "which power of two is chosen", [
  I32EnumAttrCase<"Up", 0, "up">, I32EnumAttrCase<"Down", 1, "down">,
  I32EnumAttrCase<"Nearest", 2, "nearest">
]>;
def Glow_RoundModeAttr : EnumAttr<GlowDialect, Glow_RoundMode, "round_mode">;

def Glow_PadMode : Glow_Enum<"PadMode", "what stands outside a tensor", [
  I32EnumAttrCase<"Constant", 0, "constant">,
  I32EnumAttrCase<"Reflect", 1, "reflect">,
  I32EnumAttrCase<"Edge", 2, "edge">, I32EnumAttrCase<"Wrap", 3, "wrap">
]>;
def Glow_PadModeAttr : EnumAttr<GlowDialect, Glow_PadMode, "pad_mode">;

def Glow_ScatterKind : Glow_Enum<"ScatterKind", "how an update is combined", [
  I32EnumAttrCase<"None", 0, "none">, I32EnumAttrCase<"Add", 1, "add">,
  I32EnumAttrCase<"Mul", 2, "mul">, I32EnumAttrCase<"Max", 3, "max">,
  I32EnumAttrCase<"Min", 4, "min">
]>;
def Glow_ScatterKindAttr : EnumAttr<GlowDialect, Glow_ScatterKind, "scatter_kind">;

def Glow_PoolKind : Glow_Enum<"PoolKind", "how a window is combined", [
  I32EnumAttrCase<"Max", 0, "max">, I32EnumAttrCase<"Average", 1, "average">
]>;
def Glow_PoolKindAttr : EnumAttr<GlowDialect, Glow_PoolKind, "pool_kind">;

def Glow_Direction : Glow_Enum<"Direction", "which way a recurrence runs", [
  I32EnumAttrCase<"Forward", 0, "forward">,
  I32EnumAttrCase<"Reverse", 1, "reverse">,
  I32EnumAttrCase<"Bidirectional", 2, "bidirectional">
]>;
def Glow_DirectionAttr : EnumAttr<GlowDialect, Glow_Direction, "direction">;

def Glow_RecurrentKind : Glow_Enum<"RecurrentKind", "the recurrent cell", [
  I32EnumAttrCase<"RNN", 0, "rnn">, I32EnumAttrCase<"GRU", 1, "gru">,
  I32EnumAttrCase<"LSTM", 2, "lstm">
]>;
def Glow_RecurrentKindAttr : EnumAttr<GlowDialect, Glow_RecurrentKind, "recurrent_kind">;

def Glow_CpuAttr : Glow_Attr<"Cpu", "cpu"> {
  let summary = "the processor as a target";
  let description = [{
    Names as in LLVM. An empty triple or processor is the host's; features are
    added to the processor's own, comma separated as in `--mattr`. What the
    target answers is in `lib/Target/CPU`.

    Example:
    ```mlir
    module attributes {glow.target = #glow.cpu<triple = "aarch64-linux-gnu", features = "+sve">} {}
    ```
  }];
  let parameters = (ins
    StringRefParameter<"LLVM triple", "\"\"">:$triple,
    StringRefParameter<"LLVM processor", "\"\"">:$cpu,
    StringRefParameter<"LLVM features", "\"\"">:$features);
  let assemblyFormat = "(`<` struct(params)^ `>`)?";
}

#endif
