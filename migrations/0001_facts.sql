-- The first schema: one table per file of facts, and two of our own.
--
-- Columns are named as in the CSV files (handlers/engine/facts*.c says which is which); money is kept in
-- whole micro-units (millionths) of its currency, columns ..._micros. NULL means unknown, never zero and
-- never "no". A date is YYYY, YYYY-MM or YYYY-MM-DD of a day that exists, as exact as its source.
--
-- The strict reader (db/fact_file.c) refuses figures that make no sense and words that are not listed,
-- with file, line and column. The CHECKs here hold what must be true of every row, whoever writes it:
-- they are wider than the reader where hardware and vendors to come may need it.
--
-- import_id tells who owns a row: NULL is a fact shipped with the program, which a newer program may
-- replace; anything else is the import by which an operator added it, which stays.
-- Units are those of the column names: gib = 2^30 bytes, gb = 10^9 bytes, tflops and tops are dense.

-- What an operator added, file by file or price by price. A row here is never deleted.
CREATE TABLE imports (
    id          INTEGER PRIMARY KEY,                                     -- lower case, never changes
    at          TEXT NOT NULL CHECK (datetime(at) IS NOT NULL),         -- UTC, 2026-11-30T12:00:00Z
    who         TEXT NOT NULL,                                          -- who did it, as far as known
    fact_table  TEXT NOT NULL,                                          -- name of the table filled
    file        TEXT,                                                   -- name of the file; NULL: none
    rows_added  INTEGER NOT NULL CHECK (rows_added >= 0),               -- rows now in the table
    rows_known  INTEGER NOT NULL CHECK (rows_known >= 0),               -- rows left out: already there
    undone_at   TEXT CHECK (undone_at IS NULL OR datetime(undone_at) IS NOT NULL) -- UTC; NULL: stands
) STRICT;

-- Which version of each shipped file the rows with import_id NULL come from.
CREATE TABLE shipped_files (
    name        TEXT NOT NULL PRIMARY KEY,                              -- as "gpus.csv"
    hash        TEXT NOT NULL CHECK (length(hash) = 16),                -- FNV-1a, 64 bit, hexadecimal
    row_count   INTEGER NOT NULL CHECK (row_count >= 0),                -- rows of the file
    loaded_at   TEXT NOT NULL CHECK (datetime(loaded_at) IS NOT NULL)   -- UTC
) STRICT;

-- GPU architectures. The yes/no columns say which modes the hardware has.
CREATE TABLE architectures (
    architecture               TEXT NOT NULL PRIMARY KEY,                -- name, as Ampere
    vendor                     TEXT NOT NULL,                            -- nvidia, amd, intel, ...
    first_year                 INTEGER NOT NULL CHECK (first_year > 0),  -- year of the first card
    compute_capabilities       TEXT,                                     -- CUDA compute capabilities, joined by ;
    gfx_targets                TEXT,                                     -- ROCm targets, joined by ;
    first_cuda_toolkit         TEXT,                                     -- version, for people
    last_cuda_toolkit          TEXT,                                     -- version, where it ended
    last_driver_branch         TEXT,                                     -- where it ended, as R470
    tensor_core_generation     TEXT,                                     -- of the maker's own count
    fp16_tensor                TEXT CHECK (fp16_tensor IN ('yes', 'no', 'partial')), -- matrix units take FP16
    bf16                       TEXT CHECK (bf16 IN ('yes', 'no', 'partial')), -- matrix units take BF16
    tf32                       TEXT CHECK (tf32 IN ('yes', 'no', 'partial')), -- matrix units take TF32
    int8_tensor                TEXT CHECK (int8_tensor IN ('yes', 'no', 'partial')), -- matrix units take INT8
    fp8                        TEXT CHECK (fp8 IN ('yes', 'no', 'partial')), -- matrix units take FP8
    fp4                        TEXT CHECK (fp4 IN ('yes', 'no', 'partial')), -- matrix units take FP4
    sparsity_2_4               TEXT CHECK (sparsity_2_4 IN ('yes', 'no', 'partial')), -- 2:4 structured sparsity
    flash_attention_2          TEXT CHECK (flash_attention_2 IN ('yes', 'no', 'partial')), -- FlashAttention-2 runs
    mixed_precision_worthwhile TEXT CHECK (mixed_precision_worthwhile IN ('yes', 'no', 'partial')), -- half precision is faster, not only smaller
    rocm_status                TEXT,                                     -- in words, for people
    pytorch_status             TEXT,                                     -- in words, for people
    note                       TEXT,                                     -- for people
    source                     TEXT NOT NULL,                            -- public documents
    import_id                  INTEGER REFERENCES imports (id)           -- NULL: shipped with the program
) STRICT;

