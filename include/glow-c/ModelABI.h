/* The binary interface of a compiled model.                         -*- C -*-
 *
 * Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A compiled model is one object file that exports one symbol, a
 * `GlowModel` descriptor (`glow_model` in a shared library, `<name>_model` in
 * an object for static linking). JIT, `.so` and object all carry the same
 * descriptor. The code behind it calls nothing but the C maths library, memcpy,
 * memmove, memset and what GlowExec offers, and allocates nothing. docs/ABI.md
 * is the long form of these comments.
 */
#ifndef GLOW_C_MODELABI_H
#define GLOW_C_MODELABI_H

#include "glow-c/HostCall.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Raised when an existing field changes its meaning or place. Fields are only
 * ever added at the end of a structure; `size` tells which are present. */
#define GLOW_ABI_VERSION 5

/* Alignment in bytes of the arena and of the weights. Inputs and outputs need
 * that of their elements: of their size, up to 8 bytes. */
#define GLOW_BUFFER_ALIGNMENT 64

/* Element types: the values of onnx.TensorProto.DataType. */
typedef enum GlowDType {
  GLOW_UNDEFINED = 0,
  GLOW_F32 = 1,
  GLOW_U8 = 2,
  GLOW_I8 = 3,
  GLOW_U16 = 4,
  GLOW_I16 = 5,
  GLOW_I32 = 6,
  GLOW_I64 = 7,
  GLOW_STRING = 8,
  GLOW_BOOL = 9,
  GLOW_F16 = 10,
  GLOW_F64 = 11,
  GLOW_U32 = 12,
  GLOW_U64 = 13,
  GLOW_C64 =
      14, /* complex: the real and the imaginary part, both of GLOW_F32 */
  GLOW_C128 = 15, /* ... of GLOW_F64 */
  GLOW_BF16 = 16,
  GLOW_F8E4M3FN = 17,
  GLOW_F8E4M3FNUZ = 18,
  GLOW_F8E5M2 = 19,
  GLOW_F8E5M2FNUZ = 20,
  GLOW_U4 = 21,
  GLOW_I4 = 22,
  GLOW_F4E2M1 = 23,
  GLOW_F8E8M0 = 24,
  GLOW_U2 = 25,
  GLOW_I2 = 26
} GlowDType;

/* One input or output. Tensors are dense and row-major. Of a tensor with
 * extents known only at run time, see GlowSymbol, `dims` are the largest. If it
 * is `compact`, the buffer holds its elements alone. Else they are a prefix of
 * the buffer along each axis; what the rest holds does not matter. */
typedef struct GlowTensorDesc {
  const char *name;
  const int64_t *dims;        /* `rank` extents; never negative */
  uint64_t bytes;             /* size of the buffer to bind, at most */
  const float *scales;        /* quantisation scales, `num_scales` of them */
  const int64_t *zero_points; /* one per scale */
  uint32_t num_scales; /* 0: not quantised, 1: per tensor, else per axis */
  int32_t quant_axis;  /* the quantised axis, -1 if there is none */
  uint32_t dtype;      /* GlowDType */
  uint32_t rank;
  const uint8_t *varies; /* per axis: 1 if the extent follows from symbols, else
                            0; NULL if none does */
  uint32_t compact;      /* 1: of what the extents are at run time; else 0 */
} GlowTensorDesc;

/* In place of an input: the model computes the symbol. */
#define GLOW_COMPUTED UINT32_MAX

/* An extent that is known only at run time. The values of those that inputs
 * have are the last input of the model, a tensor of GLOW_I64 with one element
 * per symbol. Those that depend on data come after them in the list; the model
 * writes their values to its last output, likewise. */
typedef struct GlowSymbol {
  const char *name;
  int64_t lower, upper; /* the values it may have, both included */
  uint32_t input;       /* an input that has it for an extent, */
  uint32_t axis;        /* and along which axis; or GLOW_COMPUTED, 0 */
} GlowSymbol;

/* Writes the extents of all inputs, then of all outputs, for these values of
 * the symbols. */
typedef void (*GlowExtentsFn)(const int64_t *symbols, int64_t *dims);

/* What an input or output is. Lists are the others than tensors. */
typedef enum GlowKind {
  GLOW_TENSOR = 0,
  GLOW_SEQUENCE = 1,         /* of tensors */
  GLOW_OPTIONAL = 2,         /* of a tensor */
  GLOW_OPTIONAL_SEQUENCE = 3 /* both bits */
} GlowKind;

