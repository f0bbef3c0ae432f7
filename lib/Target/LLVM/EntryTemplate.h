//===- EntryTemplate.h - the entry point of every model, as LLVM IR -------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program is a table of launches; this function walks it. Code size and
// compile time do not grow with the number of instructions, and the table is
// the same for a hosted and for a bare-metal model. `MAX_OPERANDS` and
// `NUM_LAUNCHES` are replaced by numbers.
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_LIB_TARGET_LLVM_ENTRYTEMPLATE_H
#define GLOW_LIB_TARGET_LLVM_ENTRYTEMPLATE_H

namespace mlir::glow {
inline constexpr char kEntryTemplate[] = R"(
; {kernel, tickets, first operand, number of operands}; of a call of the
; caller's functions {its GlowHostCall, -1, ...}; of a requirement {null, -2,
; the operand that must be false, 1}; of a jump {the number of a launch, -3, the
; operand that decides, 1, or none, 0}; of points that threads share {kernel, -4,
; its operands and then their number}, then of what is left of them {the number of
; the launch behind, -5, ...}, the launches of a point, and {the number of the
; former, -6, ...}
%Launch = type { ptr, i64, i32, i32 }
; {base: 0 input, 1 output, 2 strings, 3 arena, 4 weights; index; offset in
; bytes; bytes from a point of those that are left to the next one}
%Operand = type { i32, i32, i64, i64 }
; GlowExec {size, parallel_for, user, workers, call_host}
%Exec = type { i32, ptr, ptr, i32, ptr }

@launches = external hidden constant [NUM_LAUNCHES x %Launch]
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