-- Cards as sold: variants with other memory or form are rows of their own. Rates, bandwidth, memory and
-- power of a board of several GPUs are of the whole board.
CREATE TABLE gpus (
    id                       TEXT NOT NULL PRIMARY KEY,                  -- lower case with hyphens, never changes
    name                     TEXT NOT NULL,                              -- full product name
    vendor                   TEXT NOT NULL,                              -- nvidia, amd, intel, ...
    segment                  TEXT NOT NULL CHECK (segment IN ('consumer', 'workstation', 'datacenter')), -- kind of buyer it is made for
    form_factor              TEXT NOT NULL,                              -- pcie, sxm, oam, superchip, ...
    architecture             TEXT NOT NULL REFERENCES architectures (architecture) DEFERRABLE INITIALLY DEFERRED, -- row of architectures
    chip                     TEXT,                                       -- chip name; 2x for two on a board
    compute_capability       TEXT,                                       -- CUDA, NVIDIA only
    gfx_target               TEXT,                                       -- ROCm target
    release_date             TEXT,                                       -- launch or announcement
    discontinued             TEXT,                                       -- end of production or sale
    memory_gib               REAL NOT NULL CHECK (memory_gib > 0),       -- GiB of the whole board
    memory_per_process_gib   REAL NOT NULL CHECK (memory_per_process_gib > 0), -- GiB one process sees
    memory_usable_gib        REAL CHECK (memory_usable_gib > 0),         -- GiB the driver reports as total
    memory_type              TEXT,                                       -- GDDR6X, HBM3, ...
    memory_bus_bits          INTEGER CHECK (memory_bus_bits > 0),        -- bit, of the board
    memory_bandwidth_gb_s    REAL NOT NULL CHECK (memory_bandwidth_gb_s > 0), -- GB/s, peak of the whole board
    ecc                      TEXT CHECK (ecc IN ('yes', 'no', 'optional')), -- yes: always on
    shader_cores             INTEGER CHECK (shader_cores >= 0),          -- CUDA cores, stream processors, lanes
    tensor_cores             INTEGER CHECK (tensor_cores >= 0),          -- matrix units; 0: none
    boost_clock_mhz          REAL CHECK (boost_clock_mhz > 0),           -- MHz
    fp64_tflops              REAL CHECK (fp64_tflops >= 0),              -- TFLOPS, shader rate
    fp32_tflops              REAL CHECK (fp32_tflops >= 0),              -- TFLOPS, shader rate
    fp16_tflops              REAL CHECK (fp16_tflops >= 0),              -- TFLOPS, shader rate
    tensor_tf32_tflops       REAL CHECK (tensor_tf32_tflops >= 0),       -- TFLOPS
    tensor_fp16_tflops       REAL CHECK (tensor_fp16_tflops >= 0),       -- TFLOPS, FP32 accumulate
    tensor_fp16_acc16_tflops REAL CHECK (tensor_fp16_acc16_tflops >= 0), -- TFLOPS, FP16 accumulate
    tensor_bf16_tflops       REAL CHECK (tensor_bf16_tflops >= 0),       -- TFLOPS
    tensor_fp8_tflops        REAL CHECK (tensor_fp8_tflops >= 0),        -- TFLOPS
    tensor_int8_tops         REAL CHECK (tensor_int8_tops >= 0),         -- TOPS
    tensor_fp4_tflops        REAL CHECK (tensor_fp4_tflops >= 0),        -- TFLOPS
    tdp_watts                REAL CHECK (tdp_watts > 0),                 -- W, board power
    recommended_psu_watts    REAL CHECK (recommended_psu_watts > 0),     -- W, vendor's advice for one card
    power_connectors         TEXT,                                       -- as 1x16-pin, 2x8-pin; none: slot only
    pcie_gen                 REAL CHECK (pcie_gen > 0),                  -- generation
    pcie_lanes               INTEGER CHECK (pcie_lanes > 0),             -- electrical lanes
    nvlink_gb_s              REAL CHECK (nvlink_gb_s >= 0),              -- GB/s, both directions; 0: none
    nvlink_max_gpus          INTEGER CHECK (nvlink_max_gpus >= 0),       -- largest group on that link; 1: none
    mig_max_instances        INTEGER CHECK (mig_max_instances >= 0),     -- largest number of slices; 0: none
    cooling                  TEXT,                                       -- active, blower, passive, liquid
    slots                    INTEGER CHECK (slots > 0),                  -- whole slots taken
    board_length_mm          REAL CHECK (board_length_mm > 0),           -- mm, reference board
    display_outputs          INTEGER CHECK (display_outputs >= 0),       -- sockets on the bracket
    gpus_on_board            INTEGER NOT NULL CHECK (gpus_on_board > 0), -- GPUs the system sees
    launch_msrp_usd_micros   INTEGER CHECK (launch_msrp_usd_micros >= 0), -- USD at launch, without tax
    export_controlled_cn     TEXT CHECK (export_controlled_cn IN ('yes', 'no')), -- NULL: not clear
    note                     TEXT,                                       -- for people
    source                   TEXT NOT NULL,                              -- public documents
    import_id                INTEGER REFERENCES imports (id),            -- NULL: shipped with the program
    CHECK (length(release_date) IN (4, 7, 10)
        AND date(substr(release_date || '-01-01', 1, 10)) IS substr(release_date || '-01-01', 1, 10)),
    CHECK (length(discontinued) IN (4, 7, 10)
        AND date(substr(discontinued || '-01-01', 1, 10)) IS substr(discontinued || '-01-01', 1, 10))
) STRICT;

