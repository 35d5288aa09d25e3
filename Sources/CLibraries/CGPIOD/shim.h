// GPIO lines by libgpiod 1.6 and 2.2 behind one set of calls: the two share hardly a name, and version 1 alone defines
// GPIOD_LINE_BULK_MAX_LINES. What fails returns the error's number, negative where a count is the answer.
//
// Version 1 gives each line a descriptor of its own, whose queue holds 16 edges and drops the newest when it is full;
// it neither counts edges nor debounces. Version 2 gives a request one descriptor and does both.
#pragma once
#include <errno.h>
#include <fcntl.h>
#include <gpiod.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef GPIOD_LINE_BULK_MAX_LINES
#define LAYBY_GPIOD_1
#endif

/// As many as the kernel gives in one request.
#define LAYBY_LINES_MOST 64
/// As many edges as are taken in one go: all that a line of version 1 holds.
#define LAYBY_EDGES_MOST 16
/// The kernel's own limit, with its end.
#define LAYBY_LINE_TEXT 32

enum layby_bias { LAYBY_BIAS_NONE, LAYBY_BIAS_PULL_UP, LAYBY_BIAS_PULL_DOWN };

/// A chip's name and label, or a line's name and who holds it; empty where the kernel has nothing to tell.
struct layby_line_facts {
  char name[LAYBY_LINE_TEXT];
  char consumer[LAYBY_LINE_TEXT];
  bool is_used;
};

struct layby_lines_wish {
  unsigned count;
  unsigned offsets[LAYBY_LINES_MOST];
  /// Microseconds each line must be still for; version 1 does not know them.
  unsigned debounce[LAYBY_LINES_MOST];
  enum layby_bias bias;
  bool is_active_low;
};

struct layby_edge {
  unsigned offset;
  /// The line became active.
  bool is_rising;
  /// Nanoseconds of CLOCK_MONOTONIC.
  uint64_t time;
  /// Which edge of its line it is, from 1; 0 when nobody counts.
  unsigned long number;
};

/// Lines that were asked for together.
struct layby_lines {
  unsigned count;
  unsigned offsets[LAYBY_LINES_MOST];
#ifdef LAYBY_GPIOD_1
  struct gpiod_chip *chip;
  struct gpiod_line *lines[LAYBY_LINES_MOST];
#else
  struct gpiod_line_request *request;
  struct gpiod_edge_event_buffer *buffer;
#endif
};

static inline const char *layby_gpiod_version(void) {
#ifdef LAYBY_GPIOD_1
  return gpiod_version_string();
#else
  return gpiod_api_version();
#endif
}

/// Edges are numbered, and lines are debounced by the kernel.
static inline bool layby_gpiod_counts_and_debounces(void) {
#ifdef LAYBY_GPIOD_1
  return false;
#else
  return true;
#endif
}

static inline int layby_error(void) { return errno ? errno : EIO; }

static inline void layby_copy_text(char *to, const char *from) {
  memset(to, 0, LAYBY_LINE_TEXT);
  if (from) strncpy(to, from, LAYBY_LINE_TEXT - 1);
}

static inline int layby_chip_open(const char *path, struct gpiod_chip **chip) {
  errno = 0;
  *chip = gpiod_chip_open(path);
  return *chip ? 0 : layby_error();
}

static inline void layby_chip_close(struct gpiod_chip *chip) { gpiod_chip_close(chip); }

/// How many lines the chip has; its name and, as consumer, its label.
static inline int layby_chip_facts(struct gpiod_chip *chip, struct layby_line_facts *facts) {
#ifdef LAYBY_GPIOD_1
  layby_copy_text(facts->name, gpiod_chip_name(chip));
  layby_copy_text(facts->consumer, gpiod_chip_label(chip));
  return (int)gpiod_chip_num_lines(chip);
#else
  errno = 0;
  struct gpiod_chip_info *info = gpiod_chip_get_info(chip);
  if (!info) return -layby_error();
  layby_copy_text(facts->name, gpiod_chip_info_get_name(info));
  layby_copy_text(facts->consumer, gpiod_chip_info_get_label(info));
  int count = (int)gpiod_chip_info_get_num_lines(info);
  gpiod_chip_info_free(info);
  return count;
#endif
}

