#include "CCiphers.h"

#include <dlfcn.h>
#include <limits.h>
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
  int (*scrypt)(const char *, size_t, const unsigned char *, size_t, uint64_t, uint64_t, uint64_t, uint64_t, unsigned char *,
                size_t);
  unsigned char *(*hmac)(const void *, const void *, int, const unsigned char *, size_t, unsigned char *, unsigned int *);
  void *(*new_cipher_context)(void);
  void (*free_cipher_context)(void *);
  const void *(*aes_256_gcm)(void);
  const void *(*chacha20_poly1305)(void);
  int (*begin_cipher)(void *, const void *, void *, const unsigned char *, const unsigned char *, int);
  int (*control_cipher)(void *, int, int, void *);
  int (*update_cipher)(void *, unsigned char *, int *, const unsigned char *, int);
  int (*finish_cipher)(void *, unsigned char *, int *);
  void *(*new_private_key)(int, void *, const unsigned char *, size_t);
  void *(*new_public_key)(int, void *, const unsigned char *, size_t);
  int (*public_of)(const void *, unsigned char *, size_t *);
  void (*free_key)(void *);
  int (*begin_signing)(void *, void **, const void *, void *, void *);
  int (*sign)(void *, unsigned char *, size_t *, const unsigned char *, size_t);
  int (*begin_verifying)(void *, void **, const void *, void *, void *);
  int (*verify)(void *, const unsigned char *, size_t, const unsigned char *, size_t);
  void *(*new_key_context)(void *, void *);
  void (*free_key_context)(void *);
  int (*begin_deriving)(void *);
  int (*set_peer)(void *, void *);
  int (*derive)(void *, unsigned char *, size_t *);
  void (*cleanse)(void *, size_t);
  int (*compare)(const void *, const void *, size_t);
} crypto;

// OpenSSL's numbers, which are those of its headers since 1.1.1.
enum { ed25519 = 1087, x25519 = 1034, get_tag = 0x10, set_tag = 0x11, tag_count = 16 };

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int is_loaded;

static int find(void *library, const char *name, void *place) {
  void *found = dlsym(library, name);
  // POSIX promises that a function's address fits where this one's is kept.
  *(void **)place = found;
  return found != NULL;
}