-- What one framework does for one architecture or card on one system. No row: not known.
CREATE TABLE support (
    scope         TEXT NOT NULL,                                         -- an architecture, or the id of a card
    framework     TEXT NOT NULL,                                         -- pytorch, cuda, rocm, llama.cpp, ...
    os            TEXT NOT NULL CHECK (os IN ('linux', 'windows', 'wsl', 'any')), -- any: where no exact row says else
    status        TEXT NOT NULL CHECK (status IN ('supported', 'ending', 'dropped', 'unofficial', 'none')), -- none: never worked; dropped: worked once
    first_version TEXT,                                                  -- of the framework
    last_version  TEXT,                                                  -- only where it ended or will end
    end_date      TEXT,                                                  -- when support ended or ends
    observed_on   TEXT NOT NULL,                                         -- when the source said so
    note          TEXT,                                                  -- for people
    source        TEXT NOT NULL,                                         -- public documents
    import_id     INTEGER REFERENCES imports (id),                       -- NULL: shipped with the program
    PRIMARY KEY (scope, framework, os),
    CHECK (length(end_date) IN (4, 7, 10)
        AND date(substr(end_date || '-01-01', 1, 10)) IS substr(end_date || '-01-01', 1, 10)),
    CHECK (length(observed_on) IN (4, 7, 10)
        AND date(substr(observed_on || '-01-01', 1, 10)) IS substr(observed_on || '-01-01', 1, 10))
) STRICT;

