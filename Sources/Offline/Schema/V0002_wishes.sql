-- What the owner wants offline, and what belongs to it. Released: add a file, never change this one.

-- How its file is called at the end, for a check after a power cut: its address is forgotten by then.
ALTER TABLE download ADD COLUMN ending TEXT;
-- Streamed, and nobody asked to keep it.
ALTER TABLE download ADD COLUMN is_cache INTEGER NOT NULL DEFAULT 0;
-- Seconds since 1970.
ALTER TABLE download ADD COLUMN played_at INTEGER;
ALTER TABLE download ADD COLUMN plays INTEGER NOT NULL DEFAULT 0;
-- Whoever plays it knows of the whole file.
ALTER TABLE download ADD COLUMN is_entered INTEGER NOT NULL DEFAULT 0;

-- A container that is wanted as a whole.
CREATE TABLE wish(
  source TEXT NOT NULL,
  -- The names of `ContainerKey.Kind`.
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  quality INTEGER NOT NULL,
  -- Seconds since 1970, by the clock that the board had.
  wanted_at INTEGER NOT NULL,
  is_paused INTEGER NOT NULL,
  -- Fetched where bytes cost as well.
  is_excepted INTEGER NOT NULL,
  PRIMARY KEY (source, kind, id)
) STRICT, WITHOUT ROWID;

-- What it holds, as its source listed it last.
CREATE TABLE wish_item(
  source TEXT NOT NULL,
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  place INTEGER NOT NULL,
  item TEXT NOT NULL,
  title TEXT,
  artist TEXT,
  album TEXT,
  album_artist TEXT,
  disc INTEGER,
  track INTEGER,
  length_ns INTEGER,
  size INTEGER,
  hash TEXT,
  art TEXT,
  PRIMARY KEY (source, kind, id, place),
  FOREIGN KEY (source, kind, id) REFERENCES wish(source, kind, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX wish_item_by_item ON wish_item(source, item);

-- The owner does not want these, whatever holds them.
CREATE TABLE left_out(
  source TEXT NOT NULL,
  item TEXT NOT NULL,
  PRIMARY KEY (source, item)
) STRICT, WITHOUT ROWID;

-- What a source said last, to ask what has changed since.
CREATE TABLE followed(
  source TEXT PRIMARY KEY,
  token TEXT
) STRICT, WITHOUT ROWID;

-- Counts for the health report, and the pause of everything.
CREATE TABLE offline_number(
  name TEXT PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
