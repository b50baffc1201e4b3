/* SPDX-License-Identifier: GPL-2.0-only */
/* The typed tables of the manual, asked cell by cell. */
#ifndef V9TRACE_FW_CELLS_H
#define V9TRACE_FW_CELLS_H

#include "fw.h"

/* Columns of D6-5 to D6-7 that this machine can make */
enum column { S1, S2, OTHER, EA_S1, EA_S2, GPF_S1, GPF_S2, GPC };

/* x of the status register that records it */
unsigned int cell_level(const struct controls *c, enum column column);
/* The interrupt request is enabled while the register of EL1 asks. */
bool cell_irq(const struct controls *c);
/* The exception that the register of EL@level asks for while at @el: a character of the tables */
char cell_exception(const struct controls *c, unsigned int level, unsigned int el);
/* NULL if recs[] is what @cell says of a program at @el, else what is wrong */
const char *cell_happened(unsigned int unit, char cell, unsigned int el, unsigned int pm);

#endif