-- Names people type, and the cards they can mean: several rows of one name make it ambiguous.
CREATE TABLE aliases (
    alias     TEXT NOT NULL,                                             -- as people write it
    gpu_id    TEXT REFERENCES gpus (id) DEFERRABLE INITIALLY DEFERRED,   -- NULL: a name without a card; note says why
    kind      TEXT NOT NULL,                                             -- short, marketing, zh, ...
    note      TEXT,                                                      -- for people
    import_id INTEGER REFERENCES imports (id)                            -- NULL: shipped with the program
) STRICT;

-- What the speed model needs of an architecture, or of one compute capability of it.
CREATE TABLE speed_traits (
    architecture             TEXT NOT NULL REFERENCES architectures (architecture) DEFERRABLE INITIALLY DEFERRED, -- row of architectures
    compute_capability       TEXT,                                       -- NULL: every other member
    cores_per_multiprocessor INTEGER NOT NULL CHECK (cores_per_multiprocessor > 0), -- shader cores of one multiprocessor
    compute_factor           REAL CHECK (compute_factor > 0),            -- share of the computed rate reached
    decode_factor            REAL CHECK (decode_factor > 0),             -- maker factor, decoding
    prefill_factor           REAL CHECK (prefill_factor > 0),            -- maker factor, prefill
    large_cache              TEXT NOT NULL CHECK (large_cache IN ('yes', 'no')), -- large last-level cache before GDDR
    training_rows            INTEGER NOT NULL CHECK (training_rows >= 0), -- clean measurements behind it, training
    inference_rows           INTEGER NOT NULL CHECK (inference_rows >= 0), -- clean measurements behind it, inference
    basis                    TEXT NOT NULL,                              -- fitted, assumed, ...
    source                   TEXT NOT NULL,                              -- where it stands
    observed_on              TEXT NOT NULL,                              -- when the source said so
    import_id                INTEGER REFERENCES imports (id),            -- NULL: shipped with the program
    CHECK (length(observed_on) IN (4, 7, 10)
        AND date(substr(observed_on || '-01-01', 1, 10)) IS substr(observed_on || '-01-01', 1, 10))
) STRICT;

-- Budget bands of one card's planning total; each currency has its own.
CREATE TABLE tiers (
    id         TEXT NOT NULL CHECK (id IN ('low', 'mid', 'high', 'unlimited')), -- name of the band
    currency   TEXT NOT NULL CHECK (currency IN ('USD', 'CNY', 'EUR')),  -- of the prices here
    min_micros INTEGER NOT NULL CHECK (min_micros >= 0),                 -- of currency; the band is above it
    max_micros INTEGER CHECK (max_micros > min_micros),                  -- of currency, included; NULL: no end
    segments   TEXT NOT NULL,                                            -- allowed segments of cards, joined by ;
    note       TEXT,                                                     -- for people
    import_id  INTEGER REFERENCES imports (id),                          -- NULL: shipped with the program
    PRIMARY KEY (id, currency)
) STRICT;

-- Kinds of interconnect.
CREATE TABLE links (
    id                           TEXT NOT NULL PRIMARY KEY,              -- as nvlink-3, pcie-4-x16
    name                         TEXT NOT NULL,                          -- for people
    bandwidth_per_direction_gb_s REAL CHECK (bandwidth_per_direction_gb_s > 0), -- GB/s, one direction, per GPU, nominal
    latency_class                TEXT NOT NULL CHECK (latency_class IN ('low', 'medium', 'high')), -- card to card; PCIe or RDMA; TCP
    note                         TEXT,                                   -- measured shares
    source                       TEXT NOT NULL,                          -- public documents
    import_id                    INTEGER REFERENCES imports (id)         -- NULL: shipped with the program
) STRICT;

-- Constants and defaults of the advisor.
CREATE TABLE parameters (
    name      TEXT NOT NULL PRIMARY KEY,                                 -- as handlers/engine/parameters.h has it
    value     TEXT NOT NULL,                                             -- a number or a word
    unit      TEXT NOT NULL,                                             -- 1: a share or a count
    meaning   TEXT NOT NULL,                                             -- for people
    basis     TEXT NOT NULL,                                             -- definition, assumption or measurement
    import_id INTEGER REFERENCES imports (id)                            -- NULL: shipped with the program
) STRICT;

