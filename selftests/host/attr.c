// SPDX-License-Identifier: GPL-2.0-only
/*
 * drivers/lib/attr.c: options, capabilities, register values. Register values are typed from the
 * manual, positions of options from stock perf.
 */
#include "tap.h"
#include "v9trace/attr.h"

/* SPEv1p2 with FE FT FL FnE, 12-bit counters, 64-byte records, aligned to 64. */
static const struct v9_spe_id plain = {
	.id_aa64dfr0 = 0x300000000,
	.id_aa64mmfr0 = 0x0,
	.pmsidr = 0x00026047,
	.pmbidr = 0x06,
	.events = 0xffff0000ff00f0aa,
	.inv_events = 0xffff0000ff00f0aa,
};

static struct v9_spe_unit unit_of(struct v9_spe_id id)
{
	struct v9_spe_unit u;
	const char *why = "";

	if (v9_spe_check_unit(&id, &u, &why))
		tap_note("refused: %s", why);
	return u;
}

/* A unit with FE FT FL FnE FDS EFT. */
static struct v9_spe_unit rich(bool count16)
{
	struct v9_spe_id id = plain;

	id.pmsidr = (count16 ? 0x30000 : 0x20000) | 0x60c7 | 1 << 26;
	id.events = id.inv_events = id.sources = ~UINT64_C(0);
	id.types = 0x1f000000180000;
	return unit_of(id);
}

static const struct {
	const char *name, *format;
} stock[] = {
	{ "ts_enable", "config:0" }, { "pa_enable", "config:1" }, { "pct_enable", "config:2" },
	{ "jitter", "config:16" }, { "branch_filter", "config:32" },
	{ "load_filter", "config:33" }, { "store_filter", "config:34" },
	{ "discard", "config:35" }, { "branch_filter_mask", "config:36" },
	{ "load_filter_mask", "config:37" }, { "store_filter_mask", "config:38" },
	{ "simd_filter", "config:39" }, { "simd_filter_mask", "config:40" },
	{ "float_filter", "config:41" }, { "float_filter_mask", "config:42" },
	{ "event_filter", "config1:0-63" }, { "min_latency", "config2:0-11" },
	{ "inv_event_filter", "config3:0-63" }, { "inv_data_src_filter", "config4:0-63" },
};

static void formats(void)
{
	struct v9_spe_unit u = rich(false);
	unsigned int i, k, n = 0, overlaps = 0, clashes = 0;
	const struct v9_option *a, *b;

	for (i = 0; i < V9_ARRAY_SIZE(stock); i++) {
		char format[32] = "absent", word[2] = "";

		for (k = 0; (a = v9_spe_option(k)); k++) {
			if (strcmp(a->name, stock[i].name) || !v9_spe_has_option(&u, a, 5))
				continue;
			n++;
			if (a->word)
				word[0] = '0' + a->word;
			if (a->lo == a->hi)
				snprintf(format, sizeof(format), "config%s:%u", word, a->lo);
			else
				snprintf(format, sizeof(format), "config%s:%u-%u", word, a->lo,
					 a->hi);
		}
		if (!tap_ok(!strcmp(format, stock[i].format), "format_%s", stock[i].name))
			tap_note("%s", format);
	}
	tap_eq(n, V9_ARRAY_SIZE(stock), "each_option_once");

	/*
	 * Options that a unit can have together have no common bit, in the words and in registers.
	 */
	for (i = 0; (a = v9_spe_option(i)); i++)
		for (k = 0; k < i; k++) {
			b = v9_spe_option(k);
			if (((a->need | b->need) & (V9_SPE_HAS_COUNT12 | V9_SPE_HAS_COUNT16)) ==
			    (V9_SPE_HAS_COUNT12 | V9_SPE_HAS_COUNT16))
				continue;
			overlaps += a->word == b->word && a->lo <= b->hi && b->lo <= a->hi;
			clashes += a->reg == b->reg && (a->field & b->field);
		}
	tap_eq(overlaps, 0, "config_bits_disjoint");
	tap_eq(clashes, 0, "register_fields_disjoint");

	for (i = 0, n = 0; (a = v9_spe_option(i)); i++)
		n += v9_spe_has_option(&u, a, 3) && a->word >= 3;
	tap_eq(n, 0, "missing_words_hidden");
}

