//===- EntryFunctions.h - what the entry point calls, as LLVM IR ----------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The types of the program's tables, and how their rows are read.
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_LIB_TARGET_LLVM_ENTRYFUNCTIONS_H
#define GLOW_LIB_TARGET_LLVM_ENTRYFUNCTIONS_H

namespace mlir::glow {
inline constexpr char kEntryFunctions[] = R"(
; {kernel, tickets, first operand, number of operands}; of a call of the caller's
; functions {its GlowHostCall, -1, ...}; of a requirement {null, -2, the operand
; that must be false, 1}; of a jump {the number of a launch, -3, the operand that
; decides, 1, or none, 0}; of points that threads share {kernel, -4, its operands
; and then their number}, before those that are left {the number of the launch
; behind, -5, ...}, and behind them {the number of the former, -6, ...}. Of steps
; {the most, -9, their number, 1} and before each {the number of the launch behind
; the last one, -7, ...}; reversed ones have -10 and -8
%Launch = type { ptr, i64, i32, i32 }
; {base: 0 input, 1 output, 2 strings, 3 arena, 4 weights; index; offset; bytes
; from a point of those that are left, or a step, to the next one}
%Operand = type { i32, i32, i64, i64 }
; GlowExec {size, parallel_for, user, workers, call_host}
%Exec = type { i32, ptr, ptr, i32, ptr }
; {number of points; of those that are left the next one, else 0}
%Points = type { i64, i64 }
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.umin.i64(i64, i64)
@operands = external hidden constant [0 x %Operand]
@strings = external hidden constant [0 x ptr]

define internal ptr @address_of(i32 %k, i64 %point, ptr %inputs, ptr %outputs, ptr %arena, ptr %weights) {
entry:
  %operand_k = getelementptr [0 x %Operand], ptr @operands, i32 0, i32 %k
  %base = load i32, ptr %operand_k
  %index_p = getelementptr %Operand, ptr %operand_k, i32 0, i32 1
  %index = load i32, ptr %index_p
  %offset_p = getelementptr %Operand, ptr %operand_k, i32 0, i32 2
  %offset = load i64, ptr %offset_p
  %is_output = icmp eq i32 %base, 1
  %is_string = icmp eq i32 %base, 2
  %bound = select i1 %is_output, ptr %outputs, ptr %inputs
  %table = select i1 %is_string, ptr @strings, ptr %bound
  %is_listed = icmp ult i32 %base, 3
  br i1 %is_listed, label %listed, label %own
listed:
  %tensor_p = getelementptr ptr, ptr %table, i32 %index
  %tensor = load ptr, ptr %tensor_p
  br label %resolved
own:
  %is_arena = icmp eq i32 %base, 3
  %memory = select i1 %is_arena, ptr %arena, ptr %weights
  br label %resolved
resolved:
  %start = phi ptr [ %tensor, %listed ], [ %memory, %own ]
  %step_p = getelementptr %Operand, ptr %operand_k, i32 0, i32 3
  %step = load i64, ptr %step_p
  %way = mul i64 %point, %step
  %place = add i64 %offset, %way
  %address = getelementptr i8, ptr %start, i64 %place
  ret ptr %address
}

; Hands a call to the caller, who may have no functions.
define internal i32 @call_host(ptr %exec, i32 %i, ptr %call, ptr %args) {
  %no_exec = icmp eq ptr %exec, null
  br i1 %no_exec, label %none, label %check_size
check_size:
  %size = load i32, ptr %exec
  %full_size = ptrtoint ptr getelementptr (%Exec, ptr null, i32 1) to i32
  %has_field = icmp uge i32 %size, %full_size
  br i1 %has_field, label %load, label %none
load:
  %slot = getelementptr %Exec, ptr %exec, i32 0, i32 4
  %function = load ptr, ptr %slot
  %is_null = icmp eq ptr %function, null
  br i1 %is_null, label %none, label %found
found:
  %status = call i32 %function(ptr %exec, i32 %i, ptr %call, ptr %args)
  ret i32 %status
none:
  ret i32 4 ; GLOW_UNSUPPORTED
}

; The addresses of a launch's operands.
define internal void @resolve(ptr %args, i32 %first, i32 %count, i64 %point, ptr %inputs, ptr %outputs, ptr %arena, ptr %weights) {
entry:
  br label %operand
operand:
  %j = phi i32 [ 0, %entry ], [ %next_j, %next ]
  %ready = icmp eq i32 %j, %count
  br i1 %ready, label %end, label %next
next:
  %k = add i32 %first, %j
  %address = call ptr @address_of(i32 %k, i64 %point, ptr %inputs, ptr %outputs, ptr %arena, ptr %weights)
  %arg = getelementptr ptr, ptr %args, i32 %j
  store ptr %address, ptr %arg
  %next_j = add i32 %j, 1
  br label %operand
end:
  ret void
}

; Whether to jump: if no point or step is left, else if no operand is false.
define internal i1 @is_jump(i64 %kind, ptr %most, ptr %args, i32 %count, ptr %points) {
entry:
  %point_p = getelementptr %Points, ptr %points, i32 0, i32 1
  %point = load i64, ptr %point_p
  switch i64 %kind, label %ordinary [ i64 -5, label %rest
                                      i64 -6, label %next
                                      i64 -7, label %after
                                      i64 -8, label %before
                                      i64 -9, label %enter
                                      i64 -10, label %enter ]
enter:
  %steps_p = load ptr, ptr %args
  %read_steps = load i64, ptr %steps_p
  %some_steps = call i64 @llvm.smax.i64(i64 %read_steps, i64 0)
  %most_steps = ptrtoint ptr %most to i64
  %steps = call i64 @llvm.umin.i64(i64 %some_steps, i64 %most_steps)
  store i64 %steps, ptr %points
  %is_reversed = icmp eq i64 %kind, -10
  %begin = select i1 %is_reversed, i64 %steps, i64 -1
  store i64 %begin, ptr %point_p
  br label %no
after:
  %point_after = add i64 %point, 1
  %all_steps = load i64, ptr %points
  %is_last = icmp eq i64 %point_after, %all_steps
  br i1 %is_last, label %end, label %go
before:
  %is_first = icmp eq i64 %point, 0
  %point_before = sub i64 %point, 1
  br i1 %is_first, label %yes, label %go
go:
  %step = phi i64 [ %point_after, %after ], [ %point_before, %before ]
  store i64 %step, ptr %point_p
  br label %no
rest:
  %number = load i64, ptr %points
  %is_left = icmp ult i64 %point, %number
  br i1 %is_left, label %no, label %end
end:
  store i64 0, ptr %point_p
  br label %yes
next:
  %next_point = add i64 %point, 1
  store i64 %next_point, ptr %point_p
  br label %yes
no:
  ret i1 false
ordinary:
  %is_always = icmp eq i32 %count, 0
  br i1 %is_always, label %yes, label %read
yes:
  ret i1 true
read:
  %condition_p = load ptr, ptr %args
  %condition = load i8, ptr %condition_p
  %holds = icmp ne i8 %condition, 0
  ret i1 %holds
}

; How many points all threads can take alike, of the number that is the last
; operand. `points` becomes that number, and the first point that is left.
define internal i64 @share(ptr %args, i32 %count, ptr %exec, ptr %points) {
entry:
  %last = sub i32 %count, 1
  %slot = getelementptr ptr, ptr %args, i32 %last
  %number_p = load ptr, ptr %slot
  %read = load i64, ptr %number_p
  %number = call i64 @llvm.smax.i64(i64 %read, i64 0)
  %no_exec = icmp eq ptr %exec, null
  br i1 %no_exec, label %divide, label %load
load:
  %parallel_p = getelementptr %Exec, ptr %exec, i32 0, i32 1
  %parallel = load ptr, ptr %parallel_p
  %is_serial = icmp eq ptr %parallel, null
  %workers_p = getelementptr %Exec, ptr %exec, i32 0, i32 3
  %workers_32 = load i32, ptr %workers_p
  %is_none = icmp eq i32 %workers_32, 0
  %is_one = or i1 %is_serial, %is_none
  %some = select i1 %is_one, i32 1, i32 %workers_32
  br label %divide
divide:
  %threads = phi i32 [ 1, %entry ], [ %some, %load ]
  %workers = zext i32 %threads to i64
  %left = urem i64 %number, %workers
  %even = sub i64 %number, %left
  store i64 %number, ptr %points
  %point_p = getelementptr %Points, ptr %points, i32 0, i32 1
  store i64 %even, ptr %point_p
  ret i64 %even
}
)";
} // namespace mlir::glow

#endif // GLOW_LIB_TARGET_LLVM_ENTRYFUNCTIONS_H
