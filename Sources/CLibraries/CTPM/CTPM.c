#include "CTPM.h"

#include "../late.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <tss2/tss2_esys.h>
#include <tss2/tss2_mu.h>
#include <tss2/tss2_tctildr.h>

#define EACH_OF_ESYS(DO)                                                                                             \
  DO(Esys_Initialize) DO(Esys_Finalize) DO(Esys_Free) DO(Esys_CreatePrimary) DO(Esys_Create) DO(Esys_Load)            \
  DO(Esys_Unseal) DO(Esys_FlushContext) DO(Esys_StartAuthSession) DO(Esys_TRSess_SetAttributes)                      \
  DO(Esys_NV_DefineSpace) DO(Esys_NV_UndefineSpace) DO(Esys_NV_Increment) DO(Esys_NV_Read) DO(Esys_TR_FromTPMPublic)  \
  DO(Esys_TR_Close)
#define EACH_OF_LOADER(DO) DO(Tss2_TctiLdr_Initialize) DO(Tss2_TctiLdr_Finalize)
#define EACH_OF_MARSHAL(DO)                                                                                          \
  DO(Tss2_MU_TPM2B_PUBLIC_Marshal) DO(Tss2_MU_TPM2B_PUBLIC_Unmarshal) DO(Tss2_MU_TPM2B_PRIVATE_Marshal)               \
  DO(Tss2_MU_TPM2B_PRIVATE_Unmarshal)

#define PLACE(name) __typeof__((name)) *its_##name;
static struct {
  EACH_OF_ESYS(PLACE) EACH_OF_LOADER(PLACE) EACH_OF_MARSHAL(PLACE)
} lib;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int is_loaded;

#define FIND(name) &&find(library, #name, &lib.its_##name)

static void load(void) {
  // It would write each refusal of the TPM to standard error; what matters of it is said by whoever asked.
  setenv("TSS2_LOG", "all+none", 0);
  void *library = dlopen("libtss2-esys.so.0", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL || !(1 EACH_OF_ESYS(FIND))) return;
  library = dlopen("libtss2-tctildr.so.0", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL || !(1 EACH_OF_LOADER(FIND))) return;
  library = dlopen("libtss2-mu.so.0", RTLD_NOW | RTLD_LOCAL);
  is_loaded = library != NULL EACH_OF_MARSHAL(FIND);
}

int layby_tpm_load(void) {
  pthread_once(&once, load);
  return is_loaded;
}

struct tpm {
  TSS2_TCTI_CONTEXT *way;
  ESYS_CONTEXT *esys;
};

layby_tpm_code layby_tpm_open(const char *tcti, void **opened) {
  struct tpm *tpm = calloc(1, sizeof *tpm);
  if (tpm == NULL) return TSS2_ESYS_RC_MEMORY;
  TSS2_RC code = lib.its_Tss2_TctiLdr_Initialize(tcti, &tpm->way);
  if (code == TSS2_RC_SUCCESS) code = lib.its_Esys_Initialize(&tpm->esys, tpm->way, NULL);
  if (code != TSS2_RC_SUCCESS) {
    layby_tpm_close(tpm);
    return code;
  }
  *opened = tpm;
  return 0;
}

void layby_tpm_close(void *opened) {
  struct tpm *tpm = opened;
  if (tpm->esys != NULL) lib.its_Esys_Finalize(&tpm->esys);
  if (tpm->way != NULL) lib.its_Tss2_TctiLdr_Finalize(&tpm->way);
  free(tpm);
}

static const ESYS_TR no_session = ESYS_TR_NONE;

// A TPM holds few at once: each is let go of as soon as it was used.
static void flush(struct tpm *tpm, ESYS_TR *handle) {
  if (*handle != ESYS_TR_NONE) lib.its_Esys_FlushContext(tpm->esys, *handle);
  *handle = ESYS_TR_NONE;
}

// The key that others are stored under. The TPM makes the same one of the same words for as long as it is not cleared.
static TSS2_RC make_parent(struct tpm *tpm, ESYS_TR *parent) {
  const TPM2B_SENSITIVE_CREATE no_secret = {0};
  const TPM2B_DATA no_data = {0};
  const TPML_PCR_SELECTION no_pcrs = {0};
  const TPM2B_PUBLIC words = {
    .publicArea = {
      .type = TPM2_ALG_ECC,
      .nameAlg = TPM2_ALG_SHA256,
      .objectAttributes = TPMA_OBJECT_FIXEDTPM | TPMA_OBJECT_FIXEDPARENT | TPMA_OBJECT_SENSITIVEDATAORIGIN |
                          TPMA_OBJECT_USERWITHAUTH | TPMA_OBJECT_NODA | TPMA_OBJECT_RESTRICTED | TPMA_OBJECT_DECRYPT,
      .parameters.eccDetail = {
        .symmetric = {.algorithm = TPM2_ALG_AES, .keyBits.aes = 128, .mode.aes = TPM2_ALG_CFB},
        .scheme.scheme = TPM2_ALG_NULL,
        .curveID = TPM2_ECC_NIST_P256,
        .kdf.scheme = TPM2_ALG_NULL,
      },
    },
  };
  return lib.its_Esys_CreatePrimary(tpm->esys, ESYS_TR_RH_OWNER, ESYS_TR_PASSWORD, no_session, no_session, &no_secret,
                                    &words, &no_data, &no_pcrs, parent, NULL, NULL, NULL, NULL);
}