static void visibility(void)
{
	struct v9_spe_unit u = unit_of(plain);
	const struct v9_option *o;
	unsigned int i, n = 0;

	for (i = 0; (o = v9_spe_option(i)); i++)
		n += v9_spe_has_option(&u, o, 5);
	tap_eq(n, 11, "plain_unit_options");		/* stock without EFT (7) and FDS (1) */
	u.features = 0;
	for (i = n = 0; (o = v9_spe_option(i)); i++)
		n += v9_spe_has_option(&u, o, 5);
	tap_eq(n, 4, "bare_unit_options");		/* the time stamps, addresses, jitter */
}

static const struct {
	const char *name;
	uint64_t dfr0, mmfr0, pmsidr, pmbidr;
	int err;
} units[] = {
	/* shows: SPE-RA2 */
	{ "absent", 0x0, 0x0, 0x26047, 0x06, -ENODEV },
	/* shows: SPE-OW7 */
	{ "owned_above", 0x300000000, 0x0, 0x0, 0x16, -EPERM },
	/* shows: SPE-RA5 */
	{ "align_reserved", 0x300000000, 0x0, 0x26047, 0x0c, -ENXIO },
	{ "size_reserved_small", 0x300000000, 0x0, 0x23047, 0x00, -ENXIO },
	{ "size_reserved_large", 0x300000000, 0x0, 0x2c047, 0x00, -ENXIO },
	{ "size_below_align", 0x300000000, 0x0, 0x25047, 0x06, -ENXIO },
	{ "no_granule", 0x300000000, 0xff000000, 0x26047, 0x06, -ENXIO },
	{ "plain", 0x300000000, 0x0, 0x26047, 0x06, 0 },
	/* Format is bits 23:20 (D24.7.14); 0 is the only defined value (D18.1). */
	{ "format_1", 0x300000000, 0x0, 0x126047, 0x06, -ENXIO },
	{ "format_8", 0x300000000, 0x0, 0x826047, 0x06, -ENXIO },
	{ "physical_only", 0x300000000, 0x0, 0x26047, 0xc6, -ENXIO },
	/* 47:46 are reserved (D24.7.1). */
	{ "max_size_reserved_14", 0x300000000, 0x0, 0x26047, UINT64_C(0x400100000006), -ENXIO },
	{ "max_size_reserved_15", 0x300000000, 0x0, 0x26047, UINT64_C(0x800100000006), -ENXIO },
	{ "max_size_below_granule", 0x300000000, 0xf0000000, 0x26047, 0xf00000006, -ENXIO },
	{ "max_size_of_a_granule", 0x300000000, 0xf0000000, 0x26047, 0x1000000006, 0 },
	{ "max_size", 0x300000000, 0x0, 0x26047, UINT64_C(0x3fff00000006), 0 },
	{ "version_from_the_future", 0xf00000000, 0x0, 0x26047, 0x06, 0 },
	{ "reserved_advice", 0x300000000, 0x0, 0xf6f47, 0x06, 0 },
	{ "largest", 0x300000000, 0x0, 0x2b047, 0x0b, 0 },
};

/*
 * MaxBuffSize of D24.7.1 and D24.4.2, shifted to bit 0: a mantissa of 9 bits, an exponent of 5. The
 * first two are the examples there; then the bounds of both formulas.
 */
static const struct {
	uint64_t id, granule, bytes;
	bool possible;
} max_sizes[] = {
	{ 0x0001, 4096, 4096, true },
	{ 0x3fff, 4096, UINT64_C(4092) << 40, true },
	{ 0x0000, 4096, 0, true },
	{ 0x0002, 4096, 0x2000, true },
	{ 0x01ff, 4096, 0x1ff000, true },
	{ 0x0200, 4096, 0x200000, true },
	{ 0x0201, 4096, 0x201000, true },
	{ 0x03ff, 4096, 0x3ff000, true },
	{ 0x0400, 4096, 0x400000, true },
	{ 0x0401, 4096, 0x402000, true },
	{ 0x3e00, 4096, UINT64_C(2048) << 40, true },
	{ 0x0007, 16384, 0x4000, true },
	{ 0x0003, 16384, 0, false },
	{ 0x0010, 65536, 0x10000, true },
	{ 0x000f, 65536, 0, false },
	{ 0x4001, 4096, 4096, false },
	{ 0x8000, 4096, 0, false },
};

