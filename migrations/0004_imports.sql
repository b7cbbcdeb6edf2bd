-- A file without dates is dated by its last change; a copy of it, changed later, is known by its bytes.
ALTER TABLE imports ADD COLUMN content_hash TEXT CHECK (length(content_hash) = 16); -- FNV-1a, 64 bit; NULL: dated otherwise
ALTER TABLE imports ADD COLUMN seen_on TEXT; -- day its rows were dated; NULL: they say it themselves
