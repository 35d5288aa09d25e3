-- library.db: what was fetched is called as the index of its source says. Released: add a file, never change this one.

-- Files of the store are read once more.
UPDATE file SET size = -1
  WHERE folder IN (SELECT folder.id FROM folder JOIN source ON source.id = folder.source WHERE source.kind = 2);