static inline int layby_line_facts(struct gpiod_chip *chip, unsigned offset, struct layby_line_facts *facts) {
  errno = 0;
#ifdef LAYBY_GPIOD_1
  struct gpiod_line *line = gpiod_chip_get_line(chip, offset);
  if (!line) return layby_error();
  layby_copy_text(facts->name, gpiod_line_name(line));
  layby_copy_text(facts->consumer, gpiod_line_consumer(line));
  facts->is_used = gpiod_line_is_used(line);
#else
  struct gpiod_line_info *info = gpiod_chip_get_line_info(chip, offset);
  if (!info) return layby_error();
  layby_copy_text(facts->name, gpiod_line_info_get_name(info));
  layby_copy_text(facts->consumer, gpiod_line_info_get_consumer(info));
  facts->is_used = gpiod_line_info_is_used(info);
  gpiod_line_info_free(info);
#endif
  return 0;
}

/// Ends the request; nothing of it may be used any more.
static inline void layby_lines_close(struct layby_lines *lines) {
#ifdef LAYBY_GPIOD_1
  // Releases the lines of this opening of the chip too.
  if (lines->chip) gpiod_chip_close(lines->chip);
#else
  if (lines->buffer) gpiod_edge_event_buffer_free(lines->buffer);
  if (lines->request) gpiod_line_request_release(lines->request);
#endif
  free(lines);
}

static inline unsigned layby_lines_descriptor_count(const struct layby_lines *lines) {
#ifdef LAYBY_GPIOD_1
  return lines->count;
#else
  return lines->count > 0 ? 1 : 0;
#endif
}

static inline int layby_lines_descriptor(struct layby_lines *lines, unsigned index) {
#ifdef LAYBY_GPIOD_1
  return gpiod_line_event_get_fd(lines->lines[index]);
#else
  return index == 0 ? gpiod_line_request_get_fd(lines->request) : -1;
#endif
}

#ifdef LAYBY_GPIOD_1

static inline int layby_lines_request(struct layby_lines *lines, const struct layby_lines_wish *wish) {
  struct gpiod_line_bulk bulk = GPIOD_LINE_BULK_INITIALIZER;
  int flags = wish->is_active_low ? GPIOD_LINE_REQUEST_FLAG_ACTIVE_LOW : 0;
  switch (wish->bias) {
    case LAYBY_BIAS_PULL_UP: flags |= GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_UP; break;
    case LAYBY_BIAS_PULL_DOWN: flags |= GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_DOWN; break;
    case LAYBY_BIAS_NONE: flags |= GPIOD_LINE_REQUEST_FLAG_BIAS_DISABLE; break;
  }
  for (unsigned i = 0; i < wish->count; i++) {
    lines->lines[i] = gpiod_chip_get_line(lines->chip, wish->offsets[i]);
    if (!lines->lines[i]) return layby_error();
    gpiod_line_bulk_add(&bulk, lines->lines[i]);
  }
  return gpiod_line_request_bulk_both_edges_events_flags(&bulk, "layby", flags) == 0 ? 0 : layby_error();
}

#else

static inline int layby_lines_configure(struct gpiod_line_config *config, const struct layby_lines_wish *wish) {
  struct gpiod_line_settings *settings = gpiod_line_settings_new();
  if (!settings) return layby_error();
  int failed = gpiod_line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_INPUT) != 0 ||
               gpiod_line_settings_set_edge_detection(settings, GPIOD_LINE_EDGE_BOTH) != 0 ||
               gpiod_line_settings_set_bias(settings, wish->bias == LAYBY_BIAS_PULL_UP     ? GPIOD_LINE_BIAS_PULL_UP
                                                      : wish->bias == LAYBY_BIAS_PULL_DOWN ? GPIOD_LINE_BIAS_PULL_DOWN
                                                                                           : GPIOD_LINE_BIAS_DISABLED) != 0;
  gpiod_line_settings_set_active_low(settings, wish->is_active_low);
  for (unsigned i = 0; i < wish->count && !failed; i++) {
    gpiod_line_settings_set_debounce_period_us(settings, wish->debounce[i]);
    failed = gpiod_line_config_add_line_settings(config, &wish->offsets[i], 1, settings) != 0;
  }
  int error = failed ? layby_error() : 0;
  gpiod_line_settings_free(settings);
  return error;
}

