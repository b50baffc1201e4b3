/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Sums of SPE records while they are recorded: by address of the instruction in its object, and by
 * cache line of the data and CPU type if that is wanted. Records themselves are not kept. Memory is
 * bounded: at the bound the addresses with the fewest samples are evicted, and their sums are added to
 * one for each CPU type.
 */
#ifndef V9TRACE_LIVE_LIVE_H
#define V9TRACE_LIVE_LIVE_H

#include "../capture/session.h"
#include "../report/bins.h"
#include "../report/weights.h"
#include "places.h"

#define V9_LIVE_KEYS	6
#define V9_LIVE_LINE	64		/* bytes of a cache line */
#define V9_LIVE_NO_LINE	UINT64_MAX

/* Values of v9_live_sum.object; others are the index of an object + 2. */
#define V9_LIVE_UNKNOWN	0		/* no mapping is known, or the record has no address */
#define V9_LIVE_KERNEL	1

struct v9_live_sum {
	union {
		struct {
			uint64_t object;
			uint64_t addr;		/* offset in the file; otherwise as recorded */
			uint64_t line;		/* of the data, or V9_LIVE_NO_LINE */
			uint64_t pid;		/* of that line; V9_NO_TASK: not known, or the kernel's */
			uint64_t midr;		/* of the CPU; 0: not known, or not wanted */
			uint64_t period;	/* by a V9_LIVE_PERIOD; 0: there was none */
		};
		uint64_t key[V9_LIVE_KEYS];
	};
	uint64_t value[V9_SPE_WEIGHTS];
};

/* Other sums of the same records, which are few: .what of struct v9_live_class */
enum v9_live_what {
	V9_LIVE_SOURCE,			/* of loads and stores by data source */
	V9_LIVE_LATENCY,		/* by total latency: its number of binary digits */
};
#define V9_LIVE_NONE	UINT64_MAX	/* .of: the record has no data source, or no latency */

struct v9_live_class {
	union {
		struct {
			uint64_t what;		/* enum v9_live_what */
			uint64_t midr;		/* of the CPU, for a data source; 0: not known */
			uint64_t of;
			uint64_t period;	/* as in v9_live_sum */
		};
		uint64_t key[4];
	};
	uint64_t value[V9_SPE_WEIGHTS];
};

/* A CPU type and a period of which there was AUX data */
struct v9_live_type {
	uint64_t midr;			/* 0: not known, or types are not wanted */
	uint64_t period;		/* as in v9_live_sum */
	uint64_t evicted[V9_SPE_WEIGHTS];	/* the sum of its evicted sums */
};

/* Adds a sum to the evicted ones of its type and period, for which there is an entry afterwards. */
void v9_live_evicted(struct v9_live_type **types, size_t *n, const struct v9_live_sum *s);

/* Records of a batch that no file has */
enum v9_live_record { V9_LIVE_PERIOD = 0x10000, V9_LIVE_COST };

/* AUX data of a CPU from byte @offset of its stream on is of samples with this period. */
struct v9_live_period {
	struct pd_event_header header;
	uint32_t cpu, reserved;
	uint64_t offset, period;
};

/* What recording costs in this interval, and what it may cost: millionths of the time of the recorded CPUs */
struct v9_live_cost {
	struct pd_event_header header;
	uint32_t cost, budget;		/* @budget is not 0 */
	uint64_t interrupts;		/* 1: with the time of the unit's interrupts */
};

/* What was read in an interval */
struct v9_live_profile {
	struct v9_bins sums;		/* struct v9_live_sum */
	struct v9_bins classes;		/* struct v9_live_class, if they are wanted */
	struct v9_live_type *types;
	size_t nr_types;
	uint64_t evicted;		/* sums */
	uint64_t begin, end;		/* of the interval, ns since 1970 */
	uint64_t first, last;		/* least and greatest time of a record, ns of perf's clock */
	bool has_time;			/* these are valid */
	struct v9_interval interval;
	uint64_t late_bytes;		/* AUX bytes that were not decoded, because that took too long */
	uint64_t maps_dropped;
	struct v9_live_cost cost;	/* .budget 0: there was no such record */
	struct v9_spe_account acc;
	struct v9_aux_sum aux;		/* .bytes: with .late_bytes */
	struct v9_losses lost;
};

struct v9_live_setup {
	size_t memory;			/* of the sums, in bytes */
	bool lines;			/* by cache line, too */
	bool types;			/* by CPU type, too */
	bool classes;			/* the sums by data source and latency, too */
	uint64_t begin;			/* of the first interval, ns since 1970 */
	const uint8_t *registers;	/* section PD_REGISTERS, for v9_live_init(); NULL: none */
	size_t registers_size;
	/* Reads the build-id of an object that the side-band has none of. Returns its size; 0: none. */
	unsigned int (*find_id)(void *arg, const char *name, bool kernel, uint8_t id[V9_LIVE_ID]);
	void *arg;
};

/* The @n sums with the fewest samples, where @n is at least 1 and at most their number */
struct v9_live_least {
	uint64_t most;			/* sums with more samples are none of them */
	size_t equal;			/* so many of those with as many are */
};
void v9_live_least(struct v9_live_least *least, const struct v9_bins *sums, size_t n);
/* Returns true if @s is one of them. Call it once for each sum. */
bool v9_live_is_least(struct v9_live_least *least, const struct v9_live_sum *s);

/* Sums that fit into .memory */
size_t v9_live_most(size_t memory);

struct v9_live {
	struct v9_live_setup setup;
	struct v9_interval interval;
	struct v9_core *cores;		/* CPUs of which the type is known */
	size_t nr_cores;
	struct v9_live_places places;
	struct v9_live_profile profile;	/* .acc is set by v9_live_account() */
	struct v9_spe_account before;	/* of all decoders, at the begin of the interval */
	size_t most;			/* sums to keep */
	bool on_demand;			/* there are classes because v9_live_ask_classes() was called .. */
	bool asked;			/* .. in this interval */
	struct pd_time_conv conv;
	bool has_conv;
	struct v9_live_cpu *cpus;
	size_t nr_cpus;
	struct v9_live_event *events;	/* of the batch that is read */
	size_t nr_events;
};

void v9_live_init(struct v9_live *l, const struct v9_live_setup *setup);

/*
 * Reads a batch: records of a capture, each padded to a multiple of 8 bytes, AUX data included
 * (pd_auxtrace.size: without the padding). Side-band records are those that came after the AUX data,
 * so that the mappings of all its addresses are known. @whole: this batch and those before it hold all
 * trace from before the previous batch.
 */
void v9_live_read(struct v9_live *l, const uint8_t *p, size_t n, bool whole);

/* Incomplete SPE records at the end of the recording are counted as skipped. */
void v9_live_end(struct v9_live *l);

/* Sets .profile.acc. */
void v9_live_account(struct v9_live *l);

/* Begins the next interval where this one ends: removes all sums, and objects that are no longer mapped. */
void v9_live_next(struct v9_live *l);

/* The period of the AUX data read last of the first CPU of which a V9_LIVE_PERIOD has said it; 0: there is none. */
uint64_t v9_live_period(const struct v9_live *l);

/* Adds up classes, too, from now until the end of the next interval without such a call. */
void v9_live_ask_classes(struct v9_live *l);

/* Removes objects that are no longer mapped and of which there is no sum, for an interval without end. */
void v9_live_tidy(struct v9_live *l);
void v9_live_free(struct v9_live *l);

#endif