// With it, who listens on the wires between processor and TPM learns no secret.
static TSS2_RC start_session(struct tpm *tpm, ESYS_TR parent, ESYS_TR *session) {
  const TPMT_SYM_DEF symmetric = {.algorithm = TPM2_ALG_AES, .keyBits.aes = 128, .mode.aes = TPM2_ALG_CFB};
  TSS2_RC code = lib.its_Esys_StartAuthSession(tpm->esys, parent, ESYS_TR_NONE, no_session, no_session, no_session,
                                               NULL, TPM2_SE_HMAC, &symmetric, TPM2_ALG_SHA256, session);
  if (code != TSS2_RC_SUCCESS) *session = ESYS_TR_NONE;
  return code;
}

static TSS2_RC set_session(struct tpm *tpm, ESYS_TR session, TPMA_SESSION what) {
  return lib.its_Esys_TRSess_SetAttributes(tpm->esys, session, what | TPMA_SESSION_CONTINUESESSION, 0xFF);
}

static TSS2_RC write_down(const TPM2B_PUBLIC *public_half, const TPM2B_PRIVATE *private_half, struct layby_sealed *sealed) {
  sealed->public_count = sealed->private_count = 0;
  TSS2_RC code = lib.its_Tss2_MU_TPM2B_PUBLIC_Marshal(public_half, sealed->public_half, layby_tpm_most, &sealed->public_count);
  if (code != TSS2_RC_SUCCESS) return code;
  return lib.its_Tss2_MU_TPM2B_PRIVATE_Marshal(private_half, sealed->private_half, layby_tpm_most, &sealed->private_count);
}

layby_tpm_code layby_tpm_seal(void *opened, const uint8_t *secret, size_t count, struct layby_sealed *sealed) {
  struct tpm *tpm = opened;
  TPM2B_SENSITIVE_CREATE content = {0};
  if (count > 64) return TSS2_ESYS_RC_BAD_VALUE;
  const TPM2B_DATA no_data = {0};
  const TPML_PCR_SELECTION no_pcrs = {0};
  const TPM2B_PUBLIC words = {
    .publicArea = {
      .type = TPM2_ALG_KEYEDHASH,
      .nameAlg = TPM2_ALG_SHA256,
      .objectAttributes = TPMA_OBJECT_FIXEDTPM | TPMA_OBJECT_FIXEDPARENT | TPMA_OBJECT_USERWITHAUTH | TPMA_OBJECT_NODA,
      .parameters.keyedHashDetail.scheme.scheme = TPM2_ALG_NULL,
    },
  };
  ESYS_TR parent = ESYS_TR_NONE, session = ESYS_TR_NONE;
  TPM2B_PRIVATE *private_half = NULL;
  TPM2B_PUBLIC *public_half = NULL;
  content.sensitive.data.size = (UINT16)count;
  memcpy(content.sensitive.data.buffer, secret, count);
  TSS2_RC code = make_parent(tpm, &parent);
  if (code == TSS2_RC_SUCCESS) code = start_session(tpm, parent, &session);
  if (code == TSS2_RC_SUCCESS) code = set_session(tpm, session, TPMA_SESSION_DECRYPT);
  if (code == TSS2_RC_SUCCESS)
    code = lib.its_Esys_Create(tpm->esys, parent, session, no_session, no_session, &content, &words, &no_data, &no_pcrs,
                               &private_half, &public_half, NULL, NULL, NULL);
  if (code == TSS2_RC_SUCCESS) code = write_down(public_half, private_half, sealed);
  explicit_bzero(&content, sizeof content);
  lib.its_Esys_Free(private_half);
  lib.its_Esys_Free(public_half);
  flush(tpm, &session);
  flush(tpm, &parent);
  return code;
}

