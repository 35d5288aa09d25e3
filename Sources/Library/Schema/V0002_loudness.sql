-- library.db: how loud recordings are, measured in the background. Released: add a file, never change this one.

CREATE TABLE loudness(
  -- Bytes as the kernel gave them; a name need not be UTF-8.
  path BLOB PRIMARY KEY,
  -- With `modified_ns`: whether the file is still the one that was measured.
  size INTEGER NOT NULL,
  modified_ns INTEGER NOT NULL,
  -- Integrated, in LUFS; NULL for what cannot be measured: silence, or what does not decode.
  lufs REAL,
  -- Of full scale, between samples too.
  true_peak REAL,
  -- Seconds of sound that it was measured over: what an album's tracks are weighed by.
  seconds REAL NOT NULL,
  -- Seconds since 1970, by the board's clock at the time.
  measured_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
