//===- Passes.td - passes on the graph dialect -------------*- tablegen -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_DIALECT_GLOW_TRANSFORMS_PASSES_TD
#define GLOW_DIALECT_GLOW_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def InferShapes : Pass<"glow-infer-shapes", "::mlir::ModuleOp"> {
  let summary = "Refine the types of results from those of operands";
  let description = [{
    Walks every function in order and replaces a result type by the inferred one
    where that knows more dimensions; function types follow. With `shapes`, the
    dynamic dimensions of the named arguments of the main function are fixed
    first, which specialises a model.
  }];
  let options = [
    ListOption<"shapes", "shapes", "std::string",
               "Shapes of arguments, as name=1x3x224x224">
  ];
}

def Decompose : Pass<"glow-decompose", "::mlir::func::FuncOp"> {
  let summary = "Replace composite ops by smaller ones";
  let description = [{
    Every op with `DecomposeOpInterface` is replaced by its decomposition, and
    what that contains too, except for the ops named in `keep`: those that the
    target has itself. The parts get the location of the whole. Ops whose form
    has no decomposition are all reported.
  }];
  let options = [
    ListOption<"keep", "keep", "std::string",
               "Ops that stay whole, as glow.softmax">
  ];
}

def FuseElementwise : Pass<"glow-fuse-elementwise", "::mlir::func::FuncOp"> {
  let summary = "Gather element-wise ops in clusters";
  let description = [{
    Makes a `glow.map` of every op with `ScalarBodyOpInterface` and merges maps
    into the maps that read them: if there is one reader of the same shape
    always, otherwise if the arithmetic is cheap enough to repeat. Scalar
    constants move into the regions.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect"];
  let options = [
    Option<"maxInputs", "max-inputs", "unsigned", "8",
           "Merge only while a cluster reads at most this many tensors">
  ];
}

def FoldConstants : Pass<"glow-fold-constants", "::mlir::func::FuncOp"> {
  let summary = "Replace ops on constants by constants";
  let description = [{
    Walks the function in program order; refines the type of each op, folds it,
    and evaluates it with the interpreter if all operands are constants. This
    resolves the shape arithmetic of exported models: a folded shape makes the
    ops after it static. An op that would enlarge its constants is left alone
    beyond `max-bytes`, unless it stays below `max-growth` times its operands.
    Ops without uses go.
  }];
  let options = [
    Option<"maxBytes", "max-bytes", "int64_t", /*default=*/"1 << 20",
           "Size up to which every result is folded">,
    Option<"maxGrowth", "max-growth", "int64_t", /*default=*/"8",
           "How many times larger than its operands a result may be">
  ];
}

#endif
