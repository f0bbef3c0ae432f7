/* Compile and run models from C.                                     -*- C -*-
 *
 * Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The whole compiler behind a dozen functions, made for language bindings:
 * libGlow.so exports them and python/glow calls them. A program that only runs
 * models compiled ahead of time needs ModelABI.h and the runtime instead.
 */
#ifndef GLOW_C_COMPILER_H
#define GLOW_C_COMPILER_H

#include "glow-c/ModelABI.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GLOW_API __attribute__((visibility("default")))

/* Raised when a function or structure below changes in a way that breaks its
 * callers. Structures grow at the end only; `size` tells what is present. */
#define GLOW_COMPILER_API_VERSION 2

/* A model that is ready to run. Where shapes are dynamic it keeps the graph and
 * compiles when it is run: by default for the first shape alone, and where that
 * is possible for a range of an extent that is met with another value (the
 * option dynamic-shapes). The option cache-size bounds how many are kept. */
typedef struct GlowProgram GlowProgram;

/* The outputs of one run; they own their memory. */
typedef struct GlowResults GlowResults;

/* Fixes the shape of one input: `--shape name=1x3x224x224`. */
typedef struct GlowInputShape {
  const char *name;
  const int64_t *dims; /* -1 leaves an extent dynamic */
  uint32_t rank;
} GlowInputShape;

/* An option of glow-compile without its dashes: mcpu, mattr, mtriple, machine,
 * tuning, shape, values, most, memory-budget, kernel-cache, check-bounds (0 or
 * 1), dump-stages or load-dialect-plugin. Two more are about what is compiled
 * when the program is run: dynamic-shapes is auto (the default), exact (code
 * for each shape by itself) or ranges; cache-size is how many of these are
 * kept, 16 by default, of which the one that was not used for longest is
 * dropped. */
typedef struct GlowOption {
  const char *key;
  const char *value;
} GlowOption;

typedef struct GlowCompileOptions {
  uint32_t size;         /* sizeof(GlowCompileOptions) of the caller */
  uint32_t threads;      /* 0: GLOW_NUM_THREADS, else all available cores */
  const char *precision; /* strict, fp32, fp32-fast or bf16; NULL: fp32 */
  const char *target;    /* NULL: "cpu"; "interpret" evaluates the graph
                            without generating code; others are a plug-in's,
                            see the option load-dialect-plugin */
  const GlowInputShape *shapes;
  const GlowOption *options;
  uint32_t num_shapes;
  uint32_t num_options;
} GlowCompileOptions;

/* An input or output as the model declares it. Of a list, that is a sequence or
 * an optional, `dims` and `dtype` are those of its tensors; extents that are
 * not declared are left out. */
typedef struct GlowTensorInfo {
  const char *name;
  const int64_t *dims; /* `rank` extents; -1 where dynamic */
  uint32_t dtype;      /* GlowDType */
  uint32_t rank;
  uint32_t kind; /* GlowKind */
} GlowTensorInfo;

/* A concrete tensor: dense, row-major. Types of less than a byte are packed,
 * the first element in the low bits; those of GLOW_STRING are GlowString. Of an
 * input the caller keeps the strings' bytes until the run is over, of a result
 * they live as long as `results`. Input data needs no alignment. */
typedef struct GlowTensor {
  const char *name;
  const void *data;
  const int64_t *dims;
  uint64_t bytes; /* size of what `data` points to */
  uint32_t dtype; /* GlowDType */
  uint32_t rank;
} GlowTensor;

/* Functions that can fail return 0 on success and another value on failure;
 * then glow_last_error() explains, and output parameters are untouched. */

/* GLOW_COMPILER_API_VERSION of the library. */
GLOW_API uint32_t glow_compiler_api_version(void);

/* The message of the calling thread's last failure; never NULL. Valid until
 * the same thread's next call into this interface. */
GLOW_API const char *glow_last_error(void);

/* Compiles an ONNX model or a `.mlir`/bytecode file of the glow dialect.
 * `options` may be NULL. The file is read through a map and must stay
 * unchanged while the program lives. */
GLOW_API int32_t glow_compile_file(const char *path,
                                   const GlowCompileOptions *options,
                                   GlowProgram **program);

/* The same from memory, which may be freed after the call. External data is
 * refused, as there is no folder to look in. */
GLOW_API int32_t glow_compile_bytes(const void *bytes, uint64_t size,
                                    const GlowCompileOptions *options,
                                    GlowProgram **program);

/* Loads what glow_save or `glow-compile -o model.so` wrote. */
GLOW_API int32_t glow_load(const char *path, uint32_t threads,
                           GlowProgram **program);

/* Writes a program with static shapes as a shared object of ModelABI.h. */
GLOW_API int32_t glow_save(const GlowProgram *program, const char *path);

GLOW_API void glow_program_free(GlowProgram *program);

/* What the model takes and gives. The pointers live as long as `program`. */
GLOW_API uint32_t glow_num_inputs(const GlowProgram *program);
GLOW_API uint32_t glow_num_outputs(const GlowProgram *program);
GLOW_API const GlowTensorInfo *glow_input(const GlowProgram *program,
                                          uint32_t index);
GLOW_API const GlowTensorInfo *glow_output(const GlowProgram *program,
                                           uint32_t index);

/* Which inputs form sequences and optionals, of a program that was compiled for
 * certain ones; NULL behind the last one. */
GLOW_API const GlowList *glow_input_list(const GlowProgram *program,
                                         uint32_t index);

/* Runs the model. `inputs` come in any order and are matched by name. May be
 * called from several threads at once.
 *
 * The tensors of a sequence `x` are named x[0], x[1] and so on, and the one in
 * an optional x[0]. An optional that is absent has no tensor; where an optional
 * sequence is there but empty, a GlowTensor named x of type GLOW_UNDEFINED says
 * so. */
GLOW_API int32_t glow_run(GlowProgram *program, const GlowTensor *inputs,
                          uint32_t num_inputs, GlowResults **results);

/* The outputs, in the model's order. They are one array, which the first one's
 * pointer is; pointers live as long as `results`. */
GLOW_API uint32_t glow_num_results(const GlowResults *results);
GLOW_API const GlowTensor *glow_result(const GlowResults *results,
                                       uint32_t index);
/* Which results form sequences and optionals, and NULL behind the last one. */
GLOW_API const GlowList *glow_result_list(const GlowResults *results,
                                          uint32_t index);
GLOW_API void glow_results_free(GlowResults *results);

#ifdef __cplusplus
}
#endif
#endif /* GLOW_C_COMPILER_H */
