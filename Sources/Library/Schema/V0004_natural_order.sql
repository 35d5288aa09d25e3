-- library.db: albums without track numbers in natural order, and whose a cue sheet's tracks are. Released: add a file,
-- never change this one.

-- Orders files of one album that have the same `place`: where no number is said it is the folder's sort key, a zero, and
-- the name's; else it is empty, and so it is in a store, whose names mean nothing.
ALTER TABLE file ADD COLUMN album_sort BLOB NOT NULL DEFAULT x'';
DROP INDEX file_of_album;
CREATE INDEX file_of_album ON file(album, place, album_sort, id) WHERE album IS NOT NULL;

-- Who plays it, where a cue sheet says so.
ALTER TABLE imported_entry ADD COLUMN artist TEXT;

-- What the new columns hold comes from names, by rules that SQL does not have: read again are files without a number,
-- those in folders of discs without a disc, and those whose names' keys were cut; and all playlists.
UPDATE file SET size = -1 WHERE place & 1048575 = 0 OR length(name_sort) = 64
  OR (place >> 20 = 0 AND folder IN (SELECT id FROM folder WHERE album_folder <> id));
UPDATE imported_playlist SET size = -1;
