// SPDX-License-Identifier: GPL-2.0-only
/*
 * Features of later SPE versions, on whatever unit is present: each option takes effect, or is
 * refused with a reason. Records are compared with the instructions of the insn_mix loop.
 */
#include "harness.h"

#include <fcntl.h>
#include <sys/ioctl.h>

#include "machine.h"
#include "spe.h"
#include "work.h"
#include "insn_mix.h"

#define AUX_PAGES	4096
#define ROUNDS		60000ULL
#define CFG_JITTER	(1ULL << 16)
#define EV_L1D_REFILL	(1ULL << 3)
#define EV_LLC_MISS	(1ULL << 9)
#define EV_L2D_ACCESS	(1ULL << 19)
#define EV_L2D_MISS	(1ULL << 20)
#define EV_LATE		(EV_L2D_ACCESS | EV_L2D_MISS | 1 << 2 | 1 << 4 | 1 << 8 | EV_LLC_MISS)

/* All options that a unit or a kernel may lack */
static const struct {
	const char *name;
	unsigned int word;
	uint64_t value;
} options[] = {
	{ "branch_filter", 0, 1ULL << 32 }, { "load_filter", 0, 1ULL << 33 },
	{ "store_filter", 0, 1ULL << 34 }, { "discard", 0, 1ULL << 35 },
	{ "branch_filter_mask", 0, 1ULL << 36 }, { "load_filter_mask", 0, 1ULL << 37 },
	{ "store_filter_mask", 0, 1ULL << 38 }, { "simd_filter", 0, 1ULL << 39 },
	{ "simd_filter_mask", 0, 1ULL << 40 }, { "float_filter", 0, 1ULL << 41 },
	{ "float_filter_mask", 0, 1ULL << 42 }, { "event_filter", 1, 1ULL << 3 },
	{ "min_latency", 2, 1 }, { "inv_event_filter", 3, 1ULL << 3 },
	{ "inv_data_src_filter", 4, 1 },
};

/* Our headers may have a perf_event_attr without config4, which the kernel has. */
struct long_attr {
	struct perf_event_attr attr;
	uint64_t more[8];
};

#define AT_CONFIG4	136

static void set_option(struct long_attr *l, unsigned int word, uint64_t value)
{
	static const size_t at[] = {
		offsetof(struct perf_event_attr, config), offsetof(struct perf_event_attr, config1),
		offsetof(struct perf_event_attr, config2), offsetof(struct perf_event_attr, config3),
		AT_CONFIG4,
	};

	memcpy((char *)l + at[word], &value, sizeof(value));
	if (word == 4 && l->attr.size < AT_CONFIG4 + 8)
		l->attr.size = AT_CONFIG4 + 8;
}

static void long_attr(const struct unit *unit, struct long_attr *l)
{
	memset(l, 0, sizeof(*l));
	spe_attr(unit, &l->attr);
	l->attr.config = CFG_JITTER;
}

static bool has_option(const struct unit *unit, const char *name)
{
	char path[64];

	snprintf(path, sizeof(path), "format/%s", name);
	return unit_has(unit, path);
}

/*
 * An option in format/ is accepted. Others are refused, and the dynamic debug log has the
 * option's name.
 * shows: SPE-FI13 SPE-FI14
 */
TEST(accepted_or_refused_with_a_reason)
{
	unsigned int taken = 0, reasons = 0;
	int log;

	NEED_SESSION(unit);
	NEED_PERFMON();
	log = unit.ours ? log_begins("v9_spe") : -1;
	for (size_t i = 0; i < ARRAY_SIZE(options); i++) {
		struct long_attr l;
		char reason[80];
		int fd;

		long_attr(&unit, &l);
		l.attr.config = 0;
		set_option(&l, options[i].word, options[i].value);
		fd = ring_event(&l.attr, 0, -1);
		if (has_option(&unit, options[i].name)) {
			EXPECT_GE(fd, 0) TH_LOG("%s: %d", options[i].name, fd);
			taken++;
		} else {
			EXPECT_TRUE(fd == -EOPNOTSUPP || fd == -EINVAL || fd == -E2BIG)
				TH_LOG("%s: %d", options[i].name, fd);
		}
		if (fd >= 0)
			close(fd);
		if (fd == -EOPNOTSUPP && log >= 0) {
			snprintf(reason, sizeof(reason), "event refused: %s: this unit lacks it", options[i].name);
			EXPECT_EQ(1, log_lines(log, reason))
				TH_LOG("%s: no reason in the log", options[i].name);
			reasons++;
		}
	}
	TH_LOG("%u of %zu taken, %u reasons logged", taken, ARRAY_SIZE(options), reasons);
	log_ends(log, "v9_spe");
}

