//===- CAPI.cpp - The functions of glow-c/Runtime.h -------------*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "glow-c/Runtime.h"
#include "glow/Runtime/Context.h"
#include "glow/Runtime/Error.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <sys/stat.h>

using namespace glow::runtime;

// --- Loading -----------------------------------------------------------------

/// A copy of the caller's options, with defaults for the fields it lacks.
static GlowStatus readOptions(const GlowRtOptions *given,
                              GlowRtOptions &options) {
  options = {};
  if (given) {
    if (given->size < offsetof(GlowRtOptions, release))
      return fail(GLOW_INVALID_ARGUMENT, "GlowRtOptions.size is ", given->size,
                  "; set it to sizeof(GlowRtOptions)");
    std::memcpy(&options, given,
                std::min<size_t>(given->size, sizeof(options)));
  }
  if (options.threads < 0)
    return fail(GLOW_INVALID_ARGUMENT, "the thread count is negative");
  options.threads = options.threads == 0
                        ? defaultThreads()
                        : std::min(options.threads, maxThreads());
  return GLOW_OK;
}

static bool isFolder(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

GlowStatus glow_rt_load_file(const char *path, const GlowRtOptions *given,
                             GlowRtProgram **program) {
  if (!path || !program)
    return fail(GLOW_INVALID_ARGUMENT, "a path and a place for the program are "
                                       "needed");
  GlowRtOptions options;
  if (GlowStatus status = readOptions(given, options))
    return status;
  ProgramPtr loaded;
  GlowStatus status = isFolder(path)
                          ? loadPackage(path, options.threads, loaded)
                          : loadModelFile(path, options.threads, loaded);
  if (status == GLOW_OK)
    *program = new GlowRtProgram{std::move(loaded)};
  return status;
}

GlowStatus glow_rt_load_model(const GlowModel *model,
                              const char *weights_folder,
                              const GlowRtOptions *given,
                              GlowRtProgram **program) {
  if (!program)
    return fail(GLOW_INVALID_ARGUMENT, "a place for the program is needed");
  GlowRtOptions options;
  if (GlowStatus status = readOptions(given, options))
    return status;
  ProgramPtr loaded;
  Owner owner{options.release, options.user};
  if (GlowStatus status =
          loadModel(model, weights_folder, options.threads, owner, loaded))
    return status;
  *program = new GlowRtProgram{std::move(loaded)};
  return GLOW_OK;
}

void glow_rt_program_free(GlowRtProgram *program) { delete program; }

const char *glow_rt_program_name(const GlowRtProgram *program) {
  return program->impl->name.c_str();
}

uint32_t glow_rt_num_inputs(const GlowRtProgram *program) {
  return uint32_t(program->impl->inputs.size());
}

uint32_t glow_rt_num_outputs(const GlowRtProgram *program) {
  return uint32_t(program->impl->outputs.size());
}

template <typename T>
static const T *at(const std::vector<T> &items, uint32_t index) {
  return index < items.size() ? &items[index] : nullptr;
}

const GlowTensorDesc *glow_rt_input(const GlowRtProgram *program,
                                    uint32_t index) {
  return at(program->impl->inputs, index);
}

const GlowTensorDesc *glow_rt_output(const GlowRtProgram *program,
                                     uint32_t index) {
  return at(program->impl->outputs, index);
}

static int32_t findName(const std::vector<GlowTensorDesc> &tensors,
                        const char *name) {
  for (size_t i = 0; name && i < tensors.size(); ++i)
    if (std::strcmp(tensors[i].name, name) == 0)
      return int32_t(i);
  return -1;
}

int32_t glow_rt_find_input(const GlowRtProgram *program, const char *name) {
  return findName(program->impl->inputs, name);
}

int32_t glow_rt_find_output(const GlowRtProgram *program, const char *name) {
  return findName(program->impl->outputs, name);
}

uint32_t glow_rt_num_symbols(const GlowRtProgram *program) {
  return uint32_t(program->impl->symbols.size());
}

const GlowSymbol *glow_rt_symbol(const GlowRtProgram *program, uint32_t index) {
  return at(program->impl->symbols, index);
}

uint64_t glow_rt_arena_bytes(const GlowRtProgram *program) {
  const Program &model = *program->impl;
  return model.arenaBytes + (model.threads - 1) * model.workerBytes;
}

uint64_t glow_rt_weights_bytes(const GlowRtProgram *program) {
  return program->impl->weightsBytes;
}

// --- Running -----------------------------------------------------------------

GlowStatus glow_rt_context_create(GlowRtProgram *program,
                                  GlowRtContext **context) {
  if (!program || !context)
    return fail(GLOW_INVALID_ARGUMENT, "a program and a place for the context "
                                       "are needed");
  auto created = std::make_unique<GlowRtContext>(program->impl);
  if (GlowStatus status = program->impl->createExecution(created->execution))
    return status;
  *context = created.release();
  return GLOW_OK;
}

void glow_rt_context_free(GlowRtContext *context) { delete context; }

GlowStatus glow_rt_bind_input(GlowRtContext *context, uint32_t index,
                              const void *data, uint64_t bytes) {
  return context->bindInput(index, data, bytes);
}

GlowStatus glow_rt_bind_output(GlowRtContext *context, uint32_t index,
                               void *data, uint64_t bytes) {
  return context->bindOutput(index, data, bytes);
}

void *glow_rt_context_input(GlowRtContext *context, uint32_t index) {
  return index < context->inputs.size() ? context->inputs[index].visible()
                                        : nullptr;
}

void *glow_rt_context_output(GlowRtContext *context, uint32_t index) {
  std::vector<Binding> &outputs = context->outputs->bindings;
  return index < outputs.size() ? outputs[index].visible() : nullptr;
}

GlowStatus glow_rt_set_symbols(GlowRtContext *context, const int64_t *values,
                               uint32_t count) {
  return context->setSymbols(values, count);
}

const GlowTensorDesc *glow_rt_context_input_desc(const GlowRtContext *context,
                                                 uint32_t index) {
  return index < context->inputs.size() ? &context->inputs[index].desc()
                                        : nullptr;
}

const GlowTensorDesc *glow_rt_context_output_desc(const GlowRtContext *context,
                                                  uint32_t index) {
  const std::vector<Binding> &outputs = context->outputs->bindings;
  return index < outputs.size() ? &outputs[index].desc() : nullptr;
}

GlowStatus glow_rt_run(GlowRtContext *context) { return context->run(); }

// --- Functions that models call ----------------------------------------------

struct GlowRtHost {
  HostRunner runner;
};

GlowStatus glow_rt_host_create(GlowRtHost **host) {
  *host = new GlowRtHost;
  return GLOW_OK;
}

void glow_rt_host_begin(GlowRtHost *host) { host->runner.beginRun(); }

int32_t glow_rt_call_host(GlowExec *exec, uint32_t, const GlowHostCall *call,
                          void *const *args) {
  if (!exec->user)
    return fail(GLOW_INVALID_ARGUMENT,
                "GlowExec.user must be what glow_rt_host_create gave");
  return static_cast<GlowRtHost *>(exec->user)->runner.call(*call, args);
}

void glow_rt_host_free(GlowRtHost *host) { delete host; }

GlowStatus glow_rt_context_set_exec(GlowRtContext *context, GlowExec *exec) {
  if (exec && exec->size < sizeof(GlowExec))
    return fail(GLOW_INVALID_ARGUMENT, "GlowExec.size is ", exec->size,
                "; set it to sizeof(GlowExec)");
  if (exec && exec->parallel_for && exec->workers == 0)
    return fail(GLOW_INVALID_ARGUMENT,
                "GlowExec.workers is 0; set it to the number of threads that "
                "parallel_for runs kernels on");
  context->exec.setUser(exec);
  return GLOW_OK;
}

// --- Threads and profiling ---------------------------------------------------

int32_t glow_rt_num_threads(void) { return defaultThreads(); }
int32_t glow_rt_max_threads(void) { return maxThreads(); }

GlowStatus glow_rt_profile_enable(GlowRtContext *context, int enable) {
  if (enable)
    context->profile.start();
  context->exec.setProfile(enable ? &context->profile : nullptr);
  return GLOW_OK;
}

GlowStatus glow_rt_profile_events(GlowRtContext *context,
                                  const GlowRtEvent **events, uint64_t *count) {
  *events = context->profile.events.data();
  *count = context->profile.events.size();
  return GLOW_OK;
}

const GlowInstrDesc *glow_rt_profile_instr(const GlowRtContext *context,
                                           uint32_t instr) {
  return at(context->program->instrs, instr);
}

const char *glow_rt_profile_table(GlowRtContext *context) {
  context->profileText =
      profileTable(context->profile, context->program->instrs);
  return context->profileText.c_str();
}

const char *glow_rt_profile_json(GlowRtContext *context) {
  context->profileText =
      profileJson(context->profile, context->program->instrs);
  return context->profileText.c_str();
}

const char *glow_rt_profile_trace(GlowRtContext *context) {
  context->profileText = profileTrace(context->profile, context->program->name,
                                      context->program->instrs);
  return context->profileText.c_str();
}
