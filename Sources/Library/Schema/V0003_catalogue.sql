-- library.db: sources, folders, files, and what they are listed and found by. All of it can be read again from the
-- files, but for `plays` and `last_played`, which state.db has too. Released: add a file, never change this one.
--
-- `track` of V0001 stays: it knows files that were played and lie in no source.
-- `sort` is Folding's key, cut to 64 bytes; every list is in the order (sort, id) unless it says otherwise.

CREATE TABLE source(
  id INTEGER PRIMARY KEY,
  -- 0 a stick, 1 a folder, 2 the store.
  kind INTEGER NOT NULL,
  -- A file system's UUID, or a path.
  key BLOB NOT NULL,
  label TEXT NOT NULL,
  -- Where it is mounted, or was last.
  root BLOB NOT NULL,
  is_present INTEGER NOT NULL,
  -- What undeclared texts in it are written in, where somebody said so.
  encoding TEXT,
  -- Here and below: seconds since 1970, by the board's clock at the time.
  added_at INTEGER NOT NULL,
  seen_at INTEGER NOT NULL,
  UNIQUE (kind, key)
) STRICT;

CREATE TABLE folder(
  id INTEGER PRIMARY KEY,
  source INTEGER NOT NULL,
  -- 0 for the root of its source, whose name is empty.
  parent INTEGER NOT NULL,
  -- Bytes as the kernel gave them; a name need not be UTF-8.
  name BLOB NOT NULL,
  sort BLOB NOT NULL,
  -- The folder whose albums it holds: its parent when it is called "CD 1", else itself.
  album_folder INTEGER NOT NULL,
  encoding TEXT,
  UNIQUE (parent, source, name)
) STRICT;
CREATE INDEX folder_listing ON folder(parent, sort, id);
CREATE INDEX folder_source ON folder(source);

CREATE TABLE artist(
  id INTEGER PRIMARY KEY,
  -- The folded name: who is written alike is one.
  identity TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  name_sort TEXT,
  sort BLOB NOT NULL,
  files INTEGER NOT NULL,
  albums INTEGER NOT NULL,
  -- The row in artist_words is (rank << 40) | id; NULL when there is none.
  rank INTEGER
) STRICT;
CREATE INDEX artist_listing ON artist(sort, id);

CREATE TABLE album(
  id INTEGER PRIMARY KEY,
  -- Folded artist and title; where no album artist is said, folder and title.
  identity TEXT NOT NULL UNIQUE,
  title TEXT NOT NULL,
  title_sort TEXT,
  sort BLOB NOT NULL,
  -- Ids with spaces between them; empty when there are several without a common name.
  artists TEXT NOT NULL,
  -- 0 music, 1 a book, 2 a podcast.
  kind INTEGER NOT NULL,
  year INTEGER,
  files INTEGER NOT NULL,
  rank INTEGER
) STRICT;
CREATE INDEX album_listing ON album(kind, sort, id);

CREATE TABLE genre(
  id INTEGER PRIMARY KEY,
  identity TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  sort BLOB NOT NULL,
  files INTEGER NOT NULL,
  albums INTEGER NOT NULL
) STRICT;
CREATE INDEX genre_listing ON genre(sort, id);

-- What sounds the same, wherever and however often it lies.
CREATE TABLE recording(
  id INTEGER PRIMARY KEY,
  -- The content key: 16 bytes.
  key BLOB NOT NULL UNIQUE,
  files INTEGER NOT NULL,
  plays INTEGER NOT NULL,
  last_played INTEGER NOT NULL,
  -- 0 is found first, 15 was never played: the upper part of its files' rows in track_words.
  rank INTEGER NOT NULL
) STRICT;
CREATE INDEX recording_recent ON recording(last_played, id) WHERE plays > 0;
CREATE INDEX recording_often ON recording(plays, id) WHERE plays > 0;

