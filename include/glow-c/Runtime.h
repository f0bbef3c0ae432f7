/* Loading and running compiled models.                             -*- C -*-
 *
 * Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *   GlowRtProgram *program;
 *   GlowRtContext *context;
 *   glow_rt_load_file("model.so", NULL, &program);
 *   glow_rt_context_create(program, &context);
 *   memcpy(glow_rt_context_input(context, 0), pixels, sizeof(pixels));
 *   glow_rt_run(context);
 *   const float *scores = glow_rt_context_output(context, 0);
 *
 * Every function that can fail returns a GlowStatus. A program may be used from
 * many threads at once, a context from one at a time.
 */
#ifndef GLOW_C_RUNTIME_H
#define GLOW_C_RUNTIME_H

#include "glow-c/ModelABI.h"
#include "glow-c/Status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A loaded model or package: code, weights, descriptions. */
typedef struct GlowRtProgram GlowRtProgram;
/* One execution at a time of a program: arena and bound buffers. */
typedef struct GlowRtContext GlowRtContext;

/* --- Loading ---------------------------------------------------------------
 */

typedef struct GlowRtOptions {
  uint32_t size;   /* sizeof(GlowRtOptions) */
  int32_t threads; /* most threads to run on, 0: glow_rt_num_threads() */
  /* Called with `user` once the program is gone, by glow_rt_load_model only. */
  void (*release)(void *user);
  void *user;
} GlowRtOptions;

/* Loads a compiled model (.so) or a package (a folder with manifest.json).
 * `options` may be NULL. Loading runs code from the file: load only models that
 * you trust as you would a program. */
GlowStatus glow_rt_load_file(const char *path, const GlowRtOptions *options,
                             GlowRtProgram **program);

/* Takes a descriptor already in memory: statically linked, or compiled in this
 * process. It must outlive the program. `weights_folder` is where its
 * weights_file lies; NULL if the weights are embedded. After a failure
 * `release` is not called. */
GlowStatus glow_rt_load_model(const GlowModel *model,
                              const char *weights_folder,
                              const GlowRtOptions *options,
                              GlowRtProgram **program);

/* Releases the caller's hold. Contexts that still exist keep the program. */
void glow_rt_program_free(GlowRtProgram *program);

const char *glow_rt_program_name(const GlowRtProgram *program);
uint32_t glow_rt_num_inputs(const GlowRtProgram *program);
uint32_t glow_rt_num_outputs(const GlowRtProgram *program);
/* NULL when the index is out of range. Valid as long as the program. */
const GlowTensorDesc *glow_rt_input(const GlowRtProgram *program,
                                    uint32_t index);
const GlowTensorDesc *glow_rt_output(const GlowRtProgram *program,
                                     uint32_t index);
/* The index of the tensor of this name, or -1. */
int32_t glow_rt_find_input(const GlowRtProgram *program, const char *name);
int32_t glow_rt_find_output(const GlowRtProgram *program, const char *name);
/* Extents that are known only at run time. Of inputs and outputs that have such
 * extents, the descriptions give the largest. NULL when out of range. */
uint32_t glow_rt_num_symbols(const GlowRtProgram *program);
const GlowSymbol *glow_rt_symbol(const GlowRtProgram *program, uint32_t index);
/* Scratch memory of one context with the program's threads, and constants of
 * the program, in bytes. */
uint64_t glow_rt_arena_bytes(const GlowRtProgram *program);
uint64_t glow_rt_weights_bytes(const GlowRtProgram *program);

/* --- Running ---------------------------------------------------------------
 */

GlowStatus glow_rt_context_create(GlowRtProgram *program,
                                  GlowRtContext **context);
void glow_rt_context_free(GlowRtContext *context);

/* Sets the extents that are known only at run time, one value per symbol; at
 * first each has its largest. Memory that was bound to a tensor whose shape
 * changes is no longer bound. */
GlowStatus glow_rt_set_symbols(GlowRtContext *context, const int64_t *values,
                               uint32_t count);

