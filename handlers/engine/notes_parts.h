/* Between the files notes*.c: the warnings about the machine. */
#ifndef GPUWISE_ENGINE_NOTES_PARTS_H
#define GPUWISE_ENGINE_NOTES_PARTS_H

#include "phrase.h"
#include "question.h"
#include "recommend.h"

/* What a card asks of any machine: board, plug, cooling, lanes. */
void notes_machine_of_card(struct phrase_book *book, const struct gpu *gpu);

/* What the set asks of the machine of the question: the above, the power supply, room and slots. */
void notes_machine_of_pick(struct phrase_book *book, const struct question *question,
                           const struct pick *pick);

#endif
