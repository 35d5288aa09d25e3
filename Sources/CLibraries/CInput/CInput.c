#include "CInput.h"

#include "../late.h"

#include <errno.h>
#include <fcntl.h>
#include <libinput.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define EACH_FUNCTION(DO)                                                                                            \
  DO(libinput_path_create_context) DO(libinput_unref) DO(libinput_get_fd) DO(libinput_dispatch)                      \
  DO(libinput_path_add_device) DO(libinput_path_remove_device) DO(libinput_device_has_capability)                    \
  DO(libinput_device_ref) DO(libinput_device_unref)                                                                  \
  DO(libinput_device_set_user_data) DO(libinput_device_get_user_data) DO(libinput_log_set_handler)                   \
  DO(libinput_get_event) DO(libinput_event_destroy) DO(libinput_event_get_type) DO(libinput_event_get_device)        \
  DO(libinput_event_get_touch_event) DO(libinput_event_touch_get_time_usec) DO(libinput_event_touch_get_seat_slot)   \
  DO(libinput_event_touch_get_x_transformed) DO(libinput_event_touch_get_y_transformed)

#define PLACE(name) __typeof__(name) *its_##name;
static struct {
  EACH_FUNCTION(PLACE)
} lib;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int is_loaded;

#define FIND(name) &&find(library, #name, &lib.its_##name)

static void load(void) {
  void *library = dlopen("libinput.so.10", RTLD_NOW | RTLD_LOCAL);
  is_loaded = library != NULL EACH_FUNCTION(FIND);
}

int layby_touch_load(void) {
  pthread_once(&once, load);
  return is_loaded;
}

// It would write to the light of a key, and to nothing that a finger needs; the group input may only read.
static int open_to_read(const char *path, int flags, void *data) {
  (void)flags;
  (void)data;
  int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  return fd < 0 ? -errno : fd;
}

static void close_it(int fd, void *data) {
  (void)data;
  close(fd);
}

static const struct libinput_interface interface = {open_to_read, close_it};

// What it said last, for whoever asks why it refused something. One thread has all touch screens.
static _Thread_local char said[160];

static void hear(struct libinput *context, enum libinput_log_priority priority, const char *format, va_list args) {
  (void)context;
  (void)priority;
  vsnprintf(said, sizeof said, format, args);
  said[strcspn(said, "\n")] = 0;
}

void *layby_touch_open(void) {
  struct libinput *context = lib.its_libinput_path_create_context(&interface, NULL);
  if (context != NULL) lib.its_libinput_log_set_handler(context, hear);
  return context;
}

void layby_touch_close(void *touch) { lib.its_libinput_unref(touch); }
int layby_touch_descriptor(void *touch) { return lib.its_libinput_get_fd(touch); }

void *layby_touch_add(void *touch, const char *path, int32_t number, char *why, size_t room) {
  said[0] = 0;
  struct libinput_device *device = lib.its_libinput_path_add_device(touch, path);
  if (device != NULL && lib.its_libinput_device_has_capability(device, LIBINPUT_DEVICE_CAP_TOUCH)) {
    // Ours too, as long as we may give it back.
    lib.its_libinput_device_ref(device);
    lib.its_libinput_device_set_user_data(device, (void *)(intptr_t)number);
    return device;
  }
  snprintf(why, room, "%s", device != NULL ? "it tells of no fingers" : said);
  if (device != NULL) lib.its_libinput_path_remove_device(device);
  return NULL;
}

void layby_touch_remove(void *screen) {
  lib.its_libinput_path_remove_device(screen);
  lib.its_libinput_device_unref(screen);
}

int layby_touch_dispatch(void *touch) { return lib.its_libinput_dispatch(touch); }

int layby_touch_next(void *touch, struct layby_finger *finger) {
  struct libinput_event *event = lib.its_libinput_get_event(touch);
  if (event == NULL) return -1;
  int is_finger = 1;
  int has_place = 0;
  switch (lib.its_libinput_event_get_type(event)) {
    case LIBINPUT_EVENT_TOUCH_DOWN:
      finger->change = LAYBY_FINGER_DOWN;
      has_place = 1;
      break;
    case LIBINPUT_EVENT_TOUCH_MOTION:
      finger->change = LAYBY_FINGER_MOVE;
      has_place = 1;
      break;
    case LIBINPUT_EVENT_TOUCH_UP: finger->change = LAYBY_FINGER_UP; break;
    case LIBINPUT_EVENT_TOUCH_CANCEL: finger->change = LAYBY_FINGER_CANCEL; break;
    // A frame's end among them: all that was read in one go is taken together anyway.
    default: is_finger = 0;
  }
  if (is_finger) {
    struct libinput_event_touch *its = lib.its_libinput_event_get_touch_event(event);
    struct libinput_device *device = lib.its_libinput_event_get_device(event);
    finger->screen = (int32_t)(intptr_t)lib.its_libinput_device_get_user_data(device);
    finger->finger = lib.its_libinput_event_touch_get_seat_slot(its);
    finger->microseconds = lib.its_libinput_event_touch_get_time_usec(its);
    finger->x = has_place ? lib.its_libinput_event_touch_get_x_transformed(its, 1) : 0;
    finger->y = has_place ? lib.its_libinput_event_touch_get_y_transformed(its, 1) : 0;
  }
  lib.its_libinput_event_destroy(event);
  return is_finger;
}
