#pragma once
#include <microhttpd.h>
#include <sys/socket.h>

// What libmicrohttpd wants to know when it starts. It takes its options as variable arguments, which Swift cannot give.
struct layby_web_options {
  int listener;
  unsigned int threads;
  unsigned int connections;
  unsigned int connections_of_address;
  unsigned int idle_seconds;
  size_t memory_of_connection;
  void *context;
  MHD_AccessHandlerCallback answer;
  void *(*began)(void *context, const char *address, struct MHD_Connection *connection);
  MHD_RequestCompletedCallback completed;
  MHD_NotifyConnectionCallback connection;
};

// NULL when it could not start.
static inline struct MHD_Daemon *layby_web_start(const struct layby_web_options *options) {
  return MHD_start_daemon(
      MHD_USE_EPOLL | MHD_USE_INTERNAL_POLLING_THREAD, 0, NULL, NULL, options->answer, options->context,
      MHD_OPTION_LISTEN_SOCKET, options->listener, MHD_OPTION_THREAD_POOL_SIZE, options->threads,
      MHD_OPTION_CONNECTION_LIMIT, options->connections, MHD_OPTION_PER_IP_CONNECTION_LIMIT,
      options->connections_of_address, MHD_OPTION_CONNECTION_TIMEOUT, options->idle_seconds,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, options->memory_of_connection, MHD_OPTION_URI_LOG_CALLBACK, options->began,
      options->context, MHD_OPTION_NOTIFY_COMPLETED, options->completed, options->context,
      MHD_OPTION_NOTIFY_CONNECTION, options->connection, options->context, MHD_OPTION_STRICT_FOR_CLIENT, 1,
      MHD_OPTION_END);
}

// These take variable arguments too. -1 and NULL when it is not known.
static inline int layby_web_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info == NULL ? -1 : info->connect_fd;
}

static inline const struct sockaddr *layby_web_peer(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  return info == NULL ? NULL : info->client_addr;
}

// How its enumerations look in Swift depends on the release; these do not.
static inline enum MHD_Result layby_web_result(int is_fine) { return is_fine ? MHD_YES : MHD_NO; }
static inline int layby_web_is_fine(enum MHD_Result result) { return result == MHD_YES; }
static inline int layby_web_is_whole(enum MHD_RequestTerminationCode code) {
  return code == MHD_REQUEST_TERMINATED_COMPLETED_OK;
}
static inline int layby_web_is_new(enum MHD_ConnectionNotificationCode code) {
  return code == MHD_CONNECTION_NOTIFY_STARTED;
}

// The bytes are copied.
static inline struct MHD_Response *layby_web_bytes(size_t count, const void *bytes) {
  return MHD_create_response_from_buffer(count, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}

static inline void layby_web_headers(struct MHD_Connection *connection, MHD_KeyValueIterator each, void *context) {
  MHD_get_connection_values(connection, MHD_HEADER_KIND, each, context);
}
