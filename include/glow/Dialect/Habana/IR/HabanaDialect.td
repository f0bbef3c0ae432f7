//===- HabanaDialect.td - the card's dialect, attributes ---*- tablegen -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_DIALECT_HABANA_IR_HABANADIALECT_TD
#define GLOW_DIALECT_HABANA_IR_HABANADIALECT_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/DialectBase.td"
include "mlir/IR/EnumAttr.td"

def HabanaDialect : Dialect {
  let name = "habana";
  let cppNamespace = "::mlir::glow::habana";
  let summary = "Programs for a card with a matrix engine and vector cores.";
  let description = [{
    A program is a list of commands for the engines of a card: DMA, a matrix
    multiplication engine (`mme`) and tensor processing cores (`tpc`). Buffers
    are memrefs in one of the card's memories, `#habana.mem<ddr>` or
    `#habana.mem<sram>`; the engines compute in SRAM. Commands run in order.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::glow::GlowDialect"
  ];
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
    void registerOps();
  }];
}

class Habana_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<HabanaDialect, name, traits> {
  let mnemonic = attrMnemonic;
}
class Habana_Enum<string name, string description, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, description, cases> {
  let cppNamespace = "::mlir::glow::habana";
  let genSpecializedAttr = 0;
}

def Habana_Memory : Habana_Enum<"Memory", "a memory of the card", [
  I32EnumAttrCase<"DDR", 0, "ddr">, I32EnumAttrCase<"SRAM", 1, "sram">
]>;
def Habana_MemAttr : Habana_Attr<"Mem", "mem"> {
  let summary = "the memory that a buffer lies in";
  let parameters = (ins EnumParameter<Habana_Memory>:$memory);
  let assemblyFormat = "`<` $memory `>`";
}

def Habana_Section : Habana_Enum<"Section", "a part of a program's memory", [
  I32EnumAttrCase<"Input", 0, "input">, I32EnumAttrCase<"Output", 1, "output">,
  I32EnumAttrCase<"Constants", 2, "constants">,
  I32EnumAttrCase<"Workspace", 3, "workspace">,
  I32EnumAttrCase<"Scratch", 4, "scratch">
]>;
def Habana_SectionAttr : EnumAttr<HabanaDialect, Habana_Section, "section">;

def Habana_Combine : Habana_Enum<"Combine", "how a reduction combines", [
  I32EnumAttrCase<"Sum", 1, "sum">, I32EnumAttrCase<"Prod", 2, "prod">,
  I32EnumAttrCase<"Max", 3, "max">, I32EnumAttrCase<"Min", 4, "min">
]>;
def Habana_CombineAttr : EnumAttr<HabanaDialect, Habana_Combine, "combine">;

def Habana_TargetAttr : Habana_Attr<"Target", "target"> {
  let summary = "a card as a target";
  let description = [{
    The machine description of this first version: sizes in bytes, rates in
    units per nanosecond. The defaults are assumptions for a Goya-like card; the
    vendor has published only some of them. `without` names graph ops that the
    card must not get, for bring-up.

    Example:
    ```mlir
    module attributes {glow.target = #habana.target<sram = 65536>} {}
    ```
  }];
  let parameters = (ins
    DefaultValuedParameter<"int64_t", "kDefaultSram", "usable SRAM">:$sram,
    DefaultValuedParameter<"int64_t", "450", "operations per ns">:$flops,
    DefaultValuedParameter<"int64_t", "32", "DDR bytes per ns">:$ddr,
    DefaultValuedParameter<"int64_t", "16", "host link, bytes per ns">:$link,
    DefaultValuedParameter<"int64_t", "2000", "of a transfer, ns">:$latency,
    OptionalParameter<"::mlir::ArrayAttr", "graph ops">:$without);
  let assemblyFormat = "(`<` struct(params)^ `>`)?";
}

#endif