-- Fitted numbers of the memory and speed models.
CREATE TABLE calibration (
    name        TEXT NOT NULL PRIMARY KEY,                               -- as handlers/engine/calibration.h has it
    value       REAL NOT NULL,                                           -- in unit
    unit        TEXT NOT NULL,                                           -- 1: a share or a count
    meaning     TEXT NOT NULL,                                           -- for people
    basis       TEXT NOT NULL,                                           -- fitted, measured, assumed, ...
    source      TEXT NOT NULL,                                           -- where it stands
    observed_on TEXT NOT NULL,                                           -- when the source said so
    import_id   INTEGER REFERENCES imports (id),                         -- NULL: shipped with the program
    CHECK (length(observed_on) IN (4, 7, 10)
        AND date(substr(observed_on || '-01-01', 1, 10)) IS substr(observed_on || '-01-01', 1, 10))
) STRICT;

-- Formats of weights.
CREATE TABLE quants (
    name            TEXT NOT NULL PRIMARY KEY,                           -- as bf16, q4_k_m, nf4
    kind            TEXT NOT NULL,                                       -- float, gguf, bitsandbytes, ...
    bits_per_weight REAL NOT NULL CHECK (bits_per_weight > 0),           -- of the whole file where it mixes formats
    note            TEXT,                                                -- for people
    source          TEXT NOT NULL,                                       -- where it stands
    observed_on     TEXT NOT NULL,                                       -- when the source said so
    import_id       INTEGER REFERENCES imports (id),                     -- NULL: shipped with the program
    CHECK (length(observed_on) IN (4, 7, 10)
        AND date(substr(observed_on || '-01-01', 1, 10)) IS substr(observed_on || '-01-01', 1, 10))
) STRICT;

-- Models people want to run or train.
CREATE TABLE models (
    id                  TEXT NOT NULL PRIMARY KEY,                       -- lower case, never changes
    name                TEXT NOT NULL,                                   -- for people
    family              TEXT,                                            -- models of one maker and line
    kind                TEXT NOT NULL,                                   -- llm, vision, diffusion, speech, embedding, ...
    params_total        REAL CHECK (params_total > 0),                   -- all weights
    params_active       REAL CHECK (params_active > 0),                  -- weights used for one token
    layers              INTEGER CHECK (layers > 0),                      -- blocks of the network
    hidden              INTEGER CHECK (hidden > 0),                      -- width of the residual stream
    heads               INTEGER CHECK (heads > 0),                       -- of attention
    kv_heads            INTEGER CHECK (kv_heads > 0),                    -- NULL for MLA
    head_dim            INTEGER CHECK (head_dim > 0),                    -- values of one head
    intermediate        INTEGER CHECK (intermediate > 0),                -- width of the dense MLP
    vocab               INTEGER CHECK (vocab > 0),                       -- tokens
    context             INTEGER CHECK (context > 0),                     -- tokens, longest
    attention           TEXT,                                            -- mha, gqa, mla, hybrid
    sliding_window      INTEGER CHECK (sliding_window > 0),              -- tokens, window of the local layers
    global_every        INTEGER CHECK (global_every > 0),                -- one layer in this many sees everything
    kv_latent_dim       INTEGER CHECK (kv_latent_dim > 0),               -- MLA: cached values a token and layer ...
    kv_rope_dim         INTEGER CHECK (kv_rope_dim > 0),                 -- ... and of the position part
    experts             INTEGER CHECK (experts > 0),                     -- of a mixture layer
    experts_active      INTEGER CHECK (experts_active > 0),              -- used for one token
    expert_intermediate INTEGER CHECK (expert_intermediate > 0),         -- width of one expert
    shared_experts      INTEGER CHECK (shared_experts >= 0),             -- always used
    tied_embeddings     TEXT CHECK (tied_embeddings IN ('yes', 'no')),   -- output matrix shared with the input
    mlp                 TEXT CHECK (mlp IN ('gated', 'plain')),          -- three or two matrices
    vision_params       REAL CHECK (vision_params > 0),                  -- weights of the vision part
    note                TEXT,                                            -- for people
    source              TEXT NOT NULL,                                   -- public documents
    import_id           INTEGER REFERENCES imports (id)                  -- NULL: shipped with the program
) STRICT;