layby_tpm_code layby_tpm_unseal(void *opened, const struct layby_sealed *sealed, uint8_t *secret, size_t count) {
  struct tpm *tpm = opened;
  TPM2B_PUBLIC public_half = {0};
  TPM2B_PRIVATE private_half = {0};
  size_t public_place = 0, private_place = 0;
  TSS2_RC code =
    lib.its_Tss2_MU_TPM2B_PUBLIC_Unmarshal(sealed->public_half, sealed->public_count, &public_place, &public_half);
  if (code == TSS2_RC_SUCCESS)
    code = lib.its_Tss2_MU_TPM2B_PRIVATE_Unmarshal(sealed->private_half, sealed->private_count, &private_place,
                                                   &private_half);
  if (code != TSS2_RC_SUCCESS) return code;
  ESYS_TR parent = ESYS_TR_NONE, session = ESYS_TR_NONE, item = ESYS_TR_NONE;
  TPM2B_SENSITIVE_DATA *content = NULL;
  code = make_parent(tpm, &parent);
  if (code == TSS2_RC_SUCCESS) code = start_session(tpm, parent, &session);
  if (code == TSS2_RC_SUCCESS) code = set_session(tpm, session, 0);
  if (code == TSS2_RC_SUCCESS)
    code = lib.its_Esys_Load(tpm->esys, parent, session, no_session, no_session, &private_half, &public_half, &item);
  if (code != TSS2_RC_SUCCESS) item = ESYS_TR_NONE;
  if (code == TSS2_RC_SUCCESS) code = set_session(tpm, session, TPMA_SESSION_ENCRYPT);
  if (code == TSS2_RC_SUCCESS)
    code = lib.its_Esys_Unseal(tpm->esys, item, session, no_session, no_session, &content);
  if (code == TSS2_RC_SUCCESS) {
    if (content->size == count) memcpy(secret, content->buffer, count);
    else code = TSS2_ESYS_RC_BAD_SIZE;
    explicit_bzero(content, sizeof *content);
  }
  lib.its_Esys_Free(content);
  flush(tpm, &item);
  flush(tpm, &session);
  flush(tpm, &parent);
  return code;
}

static TSS2_RC find_counter(struct tpm *tpm, uint32_t index, ESYS_TR *counter) {
  return lib.its_Esys_TR_FromTPMPublic(tpm->esys, index, no_session, no_session, no_session, counter);
}

layby_tpm_code layby_tpm_make_counter(void *opened, uint32_t index, int *is_taken) {
  struct tpm *tpm = opened;
  const TPM2B_AUTH no_password = {0};
  const TPM2B_NV_PUBLIC words = {
    .nvPublic = {
      .nvIndex = index,
      .nameAlg = TPM2_ALG_SHA256,
      .attributes = (TPM2_NT_COUNTER << TPMA_NV_TPM2_NT_SHIFT) | TPMA_NV_OWNERWRITE | TPMA_NV_OWNERREAD |
                    TPMA_NV_AUTHWRITE | TPMA_NV_AUTHREAD | TPMA_NV_NO_DA,
      .dataSize = 8,
    },
  };
  ESYS_TR counter = ESYS_TR_NONE;
  TSS2_RC code = lib.its_Esys_NV_DefineSpace(tpm->esys, ESYS_TR_RH_OWNER, ESYS_TR_PASSWORD, no_session, no_session,
                                             &no_password, &words, &counter);
  *is_taken = code == TPM2_RC_NV_DEFINED;
  if (code != TSS2_RC_SUCCESS) return code;
  lib.its_Esys_TR_Close(tpm->esys, &counter);
  return layby_tpm_count(tpm, index);
}

layby_tpm_code layby_tpm_read_counter(void *opened, uint32_t index, uint64_t *value) {
  struct tpm *tpm = opened;
  ESYS_TR counter = ESYS_TR_NONE;
  TPM2B_MAX_NV_BUFFER *content = NULL;
  TSS2_RC code = find_counter(tpm, index, &counter);
  if (code != TSS2_RC_SUCCESS) return code;
  code = lib.its_Esys_NV_Read(tpm->esys, counter, counter, ESYS_TR_PASSWORD, no_session, no_session, 8, 0, &content);
  if (code == TSS2_RC_SUCCESS && content->size != 8) code = TSS2_ESYS_RC_BAD_SIZE;
  if (code == TSS2_RC_SUCCESS) {
    *value = 0;
    for (int place = 0; place < 8; place++) *value = *value << 8 | content->buffer[place];
  }
  lib.its_Esys_Free(content);
  lib.its_Esys_TR_Close(tpm->esys, &counter);
  return code;
}

layby_tpm_code layby_tpm_count(void *opened, uint32_t index) {
  struct tpm *tpm = opened;
  ESYS_TR counter = ESYS_TR_NONE;
  TSS2_RC code = find_counter(tpm, index, &counter);
  if (code != TSS2_RC_SUCCESS) return code;
  code = lib.its_Esys_NV_Increment(tpm->esys, counter, counter, ESYS_TR_PASSWORD, no_session, no_session);
  lib.its_Esys_TR_Close(tpm->esys, &counter);
  return code;
}

layby_tpm_code layby_tpm_remove_counter(void *opened, uint32_t index) {
  struct tpm *tpm = opened;
  ESYS_TR counter = ESYS_TR_NONE;
  TSS2_RC code = find_counter(tpm, index, &counter);
  if (code != TSS2_RC_SUCCESS) return code;
  // It takes the handle with it.
  code = lib.its_Esys_NV_UndefineSpace(tpm->esys, ESYS_TR_RH_OWNER, counter, ESYS_TR_PASSWORD, no_session, no_session);
  if (code != TSS2_RC_SUCCESS) lib.its_Esys_TR_Close(tpm->esys, &counter);
  return code;
}
