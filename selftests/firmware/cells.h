/* SPDX-License-Identifier: GPL-2.0-only */
/* The typed tables of the manual, one cell at a time. */
#ifndef V9TRACE_FW_CELLS_H
#define V9TRACE_FW_CELLS_H

#include "fw.h"

/* The columns of D6-5 to D6-7 that this machine can produce */
enum column { S1, S2, OTHER, EA_S1, EA_S2, GPF_S1, GPF_S2, GPC };

/* Returns x of the status register that records the event. */
unsigned int cell_level(const struct controls *c, enum column column);
/* Returns true if the interrupt is asserted while the register of EL1 requests it. */
bool cell_irq(const struct controls *c);
/*
 * Returns the exception that the register of EL@level requests while at @el: a character of the
 * tables.
 */
char cell_exception(const struct controls *c, unsigned int level, unsigned int el);
/* Returns NULL if recs[] is what @cell requires of a program at @el, else what is wrong. */
const char *cell_happened(unsigned int unit, char cell, unsigned int el, unsigned int pm);

#endif
