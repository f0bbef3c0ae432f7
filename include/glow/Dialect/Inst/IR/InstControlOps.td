//===- InstControlOps.td - what runs, and how often --------*- tablegen -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_DIALECT_INST_IR_INSTCONTROLOPS_TD
#define GLOW_DIALECT_INST_IR_INSTCONTROLOPS_TD

include "glow/Dialect/Inst/IR/InstOpBase.td"
include "mlir/IR/SymbolInterfaces.td"

def Inst_ForallOp : Inst_Op<"forall",
    [AttrSizedOperandSegments, IsolatedFromAbove, NoTerminator, SingleBlock]> {
  let summary = "the same instructions on many windows";
  let description = [{
    Runs the body once for every point of an iteration space, in any order and on
    any number of threads. Each argument of the body stands for a window of the
    operand in its place: of the argument's shape and strides, and beginning
    `steps[operand][axis]` elements after the operand's first one for every step
    along an axis of the iteration space. Windows of inputs may overlap; every
    element of an output belongs to just one point's window.

    Allocations of the body are scratch memory of the thread that runs it. Once
    memory is planned, their `offset`s count from the start of `scratch_bytes`,
    which for the first thread lie at `scratch_offset` in the arena and for the
    others behind it. A chain of instructions whose intermediate results stay in a core's
    cache is a `forall`: the bands of a Winograd convolution, or the heads of
    attention. With `backwards` each thread takes its points from the last to the
    first one, as `glow_inst.matmul` does its columns.

    A loop in the body is run by the thread that runs the body, and its scratch
    memory is part of the loop's around it.

    With `shared`, which points that are long want, no thread waits at the end: each
    takes as many as every other, and of the points that are left all threads share
    each instruction, one point after the other.

    Example:
    ```mlir
    glow_inst.forall [4] ins(%x : memref<8x16xf32>) outs(%y : memref<8x16xf32>) steps = [array<i64: 32>, array<i64: 32>] {
    ^bb0(%a: memref<2x16xf32>, %b: memref<2x16xf32>):
      %t = glow_inst.alloc : memref<16x2xf32>
      %v = glow_inst.view %t : memref<16x2xf32> to memref<2x16xf32, strided<[1, 2]>>
      glow_inst.copy %a -> %v : memref<2x16xf32> -> memref<2x16xf32, strided<[1, 2]>>
      glow_inst.copy %v -> %b : memref<2x16xf32, strided<[1, 2]>> -> memref<2x16xf32>
    }
    ```
  }];
  let arguments = (ins DenseI64ArrayAttr:$extents, Inst_Ins:$inputs,
      Inst_Outs:$outputs, TypedArrayAttrBase<DenseI64ArrayAttr, "steps">:$steps,
      OptionalAttr<I64Attr>:$scratch_bytes,
      OptionalAttr<I64Attr>:$scratch_offset, UnitAttr:$backwards,
      UnitAttr:$shared);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $extents (`ins` `(` $inputs^ `:` type($inputs) `)`)?
    `outs` `(` $outputs `:` type($outputs) `)` `steps` `=` $steps
    attr-dict-with-keyword $body
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Points of the iteration space.
    int64_t getNumPoints();
    /// Elements between the windows of an operand, for each axis.
    ArrayRef<int64_t> getStepsOf(unsigned operand);
  }];
}

def Inst_SectionsOp : Inst_Op<"sections",
    [AttrSizedOperandSegments, IsolatedFromAbove, NoTerminator, SingleBlock]> {
  let summary = "independent instructions";
  let description = [{
    Runs the instructions of the body, loops among them, in any order and at once:
    none writes what another one reads or writes, and threads wait for each other
    only behind the last one. Each argument of the body is the operand in its
    place. What an instruction reads and writes is among both inputs and outputs, and its
    operand is that of the outputs.

    Loops share `scratch_bytes` of scratch memory for each thread, which for the
    first one lie at `scratch_offset` in the arena and for the others behind it.

    Example:
    ```mlir
    glow_inst.sections ins(%x, %y : memref<8xf32>, memref<4xf32>) outs(%a, %b : memref<8xf32>, memref<4xf32>) {
    ^bb0(%0: memref<8xf32>, %1: memref<4xf32>, %2: memref<8xf32>, %3: memref<4xf32>):
      glow_inst.copy %0 -> %2 : memref<8xf32> -> memref<8xf32>
      glow_inst.copy %1 -> %3 : memref<4xf32> -> memref<4xf32>
    }
    ```
  }];
  let arguments = (ins Inst_Ins:$inputs, Inst_Outs:$outputs,
      OptionalAttr<I64Attr>:$scratch_bytes,
      OptionalAttr<I64Attr>:$scratch_offset);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    (`ins` `(` $inputs^ `:` type($inputs) `)`)?
    `outs` `(` $outputs `:` type($outputs) `)` attr-dict-with-keyword $body
  }];
  let hasVerifier = 1;
}

