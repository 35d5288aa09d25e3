#ifndef LOSSY_DISK_H
#define LOSSY_DISK_H
#include <stdint.h>

// What Watch.c writes to its log: one of these for each operation that has succeeded, and behind it the first
// name, the second name and the data. Names are relative to the folder that is watched; "" is the folder itself.
// Numbers are the machine's own: whoever reads the log runs on the machine that wrote it.

enum lossy_kind {
  LOSSY_OPENED = 1,     // name, file; offset: 1 when this made the file
  LOSSY_WRITTEN = 2,    // file, offset, data
  LOSSY_RESIZED = 3,    // file, offset: the new size
  LOSSY_SYNCED = 4,     // file
  LOSSY_FOLDER = 5,     // name: a folder was made
  LOSSY_SYNCED_FOLDER = 6,  // name: a folder's names were made durable
  LOSSY_RENAMED = 7,    // name, second name
  LOSSY_REMOVED = 8,    // name: of a file or an empty folder
  LOSSY_UNKNOWN = 9,    // name: something was done there that the model does not know; no image can be trusted
};

struct lossy_record {
  uint32_t magic;  // LOSSY_MAGIC
  uint32_t kind;
  uint64_t file;  // its number in the file system; used again only when the file before it is gone
  int64_t offset;
  uint32_t name_bytes;
  uint32_t second_bytes;
  uint64_t data_bytes;
};

#define LOSSY_MAGIC 0x4C4F5353u

#endif
