// Certificates of our own and the server's side of TLS over bytes in memory, for tests. OpenSSL's macros and variadic
// functions are what Swift cannot call.
#pragma once
#include <stddef.h>
#include <stdint.h>

/// A key and its certificate.
typedef struct layby_identity layby_identity;

/// One that vouches for others, and for itself. Null when OpenSSL refuses.
layby_identity *layby_make_authority(void);
/// One for `localhost` and 127.0.0.1, valid between two times told in seconds from now.
layby_identity *layby_make_identity(const layby_identity *authority, int64_t from, int64_t until);
void layby_free_identity(layby_identity *identity);
/// The certificate as PEM text; how many bytes, or 0 when `size` is too small.
size_t layby_identity_pem(const layby_identity *identity, uint8_t *text, size_t size);
/// The SHA-256 sum of the public key in base 64: 44 signs and a zero.
void layby_identity_pin(const layby_identity *identity, char pin[45]);

/// One connection, seen from the server.
typedef struct layby_tls layby_tls;
layby_tls *layby_tls_open(const layby_identity *identity, int only_tls12);
void layby_tls_close(layby_tls *tls);
/// What came from the client's socket.
void layby_tls_came(layby_tls *tls, const uint8_t *bytes, size_t count);
/// What has to go to its socket; 0 when there is nothing.
size_t layby_tls_goes(layby_tls *tls, uint8_t *bytes, size_t size);
/// What the client says: how much, 0 when that is not known yet, -1 when there is no more.
int layby_tls_read(layby_tls *tls, uint8_t *bytes, int size);
/// How much was taken; 0 before the handshake is done.
int layby_tls_write(layby_tls *tls, const uint8_t *bytes, int count);
