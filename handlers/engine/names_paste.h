/* The name within what people paste, for names.c. */
#ifndef GPUWISE_ENGINE_NAMES_PASTE_H
#define GPUWISE_ENGINE_NAMES_PASTE_H

#include "catalogue.h"
#include "names_split.h"

/* Reduces a normalised line of lspci ("01:00.0 VGA compatible controller: NVIDIA Corporation GA102
 * [GeForce RTX 3090] (rev a1)") or `nvidia-smi -L` ("GPU 0: NVIDIA L4 (UUID: ...)") to the name as
 * the aliases of kind lspci have it ("ga102-[geforce-rtx-3090]"). Other text stays. */
void names_paste_unwrap(char key[NAMES_KEY_BYTES]);

/* What stands in the brackets behind a chip of the catalogue (GA102, GA102GL, Navi 31), normalised.
 * False: it is no such name. */
bool names_paste_in_brackets(const struct catalogue *catalogue, const char *key,
                             char out[NAMES_KEY_BYTES]);

/* The name within an instance type of Vast ("4x-rtx-4060-ti-32-65536"), normalised. False: it is no
 * such type. */
bool names_paste_of_instance(const char *key, char out[NAMES_KEY_BYTES]);

#endif
