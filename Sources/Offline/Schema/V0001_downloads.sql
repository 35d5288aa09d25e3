-- Offline's part of state.db: what is fetched and kept. Released: add a file, never change this one.

-- One row for each item at a quality, as `DownloadRecord` has it.
CREATE TABLE download(
  source TEXT NOT NULL,
  item TEXT NOT NULL,
  quality INTEGER NOT NULL,
  -- `queued`, `downloading.fetching`: the names of `DownloadRecord.State`.
  state TEXT NOT NULL,
  -- A `WaitReason` of its own.
  waits TEXT,
  attempts INTEGER NOT NULL,
  has_new_address INTEGER NOT NULL,
  furthest INTEGER NOT NULL,
  pause_ns INTEGER,
  -- A `Trouble`.
  trouble TEXT,
  -- Bytes from the beginning that are on the disk for certain.
  durable INTEGER NOT NULL,
  size INTEGER,
  is_size_sure INTEGER NOT NULL,
  hash TEXT,
  tag TEXT,
  refused_from INTEGER,
  -- Seconds since 1970, by the clock that the board had.
  queued_at INTEGER NOT NULL,
  begun_at INTEGER,
  ended_at INTEGER,
  path TEXT,
  PRIMARY KEY (source, item, quality)
) STRICT, WITHOUT ROWID;
