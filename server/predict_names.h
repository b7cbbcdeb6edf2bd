/* What the names in tables of measurements mean: kinds of work, models, formats, networks. Names
 * that are not known are read by their parts (a size such as 7b, bits such as q4), so that rows of
 * tables never seen before are questions too. */
#ifndef GPUWISE_PREDICT_NAMES_H
#define GPUWISE_PREDICT_NAMES_H

#include "../handlers/engine/ask.h"

#include <stdbool.h>

/* A kind of work by the begin of its name. */
struct predict_work {
    const char *name;
    enum speed_class class;
    double params_m; /* parameters, 10^6; NAN: of no interest */
};

bool predict_names_begins(const char *text, const char *start);

/* The longest name that the workload begins with, else of the family; vision where none does. */
struct predict_work predict_names_work(const char *family, const char *workload);

/* The language model of a family such as llama2-7b. The size stands in the metric text ("total
 * params 27B, active 4B"), in the catalogue or in the family's name. False: no size anywhere. */
bool predict_names_model(const struct catalogue *catalogue, const char *family, const char *metric,
                         struct model *model);

/* The format of a precision such as q4_k_m, gptq-4bit-g128 or exl2-3.0bpw. */
void predict_names_quant(const struct catalogue *catalogue, const char *precision,
                         struct quant *quant);

/* The network that a workload such as resnet50-224px-inference begins with, else the most alike in
 * name, at that many pixels of an edge (NAN: not stated); NULL: none of the catalogue. */
const struct network *predict_names_network(const struct catalogue *catalogue, const char *workload,
                                            double *pixels);

/* A model of that kind of which nothing else is known. */
struct model predict_names_blank(const char *kind, double params);

#endif
