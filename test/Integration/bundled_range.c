/* bundled_range.c: pictures of which all or some are run.
 *
 * Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "digits.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Prints for each number of pictures what run returns, and all results. */
int main(int argc, char **argv) {
  static _Alignas(64) char arena[DIGITS_ARENA_BYTES];
  static _Alignas(64) char weights[DIGITS_WEIGHTS_BYTES];
  static _Alignas(64) char pictures[DIGITS_INPUT_IMAGE_BYTES];
  float results[DIGITS_OUTPUT_PROBABILITIES_BYTES / sizeof(float)];
  int64_t symbols[DIGITS_INPUT_SYMBOLS_BYTES / sizeof(int64_t)];
  const void *inputs[DIGITS_NUM_INPUTS];
  void *outputs[DIGITS_NUM_OUTPUTS];
  FILE *file = fopen(argv[1], "rb");
  if (argc != 3 || !fread(weights, sizeof weights, 1, file))
    return 1;
  file = fopen(argv[2], "rb");
  if (!fread(pictures, sizeof pictures, 1, file))
    return 1;
  inputs[DIGITS_INPUT_IMAGE] = pictures;
  inputs[DIGITS_INPUT_SYMBOLS] = symbols;
  outputs[DIGITS_OUTPUT_PROBABILITIES] = results;
  for (int64_t batch = DIGITS_SYMBOL_BATCH_MIN - 1;
       batch <= DIGITS_SYMBOL_BATCH_MAX + 1; ++batch) {
    symbols[DIGITS_SYMBOL_BATCH] = batch;
    memset(results, 0, sizeof results);
    printf("%d", digits_model.run(NULL, inputs, outputs, arena, weights));
    for (size_t i = 0; i < sizeof results / sizeof *results; ++i)
      printf(" %.9g", results[i]);
    printf("\n");
  }
}
