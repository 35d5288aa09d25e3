-- Where entries of the queue were chosen: those with ids from `first` to `last`, which are given one by one. What has
-- no row was put there by hand. Released: add a file, never change this one.
CREATE TABLE queue_origin(
  first INTEGER PRIMARY KEY,
  last INTEGER NOT NULL,
  -- As in `listening`.
  kind INTEGER NOT NULL,
  name TEXT
) STRICT;
