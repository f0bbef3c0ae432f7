//===- Passes.td - instructions as commands of the card ----*- tablegen -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_CONVERSION_INSTTOHABANA_PASSES_TD
#define GLOW_CONVERSION_INSTTOHABANA_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertInstToHabana : Pass<"convert-inst-to-habana", "::mlir::ModuleOp"> {
  let summary = "Turn instructions on buffers into commands of a card";
  let description = [{
    The function becomes a `habana.program`; its buffers lie in the card's DDR.
    Every instruction is cut into tiles whose operands fit the SRAM of the
    module's target; a tile is loaded, computed and stored. Allocations keep
    planned offsets, or are laid one after the other.
  }];
  let dependentDialects = [
    "::mlir::glow::habana::HabanaDialect", "::mlir::memref::MemRefDialect"
  ];
}

def EmitHabanaRecipe : Pass<"habana-emit-recipe", "::mlir::ModuleOp"> {
  let summary = "Write the program of the module to a recipe file";
  let description = [{
    For tests and tools: what the target's `emit` does, so that a pipeline can
    end with it. Takes the module that `convert-inst-to-habana` made, which is
    not changed.
  }];
  let options = [Option<"path", "path", "std::string", "", "File to write">];
}

#endif