static void load(void) {
  void *library = dlopen("libcrypto.so.3", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return;
  // Only a service that has accounts needs it.
  find(library, "EVP_PBE_scrypt", &crypto.scrypt);
  is_loaded = find(library, "EVP_MD_CTX_new", &crypto.new_context) &&
              find(library, "EVP_MD_CTX_free", &crypto.free_context) &&
              find(library, "EVP_sha256", &crypto.sha256) && find(library, "EVP_DigestInit_ex", &crypto.begin) &&
              find(library, "EVP_DigestUpdate", &crypto.update) &&
              find(library, "EVP_DigestFinal_ex", &crypto.finish) && find(library, "EVP_MD_CTX_copy_ex", &crypto.copy) &&
              find(library, "EVP_sha1", &crypto.sha1) && find(library, "PKCS5_PBKDF2_HMAC", &crypto.pbkdf2) &&
              find(library, "HMAC", &crypto.hmac) && find(library, "EVP_CIPHER_CTX_new", &crypto.new_cipher_context) &&
              find(library, "EVP_CIPHER_CTX_free", &crypto.free_cipher_context) &&
              find(library, "EVP_aes_256_gcm", &crypto.aes_256_gcm) &&
              find(library, "EVP_chacha20_poly1305", &crypto.chacha20_poly1305) &&
              find(library, "EVP_CipherInit_ex", &crypto.begin_cipher) &&
              find(library, "EVP_CIPHER_CTX_ctrl", &crypto.control_cipher) &&
              find(library, "EVP_CipherUpdate", &crypto.update_cipher) &&
              find(library, "EVP_CipherFinal_ex", &crypto.finish_cipher) &&
              find(library, "EVP_PKEY_new_raw_private_key", &crypto.new_private_key) &&
              find(library, "EVP_PKEY_new_raw_public_key", &crypto.new_public_key) &&
              find(library, "EVP_PKEY_get_raw_public_key", &crypto.public_of) &&
              find(library, "EVP_PKEY_free", &crypto.free_key) &&
              find(library, "EVP_DigestSignInit", &crypto.begin_signing) &&
              find(library, "EVP_DigestSign", &crypto.sign) &&
              find(library, "EVP_DigestVerifyInit", &crypto.begin_verifying) &&
              find(library, "EVP_DigestVerify", &crypto.verify) &&
              find(library, "EVP_PKEY_CTX_new", &crypto.new_key_context) &&
              find(library, "EVP_PKEY_CTX_free", &crypto.free_key_context) &&
              find(library, "EVP_PKEY_derive_init", &crypto.begin_deriving) &&
              find(library, "EVP_PKEY_derive_set_peer", &crypto.set_peer) &&
              find(library, "EVP_PKEY_derive", &crypto.derive) && find(library, "OPENSSL_cleanse", &crypto.cleanse) &&
              find(library, "CRYPTO_memcmp", &crypto.compare);
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

int layby_scrypt(const uint8_t *password, size_t password_count, const uint8_t *salt, size_t salt_count, int cost,
                 int lanes, uint8_t *key, size_t key_count) {
  enum { blocks = 8, most_memory = 256 << 20 };
  if (crypto.scrypt == NULL || cost < 1 || cost > 20 || lanes < 1 || lanes > 16) return 0;
  return crypto.scrypt((const char *)password, password_count, salt, salt_count, (uint64_t)1 << cost, blocks,
                       (uint64_t)lanes, most_memory, key, key_count) == 1;
}

int layby_hmac_sha256(const uint8_t *key, size_t key_count, const void *bytes, size_t count, uint8_t value[32]) {
  // A key of no bytes is one too, and NULL would be the last one again.
  return crypto.hmac(crypto.sha256(), key_count == 0 ? "" : (const void *)key, (int)key_count, bytes, count, value,
                     NULL) != NULL;
}

void *layby_aead_new(int suite, const uint8_t key[32], int seals) {
  const void *cipher = suite == layby_aes_256_gcm         ? crypto.aes_256_gcm()
                       : suite == layby_chacha20_poly1305 ? crypto.chacha20_poly1305()
                                                          : NULL;
  void *context = cipher == NULL ? NULL : crypto.new_cipher_context();
  if (context != NULL && crypto.begin_cipher(context, cipher, NULL, key, NULL, seals) != 1) {
    crypto.free_cipher_context(context);
    return NULL;
  }
  return context;
}

void layby_aead_free(void *aead) { crypto.free_cipher_context(aead); }

// A message of its own, with what is beside it.
static int begin(void *aead, const uint8_t nonce[12], const void *beside, size_t beside_count) {
  int written = 0;
  return beside_count <= INT_MAX && crypto.begin_cipher(aead, NULL, NULL, NULL, nonce, -1) == 1 &&
         (beside_count == 0 || crypto.update_cipher(aead, NULL, &written, beside, (int)beside_count) == 1);
}

int layby_aead_seal(void *aead, const uint8_t nonce[12], const void *beside, size_t beside_count, const void *plain,
                    size_t count, uint8_t *sealed) {
  int written = 0;
  return count <= INT_MAX - tag_count && begin(aead, nonce, beside, beside_count) &&
         (count == 0 || crypto.update_cipher(aead, sealed, &written, plain, (int)count) == 1) &&
         crypto.finish_cipher(aead, sealed + count, &written) == 1 &&
         crypto.control_cipher(aead, get_tag, tag_count, sealed + count) == 1;
}

int layby_aead_open(void *aead, const uint8_t nonce[12], const void *beside, size_t beside_count, const void *sealed,
                    size_t count, uint8_t *plain) {
  if (count < tag_count || count > INT_MAX) return 0;
  size_t plain_count = count - tag_count;
  uint8_t end[tag_count];
  int written = 0;
  int is_right = begin(aead, nonce, beside, beside_count) &&
                 crypto.control_cipher(aead, set_tag, tag_count, (uint8_t *)sealed + plain_count) == 1 &&
                 (plain_count == 0 || crypto.update_cipher(aead, plain, &written, sealed, (int)plain_count) == 1) &&
                 crypto.finish_cipher(aead, end, &written) == 1;
  if (!is_right) crypto.cleanse(plain, plain_count);
  return is_right;
}

static int public_key(int kind, const uint8_t secret[32], uint8_t value[32]) {
  void *key = crypto.new_private_key(kind, NULL, secret, 32);
  size_t count = 32;
  int is_done = key != NULL && crypto.public_of(key, value, &count) == 1 && count == 32;
  crypto.free_key(key);
  return is_done;
}

int layby_ed25519_public(const uint8_t secret[32], uint8_t value[32]) { return public_key(ed25519, secret, value); }

int layby_x25519_public(const uint8_t secret[32], uint8_t value[32]) { return public_key(x25519, secret, value); }

int layby_ed25519_sign(const uint8_t secret[32], const void *bytes, size_t count, uint8_t signature[64]) {
  void *key = crypto.new_private_key(ed25519, NULL, secret, 32);
  void *context = key == NULL ? NULL : crypto.new_context();
  size_t length = 64;
  int is_done = context != NULL && crypto.begin_signing(context, NULL, NULL, NULL, key) == 1 &&
                crypto.sign(context, signature, &length, bytes, count) == 1 && length == 64;
  crypto.free_context(context);
  crypto.free_key(key);
  return is_done;
}

int layby_ed25519_verify(const uint8_t public_key[32], const void *bytes, size_t count, const uint8_t signature[64]) {
  void *key = crypto.new_public_key(ed25519, NULL, public_key, 32);
  void *context = key == NULL ? NULL : crypto.new_context();
  int is_right = context != NULL && crypto.begin_verifying(context, NULL, NULL, NULL, key) == 1 &&
                 crypto.verify(context, signature, 64, bytes, count) == 1;
  crypto.free_context(context);
  crypto.free_key(key);
  return is_right;
}

int layby_x25519_agree(const uint8_t secret[32], const uint8_t public_key[32], uint8_t shared[32]) {
  void *own = crypto.new_private_key(x25519, NULL, secret, 32);
  void *peer = crypto.new_public_key(x25519, NULL, public_key, 32);
  void *context = own == NULL || peer == NULL ? NULL : crypto.new_key_context(own, NULL);
  size_t count = 32;
  int is_done = context != NULL && crypto.begin_deriving(context) == 1 && crypto.set_peer(context, peer) == 1 &&
                crypto.derive(context, shared, &count) == 1 && count == 32;
  crypto.free_key_context(context);
  crypto.free_key(peer);
  crypto.free_key(own);
  return is_done;
}

int layby_are_equal(const void *one, const void *other, size_t count) { return crypto.compare(one, other, count) == 0; }

#ifdef __aarch64__
#include <sys/auxv.h>

int layby_has_aes(void) { return (getauxval(AT_HWCAP) >> 3) & 1; }
#elif defined(__x86_64__)
int layby_has_aes(void) { return __builtin_cpu_supports("aes") != 0; }
#else
int layby_has_aes(void) { return 0; }
#endif
