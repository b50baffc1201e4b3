// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Options of a profiling session. The files in format/, the check of a request and the register
 * values are computed from one table.
 */
#include "v9trace/attr.h"
#include "v9trace/gen/regs.h"

#define OPTION(name, word, lo, hi, reg, field, need) \
	{ name, word, lo, hi, V9_SPE_REG_##reg, V9_##reg##_EL1_##field, need, false }
#define INVERTED(name, word, lo, hi, reg, field, need) \
	{ name, word, lo, hi, V9_SPE_REG_##reg, V9_##reg##_EL1_##field, need, true }

/* Bit positions are ABI: stock perf and recorded files use them. */
static const struct v9_option options[] = {
	OPTION("ts_enable",		0, 0, 0,	PMSCR, TS,	0),
	OPTION("pa_enable",		0, 1, 1,	PMSCR, PA,	0),
	OPTION("pct_enable",		0, 2, 2,	PMSCR, PCT,	0),
	OPTION("jitter",		0, 16, 16,	PMSIRR, RND,	0),
	OPTION("branch_filter",		0, 32, 32,	PMSFCR, B,	V9_SPE_HAS_FT),
	OPTION("load_filter",		0, 33, 33,	PMSFCR, LD,	V9_SPE_HAS_FT),
	OPTION("store_filter",		0, 34, 34,	PMSFCR, ST,	V9_SPE_HAS_FT),
	OPTION("discard",		0, 35, 35,	PMBLIMITR, FM,	V9_SPE_HAS_DISCARD),
	OPTION("branch_filter_mask",	0, 36, 36,	PMSFCR, Bm,	V9_SPE_HAS_EFT),
	OPTION("load_filter_mask",	0, 37, 37,	PMSFCR, LDm,	V9_SPE_HAS_EFT),
	OPTION("store_filter_mask",	0, 38, 38,	PMSFCR, STm,	V9_SPE_HAS_EFT),
	OPTION("simd_filter",		0, 39, 39,	PMSFCR, SIMD,	V9_SPE_HAS_FPF),
	OPTION("simd_filter_mask",	0, 40, 40,	PMSFCR, SIMDm,	V9_SPE_HAS_FPF),
	OPTION("float_filter",		0, 41, 41,	PMSFCR, FP,	V9_SPE_HAS_FPF),
	OPTION("float_filter_mask",	0, 42, 42,	PMSFCR, FPm,	V9_SPE_HAS_FPF),
	OPTION("event_filter",		1, 0, 63,	PMSEVFR, E,	V9_SPE_HAS_FE),
	OPTION("min_latency",		2, 0, 11,	PMSLATFR, MINLAT,
	       V9_SPE_HAS_FL | V9_SPE_HAS_COUNT12),
	OPTION("min_latency",		2, 0, 15,	PMSLATFR, MINLAT,
	       V9_SPE_HAS_FL | V9_SPE_HAS_COUNT16),
	OPTION("inv_event_filter",	3, 0, 63,	PMSNEVFR, E,	V9_SPE_HAS_FNE),
	INVERTED("inv_data_src_filter",	4, 0, 63,	PMSDSFR, S,	V9_SPE_HAS_FDS),
};

static const struct {
	const char *name;
	size_t at;
	uint64_t mask;		/* 0: the value is the word; else 1 if this bit of it is set */
	bool hex;
} caps[] = {
	/* Files that stock perf reads */
	{ "arch_inst", offsetof(struct v9_spe_unit, id.pmsidr), V9_PMSIDR_EL1_ArchInst, false },
	{ "ernd", offsetof(struct v9_spe_unit, id.pmsidr), V9_PMSIDR_EL1_ERnd, false },
	{ "count_size", offsetof(struct v9_spe_unit, count_size), 0, false },
	{ "min_interval", offsetof(struct v9_spe_unit, min_interval), 0, false },
	{ "event_filter", offsetof(struct v9_spe_unit, id.events), 0, true },
	/* Files of this driver only */
	{ "inv_event_filter", offsetof(struct v9_spe_unit, id.inv_events), 0, true },
	{ "data_src_filter", offsetof(struct v9_spe_unit, id.sources), 0, true },
	{ "data_src", offsetof(struct v9_spe_unit, id.pmsidr), V9_PMSIDR_EL1_LDS, false },
	{ "prev_branch_target", offsetof(struct v9_spe_unit, id.pmsidr), V9_PMSIDR_EL1_PBT,
	  false },
	{ "version", offsetof(struct v9_spe_unit, version), 0, false },
	{ "max_record_size", offsetof(struct v9_spe_unit, max_record), 0, false },
	{ "align", offsetof(struct v9_spe_unit, align), 0, false },
	{ "pmsidr", offsetof(struct v9_spe_unit, id.pmsidr), 0, true },
	{ "pmbidr", offsetof(struct v9_spe_unit, id.pmbidr), 0, true },
};

#define TYPES	(V9_PMSFCR_EL1_B | V9_PMSFCR_EL1_LD | V9_PMSFCR_EL1_ST)
#define MASKS	(V9_PMSFCR_EL1_Bm | V9_PMSFCR_EL1_LDm | V9_PMSFCR_EL1_STm)
#define MORE	(V9_PMSFCR_EL1_FP | V9_PMSFCR_EL1_SIMD | V9_PMSFCR_EL1_FPm | V9_PMSFCR_EL1_SIMDm)

/*
 * Features by bits of PMSIDR_EL1. A filter needs writable bits, too: if none is writable, the
 * feature is missing or its register cannot be accessed.
 */
static const struct {
	uint64_t mask;
	uint64_t feature;
	uint64_t bits;		/* bits of which at least one must be writable */
	size_t at;
} features[] = {
	{ V9_PMSIDR_EL1_FE, V9_SPE_HAS_FE, 0, 0 },
	{ V9_PMSIDR_EL1_FT, V9_SPE_HAS_FT, 0, 0 },
	{ V9_PMSIDR_EL1_FL, V9_SPE_HAS_FL, 0, 0 },
	{ V9_PMSIDR_EL1_FnE, V9_SPE_HAS_FNE, ~UINT64_C(0), offsetof(struct v9_spe_id, inv_events) },
	{ V9_PMSIDR_EL1_FDS, V9_SPE_HAS_FDS, ~UINT64_C(0), offsetof(struct v9_spe_id, sources) },
	{ V9_PMSIDR_EL1_EFT, V9_SPE_HAS_EFT, MASKS, offsetof(struct v9_spe_id, types) },
	{ V9_PMSIDR_EL1_EFT, V9_SPE_HAS_FPF, MORE, offsetof(struct v9_spe_id, types) },
};

/* Recommended minimum interval in operations, by PMSIDR_EL1.Interval; 0: reserved */
static const uint16_t intervals[] = {
	[V9_PMSIDR_EL1_Interval_256] = 256,
	[V9_PMSIDR_EL1_Interval_512] = 512,
	[V9_PMSIDR_EL1_Interval_768] = 768,
	[V9_PMSIDR_EL1_Interval_1024] = 1024,
	[V9_PMSIDR_EL1_Interval_1536] = 1536,
	[V9_PMSIDR_EL1_Interval_2048] = 2048,
	[V9_PMSIDR_EL1_Interval_3072] = 3072,
	[V9_PMSIDR_EL1_Interval_4096] = 4096,
};

const struct v9_option *v9_spe_option(unsigned int i)
{
	return i < V9_ARRAY_SIZE(options) ? &options[i] : NULL;
}

bool v9_spe_has_option(const struct v9_spe_unit *unit, const struct v9_option *o,
		       unsigned int words)
{
	return o->word < words && !(o->need & ~unit->features);
}

bool v9_spe_cap(const struct v9_spe_unit *unit, unsigned int i, struct v9_spe_cap *cap)
{
	uint64_t v;

	if (i >= V9_ARRAY_SIZE(caps))
		return false;
	memcpy(&v, (const char *)unit + caps[i].at, sizeof(v));
	cap->name = caps[i].name;
	cap->hex = caps[i].hex;
	cap->value = caps[i].mask ? !!(v & caps[i].mask) : v;
	return true;
}

static int refuse(const char **why, int err, const char *text)
{
	*why = text;
	return err;
}

static uint64_t features_of(const struct v9_spe_id *id)
{
	uint64_t has = 0, stays;
	unsigned int i;

	for (i = 0; i < V9_ARRAY_SIZE(features); i++) {
		memcpy(&stays, (const char *)id + features[i].at, sizeof(stays));
		if ((id->pmsidr & features[i].mask) &&
		    (!features[i].bits || (stays & features[i].bits)))
			has |= features[i].feature;
	}
	return has;
}

static const char not_ours[] =
	"the profiling buffer is that of a higher exception level or another security state";

int v9_spe_check_unit(const struct v9_spe_id *id, struct v9_spe_unit *unit, const char **why)
{
	uint64_t align = V9_GET(V9_PMBIDR_EL1_Align, id->pmbidr);
	uint64_t max = V9_GET(V9_PMSIDR_EL1_MaxSize, id->pmsidr);
	uint64_t interval = V9_GET(V9_PMSIDR_EL1_Interval, id->pmsidr);

	memset(unit, 0, sizeof(*unit));
	unit->id = *id;
	unit->version = V9_GET(V9_ID_AA64DFR0_EL1_PMSVer, id->id_aa64dfr0);

	/* SPE-RA2, SPE-OW7 */
	if (!unit->version)
		return refuse(why, -ENODEV,
			      "no Statistical Profiling Extension (ID_AA64DFR0_EL1.PMSVer is 0)");
	if (id->pmbidr & V9_PMBIDR_EL1_P)
		return refuse(why, -EPERM, not_ours);
	if (id->closed)
		return refuse(why, -EPERM, id->closed);

	/*
	 * SPE-RA5: reserved sizes are refused; a reserved recommended interval is replaced by
	 * 4096.
	 */
	if (V9_GET(V9_PMBIDR_EL1_AddrMode, id->pmbidr) == V9_PMBIDR_EL1_AddrMode_PA)
		return refuse(why, -ENXIO, "the profiling buffer takes physical addresses only");
	if (align > 11)
		return refuse(why, -ENXIO, "PMBIDR_EL1.Align is reserved");
	if (V9_GET(V9_PMSIDR_EL1_Format, id->pmsidr))
		return refuse(why, -ENXIO, "PMSIDR_EL1.Format is reserved: unknown records");
	if (max < 4 || max > 11 || max < align)
		return refuse(why, -ENXIO, "PMSIDR_EL1.MaxSize is reserved");
	unit->align = V9_BIT(align);
	unit->max_record = V9_BIT(max);
	unit->granule = v9_smallest_granule(id->id_aa64mmfr0);
	if (!unit->granule)
		return refuse(why, -ENXIO, "ID_AA64MMFR0_EL1 names no translation granule");
	if (!v9_max_buffer(V9_GET(V9_PMBIDR_EL1_MaxBuffSize, id->pmbidr), unit->granule,
			   &unit->max_buffer))
		return refuse(why, -ENXIO, "PMBIDR_EL1.MaxBuffSize is reserved or too small");

	if (interval < V9_ARRAY_SIZE(intervals))
		unit->min_interval = intervals[interval];
	if (!unit->min_interval)
		unit->min_interval = 4096;

	unit->features = features_of(id);
	if (unit->version >= V9_ID_AA64DFR0_EL1_PMSVer_SPEv1p2)
		unit->features |= V9_SPE_HAS_DISCARD;

	if (V9_GET(V9_PMSIDR_EL1_CountSize, id->pmsidr) ==
	    V9_PMSIDR_EL1_CountSize_16_BIT_SATURATING) {
		unit->count_size = 16;
		unit->features |= V9_SPE_HAS_COUNT16;
	} else {
		unit->count_size = 12;
		unit->features |= V9_SPE_HAS_COUNT12;
	}
	return 0;
}

uint64_t v9_spe_encode_interval(const struct v9_spe_unit *unit, uint64_t period, uint64_t *pmsirr)
{
	uint64_t max = V9_PMSIRR_EL1_INTERVAL;

	if (!period)
		period = unit->min_interval;
	if (period > (max | 0xff))
		return 0;
	period &= max;
	if (!period)
		period = 256;
	*pmsirr = (*pmsirr & ~max) | period;
	return period;
}

static int refuse_option(struct v9_refusal *no, int err, const char *option, const char *text)
{
	no->option = option;
	return refuse(&no->why, err, text);
}

/* Each bit that is set must belong to an option that the unit supports. */
static int check_words(const struct v9_spe_unit *unit, const struct v9_spe_request *req,
		       struct v9_refusal *no)
{
	uint64_t known[V9_OPTION_WORDS] = { 0 }, here[V9_OPTION_WORDS] = { 0 };
	const struct v9_option *o;

	for (o = options; o < options + V9_ARRAY_SIZE(options); o++) {
		known[o->word] |= v9_option_mask(o);
		if (v9_spe_has_option(unit, o, V9_OPTION_WORDS))
			here[o->word] |= v9_option_mask(o);
	}
	for (unsigned int w = 0; w < V9_OPTION_WORDS; w++)
		if (req->config[w] & ~known[w])
			return refuse(&no->why, -EINVAL, "a bit that belongs to no option");
	for (o = options; o < options + V9_ARRAY_SIZE(options); o++) {
		uint64_t mine = v9_option_mask(o);

		if (req->config[o->word] & mine & ~here[o->word])
			return refuse_option(no, -EOPNOTSUPP, o->name, mine & here[o->word] ?
					     "more than this unit can count" :
					     "this unit lacks it");
	}
	return 0;
}

/* Option words that have the layout of a register */
static const struct {
	const char *option;
	const char *why;
	size_t at;
	uint8_t word;
} chosen[] = {
	{ "event_filter", "an event that this unit cannot filter by",
	  offsetof(struct v9_spe_id, events), 1 },
	{ "inv_event_filter", "an event that this unit cannot filter by",
	  offsetof(struct v9_spe_id, inv_events), 3 },
	{ "inv_data_src_filter", "a data source that this unit cannot filter by",
	  offsetof(struct v9_spe_id, sources), 4 },
};

int v9_spe_encode_regs(const struct v9_spe_unit *unit, const struct v9_spe_request *req,
		       struct v9_spe_reg_values *values, struct v9_refusal *no)
{
	uint64_t *reg = values->reg;
	unsigned int i;
	int err;

	memset(values, 0, sizeof(*values));
	values->features = unit->features;
	*no = (struct v9_refusal){ "", NULL };

	if (!req->user && !req->kernel)
		return refuse(&no->why, -EINVAL, "neither user nor kernel is to be profiled");
	err = check_words(unit, req, no);
	if (err)
		return err;

	for (i = 0; i < V9_ARRAY_SIZE(options); i++) {
		const struct v9_option *o = &options[i];
		uint64_t v = (req->config[o->word] & v9_option_mask(o)) >> o->lo;

		if (!v || !v9_spe_has_option(unit, o, V9_OPTION_WORDS))
			continue;
		if (o->reg == V9_SPE_REG_PMBLIMITR)
			v = V9_PMBLIMITR_EL1_FM_DISCARD;
		reg[o->reg] |= V9_PUT(o->field, o->inverted ? ~v : v);
		if (o->reg == V9_SPE_REG_PMSDSFR)
			reg[V9_SPE_REG_PMSFCR] |= V9_PMSFCR_EL1_FDS;
	}

	/*
	 * Enable a filter only if it selects something. An enabled filter that selects nothing may
	 * drop all records (SPE-FI8).
	 */
	if (reg[V9_SPE_REG_PMSEVFR])
		reg[V9_SPE_REG_PMSFCR] |= V9_PMSFCR_EL1_FE;
	if (reg[V9_SPE_REG_PMSNEVFR])
		reg[V9_SPE_REG_PMSFCR] |= V9_PMSFCR_EL1_FnE;
	if (reg[V9_SPE_REG_PMSLATFR])
		reg[V9_SPE_REG_PMSFCR] |= V9_PMSFCR_EL1_FL;
	if (reg[V9_SPE_REG_PMSFCR] & (TYPES | MASKS | MORE))
		reg[V9_SPE_REG_PMSFCR] |= V9_PMSFCR_EL1_FT;

	for (i = 0; i < V9_ARRAY_SIZE(chosen); i++) {
		uint64_t stays;

		memcpy(&stays, (const char *)&unit->id + chosen[i].at, sizeof(stays));
		if (req->config[chosen[i].word] & ~stays)
			return refuse_option(no, -EOPNOTSUPP, chosen[i].option, chosen[i].why);
	}
	if (reg[V9_SPE_REG_PMSFCR] & (MASKS | MORE) & ~unit->id.types)
		return refuse(&no->why, -EOPNOTSUPP, "a type that this unit cannot filter by");
	if (reg[V9_SPE_REG_PMSEVFR] & reg[V9_SPE_REG_PMSNEVFR])
		return refuse_option(no, -EINVAL, "inv_event_filter",
				     "an event both required and excluded");

	if (!v9_spe_encode_interval(unit, req->period, &reg[V9_SPE_REG_PMSIRR]))
		return refuse(&no->why, -EINVAL, "the period is too long");

	/*
	 * For a kernel at EL2 the name PMSCR_EL1 accesses PMSCR_EL2 (SPE-RA4, SPE-EN3). E0HSPE and
	 * E2SPE have the same bits there as E0SPE and E1SPE.
	 */
	if (req->user)
		reg[V9_SPE_REG_PMSCR] |= V9_PMSCR_EL1_E0SPE;
	if (req->kernel)
		reg[V9_SPE_REG_PMSCR] |= V9_PMSCR_EL1_E1SPE;
	if (req->context)
		reg[V9_SPE_REG_PMSCR] |= V9_PMSCR_EL1_CX;
	return 0;
}

bool v9_spe_needs_privilege(const struct v9_spe_reg_values *values)
{
	/* SPE-CD19 */
	return values->reg[V9_SPE_REG_PMSCR] & (V9_PMSCR_EL1_PA | V9_PMSCR_EL1_PCT);
}