static inline int layby_lines_request(
    struct layby_lines *lines, struct gpiod_chip *chip, const struct layby_lines_wish *wish) {
  struct gpiod_line_config *config = gpiod_line_config_new();
  struct gpiod_request_config *request = gpiod_request_config_new();
  int error = config && request ? layby_lines_configure(config, wish) : layby_error();
  if (error == 0) {
    gpiod_request_config_set_consumer(request, "layby");
    // The usual 16 a line are full after a good turn while the screen is drawn.
    gpiod_request_config_set_event_buffer_size(request, 1024);
    lines->request = gpiod_chip_request_lines(chip, request, config);
    if (!lines->request) error = layby_error();
  }
  if (error == 0) {
    lines->buffer = gpiod_edge_event_buffer_new(LAYBY_EDGES_MOST);
    if (!lines->buffer) error = layby_error();
  }
  if (config) gpiod_line_config_free(config);
  if (request) gpiod_request_config_free(request);
  return error;
}

#endif

/// Asks for all lines of `wish` on one chip, in one request; none or all of them.
static inline int layby_lines_open(const char *path, const struct layby_lines_wish *wish, struct layby_lines **opened) {
  *opened = NULL;
  if (wish->count == 0 || wish->count > LAYBY_LINES_MOST) return EINVAL;
  struct layby_lines *lines = (struct layby_lines *)calloc(1, sizeof *lines);
  if (!lines) return ENOMEM;
  struct gpiod_chip *chip = NULL;
  int error = layby_chip_open(path, &chip);
  errno = 0;
#ifdef LAYBY_GPIOD_1
  lines->chip = chip;
  if (error == 0) error = layby_lines_request(lines, wish);
#else
  if (error == 0) error = layby_lines_request(lines, chip, wish);
  if (chip) gpiod_chip_close(chip);
#endif
  if (error == 0) {
    lines->count = wish->count;
    memcpy(lines->offsets, wish->offsets, sizeof lines->offsets);
  }
  for (unsigned i = 0; error == 0 && i < layby_lines_descriptor_count(lines); i++) {
    // Else a read of nothing would wait for a person.
    int number = layby_lines_descriptor(lines, i);
    int flags = fcntl(number, F_GETFL);
    if (flags < 0 || fcntl(number, F_SETFL, flags | O_NONBLOCK) != 0) error = layby_error();
  }
  if (error == 0) {
    *opened = lines;
  } else {
    layby_lines_close(lines);
  }
  return error;
}

/// A line that is driven: a lamp, a panel's light.
struct layby_output {
  unsigned offset;
#ifdef LAYBY_GPIOD_1
  struct gpiod_chip *chip;
  struct gpiod_line *line;
#else
  struct gpiod_line_request *request;
#endif
};

/// Gives the line back; how it stands then is the driver's to say.
static inline void layby_output_close(struct layby_output *output) {
#ifdef LAYBY_GPIOD_1
  if (output->chip) gpiod_chip_close(output->chip);
#else
  if (output->request) gpiod_line_request_release(output->request);
#endif
  free(output);
}

