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
