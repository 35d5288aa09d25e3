-- What the pieces of a growing file summed up to when they were made durable. Released: add a file, never change this
-- one.

ALTER TABLE download ADD COLUMN pieces BLOB;
