//===- _runner.c - runs a model on plain numpy arrays ---------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What glow/model.py does through ctypes, for the most frequent calls: all
// inputs are dense arrays of the declared types, all results tensors of types
// that numpy has. Whatever else it is given is left to that module, which also
// explains what is wrong. Built when the package is installed, if there is a
// compiler.
//
//===----------------------------------------------------------------------===//
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "glow-c/Compiler.h"

/// The functions of libGlow.so, which ctypes has loaded. In the order in which
/// glow/library.py names them.
typedef struct {
  int32_t (*run)(GlowProgram *, const GlowTensor *, uint32_t, GlowResults **);
  uint32_t (*num_results)(const GlowResults *);
  const GlowTensor *(*result)(const GlowResults *, uint32_t);
  const GlowList *(*result_list)(const GlowResults *, uint32_t);
  void (*free)(GlowResults *);
  const char *(*last_error)(void);
} Functions;
enum { kNumFunctions = sizeof(Functions) / sizeof(void (*)(void)) };

static PyObject *newRef(PyObject *object) {
  Py_INCREF(object);
  return object;
}

// -- Memory of results --------------------------------------------------------

/// The results of a run, as long as an array shows one of them.
typedef struct {
  PyObject_HEAD GlowResults *results;
  void (*free)(GlowResults *);
} Results;

static void results_dealloc(Results *self) {
  self->free(self->results);
  PyObject_Free(self);
}

static PyTypeObject ResultsType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "glow._runner.Results",
    .tp_basicsize = sizeof(Results),
    .tp_dealloc = (destructor)results_dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT,
};

/// The bytes of one result.
typedef struct {
  PyObject_HEAD Results *owner;
  const GlowTensor *tensor;
} Memory;

static void memory_dealloc(Memory *self) {
  Py_DECREF(self->owner);
  PyObject_Free(self);
}

static int memory_getbuffer(Memory *self, Py_buffer *view, int flags) {
  return PyBuffer_FillInfo(view, (PyObject *)self, (void *)self->tensor->data,
                           (Py_ssize_t)self->tensor->bytes, /*readonly=*/0,
                           flags);
}

static PyBufferProcs memory_buffer = {(getbufferproc)memory_getbuffer, NULL};

static PyTypeObject MemoryType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "glow._runner.Memory",
    .tp_basicsize = sizeof(Memory),
    .tp_dealloc = (destructor)memory_dealloc,
    .tp_as_buffer = &memory_buffer,
    .tp_flags = Py_TPFLAGS_DEFAULT,
};

// -- The runner ---------------------------------------------------------------

/// Belongs to the model that the program belongs to.
typedef struct {
  PyObject_HEAD Functions functions;
  GlowProgram *program;
  PyObject *names;  /* of the inputs, a tuple */
  PyObject *types;  /* their numpy types, a tuple */
  PyObject *codes;  /* their element types, a tuple of integers */
  PyObject *simple; /* {element type: numpy type} of results */
  PyObject *ndarray, *error;
} Runner;

static void runner_dealloc(Runner *self) {
  Py_CLEAR(self->names);
  Py_CLEAR(self->types);
  Py_CLEAR(self->codes);
  Py_CLEAR(self->simple);
  Py_CLEAR(self->ndarray);
  Py_CLEAR(self->error);
  Py_TYPE(self)->tp_free((PyObject *)self);
}