/* A tensor with its present extents: what is bound has these, and is dense.
 * Those of an output may depend on data: they are the largest before a run and
 * what they turned out to be after it. Memory for the largest is bound. */
const GlowTensorDesc *glow_rt_context_input_desc(const GlowRtContext *context,
                                                 uint32_t index);
const GlowTensorDesc *glow_rt_context_output_desc(const GlowRtContext *context,
                                                  uint32_t index);

/* Makes the context read or write the caller's memory, which must stay valid
 * while it is bound. `bytes` must be those of the present extents. Memory that
 * is not aligned to its elements is accepted and copied at each run, and so is
 * that of a tensor whose extents are not the largest, unless it is `compact`.
 * NULL goes back to the context's own buffer. */
GlowStatus glow_rt_bind_input(GlowRtContext *context, uint32_t index,
                              const void *data, uint64_t bytes);
GlowStatus glow_rt_bind_output(GlowRtContext *context, uint32_t index,
                               void *data, uint64_t bytes);

/* The memory now bound; the context's own, aligned buffer if none was. NULL if
 * the index is out of range or memory is short. */
void *glow_rt_context_input(GlowRtContext *context, uint32_t index);
void *glow_rt_context_output(GlowRtContext *context, uint32_t index);

/* Runs once and returns when the outputs are written. The bytes of strings in
 * them are the context's, until its next run or its end. */
GlowStatus glow_rt_run(GlowRtContext *context);

/* --- Functions that models call, for who runs models without a context -------
 */

/* The functions of one execution at a time, and the strings they have made. */
typedef struct GlowRtHost GlowRtHost;

/* To be set: GlowExec.user to a GlowRtHost, GlowExec.call_host to
 * glow_rt_call_host, and before each run glow_rt_host_begin, which frees the
 * strings of the run before. */
GlowStatus glow_rt_host_create(GlowRtHost **host);
void glow_rt_host_begin(GlowRtHost *host);
int32_t glow_rt_call_host(GlowExec *exec, uint32_t instr,
                          const GlowHostCall *call, void *const *args);
void glow_rt_host_free(GlowRtHost *host);

/* Runs on the caller's own thread pool from now on; NULL: back to Glow's. */
GlowStatus glow_rt_context_set_exec(GlowRtContext *context, GlowExec *exec);

/* --- Threads ---------------------------------------------------------------
 */

/* Threads used when nothing else is asked for: GLOW_NUM_THREADS, at most
 * glow_rt_max_threads(). */
int32_t glow_rt_num_threads(void);
/* What affinity and cgroup limits leave this process. */
int32_t glow_rt_max_threads(void);

/* --- Profiling -------------------------------------------------------------
 */

typedef struct GlowRtEvent {
  uint32_t instr;    /* index of the instruction */
  uint32_t workers;  /* threads that took part */
  uint64_t begin_ns; /* since profiling was switched on */
  uint64_t end_ns;
} GlowRtEvent;

/* Starts recording anew (enable != 0), or stops and keeps what there is. */
GlowStatus glow_rt_profile_enable(GlowRtContext *context, int enable);
/* What was recorded, in order. Valid until the next run or enable. */
GlowStatus glow_rt_profile_events(GlowRtContext *context,
                                  const GlowRtEvent **events, uint64_t *count);
/* Static description of an instruction; NULL when out of range. */
const GlowInstrDesc *glow_rt_profile_instr(const GlowRtContext *context,
                                           uint32_t instr);
/* Text made from the events: a table of time per operation, the same as JSON,
 * and a trace for Perfetto or chrome://tracing. Valid until the next call of
 * one of these on this context. */
const char *glow_rt_profile_table(GlowRtContext *context);
const char *glow_rt_profile_json(GlowRtContext *context);
const char *glow_rt_profile_trace(GlowRtContext *context);

#ifdef __cplusplus
}
#endif
#endif /* GLOW_C_RUNTIME_H */
