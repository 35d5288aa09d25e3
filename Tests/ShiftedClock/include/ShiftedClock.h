#ifndef SHIFTED_CLOCK_H
#define SHIFTED_CLOCK_H

// Preloaded into a program (LD_PRELOAD), it says that it is later by as many seconds as the variable
// LAYBY_CLOCK_AHEAD says. Clocks that count since a start are as they are.

#endif