static PyObject *runner_new(PyTypeObject *type, PyObject *args,
                            PyObject *kwargs) {
  PyObject *functions, *names, *types, *codes, *simple, *ndarray, *error;
  unsigned long long program;
  if (kwargs && PyDict_GET_SIZE(kwargs) != 0) {
    PyErr_SetString(PyExc_TypeError, "takes no keywords");
    return NULL;
  }
  if (!PyArg_ParseTuple(args, "O!KO!O!O!O!OO", &PyTuple_Type, &functions,
                        &program, &PyTuple_Type, &names, &PyTuple_Type, &types,
                        &PyTuple_Type, &codes, &PyDict_Type, &simple, &ndarray,
                        &error))
    return NULL;
  Py_ssize_t count = PyTuple_GET_SIZE(names);
  if (PyTuple_GET_SIZE(functions) != kNumFunctions ||
      PyTuple_GET_SIZE(types) != count || PyTuple_GET_SIZE(codes) != count) {
    PyErr_SetString(PyExc_ValueError, "tuples of the wrong size");
    return NULL;
  }
  void *addresses[kNumFunctions];
  for (Py_ssize_t i = 0; i < kNumFunctions; ++i)
    addresses[i] = PyLong_AsVoidPtr(PyTuple_GET_ITEM(functions, i));
  if (PyErr_Occurred())
    return NULL;
  Runner *self = (Runner *)type->tp_alloc(type, 0);
  if (!self)
    return NULL;
  memcpy(&self->functions, addresses, sizeof(addresses));
  self->program = (GlowProgram *)(uintptr_t)program;
  self->names = newRef(names);
  self->types = newRef(types);
  self->codes = newRef(codes);
  self->simple = newRef(simple);
  self->ndarray = newRef(ndarray);
  self->error = newRef(error);
  return (PyObject *)self;
}

/// Opens an input, if it is a dense array of the type `type`.
static int open_input(Runner *self, PyObject *array, PyObject *type,
                      Py_buffer *view) {
  if (!array || (PyObject *)Py_TYPE(array) != self->ndarray)
    return 0;
  PyObject *own = PyObject_GetAttrString(array, "dtype");
  int isKnown = own == type;
  Py_XDECREF(own);
  if (isKnown &&
      PyObject_GetBuffer(array, view, PyBUF_ND | PyBUF_C_CONTIGUOUS) == 0)
    return 1;
  PyErr_Clear();
  return 0;
}

/// An array that shows one result.
static PyObject *array_of(Runner *self, Results *owner,
                          const GlowTensor *tensor, PyObject *type) {
  PyObject *shape = PyTuple_New(tensor->rank), *array = NULL;
  for (uint32_t i = 0; shape && i < tensor->rank; ++i) {
    PyObject *extent = PyLong_FromLongLong(tensor->dims[i]);
    if (!extent)
      Py_CLEAR(shape);
    else
      PyTuple_SET_ITEM(shape, i, extent);
  }
  if (!shape)
    return NULL;
  if (tensor->bytes == 0) {
    array = PyObject_CallFunctionObjArgs(self->ndarray, shape, type, NULL);
  } else {
    Memory *memory = PyObject_New(Memory, &MemoryType);
    if (memory) {
      memory->owner = (Results *)newRef((PyObject *)owner);
      memory->tensor = tensor;
      array = PyObject_CallFunctionObjArgs(self->ndarray, shape, type,
                                           (PyObject *)memory, NULL);
      Py_DECREF(memory);
    }
  }
  Py_DECREF(shape);
  return array;
}

/// {name: array}; or the results' address for the caller to own, if they are
/// not plain tensors.
static PyObject *gather(Runner *self, GlowResults *results) {
  const Functions *call = &self->functions;
  uint32_t count = call->num_results(results);
  int isPlain = !call->result_list(results, 0);
  PyObject *types[count + 1];
  for (uint32_t i = 0; isPlain && i < count; ++i) {
    PyObject *code = PyLong_FromUnsignedLong(call->result(results, i)->dtype);
    types[i] = code ? PyDict_GetItemWithError(self->simple, code) : NULL;
    Py_XDECREF(code);
    isPlain = types[i] != NULL;
  }
  if (PyErr_Occurred()) {
    call->free(results);
    return NULL;
  }
  if (!isPlain)
    return PyLong_FromVoidPtr(results);
  Results *owner = PyObject_New(Results, &ResultsType);
  if (!owner) {
    call->free(results);
    return NULL;
  }
  owner->results = results;
  owner->free = call->free;
  PyObject *all = PyDict_New();
  for (uint32_t i = 0; all && i < count; ++i) {
    const GlowTensor *tensor = call->result(results, i);
    PyObject *array = array_of(self, owner, tensor, types[i]);
    if (!array || PyDict_SetItemString(all, tensor->name, array) != 0)
      Py_CLEAR(all);
    Py_XDECREF(array);
  }
  Py_DECREF(owner);
  return all;
}

