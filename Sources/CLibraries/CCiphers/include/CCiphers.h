#pragma once
#include <stddef.h>
#include <stdint.h>

// OpenSSL, whose library is loaded when the first sum or key is made and not before: it is 5 MB, and most runs of the
// program never need it. What is declared here is all that is asked of it, and has not changed since OpenSSL 1.1.

// 0 when the library is not there, or is not what it should be.
int layby_ciphers_load(void);

// NULL when there is no memory. Only after layby_ciphers_load() gave 1, as all below.
void *layby_sha256_new(void);
void layby_sha256_free(void *sum);
// 1 when it went well.
int layby_sha256_add(void *sum, const void *bytes, size_t count);
// Of what was added so far; more can be added afterwards.
int layby_sha256_value(const void *sum, uint8_t value[32]);

// PBKDF2 with HMAC-SHA-1. 1 when it went well.
int layby_pbkdf2_sha1(const uint8_t *password, size_t password_count, const uint8_t *salt, size_t salt_count, int rounds,
                      uint8_t *key, size_t key_count);

// scrypt (RFC 7914) with a cost of 2^cost, blocks of 8 and so many lanes. 1 when it went well; 0 also where OpenSSL was made
// without it.
int layby_scrypt(const uint8_t *password, size_t password_count, const uint8_t *salt, size_t salt_count, int cost,
                 int lanes, uint8_t *key, size_t key_count);

// HMAC with SHA-256. 1 when it went well.
int layby_hmac_sha256(const uint8_t *key, size_t key_count, const void *bytes, size_t count, uint8_t value[32]);

// Authenticated encryption with a key of 32 bytes, nonces of 12, and a tag of 16 behind the bytes.
enum { layby_aes_256_gcm = 1, layby_chacha20_poly1305 = 2 };
// For many messages under one key, in one direction: it seals, or it opens. NULL when there is no memory, or no such suite.
void *layby_aead_new(int suite, const uint8_t key[32], int seals);
void layby_aead_free(void *aead);
// Writes count + 16 bytes. 1 when it went well.
int layby_aead_seal(void *aead, const uint8_t nonce[12], const void *beside, size_t beside_count, const void *plain,
                    size_t count, uint8_t *sealed);
// `count` has the tag in it; writes count - 16 bytes. 0 when anything was changed, and then nothing is left of what was
// opened.
int layby_aead_open(void *aead, const uint8_t nonce[12], const void *beside, size_t beside_count, const void *sealed,
                    size_t count, uint8_t *plain);

// Ed25519 and X25519, with keys as RFC 8032 and RFC 7748 write them. 1 when it went well.
int layby_ed25519_public(const uint8_t secret[32], uint8_t public_key[32]);
int layby_ed25519_sign(const uint8_t secret[32], const void *bytes, size_t count, uint8_t signature[64]);
int layby_ed25519_verify(const uint8_t public_key[32], const void *bytes, size_t count, const uint8_t signature[64]);
int layby_x25519_public(const uint8_t secret[32], uint8_t public_key[32]);
// 0 also for a public key that would give the same secret with everybody.
int layby_x25519_agree(const uint8_t secret[32], const uint8_t public_key[32], uint8_t shared[32]);

// In a time that says nothing of what they hold.
int layby_are_equal(const void *one, const void *other, size_t count);

// 1 where the processor has instructions of its own for AES.
int layby_has_aes(void);
