/* Status codes of all C interfaces, and the last error's text.     -*- C -*-
 *
 * Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef GLOW_C_STATUS_H
#define GLOW_C_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

typedef enum GlowStatus {
  GLOW_OK = 0,
  GLOW_INVALID_ARGUMENT = 1, /* the caller's mistake */
  GLOW_NOT_FOUND = 2,        /* no such file, symbol, device or name */
  GLOW_INVALID_MODEL = 3,    /* a model, package or program is malformed */
  GLOW_UNSUPPORTED = 4,      /* valid, but not for this machine or version */
  GLOW_OUT_OF_MEMORY = 5,
  GLOW_IO_ERROR = 6,
  GLOW_BUSY = 7, /* a queue is full: try again */
  GLOW_TIMEOUT = 8,
  GLOW_DEVICE_LOST = 9, /* the device was reset, closed or has vanished */
  GLOW_INTERNAL = 10
} GlowStatus;

/* What went wrong in the calling thread's last failed call, and what to do
 * about it. Never NULL; valid until that thread's next failed call. */
const char *glow_last_error(void);

/* The name of a status, such as "invalid model". Never NULL. */
const char *glow_status_name(int status);

#ifdef __cplusplus
}
#endif
#endif /* GLOW_C_STATUS_H */