static void sizes(void)
{
	struct v9_spe_id id = plain;
	uint64_t bytes;

	for (unsigned int i = 0; i < V9_ARRAY_SIZE(max_sizes); i++) {
		bool possible = v9_max_buffer(max_sizes[i].id, max_sizes[i].granule, &bytes);

		tap_ok(possible == max_sizes[i].possible && bytes == max_sizes[i].bytes,
		       "max_size_%04x_of_%u", (unsigned int)max_sizes[i].id,
		       (unsigned int)max_sizes[i].granule);
	}
	tap_eq(unit_of(id).max_buffer, 0, "any_size");
	id.pmbidr = 0x500000006;
	tap_eq(unit_of(id).max_buffer, 0x5000, "max_size_of_the_unit");
}

static void probing(void)
{
	struct v9_spe_id id = plain;
	struct v9_spe_unit u;
	const char *why;
	unsigned int i;

	for (i = 0; i < V9_ARRAY_SIZE(units); i++) {
		int err;

		why = "";
		id.id_aa64dfr0 = units[i].dfr0;
		id.id_aa64mmfr0 = units[i].mmfr0;
		id.pmsidr = units[i].pmsidr;
		id.pmbidr = units[i].pmbidr;
		err = v9_spe_check_unit(&id, &u, &why);
		tap_ok(err == units[i].err && !err == !*why, "unit_%s", units[i].name);
	}

	u = unit_of(plain);
	tap_ok(u.max_record == 64 && u.align == 64 && u.granule == 4096 && u.count_size == 12 &&
	       u.min_interval == 256 && u.version == 3, "unit_numbers");
	id = plain;
	id.pmsidr = 0x00026847;
	tap_eq(unit_of(id).min_interval, 4096, "advice_4096");
	id.pmsidr = 0x00026547;
	tap_eq(unit_of(id).min_interval, 1536, "advice_1536");
	id.pmsidr = 0x00026147;
	tap_eq(unit_of(id).min_interval, 4096, "advice_reserved_is_4096");
	id.pmsidr = 0x00026947;
	tap_eq(unit_of(id).min_interval, 4096, "advice_9_is_4096");
	id.pmsidr = 0x00036047;
	tap_eq(unit_of(id).count_size, 16, "counts_of_16_bits");
	id.pmsidr = 0x0002b047;
	id.pmbidr = 11;
	tap_eq(unit_of(id).align, 2048, "align_largest");
	id.pmsidr = 0x0002c047;
	id.pmbidr = 12;
	memset(&u, 0xff, sizeof(u));
	tap_ok(v9_spe_check_unit(&id, &u, &why) == -ENXIO && strstr(why, "Align") && !u.align && !u.features,
	       "align_reserved_says_so");
	id = plain;
	id.id_aa64mmfr0 = 0xf0100000;
	tap_eq(unit_of(id).granule, 16384, "granule_16k");
	id.id_aa64mmfr0 = 0xf0000000;
	tap_eq(unit_of(id).granule, 65536, "granule_64k");
	tap_ok(!(unit_of((struct v9_spe_id){ 0x200000000, 0, 0x26047, 6, 0, 0, 0, 0, NULL }).features &
		 V9_SPE_HAS_DISCARD), "discard_from_v1p2");
}

static void capabilities(void)
{
	static const struct {
		const char *name;
		uint64_t value;
		bool hex;
	} want[] = {
		{ "arch_inst", 1, false }, { "ernd", 0, false }, { "count_size", 12, false },
		{ "min_interval", 256, false }, { "event_filter", 0xffff0000ff00f0aa, true },
		{ "max_record_size", 64, false }, { "align", 64, false }, { "version", 3, false },
	};
	struct v9_spe_id id = plain;
	struct v9_spe_unit u;
	struct v9_spe_cap cap;
	unsigned int i, k;

	id.pmsidr |= 0x8;			/* ArchInst */
	u = unit_of(id);
	for (i = 0; i < V9_ARRAY_SIZE(want); i++) {
		bool found = false;

		for (k = 0; v9_spe_cap(&u, k, &cap); k++)
			found |= !strcmp(cap.name, want[i].name) && cap.value == want[i].value &&
				 cap.hex == want[i].hex;
		tap_ok(found, "cap_%s", want[i].name);
	}
}

static void periods(void)
{
	static const uint64_t rows[][2] = {
		/* shows: SPE-SI13 */
		{ 0, 256 }, { 1, 256 }, { 255, 256 }, { 256, 256 }, { 257, 256 }, { 511, 256 },
		{ 512, 512 }, { 1000, 768 }, { 4096, 4096 }, { 0xffffff00, 0xffffff00 },
		{ 0xffffffff, 0xffffff00 }, { 0x100000000, 0 }, { UINT64_MAX, 0 },
	};
	struct v9_spe_unit u = unit_of(plain);
	unsigned int i;

	for (i = 0; i < V9_ARRAY_SIZE(rows); i++) {
		uint64_t r = 0x1, got = v9_spe_encode_interval(&u, rows[i][0], &r);

		tap_ok(got == rows[i][1] && r == (got | 1), "period_%llx",
		       (unsigned long long)rows[i][0]);
	}
}

