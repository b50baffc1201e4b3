/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Symbols of the kernel that runs on this machine, for captures of the same kernel. */
#ifndef V9TRACE_CAPTURE_RUNNING_H
#define V9TRACE_CAPTURE_RUNNING_H

#include "sym.h"
#include "../util.h"

/*
 * Appends /proc/kallsyms to @text, with the addresses that the symbols had when the capture was
 * recorded. KASLR moves the kernel at each boot: the distance is that of _text to the map of the
 * kernel in the capture. Each module has a distance of its own, and names only if the module that
 * is loaded has the recorded build-id; else .why of its object says why not. The build-ids are
 * those in /sys/kernel/notes and /sys/module/NAME/notes.
 *
 * Returns NULL, or why this machine has no symbols for the capture.
 */
const char *v9_running_kallsyms(struct v9_syms *s, struct v9_blob *text);

#endif
