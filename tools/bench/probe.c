/* What this machine can do right now: two loops that run between the systems'
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

enum { MOST_SAMPLES = 4096, CHUNK_BYTES = 1 << 20 };

typedef struct {
  pthread_barrier_t *start;
  int cpu;
  double seconds;
  const char *data; /* NULL: arithmetic */
  size_t bytes;
  double rate;
} Task;

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
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
  static _Thread_local double rates[MOST_SAMPLES];
  size_t chunks = task->data ? task->bytes / CHUNK_BYTES : 1, samples = 0;
  pthread_barrier_wait(task->start);
  double start = now(), end = start;
  while (end - start < task->seconds && samples < MOST_SAMPLES) {
    double begin = now(), amount;
    if (task->data)
      amount =
          read_memory(task->data + samples % chunks * CHUNK_BYTES, CHUNK_BYTES);
    else
      amount = multiply_add(20000);
    end = now();
    rates[samples++] = amount / (end - begin);
  }
  qsort(rates, samples, sizeof(double), compare);
  task->rate = rates[samples / 2];
  return NULL;
}

/* Operations or bytes a second of `threads` threads together, each on its own
 * processor of `cpus`. `data` holds threads * bytes bytes, or is NULL. */
double glow_bench_probe(const int *cpus, int threads, double seconds,
                        const char *data, size_t bytes) {
  pthread_t handles[threads];
  Task tasks[threads];
  pthread_barrier_t start;
  pthread_barrier_init(&start, NULL, threads);
  for (int t = 0; t < threads; ++t) {
    tasks[t] = (Task){&start, cpus[t], seconds, data ? data + t * bytes : NULL,
                      bytes,  0};
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
