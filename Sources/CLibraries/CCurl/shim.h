// Swift cannot call what takes a variable number of arguments; each of these is one such call with one type.
#pragma once
#include <curl/curl.h>

static inline CURLcode layby_curl_set(CURL *easy, CURLoption option, long value) {
  return (curl_easy_setopt)(easy, option, value);
}
/// curl copies the text.
static inline CURLcode layby_curl_set_text(CURL *easy, CURLoption option, const char *text) {
  return (curl_easy_setopt)(easy, option, text);
}
/// curl copies the bytes.
static inline CURLcode layby_curl_set_bytes(CURL *easy, CURLoption option, const void *bytes, size_t count) {
  struct curl_blob blob = {(void *)bytes, count, CURL_BLOB_COPY};
  return (curl_easy_setopt)(easy, option, &blob);
}
/// The list stays the caller's, and has to outlive the transfer.
static inline CURLcode layby_curl_set_headers(CURL *easy, struct curl_slist *list) {
  return (curl_easy_setopt)(easy, CURLOPT_HTTPHEADER, list);
}
static inline CURLcode layby_curl_on_header(CURL *easy, curl_write_callback take, void *whose) {
  (curl_easy_setopt)(easy, CURLOPT_HEADERDATA, whose);
  return (curl_easy_setopt)(easy, CURLOPT_HEADERFUNCTION, take);
}
static inline CURLcode layby_curl_on_body(CURL *easy, curl_write_callback take, void *whose) {
  (curl_easy_setopt)(easy, CURLOPT_WRITEDATA, whose);
  return (curl_easy_setopt)(easy, CURLOPT_WRITEFUNCTION, take);
}
static inline CURLcode layby_curl_set_owner(CURL *easy, void *owner) {
  return (curl_easy_setopt)(easy, CURLOPT_PRIVATE, owner);
}

/// Null when it is not known.
static inline void *layby_curl_owner(CURL *easy) {
  char *owner = 0;
  (curl_easy_getinfo)(easy, CURLINFO_PRIVATE, &owner);
  return owner;
}
static inline long layby_curl_number(CURL *easy, CURLINFO what) {
  long number = 0;
  (curl_easy_getinfo)(easy, what, &number);
  return number;
}
static inline curl_off_t layby_curl_microseconds(CURL *easy, CURLINFO what) {
  curl_off_t time = 0;
  (curl_easy_getinfo)(easy, what, &time);
  return time;
}
static inline const char *layby_curl_text(CURL *easy, CURLINFO what) {
  char *text = 0;
  (curl_easy_getinfo)(easy, what, &text);
  return text;
}

static inline CURLMcode layby_curl_multi_set(CURLM *multi, CURLMoption option, long value) {
  return (curl_multi_setopt)(multi, option, value);
}
static inline CURLMcode layby_curl_on_socket(CURLM *multi, curl_socket_callback tell, void *whom) {
  (curl_multi_setopt)(multi, CURLMOPT_SOCKETDATA, whom);
  return (curl_multi_setopt)(multi, CURLMOPT_SOCKETFUNCTION, tell);
}
static inline CURLMcode layby_curl_on_timer(CURLM *multi, curl_multi_timer_callback tell, void *whom) {
  (curl_multi_setopt)(multi, CURLMOPT_TIMERDATA, whom);
  return (curl_multi_setopt)(multi, CURLMOPT_TIMERFUNCTION, tell);
}
/// The next transfer that has ended, and how; null when there is none.
static inline CURL *layby_curl_next_ended(CURLM *multi, CURLcode *result) {
  int left = 0;
  CURLMsg *message;
  while ((message = curl_multi_info_read(multi, &left))) {
    if (message->msg != CURLMSG_DONE) continue;
    *result = message->data.result;
    return message->easy_handle;
  }
  return 0;
}
