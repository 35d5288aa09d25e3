-- state.db: what must survive and can be had from nowhere else. Released: add a file, never change this one.

-- The queue, in the order of `place`: a sparse key, so that to append, move or remove touches one row.
CREATE TABLE queue_entry(
  place INTEGER PRIMARY KEY,
  id INTEGER NOT NULL UNIQUE,
  -- Bytes as the kernel gave them; a name need not be UTF-8.
  path BLOB NOT NULL
) STRICT;

-- Single values: which entry is played, how loud, which modes. The position in a track has its own file.
CREATE TABLE session(
  name TEXT PRIMARY KEY,
  value ANY
) STRICT, WITHOUT ROWID;