static void warm_up(void)
{
	insn_mix(10, 1);
	spin(10);
}

static int record(struct long_attr *l, struct spe_recs *recs, void (*work)(void))
{
	struct ring ring;
	int err = ring_open(&ring, &l->attr, 0, -1, AUX_PAGES, 0);

	if (err)
		return err;
	err = ring_enable(&ring);
	work();
	err = err ?: ring_disable(&ring);
	err = err ?: ring_drain(&ring);
	err = err ?: spe_records(&ring, recs);
	err = err ?: ring.flags & RING_LOSS ? -ENOSPC : 0;
	ring_close(&ring);
	return err;
}

static void run_insn_mix(void)
{
	insn_mix(ROUNDS, 1);
}

static const struct insn_mix_row *row_of(const struct spe_rec *rec)
{
	const struct insn_mix_row *row;

	for (row = __start_insn_mix_rows; rec->has & REC_PC && row < __stop_insn_mix_rows; row++)
		if (row->pc == SPE_ADDR(rec->pc))
			return row;
	return NULL;
}

/* At least one of the selected types without a mask; types with a mask exactly as selected */
static bool wanted(unsigned int types, unsigned int masks, unsigned int has)
{
	unsigned int any = types & ~masks;

	return !((types ^ has) & masks) && (!any || (has & any));
}

static uint64_t type_config(unsigned int types, unsigned int masks)
{
	static const struct {
		unsigned int type, filter, mask;
	} bits[] = {
		{ MIX_B, 32, 36 }, { MIX_LD, 33, 37 }, { MIX_ST, 34, 38 }, { MIX_SIMD, 39, 40 },
		{ MIX_FP, 41, 42 },
	};
	uint64_t config = CFG_JITTER;

	for (size_t i = 0; i < ARRAY_SIZE(bits); i++)
		config |= (uint64_t)!!(types & bits[i].type) << bits[i].filter |
			  (uint64_t)!!(masks & bits[i].type) << bits[i].mask;
	return config;
}

/* All instructions that match the filters, and no other. shows: SPE-FI13 */
TEST(types_and_masks)
{
	static const struct {
		unsigned int types, masks;
	} requests[] = {
		{ MIX_SIMD, 0 }, { MIX_FP, 0 }, { MIX_FP | MIX_SIMD, 0 }, { MIX_FP | MIX_B, 0 },
		{ MIX_SIMD, MIX_SIMD }, { MIX_FP | MIX_SIMD, MIX_FP | MIX_SIMD },
		{ MIX_FP, MIX_FP | MIX_SIMD },			/* scalar */
		{ MIX_SIMD, MIX_FP | MIX_SIMD },		/* integers */
		{ MIX_LD | MIX_ST, MIX_LD | MIX_ST },		/* atomics with a result */
		{ MIX_LD, MIX_LD | MIX_ST },			/* loads, no atomics */
		{ MIX_ST | MIX_SIMD, MIX_SIMD },		/* stores of vectors */
		{ MIX_LD | MIX_ST, MIX_SIMD | MIX_FP },		/* accesses to other registers */
		{ 0, MIX_B },					/* all but branches */
		{ 0, MIX_B | MIX_LD | MIX_ST | MIX_FP | MIX_SIMD },	/* none of these */
	};

	NEED_SESSION(unit);
	NEED(has_option(&unit, "simd_filter_mask"), "filters with masks (FEAT_SPE_EFT)");
	warm_up();
	for (size_t i = 0; i < ARRAY_SIZE(requests); i++) {
		unsigned int types = requests[i].types, masks = requests[i].masks;
		unsigned int seen[64] = { 0 };
		const struct insn_mix_row *row;
		struct spe_recs recs;
		struct long_attr l;

		long_attr(&unit, &l);
		l.attr.config = type_config(types, masks);
		ASSERT_EQ(0, record(&l, &recs, run_insn_mix));
		for (size_t k = 0; k < recs.n; k++) {
			row = row_of(&recs.rec[k]);
			if (!row)
				continue;
			ASSERT_TRUE(wanted(types, masks, row->filter))
				TH_LOG("%x/%x: %s", types, masks, row->name);
			seen[row - __start_insn_mix_rows]++;
		}
		for (row = __start_insn_mix_rows; row < __stop_insn_mix_rows; row++)
			if (wanted(types, masks, row->filter)) {
				EXPECT_GE(seen[row - __start_insn_mix_rows], 1)
					TH_LOG("%x/%x: no %s", types, masks, row->name);
			}
		spe_free(&recs);
	}
}

