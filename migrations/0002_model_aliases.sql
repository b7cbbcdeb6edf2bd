-- Names by which people call a model besides its id and name; a model of the same shape counts as that model.
CREATE TABLE model_aliases (
    alias     TEXT NOT NULL PRIMARY KEY,                                 -- as people write it
    model_id  TEXT NOT NULL,                                             -- id of models
    note      TEXT,                                                      -- why it means that model
    source    TEXT NOT NULL,                                             -- where it stands
    import_id INTEGER REFERENCES imports (id)                            -- NULL: shipped with the program
) STRICT;
