/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The screen of v9trace top, of ncurses */
#ifndef V9TRACE_TOP_SCREEN_H
#define V9TRACE_TOP_SCREEN_H

#include "top.h"

/* Shows rows and takes keys until the recording has ended. Messages go to the screen meanwhile. */
void v9_top_screen(struct v9_top *t);

#endif