/// Drives one line of the chip, high at once when `is_high`.
static inline int layby_output_open(const char *path, unsigned offset, bool is_high, struct layby_output **opened) {
  *opened = NULL;
  struct layby_output *output = (struct layby_output *)calloc(1, sizeof *output);
  if (!output) return ENOMEM;
  output->offset = offset;
  struct gpiod_chip *chip = NULL;
  int error = layby_chip_open(path, &chip);
  errno = 0;
#ifdef LAYBY_GPIOD_1
  output->chip = chip;
  if (error == 0) {
    output->line = gpiod_chip_get_line(chip, offset);
    if (!output->line || gpiod_line_request_output(output->line, "layby", is_high) != 0) error = layby_error();
  }
#else
  struct gpiod_line_settings *settings = error == 0 ? gpiod_line_settings_new() : NULL;
  struct gpiod_line_config *config = error == 0 ? gpiod_line_config_new() : NULL;
  struct gpiod_request_config *request = error == 0 ? gpiod_request_config_new() : NULL;
  if (error == 0) {
    if (!settings || !config || !request ||
        gpiod_line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_OUTPUT) != 0 ||
        gpiod_line_settings_set_output_value(
            settings, is_high ? GPIOD_LINE_VALUE_ACTIVE : GPIOD_LINE_VALUE_INACTIVE) != 0 ||
        gpiod_line_config_add_line_settings(config, &offset, 1, settings) != 0)
      error = layby_error();
  }
  if (error == 0) {
    gpiod_request_config_set_consumer(request, "layby");
    output->request = gpiod_chip_request_lines(chip, request, config);
    if (!output->request) error = layby_error();
  }
  if (request) gpiod_request_config_free(request);
  if (config) gpiod_line_config_free(config);
  if (settings) gpiod_line_settings_free(settings);
  if (chip) gpiod_chip_close(chip);
#endif
  if (error == 0) {
    *opened = output;
  } else {
    layby_output_close(output);
  }
  return error;
}

static inline int layby_output_set(struct layby_output *output, bool is_high) {
  errno = 0;
#ifdef LAYBY_GPIOD_1
  return gpiod_line_set_value(output->line, is_high) == 0 ? 0 : layby_error();
#else
  enum gpiod_line_value value = is_high ? GPIOD_LINE_VALUE_ACTIVE : GPIOD_LINE_VALUE_INACTIVE;
  return gpiod_line_request_set_value(output->request, output->offset, value) == 0 ? 0 : layby_error();
#endif
}

/// The next edges of one descriptor, oldest first, at most LAYBY_EDGES_MOST; 0 when there are none.
static inline int layby_lines_read(struct layby_lines *lines, unsigned index, struct layby_edge *edges) {
  errno = 0;
#ifdef LAYBY_GPIOD_1
  struct gpiod_line_event events[LAYBY_EDGES_MOST];
  int number = layby_lines_descriptor(lines, index);
  int count = gpiod_line_event_read_fd_multiple(number, events, LAYBY_EDGES_MOST);
#else
  int count = index == 0 ? gpiod_line_request_read_edge_events(lines->request, lines->buffer, LAYBY_EDGES_MOST) : 0;
#endif
  if (count < 0) return errno == EAGAIN || errno == EINTR ? 0 : -layby_error();
  for (int i = 0; i < count; i++) {
#ifdef LAYBY_GPIOD_1
    edges[i].offset = lines->offsets[index];
    edges[i].is_rising = events[i].event_type == GPIOD_LINE_EVENT_RISING_EDGE;
    edges[i].time = (uint64_t)events[i].ts.tv_sec * 1000000000u + (uint64_t)events[i].ts.tv_nsec;
    edges[i].number = 0;
#else
    struct gpiod_edge_event *event = gpiod_edge_event_buffer_get_event(lines->buffer, (unsigned long)i);
    edges[i].offset = gpiod_edge_event_get_line_offset(event);
    edges[i].is_rising = gpiod_edge_event_get_event_type(event) == GPIOD_EDGE_EVENT_RISING_EDGE;
    edges[i].time = gpiod_edge_event_get_timestamp_ns(event);
    edges[i].number = gpiod_edge_event_get_line_seqno(event);
#endif
  }
  return count;
}

/// Whether each line is active now, in the order of the wish.
static inline int layby_lines_levels(struct layby_lines *lines, bool *levels) {
  errno = 0;
  for (unsigned i = 0; i < lines->count; i++) {
#ifdef LAYBY_GPIOD_1
    int level = gpiod_line_get_value(lines->lines[i]);
#else
    int level = gpiod_line_request_get_value(lines->request, lines->offsets[i]);
#endif
    if (level < 0) return layby_error();
    levels[i] = level > 0;
  }
  return 0;
}