/* "Other" has floating point and Advanced SIMD bits; branches have call and return bits. */
TEST(bits_of_later_versions)
{
	static const struct {
		const char *name;
		uint8_t op;
	} rows[] = {
		{ "fadd", 0x02 }, { "add_4s", 0x04 }, { "fadd_4s", 0x06 }, { "nop", 0x00 },
		{ "csel_first", 0x01 }, { "b", 0x18 }, { "bl", 0x08 }, { "ret", 0x12 },
		{ "br", 0x1a }, { "cbnz_taken", 0x19 },
	};
	unsigned int seen = 0;
	struct spe_recs recs;
	struct long_attr l;
	uint64_t pmsidr;

	NEED_SESSION(unit);
	pmsidr = read_number(unit.dir, "caps/pmsidr");
	NEED((pmsidr >> 25 & 5) == 5, "PMSIDR_EL1.CRR and FPF");
	warm_up();
	long_attr(&unit, &l);
	ASSERT_EQ(0, record(&l, &recs, run_insn_mix));
	for (size_t i = 0; i < recs.n; i++) {
		const struct insn_mix_row *row = row_of(&recs.rec[i]);

		for (size_t k = 0; row && k < ARRAY_SIZE(rows); k++) {
			if (strcmp(row->name, rows[k].name))
				continue;
			seen |= 1u << k;
			ASSERT_EQ(rows[k].op, recs.rec[i].op) TH_LOG("%s", row->name);
		}
	}
	EXPECT_EQ((1u << ARRAY_SIZE(rows)) - 1, seen);
	spe_free(&recs);
}

/* Loads that miss all caches, some loads that hit, and stores */
static void mixed_work(void)
{
	insn_mix(ROUNDS / 4, 1);
	walk_memory(40);
}

/* Count the records of each data source; count[64]: records without one. */
static void count_sources(const struct spe_recs *recs, unsigned int count[65])
{
	memset(count, 0, 65 * sizeof(*count));
	for (size_t i = 0; i < recs->n; i++)
		count[recs->rec[i].has & REC_SOURCE ? recs->rec[i].source & 63 : 64]++;
}

/* Drop each source in turn, then all others, then all. shows: SPE-FI14 */
TEST(data_sources)
{
	unsigned int all[65], count[65], sources = 0;
	struct spe_recs recs;
	struct long_attr l;

	NEED_SESSION(unit);
	NEED(has_option(&unit, "inv_data_src_filter"), "filter by data source (FEAT_SPE_FDS)");
	mixed_work();
	long_attr(&unit, &l);
	ASSERT_EQ(0, record(&l, &recs, mixed_work));
	count_sources(&recs, all);
	spe_free(&recs);
	EXPECT_GE(all[64], 100);
	for (unsigned int s = 0; s < 64; s++) {
		if (!all[s])
			continue;
		sources++;
		set_option(&l, 4, 1ULL << s);
		ASSERT_EQ(0, record(&l, &recs, mixed_work));
		count_sources(&recs, count);
		spe_free(&recs);
		EXPECT_EQ(0, count[s]) TH_LOG("source %u is not dropped", s);
		EXPECT_GE(count[64], 100) TH_LOG("without source %u", s);

		set_option(&l, 4, ~(1ULL << s));
		ASSERT_EQ(0, record(&l, &recs, mixed_work));
		count_sources(&recs, count);
		EXPECT_EQ(recs.n, count[s] + count[64]) TH_LOG("more than source %u", s);
		EXPECT_GE(count[s], 1) TH_LOG("source %u is dropped", s);
		spe_free(&recs);
	}
	EXPECT_GE(sources, 2);
	set_option(&l, 4, ~0ULL);
	ASSERT_EQ(0, record(&l, &recs, mixed_work));
	count_sources(&recs, count);
	EXPECT_EQ(recs.n, count[64]);
	EXPECT_GE(recs.n, 100);
	spe_free(&recs);
}

