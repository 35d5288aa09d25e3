#pragma once
#include <curl/curl.h>

// What is asked of libcurl, which brings thirty libraries along: they are loaded when something is fetched for the first
// time and not before, so that a player without a source pays for none of them. Types and numbers are curl's own
// header's. Swift cannot call what takes a variable number of arguments, so each option's type has a call of its own.

/// 0 when the library is not there, is older than 7.85, or cannot be set up. Nothing below may be called then.
int layby_curl_load(void);
/// As `curl_version`.
const char *layby_curl_version(void);
const char *layby_curl_words(CURLcode result);

// One transfer.
CURL *layby_curl_new(void);
void layby_curl_free(CURL *easy);
CURLcode layby_curl_pause(CURL *easy, int how);
CURLcode layby_curl_set(CURL *easy, CURLoption option, long value);
/// curl copies the text.
CURLcode layby_curl_set_text(CURL *easy, CURLoption option, const char *text);
/// curl copies the bytes.
CURLcode layby_curl_set_bytes(CURL *easy, CURLoption option, const void *bytes, size_t count);
/// What is sent with a POST. curl copies the bytes.
CURLcode layby_curl_set_body(CURL *easy, const void *bytes, size_t count);
/// The list stays the caller's, and has to outlive the transfer.
CURLcode layby_curl_set_headers(CURL *easy, struct curl_slist *list);
CURLcode layby_curl_on_header(CURL *easy, curl_write_callback take, void *whose);
CURLcode layby_curl_on_body(CURL *easy, curl_write_callback take, void *whose);
/// Told of the address when the connection is there, new or kept, and nothing was asked on it yet.
CURLcode layby_curl_on_arrival(CURL *easy, curl_prereq_callback tell, void *whom);
CURLcode layby_curl_set_owner(CURL *easy, void *owner);
/// Null when it is not known.
void *layby_curl_owner(CURL *easy);
long layby_curl_number(CURL *easy, CURLINFO what);
curl_off_t layby_curl_microseconds(CURL *easy, CURLINFO what);

// Lists of texts. Null when there is no memory; the list is as it was then.
struct curl_slist *layby_curl_list_add(struct curl_slist *list, const char *text);
void layby_curl_list_free(struct curl_slist *list);

// All transfers.
CURLM *layby_curl_multi_new(void);
void layby_curl_multi_free(CURLM *multi);
CURLMcode layby_curl_multi_set(CURLM *multi, CURLMoption option, long value);
CURLMcode layby_curl_multi_add(CURLM *multi, CURL *easy);
CURLMcode layby_curl_multi_remove(CURLM *multi, CURL *easy);
CURLMcode layby_curl_multi_action(CURLM *multi, curl_socket_t socket, int what, int *running);
CURLMcode layby_curl_on_socket(CURLM *multi, curl_socket_callback tell, void *whom);
CURLMcode layby_curl_on_timer(CURLM *multi, curl_multi_timer_callback tell, void *whom);
/// The next transfer that has ended, and how; null when there is none.
CURL *layby_curl_next_ended(CURLM *multi, CURLcode *result);

// Addresses.
CURLU *layby_curl_url_new(void);
void layby_curl_url_free(CURLU *url);
CURLUcode layby_curl_url_set(CURLU *url, CURLUPart part, const char *text, unsigned flags);
/// What comes is given back with `layby_curl_text_free`.
CURLUcode layby_curl_url_get(const CURLU *url, CURLUPart part, char **text, unsigned flags);
void layby_curl_text_free(char *text);
