-- The order of the round that is played while the queue is shuffled; the order in which it was put together stays in
-- queue_entry. A sparse key as there. Released: add a file, never change this one.
CREATE TABLE shuffled_entry(
  place INTEGER PRIMARY KEY,
  id INTEGER NOT NULL UNIQUE
) STRICT;

-- What was heard, the last 500. `entry` may be gone from the queue.
CREATE TABLE heard(
  number INTEGER PRIMARY KEY,
  entry INTEGER NOT NULL,
  path BLOB NOT NULL,
  -- Seconds since 1970, by the clock that the board had.
  begun INTEGER NOT NULL,
  lasted_ms INTEGER NOT NULL,
  finished INTEGER NOT NULL
) STRICT;

-- Where long pieces were left, the last 500. What was touched last has the highest number.
CREATE TABLE bookmark(
  number INTEGER PRIMARY KEY,
  path BLOB NOT NULL UNIQUE,
  place_ms INTEGER NOT NULL
) STRICT;
