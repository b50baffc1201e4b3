/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Words for what is in a record; all of them come from tables/spe.pkt and spe.source. */
#ifndef V9TRACE_LIB_SPE_TEXT_H
#define V9TRACE_LIB_SPE_TEXT_H

#include <stddef.h>
#include <stdint.h>

#define V9_SPE_EVENT_BITS	64

/* Name of an event bit in lower case, "l1d_access"; NULL if the bit has none. */
const char *v9_spe_event_name(unsigned int bit);
const char *v9_spe_event_text(unsigned int bit);

/* "retired l1d_access"; bits without a name as "e47". */
const char *v9_spe_events(char *buf, size_t size, uint64_t events);

/* "load", "store simd_fp", "branch cond", "other 0x40" where the subclass is not known. */
const char *v9_spe_op(char *buf, size_t size, unsigned int class, uint8_t op);

/* What the operation does to memory: -1 no load or store, 0 load, 1 store. */
int v9_spe_op_store(unsigned int class, uint8_t op);

/* How the cores of this MIDR number data sources; V9_SPE_SET_UNKNOWN, 0: it is not known. */
unsigned int v9_spe_source_set(uint64_t midr);

/* "dram", "memory"; NULL for a number that the set does not use. */
const char *v9_spe_source(unsigned int set, uint16_t source);
const char *v9_spe_source_text(unsigned int set, uint16_t source);

#endif