def Inst_LoopOp : Inst_Op<"loop", [AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "runs a function while a condition holds";
  let description = [{
    The body is a private function of the same module on the same buffers, in this
    order: the number of the iteration, which the body counts up, the states,
    which it advances, what it only reads, the condition for the next iteration,
    and what it collects. `glow-inst-inline-loops` puts the body here.

    Example:
    ```mlir
    func.func @double(%n: memref<i64>, %x: memref<f32>, %m: memref<f32>, %c: memref<i1>) {
      glow_inst.loop @twice while %c : memref<i1> number(%n : memref<i64>) states(%x : memref<f32>) reads(%m : memref<f32>)
      return
    }
    func.func private @twice(memref<i64>, memref<f32>, memref<f32>, memref<i1>)
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$body, Inst_InOut:$number,
      Arg<Variadic<Inst_Buffer>, "", [MemRead, MemWrite]>:$states,
      Inst_Ins:$reads, Inst_InOut:$condition,
      Arg<Variadic<Inst_Buffer>, "", [MemRead, MemWrite]>:$collected);
  let assemblyFormat = [{
    $body `while` $condition `:` type($condition)
    `number` `(` $number `:` type($number) `)`
    (`states` `(` $states^ `:` type($states) `)`)?
    (`reads` `(` $reads^ `:` type($reads) `)`)?
    (`collected` `(` $collected^ `:` type($collected) `)`)? attr-dict
  }];
  let hasVerifier = 1;
}

def Inst_EnterLoopOp : Inst_Op<"enter_loop", [MemoryEffects<[MemWrite]>]> {
  let summary = "goes on at the `repeat` of the same loop";
  let description = [{
    Between the two are the instructions of the body, and other loops. Both read
    what the loop does, so that memory which the body uses is kept until the loop
    ends. Instructions do not move across them.

    Example:
    ```mlir
    func.func @loop(%x: memref<f32>, %c: memref<i1>) {
      glow_inst.enter_loop %x : memref<f32>
      glow_inst.repeat while %c : memref<i1> reads(%x : memref<f32>)
      return
    }
    ```
  }];
  let arguments = (ins Inst_Ins:$reads);
  let assemblyFormat = "$reads attr-dict `:` type($reads)";
}

def Inst_RepeatOp : Inst_Op<"repeat", [MemoryEffects<[MemWrite]>]> {
  let summary = "goes on behind the `enter_loop` of the same loop, or ends it";
  let description = [{
    Example:
    ```mlir
    func.func @loop(%x: memref<f32>, %c: memref<i1>) {
      glow_inst.enter_loop %x : memref<f32>
      glow_inst.repeat while %c : memref<i1> reads(%x : memref<f32>)
      return
    }
    ```
  }];
  let arguments = (ins Inst_In:$condition, Inst_Ins:$reads);
  let assemblyFormat = [{
    `while` $condition `:` type($condition) `reads` `(` $reads `:` type($reads) `)`
    attr-dict
  }];
  let hasVerifier = 1;
}

def Inst_RequireOp : Inst_Op<"require", [MemoryEffects<[MemWrite]>]> {
  let summary = "ends the run if something is violated";
  let description = [{
    The run ends with GLOW_INVALID_ARGUMENT and `message` if `violated` is true.

    Example:
    ```mlir
    glow_inst.require %v {message = "an index is out of range"} : memref<i1>
    ```
  }];
  let arguments = (ins Inst_In:$violated, StrAttr:$message);
  let assemblyFormat = "$violated attr-dict `:` type($violated)";
  let hasVerifier = 1;
}

#endif
