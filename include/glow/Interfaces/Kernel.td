//===- Kernel.td - instructions as kernels ------------------*- tablegen -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_INTERFACES_KERNEL_TD
#define GLOW_INTERFACES_KERNEL_TD

include "mlir/IR/OpBase.td"

def KernelOpInterface : OpInterface<"KernelOpInterface"> {
  let cppNamespace = "::mlir::glow";
  let description = [{
    An instruction becomes one kernel function, whose work is split into tickets
    that may run at once. Implemented as external models in
    `lib/Conversion/InstToKernels`.
  }];
  let methods = [
    InterfaceMethod<[{
        Into how many independent parts the work is cut. Follows from the
        instruction and the target alone, never from the number of threads.
      }],
      "int64_t", "getNumTickets",
      (ins "const ::mlir::glow::KernelTarget &":$target)>,
    InterfaceMethod<[{
        Emits the code for tickets [begin, end) at the builder's insertion point.
        `buffers` holds a memref for each operand, with offset 0.
      }],
      "::llvm::LogicalResult", "emitKernel",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::ValueRange":$buffers,
           "::mlir::Value":$begin, "::mlir::Value":$end,
           "const ::mlir::glow::KernelTarget &":$target)>,
    InterfaceMethod<[{
        Whether the kernel touches nothing of an operand beyond what
        `glow_inst.extents` says, not even to drop it.
      }],
      "bool", "staysWithinLimits",
      (ins "unsigned":$operand, "const ::mlir::glow::KernelTarget &":$target),
      [{ return false; }]>,
    InterfaceMethod<[{
        Whether an input may have fewer places along the axis with this stride
        than are computed, as `glow_inst.pitches` says: the kernel reads the last
        one again.
      }],
      "bool", "canEndEarly",
      (ins "unsigned":$input, "int64_t":$stride,
           "const ::mlir::glow::KernelTarget &":$target),
      [{ return false; }]>,
    InterfaceMethod<[{
        Arithmetic operations of one run, for profiles; 0 if not known.
      }],
      "int64_t", "getFlops", (ins), "", [{ return 0; }]>
  ];
}

def CountedOpInterface : OpInterface<"CountedOpInterface"> {
  let cppNamespace = "::mlir::glow";
  let description = [{
    An instruction that goes along an axis no further than its last operand says,
    if there is one: in a bounded function only the first elements are valid.
  }];
  let methods = [
    InterfaceMethod<"The buffer of the number of elements; null for all.",
      "::mlir::Value", "getCount", (ins)>
  ];
}

/// Declares the kernel of an instruction of ours. Whoever attaches the interface
/// reads the trait, so nothing lists the instructions.
def HasKernel : NativeOpTrait<"HasKernel", [], [{
    /// What computes it; defined in `lib/Conversion/InstToKernels`.
    std::unique_ptr<::mlir::glow::Kernel> makeKernel(
        const ::mlir::glow::KernelTarget &target);
}]> {
  let cppNamespace = "::mlir::glow";
}
#endif