-- Vision networks with their arithmetic at one picture size.
CREATE TABLE networks (
    id            TEXT NOT NULL,                                         -- name in timm
    gmacs         REAL CHECK (gmacs > 0),                                -- 10^9 multiply-adds a picture
    activations_m REAL CHECK (activations_m > 0),                        -- 10^6 activations a picture
    params_m      REAL CHECK (params_m > 0),                             -- 10^6 weights
    resolution_px INTEGER NOT NULL CHECK (resolution_px > 0),            -- pixels of an edge
    source        TEXT NOT NULL,                                         -- public documents
    import_id     INTEGER REFERENCES imports (id),                       -- NULL: shipped with the program
    PRIMARY KEY (id, resolution_px)
) STRICT;

-- TPU generations in one price region; every figure is of one chip.
CREATE TABLE tpus (
    tpu_slug                          TEXT NOT NULL,                     -- lower case with hyphens
    version                           TEXT NOT NULL,                     -- as the maker names it
    release_date                      TEXT NOT NULL,                     -- launch or announcement
    bf16_tflops                       REAL CHECK (bf16_tflops > 0),      -- TFLOPS
    int8_tops                         REAL CHECK (int8_tops > 0),        -- TOPS
    fp8_tflops                        REAL CHECK (fp8_tflops > 0),       -- TFLOPS
    hbm_gib                           REAL CHECK (hbm_gib > 0),          -- GiB
    hbm_bandwidth_gb_s                REAL CHECK (hbm_bandwidth_gb_s > 0), -- GB/s
    interconnect_gbit_s_per_chip      REAL CHECK (interconnect_gbit_s_per_chip > 0), -- gigabit/s, one way
    topology                          TEXT,                              -- of a pod
    max_pod_chips                     INTEGER CHECK (max_pod_chips > 0), -- chips of the largest pod
    pod_pflops_bf16                   REAL CHECK (pod_pflops_bf16 > 0),  -- PFLOPS of the largest pod
    chips_per_host                    INTEGER CHECK (chips_per_host > 0), -- chips one host sees
    tensorcores_per_chip              INTEGER CHECK (tensorcores_per_chip > 0), -- compute units of a chip
    tdp_watts                         REAL CHECK (tdp_watts > 0),        -- W
    availability                      TEXT,                              -- in words
    price_region                      TEXT,                              -- NULL: no price known
    usd_per_chip_hour_ondemand_micros INTEGER CHECK (usd_per_chip_hour_ondemand_micros >= 0), -- USD an hour
    usd_per_chip_hour_spot_micros     INTEGER CHECK (usd_per_chip_hour_spot_micros >= 0), -- USD an hour
    usd_per_chip_hour_1y_micros       INTEGER CHECK (usd_per_chip_hour_1y_micros >= 0), -- USD an hour, bound for a year
    usd_per_chip_hour_3y_micros       INTEGER CHECK (usd_per_chip_hour_3y_micros >= 0), -- USD an hour, bound for three years
    price_observed_on                 TEXT,                              -- when the prices were seen
    frameworks                        TEXT,                              -- joined by ;
    note                              TEXT,                              -- for people
    observed_on                       TEXT NOT NULL,                     -- when the source said so
    source                            TEXT NOT NULL,                     -- public documents
    import_id                         INTEGER REFERENCES imports (id),   -- NULL: shipped with the program
    CHECK (length(release_date) IN (4, 7, 10)
        AND date(substr(release_date || '-01-01', 1, 10)) IS substr(release_date || '-01-01', 1, 10)),
    CHECK (length(price_observed_on) IN (4, 7, 10)
        AND date(substr(price_observed_on || '-01-01', 1, 10)) IS substr(price_observed_on || '-01-01', 1, 10)),
    CHECK (length(observed_on) IN (4, 7, 10)
        AND date(substr(observed_on || '-01-01', 1, 10)) IS substr(observed_on || '-01-01', 1, 10))
) STRICT;

