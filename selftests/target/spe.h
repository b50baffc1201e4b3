/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by the SPE kselftests: finds the unit, decodes AUX bytes to records. */
#ifndef V9_SELFTEST_SPE_H
#define V9_SELFTEST_SPE_H

#include "ring.h"

int spe_find(struct unit *unit);

/* Fills in the SPE members of @unit, after unit_find(). */
void spe_fill(struct unit *unit);

/* Sets the attributes of an event: user space only, period 1024 or a larger minimum, disabled. */
void spe_attr(const struct unit *unit, struct perf_event_attr *attr);
const char *spe_missing(const struct unit *unit);

/* One sample record; a field is valid if its bit is set in @has */
enum {
	REC_PC = 1 << 0, REC_TARGET = 1 << 1, REC_VA = 1 << 2, REC_PA = 1 << 3,
	REC_OP = 1 << 4, REC_EVENTS = 1 << 5, REC_TOTAL = 1 << 6, REC_ISSUE = 1 << 7,
	REC_XLAT = 1 << 8, REC_CONTEXT = 1 << 9, REC_TS = 1 << 10, REC_SOURCE = 1 << 11,
};

struct spe_rec {
	unsigned int has;
	uint64_t pc, target, va, pa;	/* payloads as recorded, byte 7 included */
	uint64_t events, ts;
	uint32_t context;
	uint16_t total, issue, xlat, source;
	uint8_t op_class, op;
	size_t at;			/* AUX position of its first byte */
};

struct spe_recs {
	struct spe_rec *rec;
	size_t n;
	size_t bad_at;			/* AUX position where decoding failed */
	const char *why;
};

int spe_decode(const uint8_t *bytes, size_t n, size_t aux_size, struct spe_recs *recs);
int spe_records(struct ring *ring, struct spe_recs *recs);
void spe_free(struct spe_recs *recs);

#define SPE_ADDR(payload)	((payload) & UINT64_C(0x00ffffffffffffff))
#define SPE_ADDR_EL(payload)	((unsigned int)((payload) >> 61) & 3)

/*
 * The unit loses the records that it still holds when its buffer becomes full, without a flag
 * (SPE-ME3). Their maximum number is implementation defined; V9_IN_FLIGHT is that of the model.
 */
unsigned int spe_in_flight(void);

size_t spe_in_spin(const struct spe_recs *recs);

#define NEED_UNIT(unit)								\
	struct unit unit;							\
										\
	NEED(!spe_find(&(unit)), "FEAT_SPE (no PMU arm_spe_*)")

/* Like NEED_UNIT(). Also skips if the caller may not open such an event or lock its buffer. */
#define NEED_SESSION(unit)							\
	NEED_UNIT(unit);							\
	const char *missing = spe_missing(&(unit));				\
										\
	NEED(!missing, "%s", missing)

/*
 * End a session: stop it, collect and decode its data, and check what holds for each session
 * whatever it recorded.
 */
#define FINISH(ring, recs)							\
	do {									\
		ASSERT_EQ(0, ring_disable(&(ring)));				\
		COLLECT(ring, recs);						\
	} while (0)

#define COLLECT(ring, recs)							\
	do {									\
		ASSERT_EQ(0, ring_drain(&(ring)));				\
		DECODE(ring, recs);						\
	} while (0)

#define DECODE(ring, recs)							\
	do {									\
		EXPECT_EQ(NULL, (ring).wrong)					\
			TH_LOG("%s", (ring).wrong);				\
		ASSERT_EQ(0, spe_records(&(ring), &(recs)))			\
			TH_LOG("%s at AUX position %zu of %zu", (recs).why,	\
			       (recs).bad_at, (ring).nbytes);			\
	} while (0)

#endif
