-- What sources have told of items: also of those that nobody wants offline, and of files that are gone by now, which the
-- history still names. Released: add a file, never change this one.

CREATE TABLE known_item(
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  source TEXT NOT NULL,
  item TEXT NOT NULL,
  -- The name of its last whole file, without folder and ending; NULL when there was none.
  file TEXT,
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
  UNIQUE (source, item)
) STRICT;
CREATE INDEX known_item_by_file ON known_item(file) WHERE file IS NOT NULL;

-- What is whole already. A path ends with "aa/<32 digits>.<ending>".
INSERT OR IGNORE INTO known_item(
  source, item, file, title, artist, album, album_artist, disc, track, length_ns, size, hash, art)
SELECT d.source, d.item, substr(replace(d.path, rtrim(d.path, replace(d.path, '/', '')), ''), 1, 32),
  w.title, w.artist, w.album, w.album_artist, w.disc, w.track, w.length_ns, w.size, w.hash, w.art
FROM download d LEFT JOIN wish_item w ON w.source = d.source AND w.item = d.item
WHERE d.state = 'completed' AND d.path IS NOT NULL;
