#include "CCode.h"

#include "../late.h"

#include <pthread.h>

// As libqrencode lays it out.
struct code {
  int version;
  int width;
  unsigned char *data;
};

// Its lowest: a panel does not get scratched, and more squares would be smaller ones.
enum { LOW = 0, AS_LARGE_AS_NEEDED = 0 };

static struct code *(*encode)(int, const unsigned char *, int, int);
static void (*release)(struct code *);
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int is_loaded;

static void load(void) {
  void *library = dlopen("libqrencode.so.4", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return;
  is_loaded = find(library, "QRcode_encodeData", &encode) && find(library, "QRcode_free", &release);
}

int layby_code(const uint8_t *text, int length, uint8_t *squares, int room) {
  pthread_once(&once, load);
  if (!is_loaded) return 0;
  struct code *code = encode(length, text, AS_LARGE_AS_NEEDED, LOW);
  if (code == NULL) return 0;
  int width = code->width;
  if (width <= 0 || width > room / width) {
    release(code);
    return 0;
  }
  for (int i = 0; i < width * width; i++) squares[i] = code->data[i] & 1;
  release(code);
  return width;
}
