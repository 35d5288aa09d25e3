#pragma once
#include <alsa/asoundlib.h>

/// ALSA's error handler takes variable arguments, which Swift cannot give it. Its lines would tear the terminal's
/// page; what went wrong is told by the return values.
static inline void layby_alsa_say_nothing(const char *file, int line, const char *function, int code,
                                          const char *format, ...) {}
static inline void layby_alsa_be_silent(void) { snd_lib_error_set_handler(layby_alsa_say_nothing); }
