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

def Inst_ForStepsOp : Inst_Op<"for_steps", [AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "runs a function for each step of sequences";
  let description = [{
    The body is a private function of the same module on buffers: the states,
    which it advances, the rows of the histories that the step before has made,
    the step's own of `rows`, what it only reads, and the rows of the histories
    that the step makes. Axis 1 of histories and rows has the steps; the body runs
    `number` times. The first row of a history is given: if it has one row more
    than there are steps, that is what the first step begins with, if it has as
    many, that of step 0. `reversed` goes from the last row to the first one, and
    `initial` has the first ones unless they are in their places. In a bounded
    function `extents` has those of the batch and of the steps of `rows`. What is
    `backwards` in the body is so at every other step.
    `glow-inst-inline-loops` puts the body here.

    Example:
    ```mlir
    func.func @sums(%n: memref<i64>, %x: memref<1x8x4xf32>, %y: memref<1x9x4xf32>) {
      glow_inst.for_steps @add number(%n : memref<i64>) histories(%y : memref<1x9x4xf32>) rows(%x : memref<1x8x4xf32>)
      return
    }
    func.func private @add(memref<1x4xf32>, memref<1x4xf32>, memref<1x4xf32>) attributes {glow.steps = array<i64: 0, 1, 1, 8, 9>}
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$body, UnitAttr:$reversed,
      Inst_In:$number, Arg<Variadic<Inst_Buffer>, "", [MemRead, MemWrite]>:$states,
      Arg<Variadic<Inst_Buffer>, "", [MemRead, MemWrite]>:$histories,
      Inst_Ins:$initial, Inst_Ins:$rows, Inst_Ins:$reads,
      OptionalAttr<AffineMapAttr>:$extents);
  let assemblyFormat = [{
    $body (`reversed` $reversed^)? `number` `(` $number `:` type($number) `)`
    (`states` `(` $states^ `:` type($states) `)`)?
    (`histories` `(` $histories^ `:` type($histories) `)`)?
    (`initial` `(` $initial^ `:` type($initial) `)`)?
    (`rows` `(` $rows^ `:` type($rows) `)`)?
    (`reads` `(` $reads^ `:` type($reads) `)`)? attr-dict
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The types that the body must take; fails, with an error, if an operand has
    /// no steps.
    FailureOr<SmallVector<Type>> bodyArguments();
    /// How many rows the histories have before that of the first step.
    int64_t numRowsBefore();
  }];
}

def Inst_EnterStepsOp : Inst_Op<"enter_steps", [AttrSizedOperandSegments,
    MemoryEffects<[MemWrite]>]> {
  let summary = "begins a loop over the steps of sequences";
  let description = [{
    There are `number` steps, or `most` if that is less. Behind each
    `glow_inst.next_step` are the instructions of a step, and
    `glow_inst.repeat_steps` is at the end. Before the first step `glow_inst.window`s
    of a `reversed` loop are those behind its last one. The first and the last of
    these marks read and write what the loop does, so that memory which the steps
    use is kept until the loop ends.

    Example:
    ```mlir
    func.func @ones(%n: memref<i64>, %x: memref<1x8x4xf32>) {
      glow_inst.enter_steps of %n : memref<i64> most 8 writes(%x : memref<1x8x4xf32>)
      glow_inst.next_step
      %w = glow_inst.window %x from 0 step 4 : memref<1x8x4xf32> to memref<1x4xf32>
      glow_inst.fill %w with 1.0 : f32 : memref<1x4xf32>
      glow_inst.repeat_steps writes(%x : memref<1x8x4xf32>)
      return
    }
    ```
  }];
  let arguments = (ins UnitAttr:$reversed, Inst_In:$number, I64Attr:$most,
      Inst_Ins:$reads, Inst_Outs:$writes);
  let assemblyFormat = [{
    (`reversed` $reversed^)? `of` $number `:` type($number) `most` $most
    (`reads` `(` $reads^ `:` type($reads) `)`)?
    (`writes` `(` $writes^ `:` type($writes) `)`)? attr-dict
  }];
  let hasVerifier = 1;
}

def Inst_NextStepOp : Inst_Op<"next_step", [MemoryEffects<[MemWrite]>]> {
  let summary = "goes on to the next step, or behind the loop's `repeat_steps`";
  let description = [{
    Example:
    ```mlir
    func.func @ones(%n: memref<i64>, %x: memref<1x8x4xf32>) {
      glow_inst.enter_steps of %n : memref<i64> most 8 writes(%x : memref<1x8x4xf32>)
      glow_inst.next_step
      %w = glow_inst.window %x from 0 step 4 : memref<1x8x4xf32> to memref<1x4xf32>
      glow_inst.fill %w with 1.0 : f32 : memref<1x4xf32>
      glow_inst.repeat_steps writes(%x : memref<1x8x4xf32>)
      return
    }
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def Inst_RepeatStepsOp : Inst_Op<"repeat_steps", [AttrSizedOperandSegments,
    MemoryEffects<[MemWrite]>]> {
  let summary = "goes back to the first `next_step` of its loop";
  let description = [{
    Example:
    ```mlir
    func.func @ones(%n: memref<i64>, %x: memref<1x8x4xf32>) {
      glow_inst.enter_steps of %n : memref<i64> most 8 writes(%x : memref<1x8x4xf32>)
      glow_inst.next_step
      %w = glow_inst.window %x from 0 step 4 : memref<1x8x4xf32> to memref<1x4xf32>
      glow_inst.fill %w with 1.0 : f32 : memref<1x4xf32>
      glow_inst.repeat_steps writes(%x : memref<1x8x4xf32>)
      return
    }
    ```
  }];
  let arguments = (ins Inst_Ins:$reads, Inst_Outs:$writes);
  let assemblyFormat = [{
    (`reads` `(` $reads^ `:` type($reads) `)`)?
    (`writes` `(` $writes^ `:` type($writes) `)`)? attr-dict
  }];
}

def Inst_WindowOp : Inst_Op<"window", [Pure]> {
  let summary = "a part of a buffer whose place depends on a loop's step";
  let description = [{
    Stands between `glow_inst.enter_steps` and `glow_inst.repeat_steps`. The part
    begins `offset` elements, and `step` more for each step before this one, after
    the first element of the buffer, within which it lies at any step. Views of it
    count from its first element.

    Example:
    ```mlir
    func.func @ones(%n: memref<i64>, %x: memref<1x8x4xf32>) {
      glow_inst.enter_steps of %n : memref<i64> most 8 writes(%x : memref<1x8x4xf32>)
      glow_inst.next_step
      %w = glow_inst.window %x from 0 step 4 : memref<1x8x4xf32> to memref<1x4xf32>
      glow_inst.fill %w with 1.0 : f32 : memref<1x4xf32>
      glow_inst.repeat_steps writes(%x : memref<1x8x4xf32>)
      return
    }
    ```
  }];
  let arguments = (ins Inst_Buffer:$source, I64Attr:$offset, I64Attr:$step);
  let results = (outs Inst_Buffer:$result);
  let assemblyFormat = [{
    $source `from` $offset `step` $step attr-dict `:` type($source) `to`
    type($result)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Whether it lies within its buffer from step 0 to step `most`; an error
    /// otherwise.
    LogicalResult verifyReach(int64_t most);
  }];
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
