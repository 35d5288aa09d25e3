#include "CertificateMaker.h"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct layby_identity {
  EVP_PKEY *key;
  X509 *certificate;
};

struct layby_tls {
  SSL_CTX *context;
  SSL *session;
};

static int extend(X509 *certificate, X509 *issuer, int what, const char *value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, issuer, certificate, 0, 0, 0);
  X509_EXTENSION *extension = X509V3_EXT_conf_nid(0, &context, what, value);
  if (!extension) return 0;
  int done = X509_add_ext(certificate, extension, -1);
  X509_EXTENSION_free(extension);
  return done;
}

static layby_identity *make(const layby_identity *authority, const char *name, int64_t from, int64_t until) {
  static long number = 1;
  layby_identity *made = calloc(1, sizeof *made);
  if (!made) return 0;
  made->key = EVP_EC_gen("P-256");
  made->certificate = X509_new();
  X509 *certificate = made->certificate;
  if (!made->key || !certificate) goto refused;
  X509 *issuer = authority ? authority->certificate : certificate;
  X509_set_version(certificate, 2);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate), __atomic_add_fetch(&number, 1, __ATOMIC_RELAXED));
  X509_gmtime_adj(X509_getm_notBefore(certificate), (long)from);
  X509_gmtime_adj(X509_getm_notAfter(certificate), (long)until);
  X509_NAME *subject = X509_get_subject_name(certificate);
  X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC, (const unsigned char *)name, -1, -1, 0);
  X509_set_issuer_name(certificate, X509_get_subject_name(issuer));
  if (!X509_set_pubkey(certificate, made->key)) goto refused;
  if (authority) {
    if (!extend(certificate, issuer, NID_subject_alt_name, "DNS:localhost,IP:127.0.0.1")) goto refused;
  } else {
    if (!extend(certificate, issuer, NID_basic_constraints, "critical,CA:TRUE")) goto refused;
    if (!extend(certificate, issuer, NID_key_usage, "critical,keyCertSign,cRLSign")) goto refused;
  }
  if (!X509_sign(certificate, authority ? authority->key : made->key, EVP_sha256())) goto refused;
  return made;
refused:
  layby_free_identity(made);
  return 0;
}

layby_identity *layby_make_authority(void) {
  static int number;
  char name[64];
  // Each by its own name: a wrong signature under a known name is another error of OpenSSL's.
  snprintf(name, sizeof name, "A test's authority %d", __atomic_add_fetch(&number, 1, __ATOMIC_RELAXED));
  return make(0, name, -3600, 3600);
}

layby_identity *layby_make_identity(const layby_identity *authority, int64_t from, int64_t until) {
  return make(authority, "localhost", from, until);
}

void layby_free_identity(layby_identity *identity) {
  if (!identity) return;
  EVP_PKEY_free(identity->key);
  X509_free(identity->certificate);
  free(identity);
}

size_t layby_identity_pem(const layby_identity *identity, uint8_t *text, size_t size) {
  BIO *memory = BIO_new(BIO_s_mem());
  PEM_write_bio_X509(memory, identity->certificate);
  char *bytes = 0;
  long count = BIO_get_mem_data(memory, &bytes);
  size_t written = count > 0 && (size_t)count <= size ? (size_t)count : 0;
  memcpy(text, bytes, written);
  BIO_free(memory);
  return written;
}

void layby_identity_pin(const layby_identity *identity, char pin[45]) {
  unsigned char *der = 0;
  int count = i2d_PUBKEY(identity->key, &der);
  unsigned char sum[32] = {0};
  EVP_Digest(der, (size_t)(count > 0 ? count : 0), sum, 0, EVP_sha256(), 0);
  OPENSSL_free(der);
  EVP_EncodeBlock((unsigned char *)pin, sum, sizeof sum);
}

layby_tls *layby_tls_open(const layby_identity *identity, int only_tls12) {
  layby_tls *tls = calloc(1, sizeof *tls);
  if (!tls) return 0;
  tls->context = SSL_CTX_new(TLS_server_method());
  if (only_tls12) SSL_CTX_set_max_proto_version(tls->context, TLS1_2_VERSION);
  SSL_CTX_use_certificate(tls->context, identity->certificate);
  SSL_CTX_use_PrivateKey(tls->context, identity->key);
  tls->session = SSL_new(tls->context);
  SSL_set_bio(tls->session, BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
  SSL_set_accept_state(tls->session);
  return tls;
}

void layby_tls_close(layby_tls *tls) {
  if (!tls) return;
  SSL_free(tls->session);
  SSL_CTX_free(tls->context);
  free(tls);
}

void layby_tls_came(layby_tls *tls, const uint8_t *bytes, size_t count) {
  BIO_write(SSL_get_rbio(tls->session), bytes, (int)count);
}

size_t layby_tls_goes(layby_tls *tls, uint8_t *bytes, size_t size) {
  int count = BIO_read(SSL_get_wbio(tls->session), bytes, (int)size);
  return count > 0 ? (size_t)count : 0;
}

int layby_tls_read(layby_tls *tls, uint8_t *bytes, int size) {
  int count = SSL_read(tls->session, bytes, size);
  if (count > 0) return count;
  return SSL_get_error(tls->session, count) == SSL_ERROR_WANT_READ ? 0 : -1;
}

int layby_tls_write(layby_tls *tls, const uint8_t *bytes, int count) {
  int written = SSL_write(tls->session, bytes, count);
  return written > 0 ? written : 0;
}
