/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Text for ETE packets. All names come from tables/ete.pkt. */
#ifndef V9TRACE_LIB_ETE_TEXT_H
#define V9TRACE_LIB_ETE_TEXT_H

#include <stdio.h>

#include <v9trace/ete.h>

/* Write name and contents of a packet, for example "Target Address Short IS0 0x4005d8". */
void v9_ete_pkt_text(FILE *f, const struct v9_ete_pkt *p);

/* Name of an exception type; NULL if the type is reserved. */
const char *v9_ete_exception_text(unsigned int type);
const char *v9_ete_reason_text(unsigned int reason);

#endif
