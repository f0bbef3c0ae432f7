//===- GlowOpBase.td - base classes of the graph ops -------*- tablegen -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Read this first: every op of the dialect is one of these classes.
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_DIALECT_GLOW_IR_GLOWOPBASE_TD
#define GLOW_DIALECT_GLOW_IR_GLOWOPBASE_TD

include "glow/Dialect/Glow/IR/GlowDialect.td"
include "glow/Interfaces/Decompose.td"
include "glow/Interfaces/Evaluate.td"
include "glow/Interfaces/LowerToInst.td"
include "glow/Interfaces/ScalarBody.td"
include "mlir/Dialect/Quant/IR/QuantBase.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

// -- Operand and result types --------------------------------------------------

def Glow_Tensor : RankedTensorOf<[AnyFloat, AnyInteger, quant_QuantizedType,
                                  AnyComplex, Glow_StringType]>;
/// What can be multiplied or compared, which strings cannot.
def Glow_ElementTensor : RankedTensorOf<[AnyFloat, AnyInteger,
                                         quant_QuantizedType, AnyComplex],
                                        [], "tensor of numbers only,">;
def Glow_NumTensor : RankedTensorOf<[AnyFloat, AnyInteger]>;
def Glow_FloatTensor : RankedTensorOf<[AnyFloat]>;
def Glow_IntTensor : RankedTensorOf<[AnyInteger]>;
def Glow_BoolTensor : RankedTensorOf<[I1]>;
def Glow_IndexTensor : RankedTensorOf<[I32, I64]>;
/// A shape, or another short vector of integers that a shape depends on.
def Glow_ShapeTensor : 1DTensorOf<[I64]>;
/// One element, as a tensor of rank 0.
def Glow_ScalarTensor : 0DTensorOf<[AnyFloat, AnyInteger]>;
/// How many elements along an axis there are, where there may be fewer than the
/// axis is long: in bounded functions.
def Glow_Count : Optional<0DTensorOf<[I64]>>;

// -- Ops -------------------------------------------------------------------------

class Glow_Op<string mnemonic, list<Trait> traits = []>
    : Op<GlowDialect, mnemonic, traits>;

/// Declares how an op infers the types of its results.
def Glow_InfersTypes : NativeOpTrait<"InfersTypes", [], [{
    static ::llvm::LogicalResult inferTypes(
        ::mlir::glow::MaybeLocation location, Adaptor adaptor,
        ::mlir::glow::TypeList &types);
}]> {
  let cppNamespace = "::mlir::glow";
}

/// A side-effect free op whose result types follow from its operands. A result
/// may state more, or fewer, static dimensions than were inferred.
class Glow_InferredOp<string mnemonic, list<Trait> traits = []>
    : Glow_Op<mnemonic, !listconcat(
          [Pure, InferTypeOpAdaptorWithIsCompatible, Glow_InfersTypes],
          traits)> {
  let extraClassDefinition = [{
    bool $cppClass::isCompatibleReturnTypes(::mlir::TypeRange inferred,
                                            ::mlir::TypeRange actual) {
      return ::mlir::glow::areCompatible(inferred, actual);
    }
    ::llvm::LogicalResult $cppClass::inferReturnTypes(
        ::mlir::MLIRContext *, ::mlir::glow::MaybeLocation location,
        Adaptor adaptor, ::mlir::glow::TypeList &types) {
      return inferTypes(location, adaptor, types);
    }
  }];
  let assemblyFormat =
      "operands attr-dict `:` functional-type(operands, results)";
}

/// Infers the type of the first operand.
def Glow_TypeOfInput : NativeOpTrait<"TypeOfInput", [], [{}], [{
    ::llvm::LogicalResult $cppClass::inferTypes(
        ::mlir::glow::MaybeLocation, Adaptor adaptor,
        ::mlir::glow::TypeList &types) {
      types.push_back(adaptor.getOperands().front().getType());
      return ::mlir::success();
    }
}]> {
  let cppNamespace = "::mlir::glow";
}

/// An op that the interpreter evaluates and that becomes instructions: it has
/// methods `evaluate` and `lower`.
class Glow_PrimitiveOp<string mnemonic, list<Trait> traits = []>
    : Glow_InferredOp<mnemonic, !listconcat([Evaluated, Lowered], traits)>;

