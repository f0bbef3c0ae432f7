/* What this machine can do right now: loops that run between the systems'
 * turns, on the same processors.
 *
 * Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#if defined(__AMX_BF16__) && defined(__linux__)
#include <immintrin.h>
#include <sys/syscall.h>
#include <unistd.h>
#define HAS_TILES 1
#else
#define HAS_TILES 0
#endif

#if defined(__AVX512F__)
#define WIDTH 16
#elif defined(__AVX__)
#define WIDTH 8
#else
#define WIDTH 4
#endif
typedef float Vector __attribute__((vector_size(4 * WIDTH)));

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

/* Says that `v` may have changed, which keeps the sums in registers and the
 * loop as it is written. */
#if defined(__AVX512F__)
#define KEEP(v) __asm__ volatile("" : "+v"(v))
#elif defined(__x86_64__)
#define KEEP(v) __asm__ volatile("" : "+x"(v))
#elif defined(__aarch64__)
#define KEEP(v) __asm__ volatile("" : "+w"(v))
#else
#define KEEP(v) (void)(v)
#endif
#define STEP(v)                                                                \
  v = v * x + y;                                                               \
  KEEP(v)

/* Ten independent chains: enough to hide the latency of a fused multiply-add
 * on two units. The values stay near one. Returns operations. */
static double multiply_add(long rounds) {
  Vector x = {0}, y = {0};
  x += 0.999f;
  y += 0.001f;
  KEEP(x);
  KEEP(y);
  Vector a = y, b = y, c = y, d = y, e = y, f = y, g = y, h = y, i = y, j = y;
  for (long round = 0; round < rounds; ++round) {
    STEP(a);
    STEP(b);
    STEP(c);
    STEP(d);
    STEP(e);
    STEP(f);
    STEP(g);
    STEP(h);
    STEP(i);
    STEP(j);
  }
  return 2.0 * 10 * WIDTH * rounds;
}

/* Reads `bytes` once: what limits weights that are too large for the caches.
 * Returns bytes. */
static double read_memory(const char *data, size_t bytes) {
  const Vector *from = (const Vector *)data;
  size_t count = bytes / sizeof(Vector) / 4 * 4;
  Vector a = {0}, b = {0}, c = {0}, d = {0};
  for (size_t i = 0; i < count; i += 4) {
    a += from[i];
    b += from[i + 1];
    c += from[i + 2];
    d += from[i + 3];
  }
  a += b + c + d;
  KEEP(a);
  return (double)(count * sizeof(Vector));
}

#if HAS_TILES
enum { TILE_ROWS = 16, TILE_BYTES = 1024, PERMIT = 0x1023, TILE_DATA = 18 };

/* Linux grants a process the tile registers once it asks. */
static int has_tiles(void) {
  return !syscall(SYS_arch_prctl, PERMIT, TILE_DATA);
}

/* bfloat16 numbers about as large as activations and weights, of either sign:
 * of zeros a processor makes more products a second. */
static void fill_tile(unsigned short *to, unsigned seed) {
  for (int i = 0; i < TILE_BYTES / 2; ++i) {
    seed = seed * 1664525u + 1013904223u;
    to[i] = 0x3d00 + (seed >> 15 & 0x81ff); /* +-0.03 to 0.5 */
  }
}

static void open_tiles(void) {
  struct {
    unsigned char palette, start, reserved[14];
    unsigned short bytes[16];
    unsigned char rows[16];
  } form = {1, 0, {0}, {0}, {0}};
  for (int i = 0; i < 8; ++i) {
    form.bytes[i] = TILE_BYTES / TILE_ROWS;
    form.rows[i] = TILE_ROWS;
  }
  unsigned short data[4][TILE_BYTES / 2];
  for (int i = 0; i < 4; ++i)
    fill_tile(data[i], i);
  /* Compilers do not see what the instructions below read. */
  __asm__ volatile("" : : "r"(&form), "r"(data) : "memory");
  _tile_loadconfig(&form);
  _tile_zero(0);
  _tile_zero(1);
  _tile_zero(2);
  _tile_zero(3);
  _tile_loadd(4, data[0], TILE_BYTES / TILE_ROWS);
  _tile_loadd(5, data[1], TILE_BYTES / TILE_ROWS);
  _tile_loadd(6, data[2], TILE_BYTES / TILE_ROWS);
  _tile_loadd(7, data[3], TILE_BYTES / TILE_ROWS);
}