-- Rented instances at one place and day. An offer of an unknown card stays, and never advises.
CREATE TABLE cloud_offers (
    provider                     TEXT NOT NULL,                          -- who sells it
    instance_type                TEXT,                                   -- as the provider names it
    accelerator                  TEXT NOT NULL,                          -- name as printed
    gpu_slug                     TEXT,                                   -- id of gpus; NULL: names no card
    tpu_slug                     TEXT,                                   -- as in tpus; NULL: no TPU
    gpu_count                    REAL NOT NULL CHECK (gpu_count > 0),    -- cards, perhaps a fraction
    gpu_memory_gb                REAL CHECK (gpu_memory_gb > 0),         -- as printed, of one GPU
    vcpus                        REAL CHECK (vcpus > 0),                 -- of the instance
    ram_gb                       REAL CHECK (ram_gb > 0),                -- GB of the instance
    region                       TEXT,                                   -- as the provider names it
    currency                     TEXT NOT NULL CHECK (currency IN ('USD', 'CNY', 'EUR')), -- of the prices here
    ondemand_per_hour_micros     INTEGER CHECK (ondemand_per_hour_micros >= 0), -- of currency, per instance
    ondemand_usd_per_hour_micros INTEGER CHECK (ondemand_usd_per_hour_micros >= 0), -- USD; NULL: offered in another currency
    spot_usd_per_hour_micros     INTEGER CHECK (spot_usd_per_hour_micros >= 0), -- USD
    observed_on                  TEXT NOT NULL,                          -- when the source said so
    source                       TEXT NOT NULL,                          -- public documents
    import_id                    INTEGER REFERENCES imports (id),        -- NULL: shipped with the program
    CHECK (length(observed_on) IN (4, 7, 10)
        AND date(substr(observed_on || '-01-01', 1, 10)) IS substr(observed_on || '-01-01', 1, 10))
) STRICT;

-- Plans and machines of notebook services.
CREATE TABLE notebook_plans (
    provider                   TEXT NOT NULL,                            -- who sells it
    plan                       TEXT NOT NULL,                            -- as the provider names it
    price_usd_per_month_micros INTEGER CHECK (price_usd_per_month_micros >= 0), -- USD
    price_basis                TEXT,                                     -- in words
    compute_units_included     REAL CHECK (compute_units_included >= 0), -- a month
    accelerator                TEXT NOT NULL,                            -- name as printed
    gpu_slug                   TEXT,                                     -- id of gpus; NULL: names no card
    tpu_slug                   TEXT,                                     -- as in tpus; NULL: no TPU
    gpu_memory_gb              REAL CHECK (gpu_memory_gb > 0),           -- as printed, of one GPU
    cu_per_hour                REAL CHECK (cu_per_hour >= 0),            -- compute units
    currency                   TEXT NOT NULL CHECK (currency IN ('USD', 'CNY', 'EUR')), -- of the prices here
    price_per_hour_micros      INTEGER CHECK (price_per_hour_micros >= 0), -- of currency
    usd_per_hour_micros        INTEGER CHECK (usd_per_hour_micros >= 0), -- USD
    session_limit_hours        REAL CHECK (session_limit_hours >= 0),    -- hours
    idle_timeout_minutes       REAL CHECK (idle_timeout_minutes >= 0),   -- minutes
    ram_gb                     REAL CHECK (ram_gb >= 0),                 -- GB
    disk_gb                    REAL CHECK (disk_gb >= 0),                -- GB
    guarantee_or_limits        TEXT,                                     -- in words
    mainland_china_access      TEXT,                                     -- in words
    status                     TEXT NOT NULL CHECK (status IN ('current', 'historic')), -- for sale, or kept as history
    observed_on                TEXT NOT NULL,                            -- when the source said so
    source                     TEXT NOT NULL,                            -- public documents
    import_id                  INTEGER REFERENCES imports (id),          -- NULL: shipped with the program
    CHECK (length(observed_on) IN (4, 7, 10)
        AND date(substr(observed_on || '-01-01', 1, 10)) IS substr(observed_on || '-01-01', 1, 10))
) STRICT;

