/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Ctrl-C that ends the reading of a capture, not the command: after v9_stop_allow(), SIGINT between
 * v9_stop_begin() and v9_stop_end() makes v9_stopped() true from then on. A second SIGINT has the effect that it
 * had before.
 */
#ifndef V9TRACE_STOP_H
#define V9TRACE_STOP_H

#include <stdbool.h>

void v9_stop_allow(void);

/* Call both from the same thread, and do not nest them. If SIGINT is ignored, it remains ignored. */
void v9_stop_begin(void);
void v9_stop_end(void);

/* From any thread */
bool v9_stopped(void);

#endif
