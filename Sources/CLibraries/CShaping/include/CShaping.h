#pragma once
#include <stddef.h>
#include <stdint.h>

// HarfBuzz and FriBidi, loaded when the first text needs them and not before: Latin, Greek and Cyrillic do without, as
// do Chinese and Japanese. What is declared here is all that is asked of them, and has not changed since HarfBuzz 1.4
// and FriBidi 1.0.

// 0 when either library is not there, or is not what it should be.
int layby_shaping_load(void);

// All below only after layby_shaping_load() gave 1.

// The level of each character of a text: even ones run to the right, odd ones to the left. The first letter that has a
// direction says which is the text's own, `base`. 0 when it did not go well.
int layby_bidi_levels(const uint32_t *text, int32_t length, uint8_t *levels, uint8_t *base);

// A font of a file's whose em has so many parts, NULL when it cannot be used. Closed with layby_font_close.
void *layby_font_open(const char *path, int32_t parts);
void layby_font_close(void *font);

struct layby_placed {
  uint32_t glyph;
  // The first character that it stands for, in the text that was given.
  uint32_t character;
  // In parts of an em.
  int32_t advance, x, y;
};

// Glyphs of `length` characters from `start` on, from left to right as they are drawn; what stands around them is
// looked at for how letters join. Gives how many there are, at most `most`; negative when it did not go well.
int32_t layby_shape(void *font, const uint32_t *text, int32_t all, int32_t start, int32_t length, int is_right_to_left,
                    struct layby_placed *placed, int32_t most);
