#include "CCurl.h"

#include "../late.h"

#include <pthread.h>

// In brackets: curl's header makes macros of some of these names.
#define EACH_FUNCTION(DO)                                                                                            \
  DO(curl_global_init) DO(curl_version) DO(curl_version_info) DO(curl_free)                                          \
  DO(curl_easy_init) DO(curl_easy_cleanup) DO(curl_easy_setopt) DO(curl_easy_getinfo) DO(curl_easy_pause)            \
  DO(curl_easy_strerror) DO(curl_slist_append) DO(curl_slist_free_all)                                               \
  DO(curl_multi_init) DO(curl_multi_cleanup) DO(curl_multi_setopt) DO(curl_multi_add_handle)                         \
  DO(curl_multi_remove_handle) DO(curl_multi_socket_action) DO(curl_multi_info_read)                                 \
  DO(curl_url) DO(curl_url_cleanup) DO(curl_url_set) DO(curl_url_get)

#define PLACE(name) __typeof__((name)) *its_##name;
static struct {
  EACH_FUNCTION(PLACE)
} curl;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int is_loaded;

#define FIND(name) &&find(library, #name, &curl.its_##name)

static void load(void) {
  // The oldest that knows CURLOPT_PROTOCOLS_STR.
  const unsigned oldest = 0x075500;
  void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL || !(1 EACH_FUNCTION(FIND))) return;
  if (curl.its_curl_version_info(CURLVERSION_FIRST)->version_num < oldest) return;
  is_loaded = curl.its_curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}

int layby_curl_load(void) {
  pthread_once(&once, load);
  return is_loaded;
}

const char *layby_curl_version(void) { return curl.its_curl_version(); }
const char *layby_curl_words(CURLcode result) { return curl.its_curl_easy_strerror(result); }

CURL *layby_curl_new(void) { return curl.its_curl_easy_init(); }
void layby_curl_free(CURL *easy) { curl.its_curl_easy_cleanup(easy); }
CURLcode layby_curl_pause(CURL *easy, int how) { return curl.its_curl_easy_pause(easy, how); }

CURLcode layby_curl_set(CURL *easy, CURLoption option, long value) {
  return curl.its_curl_easy_setopt(easy, option, value);
}
CURLcode layby_curl_set_text(CURL *easy, CURLoption option, const char *text) {
  return curl.its_curl_easy_setopt(easy, option, text);
}
CURLcode layby_curl_set_bytes(CURL *easy, CURLoption option, const void *bytes, size_t count) {
  struct curl_blob blob = {(void *)bytes, count, CURL_BLOB_COPY};
  return curl.its_curl_easy_setopt(easy, option, &blob);
}
CURLcode layby_curl_set_body(CURL *easy, const void *bytes, size_t count) {
  // Its length first: curl copies so much.
  CURLcode result = curl.its_curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)count);
  return result ? result : curl.its_curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, count ? bytes : "");
}
CURLcode layby_curl_set_headers(CURL *easy, struct curl_slist *list) {
  return curl.its_curl_easy_setopt(easy, CURLOPT_HTTPHEADER, list);
}
CURLcode layby_curl_on_header(CURL *easy, curl_write_callback take, void *whose) {
  curl.its_curl_easy_setopt(easy, CURLOPT_HEADERDATA, whose);
  return curl.its_curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, take);
}
CURLcode layby_curl_on_body(CURL *easy, curl_write_callback take, void *whose) {
  curl.its_curl_easy_setopt(easy, CURLOPT_WRITEDATA, whose);
  return curl.its_curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, take);
}
CURLcode layby_curl_on_arrival(CURL *easy, curl_prereq_callback tell, void *whom) {
  curl.its_curl_easy_setopt(easy, CURLOPT_PREREQDATA, whom);
  return curl.its_curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, tell);
}
CURLcode layby_curl_set_owner(CURL *easy, void *owner) {
  return curl.its_curl_easy_setopt(easy, CURLOPT_PRIVATE, owner);
}

void *layby_curl_owner(CURL *easy) {
  char *owner = 0;
  curl.its_curl_easy_getinfo(easy, CURLINFO_PRIVATE, &owner);
  return owner;
}
long layby_curl_number(CURL *easy, CURLINFO what) {
  long number = 0;
  curl.its_curl_easy_getinfo(easy, what, &number);
  return number;
}
curl_off_t layby_curl_microseconds(CURL *easy, CURLINFO what) {
  curl_off_t time = 0;
  curl.its_curl_easy_getinfo(easy, what, &time);
  return time;
}

struct curl_slist *layby_curl_list_add(struct curl_slist *list, const char *text) {
  return curl.its_curl_slist_append(list, text);
}
// A list that was never begun is let go before anything was loaded.
void layby_curl_list_free(struct curl_slist *list) {
  if (list != NULL) curl.its_curl_slist_free_all(list);
}

CURLM *layby_curl_multi_new(void) { return curl.its_curl_multi_init(); }
void layby_curl_multi_free(CURLM *multi) { curl.its_curl_multi_cleanup(multi); }
CURLMcode layby_curl_multi_set(CURLM *multi, CURLMoption option, long value) {
  return curl.its_curl_multi_setopt(multi, option, value);
}
CURLMcode layby_curl_multi_add(CURLM *multi, CURL *easy) { return curl.its_curl_multi_add_handle(multi, easy); }
CURLMcode layby_curl_multi_remove(CURLM *multi, CURL *easy) { return curl.its_curl_multi_remove_handle(multi, easy); }
CURLMcode layby_curl_multi_action(CURLM *multi, curl_socket_t socket, int what, int *running) {
  return curl.its_curl_multi_socket_action(multi, socket, what, running);
}
CURLMcode layby_curl_on_socket(CURLM *multi, curl_socket_callback tell, void *whom) {
  curl.its_curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, whom);
  return curl.its_curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, tell);
}
CURLMcode layby_curl_on_timer(CURLM *multi, curl_multi_timer_callback tell, void *whom) {
  curl.its_curl_multi_setopt(multi, CURLMOPT_TIMERDATA, whom);
  return curl.its_curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, tell);
}
CURL *layby_curl_next_ended(CURLM *multi, CURLcode *result) {
  int left = 0;
  CURLMsg *message;
  while ((message = curl.its_curl_multi_info_read(multi, &left))) {
    if (message->msg != CURLMSG_DONE) continue;
    *result = message->data.result;
    return message->easy_handle;
  }
  return 0;
}

CURLU *layby_curl_url_new(void) { return curl.its_curl_url(); }
void layby_curl_url_free(CURLU *url) {
  if (url != NULL) curl.its_curl_url_cleanup(url);
}
CURLUcode layby_curl_url_set(CURLU *url, CURLUPart part, const char *text, unsigned flags) {
  return curl.its_curl_url_set(url, part, text, flags);
}
CURLUcode layby_curl_url_get(const CURLU *url, CURLUPart part, char **text, unsigned flags) {
  return curl.its_curl_url_get(url, part, text, flags);
}
void layby_curl_text_free(char *text) { curl.its_curl_free(text); }