/* Two by two registers, as a matrix product has them. Returns operations. */
static double multiply_tiles(long rounds) {
  for (long round = 0; round < rounds; ++round) {
    _tile_dpbf16ps(0, 4, 6);
    _tile_dpbf16ps(1, 4, 7);
    _tile_dpbf16ps(2, 5, 6);
    _tile_dpbf16ps(3, 5, 7);
  }
  return 4.0 * 2 * TILE_ROWS * TILE_BYTES / 2 * rounds;
}

static void close_tiles(void) { _tile_release(); }
#else
static int has_tiles(void) { return 0; }
static void open_tiles(void) {}
static double multiply_tiles(long rounds) {
  (void)rounds;
  return 0;
}
static void close_tiles(void) {}
#endif

enum { MOST_SAMPLES = 4096, CHUNK_BYTES = 1 << 20 };

/* What is measured; machine.py counts in the same order. */
typedef enum { MULTIPLY_ADDS, TILE_PRODUCTS, MEMORY } Kind;

typedef struct {
  pthread_barrier_t *start;
  Kind kind;
  int cpu;
  double seconds;
  const char *data; /* of MEMORY */
  size_t bytes;
  double rate;
} Task;

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double sample(const Task *task, size_t number) {
  switch (task->kind) {
  case MULTIPLY_ADDS:
    return multiply_add(20000);
  case TILE_PRODUCTS:
    return multiply_tiles(400);
  default:
    number %= task->bytes / CHUNK_BYTES;
    return read_memory(task->data + number * CHUNK_BYTES, CHUNK_BYTES);
  }
}

/* The rate of one thread: the median over short samples, as the systems'
 * times are medians too; both leave out the moments in which another process
 * had the processor. */
static void *run(void *argument) {
  Task *task = argument;
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(task->cpu, &set);
  pthread_setaffinity_np(pthread_self(), sizeof(set), &set);
  multiply_add(1000); /* the first wide instructions may come slowly */
  if (task->kind == TILE_PRODUCTS)
    open_tiles();
  static _Thread_local double rates[MOST_SAMPLES];
  size_t samples = 0;
  pthread_barrier_wait(task->start);
  double start = now(), end = start;
  while (end - start < task->seconds && samples < MOST_SAMPLES) {
    double begin = now(), amount = sample(task, samples);
    end = now();
    rates[samples++] = amount / (end - begin);
  }
  if (task->kind == TILE_PRODUCTS)
    close_tiles();
  qsort(rates, samples, sizeof(double), compare);
  task->rate = rates[samples / 2];
  return NULL;
}

/* Operations or bytes a second of `threads` threads together, each on its own
 * processor of `cpus`. `data` holds threads * bytes bytes for MEMORY. 0 if the
 * machine has no tile registers to measure, negative if threads do not start.
 */
double glow_bench_probe(Kind kind, const int *cpus, int threads, double seconds,
                        const char *data, size_t bytes) {
  if (kind == TILE_PRODUCTS && !has_tiles())
    return 0;
  pthread_t handles[threads];
  Task tasks[threads];
  pthread_barrier_t start;
  pthread_barrier_init(&start, NULL, threads);
  for (int t = 0; t < threads; ++t) {
    tasks[t] = (Task){&start,
                      kind,
                      cpus[t],
                      seconds,
                      kind == MEMORY ? data + t * bytes : NULL,
                      bytes,
                      0};
    if (pthread_create(&handles[t], NULL, run, &tasks[t]))
      return -1;
  }
  double rate = 0;
  for (int t = 0; t < threads; ++t) {
    pthread_join(handles[t], NULL);
    rate += tasks[t].rate;
  }
  pthread_barrier_destroy(&start);
  return rate;
}
