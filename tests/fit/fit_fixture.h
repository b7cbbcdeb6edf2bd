/* A folder of small tables of measurements, and the shipped facts, for the tests of the fit. */
#ifndef GPUWISE_TESTS_FIT_FIXTURE_H
#define GPUWISE_TESTS_FIT_FIXTURE_H

#include "../../db/catalogue_load.h"
#include "../../server/fit/truth.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { FIXTURE_PATH_BYTES = 256 };

struct fit_fixture {
    char folder[FIXTURE_PATH_BYTES];
    struct database *database;
    struct catalogue *catalogue;
    struct truth truth;
    struct error err;
};

#define SPEED_ROW(id, workload, gpu, count, unit, value, software, source, known, flag)            \
    id "," workload ",llama3-8b,q4_0," gpu "," gpu "," count ",1,m," unit "," value ",1," software \
       ",2024-08," source "," known "," flag "\n"

/* Three cards in a group of times; one of MLPerf by eight and one card, where one card has two
 * rows; decode that also is a group; a prompt, a picture, and what must not count. */
static const char FIXTURE_SPEED[] =
    "id,workload,family,precision,gpu_as_named,gpu_slug,gpu_count,batch,metric,unit,value,n,"
    "software,date,source,in_catalogue,flag\n" SPEED_ROW(
        "tp-1", "net-train", "nvidia-geforce-rtx-3090", "1", "ms/step", "10", "s", "a", "yes",
        "") SPEED_ROW("tp-2", "net-train", "nvidia-geforce-rtx-4090", "1", "ms/step", "4", "s", "a",
                      "yes", "") SPEED_ROW("tp-3", "net-train", "nvidia-tesla-t4", "1", "ms/step",
                                           "20", "s", "a", "yes", "")
        SPEED_ROW("tp-4", "net-train", "nvidia-l4", "1", "ms/step", "9", "s", "a", "yes", "suspect")
            SPEED_ROW("tp-5", "net-train", "nvidia-l40s", "1", "ms/step", "9", "s", "a", "yes",
                      "community")
                SPEED_ROW("tp-6", "net-train", "of-nobody", "1", "ms/step", "9", "s", "a", "no", "")
                    SPEED_ROW("tp-7", "net-train", "nvidia-l40s", "2", "ms/step", "9", "s", "a",
                              "yes", "") SPEED_ROW("tp-8", "net-train", "nvidia-l40s", "1",
                                                   "ms/step", "9", "other", "a", "yes", "")
                        SPEED_ROW("tp-9", "bert", "nvidia-tesla-t4", "8", "samples/s", "800", "s",
                                  "mlperf-v1", "yes",
                                  "") SPEED_ROW("tp-10", "bert", "nvidia-a100-sxm4-80gb", "8",
                                                "samples/s", "8000", "s", "mlperf-v1", "yes", "")
                            SPEED_ROW("tp-11", "bert", "nvidia-a100-sxm4-80gb", "1", "samples/s",
                                      "1200", "s", "mlperf-v1", "yes",
                                      "") SPEED_ROW("tp-12", "bert", "nvidia-l4", "16", "samples/s",
                                                    "1", "s", "mlperf-v1", "yes", "")
                                SPEED_ROW("tp-13", "bert", "nvidia-a10", "4", "samples/s", "1000",
                                          "s", "mlperf-v1", "yes",
                                          "") SPEED_ROW("tp-14", "llm-decode-8b-llama3.1-q4_0",
                                                        "nvidia-geforce-rtx-3090", "1", "tokens/s",
                                                        "120", "llama.cpp CUDA", "b", "yes", "")
                                    SPEED_ROW("tp-15", "llm-decode-8b-llama3.1-q4_0",
                                              "nvidia-geforce-rtx-4090", "1", "tokens/s", "140",
                                              "llama.cpp CUDA", "b", "yes",
                                              "") SPEED_ROW("tp-16", "llm-decode-8b-llama3.1-q4_0",
                                                            "nvidia-tesla-t4", "1", "tokens/s",
                                                            "40", "llama.cpp CUDA", "c", "yes", "")
                                        SPEED_ROW("tp-17", "llm-decode-8b-llama3.1-bf16",
                                                  "nvidia-geforce-rtx-3090", "1", "tokens/s", "30",
                                                  "HF Transformers", "c", "yes", "")
                                            SPEED_ROW("tp-18", "llm-prefill-8b-llama3.1-q4_0",
                                                      "nvidia-geforce-rtx-3090", "1", "tokens/s",
                                                      "4000", "llama.cpp CUDA", "b", "yes", "")
                                                SPEED_ROW("tp-19", "resnet50-224px-inference",
                                                          "nvidia-geforce-rtx-3090", "1",
                                                          "images/s", "3000", "timm", "timm", "yes",
                                                          "");

