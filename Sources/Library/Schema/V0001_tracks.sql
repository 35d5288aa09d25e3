-- library.db: what can be read again from the files themselves. Released: add a file, never change this one.

CREATE TABLE track(
  id INTEGER PRIMARY KEY,
  -- Bytes as the kernel gave them; a name need not be UTF-8.
  path BLOB NOT NULL UNIQUE,
  -- With `modified_ns`: whether the file is still the one that was read.
  size INTEGER NOT NULL,
  modified_ns INTEGER NOT NULL,
  title TEXT,
  artist TEXT,
  album TEXT,
  track_number INTEGER,
  -- Frames in all, when the file says so; how many of them a second; bits of a sample in the source.
  frames INTEGER,
  sample_rate INTEGER,
  bits INTEGER,
  -- Seconds since 1970, by the board's clock at the time.
  read_at INTEGER NOT NULL
) STRICT;