; Whether to jump: if there is no operand, or it holds.
define internal i1 @is_jump(ptr %args, i32 %count) {
entry:
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

; How many threads there are.
define internal i64 @workers(ptr %exec) {
  %serial = icmp eq ptr %exec, null
  br i1 %serial, label %one, label %load
load:
  %parallel_p = getelementptr %Exec, ptr %exec, i32 0, i32 1
  %parallel = load ptr, ptr %parallel_p
  %no_threads = icmp eq ptr %parallel, null
  br i1 %no_threads, label %one, label %count
count:
  %workers_p = getelementptr %Exec, ptr %exec, i32 0, i32 3
  %workers_32 = load i32, ptr %workers_p
  %workers = zext i32 %workers_32 to i64
  %is_none = icmp eq i64 %workers, 0
  %result = select i1 %is_none, i64 1, i64 %workers
  ret i64 %result
one:
  ret i64 1
}

define internal i32 @run(ptr %exec, ptr %inputs, ptr %outputs, ptr %arena, ptr %weights) {
entry:
  %args = alloca [MAX_OPERANDS x ptr]
  %points_p = alloca i64
  %point_p = alloca i64 ; the first of those that are left, 0 outside of loops
  store i64 0, ptr %point_p
  %no_exec = icmp eq ptr %exec, null
  br i1 %no_exec, label %start, label %load_exec
load_exec:
  %slot = getelementptr %Exec, ptr %exec, i32 0, i32 1
  %loaded = load ptr, ptr %slot
  br label %start
start:
  %parallel = phi ptr [ null, %entry ], [ %loaded, %load_exec ]
  %serial = icmp eq ptr %parallel, null
  br label %launch
launch:
  %i = phi i32 [ 0, %start ], [ %next_i, %launched ], [ %target, %decide ], [ %behind, %no_rest ], [ %again, %next ]
  %finished = icmp eq i32 %i, NUM_LAUNCHES
  br i1 %finished, label %exit, label %prepare
prepare:
  %entry_i = getelementptr [NUM_LAUNCHES x %Launch], ptr @launches, i32 0, i32 %i
  %kernel = load ptr, ptr %entry_i
  %tickets_p = getelementptr %Launch, ptr %entry_i, i32 0, i32 1
  %tickets = load i64, ptr %tickets_p
  %first_p = getelementptr %Launch, ptr %entry_i, i32 0, i32 2
  %first = load i32, ptr %first_p
  %count_p = getelementptr %Launch, ptr %entry_i, i32 0, i32 3
  %count = load i32, ptr %count_p
  %point = load i64, ptr %point_p
  br label %operand
operand:
  %j = phi i32 [ 0, %prepare ], [ %next_j, %resolve ]
  %ready = icmp eq i32 %j, %count
  br i1 %ready, label %call, label %resolve
resolve:
  %k = add i32 %first, %j
  %address = call ptr @address_of(i32 %k, i64 %point, ptr %inputs, ptr %outputs, ptr %arena, ptr %weights)
  %arg = getelementptr [MAX_OPERANDS x ptr], ptr %args, i32 0, i32 %j
  store ptr %address, ptr %arg
  %next_j = add i32 %j, 1
  br label %operand
call:
  switch i64 %tickets, label %call_work [ i64 -1, label %call_host
                                          i64 -2, label %require
                                          i64 -3, label %decide
                                          i64 -4, label %divide
                                          i64 -5, label %rest
                                          i64 -6, label %next ]
divide:
  %last = sub i32 %count, 1
  %number_pp = getelementptr [MAX_OPERANDS x ptr], ptr %args, i32 0, i32 %last
  %number_p = load ptr, ptr %number_pp
  %number = load i64, ptr %number_p
  %is_negative = icmp slt i64 %number, 0
  %points = select i1 %is_negative, i64 0, i64 %number
  %workers = call i64 @workers(ptr %exec)
  %left = urem i64 %points, %workers
  %even = sub i64 %points, %left
  store i64 %points, ptr %points_p
  store i64 %even, ptr %point_p
  %is_even = icmp ugt i64 %even, 0
  br i1 %is_even, label %call_work, label %launched
rest:
  %points_left = load i64, ptr %points_p
  %is_left = icmp ult i64 %point, %points_left
  br i1 %is_left, label %launched, label %no_rest
no_rest:
  store i64 0, ptr %point_p
  %place_behind = ptrtoint ptr %kernel to i64
  %behind = trunc i64 %place_behind to i32
  br label %launch
next:
  %next_point = add i64 %point, 1
  store i64 %next_point, ptr %point_p
  %place_again = ptrtoint ptr %kernel to i64
  %again = trunc i64 %place_again to i32
  br label %launch
decide:
  %place_of_target = ptrtoint ptr %kernel to i64
  %target = trunc i64 %place_of_target to i32
  %is_jump = call i1 @is_jump(ptr %args, i32 %count)
  br i1 %is_jump, label %launch, label %launched
require:
  %violated_p = load ptr, ptr %args
  %violated = load i8, ptr %violated_p
  %is_violated = icmp ne i8 %violated, 0
  br i1 %is_violated, label %violation, label %launched
call_host:
  %status = call i32 @call_host(ptr %exec, i32 %i, ptr %kernel, ptr %args)
  %succeeded = icmp eq i32 %status, 0
  br i1 %succeeded, label %launched, label %failed
call_work:
  %parts = phi i64 [ %tickets, %call ], [ %even, %divide ]
  br i1 %serial, label %call_kernel, label %call_exec
call_kernel:
  call void %kernel(ptr %args, i64 0, i64 %parts, i32 0)
  br label %launched
call_exec:
  call void %parallel(ptr %exec, i32 %i, ptr %kernel, ptr %args, i64 %parts)
  br label %launched
launched:
  %next_i = add i32 %i, 1
  br label %launch
exit:
  ret i32 0
violation: ; GLOW_INVALID_ARGUMENT, and which
  %row = add i32 %i, 1
  %place = shl i32 %row, 8
  %violation_status = or i32 %place, 1
  ret i32 %violation_status
failed:
  ret i32 %status
}
)";
} // namespace mlir::glow

#endif // GLOW_LIB_TARGET_LLVM_ENTRYTEMPLATE_H
