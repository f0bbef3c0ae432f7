/* Strings, and calls of functions that are no kernels.             -*- C -*-
 *
 * Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A part of the binary interface, see ModelABI.h; docs/HostFunctions.md lists
 * the functions.
 */
#ifndef GLOW_C_HOSTCALL_H
#define GLOW_C_HOSTCALL_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One element of a GLOW_STRING tensor: `size` bytes, as a rule UTF-8, which may
 * hold zeros and have none behind them. Of an empty string `data` may be NULL.
 */
typedef struct GlowString {
  const char *data;
  uint64_t size;
} GlowString;

/* What a function of the caller is told beside its tensors. */
typedef struct GlowHostAttr {
  const char *name;
  const void *values; /* `count` of them */
  uint64_t count;
  uint32_t dtype; /* GLOW_I64, GLOW_F64 or GLOW_STRING */
} GlowHostAttr;

/* A tensor that such a function reads or writes, dense and row-major. */
typedef struct GlowHostTensor {
  const int64_t *dims; /* `rank` extents */
  uint32_t rank;
  uint32_t dtype; /* GlowDType */
} GlowHostTensor;

/* A call of a function that is no kernel: work on strings, or decoding. It is a
 * constant of the model, so its address may stand for what was made of its
 * attributes. */
typedef struct GlowHostCall {
  uint32_t size; /* sizeof(GlowHostCall) of the compiler */
  uint32_t num_inputs;
  uint32_t num_outputs;
  uint32_t num_attrs;
  const char *function;          /* docs/HostFunctions.md lists them */
  const char *node;              /* the model's node names, for messages */
  const GlowHostTensor *tensors; /* the inputs, then the outputs */
  const GlowHostAttr *attrs;
} GlowHostCall;

#ifdef __cplusplus
}
#endif
#endif /* GLOW_C_HOSTCALL_H */
