-- Bearer tokens for those who may change prices over HTTP. The token itself is shown once, by `gpuwise token`,
-- and kept nowhere: here is its public part, by which it is found, and a hash of its secret part.

-- A row here is never deleted: the names are those of imports.who.
CREATE TABLE tokens (
    id            TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 12),       -- public part of the token
    name          TEXT NOT NULL UNIQUE CHECK (length(name) BETWEEN 1 AND 40), -- who holds it
    hash          TEXT NOT NULL CHECK (length(hash) > 12),                -- of the secret part, as crypt(5) has it
    created_at    TEXT NOT NULL CHECK (datetime(created_at) IS NOT NULL), -- UTC, 2026-11-30T12:00:00Z
    last_used_at  TEXT CHECK (last_used_at IS NULL OR datetime(last_used_at) IS NOT NULL), -- UTC, of the last write asked for; NULL: none
    revoked_at    TEXT CHECK (revoked_at IS NULL OR datetime(revoked_at) IS NOT NULL)   -- UTC; NULL: is good
) STRICT;
