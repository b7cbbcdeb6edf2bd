/* Words in texts. */
#include "../../handlers/search.h"

#include "../tap.h"

int main(void)
{
    tap_ok(search_text_holds("NVIDIA GeForce RTX 3090", "rtx-3090") &&
               !search_text_holds("NVIDIA GeForce RTX 3090", "rtx-4090") &&
               !search_text_holds(NULL, "rtx"),
           "a word in a text");
    return tap_done();
}
