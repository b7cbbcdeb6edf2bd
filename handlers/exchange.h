/* One request on its way to its response: what every handler gets. */
#ifndef GPUWISE_EXCHANGE_H
#define GPUWISE_EXCHANGE_H

#include "app.h"
#include "complaints.h"
#include "engine/message.h"
#include "negotiate.h"
#include "query.h"

struct model_config;

struct exchange {
    const struct app_view *view;
    const struct http_request *request;
    struct arena *arena;
    const struct catalogue *catalogue;
    enum language language;
    const char *path;     /* of the route, as "/gpus" */
    const char *argument; /* decoded part of the path behind the route; NULL: none */
    size_t argument_length;
    const char *allowed_methods;       /* of the route, for Allow */
    const struct model_config *posted; /* a model in the body; NULL: none */
    struct query query;
    struct complaints complaints;
    struct http_response *response; /* filled by exactly one reply_... or problem_... call */
    enum media media;               /* the representation to answer in */
    size_t media_count;             /* the route has the first so many representations */
};

#endif