/* User space and kernel; fields that a row does not have are 0. */
static const struct {
	const char *name;
	uint64_t config[5];
	int err;
	/* PMSCR, PMSFCR, PMSEVFR, PMSNEVFR, PMSDSFR, PMSLATFR, PMBLIMITR, RND */
	uint64_t reg[8];
} images[] = {
	/* shows: SPE-FI8 */
	{ "empty", { 0 }, 0, { 0x03 } },
	{ "timestamp", { 1 }, 0, { 0x23 } },
	{ "addresses_and_time", { 7 }, 0, { 0x73 } },
	{ "jitter", { 1 << 16 }, 0, { 0x03, [7] = 1 } },
	{ "branches", { UINT64_C(1) << 32 }, 0, { 0x03, 0x10002 } },
	{ "loads_and_stores", { UINT64_C(6) << 32 }, 0, { 0x03, 0x60002 } },
	{ "discard", { UINT64_C(1) << 35 }, 0, { 0x03, [6] = 0x4 } },
	{ "masks", { UINT64_C(0x7) << 36 }, 0, { 0x03, 0x7000000000002 } },
	{ "float_not_simd", { UINT64_C(0x6) << 40 }, 0, { 0x03, 0x8000000080002 } },
	{ "simd", { UINT64_C(0x3) << 39 }, 0, { 0x03, 0x10000000100002 } },
	{ "events", { 0, 0x20 }, 0, { 0x03, 0x1, 0x20 } },
	{ "latency", { 0, 0, 4095 }, 0, { 0x03, 0x4, [5] = 4095 } },
	{ "unwanted_events", { 0, 0, 0, 0x8 }, 0, { 0x03, 0x8, 0, 0x8 } },
	{ "unwanted_source", { 0, 0, 0, 0, 0x1 }, 0, { 0x03, 0x10, [4] = ~UINT64_C(1) } },
	{ "unwanted_sources_all", { 0, 0, 0, 0, ~UINT64_C(0) }, 0, { 0x03, 0x10 } },
	{ "everything", { 0x7ff00010007, 0x2, 1, 0x8, 0x1 }, 0,
	  { 0x73, 0x1f0000001f001f, 0x2, 0x8, ~UINT64_C(1), 1, 0x4, 1 } },
	{ "stray_bit", { 8 }, -EINVAL, { 0 } },
	{ "stray_high_bit", { UINT64_C(1) << 63 }, -EINVAL, { 0 } },
	{ "latency_too_long", { 0, 0, 4096 }, -EOPNOTSUPP, { 0 } },
	{ "latency_beyond_any", { 0, 0, 65536 }, -EINVAL, { 0 } },
	{ "wanted_and_unwanted", { 0, 0xa, 0, 0x2 }, -EINVAL, { 0 } },
};

static void encode(void)
{
	static const uint8_t at[] = {
		V9_SPE_REG_PMSCR, V9_SPE_REG_PMSFCR, V9_SPE_REG_PMSEVFR, V9_SPE_REG_PMSNEVFR,
		V9_SPE_REG_PMSDSFR, V9_SPE_REG_PMSLATFR, V9_SPE_REG_PMBLIMITR,
	};
	struct v9_spe_unit u = rich(false);
	struct v9_spe_reg_values image;
	unsigned int i, k;

	for (i = 0; i < V9_ARRAY_SIZE(images); i++) {
		struct v9_spe_request req = { .user = true, .kernel = true, .period = 1024 };
		struct v9_refusal no = { NULL, NULL };
		bool same = true;
		int err;

		memcpy(req.config, images[i].config, sizeof(req.config));
		err = v9_spe_encode_regs(&u, &req, &image, &no);
		if (!err) {
			for (k = 0; k < V9_ARRAY_SIZE(at); k++)
				same &= image.reg[at[k]] == images[i].reg[k];
			same &= image.reg[V9_SPE_REG_PMSIRR] == (1024 | images[i].reg[7]);
		}
		if (!tap_ok(err == images[i].err && same && !err == !no.why && no.option,
			    "image_%s", images[i].name)) {
			tap_note("%d %s: %s", err, no.option, no.why);
			for (k = 0; k < V9_SPE_REGS; k++)
				tap_note("reg %u %#llx", k, (unsigned long long)image.reg[k]);
		}
	}
}