/* Filter by each event of SPEv1p4, and by its inverse. */
TEST(late_events)
{
	struct spe_recs recs;
	struct long_attr l;
	uint64_t can;

	NEED_SESSION(unit);
	can = read_number(unit.dir, "caps/event_filter");
	NEED((can & EV_LATE) == EV_LATE, "events of FEAT_SPEv1p4");
	mixed_work();
	for (unsigned int bit = 0; bit < 32; bit++) {
		if (!(EV_LATE >> bit & 1))
			continue;
		long_attr(&unit, &l);
		set_option(&l, 1, 1ULL << bit);
		ASSERT_EQ(0, record(&l, &recs, mixed_work));
		EXPECT_GE(recs.n, 1) TH_LOG("event %u", bit);
		for (size_t i = 0; i < recs.n; i++) {
			ASSERT_TRUE(recs.rec[i].events >> bit & 1) TH_LOG("event %u", bit);
		}
		spe_free(&recs);
		if (!has_option(&unit, "inv_event_filter"))
			continue;
		set_option(&l, 1, 0);
		set_option(&l, 3, 1ULL << bit);
		ASSERT_EQ(0, record(&l, &recs, mixed_work));
		EXPECT_GE(recs.n, 100) TH_LOG("event %u", bit);
		for (size_t i = 0; i < recs.n; i++) {
			ASSERT_FALSE(recs.rec[i].events >> bit & 1) TH_LOG("event %u", bit);
		}
		spe_free(&recs);
	}
}

/* The largest latency in format/ is that of the counters. */
TEST(latency_of_the_counters_size)
{
	struct spe_recs recs;
	struct long_attr l;
	char text[64];
	int bits;

	NEED_SESSION(unit);
	bits = (int)read_number(unit.dir, "caps/count_size");
	ASSERT_EQ(0, read_text(unit.dir, "format/min_latency", text, sizeof(text)));
	EXPECT_STREQ(bits == 16 ? "config2:0-15" : "config2:0-11", text);
	long_attr(&unit, &l);
	set_option(&l, 2, 0xfff);
	ASSERT_EQ(0, record(&l, &recs, mixed_work));
	for (size_t i = 0; i < recs.n; i++) {
		ASSERT_GE(recs.rec[i].total, 0xfff);
	}
	spe_free(&recs);
	set_option(&l, 2, 0x1000);
	if (bits == 16) {
		ASSERT_EQ(0, record(&l, &recs, mixed_work));
		for (size_t i = 0; i < recs.n; i++) {
			ASSERT_GE(recs.rec[i].total, 0x1000);
		}
		spe_free(&recs);
	} else if (unit.ours) {
		EXPECT_EQ(-EOPNOTSUPP, ring_event(&l.attr, 0, -1));
	}
	set_option(&l, 2, 0x10000);
	if (unit.ours)
		EXPECT_EQ(-EINVAL, ring_event(&l.attr, 0, -1));
}

/*
 * Records begin at the unit's alignment and have its padded size, also in small buffers that
 * become full repeatedly.
 */
TEST(record_size_is_that_of_pmsidr)
{
	unsigned int align, longest;
	struct spe_recs recs;
	struct long_attr l;
	struct ring ring;
	size_t last;

	NEED_SESSION(unit);
	align = (unsigned int)read_number(unit.dir, "caps/align");
	longest = (unsigned int)read_number(unit.dir, "caps/max_record_size");
	NEED(align && longest, "caps/align and max_record_size");
	long_attr(&unit, &l);
	for (int pages = 2; pages <= AUX_PAGES; pages *= 8) {
		ASSERT_EQ(0, ring_open(&ring, &l.attr, 0, -1, pages, 0));
		ASSERT_EQ(0, ring_enable(&ring));
		spin(500000);
		FINISH(ring, recs);
		EXPECT_GE(recs.n, 1);
		last = 0;
		for (size_t i = 0; i < recs.n; i++) {
			const size_t at = recs.rec[i].at, begin = at - at % align;

			/* D18.1.2: before its first packet, too, there may be padding. */
			for (size_t k = begin; k < at; k++)
				ASSERT_EQ(0, ring.bytes[k]) TH_LOG("%d pages", pages);
			if (i && align == longest)
				ASSERT_GE(begin, last + longest);
			last = begin;
		}
		TH_LOG("%d pages: %zu records of %u bytes", pages, recs.n, longest);
		spe_free(&recs);
		ring_close(&ring);
	}
}

TEST_HARNESS_MAIN
