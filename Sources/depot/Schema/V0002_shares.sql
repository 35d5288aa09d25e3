-- For how many per cent of all devices a flag is meant.
ALTER TABLE flag ADD COLUMN share INTEGER NOT NULL DEFAULT 100;
