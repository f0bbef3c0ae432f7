//===- Target.td - what a target answers -------------------*- tablegen -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_INTERFACES_TARGET_TD
#define GLOW_INTERFACES_TARGET_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"

def TargetAttrInterface : AttrInterface<"TargetAttrInterface"> {
  let cppNamespace = "::mlir::glow";
  let description = [{
    A target is an attribute of a module, `glow.target`. Its dialect may come
    from a plug-in: nothing about it is registered anywhere else. The compiler
    asks it which graph ops it takes and what they cost, lets it fill the
    pipeline from a module of graph ops to its own form, and has it write that
    form as a program for its runtime device. See docs/Rationale/Targets.md.
  }];
  let methods = [
    InterfaceMethod<[{
        The name of the runtime driver that loads the program, such as `cpu`.
        The default is the name of the target's dialect.
      }],
      "::llvm::StringRef", "getDeviceName", (ins), "",
      [{ return $_attr.getDialect().getNamespace(); }]>,
    InterfaceMethod<[{
        File name of the library with that driver; empty if it is built in.
      }],
      "::llvm::StringRef", "getDeviceLibrary", (ins), "", [{ return ""; }]>,
    InterfaceMethod<[{
        The rows of what the target can run; an op without a row is refused.
      }],
      "::llvm::ArrayRef<::mlir::glow::Capability>", "getCapabilities", (ins)>,
    InterfaceMethod<[{
        Nothing if the target can run this graph op, or a short reason, such as
        "takes f32 only, not f64". The default looks into the capabilities.
      }],
      "std::optional<std::string>", "whyUnsupported",
      (ins "::mlir::Operation *":$op), "", [{
        auto target = ::mlir::cast<TargetAttrInterface>(
            static_cast<::mlir::Attribute>($_attr));
        return ::mlir::glow::whyUnsupported(target.getCapabilities(), op,
                                            target);
      }]>,
    InterfaceMethod<[{
        What the target is in numbers, for estimates.
      }],
      "::mlir::glow::TargetRates", "getRates", (ins)>,
    InterfaceMethod<[{
        Estimated time of one op on the target, in nanoseconds.
      }],
      "double", "estimateNanoseconds", (ins "::mlir::Operation *":$op), "", [{
        auto target = ::mlir::cast<TargetAttrInterface>(
            static_cast<::mlir::Attribute>($_attr));
        return ::mlir::glow::estimateNanoseconds(target.getRates(), op);
      }]>,
    InterfaceMethod<[{
        True if `glow-decompose` must leave this composite op whole.
      }],
      "bool", "keepsComposite", (ins "::mlir::Operation *":$op), "",
      [{ return false; }]>,
    InterfaceMethod<[{
        The layouts in which `glow-assign-layout` may run an op of this target,
        with their costs. The default are the op's own choices; a target that
        wants another layout of an op leaves out the rest.
      }],
      "void", "getLayoutChoices",
      (ins "::mlir::glow::LayoutOpInterface":$op,
           "::llvm::SmallVectorImpl<::mlir::glow::LayoutChoice> &":$choices),
      "", [{ op.getLayoutChoices(choices); }]>,
    InterfaceMethod<[{
        Fills the pipeline from a module of graph ops, with one public function,
        to what `emit` takes. The default leaves the graph ops.
      }],
      "void", "buildPipeline", (ins "::mlir::OpPassManager &":$manager), "",
      [{ return; }]>,
    InterfaceMethod<[{
        Extension of program files, without the dot.
      }],
      "::llvm::StringRef", "getFileExtension", (ins), "",
      [{ return "program"; }]>,
    InterfaceMethod<[{
        Writes the program to a file. Fails after an error message.
      }],
      "::llvm::LogicalResult", "emit",
      (ins "::mlir::ModuleOp":$module, "::llvm::StringRef":$path)>
  ];
}
#endif
