#pragma once
#include <gpiod.h>

// The two versions of this library share hardly a name; only version 1 defines this macro.
static inline const char *layby_gpiod_version(void) {
#ifdef GPIOD_LINE_BULK_MAX_LINES
  return gpiod_version_string();
#else
  return gpiod_api_version();
#endif
}
