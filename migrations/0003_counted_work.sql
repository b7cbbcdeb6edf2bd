-- Factors by architecture are fitted, so they moved to calibration; what stays is whose kernels an architecture runs.
ALTER TABLE speed_traits RENAME TO speed_traits_before;
CREATE TABLE speed_traits (
    architecture             TEXT NOT NULL REFERENCES architectures (architecture) DEFERRABLE INITIALLY DEFERRED, -- row of architectures
    compute_capability       TEXT,                                       -- NULL: every other member
    kernels                  TEXT NOT NULL,                              -- whose kernels it runs; calibration has factors of these
    cores_per_multiprocessor INTEGER NOT NULL CHECK (cores_per_multiprocessor > 0), -- shader cores of one multiprocessor
    large_cache              TEXT NOT NULL CHECK (large_cache IN ('yes', 'no')), -- large last-level cache before GDDR
    training_rows            INTEGER NOT NULL CHECK (training_rows >= 0), -- clean measurements behind it, training
    inference_rows           INTEGER NOT NULL CHECK (inference_rows >= 0), -- clean measurements behind it, inference
    language_rows            INTEGER NOT NULL CHECK (language_rows BETWEEN 0 AND inference_rows), -- of these, of language models
    basis                    TEXT NOT NULL,                              -- fitted, assumed, ...
    source                   TEXT NOT NULL,                              -- where it stands
    observed_on              TEXT NOT NULL,                              -- when the source said so
    import_id                INTEGER REFERENCES imports (id),            -- NULL: shipped with the program
    CHECK (length(observed_on) IN (4, 7, 10)
        AND date(substr(observed_on || '-01-01', 1, 10)) IS substr(observed_on || '-01-01', 1, 10))
) STRICT;
INSERT INTO speed_traits
SELECT architecture, compute_capability, 'other', cores_per_multiprocessor, large_cache, training_rows, inference_rows, 0,
       basis, source,
       observed_on, import_id
FROM speed_traits_before;
DROP TABLE speed_traits_before;

-- The work of a network is counted layer by layer.
ALTER TABLE networks RENAME TO networks_before;
CREATE TABLE networks (
    id            TEXT NOT NULL,                                         -- name in timm
    gmacs         REAL CHECK (gmacs > 0),                                -- 10^9 multiply-adds a picture
    activations_m REAL CHECK (activations_m > 0),                        -- 10^6 activations a picture
    params_m      REAL CHECK (params_m > 0),                             -- 10^6 weights
    resolution_px INTEGER NOT NULL CHECK (resolution_px > 0),            -- pixels of an edge
    kernels       INTEGER CHECK (kernels > 0),                           -- launched for a pass forward, not fused
    -- Counted layer by layer; NULL: not counted. All of one picture at resolution_px.
    tensor_gmacs    REAL CHECK (tensor_gmacs > 0),                       -- 10^9 multiply-adds on matrix units, padded to tiles
    depthwise_gmacs REAL CHECK (depthwise_gmacs >= 0),                   -- 10^9 of depthwise convolutions, on plain cores
    traffic_mb      REAL CHECK (traffic_mb > 0),                         -- 10^6 bytes read and written, 16-bit mixed precision
    attention_mb    REAL CHECK (attention_mb >= 0),                      -- more where attention scores go through memory
    source        TEXT NOT NULL,                                         -- public documents
    import_id     INTEGER REFERENCES imports (id),                       -- NULL: shipped with the program
    PRIMARY KEY (id, resolution_px)
) STRICT;
INSERT INTO networks
SELECT id, gmacs, activations_m, params_m, resolution_px, NULL, NULL, NULL, NULL, NULL, source, import_id
FROM networks_before;
DROP TABLE networks_before;