#define MEMORY_ROW(id, task, quant, batch, seq, context, card_gb, fact, gib, source, evidence)     \
    id ",Llama 2 7B,llama2,6.74," task ",bf16," quant ",AdamW," batch "," seq "," context          \
       ",1,,,A100,nvidia-a100-sxm4-80gb," card_gb "," fact "," gib ",GiB," gib ",per-gpu,," source \
       "," evidence ",\n"

static const char FIXTURE_MEMORY[] =
    "id,model,family,params_b,task,precision,quantisation,optimizer,batch,seq_len,context,gpus,"
    "parallelism,checkpointing,gpu_as_named,gpu_slug,gpu_memory_gb,fact,measured,unit,"
    "measured_gib,scope,method,source,evidence,notes\n" MEMORY_ROW(
        "mem-1", "inference", "", "1", "", "2048", "", "measured", "14.5", "x", "table")
        MEMORY_ROW("mem-2", "inference", "", "1", "", "8192", "", "measured", "18.5", "y", "log")
            MEMORY_ROW("mem-3", "inference", "", "1", "", "2048", "", "measured", "14", "x",
                       "recalled") MEMORY_ROW("mem-4", "inference", "", "1", "", "", "", "measured",
                                              "14", "x", "table")
                MEMORY_ROW("mem-5", "inference", "", "1", "", "", "", "measured", "13.6",
                           "litgpt tables", "table")
                    MEMORY_ROW("mem-6", "train-lora", "", "1", "2048", "", "", "measured", "21",
                               "y", "table") MEMORY_ROW("mem-7", "train-lora", "", "", "2048", "",
                                                        "", "measured", "20", "x", "table")
                        MEMORY_ROW("mem-8", "inference", "", "1", "", "2048", "80", "fits", "", "x",
                                   "table") MEMORY_ROW("mem-9", "inference", "", "1", "", "2048",
                                                       "8", "does-not-fit", "", "x", "table")
                            MEMORY_ROW("mem-10", "inference", "", "1", "", "2048", "", "fits", "",
                                       "x", "table");

static const char FIXTURE_SIZES[] =
    "id,kind,model,family,params_b,quant,bits_per_weight,n_ctx,kv_type,n_layer,n_kv_heads,head_dim,"
    "size,unit,size_gib,backend,source,evidence,notes\n"
    "kv-1,gguf-size,Llama 3.1 8B,llama3,8.03,Q4_0,4.64,,,,,,4.34,GiB,4.34,,x,table,\n"
    "kv-2,kv-cache,Llama 3.1 8B,llama3,8.03,Q4_0,4.64,8192,f16,32,8,128,1024,MiB,1,,x,log,\n"
    "kv-3,compute-buffer,Llama 3.1 "
    "8B,llama3,8.03,Q4_0,4.64,8192,f16,32,8,128,560,MiB,0.5,,x,log,\n";

static bool fixture_write(struct fit_fixture *fixture, const char *name, const char *text)
{
    char path[FIXTURE_PATH_BYTES + 32];

    (void)snprintf(path, sizeof path, "%s/%s", fixture->folder, name);
    FILE *file = fopen(path, "w");
    bool is_good = file != NULL && fputs(text, file) >= 0;

    return file != NULL && fclose(file) == 0 && is_good;
}

static void fixture_remove(const struct fit_fixture *fixture, const char *name)
{
    char path[FIXTURE_PATH_BYTES + 32];

    (void)snprintf(path, sizeof path, "%s/%s", fixture->folder, name);
    (void)unlink(path); /* one that was never written */
}

/* False: fixture->err says why. */
static bool fixture_init(struct fit_fixture *fixture)
{
    *fixture = (struct fit_fixture){.folder = "/tmp/gpuwise-fit-XXXXXX"};
    return mkdtemp(fixture->folder) != NULL &&
           fixture_write(fixture, "throughput.csv", FIXTURE_SPEED) &&
           fixture_write(fixture, "memory.csv", FIXTURE_MEMORY) &&
           fixture_write(fixture, "kv.csv", FIXTURE_SIZES) &&
           database_open_shipped(&fixture->database, &fixture->err) &&
           catalogue_load(fixture->database, &fixture->catalogue, &fixture->err) &&
           truth_read(fixture->catalogue, fixture->folder, &fixture->truth, &fixture->err);
}

static void fixture_fini(struct fit_fixture *fixture)
{
    truth_fini(&fixture->truth);
    catalogue_unref(fixture->catalogue);
    database_close(fixture->database);
    fixture_remove(fixture, "throughput.csv");
    fixture_remove(fixture, "memory.csv");
    fixture_remove(fixture, "kv.csv");
    (void)rmdir(fixture->folder);
}

/* The observation of the kind by the id of its first row; NULL: none. */
__attribute__((unused)) static struct observation *
fixture_find(struct fit_fixture *fixture, enum truth_kind kind, const char *id)
{
    for (size_t i = 0; i < fixture->truth.observation_count; i++) {
        struct observation *observation = &fixture->truth.observations[i];

        if (observation->kind == kind && strcmp(observation->id, id) == 0) {
            return observation;
        }
    }
    return NULL;
}

#endif
