-- What a depot that answers knows of people and their devices. Times are seconds of 1970. No token stands here: a session's
-- are made from its id by a secret that is kept elsewhere, of access tokens and codes there are sums.

-- One row. Another epoch is another list of changes. `probe` is counted up to see that something can be stored: SQLite writes
-- nothing where nothing is another.
CREATE TABLE service (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  epoch TEXT NOT NULL,
  probe INTEGER NOT NULL DEFAULT 0
) STRICT;
INSERT INTO service(id, epoch) VALUES (1, lower(hex(randomblob(8))));

CREATE TABLE account (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  password TEXT NOT NULL,
  subscription TEXT,
  grace_until INTEGER,
  created INTEGER NOT NULL
) STRICT;

-- A device that is signed in. It has one session.
CREATE TABLE device (
  name TEXT PRIMARY KEY,
  account INTEGER NOT NULL REFERENCES account(id) ON DELETE CASCADE,
  card TEXT NOT NULL,
  title TEXT NOT NULL,
  thumbprint TEXT NOT NULL,
  session BLOB NOT NULL UNIQUE,
  newest INTEGER NOT NULL,
  since INTEGER NOT NULL,
  seen INTEGER NOT NULL
) STRICT;
CREATE INDEX device_of_account ON device(account);

CREATE TABLE access (
  sum BLOB PRIMARY KEY,
  device TEXT NOT NULL REFERENCES device(name) ON DELETE CASCADE,
  ends INTEGER NOT NULL
) STRICT;
CREATE INDEX access_of_device ON access(device);
CREATE INDEX access_by_end ON access(ends);

-- A device that waits for a person. Its row goes some time after its end.
CREATE TABLE sign_in (
  code_sum BLOB PRIMARY KEY,
  user_code TEXT NOT NULL UNIQUE,
  card TEXT NOT NULL,
  title TEXT NOT NULL,
  thumbprint TEXT NOT NULL,
  state TEXT NOT NULL,
  account INTEGER REFERENCES account(id) ON DELETE CASCADE,
  wait INTEGER NOT NULL,
  asked INTEGER,
  ends INTEGER NOT NULL
) STRICT;
CREATE INDEX sign_in_by_end ON sign_in(ends);

-- Codes of sign-ins in a browser, each taken once.
CREATE TABLE browser_code (
  code_sum BLOB PRIMARY KEY,
  account INTEGER NOT NULL REFERENCES account(id) ON DELETE CASCADE,
  challenge TEXT NOT NULL,
  redirect TEXT NOT NULL,
  ends INTEGER NOT NULL
) STRICT;

-- The licences that a device was given last, and what stood in them. They stay when it signs out: serials only grow.
CREATE TABLE issued (
  device TEXT NOT NULL,
  licence TEXT NOT NULL,
  serial INTEGER NOT NULL,
  issued INTEGER NOT NULL,
  ends INTEGER,
  terms BLOB NOT NULL,
  PRIMARY KEY (device, licence)
) STRICT, WITHOUT ROWID;

CREATE TABLE statement (
  device TEXT PRIMARY KEY,
  number INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- kind: device, licence, track (a key's id) or path.
CREATE TABLE revocation (
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  why TEXT NOT NULL,
  since INTEGER NOT NULL,
  PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;

-- What a device says of itself.
CREATE TABLE integrity (
  device TEXT PRIMARY KEY,
  image TEXT NOT NULL,
  root TEXT NOT NULL,
  traced INTEGER NOT NULL,
  said INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE flag (name TEXT PRIMARY KEY, is_on INTEGER NOT NULL) STRICT, WITHOUT ROWID;

-- What the index in `public` holds, for paging and searching. `entry` is the item as it stands in the index.
CREATE TABLE item (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  path TEXT NOT NULL UNIQUE,
  entry TEXT NOT NULL
) STRICT;
CREATE VIRTUAL TABLE item_text USING fts5(
  title, artist, album, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3'
);

-- An account's lists. Those with `every` are made anew each period, of `size` tracks.
CREATE TABLE list (
  id INTEGER PRIMARY KEY,
  account INTEGER NOT NULL REFERENCES account(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  every TEXT,
  size INTEGER,
  period INTEGER,
  UNIQUE (account, name)
) STRICT;
CREATE TABLE list_item (
  list INTEGER NOT NULL REFERENCES list(id) ON DELETE CASCADE,
  place INTEGER NOT NULL,
  path TEXT NOT NULL,
  PRIMARY KEY (list, place)
) STRICT, WITHOUT ROWID;

-- In the order of commits: one process writes at a time, and a number is taken while it does. `account` is null for all.
CREATE TABLE change (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  mark INTEGER NOT NULL,
  account INTEGER REFERENCES account(id) ON DELETE CASCADE,
  path TEXT,
  list TEXT,
  gone INTEGER NOT NULL
) STRICT;
CREATE INDEX change_of_account ON change(account, number);
