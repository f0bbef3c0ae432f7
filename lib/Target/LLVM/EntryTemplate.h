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
; operand that decides, 1, or none, 0}
%Launch = type { ptr, i64, i32, i32 }
; {base: 0 input, 1 output, 2 strings, 3 arena, 4 weights; index; offset in
; bytes}
%Operand = type { i32, i32, i64 }
; GlowExec {size, parallel_for, user, workers, call_host}
%Exec = type { i32, ptr, ptr, i32, ptr }

@launches = external hidden constant [NUM_LAUNCHES x %Launch]
@operands = external hidden constant [0 x %Operand]
@strings = external hidden constant [0 x ptr]

define internal ptr @address_of(i32 %k, ptr %inputs, ptr %outputs, ptr %arena, ptr %weights) {
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
  %address = getelementptr i8, ptr %start, i64 %offset
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

define internal i32 @run(ptr %exec, ptr %inputs, ptr %outputs, ptr %arena, ptr %weights) {
entry:
  %args = alloca [MAX_OPERANDS x ptr]
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
  %i = phi i32 [ 0, %start ], [ %next_i, %launched ], [ %target, %decide ]
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
  br label %operand
operand:
  %j = phi i32 [ 0, %prepare ], [ %next_j, %resolve ]
  %ready = icmp eq i32 %j, %count
  br i1 %ready, label %call, label %resolve
resolve:
  %k = add i32 %first, %j
  %address = call ptr @address_of(i32 %k, ptr %inputs, ptr %outputs, ptr %arena, ptr %weights)
  %arg = getelementptr [MAX_OPERANDS x ptr], ptr %args, i32 0, i32 %j
  store ptr %address, ptr %arg
  %next_j = add i32 %j, 1
  br label %operand
call:
  switch i64 %tickets, label %call_work [ i64 -1, label %call_host
                                          i64 -2, label %require
                                          i64 -3, label %decide ]
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
  br i1 %serial, label %call_kernel, label %call_exec
call_kernel:
  call void %kernel(ptr %args, i64 0, i64 %tickets, i32 0)
  br label %launched
call_exec:
  call void %parallel(ptr %exec, i32 %i, ptr %kernel, ptr %args, i64 %tickets)
  br label %launched
launched:
  %next_i = add i32 %i, 1
  br label %launch
exit:
  ret i32 0
violation: ; GLOW_INVALID_ARGUMENT, and which
  %number = add i32 %i, 1
  %place = shl i32 %number, 8
  %violation_status = or i32 %place, 1
  ret i32 %violation_status
failed:
  ret i32 %status
}
)";
} // namespace mlir::glow

#endif // GLOW_LIB_TARGET_LLVM_ENTRYTEMPLATE_H
