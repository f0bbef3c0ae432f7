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
@launches = external hidden constant [NUM_LAUNCHES x %Launch]
declare i1 @outside_ranges(ptr)

define internal i32 @run(ptr %exec, ptr %inputs, ptr %outputs, ptr %arena, ptr %weights) {
entry:
  %args = alloca [MAX_OPERANDS x ptr]
  %points = alloca %Points
  store %Points zeroinitializer, ptr %points
  %point_p = getelementptr %Points, ptr %points, i32 0, i32 1
  %no_exec = icmp eq ptr %exec, null
  br i1 %no_exec, label %start, label %load_exec
load_exec:
  %slot = getelementptr %Exec, ptr %exec, i32 0, i32 1
  %loaded = load ptr, ptr %slot
  br label %start
start:
  %parallel = phi ptr [ null, %entry ], [ %loaded, %load_exec ]
  %serial = icmp eq ptr %parallel, null
  %outside = call i1 @outside_ranges(ptr %inputs)
  br i1 %outside, label %exit, label %launch
launch:
  %i = phi i32 [ 0, %start ], [ %next_i, %launched ], [ %target, %jump ]
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
  call void @resolve(ptr %args, i32 %first, i32 %count, i64 %point, ptr %inputs, ptr %outputs, ptr %arena, ptr %weights)
  switch i64 %tickets, label %other [ i64 -1, label %call_host
                                      i64 -2, label %require
                                      i64 -4, label %share ]
other:
  %is_kernel = icmp sge i64 %tickets, 0
  br i1 %is_kernel, label %call_work, label %decide
decide:
  %is_jump = call i1 @is_jump(i64 %tickets, ptr %kernel, ptr %args, i32 %count, ptr %points)
  br i1 %is_jump, label %jump, label %launched
jump:
  %place_of_target = ptrtoint ptr %kernel to i64
  %target = trunc i64 %place_of_target to i32
  br label %launch
require:
  %violated_p = load ptr, ptr %args
  %violated = load i8, ptr %violated_p
  %is_violated = icmp ne i8 %violated, 0
  br i1 %is_violated, label %violation, label %launched
call_host:
  %status = call i32 @call_host(ptr %exec, i32 %i, ptr %kernel, ptr %args)
  %succeeded = icmp eq i32 %status, 0
  br i1 %succeeded, label %launched, label %exit
share:
  %even = call i64 @share(ptr %args, i32 %count, ptr %exec, ptr %points)
  %is_none = icmp eq i64 %even, 0
  br i1 %is_none, label %launched, label %call_work
call_work:
  %parts = phi i64 [ %tickets, %other ], [ %even, %share ]
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
exit: ; 1 is GLOW_INVALID_ARGUMENT
  %result = phi i32 [ 1, %start ], [ 0, %launch ], [ %status, %call_host ]
  ret i32 %result
violation: ; GLOW_INVALID_ARGUMENT, and which
  %number = add i32 %i, 1
  %place = shl i32 %number, 8
  %violation_status = or i32 %place, 1
  ret i32 %violation_status
}
)";
} // namespace mlir::glow

#endif // GLOW_LIB_TARGET_LLVM_ENTRYTEMPLATE_H