static int try(const struct v9_spe_unit *u, struct v9_spe_request req,
	       struct v9_spe_reg_values *image)
{
	struct v9_refusal no;

	return v9_spe_encode_regs(u, &req, image, &no);
}

static void refusals(void)
{
	struct v9_spe_unit u = unit_of(plain), wide = rich(true), bare = u;
	struct v9_spe_reg_values image;

	/* shows: SPE-FI6 */
	tap_eq(try(&u, (struct v9_spe_request){ { 0, 0x20 }, 0, true, true, false }, &image), 0,
	       "event_there");
	tap_eq(try(&u, (struct v9_spe_request){ { 0, 0x04 }, 0, true, true, false }, &image),
	       -EOPNOTSUPP, "event_missing");
	tap_eq(try(&u, (struct v9_spe_request){ { 0, 0, 0, 0x04 }, 0, true, true, false }, &image),
	       -EOPNOTSUPP, "unwanted_event_missing");
	tap_eq(try(&u, (struct v9_spe_request){ { UINT64_C(1) << 36 }, 0, true, true, false },
		   &image), -EOPNOTSUPP, "mask_missing");
	tap_eq(try(&u, (struct v9_spe_request){ { 0, 0, 0, 0, 1 }, 0, true, true, false }, &image),
	       -EOPNOTSUPP, "source_filter_missing");
	wide.id.sources = 0xff;
	tap_eq(try(&wide, (struct v9_spe_request){ { 0, 0, 0, 0, 0x100 }, 0, true, true, false },
		   &image), -EOPNOTSUPP, "source_missing");
	tap_eq(try(&wide, (struct v9_spe_request){ { 0, 0, 65535 }, 0, true, true, false }, &image),
	       0, "latency_of_16_bits");
	/*
	 * Transactional state is an event like others: supported if its bit is writable.
	 * shows: SPE-FI12
	 */
	tap_eq(try(&u, (struct v9_spe_request){ { 0, 0x10000 }, 0, true, true, false }, &image),
	       -EOPNOTSUPP, "transaction_filter_missing");
	tap_eq(try(&wide, (struct v9_spe_request){ { 0, 0x10000 }, 0, true, true, false }, &image),
	       0, "transaction_filter_taken");
	tap_eq(image.reg[V9_SPE_REG_PMSEVFR], 0x10000, "transaction_filter_programmed");
	bare.features &= ~V9_SPE_HAS_DISCARD;
	tap_eq(try(&bare, (struct v9_spe_request){ { UINT64_C(1) << 35 }, 0, true, true, false },
		   &image), -EOPNOTSUPP, "discard_missing");
	tap_eq(try(&u, (struct v9_spe_request){ { 0 }, UINT64_C(1) << 32, true, true, false },
		   &image), -EINVAL, "period_too_long");
	tap_eq(try(&u, (struct v9_spe_request){ { 0 }, 0, false, false, false }, &image), -EINVAL,
	       "nobody_profiled");

	/* shows: SPE-CD19 */
	try(&u, (struct v9_spe_request){ { 1 }, 0, true, false, false }, &image);
	tap_ok(!v9_spe_needs_privilege(&image), "virtual_time_is_free");
	try(&u, (struct v9_spe_request){ { 2 }, 0, true, false, false }, &image);
	tap_ok(v9_spe_needs_privilege(&image), "physical_address_is_privileged");
	try(&u, (struct v9_spe_request){ { 4 }, 0, true, false, false }, &image);
	tap_ok(v9_spe_needs_privilege(&image), "physical_time_is_privileged");

	/* shows: SPE-EN3 */
	try(&u, (struct v9_spe_request){ { 0 }, 0, true, false, true }, &image);
	tap_eq(image.reg[V9_SPE_REG_PMSCR], 0x9, "user_with_context");
	try(&u, (struct v9_spe_request){ { 0 }, 0, false, true, false }, &image);
	tap_eq(image.reg[V9_SPE_REG_PMSCR], 0x2, "kernel_only");
}

/*
 * Each optional option, on a unit without it: the errno, and a reason that names the option.
 * shows: SPE-FI13 SPE-FI14
 */
