#pragma once

#include <stddef.h>
#include <stdint.h>

// libqrencode, loaded when the first code is asked for. Writes the code's squares row by row, one byte each, 1 for dark,
// and gives how many a side has; 0 when the library is not there, or `room` bytes are too few, or the text too long.
int layby_code(const uint8_t *text, int length, uint8_t *squares, int room);
