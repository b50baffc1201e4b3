// SPDX-License-Identifier: GPL-2.0-only
/*
 * The tracepoints are made here, once for all modules.
 */
#include <linux/module.h>

#define CREATE_TRACE_POINTS
#include "v9_events.h"

EXPORT_TRACEPOINT_SYMBOL_GPL(v9_window);
EXPORT_TRACEPOINT_SYMBOL_GPL(v9_data);
EXPORT_TRACEPOINT_SYMBOL_GPL(v9_interrupt);