CREATE TABLE file(
  id INTEGER PRIMARY KEY,
  folder INTEGER NOT NULL,
  name BLOB NOT NULL,
  name_sort BLOB NOT NULL,
  -- With `modified_ns`: whether the file is still the one that was read. -1 asks for it to be read again.
  size INTEGER NOT NULL,
  modified_ns INTEGER NOT NULL,
  added_at INTEGER NOT NULL,
  -- Why it cannot be read; then it has no kind and stands in no list but its folder's.
  problem TEXT,
  kind INTEGER,
  recording INTEGER,
  title TEXT NOT NULL,
  title_sort TEXT,
  sort BLOB NOT NULL,
  artists TEXT NOT NULL,
  album INTEGER,
  -- Order within the album: (disc << 20) | track.
  place INTEGER NOT NULL,
  genres TEXT NOT NULL,
  composers TEXT,
  year INTEGER,
  codec TEXT NOT NULL,
  sample_rate INTEGER NOT NULL,
  bits INTEGER NOT NULL,
  channels INTEGER NOT NULL,
  frames INTEGER,
  track_gain REAL,
  track_peak REAL,
  album_gain REAL,
  album_peak REAL,
  -- Where embedded pictures lie: four numbers each, with spaces between them.
  art TEXT,
  -- What was guessed for its undeclared texts.
  encoding TEXT,
  UNIQUE (folder, name)
) STRICT;
CREATE INDEX file_in_folder ON file(folder, name_sort, id);
CREATE INDEX file_listing ON file(kind, sort, id) WHERE kind IS NOT NULL;
CREATE INDEX file_of_album ON file(album, place, id) WHERE album IS NOT NULL;
CREATE INDEX file_added ON file(added_at, id) WHERE kind IS NOT NULL;
CREATE INDEX file_of_recording ON file(recording, id) WHERE recording IS NOT NULL;

-- Whose a file is.
CREATE TABLE credit(
  artist INTEGER NOT NULL,
  sort BLOB NOT NULL,
  file INTEGER NOT NULL,
  PRIMARY KEY (artist, sort, file)
) STRICT, WITHOUT ROWID;

-- The albums of an artist (kind 0) and of a genre (1), with the number of files that say so.
CREATE TABLE shelf(
  kind INTEGER NOT NULL,
  owner INTEGER NOT NULL,
  sort BLOB NOT NULL,
  album INTEGER NOT NULL,
  files INTEGER NOT NULL,
  PRIMARY KEY (kind, owner, sort, album)
) STRICT, WITHOUT ROWID;

-- How many files of each source an artist (kind 0), a genre (1), an album (2) has.
CREATE TABLE part(
  kind INTEGER NOT NULL,
  id INTEGER NOT NULL,
  source INTEGER NOT NULL,
  files INTEGER NOT NULL,
  PRIMARY KEY (kind, id, source)
) STRICT, WITHOUT ROWID;

-- What a knob jumps to. `first` is not behind the letter's first row, and behind all rows of letters before it.
CREATE TABLE letter(
  -- 0 artists; 10, 11, 12 albums, 20, 21, 22 tracks, by their kind.
  list INTEGER NOT NULL,
  letter TEXT NOT NULL,
  first BLOB NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (list, letter)
) STRICT, WITHOUT ROWID;

-- Playlists that lie as files in a source.
CREATE TABLE imported_playlist(
  id INTEGER PRIMARY KEY,
  folder INTEGER NOT NULL,
  name BLOB NOT NULL,
  size INTEGER NOT NULL,
  modified_ns INTEGER NOT NULL,
  title TEXT NOT NULL,
  sort BLOB NOT NULL,
  problem TEXT,
  UNIQUE (folder, name)
) STRICT;
CREATE INDEX imported_playlist_listing ON imported_playlist(sort, id);

CREATE TABLE imported_entry(
  playlist INTEGER NOT NULL,
  place INTEGER NOT NULL,
  -- NULL when what is written leads to no file.
  file INTEGER,
  written BLOB NOT NULL,
  title TEXT,
  -- Where it begins in the file, for parts of one.
  begins_ms INTEGER,
  PRIMARY KEY (playlist, place)
) STRICT, WITHOUT ROWID;
CREATE INDEX imported_entry_of_file ON imported_entry(file) WHERE file IS NOT NULL;

-- Folded words, spaces between them; a name of nothing but signs is a word too. What is written there comes from the
-- tables above and is never read back. A row's id carries its rank, so that the first rows that match are the ones that
-- are wanted, and nothing is sorted.
CREATE VIRTUAL TABLE track_words USING fts5(
  title, artist, album, content='', columnsize=0, detail='column', prefix='1 2 3',
  tokenize='ascii tokenchars ''!"#$%&''''()*+,-./:;<=>?@[\]^_`{|}~''');
CREATE VIRTUAL TABLE album_words USING fts5(
  title, artist, content='', columnsize=0, detail='column', prefix='1 2 3',
  tokenize='ascii tokenchars ''!"#$%&''''()*+,-./:;<=>?@[\]^_`{|}~''');
CREATE VIRTUAL TABLE artist_words USING fts5(
  name, content='', columnsize=0, detail='column', prefix='1 2 3',
  tokenize='ascii tokenchars ''!"#$%&''''()*+,-./:;<=>?@[\]^_`{|}~''');
