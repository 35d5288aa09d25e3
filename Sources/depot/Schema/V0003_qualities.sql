-- The best quality that an account is for, as an index calls it; null when it is for all there is.
ALTER TABLE account ADD COLUMN quality TEXT;
