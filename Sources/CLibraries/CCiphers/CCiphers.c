#include "CCiphers.h"

#include "../late.h"

#include <pthread.h>

static struct {
  void *(*new_context)(void);
  void (*free_context)(void *);
  const void *(*sha1)(void);
  const void *(*sha256)(void);
  int (*begin)(void *, const void *, void *);
  int (*update)(void *, const void *, size_t);
  int (*finish)(void *, unsigned char *, unsigned int *);
  int (*copy)(void *, const void *);
  int (*pbkdf2)(const char *, int, const unsigned char *, int, int, const void *, int, unsigned char *);
} crypto;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int is_loaded;

static void load(void) {
  void *library = dlopen("libcrypto.so.3", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return;
  is_loaded = find(library, "EVP_MD_CTX_new", &crypto.new_context) &&
              find(library, "EVP_MD_CTX_free", &crypto.free_context) &&
              find(library, "EVP_sha256", &crypto.sha256) && find(library, "EVP_DigestInit_ex", &crypto.begin) &&
              find(library, "EVP_DigestUpdate", &crypto.update) &&
              find(library, "EVP_DigestFinal_ex", &crypto.finish) && find(library, "EVP_MD_CTX_copy_ex", &crypto.copy) &&
              find(library, "EVP_sha1", &crypto.sha1) && find(library, "PKCS5_PBKDF2_HMAC", &crypto.pbkdf2);
}

int layby_ciphers_load(void) {
  pthread_once(&once, load);
  return is_loaded;
}

void *layby_sha256_new(void) {
  void *sum = crypto.new_context();
  if (sum != NULL && crypto.begin(sum, crypto.sha256(), NULL) != 1) {
    crypto.free_context(sum);
    return NULL;
  }
  return sum;
}

void layby_sha256_free(void *sum) { crypto.free_context(sum); }

int layby_sha256_add(void *sum, const void *bytes, size_t count) { return crypto.update(sum, bytes, count); }

int layby_sha256_value(const void *sum, uint8_t value[32]) {
  void *copy = crypto.new_context();
  if (copy == NULL) return 0;
  int is_done = crypto.copy(copy, sum) == 1 && crypto.finish(copy, value, NULL) == 1;
  crypto.free_context(copy);
  return is_done;
}

int layby_pbkdf2_sha1(const uint8_t *password, size_t password_count, const uint8_t *salt, size_t salt_count, int rounds,
                      uint8_t *key, size_t key_count) {
  return crypto.pbkdf2((const char *)password, (int)password_count, salt, (int)salt_count, rounds, crypto.sha1(),
                       (int)key_count, key);
}