-- Prices seen, one row each, append-only. A price of an unknown card stays under the name as given.
CREATE TABLE gpu_prices (
    gpu_slug      TEXT NOT NULL,                                         -- id of gpus, or a name we have no card for
    condition     TEXT NOT NULL CHECK (condition IN ('new', 'used', 'msrp')), -- msrp: list price at launch
    currency      TEXT NOT NULL CHECK (length(currency) = 3),            -- ISO 4217
    amount_micros INTEGER NOT NULL CHECK (amount_micros > 0),            -- of currency, one card
    market        TEXT,                                                  -- us, cn, eu = no one country, de, ...
    observed_on   TEXT NOT NULL,                                         -- when the source said so
    source        TEXT NOT NULL,                                         -- public documents
    note          TEXT,                                                  -- for people
    import_id     INTEGER REFERENCES imports (id),                       -- NULL: shipped with the program
    CHECK (length(observed_on) IN (4, 7, 10)
        AND date(substr(observed_on || '-01-01', 1, 10)) IS substr(observed_on || '-01-01', 1, 10))
) STRICT;

-- Exchange rates of one day.
CREATE TABLE fx_assumptions (
    base        TEXT NOT NULL CHECK (length(base) = 3),                  -- ISO 4217
    quote       TEXT NOT NULL CHECK (length(quote) = 3),                 -- ISO 4217
    rate        REAL NOT NULL CHECK (rate > 0),                          -- quote for one base
    observed_on TEXT NOT NULL,                                           -- when the source said so
    note        TEXT,                                                    -- for people
    source      TEXT NOT NULL,                                           -- public documents
    confidence  TEXT CHECK (confidence IN ('high', 'medium', 'low', 'assumption')), -- in the rate
    import_id   INTEGER REFERENCES imports (id),                         -- NULL: shipped with the program
    CHECK (length(observed_on) IN (4, 7, 10)
        AND date(substr(observed_on || '-01-01', 1, 10)) IS substr(observed_on || '-01-01', 1, 10))
) STRICT;

-- Yearly loss of value by class and age.
CREATE TABLE depreciation (
    "class"          TEXT NOT NULL,                                      -- a segment of gpus, or a situation
    age_from_years   REAL NOT NULL CHECK (age_from_years >= 0),          -- years
    yearly_rate_low  REAL NOT NULL,                                      -- share lost a year; negative: a rise
    yearly_rate_mid  REAL NOT NULL,                                      -- median
    yearly_rate_high REAL NOT NULL,                                      -- upper quartile
    n                INTEGER CHECK (n >= 0),                             -- observations
    basis            TEXT,                                               -- in words
    source           TEXT NOT NULL,                                      -- public documents
    observed_on      TEXT,                                               -- when the source said so
    import_id        INTEGER REFERENCES imports (id),                    -- NULL: shipped with the program
    CHECK (length(observed_on) IN (4, 7, 10)
        AND date(substr(observed_on || '-01-01', 1, 10)) IS substr(observed_on || '-01-01', 1, 10))
) STRICT;

-- References are checked from both ends; these keep replacing the shipped cards quick.
CREATE INDEX gpus_by_architecture ON gpus (architecture);
CREATE INDEX aliases_by_gpu ON aliases (gpu_id);

-- What was seen was seen: a correction is a new observation, or the undoing of an import.
CREATE TRIGGER gpu_prices_append_only BEFORE UPDATE ON gpu_prices
BEGIN
    SELECT RAISE(ABORT, 'price observations are append-only');
END;
