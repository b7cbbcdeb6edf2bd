/* The version of the program, here and nowhere else. */
#ifndef GPUWISE_VERSION_H
#define GPUWISE_VERSION_H

#define VERSION_TEXT "0.1.0"

#endif