/// An op that is made of smaller ones unless the target has it.
class Glow_CompositeOp<string mnemonic, list<Trait> traits = []>
    : Glow_InferredOp<mnemonic, !listconcat(
          [DeclareOpInterfaceMethods<DecomposeOpInterface, ["decompose"]>],
          traits)>;

/// An element-wise op with NumPy broadcasting. `scalarBody` is a C++ expression
/// over the builder `b` and the operands' elements x, y and z. `resultElement`
/// is one over `adaptor`; the default is the first operand's element type.
class Glow_ElementwiseOp<string mnemonic, string scalarBody,
                         list<Trait> traits = [],
                         string resultElement =
                             "::mlir::glow::elementType(adaptor.getOperands()[0])">
    : Glow_Op<mnemonic, !listconcat([
          Pure, InferTypeOpAdaptorWithIsCompatible,
          DeclareOpInterfaceMethods<ScalarBodyOpInterface>], traits)> {
  let results = (outs Glow_NumTensor:$result);
  let assemblyFormat =
      "operands attr-dict `:` functional-type(operands, results)";
  let extraClassDefinition = [{
    bool $cppClass::isCompatibleReturnTypes(::mlir::TypeRange inferred,
                                            ::mlir::TypeRange actual) {
      return ::mlir::glow::areCompatible(inferred, actual);
    }
    ::llvm::LogicalResult $cppClass::inferReturnTypes(
        ::mlir::MLIRContext *context, std::optional<::mlir::Location> location,
        Adaptor adaptor, ::llvm::SmallVectorImpl<::mlir::Type> &types) {
      return ::mlir::glow::inferElementwise(
          location, adaptor.getOperands(), }] # resultElement # [{, types);
    }
    ::mlir::Value $cppClass::emitScalarBody(::mlir::glow::ScalarBuilder &b,
                                            ::mlir::ValueRange args) {
      [[maybe_unused]] ::mlir::Value x = args[0];
      [[maybe_unused]] ::mlir::Value y = args.size() > 1 ? args[1] : x;
      [[maybe_unused]] ::mlir::Value z = args.size() > 2 ? args[2] : x;
      return }] # scalarBody # [{;
    }
  }];
}

/// The element types in the example of an op on `type`.
class Glow_ExampleElements<Type type, string resultElement> {
  string operand = !cond(!eq(type, Glow_BoolTensor): "i1",
                         !eq(type, Glow_IntTensor): "i32", true: "f32");
  string result = !if(!eq(resultElement, "::mlir::glow::boolType(context)"),
                      "i1", operand);
}

class Glow_UnaryOp<string mnemonic, string operation, string scalarBody,
                   Type type = Glow_NumTensor, list<Trait> traits = [],
                   string resultElement =
                       "::mlir::glow::elementType(adaptor.getOperands()[0])">
    : Glow_ElementwiseOp<mnemonic, scalarBody, traits, resultElement> {
  let summary = "element-wise " # operation;
  let arguments = (ins type:$input);
  let description = [{
    Example:
    ```mlir
    %r = glow.}] # mnemonic # [{ %x : (tensor<2x3x}]
      # Glow_ExampleElements<type, resultElement>.operand # [{>) -> tensor<2x3x}]
      # Glow_ExampleElements<type, resultElement>.result # [{>
    ```
  }];
}

class Glow_BinaryOp<string mnemonic, string operation, string scalarBody,
                    Type type = Glow_NumTensor, list<Trait> traits = [],
                    string resultElement =
                        "::mlir::glow::elementType(adaptor.getOperands()[0])">
    : Glow_ElementwiseOp<mnemonic, scalarBody,
                         !listconcat([SameOperandsElementType], traits),
                         resultElement> {
  let summary = "element-wise " # operation # ", with broadcasting";
  let arguments = (ins type:$lhs, type:$rhs);
  let description = [{
    Example:
    ```mlir
    %r = glow.}] # mnemonic # [{ %x, %y : (tensor<2x3x}]
      # Glow_ExampleElements<type, resultElement>.operand # [{>, tensor<3x}]
      # Glow_ExampleElements<type, resultElement>.operand # [{>) -> tensor<2x3x}]
      # Glow_ExampleElements<type, resultElement>.result # [{>
    ```
  }];
}

#endif
