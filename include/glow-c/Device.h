/* Devices: what a driver offers the runtime.                       -*- C -*-
 *
 * Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A driver is one table of functions. A plug-in exports a function
 * `glow_device_table` that returns it; the processor's own table is built in.
 * In C++, glow/Runtime/SimpleDevice.h makes the whole table out of six
 * functions.
 *
 * Rules for drivers:
 *  - Every function but `close` may be called from several threads at once, and
 *    none calls back into the caller or lets an exception out.
 *  - An accepted submission signals its fences exactly once: with success or
 *    with an error, also after reset and close.
 *  - `submit` does not wait: a full queue is GLOW_BUSY.
 *  - After `reset` returns, no earlier submission touches host memory.
 *  - A program that is malformed is refused by `load`; it never harms the host.
 */
#ifndef GLOW_C_DEVICE_H
#define GLOW_C_DEVICE_H

#include "glow-c/Status.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Raised when an existing entry changes. Entries are only ever added at the
 * end of the table; `size` tells which are present. */
#define GLOW_DEVICE_ABI_VERSION 1

/* An open device: the driver's own structure. */
typedef struct GlowDevice GlowDevice;

/* Objects of an open device. 0 is none of them. */
typedef uint64_t GlowMemory;
typedef uint64_t GlowDeviceProgram;
typedef uint64_t GlowQueue;
typedef uint64_t GlowFence;

/* Bytes in device memory, or in host memory. */
typedef struct GlowSpan {
  GlowMemory memory; /* 0: host memory */
  uint64_t offset;   /* from the start of `memory`; host: the address */
  uint64_t bytes;
} GlowSpan;

typedef enum GlowCommandKind {
  GLOW_COMMAND_COPY = 1, /* target = source; at most one may be the host's */
  GLOW_COMMAND_FILL = 2, /* every byte of target = value */
  GLOW_COMMAND_RUN = 3   /* run program on bindings */
} GlowCommandKind;

typedef struct GlowCommand {
  uint32_t kind;
  uint32_t value; /* FILL: 0 to 255 */
  GlowSpan target;
  GlowSpan source;
  GlowDeviceProgram program;
  const GlowSpan *bindings; /* the program's inputs, then its outputs; copied */
  uint64_t num_bindings;
} GlowCommand;

/* A fence is a number that only grows. A point is reached when the number is
 * `value` or more. */
typedef struct GlowFencePoint {
  GlowFence fence;
  uint64_t value;
} GlowFencePoint;

#define GLOW_WAIT_FOREVER UINT64_MAX

typedef struct GlowDeviceTable {
  uint32_t abi_version; /* GLOW_DEVICE_ABI_VERSION */
  uint32_t size;        /* sizeof(GlowDeviceTable) of the driver */
  const char *driver;   /* lower-case name, such as "cpu" */

  /* --- Discovery --- */
  GlowStatus (*enumerate)(uint32_t *count);
  GlowStatus (*open)(uint32_t index, GlowDevice **device);
  void (*close)(GlowDevice *device);
  /* Writes the text of `key` and its NUL to `value`, which holds *bytes bytes,
   * and sets *bytes to the length needed; a NULL `value` only asks for it.
   * Too short: GLOW_INVALID_ARGUMENT. Unknown key: GLOW_NOT_FOUND.
   *   name          of the device, for people
   *   machine       machine description as JSON; may be empty
   *   memory.total  bytes; 0 if not known
   *   memory.used   bytes
   *   alignment     of device memory, bytes
   *   host-memory   "1" if programs may be bound to host memory directly
   *   error         text of the calling thread's last failed call */
  GlowStatus (*query)(GlowDevice *device, const char *key, char *value,
                      uint64_t *bytes);

  /* --- Memory --- */
  GlowStatus (*alloc)(GlowDevice *device, uint64_t bytes, uint64_t alignment,
                      GlowMemory *memory);
  /* Submissions that use the memory may still be under way: it is released
   * after them. */
  void (*free)(GlowDevice *device, GlowMemory memory);
  /* Host access to device memory. What the host writes arrives no later than
   * host_unmap; no submission may use the memory in between. */
  GlowStatus (*host_map)(GlowDevice *device, GlowMemory memory, void **data);
  GlowStatus (*host_unmap)(GlowDevice *device, GlowMemory memory);

  /* --- Programs --- */
  /* Checks and loads `bytes` of program, which are not needed afterwards.
   * `path` is the file they came from, NULL if none. */
  GlowStatus (*load)(GlowDevice *device, const void *program, uint64_t bytes,
                     const char *path, GlowDeviceProgram *loaded);
  void (*unload)(GlowDevice *device, GlowDeviceProgram program);

  /* --- Execution --- */
  /* A queue that holds at most `depth` submissions; they run in order. */
  GlowStatus (*queue_create)(GlowDevice *device, uint32_t depth,
                             GlowQueue *queue);
  /* Submissions still in it fail with GLOW_DEVICE_LOST. */
  void (*queue_destroy)(GlowDevice *device, GlowQueue queue);
  /* Runs the commands in order once all `waits` are reached, then signals
   * `signals`. The arrays are copied, host spans are not. */
  GlowStatus (*submit)(GlowDevice *device, GlowQueue queue,
                       const GlowCommand *commands, uint64_t num_commands,
                       const GlowFencePoint *waits, uint64_t num_waits,
                       const GlowFencePoint *signals, uint64_t num_signals);

  /* --- Synchronisation --- */
  GlowStatus (*fence_create)(GlowDevice *device, uint64_t value,
                             GlowFence *fence);
  void (*fence_destroy)(GlowDevice *device, GlowFence fence);
  GlowStatus (*fence_read)(GlowDevice *device, GlowFence fence,
                           uint64_t *value);
  /* Returns when the point is reached, with the error of the submission if it
   * failed; GLOW_TIMEOUT after `timeout_ns`. A failed fence stays failed. */
  GlowStatus (*fence_wait)(GlowDevice *device, GlowFence fence, uint64_t value,
                           uint64_t timeout_ns);

  /* --- Service --- */
  /* Fails everything that was submitted. Memory and programs survive. */
  GlowStatus (*reset)(GlowDevice *device);
  /* What ran so far, as a list of Chrome trace events; as `query`. */
  GlowStatus (*trace_read)(GlowDevice *device, char *value, uint64_t *bytes);
} GlowDeviceTable;

/* What a plug-in exports under the name `glow_device_table`. */
typedef const GlowDeviceTable *(*GlowDeviceTableFn)(void);
const GlowDeviceTable *glow_device_table(void);

/* --- The drivers of this process --------------------------------------------
 * "cpu" is always there. Others come from the two functions below, or from the
 * plug-ins listed in GLOW_DEVICE_PLUGINS, separated by colons. */

/* Opens a plug-in and adds its driver. It stays loaded. */
GlowStatus glow_device_open_plugin(const char *path);
/* Adds a driver that is linked in; the table must stay valid. */
GlowStatus glow_device_add_driver(const GlowDeviceTable *table);
/* The driver of this name; NULL and an error if there is none. Not to be called
 * while a plug-in's glow_device_table() runs. */
const GlowDeviceTable *glow_device_find_driver(const char *name);

#ifdef __cplusplus
}
#endif
#endif /* GLOW_C_DEVICE_H */
