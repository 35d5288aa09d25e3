// What the kernel calls mode setting: how a graphics card without a framebuffer device is made to show a picture. Its
// own header, <drm/drm_mode.h>, is installed with another package on each distribution; what is used of it stands here
// under names of ours. Sizes and numbers are the kernel's and never change.
#pragma once
#include <stdint.h>
#include <sys/ioctl.h>

struct layby_kms_capability {
  uint64_t name, value;
};

struct layby_kms_resources {
  uint64_t buffer_ids, crtc_ids, connector_ids, encoder_ids;
  uint32_t buffer_count, crtc_count, connector_count, encoder_count;
  uint32_t least_width, most_width, least_height, most_height;
};

struct layby_kms_mode {
  uint32_t clock;
  uint16_t width, h_sync_start, h_sync_end, h_total, h_skew;
  uint16_t height, v_sync_start, v_sync_end, v_total, v_scan;
  uint32_t refresh, flags, type;
  char name[32];
};

struct layby_kms_crtc {
  uint64_t connector_ids;
  uint32_t connector_count, id, buffer, x, y, gamma_size, is_mode_valid;
  struct layby_kms_mode mode;
};

struct layby_kms_encoder {
  uint32_t id, type, crtc, possible_crtcs, possible_clones;
};

struct layby_kms_connector {
  uint64_t encoder_ids, modes, property_ids, property_values;
  uint32_t mode_count, property_count, encoder_count, encoder;
  uint32_t id, type, type_number, connection, wide_mm, high_mm, subpixel, padding;
};

struct layby_kms_frame {
  uint32_t id, width, height, stride, bits_per_pixel, depth, handle;
};

struct layby_kms_flip {
  uint32_t crtc, frame, flags, reserved;
  uint64_t tag;
};

struct layby_kms_clip {
  uint16_t left, top, right, bottom;
};

struct layby_kms_dirty {
  uint32_t frame, flags, colour, clip_count;
  uint64_t clips;
};

struct layby_kms_new_memory {
  uint32_t height, width, bits_per_pixel, flags, handle, stride;
  uint64_t size;
};

struct layby_kms_map {
  uint32_t handle, padding;
  uint64_t offset;
};

struct layby_kms_event {
  uint32_t type, length;
  uint64_t tag;
  uint32_t seconds, microseconds, sequence, crtc;
};

_Static_assert(sizeof(struct layby_kms_resources) == 64, "as the kernel has it");
_Static_assert(sizeof(struct layby_kms_mode) == 68, "as the kernel has it");
_Static_assert(sizeof(struct layby_kms_crtc) == 104, "as the kernel has it");
_Static_assert(sizeof(struct layby_kms_encoder) == 20, "as the kernel has it");
_Static_assert(sizeof(struct layby_kms_connector) == 80, "as the kernel has it");
_Static_assert(sizeof(struct layby_kms_frame) == 28, "as the kernel has it");
_Static_assert(sizeof(struct layby_kms_flip) == 24, "as the kernel has it");
_Static_assert(sizeof(struct layby_kms_dirty) == 24, "as the kernel has it");
_Static_assert(sizeof(struct layby_kms_new_memory) == 32, "as the kernel has it");
_Static_assert(sizeof(struct layby_kms_event) == 32, "as the kernel has it");

static const unsigned long layby_kms_get_capability = _IOWR('d', 0x0C, struct layby_kms_capability);
static const unsigned long layby_kms_set_master = _IO('d', 0x1E);
static const unsigned long layby_kms_drop_master = _IO('d', 0x1F);
static const unsigned long layby_kms_get_resources = _IOWR('d', 0xA0, struct layby_kms_resources);
static const unsigned long layby_kms_get_crtc = _IOWR('d', 0xA1, struct layby_kms_crtc);
static const unsigned long layby_kms_set_crtc = _IOWR('d', 0xA2, struct layby_kms_crtc);
static const unsigned long layby_kms_get_encoder = _IOWR('d', 0xA6, struct layby_kms_encoder);
static const unsigned long layby_kms_get_connector = _IOWR('d', 0xA7, struct layby_kms_connector);
static const unsigned long layby_kms_add_frame = _IOWR('d', 0xAE, struct layby_kms_frame);
static const unsigned long layby_kms_remove_frame = _IOWR('d', 0xAF, unsigned int);
static const unsigned long layby_kms_page_flip = _IOWR('d', 0xB0, struct layby_kms_flip);
static const unsigned long layby_kms_mark_dirty = _IOWR('d', 0xB1, struct layby_kms_dirty);
static const unsigned long layby_kms_make_memory = _IOWR('d', 0xB2, struct layby_kms_new_memory);
static const unsigned long layby_kms_map_memory = _IOWR('d', 0xB3, struct layby_kms_map);
static const unsigned long layby_kms_free_memory = _IOWR('d', 0xB4, uint32_t);

/// Memory that a processor draws into can be shown.
static const uint64_t layby_kms_simple_memory = 1;
static const uint32_t layby_kms_connected = 1;
static const uint32_t layby_kms_disconnected = 2;
/// The mode that a display is made for.
static const uint32_t layby_kms_preferred = 1 << 3;
/// The card tells when a flip is done: a flag of the flip, and the type of what is read then.
static const uint32_t layby_kms_tell = 1;
static const uint32_t layby_kms_flipped = 2;
