-- What is fetched unasked, and what it is chosen from. Released: add a file, never change this one.

-- That an item was listened to. The oldest are forgotten; see `ListenerTable`.
CREATE TABLE item_play(
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  source TEXT NOT NULL,
  item TEXT NOT NULL,
  -- Seconds since 1970, by the clock that the board had.
  at INTEGER NOT NULL
) STRICT;

-- What is chosen now, and why in plain words.
CREATE TABLE guess(
  source TEXT NOT NULL,
  item TEXT NOT NULL,
  words TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  PRIMARY KEY (source, item)
) STRICT, WITHOUT ROWID;

-- What shall not be chosen again before its time.
CREATE TABLE refused_guess(
  source TEXT NOT NULL,
  item TEXT NOT NULL,
  until INTEGER NOT NULL,
  PRIMARY KEY (source, item)
) STRICT, WITHOUT ROWID;
