/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Words for packets of ETE; all of them come from tables/ete.pkt. */
#ifndef V9TRACE_LIB_ETE_TEXT_H
#define V9TRACE_LIB_ETE_TEXT_H

#include <stdio.h>

#include <v9trace/ete.h>

/* "Target Address Short IS0 0x4005d8": the packet's name and what is in it. */
void v9_ete_pkt_text(FILE *f, const struct v9_ete_pkt *p);

/* Of an exception type; NULL if reserved. */
const char *v9_ete_exception_text(unsigned int type);
const char *v9_ete_reason_text(unsigned int reason);

#endif
