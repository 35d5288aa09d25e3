#pragma once
#include <stddef.h>
#include <stdint.h>

// Fingers on touch screens, as libinput tells of them. It brings a dozen libraries along: they are loaded when the first
// touch screen is found and not before, so that a board without one pays for none of them. Of its events nothing but
// what is declared here comes through.

/// 0 when the library is not there, or is not what it should be. Nothing below may be called then.
int layby_touch_load(void);

/// All touch screens together; null when there is no memory. Closed with layby_touch_close.
void *layby_touch_open(void);
void layby_touch_close(void *touch);
/// Readable when there is something to take.
int layby_touch_descriptor(void *touch);

/// A screen, whose events carry `number`; null when libinput does not take the device for one, and then `why` is what it
/// says of that. It is given back with layby_touch_remove.
void *layby_touch_add(void *touch, const char *path, int32_t number, char *why, size_t room);
void layby_touch_remove(void *screen);

enum layby_finger_change { LAYBY_FINGER_DOWN, LAYBY_FINGER_MOVE, LAYBY_FINGER_UP, LAYBY_FINGER_CANCEL };

struct layby_finger {
  int32_t change;
  // The screen's number, and its own of the finger.
  int32_t screen, finger;
  // By the clock without sleep.
  uint64_t microseconds;
  // Fractions of the surface, calibrated; only of one that is down or moves.
  double x, y;
};

/// Has libinput read what its screens have to say. Negative when it cannot.
int layby_touch_dispatch(void *touch);
/// The next of what it has read: 1 with a finger, 0 with something else, -1 when there is no more.
int layby_touch_next(void *touch, struct layby_finger *finger);