/// Runs the model on {name: array}. None if the inputs are not what this module
/// takes.
static PyObject *runner_call(Runner *self, PyObject *args, PyObject *kwargs) {
  PyObject *inputs;
  if ((kwargs && PyDict_GET_SIZE(kwargs) != 0) || PyTuple_GET_SIZE(args) != 1 ||
      !PyDict_CheckExact(inputs = PyTuple_GET_ITEM(args, 0)))
    Py_RETURN_NONE;
  Py_ssize_t count = PyTuple_GET_SIZE(self->names), opened = 0;
  if (PyDict_GET_SIZE(inputs) != count)
    Py_RETURN_NONE;
  Py_buffer *views = PyMem_Malloc((count + 1) * sizeof(Py_buffer));
  GlowTensor *tensors = PyMem_Malloc((count + 1) * sizeof(GlowTensor));
  PyObject *outcome = Py_None;
  if (!views || !tensors) {
    PyErr_NoMemory();
    outcome = NULL;
  }
  for (; outcome && opened < count; ++opened) {
    PyObject *name = PyTuple_GET_ITEM(self->names, opened);
    Py_buffer *view = &views[opened];
    if (!open_input(self, PyDict_GetItemWithError(inputs, name),
                    PyTuple_GET_ITEM(self->types, opened), view))
      break;
    tensors[opened] = (GlowTensor){
        .name = PyUnicode_AsUTF8(name),
        .data = view->buf,
        .dims = (const int64_t *)view->shape,
        .bytes = (uint64_t)view->len,
        .dtype = (uint32_t)PyLong_AsUnsignedLong(
            PyTuple_GET_ITEM(self->codes, opened)),
        .rank = (uint32_t)view->ndim,
    };
  }
  if (PyErr_Occurred())
    outcome = NULL;
  if (outcome && opened == count) {
    GlowResults *results = NULL;
    PyThreadState *thread = PyEval_SaveThread();
    int32_t status =
        self->functions.run(self->program, tensors, (uint32_t)count, &results);
    PyEval_RestoreThread(thread);
    if (status == 0) {
      outcome = gather(self, results);
    } else {
      const char *message = self->functions.last_error();
      PyObject *text =
          PyUnicode_DecodeUTF8(message, (Py_ssize_t)strlen(message), "replace");
      if (text)
        PyErr_SetObject(self->error, text);
      Py_XDECREF(text);
      outcome = NULL;
    }
  } else if (outcome) {
    Py_INCREF(outcome);
  }
  while (opened > 0)
    PyBuffer_Release(&views[--opened]);
  PyMem_Free(views);
  PyMem_Free(tensors);
  return outcome;
}

static PyTypeObject RunnerType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "glow._runner.Runner",
    .tp_basicsize = sizeof(Runner),
    .tp_dealloc = (destructor)runner_dealloc,
    .tp_call = (ternaryfunc)runner_call,
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = runner_new,
};

static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT, .m_name = "glow._runner",
    .m_doc = "Runs models on plain numpy arrays.", .m_size = -1};

PyMODINIT_FUNC PyInit__runner(void) {
  if (PyType_Ready(&ResultsType) < 0 || PyType_Ready(&MemoryType) < 0 ||
      PyType_Ready(&RunnerType) < 0)
    return NULL;
  PyObject *self = PyModule_Create(&module);
  if (self && PyObject_SetAttrString(self, "Runner", (PyObject *)&RunnerType))
    Py_CLEAR(self);
  return self;
}