static void reasons(void)
{
	static const struct {
		const char *option, *why;
		uint64_t config[5];
		uint64_t lacks;		/* bits of PMSIDR_EL1 */
		int err;
	} rows[] = {
		{ "branch_filter", "lacks", { UINT64_C(1) << 32 }, 1 << 1, -EOPNOTSUPP },
		{ "load_filter", "lacks", { UINT64_C(1) << 33 }, 1 << 1, -EOPNOTSUPP },
		{ "store_filter", "lacks", { UINT64_C(1) << 34 }, 1 << 1, -EOPNOTSUPP },
		{ "branch_filter_mask", "lacks", { UINT64_C(1) << 36 }, 1 << 26, -EOPNOTSUPP },
		{ "load_filter_mask", "lacks", { UINT64_C(1) << 37 }, 1 << 26, -EOPNOTSUPP },
		{ "store_filter_mask", "lacks", { UINT64_C(1) << 38 }, 1 << 26, -EOPNOTSUPP },
		{ "simd_filter", "lacks", { UINT64_C(1) << 39 }, 1 << 26, -EOPNOTSUPP },
		{ "simd_filter_mask", "lacks", { UINT64_C(1) << 40 }, 1 << 26, -EOPNOTSUPP },
		{ "float_filter", "lacks", { UINT64_C(1) << 41 }, 1 << 26, -EOPNOTSUPP },
		{ "float_filter_mask", "lacks", { UINT64_C(1) << 42 }, 1 << 26, -EOPNOTSUPP },
		{ "event_filter", "lacks", { 0, 2 }, 1 << 0, -EOPNOTSUPP },
		{ "min_latency", "lacks", { 0, 0, 1 }, 1 << 2, -EOPNOTSUPP },
		{ "min_latency", "count", { 0, 0, 0x1000 }, 0, -EOPNOTSUPP },
		{ "inv_event_filter", "lacks", { 0, 0, 0, 8 }, 1 << 6, -EOPNOTSUPP },
		{ "inv_data_src_filter", "lacks", { 0, 0, 0, 0, 8 }, 1 << 7, -EOPNOTSUPP },
		{ "inv_event_filter", "both", { 0, 8, 0, 8 }, 0, -EINVAL },
		{ "", "belongs to no option", { 8 }, 0, -EINVAL },
	};
	struct v9_spe_reg_values image;
	unsigned int i;

	for (i = 0; i < V9_ARRAY_SIZE(rows); i++) {
		struct v9_spe_request req = { .user = true };
		struct v9_spe_unit u = rich(false);
		struct v9_refusal no = { NULL, NULL };
		int err;

		memcpy(req.config, rows[i].config, sizeof(req.config));
		if (rows[i].lacks) {
			tap_eq(v9_spe_encode_regs(&u, &req, &image, &no), 0, "taken_%u_%s", i,
			       rows[i].option);
			u.id.pmsidr &= ~rows[i].lacks;
			u = unit_of(u.id);
		}
		err = v9_spe_encode_regs(&u, &req, &image, &no);
		if (!tap_ok(err == rows[i].err && no.option && no.why &&
			    !strcmp(no.option, rows[i].option) && strstr(no.why, rows[i].why),
			    "reason_%u_%s", i, rows[i].option))
			tap_note("%d %s: %s", err, no.option, no.why);
	}
}

/* Features that PMSIDR_EL1 has, without any writable bit in their registers */
static void unwritable(void)
{
	struct v9_spe_unit u = rich(false);
	struct v9_spe_reg_values image;

	u.id.types = 0x7000000000000;		/* masks, without FP and SIMD */
	u = unit_of(u.id);
	tap_eq(u.features & (V9_SPE_HAS_EFT | V9_SPE_HAS_FPF), V9_SPE_HAS_EFT, "masks_alone");
	u.id.types = 0x3000000080000;
	u = unit_of(u.id);
	tap_eq(try(&u, (struct v9_spe_request){ { UINT64_C(1) << 38 }, 0, true, true, false },
		   &image), -EOPNOTSUPP, "mask_that_does_not_stay");
	tap_eq(try(&u, (struct v9_spe_request){ { UINT64_C(1) << 37 }, 0, true, true, false },
		   &image), 0, "mask_that_stays");
	u.id.types = u.id.sources = u.id.inv_events = 0;
	u = unit_of(u.id);
	tap_eq(u.features & (V9_SPE_HAS_EFT | V9_SPE_HAS_FPF | V9_SPE_HAS_FDS | V9_SPE_HAS_FNE), 0,
	       "features_without_writable_bits");
}

int main(void)
{
	formats();
	visibility();
	probing();
	capabilities();
	periods();
	encode();
	sizes();
	refusals();
	reasons();
	unwritable();
	return tap_done();
}
