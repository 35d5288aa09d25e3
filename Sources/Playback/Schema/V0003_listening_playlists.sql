-- state.db: what was listened to, and playlists made on the device. Recordings are known by their content key, so both
-- outlive a source that is away, a moved file and a library begun anew. Released: add a file, never change this one.

-- The last 50,000; what is older is in the totals below.
CREATE TABLE listening(
  number INTEGER PRIMARY KEY,
  -- The content key; NULL for what no library knew.
  recording BLOB,
  -- Where it lay at the time; a name need not be UTF-8.
  path BLOB NOT NULL,
  -- Seconds since 1970, by the clock that the board had.
  begun INTEGER NOT NULL,
  -- Sound, without pauses.
  lasted_ms INTEGER NOT NULL,
  finished INTEGER NOT NULL,
  -- 0 the queue, 1 an album, 2 a playlist, 3 a search, 4 a folder, 5 an artist, 6 a genre.
  origin INTEGER NOT NULL,
  -- What that was called.
  origin_name TEXT,
  streamed INTEGER NOT NULL
) STRICT;

-- Of all that was ever listened to.
CREATE TABLE listening_total(
  recording BLOB PRIMARY KEY,
  plays INTEGER NOT NULL,
  last_played INTEGER NOT NULL,
  lasted_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- One row: how much of `listening` is only in the totals.
CREATE TABLE listening_pruned(
  id INTEGER PRIMARY KEY CHECK (id = 1),
  count INTEGER NOT NULL,
  lasted_ms INTEGER NOT NULL,
  -- When the latest of it was begun.
  until INTEGER NOT NULL
) STRICT;
INSERT INTO listening_pruned VALUES (1, 0, 0, 0);

CREATE TABLE playlist(
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  made_at INTEGER NOT NULL,
  changed_at INTEGER NOT NULL,
  -- Its music shall be on the device.
  is_offline INTEGER NOT NULL,
  -- Of its entries, kept with them.
  count INTEGER NOT NULL,
  duration_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE playlist_entry(
  id INTEGER PRIMARY KEY,
  playlist INTEGER NOT NULL,
  -- A sparse key, so that to insert, move or remove touches one row.
  place INTEGER NOT NULL,
  recording BLOB,
  path BLOB NOT NULL,
  duration_ms INTEGER NOT NULL,
  added_at INTEGER NOT NULL,
  UNIQUE (playlist, place)
) STRICT;
