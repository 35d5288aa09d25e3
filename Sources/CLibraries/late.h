// For the shims of libraries that are loaded when they are first needed.
#pragma once

#include <dlfcn.h>
#include <stddef.h>

// Puts the address of the library's function into the pointer at `place`. 0 when the library has no such function.
static inline int find(void *library, const char *name, void *place) {
  void *found = dlsym(library, name);
  // POSIX promises that a function's address fits where an object's does.
  *(void **)place = found;
  return found != NULL;
}
