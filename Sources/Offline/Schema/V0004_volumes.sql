-- Disks on which music may be kept. Released: add a file, never change this one.

CREATE TABLE volume(
  name TEXT PRIMARY KEY,
  -- What its file `.layby-volume` says.
  mark TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- One row, when all was ever moved.
CREATE TABLE kept_on(
  id INTEGER PRIMARY KEY CHECK (id = 1),
  -- A volume's name; the board's own has no row in `volume`.
  home TEXT NOT NULL,
  -- Where all is being moved to; NULL when nothing is.
  target TEXT
) STRICT;

-- Of a move that is under way: files that are on the other disk for certain.
CREATE TABLE moved(
  file TEXT PRIMARY KEY,
  size INTEGER NOT NULL,
  hash TEXT NOT NULL
) STRICT, WITHOUT ROWID;