/* One sequence or optional among the inputs or outputs, which are the tensors
 * in it, called name[0], name[1] and so on. */
typedef struct GlowList {
  const char *name;
  uint32_t kind;    /* GlowKind */
  uint32_t present; /* 0: an optional without value */
  uint32_t first;   /* its tensors are those from `first` up to */
  uint32_t count;   /* `first + count` */
} GlowList;

/* A slice of one instruction's work: tickets [begin, end) of it. `args` holds
 * one pointer per operand. `worker` is the caller's index in its pool, below
 * GlowExec.workers; two calls at the same time never have the same one. */
typedef void (*GlowKernel)(void *const *args, int64_t begin, int64_t end,
                           int32_t worker);

/* What the model asks of its caller while it runs. */
typedef struct GlowExec {
  uint32_t size; /* sizeof(GlowExec) of the caller */
  /* Runs `kernel` over tickets [0, tickets), in any split and order, and
   * returns when all are done. `instr` indexes GlowModel.instrs.
   * NULL: the model calls the kernel itself, in the calling thread. */
  void (*parallel_for)(struct GlowExec *exec, uint32_t instr, GlowKernel kernel,
                       void *const *args, int64_t tickets);
  void *user; /* the caller's own */
  /* Threads that `parallel_for` runs kernels on. Behind the arena each of them
   * but the first has GlowModel.worker_bytes of scratch memory. */
  uint32_t workers;
  /* Since version 4. Computes instruction `instr`, a call of a function: `args`
   * holds one pointer per tensor of `call`. The bytes of strings that it writes
   * must stay until the run's results have been read. Returns 0, or a
   * GlowStatus, which ends the run and is its result. NULL, or a `size` that
   * ends before it: a run that needs it returns GLOW_UNSUPPORTED. */
  int32_t (*call_host)(struct GlowExec *exec, uint32_t instr,
                       const GlowHostCall *call, void *const *args);
} GlowExec;

/* One instruction of the program, for profiles and traces. */
typedef struct GlowInstrDesc {
  const char *op;     /* instruction name, such as "conv" */
  const char *name;   /* the model's node names, joined with '+' */
  const char *kernel; /* name of the kernel function */
  uint64_t flops;     /* arithmetic operations; 0 if not known */
  uint64_t bytes;     /* bytes read and written at least once */
} GlowInstrDesc;

/* Runs the model once. `inputs` and `outputs` hold one pointer per tensor, in
 * the descriptor's order; `arena` is scratch memory, `arena_bytes` and
 * `worker_bytes` for every worker but the first; `weights` is the
 * `weights_bytes` of constants; both are aligned. Returns 0, or a
 * GlowStatus in the low byte and above it, if `instrs` tells more, the number
 * of the instruction that ended the run plus 1: its `kernel` says why, and its
 * `name` for which node. Two calls may run at once if their arenas and outputs
 * differ. */
typedef int32_t (*GlowRunFn)(GlowExec *exec, const void *const *inputs,
                             void *const *outputs, void *arena,
                             const void *weights);

typedef struct GlowModel {
  uint32_t abi_version; /* GLOW_ABI_VERSION */
  uint32_t size;        /* sizeof(GlowModel) of the compiler */
  const char *name;
  const char *target_triple;
  const char *cpu_features; /* comma separated, as in LLVM's --mattr; every
                               "+feature" must be present on the machine */
  const GlowTensorDesc *inputs;
  const GlowTensorDesc *outputs;
  const GlowInstrDesc *instrs;
  const void *weights;      /* NULL: in a file beside the object */
  const char *weights_file; /* file name without a folder, NULL if embedded */
  uint64_t weights_bytes;
  uint64_t weights_hash; /* xxh3-64 of the file, checked at load; else 0 */
  uint64_t arena_bytes;
  uint32_t num_inputs;
  uint32_t num_outputs;
  uint32_t num_instrs;
  uint32_t alignment; /* of arena and weights, in bytes */
  GlowRunFn run;
  uint64_t worker_bytes;     /* a multiple of `alignment` */
  const GlowSymbol *symbols; /* `num_symbols` of them */
  GlowExtentsFn extents;     /* NULL if there are no symbols */
  uint32_t num_symbols;      /* 0: all shapes are fixed */
  uint32_t num_input_lists;
  const GlowList *lists; /* those among the inputs, then `num_output_lists` */
  uint32_t num_output_lists;
} GlowModel;

#ifdef __cplusplus
}
#endif
#endif /* GLOW_C_MODELABI_H */
