#pragma once
#include <stddef.h>
#include <stdint.h>

// A TPM 2.0 by tpm2-tss: seals a secret so that no other TPM opens it, and counts what nobody can count back. The
// library, with the OpenSSL that it brings, is loaded when a TPM is first asked for and not before. One thread at a time.

/// 0 when the library is not there, or is not what it should be. Nothing below may be called then.
int layby_tpm_load(void);

/// What the calls below return: 0, or a response code of the TPM or of tpm2-tss.
typedef uint32_t layby_tpm_code;

/// `tcti` says where it is: "device:/dev/tpmrm0". Closed with layby_tpm_close.
layby_tpm_code layby_tpm_open(const char *tcti, void **tpm);
void layby_tpm_close(void *tpm);

/// What is sealed, in two halves as the TPM gives it out. Each is no longer than this.
enum { layby_tpm_most = 1024 };
struct layby_sealed {
  uint8_t public_half[layby_tpm_most], private_half[layby_tpm_most];
  size_t public_count, private_count;
};

/// Under the storage hierarchy, without PCRs: it opens for as long as the TPM is not cleared. At most 64 bytes.
layby_tpm_code layby_tpm_seal(void *tpm, const uint8_t *secret, size_t count, struct layby_sealed *sealed);
/// Exactly `count` bytes into `secret`. What the TPM's answer left in ordinary memory is made zeros.
layby_tpm_code layby_tpm_unseal(void *tpm, const struct layby_sealed *sealed, uint8_t *secret, size_t count);

/// A counter at an index of the TPM's own memory that nothing has yet; it is counted up once, as it must be before it can
/// be read. `is_taken`: another one is there.
layby_tpm_code layby_tpm_make_counter(void *tpm, uint32_t index, int *is_taken);
layby_tpm_code layby_tpm_read_counter(void *tpm, uint32_t index, uint64_t *value);
layby_tpm_code layby_tpm_count(void *tpm, uint32_t index);
layby_tpm_code layby_tpm_remove_counter(void *tpm, uint32_t index);
