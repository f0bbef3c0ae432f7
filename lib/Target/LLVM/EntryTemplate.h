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
; {kernel, tickets, first operand, number of operands}
%Launch = type { ptr, i64, i32, i32 }
; {base: 0 input, 1 output, 2 arena, 3 weights; index; offset in bytes}
%Operand = type { i32, i32, i64 }

@launches = external hidden constant [NUM_LAUNCHES x %Launch]
@operands = external hidden constant [0 x %Operand]

define internal i32 @run(ptr %exec, ptr %inputs, ptr %outputs, ptr %arena, ptr %weights) {
entry:
  %args = alloca [MAX_OPERANDS x ptr]
  %no_exec = icmp eq ptr %exec, null
  br i1 %no_exec, label %start, label %load_exec
load_exec:
  %slot = getelementptr { i32, ptr }, ptr %exec, i32 0, i32 1
  %loaded = load ptr, ptr %slot
  br label %start
start:
  %parallel = phi ptr [ null, %entry ], [ %loaded, %load_exec ]
  %serial = icmp eq ptr %parallel, null
  br label %launch
launch:
  %i = phi i32 [ 0, %start ], [ %next_i, %launched ]
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
  %j = phi i32 [ 0, %prepare ], [ %next_j, %resolved ]
  %ready = icmp eq i32 %j, %count
  br i1 %ready, label %call, label %resolve
resolve:
  %k = add i32 %first, %j
  %operand_k = getelementptr [0 x %Operand], ptr @operands, i32 0, i32 %k
  %base = load i32, ptr %operand_k
  %index_p = getelementptr %Operand, ptr %operand_k, i32 0, i32 1
  %index = load i32, ptr %index_p
  %offset_p = getelementptr %Operand, ptr %operand_k, i32 0, i32 2
  %offset = load i64, ptr %offset_p
  %is_output = icmp eq i32 %base, 1
  %bound = select i1 %is_output, ptr %outputs, ptr %inputs
  %is_bound = icmp ult i32 %base, 2
  br i1 %is_bound, label %load_bound, label %own
load_bound:
  %bound_p = getelementptr ptr, ptr %bound, i32 %index
  %tensor = load ptr, ptr %bound_p
  br label %resolved
own:
  %is_arena = icmp eq i32 %base, 2
  %memory = select i1 %is_arena, ptr %arena, ptr %weights
  br label %resolved
resolved:
  %start_p = phi ptr [ %tensor, %load_bound ], [ %memory, %own ]
  %address = getelementptr i8, ptr %start_p, i64 %offset
  %arg = getelementptr [MAX_OPERANDS x ptr], ptr %args, i32 0, i32 %j
  store ptr %address, ptr %arg
  %next_j = add i32 %j, 1
  br label %operand
call:
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
}
)";
} // namespace mlir::glow

#endif // GLOW_LIB_TARGET_LLVM_ENTRYTEMPLATE_H
